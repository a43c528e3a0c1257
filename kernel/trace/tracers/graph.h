/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function_graph tracer: declarations that its files share. graph.c has the tracer and its
 * options, graph_record.c the callbacks, graph_files.c the control files.
 */
#ifndef _TRACE_TRACERS_GRAPH_H
#define _TRACE_TRACERS_GRAPH_H

#include <linux/ftrace.h>
#include <linux/list.h>

struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/**
 * enum graph_mode - which calls are recorded; depends on tracing_thresh and the options
 * @GRAPH_ALL: each call and each return
 * @GRAPH_LONG_RETURNS: returns of calls that took at least tracing_thresh
 * @GRAPH_LONG_WHOLE: the same returns, their calls, and the callers of these
 */
enum graph_mode {
	GRAPH_ALL,
	GRAPH_LONG_RETURNS,
	GRAPH_LONG_WHOLE
};

/**
 * struct graph_tracer - function_graph in an instance
 * @gops: its callbacks and filter
 * @tr: the instance
 * @list: entry in the list of instances that run the tracer
 * @irqs: functions called by interrupts are recorded
 * @pids: set_ftrace_pid excludes some tasks
 * @whole: option funcgraph-whole is on
 * @mode: which calls are recorded; fixed when the tracer is started
 * @parts: optional parts of a call that are recorded: BIT() of enum graph_part
 * @max_depth: copy of graph_max_depth, in a cache line that the callbacks use anyway
 */
struct graph_tracer {
	struct fgraph_ops	gops;
	struct trace_array	*tr;
	struct list_head	list;
	bool			irqs;
	bool			pids;
	bool			whole;
	enum graph_mode		mode;
	unsigned int		parts;
	unsigned int		max_depth;
};
#endif

/* Calls at this depth or deeper are not recorded; 0: no limit. */
extern unsigned int graph_max_depth;

struct graph_tracer;

/* graph_record.c */
void graph_choose(struct graph_tracer *graph);
bool graph_call_in(struct trace_array *tr, struct ftrace_graph_ent *trace,
		   struct fgraph_ops *gops);
bool graph_skip_call_in(struct trace_array *tr, const struct ftrace_graph_ent *trace,
			struct fgraph_ops *gops);
void graph_return_in(struct trace_array *tr, const struct ftrace_graph_ret *trace,
		     struct fgraph_ops *gops);
void graph_skip_return(const struct ftrace_graph_ret *trace, struct fgraph_ops *gops);
void graph_record_place_in(struct trace_array *tr, unsigned long ip, unsigned int context);

/* graph.c */
void graph_choose_all(void);

#endif /* _TRACE_TRACERS_GRAPH_H */
