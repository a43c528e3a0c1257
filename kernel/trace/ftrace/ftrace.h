/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of ftrace/ for other directories of kernel/trace, besides <linux/ftrace.h>: control
 * files that select and list call sites, and function commands.
 */
#ifndef _KERNEL_TRACE_FTRACE_H
#define _KERNEL_TRACE_FTRACE_H

#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/percpu-defs.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>

struct trace_array;
struct trace_line;

/*
 * The ops of the top instance, whose sites set_ftrace_filter and boot parameters select. Its owner
 * sets @func and @private before registering it.
 */
extern struct ftrace_ops ftrace_global_ops;

/* preempt_count() of the traced function, for callbacks: the trampoline has raised it by one. */
static __always_inline unsigned int ftrace_preempt_count(void)
{
	return preempt_count() - PREEMPT_DISABLE_OFFSET;
}

/*
 * For each CPU, the task for which FTRACE_OPS_FL_PID callbacks are called; NULL: all tasks. The pid
 * files of the top instance set it, see core/pids.h.
 */
DECLARE_PER_CPU(struct task_struct *, ftrace_pid_task);

void ftrace_ops_set_func(struct ftrace_ops *ops, ftrace_func_t func);
#ifdef CONFIG_DYNAMIC_FTRACE
int ftrace_ops_share_filter(struct ftrace_ops *ops, struct ftrace_ops *other);
#else
static inline int ftrace_ops_share_filter(struct ftrace_ops *ops, struct ftrace_ops *other)
{
	return 0;
}
#endif
void ftrace_total_info(unsigned long *sites, unsigned long *pages, unsigned long *groups);
unsigned long ftrace_nr_sites(void);

/*
 * Files that select the sites of an ftrace_ops: filter_files.c. Its @private is the instance in
 * which commands that are written there run.
 */
enum ftrace_filter_side { FTRACE_FILTER, FTRACE_NOTRACE };

int ftrace_filter_open(struct ftrace_ops *ops, enum ftrace_filter_side side,
		       struct inode *inode, struct file *file);
ssize_t ftrace_filter_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int ftrace_filter_release(struct inode *inode, struct file *file);

/*
 * set_graph_function and set_graph_notrace: graph_select.c.
 */
extern struct ftrace_ops ftrace_graph_select_ops;

/**
 * struct ftrace_graph_set - the functions selected in one of these two files, for a quick search
 * @first: lowest address of a site
 * @last: highest address of a site; 0: there is none
 * @nr: number of sites
 * @ip: addresses of the sites, ascending. When text is freed, each of its sites is overwritten by
 *	the address before it in the array, or by 0 at the start
 */
struct ftrace_graph_set {
	unsigned long first;
	unsigned long last;
	unsigned long nr;
	unsigned long ip[] __counted_by(nr);
};

#ifdef CONFIG_DYNAMIC_FTRACE
extern struct ftrace_graph_set *ftrace_graph_sets[2];

/* Is a set selected? Any context. */
static __always_inline bool ftrace_graph_selects(enum ftrace_filter_side side)
{
	return READ_ONCE(ftrace_graph_sets[side]);
}

/*
 * Is a call site in the set? Without a set, all sites are in FTRACE_FILTER, and none in
 * FTRACE_NOTRACE. Any context, with preemption off.
 */
