/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graph: graph.c, graph_tasks.c, graph_select.c. All of this needs
 * CONFIG_FUNCTION_GRAPH_TRACER.
 */
#ifndef _KERNEL_TRACE_FTRACE_GRAPH_H
#define _KERNEL_TRACE_FTRACE_GRAPH_H

#include <linux/ftrace.h>
#include <linux/sched.h>

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

/* graph_select.c */
void ftrace_graph_forget(unsigned long start, unsigned long end);

#endif /* _KERNEL_TRACE_FTRACE_GRAPH_H */
