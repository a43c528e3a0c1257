// SPDX-License-Identifier: GPL-2.0
/*
 * Recording functions, or calls and returns, in sections of a latency tracer: the options
 * function-trace and display-graph. set_ftrace_filter selects the functions, set_ftrace_pid the
 * tasks; a graph has the functions that function_graph would record.
 */
#include <linux/percpu.h>

#include "../core/instance.h"
#include "../core/pids.h"
#include "../core/record.h"
#include "../ftrace/ftrace.h"
#include "../ring_buffer/reserve.h"
#include "graph.h"
#include "latency.h"
#include "tracers.h"

static void latency_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			 struct ftrace_regs *fregs)
{
	const struct latency_tracer *lat = ops->private;
	int bit;

	if (!raw_cpu_read(*lat->measures) || !trace_pids_allow(&lat->tr->function_pids))
		return;
	bit = trace_recursion_enter(TRACE_RECURSION_OPS);
	if (bit < 0)
		return;
	latency_record_call(lat->tr, ip, parent_ip, trace_context(ftrace_preempt_count()),
			    ring_buffer_fast_time_stamp(lat->tr->array_buffer.buffer));
	trace_recursion_leave(bit);
}

static int begin_calls(struct latency_tracer *lat)
{
	lat->ops.func = latency_call;
	lat->ops.private = lat;
	return ftrace_ops_share_filter(&lat->ops, function_tracer_ops(lat->tr)) ?:
	       register_ftrace_function(&lat->ops);
}

static void end_calls(struct latency_tracer *lat)
{
	unregister_ftrace_function(&lat->ops);
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

static int latency_graph_call(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	const struct latency_tracer *lat = gops->private;

	if (!raw_cpu_read(*lat->measures))
		return graph_skip_call_in(lat->tr, trace, gops);
	return graph_call_in(lat->tr, trace, gops);
}

/* The function may have been called in an earlier section. */
static void latency_graph_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	const struct latency_tracer *lat = gops->private;

	if (raw_cpu_read(*lat->measures))
		graph_return_in(lat->tr, trace, gops);
	else
		graph_skip_return(trace, gops);
}

static int begin_graph(struct latency_tracer *lat)
{
	lat->gops.entryfunc = latency_graph_call;
	lat->gops.retfunc = latency_graph_return;
	lat->gops.private = lat;
	return ftrace_ops_share_filter(&lat->gops.ops, function_tracer_ops(lat->tr)) ?:
	       register_ftrace_graph(&lat->gops);
}

static void end_graph(struct latency_tracer *lat)
{
	unregister_ftrace_graph(&lat->gops);
}

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

static const struct latency_recording {
	int	(*begin)(struct latency_tracer *lat);
	void	(*end)(struct latency_tracer *lat);
} recordings[] = {
	[LATENCY_CALLS]		= { begin_calls, end_calls },
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	[LATENCY_GRAPH]		= { begin_graph, end_graph },
#endif
};

/**
 * latency_functions - change how functions are recorded
 * @lat: the tracer; the instance's lock is held
 * @functions: record functions: option function-trace
 * @graph: record their returns, too: option display-graph
 *
 * Context: may sleep.
 * Return: 0, or -errno. After an error, functions are recorded as before; if memory is short for
 * that, none are recorded.
 */
int latency_functions(struct latency_tracer *lat, bool functions, bool graph)
{
	enum latency_calls calls = LATENCY_NO_CALLS, before = lat->calls;
	int err;

	if (functions)
		calls = graph && IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) ? LATENCY_GRAPH :
									     LATENCY_CALLS;
	if (calls == before)
		return 0;
	if (before != LATENCY_NO_CALLS)
		recordings[before].end(lat);
	err = calls == LATENCY_NO_CALLS ? 0 : recordings[calls].begin(lat);
	if (!err)
		lat->calls = calls;
	else if (before != LATENCY_NO_CALLS && recordings[before].begin(lat))
		lat->calls = LATENCY_NO_CALLS;
	return err;
}
