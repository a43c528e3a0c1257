// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler with function graph: it counts calls, and how long they take.
 *
 * A task's word (fgraph_get_task_var()) is the total time of its calls that have returned. A call
 * that returns adds its time, less the times that the calls which it made have added. The call
 * keeps the value that the word had at its entry, so the difference is the time of the calls that
 * it made. Calls by an interrupt count as made by the call that it interrupted: they may be added
 * between any two steps here.
 */
#include <linux/atomic.h>
#include <linux/math64.h>
#include <linux/seq_file.h>

#include "../ftrace/ftrace.h"
#include "../output/output.h"
#include "profile.h"
#include "profile_squares.h"

/* Option graph-time: the time of a call includes the time of the calls that it makes. */
static bool profile_whole_time = true;

static atomic_long_t *profile_total(struct fgraph_ops *gops)
{
	return (atomic_long_t *)fgraph_get_task_var(gops);
}

static int profile_enter(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	unsigned long *before;

	atomic_long_inc(&profile_counter(trace->func)->hits);
	before = fgraph_reserve_data(gops->idx, sizeof(*before));
	if (!before)
		return 0;
	*before = atomic_long_read(profile_total(gops));
	return 1;
}

static void profile_leave(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct profile_counter *counter = profile_counter(trace->func);
	u64 time = trace->rettime - trace->calltime, own;
	atomic_long_t *total = profile_total(gops);
	unsigned long *before, callees;
	int size;

	before = fgraph_retrieve_data(gops->idx, &size);
	if (!before)
		return;
	callees = atomic_long_read(total) - *before;
		/* If sleep does not count, the call's own time may be less than its callees'. */
	own = time - min_t(u64, time, callees);
	atomic_long_add(time - callees, total);
	if (READ_ONCE(profile_whole_time))
		own = time;
	atomic64_add(own, &counter->time);
	profile_squares_add(&counter->squares, own);
}

static struct fgraph_ops profile_graph_ops = {
	.entryfunc	= profile_enter,
	.retfunc	= profile_leave,
};

/**
 * profile_graph_time - change option graph-time
 * @on: true: the time of a call includes the time of the calls that it makes
 *
 * Context: any.
 */
void profile_graph_time(bool on)
{
	WRITE_ONCE(profile_whole_time, on);
}

/**
 * profile_begin - begin to count
 *
 * Counts the functions of set_ftrace_filter, like the function tracer.
 *
 * Context: process context, may sleep; the counters are allocated. One caller at a time.
 * Return: 0, or as register_ftrace_graph().
 */
int profile_begin(void)
{
	/* Count the functions of set_ftrace_filter. */
	ftrace_ops_set_global_filter(&profile_graph_ops.ops);
	return register_ftrace_graph(&profile_graph_ops);
}

/**
 * profile_end - stop counting
 *
 * No call is being counted any more when this returns.
 *
 * Context: process context, may sleep.
 */
void profile_end(void)
{
	unregister_ftrace_graph(&profile_graph_ops);
}

/**
 * profile_order - compare two functions for the order of lines
 * @a: a function
 * @b: another function
 *
 * Context: any.
 * Return: negative if @a took longer in total, and comes first; positive if @b did; else 0.
 */
int profile_order(const struct profile_row *a, const struct profile_row *b)
{
	return profile_compare_numbers(b->time, a->time);
}

/**
 * profile_show_header - print the titles of the columns
 * @m: output
 *
 * Context: any, one user of @m at a time.
 */
void profile_show_header(struct seq_file *m)
{
	seq_puts(m, "  Function                               Hit    Time            Avg             s^2\n"
		    "  --------                               ---    ----            ---             ---\n");
}

static void profile_show_time(struct seq_file *m, u64 ns)
{
	char text[TEXT_DURATION_MAX + 1];

	*text_duration(text, ns) = '\0';
	seq_printf(m, "    %s", text);
}

/**
 * profile_show_counts - print the rest of a line, after the function's name
 * @m: output
 * @row: the counters, with at least one hit
 *
 * Context: any, one user of @m at a time.
 */
void profile_show_counts(struct seq_file *m, const struct profile_row *row)
{
	seq_printf(m, "  %10lu", row->hits);
	profile_show_time(m, row->time);
	profile_show_time(m, div64_ul(row->time, row->hits));
	profile_show_time(m, profile_variance(row->hits, row->time, &row->squares));
	seq_putc(m, '\n');
}
