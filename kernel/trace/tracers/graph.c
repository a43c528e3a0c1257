// SPDX-License-Identifier: GPL-2.0
/*
 * The function_graph tracer: records calls of functions and their returns, and shows a graph.
 *
 * It records functions of the instance's set_ftrace_filter for tasks of set_ftrace_pid, as the
 * function tracer does. set_graph_function, set_graph_notrace, max_graph_depth and tracing_thresh
 * apply to all instances.
 */
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "../core/saved_cmdlines.h"
#include "../core/entries.h"
#include "../core/instance.h"
#include "../core/tracer.h"
#include "../ftrace/ftrace.h"
#include "../output/output.h"
#include "graph.h"
#include "profile.h"
#include "tracers.h"

/* Options that follow those of enum graph_option. */
enum {
	OPTION_WHOLE = GRAPH_SHOWN_OPTIONS,
	OPTION_SLEEP_TIME,
	OPTION_GRAPH_TIME,
};

/* Protects the list of instances that run the tracer, and their callbacks. Inside of tr->lock. */
static DEFINE_MUTEX(graph_lock);
static LIST_HEAD(graph_running);

/* Number of instances without option sleep-time. If it is not 0, sleep time counts in none. */
static unsigned int graph_no_sleep;

static struct graph_tracer *graph_of(struct trace_array *tr)
{
	return tracer_data(tr, &graph_tracer);
}

static void graph_choose_locked(struct graph_tracer *graph)
{
	guard(mutex)(&graph_lock);
	graph_choose(graph);
}

/**
 * graph_choose_all - choose the callbacks of all instances after a setting of all has changed
 *
 * Context: may sleep.
 */
void graph_choose_all(void)
{
	struct graph_tracer *graph;

	guard(mutex)(&graph_lock);
	list_for_each_entry(graph, &graph_running, list)
		graph_choose(graph);
}

/**
 * graph_pids_changed - choose the callbacks when set_ftrace_pid is first set, or cleared
 * @tr: the instance; its lock is held
 *
 * Context: may sleep, tr->lock held.
 */
void graph_pids_changed(struct trace_array *tr)
{
	struct graph_tracer *graph = graph_of(tr);

	if (!graph)
		return;
	WRITE_ONCE(graph->pids, trace_pids_active(&tr->function_pids));
	graph_choose_locked(graph);
}

static int graph_irqs_change(struct trace_array *tr, bool on)
{
	struct graph_tracer *graph = graph_of(tr);

	graph->irqs = on;
	graph_choose_locked(graph);
	return 0;
}

/* A call that is being executed keeps the parts that it was recorded with. */
static int graph_part_change(struct trace_array *tr, enum graph_part part, bool on)
{
	struct graph_tracer *graph = graph_of(tr);

	WRITE_ONCE(graph->parts, on ? graph->parts | part : graph->parts & ~part);
	graph_choose_locked(graph);
	return 0;
}

static int __maybe_unused graph_retaddr_change(struct trace_array *tr, bool on)
{
	return graph_part_change(tr, GRAPH_PART_RETADDR, on);
}

static int __maybe_unused graph_args_change(struct trace_array *tr, bool on)
{
	return graph_part_change(tr, GRAPH_PART_ARGS, on);
}

static enum graph_mode graph_mode_now(const struct graph_tracer *graph)
{
	if (!READ_ONCE(tracing_thresh))
		return GRAPH_ALL;
	return graph->whole ? GRAPH_LONG_WHOLE : GRAPH_LONG_RETURNS;
}

/*
 * Each mode has its own callbacks. They cannot use entries that the callbacks of the old mode have
 * recorded of calls that are being executed, or data that these have stored with the calls.
 */
static void graph_mode_change(struct graph_tracer *graph)
{
	enum graph_mode mode;

	guard(mutex)(&graph_lock);
	mode = graph_mode_now(graph);
	if (list_empty(&graph->list) || graph->mode == mode)
		return;
	WRITE_ONCE(graph->gops.entryfunc, ftrace_graph_entry_stub);
	ftrace_graph_forget_calls(&graph->gops);
	graph->mode = mode;
	graph_choose(graph);
}

static int graph_whole_change(struct trace_array *tr, bool on)
{
	struct graph_tracer *graph = graph_of(tr);

	graph->whole = on;
	graph_mode_change(graph);
	return 0;
}

static int graph_sleep_time_change(struct trace_array *tr, bool on)
{
	unsigned int no_sleep;
	int err;

	guard(mutex)(&graph_lock);
	no_sleep = graph_no_sleep + (on ? -1 : 1);
	err = ftrace_graph_sleep_time_control(!no_sleep);
	if (!err)
		graph_no_sleep = no_sleep;
	return err;
}

static int __maybe_unused graph_time_change(struct trace_array *tr, bool on)
{
	/* One profile is shared by all instances: only the option of the top instance sets it. */
	if (!tr->name)
		profile_graph_time(on);
	return 0;
}

