/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What core/ offers to its neighbours in kernel/trace: instances, tracers,
 * options, and the control files that all of them are reached by.
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
 * mmap lock held only the ring buffer's are taken. Documentation/trace/ftrace-design.rst has all
 * of them.
 *
 * Recording takes none of them.
 */
#ifndef _TRACE_CORE_H
#define _TRACE_CORE_H

#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "latency.h"
#include "pids.h"

struct dentry;
struct eventfs_inode;
struct function_repeats;
struct seq_file;
struct trace_array;
struct trace_snapshot;
struct tracer;

extern struct mutex trace_registry_lock;

/*
 * Instances
 */

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
 * struct tracer_state - a tracer as one instance has it
 * @list: in trace_array::tracers
 * @tracer: which
 * @options: bit n: row n of the tracer's options is on
 * @data: the tracer's own, from its attach()
 */
struct tracer_state {
	struct list_head	list;
	struct tracer		*tracer;
	u64			options;
	void			*data;
};

/* Errors that an instance remembers. */
#define TRACE_ERRORS_MAX	8

/**
 * struct trace_error_log - the latest errors of an instance
 * @first: index of the oldest in @errors
 * @nr: how many there are
 * @errors: text of each, see error_log.c
 */
struct trace_error_log {
	unsigned int		first;
	unsigned int		nr;
	char			*errors[TRACE_ERRORS_MAX];
};

/* Should a snapshot be taken? See tracing_snapshot_cond_enable(). */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

/**
 * struct trace_snapshot_cond - what the snapshots of an instance depend on
 * @lock: of the others, and held while @update is asked; interrupts are off meanwhile
 * @owner: 1 + the CPU that holds it; 0: none does
 * @data: what it belongs to
 * @update: asked before each snapshot; NULL: there is nothing that they depend on
 */
struct trace_snapshot_cond {
	arch_spinlock_t		lock;
	unsigned int		owner;
	void			*data;
	cond_update_fn_t	update;
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
 * @snapshot: what was aside at the last snapshot, NULL if there is no memory for
 *	one; see snapshot.c
 * @snapshots: how often something was put aside for one
 * @snapshot_queue: who waits for that
 * @cond: whether there is to be one
 * @armed: who may take one at any time, besides those who ask @cond
 * @latency: the longest that its latency tracer has seen
 * @mapped: mappings of the buffer into user space; while there are any, snapshots,
 *	other sizes and other tracers are refused with -EBUSY. Below 0, how many may exchange
 *	its storage
 * @function_pids: tasks whose functions are recorded
 * @repeats: for each CPU: what the function tracer does not record again; NULL until
 *	somebody asks for that
 * @error_log: what was wrong with what was written to control files
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
	struct trace_snapshot	*snapshot;
	atomic_t		snapshots;
	wait_queue_head_t	snapshot_queue;
#ifdef CONFIG_TRACER_SNAPSHOT
	struct trace_snapshot_cond cond;
	unsigned int		armed;
#endif
#ifdef CONFIG_LATENCY_TRACERS
	struct trace_latency	latency;
#endif
	atomic_t		mapped;
	struct trace_pids	function_pids;
	struct function_repeats __percpu *repeats;
	struct trace_error_log	error_log;
	struct list_head	list;
	char			*name;
	unsigned int		ref;
	struct dentry		*options_dir;
	struct eventfs_inode	*events_dir;
	struct trace_scope	scopes[];
};

/*
 * What is mapped stays where it is: a buffer is mapped, or its storage may be exchanged for
 * another, and who comes second is refused. That takes no lock, as the mmap lock is held by who
 * maps; under trace_array::lock that of CPU hotplug is waited for, under which some wait for the
 * mmap lock. Who begins sees all that was done before others ended: to end is a release, to
 * begin a full barrier.
 */
static inline bool trace_mapping_begin(struct trace_array *tr)
{
	return atomic_inc_unless_negative(&tr->mapped);
}

static inline void trace_mapping_end(struct trace_array *tr)
{
	atomic_dec_return_release(&tr->mapped);
}

