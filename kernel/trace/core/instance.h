/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances: a buffer, and what is recorded into it.
 *
 * Locks, outermost first:
 *
 *	trace_registry_lock	which instances, tracers and control files there are;
 *				reference counts of instances
 *	open_pipes_lock		output's: who consumes which CPUs
 *	trace_array::lock	an instance's tracer, options, clock and sizes
 *	and then tracers' own, and those of the directories below: ops and filters, ring buffer
 *
 * But that of function commands (ftrace/commands.c) is outside of trace_array::lock. With the
 * mmap lock held only the ring buffer's and trace_mapping::lock are taken.
 * Documentation/trace/ftrace-design.rst has all of them.
 *
 * Recording takes none of them.
 */
#ifndef _TRACE_CORE_INSTANCE_H
#define _TRACE_CORE_INSTANCE_H

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/types.h>

#include "latency.h"
#include "mapping.h"
#include "pids.h"

struct dentry;
struct eventfs_inode;
struct function_repeats;
struct trace_array;
struct trace_error_log;
struct trace_snapshots;
struct tracer_state;

extern struct mutex trace_registry_lock;

/**
 * struct array_buffer - what an instance records into
 * @tr: the instance
 * @buffer: per-CPU ring buffers
 * @time_start: buffer time when it was last cleared, or since when it is of interest
 * @from: entries that are older than this are not shown
 * @to: nor are those that are newer, unless it is 0
 * @cpu: nor are those of other CPUs than this, or RING_BUFFER_ALL_CPUS
 * @expanded: has the size that was asked for, not the small one before first use
 * @kept: what a latency tracer has kept here
 */
struct array_buffer {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
	u64			time_start;
	u64			from;
	u64			to;
	int			cpu;
	bool			expanded;
#ifdef CONFIG_LATENCY_TRACERS
	struct latency_kept	kept;
#endif
};

/**
 * struct trace_scope - what a control file is about
 * @tr: the instance
 * @cpu: one CPU of it, or RING_BUFFER_ALL_CPUS
 * @dir: its directory in tracefs: the instance's, or per_cpu/cpuN in it; NULL for
 *	the root
 *
 * This is the inode->i_private of every control file.
 */
struct trace_scope {
	struct trace_array	*tr;
	int			cpu;
	struct dentry		*dir;
};

/**
 * struct trace_array - an instance: a buffer, and what is recorded into it
 * @array_buffer: the buffer; its pointer is the first thing that recording loads
 * @options: bit n: enum trace_option_number n is on
 * @lock: see the top of this file
 * @current_tracer: among @tracers, never NULL once the instance is listed
 * @tracers: all that there are, as struct tracer_state
 * @pipes: open files that consume; while there are any, the tracer stays
 * @clock: row of clock.c's table
 * @clock_changes: how often the buffer got another one, and was empty then
 * @cpumask: CPUs that record
 * @size: bytes for each CPU once it is expanded, of CPUs set alike
 * @buffer_percent: how full a buffer is when those who wait for much are woken
 * @snapshots: what is kept aside; see snapshot.h. NULL without CONFIG_TRACER_SNAPSHOT
 * @latency: the longest that its latency tracer has seen; see latency.h
 * @mapping: mappings of the buffer into user space; while there are any, snapshots,
 *	other sizes and latency tracers are refused with -EBUSY
 * @function_pids: tasks whose functions are recorded
 * @repeats: for each CPU: what the function tracer does not record again; NULL until
 *	somebody asks for that
 * @error_log: what was wrong with what was written to control files; NULL: nothing was
 * @list: in trace_arrays
 * @name: directory under instances/, NULL for the top instance
 * @ref: who uses it, besides its being there
 * @options_dir: its options/, NULL as long as there is no tracefs
 * @events_dir: its events/
 * @scopes: scopes[0] is the whole instance, scopes[1 + n] is its CPU n
 */
struct trace_array {
	struct array_buffer	array_buffer;
	u64			options;
	struct mutex		lock;	/* see the top of this file */
	struct tracer_state	*current_tracer;
	struct list_head	tracers;
	unsigned int		pipes;
	unsigned int		clock;
	unsigned int		clock_changes;
	cpumask_var_t		cpumask;
	unsigned long		size;
	unsigned int		buffer_percent;
	struct trace_snapshots	*snapshots;
#ifdef CONFIG_LATENCY_TRACERS
	struct trace_latency	*latency;
#endif
	struct trace_mapping	mapping;
	struct trace_pids	function_pids;
	struct function_repeats __percpu *repeats;
	struct trace_error_log	*error_log;
	struct list_head	list;
	char			*name;
	unsigned int		ref;
	struct dentry		*options_dir;
	struct eventfs_inode	*events_dir;
	struct trace_scope	scopes[];
};

/* All instances; the first is the top one. Under trace_registry_lock. */
extern struct list_head trace_arrays;

/* The top instance, there from early_trace_init() on; before, NULL. */
extern struct trace_array *trace_top;

/**
 * struct trace_instance_ops - what a part of tracing does for each instance
 * @made: there is a new one; it cannot be found yet, and has no files: 0 or -errno
 * @opened: it has a directory, scopes[0].dir: make files there; 0 or -errno
 * @goes: undo what the others did, or as much of it as they did
 * @list: the registry's
 *
 * Each may be NULL. They may sleep, and are called with trace_registry_lock held. After an error
 * there is no such instance, but for the top one, which does without.
 */
struct trace_instance_ops {
	int			(*made)(struct trace_array *tr);
	int			(*opened)(struct trace_array *tr);
	void			(*goes)(struct trace_array *tr);
	struct list_head	list;
};

int trace_instance_subscribe(struct trace_instance_ops *ops);

int trace_scope_get(struct trace_scope *scope);
void trace_scope_put(struct trace_scope *scope);
int trace_scope_open(struct inode *inode, struct file *file);
int trace_scope_release(struct inode *inode, struct file *file);

/* The scope of the open control file @file, whose i_private it is. */
static inline struct trace_scope *trace_file_scope(struct file *file)
{
	return file_inode(file)->i_private;
}

void trace_array_reset(struct trace_array *tr);
void trace_array_reset_cpu(struct trace_array *tr, int cpu);
int trace_array_expand(struct trace_array *tr);
int trace_array_use(struct trace_array *tr);
void trace_array_set_on(struct trace_array *tr, bool on);
int trace_array_set_clock(struct trace_array *tr, const char *name);
bool trace_clock_in_ns(const struct trace_array *tr);

/* Pause recording and let it go on; nests; beside tracing_on. Any context. */
static inline void trace_array_stop(struct trace_array *tr)
{
	ring_buffer_record_disable(tr->array_buffer.buffer);
}

static inline void trace_array_start(struct trace_array *tr)
{
	ring_buffer_record_enable(tr->array_buffer.buffer);
}

/* Is tracing_on 1? Any context. */
static inline bool trace_array_is_on(const struct trace_array *tr)
{
	return ring_buffer_record_is_set_on(tr->array_buffer.buffer);
}

/*
 * What was wrong with what was written to a control file, in the file error_log.
 */
void trace_log_error(struct trace_array *tr, const char *where, const char *text,
		     const char *what, unsigned int pos);

#endif /* _TRACE_CORE_INSTANCE_H */