static __always_inline bool ftrace_graph_selected(enum ftrace_filter_side side, unsigned long ip)
{
	const struct ftrace_graph_set *set = READ_ONCE(ftrace_graph_sets[side]);
	unsigned long low = 0, high, mid;

	if (!set)
		return side == FTRACE_FILTER;
	if (ip < set->first || ip > set->last)
		return false;
	for (high = set->nr; low < high; ) {
		mid = (low + high) / 2;
		if (READ_ONCE(set->ip[mid]) < ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low < set->nr && READ_ONCE(set->ip[low]) == ip;
}

int ftrace_graph_select(void);
void ftrace_graph_boot_select(void);
#else
/* Without dynamic sites, no functions can be selected. */
static __always_inline bool ftrace_graph_selects(enum ftrace_filter_side side)
{
	return false;
}

static __always_inline bool ftrace_graph_selected(enum ftrace_filter_side side, unsigned long ip)
{
	return side == FTRACE_FILTER;
}

static inline int ftrace_graph_select(void) { return 0; }
static inline void ftrace_graph_boot_select(void) { }
#endif

struct fgraph_ops;

void ftrace_graph_forget_calls(struct fgraph_ops *gops);

/*
 * Function commands: commands.c.
 */
#define FTRACE_COMMAND_UNLIMITED	-1L

/**
 * struct ftrace_command - a command that functions can run:
 *	FUNC:COMMAND[:PARAMETERS][:COUNT] in set_ftrace_filter
 * @list: entry in the list of commands
 * @name: COMMAND
 * @parameters: names of its parameters, for README: "SYSTEM:EVENT"; NULL: it has none
 * @times: number of times that each function runs the command, if users cannot choose it; text
 *	after the parameters is ignored then. 0: COUNT is the number
 * @parse: makes data of the parameters; see below. NULL: there are no parameters, and the data are
 *	NULL
 * @same: do two data mean the same? NULL: they do if the pointers are equal
 * @show: prints the parameters as they are written; must not sleep for long. NULL: there are none
 * @free: frees the data when nothing uses them any more; may sleep. NULL: nothing to free
 * @begin: called before functions run the command; may sleep. An error goes to the writer. NULL:
 *	nothing to prepare
 * @end: called after functions have stopped running it, once for each @begin that returned 0; may
 *	sleep. NULL: nothing to do
 * @useful: would the command change anything? If not, it is not run, and this does not count. NULL:
 *	it always would
 * @run: runs the command
 *
 * @tr is the instance in whose set_ftrace_filter the command was written.
 *
 * @parse takes the parameters from @line, which begins after "COMMAND:". It may sleep. It returns
 * the data, or ERR_PTR() for the writer, and notes in @line what is wrong there. It is also called
 * when a command is removed: commands with the same data are removed.
 * @free is called once for each data that @parse has returned, so data can hold references that
 * the command needs while it is set, as to a module. Functions that a word names run the command
 * with the data of that word. A function has at most one command with the same data with a count,
 * and one without.
 *
 * @useful and @run are called at the function's entry, in any context, NMI and idle included,
 * protected against recursion, and with preempt_count raised by two. The others are called in
 * process context with a mutex held that is outside of trace_array::lock; @show also with
 * ftrace_lock held.
 */
struct ftrace_command {
	struct list_head	list;
	const char		*name;
	const char		*parameters;
	long			times;
	void	*(*parse)(struct trace_array *tr, struct trace_line *line);
	bool	(*same)(const void *data, const void *other);
	void	(*show)(struct seq_file *m, const void *data);
	void	(*free)(void *data);
	int	(*begin)(struct trace_array *tr, void *data);
	void	(*end)(struct trace_array *tr, void *data);
	bool	(*useful)(struct trace_array *tr, void *data);
	void	(*run)(struct trace_array *tr, void *data, unsigned long parent_ip);
};

#ifdef CONFIG_DYNAMIC_FTRACE
/* Called for a line with a command that was refused; may sleep. NULL: not called */
extern void (*ftrace_command_refused)(struct trace_array *tr, const struct trace_line *line);

void ftrace_register_commands(struct ftrace_command *commands, unsigned int nr);
void ftrace_show_command_names(struct seq_file *m);
void ftrace_end_commands(struct trace_array *tr);

/* Register a table of commands at boot. */
#define FTRACE_COMMANDS(command_rows)						\
	static int __init command_rows##_register(void)				\
	{									\
		ftrace_register_commands(command_rows, ARRAY_SIZE(command_rows));	\
		return 0;							\
	}									\
	core_initcall(command_rows##_register)
#else
static inline void ftrace_end_commands(struct trace_array *tr) { }
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * struct ftrace_graph_entry - the argument of fgraph_ops::entryfunc, and more
 * @ent: the argument
 * @fregs: registers at the function's entry; or NULL
 * @calltime: time from ftrace_graph_begin_time(); 0: no user has called that
 */
struct ftrace_graph_entry {
	struct ftrace_graph_ent	ent;
	struct ftrace_regs	*fregs;
	u64			calltime;
};

/* fgraph_ops::entryfunc gets the registers at the function's entry by this. */
static __always_inline struct ftrace_regs *ftrace_graph_ent_regs(struct ftrace_graph_ent *ent)
{
	return container_of(ent, struct ftrace_graph_entry, ent)->fregs;
}

/*
 * fgraph_ops::entryfunc calls this before it records the call. The time of the call begins here:
 * what interrupts do meanwhile is part of the call, and so no child takes longer than its parent.
 * The caller has preemption off, so the clock is read as trace_clock_local() does.
 */
static __always_inline void ftrace_graph_begin_time(struct ftrace_graph_ent *ent)
{
	struct ftrace_graph_entry *entry = container_of(ent, struct ftrace_graph_entry, ent);

	if (likely(!entry->calltime))
		entry->calltime = sched_clock_noinstr();
}

int ftrace_graph_sleep_time_control(bool enable);

#endif

/* List sites: all, or those in some state; inode->i_private is unused. */
extern const struct file_operations ftrace_avail_fops;
extern const struct file_operations ftrace_avail_addrs_fops;
extern const struct file_operations ftrace_enabled_fops;
extern const struct file_operations ftrace_touched_fops;

#endif /* _KERNEL_TRACE_FTRACE_H */
