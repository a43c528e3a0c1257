/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the latency tracers share. The tracers measure sections, and record functions,
 * or calls and returns, during a section. core/latency.h keeps the longest section.
 */
#ifndef _TRACE_TRACERS_LATENCY_H
#define _TRACE_TRACERS_LATENCY_H

#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>

#include "../core/tracer.h"

struct trace_array;

/* How functions are recorded. */
enum latency_calls {
	LATENCY_NO_CALLS,
	LATENCY_CALLS,
	LATENCY_GRAPH,
};

/*
 * Define a latency tracer. Of tracers that measure in the same way, one runs at a time: they share
 * the functions @way_begin(), which gets @kind, @way_end() and @way_functions().
 */
#define LATENCY_TRACER(what, way, kind)			\
	static int what##_init(struct trace_array *tr)	\
	{						\
		return way##_begin(tr, kind);		\
	}						\
	struct tracer what##_tracer = {			\
		.name		= #what,		\
		.latency	= true,			\
		.init		= what##_init,		\
		.reset		= way##_end,		\
		.functions	= way##_functions,	\
		.open		= latency_open,		\
		.close		= latency_close,	\
		.print_header	= latency_print_header,	\
		.print_line	= latency_print_line,	\
	}

/* Options that all latency tracers need: the newest entries, and times from the first entry on. */
#define LATENCY_TRACER_NEEDS	(BIT_ULL(TRACE_OPT_OVERWRITE) | BIT_ULL(TRACE_OPT_LATENCY_FORMAT))

/**
 * struct latency_tracer - a latency tracer; at first all zero except @measures and @needs
 * @tr: the instance that runs it
 * @measures: for each CPU: functions on this CPU belong to the section that is measured
 * @needs: bit n: option n of enum trace_option_number is set while the tracer runs
 * @calls: how functions are recorded
 * @ops: callback and filter for functions
 * @gops: callbacks and filter for calls and returns
 * @options: the instance's options before the tracer began
 */
struct latency_tracer {
	struct trace_array	*tr;
	bool __percpu		*measures;
	u64			needs;
	enum latency_calls	calls;
#ifdef CONFIG_FUNCTION_TRACER
	struct ftrace_ops	ops;
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	struct fgraph_ops	gops;
#endif
	u64			options;
};

struct seq_file;
struct trace_iterator;

void latency_open(struct trace_iterator *iter);
void latency_close(struct trace_iterator *iter);
void latency_print_header(struct seq_file *m);
enum print_line_t latency_print_line(struct trace_iterator *iter);

int latency_tracer_begin(struct latency_tracer *lat, struct trace_array *tr);
int latency_tracer_functions(struct latency_tracer *lat, bool functions, bool graph);
void latency_tracer_end(struct latency_tracer *lat);
void latency_record_call(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			 unsigned int context, u64 ts);

/* latency_functions.c */
#ifdef CONFIG_FUNCTION_TRACER
int latency_functions(struct latency_tracer *lat, bool functions, bool graph);
#else
static inline int latency_functions(struct latency_tracer *lat, bool functions, bool graph)
{
	return 0;
}
#endif

#endif /* _TRACE_TRACERS_LATENCY_H */
