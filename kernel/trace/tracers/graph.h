/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function_graph tracer: what its files share. graph.c is the tracer and its options,
 * graph_record.c what is called with the functions, graph_files.c its control files.
 */
#ifndef _TRACE_TRACERS_GRAPH_H
#define _TRACE_TRACERS_GRAPH_H

#include <linux/ftrace.h>
#include <linux/list.h>

struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/**
 * enum graph_mode - what is recorded of calls, as tracing_thresh and the options have it
 * @GRAPH_ALL: each call and each return
 * @GRAPH_LONG_RETURNS: returns of calls that took as long as tracing_thresh
 * @GRAPH_LONG_WHOLE: the same, and these calls with their callers
 */
enum graph_mode {
	GRAPH_ALL,
	GRAPH_LONG_RETURNS,
	GRAPH_LONG_WHOLE
};

/**
 * struct graph_tracer - function_graph in an instance
 * @gops: its functions
 * @tr: the instance
 * @list: among those that run
 * @irqs: interrupts' functions are recorded
 * @pids: not those of all tasks
 * @whole: option funcgraph-whole
 * @mode: what is recorded, from when the tracer was started
 * @parts: what else is recorded of calls: enum graph_part
 * @max_depth: graph_max_depth, closer by
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

/* No deeper calls are recorded; 0: there is no limit. */
extern unsigned int graph_max_depth;

struct graph_tracer;

/* graph_record.c */
void graph_choose(struct graph_tracer *graph);
bool graph_call_in(struct trace_array *tr, const struct ftrace_graph_ent *trace,
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