static inline bool trace_is_mapped(const struct trace_array *tr)
{
	return atomic_read(&tr->mapped) > 0;
}

static inline bool trace_exchange_begin(struct trace_array *tr)
{
	return atomic_dec_unless_positive(&tr->mapped);
}

static inline void trace_exchange_end(struct trace_array *tr)
{
	atomic_inc_return_release(&tr->mapped);
}

#ifdef CONFIG_LATENCY_TRACERS
/* Does a latency tracer run? Stays what it is while tr->lock is held. */
static inline bool trace_latency_active(const struct trace_array *tr)
{
	return READ_ONCE(tr->latency.active);
}

/* What is kept in @array lacks what some CPU has recorded. Any context. */
static inline void trace_latency_lacks_part(struct array_buffer *array)
{
	WRITE_ONCE(array->kept.incomplete, true);
}
#else
static inline bool trace_latency_active(const struct trace_array *tr)
{
	return false;
}

static inline bool trace_latency_possible(const struct trace_array *tr)
{
	return true;
}

static inline void trace_latency_init(struct trace_array *tr) { }
static inline void trace_latency_remove(struct trace_array *tr) { }
static inline void trace_latency_put(struct array_buffer *array) { }
static inline void trace_latency_lacks_part(struct array_buffer *array) { }
static inline void trace_latency_forget(struct array_buffer *array) { }

static inline void trace_latency_view(struct array_buffer *array, struct latency_view *view)
{
	*view = (struct latency_view) {
		.time_start	= array->time_start,
		.cpu		= RING_BUFFER_ALL_CPUS,
	};
}
#endif

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

struct array_buffer *trace_shown_get(struct trace_array *tr);
void trace_shown_put(struct array_buffer *array);
void trace_shown_reset(struct trace_array *tr, int cpu);

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
 * Snapshots: a second buffer, which changes places with the one that records.
 *
 * The files that read it are made by output/. Its text is that of `trace` with
 * another array_buffer; where that is empty, or NULL because there is no memory for
 * snapshots yet, trace_snapshot_print_help() is all there is.
 */
#ifdef CONFIG_TRACER_SNAPSHOT
struct array_buffer *trace_snapshot_get(struct trace_array *tr);
void trace_snapshot_put(struct array_buffer *snapshot);
ssize_t trace_snapshot_write(struct file *file, const char __user *ubuf, size_t count,
			     loff_t *ppos);
void trace_snapshot_print_help(struct seq_file *m, const struct trace_scope *scope);
int trace_snapshot_arm(struct trace_array *tr);
void trace_snapshot_disarm(struct trace_array *tr);
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
void *tracing_cond_snapshot_data(struct trace_array *tr);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
#else
/* Their files are not there. */
static inline struct array_buffer *trace_snapshot_get(struct trace_array *tr)
{
	return NULL;
}

static inline void trace_snapshot_put(struct array_buffer *snapshot) { }

static inline ssize_t trace_snapshot_write(struct file *file, const char __user *ubuf,
					   size_t count, loff_t *ppos)
{
	return -EINVAL;
}

static inline void trace_snapshot_print_help(struct seq_file *m,
					     const struct trace_scope *scope) { }

static inline int trace_snapshot_arm(struct trace_array *tr)
{
	return -EINVAL;
}

static inline void trace_snapshot_disarm(struct trace_array *tr) { }

static inline void tracing_snapshot_cond(struct trace_array *tr, void *cond_data) { }
#endif

/*
 * What was wrong with what was written to a control file, in the file error_log.
 */
void trace_log_error(struct trace_array *tr, const char *where, const char *text,
		     const char *what, unsigned int pos);

/*
 * Options: their list is option_list.h.
 */
#define OPTION(symbol, ...)	TRACE_OPT_##symbol,
enum trace_option_number {
#include "option_list.h"
	TRACE_NR_OPTIONS
};

#undef OPTION

/**
 * struct trace_option - a switch of an instance, or of a tracer in it
 * @name: in trace_options and below options/
 * @on: at first
 * @top_only: no file for it below options/ of other instances
 * @change: called before the option changes to @on, with trace_array::lock held; may
 *	be NULL. An error leaves the option as it was and goes to the writer. A tracer
 *	need not be the current one.
 */
