// SPDX-License-Identifier: GPL-2.0
/*
 * What the latency tracers share: see latency.h.
 */
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../core/saved_cmdlines.h"
#include "../core/instance.h"
#include "../core/record.h"
#include "../core/tracer.h"
#include "../output/output.h"
#include "../ring_buffer/reserve.h"
#include "graph.h"
#include "latency.h"

static bool latency_is_graph(const struct trace_array *tr)
{
	return IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) &&
	       trace_option(tr, TRACE_OPT_DISPLAY_GRAPH);
}

/**
 * latency_record_call - record a call of a function
 * @tr: the instance
 * @ip: the place
 * @parent_ip: who called that
 * @context: from trace_context()
 * @ts: when, from ring_buffer_fast_time_stamp(); a graph's entries have a time of their own
 *
 * Also for where something begins or ends, which is shown as if it were one.
 *
 * Context: any, with preemption or interrupts off.
 */
void latency_record_call(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			 unsigned int context, u64 ts)
{
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);
	struct ring_buffer_claim claim;
	struct function_entry *entry;

	if (latency_is_graph(tr)) {
		graph_record_place_in(tr, ip, context);
		return;
	}
	entry = ring_buffer_fast_reserve_at(buffer, sizeof(*entry), ts, &claim);
	if (!entry)
		return;
	trace_entry_init(&entry->ent, TRACE_FN, context);
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_export(entry, sizeof(*entry), TRACE_EXPORT_KIND_FUNCTION);
	current->trace_recursion |= TRACE_TASK_RECORDED;
	ring_buffer_fast_commit(&claim);
}

/*
 * What readers of a graph do: the tracers' members of the same name.
 */

/**
 * latency_open - a reader begins
 * @iter: the reader; gets what a graph needs, if the option display-graph says so
 *
 * Context: may sleep.
 */
void latency_open(struct trace_iterator *iter)
{
	if (latency_is_graph(iter->tr))
		trace_graph_open(iter);
}

/**
 * latency_close - it ends
 * @iter: the reader, whether or not it has what a graph needs
 *
 * Context: may sleep.
 */
void latency_close(struct trace_iterator *iter)
{
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		trace_graph_close(iter);
}

/**
 * latency_print_header - print the header of `trace`
 * @m: where to; its private member is the iterator
 *
 * Context: may sleep.
 */
void latency_print_header(struct seq_file *m)
{
	struct trace_iterator *iter = m->private;

	if (latency_is_graph(iter->tr))
		trace_graph_header(m);
	else
		trace_default_header(m);
}

/**
 * latency_print_line - print an entry, as part of a graph if the option says so
 * @iter: where to, and the entry
 *
 * Context: as trace_graph_line().
 * Return: as that; TRACE_TYPE_UNHANDLED if it is no graph.
 */
enum print_line_t latency_print_line(struct trace_iterator *iter)
{
	return latency_is_graph(iter->tr) ? trace_graph_line(iter) : TRACE_TYPE_UNHANDLED;
}

/* As these tracers want their instance's options. */
#define OPTIONS_WANTED	(BIT_ULL(TRACE_OPT_OVERWRITE) | BIT_ULL(TRACE_OPT_LATENCY_FORMAT))

static void set_options(struct trace_array *tr, u64 options)
{
	trace_option_set(tr, TRACE_OPT_OVERWRITE, options & BIT_ULL(TRACE_OPT_OVERWRITE));
	trace_option_set(tr, TRACE_OPT_LATENCY_FORMAT,
			 options & BIT_ULL(TRACE_OPT_LATENCY_FORMAT));
}

/**
 * latency_tracer_begin - get ready to measure
 * @lat: the tracer; @lat->measures is set
 * @tr: in which instance; its lock is held
 *
 * May sleep.
 *
 * Return: 0, or -errno; then a snapshot and tracing_max_latency may be gone.
 */
int latency_tracer_begin(struct latency_tracer *lat, struct trace_array *tr)
{
	int err = trace_latency_begin(tr);

	if (err)
		return err;
	lat->tr = tr;
	trace_comm_record_start();
	err = latency_functions(lat, trace_option(tr, TRACE_OPT_FUNCTION_TRACE),
				trace_option(tr, TRACE_OPT_DISPLAY_GRAPH));
	if (err) {
		trace_comm_record_stop();
		trace_latency_end(tr);
		return err;
	}
	lat->options = tr->options;
	set_options(tr, OPTIONS_WANTED);
	return 0;
}

/**
 * latency_tracer_functions - other functions are recorded, or otherwise
 * @lat: the tracer; the instance's lock is held
 * @functions: what the option function-trace is going to be
 * @graph: and display-graph; when it changes what was recorded is forgotten, once the
 *	option is what it is going to be
 *
 * May sleep.
 *
 * Return: 0, or -errno as latency_functions() says.
 */
int latency_tracer_functions(struct latency_tracer *lat, bool functions, bool graph)
{
	int err = latency_functions(lat, functions, graph);

	if (err || graph == trace_option(lat->tr, TRACE_OPT_DISPLAY_GRAPH))
		return err;
	/* First: what is kept from now on is shown in the new way. */
	trace_option_write(lat->tr, TRACE_OPT_DISPLAY_GRAPH, graph);
	trace_latency_restart(lat->tr);
	return 0;
}

/**
 * latency_tracer_end - the opposite
 * @lat: the tracer, which does not measure any more; the instance's lock is held
 *
 * May sleep.
 */
void latency_tracer_end(struct latency_tracer *lat)
{
	latency_functions(lat, false, false);
	trace_comm_record_stop();
	trace_latency_end(lat->tr);
	set_options(lat->tr, lat->options);
}
