/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Variables that all files of ftrace/ use: state.c. The files of ftrace/, from the bottom up:
 *
 *	state.c		locks, the registered ops, whether anything is patched
 *	synchronize.c	waits until no CPU is on the way to an ops any more
 *	graph_tasks.c	gives tasks their shadow stacks
 *	graph.c		function graph: entries and returns
 *	shadow_stack.c	where a task's calls return to, and users' data with them
 *	sites.c		the table of sites: groups of records, look-up
 *	names.c		sites to names
 *	init_names.c	symbols of modules' init text that was freed
 *	deferred.c	names in modules that are not loaded yet
 *	set.c		frozen sets of sites, and how they are built
 *	match.c		names and patterns to sites
 *	visit.c		visits the sites that a change affects
 *	opset.c		the ops that a site calls: a single one, or an interned set
 *	oplist.c	the ops that sites without a pointer call
 *	patch.c		from a batch to patched text; giving up if that fails
 *	update.c	from a change of an ops' sites to batches of sites
 *	ipmodify.c	decides which ops may share a site
 *	filter.c	the filters of an ops
 *	registry.c	adding and removing an ops
 *	direct.c	direct calls: trampolines of other subsystems
 *	ops.c		register_ftrace_function()
 *	graph_users.c	register_ftrace_graph()
 *	graph_time.c	time during which a task does not run
 *	graph_select.c	set_graph_function and set_graph_notrace
 *	sysctl.c	kernel.ftrace_enabled
 *	commands.c	function commands: functions do more than being traced
 *	filter_files.c	set_ftrace_filter and set_ftrace_notrace
 *	files.c		the lists of sites in tracefs
 *	load.c		adds and removes text, with its sites
 *	static.c	in place of most of these files if sites are always on
 *
 * The mutex ftrace_lock guards all of it: the groups, the state in the records, the registered ops
 * and their filters. Outside of it are the lock of direct calls, the lock of users of function
 * graph (graph_users.c), and the lock of function commands. Inside of it are module_mutex, and the
 * CPU hotplug lock with text_mutex. Traced functions look at none of this: a site holds a pointer
 * to its ops (see opset.c), or all sites share one pointer (see oplist.c).
 */
#ifndef _KERNEL_TRACE_FTRACE_STATE_H
#define _KERNEL_TRACE_FTRACE_STATE_H

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/mutex.h>

extern struct mutex ftrace_lock;

/*
 * Held to register, unregister and change direct calls, and ops that may change where a function
 * goes on; and to add sites to filters. Owners of trampolines are asked for their consent with this
 * mutex held. Without it, sites could change after an owner has agreed to share them and before the
 * change is made. Taken before ftrace_lock.
 */
extern struct mutex ftrace_direct_lock;

/* The registered ops, the latest first. */
extern struct list_head ftrace_ops_list;

/* kernel.ftrace_enabled; under ftrace_lock. */
extern bool ftrace_is_on;

/* Patching has failed. Nothing is patched any more, for good. */
extern bool ftrace_gave_up;

/* Has ftrace_bug() been called? Any context. */
static inline bool ftrace_dead(void)
{
	return READ_ONCE(ftrace_gave_up);
}

/*
 * Held to add sites to filters of ops that may be direct calls, or may change where functions go
 * on: so no filter gets a site while owners of trampolines are being asked for their consent.
 */
void ftrace_filters_lock(void);
void ftrace_filters_unlock(void);
DEFINE_LOCK_GUARD_0(ftrace_filters, ftrace_filters_lock(), ftrace_filters_unlock())

#endif /* _KERNEL_TRACE_FTRACE_STATE_H */