struct trace_option {
	const char	*name;
	bool		on;
	bool		top_only;
	int		(*change)(struct trace_array *tr, bool on);
};

/* Is a core option on? Any context. */
static __always_inline bool trace_option(const struct trace_array *tr,
					 enum trace_option_number nr)
{
	return READ_ONCE(tr->options) & BIT_ULL(nr);
}

/*
 * What an option is from now on, and nothing else; for who is asked about the change, and
 * needs it before that is done. With tr->lock.
 */
static inline void trace_option_write(struct trace_array *tr, enum trace_option_number nr, bool on)
{
	WRITE_ONCE(tr->options, on ? tr->options | BIT_ULL(nr) : tr->options & ~BIT_ULL(nr));
}

int trace_option_set(struct trace_array *tr, enum trace_option_number nr, bool on);

/* Is row @nr of the options of @tr's current tracer on? */
static inline bool tracer_option(const struct trace_array *tr, unsigned int nr)
{
	return tr->current_tracer->options & BIT(nr);
}

/*
 * Tracers
 */

/**
 * struct tracer - something that can be written to current_tracer
 * @name: what is written
 * @list: among all tracers; the registry's
 * @options: its own options, at most 64; rows without a name are for other kernels
 * @nr_options: number of rows
 * @top_only: not for other instances than the top one
 * @latency: it keeps what was recorded, see latency.h
 * @attach: an instance gets to know the tracer: fill in state->data; 0 or -errno
 * @detach: free state->data
 * @init: begin to trace into an instance that was cleared; 0, or -errno and nothing is
 *	traced
 * @reset: end it; afterwards nothing of the tracer records into the instance
 * @start: tracing_on became 1
 * @stop: tracing_on became 0
 * @thresh: tracing_thresh has changed while this is the current tracer
 * @functions: it is the current tracer, and the option function-trace or display-graph is
 *	going to change: they are what is given; 0, or -errno and the option stays
 * @open: a reader of `trace` or `trace_pipe` begins
 * @close: it ends
 * @print_header: the header of `trace` instead of the usual one
 * @print_line: one entry, instead of its type's printer
 *
 * All but @name may be left out. init(), reset(), start(), stop(), thresh(), functions()
 * are called with the instance's lock held; attach() and detach() with trace_registry_lock,
 * and attach() also with the instance's lock if that is listed already.
 */
struct tracer {
	const char			*name;
	struct list_head		list;
	const struct trace_option	*options;
	unsigned int			nr_options;
	bool				top_only;
	bool				latency;
	int	(*attach)(struct trace_array *tr, struct tracer_state *state);
	void	(*detach)(struct trace_array *tr, struct tracer_state *state);
	int	(*init)(struct trace_array *tr);
	void	(*reset)(struct trace_array *tr);
	void	(*start)(struct trace_array *tr);
	void	(*stop)(struct trace_array *tr);
	void	(*thresh)(struct trace_array *tr);
	int	(*functions)(struct trace_array *tr, bool functions, bool graph);
	void	(*open)(struct trace_iterator *iter);
	void	(*close)(struct trace_iterator *iter);
	void	(*print_header)(struct seq_file *m);
	enum print_line_t (*print_line)(struct trace_iterator *iter);
};

int register_tracer(struct tracer *tracer);
int trace_boot_begin(void);
void trace_boot_finish(void);
int trace_array_set_tracer(struct trace_array *tr, const char *name);
struct tracer_state *trace_array_find_tracer(struct trace_array *tr, const char *name);
void *tracer_data(struct trace_array *tr, const struct tracer *tracer);

/* The current tracer of an instance. Stays what it is while tr->lock is held. */
static inline struct tracer *trace_array_tracer(const struct trace_array *tr)
{
	return tr->current_tracer->tracer;
}

/*
 * Control files
 */

/**
 * enum trace_file_where - the directories that a control file is in
 * @TRACE_FILE_TOP: that of the top instance only
 * @TRACE_FILE_INSTANCE: that of every instance
 * @TRACE_FILE_CPU: per_cpu/cpuN of every instance
 */
