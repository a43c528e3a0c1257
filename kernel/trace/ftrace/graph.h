/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graph: graph.c, graph_tasks.c, graph_select.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_GRAPH_H
#define _KERNEL_TRACE_FTRACE_GRAPH_H

#include <linux/ftrace.h>
#include <linux/sched.h>

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void ftrace_graph_enter_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs);
void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *const *ops,
			unsigned int nr, struct ftrace_regs *fregs);

/* graph_tasks.c */
void ftrace_graph_each_task(void (*work)(struct task_struct *task, void *data), void *data);
void ftrace_graph_ask_for_stack(void);
int ftrace_graph_want_stacks(int idx);
void ftrace_graph_clear_vars(int idx);
void ftrace_graph_no_stacks(void);
#else
static inline void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip,
				      struct ftrace_ops *const *ops, unsigned int nr,
				      struct ftrace_regs *fregs) { }
#endif

/* graph_select.c */
#if defined(CONFIG_FUNCTION_GRAPH_TRACER) && defined(CONFIG_DYNAMIC_FTRACE)
void ftrace_graph_forget(unsigned long start, unsigned long end);
#else
static inline void ftrace_graph_forget(unsigned long start, unsigned long end) { }
#endif

#endif /* _KERNEL_TRACE_FTRACE_GRAPH_H */
