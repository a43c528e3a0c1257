/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graph: callbacks at the entry of functions and at their return.
 *
 * An entry that somebody accepts makes the function return to return_to_handler, which
 * calls who accepted it and goes on to where the function should have returned. Where that
 * is, the task's shadow stack remembers: kernel/trace/ftrace/graph.c.
 */
#ifndef _LINUX_FTRACE_GRAPH_H
#define _LINUX_FTRACE_GRAPH_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/sched.h>

/* Not for function graph: what returns on another task's stack than it was called on. */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#define __notrace_funcgraph	notrace
#else
#define __notrace_funcgraph
#endif

struct fgraph_ops;
struct ftrace_graph_ent;
struct ftrace_graph_ret;

/* What is called at the entry, and whether it accepts; what is called at the return. */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);

/**
 * struct ftrace_graph_ent - a function is entered
 * @func: its call site
 * @depth: how many calls of the task that somebody accepted are under way
 */
struct ftrace_graph_ent {
	unsigned long		func;
	int			depth;
};

/**
 * struct ftrace_graph_ret - a function returns
 * @func: its call site
 * @retval: what its first return register holds, whether it returns anything or not
 * @depth: as at the entry
 * @overrun: how many calls of the task have not been seen, as it was too deep in others
 * @calltime: when its entry had been accepted, in ns of trace_clock_local()
 * @rettime: when it returned
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
 * @entryfunc: called at the entry of functions; says if it wants the return
 * @retfunc: called at the return of the calls for which @entryfunc did not say 0
 * @ops: which functions: see ftrace_set_filter()
 * @private: the owner's
 * @saved_func: the owner's
 * @idx: for fgraph_reserve_data() and fgraph_retrieve_data(); set when it is registered
 * @serial: which users are older; set when it is registered
 *
 * Both functions run in the context of the traced function, which may be any, NMI and idle
 * included, but with preemption off. What they call may be traced: they are called for
 * it, but not for what they call then.
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
 * struct ftrace_ret_stack - a call whose return is waited for
 * @ret: where it was called from, and will return to
 * @func: its call site
 * @fp: of the task's calls under way, this one; the architecture says how
 * @calltime: as in struct ftrace_graph_ret
 * @serial: of the youngest of its users
 * @below: where in the shadow stack the next older call is; 0: nowhere
 * @depth: as in struct ftrace_graph_ent
 * @users: who accepted it, a bit for each fgraph_ops::idx; 0 from when these are told of the return
 * @size: of this, with the users' data that follows
 * @unused: so that what follows is aligned
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

/* Forked like others, but for the first one; see kernel/trace/ftrace/graph_tasks.c. */
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }

/* Between these, entries of functions by this task are not seen; returns are. */
static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

static inline void unpause_graph_tracing(void)
{
	atomic_dec(&current->tracing_graph_pause);
}

/* For architectures: where diverted functions return to, and what that calls. */
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
