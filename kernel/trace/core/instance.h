/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances: a buffer, and the settings of what is recorded into it.
 *
 * Locks, outermost first:
 *
 *	trace_registry_lock	lists of instances, tracers and control files;
 *				reference counts of instances
 *	open_pipes_lock		output/: the CPUs that each open trace_pipe consumes
 *	trace_array::lock	an instance's tracer, options, clock and sizes
 *	then the locks of tracers, of ops and filters (ftrace/), and of the ring buffer
 *
 * The lock of function commands (ftrace/commands.c) is outside of trace_array::lock. A caller
 * that holds the mmap lock takes only the ring buffer's locks and trace_mapping::lock.
 * Documentation/trace/ftrace-design.rst lists all locks.
 *
 * Recording takes none of them, but for a marker that has fired a trigger snapshot: when it is
 * recorded, its writer takes trace_array::lock.
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
struct trace_array;
struct trace_error_log;
struct trace_event_instance;
struct trace_snapshots;
struct tracer_state;

extern struct mutex trace_registry_lock;

/**
 * struct array_buffer - a buffer of an instance: the one that records, or one that is kept
 * @tr: the instance
 * @buffer: per-CPU ring buffers
 * @expanded: the buffer has the requested size, not the small size that it has before first use
 * @view: the part that readers show; trace_latency_view() copies it
 * @readers: number of open files that show what a latency tracer has kept here; while it is not 0,
 *	nothing replaces that
 */
struct array_buffer {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
	bool			expanded;
	struct latency_view	view;
	unsigned int		readers;
};

/**
 * struct trace_scope - what a control file refers to
 * @tr: the instance
 * @cpu: one CPU of the instance, or RING_BUFFER_ALL_CPUS
 * @dir: directory of the file in tracefs: the instance's, or per_cpu/cpuN in it; NULL: the root
 *
 * This is the inode->i_private of every control file.
 */
struct trace_scope {
	struct trace_array	*tr;
	int			cpu;
	struct dentry		*dir;
};

/**
 * struct trace_array - an instance: a buffer, and the settings of what is recorded into it
 * @array_buffer: the buffer; its pointer is the first member that recording loads
 * @options: bit n is set if option n of enum trace_option_number is on
 * @lock: see the top of this file
 * @current_tracer: one of @tracers; never NULL once the instance is listed
 * @tracers: list of struct tracer_state, one for each tracer
 * @pipes: number of open files that consume; while it is not 0, the tracer cannot be changed
 * @clock: index into the table in clock.c
 * @clock_changes: number of changes of the clock; each has cleared the buffer
 * @cpumask: CPUs that record
 * @size: bytes for each CPU once the buffer is expanded; CPUs with a size of their own excepted
 * @buffer_percent: percentage of the buffer that must be full before blocked readers are woken
 * @snapshots: snapshots; see snapshot.h. NULL without CONFIG_TRACER_SNAPSHOT
 * @latency: the longest latency, and what protects it; see latency.h. NULL without latency tracers
 * @mapping: mappings of the buffer into user space; while there are any, snapshots, changes of
 *	the size and latency tracers fail with -EBUSY
 * @function_pids: tasks whose functions are recorded; not a pointer, which the function tracer
 *	would have to load for each call
 * @error_log: errors in what was written to control files; NULL before the first error
 * @list: entry in trace_arrays
 * @name: name of the directory under instances/; NULL for the top instance
 * @ref: number of users; the existence of the instance does not count
 * @systems: systems whose trace events it has, separated by commas or blanks; NULL: all
 * @options_dir: the directory options/; NULL before tracefs exists
 * @events: its trace events, see ../events/events.h; NULL if allocation failed at boot
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
	struct trace_error_log	*error_log;
	struct list_head	list;
	char			*name;
	unsigned int		ref;
	const char		*systems;
	struct dentry		*options_dir;
	struct trace_event_instance *events;
	struct trace_scope	scopes[];
};

/* All instances; the first is the top instance. Protected by trace_registry_lock. */
extern struct list_head trace_arrays;

/* The top instance; NULL before early_trace_init(). */
extern struct trace_array *trace_top;

/**
 * struct trace_instance_ops - callbacks of a subsystem for each instance
 * @create: make what the subsystem has of the instance, which cannot be found yet, and has no
 *	files. Return: 0 or -errno
 * @create_files: the instance has a directory, scopes[0].dir: make files there. Return: 0 or -errno
 * @destroy: undo @create and @create_files, as far as they succeeded
 * @list: entry in the registry's list
 *
 * Each callback may be NULL. The registry calls them with trace_registry_lock held, @create and
 * @create_files in the order of registration, @destroy in the reverse order; they may sleep. If one
 * fails, the registry removes the instance; it keeps the top instance.
 *
 * There is no callback for opening an instance: a subsystem that needs one has files of its own.
 */
struct trace_instance_ops {
	int			(*create)(struct trace_array *tr);
	int			(*create_files)(struct trace_array *tr);
	void			(*destroy)(struct trace_array *tr);
	struct list_head	list;
};

int trace_instance_register(struct trace_instance_ops *ops);

int trace_scope_get(struct trace_scope *scope);
void trace_scope_put(struct trace_scope *scope);
int trace_scope_open(struct inode *inode, struct file *file);
int trace_scope_release(struct inode *inode, struct file *file);

/* The scope of an open control file: its i_private. */
static inline struct trace_scope *trace_file_scope(struct file *file)
{
	return file_inode(file)->i_private;
}

struct trace_array *trace_array_find_get(const char *name);
bool trace_array_has_system(const struct trace_array *tr, const char *system);
void trace_instance_boot_events(void (*set)(struct trace_array *tr, char *words));

void trace_array_reset(struct trace_array *tr);
void trace_array_reset_cpu(struct trace_array *tr, int cpu);
int trace_array_expand(struct trace_array *tr);
int trace_array_use(struct trace_array *tr);
void trace_array_set_on(struct trace_array *tr, bool on);
int trace_array_set_clock(struct trace_array *tr, const char *name);
bool trace_clock_in_ns(const struct trace_array *tr);

/* Pause recording, and resume it. Calls nest, and do not change tracing_on. Any context. */
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

/* Add an error in text that user space wrote to a control file to the file error_log. */
void trace_log_error(struct trace_array *tr, const char *where, const char *text,
		     const char *what, unsigned int pos);

#endif /* _TRACE_CORE_INSTANCE_H */
