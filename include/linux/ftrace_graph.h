/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graph: callbacks at the entry of functions and at their return.
 *
 * If a user accepts an entry, the function returns to return_to_handler. This calls the users that
 * accepted the entry, and goes on at the function's original return address. The task's shadow
 * stack has that address: kernel/trace/ftrace/graph.c.
 */
#ifndef _LINUX_FTRACE_GRAPH_H
#define _LINUX_FTRACE_GRAPH_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/sched.h>

/* Marks functions that return on the stack of another task: function graph must not trace them. */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#define __notrace_funcgraph	notrace
#else
#define __notrace_funcgraph
#endif

struct fgraph_ops;
struct ftrace_graph_ent;
struct ftrace_graph_ret;

/*
 * The callback at the entry, which returns not 0 if it accepts the call; the callback at the
 * return.
 */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);

/**
 * struct ftrace_graph_ent - a function is entered
 * @func: its call site
 * @depth: number of calls of the task that are under way and that a user has accepted
 */
struct ftrace_graph_ent {
	unsigned long		func;
	int			depth;
};

/**
 * struct ftrace_graph_ret - a function returns
 * @func: its call site
 * @retval: content of its first return register, whether it returns a value or not
 * @depth: as at the entry
 * @overrun: number of calls of the task that were not seen because its shadow stack was full
 * @calltime: time before the entry was recorded, or when it was accepted; ns, trace_clock_local()
 * @rettime: time of the return
 */
struct ftrace_graph_ret {
	unsigned long		func;
	unsigned long		retval;
	int			depth;
	unsigned int		overrun;
	unsigned long long	calltime;
	unsigned long long	rettime;
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * struct fgraph_ops - one user of function graph
 * @entryfunc: called at the entry of functions; returns not 0 to accept the call
 * @retfunc: called at the return of each call that @entryfunc has accepted
 * @ops: the functions: see ftrace_set_filter()
 * @private: data of the owner
 * @saved_func: data of the owner
 * @idx: for fgraph_reserve_data() and fgraph_retrieve_data(); set when it is registered
 * @serial: users that were registered earlier have smaller numbers; set when it is registered
 *
 * Both functions run in the context of the traced function, which may be any, NMI and idle
 * included, but with preemption off. The functions that they call may be traced: then they are
 * called for these functions, but not for the functions that these call.
 */
struct fgraph_ops {
	trace_func_graph_ent_t	entryfunc;
	trace_func_graph_ret_t	retfunc;
	struct ftrace_ops	ops;
	void			*private;
	trace_func_graph_ent_t	saved_func;
	int			idx;
	u32			serial;
};

/**
 * struct ftrace_ret_stack - a call whose return a user waits for
 * @ret: address that it was called from, and will return to
 * @func: its call site
 * @fp: tells it from other calls of the task that are under way; defined by the architecture
 * @calltime: as in struct ftrace_graph_ret
 * @serial: &fgraph_ops.serial of the newest of its users
 * @below: place in the shadow stack of the next older call; 0: none
 * @depth: as in struct ftrace_graph_ent
 * @users: the users that accepted it, a bit for each fgraph_ops::idx; 0 as soon as they are told of
 *	the return
 * @size: size of this structure and the users' data that follow it
 * @unused: aligns the data that follow
 */
struct ftrace_ret_stack {
	unsigned long		ret;
	unsigned long		func;
	unsigned long		fp;
	unsigned long long	calltime;
	u32			serial;
	u16			below;
	u16			depth;
	u16			users;
	u16			size;
	u32			unused;
};

int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
void ftrace_graph_stop(void);
bool ftrace_graph_is_dead(void);
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);

void *fgraph_reserve_data(int idx, int size_bytes);
void *fgraph_retrieve_data(int idx, int *size_bytes);
void *fgraph_retrieve_parent_data(int idx, int *size_bytes, int depth);
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops);

struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int skip);
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp);

void ftrace_graph_init_task(struct task_struct *t);
void ftrace_graph_exit_task(struct task_struct *t);

/*
 * Idle tasks are forked like other tasks, except the first one; see
 * kernel/trace/ftrace/graph_tasks.c.
 */
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }

/* Entries of functions by this task are not seen between these two; returns are. */
static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

static inline void unpause_graph_tracing(void)
{
	atomic_dec(&current->tracing_graph_pause);
}

/* Architectures use these: the return address of accepted calls, and the function that it calls. */
void return_to_handler(void);
unsigned long ftrace_return_to_handler(struct ftrace_regs *fregs);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

static inline void ftrace_graph_init_task(struct task_struct *t) { }
static inline void ftrace_graph_exit_task(struct task_struct *t) { }
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }
static inline void ftrace_graph_stop(void) { }
static inline void pause_graph_tracing(void) { }
static inline void unpause_graph_tracing(void) { }

static inline unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
						  unsigned long ret, unsigned long *retp)
{
	return ret;
}

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _LINUX_FTRACE_GRAPH_H */