enum trace_file_where {
	TRACE_FILE_TOP,
	TRACE_FILE_INSTANCE,
	TRACE_FILE_CPU,
};

/**
 * struct trace_file - a row of a table of control files
 * @name: of the file
 * @mode: TRACE_MODE_READ, TRACE_MODE_WRITE or another
 * @where: see there
 * @fops: what it does
 * @made: told of the file, which stays until the instance goes; NULL: nobody is. Not for
 *	TRACE_FILE_CPU
 */
struct trace_file {
	const char			*name;
	umode_t				mode;
	enum trace_file_where		where;
	const struct file_operations	*fops;
	void				(*made)(struct trace_array *tr, struct dentry *file);
};

#define TRACE_MODE_READ		0440
#define TRACE_MODE_WRITE	0640

/**
 * struct trace_file_table - a table of control files
 * @rows: one for each file
 * @nr: how many
 * @dir: a directory of their own in that of the top instance, or NULL
 * @list: the registry's
 */
struct trace_file_table {
	const struct trace_file	*rows;
	unsigned int		nr;
	const char		*dir;
	struct list_head	list;
};

#define TRACE_FILE_TABLE(table_name, table_dir, table_rows)		\
	struct trace_file_table table_name = {				\
		.rows	= table_rows,					\
		.nr	= ARRAY_SIZE(table_rows),			\
		.dir	= table_dir,					\
	}

void trace_files_register(struct trace_file_table *table);

/* For tables that are there from boot on. */
#define TRACE_FILES(table_rows)	TRACE_FILES_IN(NULL, table_rows)

/* In a directory below the top one; all of them are TRACE_FILE_TOP. */
#define TRACE_FILES_IN(dir, table_rows)					\
	static TRACE_FILE_TABLE(table_rows##_table, dir, table_rows);	\
	static int __init table_rows##_register(void)			\
	{								\
		trace_files_register(&table_rows##_table);		\
		return 0;						\
	}								\
	core_initcall(table_rows##_register)

/**
 * struct trace_control - a control file of short text
 * @fops: TRACE_CONTROL_FOPS
 * @show: prints the whole of it
 * @store: takes what was written in one write, with a NUL put behind it; may change
 *	the text. Returns 0, or -errno for the writer. NULL: it cannot be written.
 * @max: shortest write that is refused with -EINVAL unseen
 *
 * Both are called with a reference to the instance, without locks, and may sleep.
 *
 *	static struct trace_control tracing_on = {
 *		.fops = TRACE_CONTROL_FOPS, .show = ..., .store = ...,
 *	};
 *	... { "tracing_on", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &tracing_on.fops },
 */
struct trace_control {
	const struct file_operations fops;
	int	(*show)(struct seq_file *m, struct trace_scope *scope);
	int	(*store)(struct trace_scope *scope, char *text);
	size_t	max;
};

#define TRACE_CONTROL_FOPS {						\
	.open		= trace_control_open,				\
	.read		= seq_read,					\
	.write		= trace_control_write,				\
	.llseek		= trace_file_lseek,				\
	.release	= trace_control_release,			\
}

loff_t trace_file_lseek(struct file *file, loff_t offset, int whence);
ssize_t trace_write_ignored(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int trace_control_open(struct inode *inode, struct file *file);
ssize_t trace_control_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int trace_control_release(struct inode *inode, struct file *file);

/*
 * Tasks' names and thread groups, by pid
 */
#define TRACE_COMM_LEN	16	/* TASK_COMM_LEN, as it is in records */

void trace_find_comm(int pid, char comm[TRACE_COMM_LEN]);
int trace_find_tgid(int pid);
void trace_comm_record_start(void);
void trace_comm_record_stop(void);

/*
 * Oops
 */

/* Set by output/: print @tr's buffer, or what @cpu has of it, to the console. Any context. */
extern void (*trace_dump_hook)(struct trace_array *tr, int cpu);

#endif /* _TRACE_CORE_H */
