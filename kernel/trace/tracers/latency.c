// SPDX-License-Identifier: GPL-2.0
/*
 * Code that the latency tracers share: see latency.h.
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
 * latency_record_call - record a call of a function, or the begin or end of a section
 * @tr: the instance
 * @ip: address in the code
 * @parent_ip: address in the caller
 * @context: from trace_context()
 * @ts: time from ring_buffer_fast_time_stamp(); an entry of a graph has its own time instead
 *
 * The begin and the end of a section are shown as if they were calls.
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
 * Printing graphs: these functions are the members of struct tracer with the same name.
 */

/**
 * latency_open - allocate the state of a reader
 * @iter: the reader; gets the state of a graph's reader if option display-graph is on
 *
 * Context: may sleep.
 */
void latency_open(struct trace_iterator *iter)
{
	if (latency_is_graph(iter->tr))
		trace_graph_open(iter);
}

/**
 * latency_close - free the state of a reader
 * @iter: the reader, with or without the state of a graph's reader
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
 * @m: output; its private member is the iterator
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
 * latency_print_line - print an entry as part of a graph if option display-graph is on
 * @iter: the iterator, with an entry loaded; prints to its seq
 *
 * Context: as trace_graph_line().
 * Return: as trace_graph_line(); TRACE_TYPE_UNHANDLED if the option is off.
 */
enum print_line_t latency_print_line(struct trace_iterator *iter)
{
	return latency_is_graph(iter->tr) ? trace_graph_line(iter) : TRACE_TYPE_UNHANDLED;
}

/* Set those options that the tracer needs to their values in @options. */
static void latency_set_options(struct latency_tracer *lat, u64 options)
{
	enum trace_option_number nr;

	for (nr = 0; nr < TRACE_NR_OPTIONS; nr++)
		if (lat->needs & BIT_ULL(nr))
			trace_option_set(lat->tr, nr, options & BIT_ULL(nr));
}

/**
 * latency_tracer_begin - prepare for measuring
 * @lat: the tracer; @lat->measures and @lat->needs are set
 * @tr: the instance that runs it; its lock is held
 *
 * Context: may sleep, tr->lock held.
 * Return: 0, or -errno. After an error, the snapshot and tracing_max_latency may be lost.
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
	latency_set_options(lat, lat->needs);
	return 0;
}

/**
 * latency_tracer_functions - change the options function-trace and display-graph
 * @lat: the tracer; the instance's lock is held
 * @functions: the new value of option function-trace
 * @graph: the new value of option display-graph; if it changes, what was recorded is cleared,
 *	after the option has the new value
 *
 * Context: may sleep.
 * Return: 0, or -errno of latency_functions().
 */
int latency_tracer_functions(struct latency_tracer *lat, bool functions, bool graph)
{
	int err = latency_functions(lat, functions, graph);

	if (err || graph == trace_option(lat->tr, TRACE_OPT_DISPLAY_GRAPH))
		return err;
	/* Set the option first: what is kept from now on is shown in the new format. */
	trace_option_write(lat->tr, TRACE_OPT_DISPLAY_GRAPH, graph);
	trace_latency_restart(lat->tr);
	return 0;
}

/**
 * latency_tracer_end - undo latency_tracer_begin()
 * @lat: the tracer, which does not measure any more; the instance's lock is held
 *
 * Context: may sleep.
 */
void latency_tracer_end(struct latency_tracer *lat)
{
	latency_functions(lat, false, false);
	trace_comm_record_stop();
	trace_latency_end(lat->tr);
	latency_set_options(lat, lat->options);
}
