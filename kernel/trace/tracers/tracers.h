/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracers that others know: nop, which an instance runs when it runs no other,
 * and those that can be on before initcalls run, for ftrace= on the command line.
 * The others register themselves.
 */
#ifndef _TRACE_TRACERS_H
#define _TRACE_TRACERS_H

#include <linux/types.h>

struct tracer;

extern struct tracer nop_tracer;

struct ftrace_ops;
struct trace_array;

#ifdef CONFIG_FUNCTION_TRACER
struct ftrace_ops *function_tracer_ops(struct trace_array *tr);
void function_tracer_init(void);
#else
static inline void function_tracer_init(void) { }
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void graph_pids_changed(struct trace_array *tr);
bool graph_selects_functions(void);
void graph_tracer_init(void);
#else
static inline void graph_pids_changed(struct trace_array *tr) { }
static inline bool graph_selects_functions(void) { return false; }
static inline void graph_tracer_init(void) { }
#endif

#endif /* _TRACE_TRACERS_H */