static const struct trace_option graph_options[] = {
	[GRAPH_OVERRUN]		= { .name = "funcgraph-overrun" },
	[GRAPH_CPU]		= { .name = "funcgraph-cpu", .on = true },
	[GRAPH_OVERHEAD]	= { .name = "funcgraph-overhead", .on = true },
	[GRAPH_PROC]		= { .name = "funcgraph-proc" },
	[GRAPH_DURATION]	= { .name = "funcgraph-duration", .on = true },
	[GRAPH_ABSTIME]		= { .name = "funcgraph-abstime" },
	[GRAPH_IRQS]		= {
		.name = "funcgraph-irqs", .on = true, .change = graph_irqs_change,
	},
	[GRAPH_TAIL]		= { .name = "funcgraph-tail" },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	[GRAPH_RETVAL]		= { .name = "funcgraph-retval" },
	[GRAPH_RETVAL_HEX]	= { .name = "funcgraph-retval-hex" },
#endif
#ifdef CONFIG_FUNCTION_GRAPH_RETADDR
	[GRAPH_RETADDR]		= {
		.name = "funcgraph-retaddr", .change = graph_retaddr_change,
	},
#endif
#ifdef CONFIG_FUNCTION_TRACE_ARGS
	[GRAPH_ARGS]		= {
		.name = "funcgraph-args", .change = graph_args_change,
	},
#endif
	[OPTION_WHOLE]		= { .name = "funcgraph-whole", .change = graph_whole_change },
	[OPTION_SLEEP_TIME]	= {
		.name = "sleep-time", .on = true, .change = graph_sleep_time_change,
	},
#ifdef CONFIG_FUNCTION_PROFILER
	[OPTION_GRAPH_TIME]	= {
		.name = "graph-time", .on = true, .change = graph_time_change,
	},
#endif
};

static void graph_reset(struct trace_array *tr)
{
	struct graph_tracer *graph = graph_of(tr);

	unregister_ftrace_graph(&graph->gops);
	scoped_guard(mutex, &graph_lock)
		list_del_init(&graph->list);
	trace_comm_record_stop();
}

static int graph_init(struct trace_array *tr)
{
	struct graph_tracer *graph = graph_of(tr);
	int err;

	/* Apply the files' contents again: memory may have been short at the first time. */
	err = ftrace_graph_select();
	if (!err)
		err = ftrace_ops_share_filter(&graph->gops.ops, function_tracer_ops(tr));
	if (err)
		return err;
	trace_comm_record_start();
	scoped_guard(mutex, &graph_lock) {
		graph->mode = graph_mode_now(graph);
		graph_choose(graph);
		list_add(&graph->list, &graph_running);
	}
	err = register_ftrace_graph(&graph->gops);
	if (err)
		graph_reset(tr);
	return err;
}

static void graph_thresh_change(struct trace_array *tr)
{
	graph_mode_change(graph_of(tr));
}

static int graph_attach(struct trace_array *tr, struct tracer_state *state)
{
	struct graph_tracer *graph = kzalloc(sizeof(*graph), GFP_KERNEL);

	if (!graph)
		return -ENOMEM;
	graph->tr = tr;
	INIT_LIST_HEAD(&graph->list);
	graph->irqs = true;
	graph->pids = trace_pids_active(&tr->function_pids);
	graph->gops.private = graph;
	state->data = graph;
	return 0;
}

/* The filter belongs to the function tracer, and is not freed. */
static void graph_detach(struct trace_array *tr, struct tracer_state *state)
{
	if (!(state->options & BIT(OPTION_SLEEP_TIME)))
		graph_sleep_time_change(tr, true);
	kfree(state->data);
}

struct tracer graph_tracer = {
	.name		= "function_graph",
	.options	= graph_options,
	.nr_options	= ARRAY_SIZE(graph_options),
	.attach		= graph_attach,
	.detach		= graph_detach,
	.init		= graph_init,
	.reset		= graph_reset,
	.thresh		= graph_thresh_change,
	.open		= trace_graph_open,
	.close		= trace_graph_close,
	.print_header	= trace_graph_header,
	.print_line	= trace_graph_line,
};

static u64 graph_options_on(struct trace_array *tr)
{
	struct tracer_state *state = READ_ONCE(tr->current_tracer);

	if (state->tracer != &graph_tracer)
		state = trace_array_find_tracer(tr, graph_tracer.name);
	return state ? READ_ONCE(state->options) : 0;
}

/**
 * graph_tracer_setup - select the functions that boot parameters name
 *
 * It also sets the hook by which printers of graphs get the options.
 *
 * Context: early boot, before the tracer is registered.
 * Return: 0.
 */
int __init graph_tracer_setup(void)
{
	trace_graph_options_hook = graph_options_on;
	ftrace_graph_boot_select();
	return 0;
}
