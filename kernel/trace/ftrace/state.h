/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all of ftrace/ shares: state.c. And how the files work together, from the bottom up:
 *
 *	state.c		locks, who is registered, whether anything is patched
 *	synchronize.c	when nobody is on the way to an ops any more
 *	graph_tasks.c	which tasks have a shadow stack
 *	graph.c		function graph: entries and returns
 *	shadow_stack.c	what a task's calls return to, and whose data is with them
 *	sites.c		where the sites are: groups of records, look-up
 *	names.c		sites to names
 *	init_names.c	symbols of modules' init text, which is gone
 *	deferred.c	names in modules that are not there yet
 *	set.c		frozen sets of sites, and how they are built
 *	match.c		names and patterns to sites
 *	visit.c		which sites a change of wishes affects
 *	opset.c		who wants a site: one ops, or an interned set of them
 *	oplist.c	who is called where sites do not hold a pointer to that
 *	patch.c		from a batch to patched text; what happens if that fails
 *	update.c	from a change of wishes to batches of sites
 *	ipmodify.c	which ops may want the same site
 *	filter.c	the filters of an ops
 *	registry.c	an ops comes and goes
 *	direct.c	direct calls: trampolines of others
 *	ops.c		register_ftrace_function()
 *	graph_users.c	register_ftrace_graph()
 *	graph_time.c	time that calls do not run
 *	graph_select.c	set_graph_function and set_graph_notrace
 *	sysctl.c	kernel.ftrace_enabled
 *	commands.c	what functions do besides being traced
 *	filter_files.c	set_ftrace_filter and set_ftrace_notrace
 *	files.c		the lists of sites in tracefs
 *	load.c		text comes and goes, with its sites
 *	static.c	what is left of all this if sites are always on
 *
 * ftrace_lock, a mutex, guards all of it: the groups, the state in the records,
 * the registered ops and their filters. Outside of it nest the lock of direct calls
 * and those of the users of function graph (graph_users.c) and of function
 * commands, inside of it module_mutex, and the CPU hotplug lock with text_mutex.
 * The traced functions themselves look at nothing of this: a site holds the
 * pointer to whom it calls (see opset.c), or all share one (see oplist.c).
 */
#ifndef _KERNEL_TRACE_FTRACE_STATE_H
#define _KERNEL_TRACE_FTRACE_STATE_H

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/mutex.h>

extern struct mutex ftrace_lock;

/*
 * Who registers, unregisters and changes direct calls, and ops that may change where a
 * function goes on; and who adds sites to filters. Owners are asked under it, so that what
 * they were asked about is still so when their answer counts. Taken before ftrace_lock.
 */
extern struct mutex ftrace_direct_lock;

/* Who is registered, the latest first. */
extern struct list_head ftrace_ops_list;

/* kernel.ftrace_enabled; ftrace_lock. */
extern bool ftrace_is_on;

/* Has patching failed? Then nothing is touched any more, for good. */
extern bool ftrace_gave_up;

/* Has ftrace_bug() been called? Any context. */
static inline bool ftrace_dead(void)
{
	return READ_ONCE(ftrace_gave_up);
}

/*
 * Who gives sites to an ops that may be a direct call, or change where functions go on,
 * holds the lock of direct calls, too: while owners are asked, no filter gets a site.
 */
void ftrace_filters_lock(void);
void ftrace_filters_unlock(void);
DEFINE_LOCK_GUARD_0(ftrace_filters, ftrace_filters_lock(), ftrace_filters_unlock())

#endif /* _KERNEL_TRACE_FTRACE_STATE_H */
