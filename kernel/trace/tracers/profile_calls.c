// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler without function graph: it counts calls.
 */
#include <linux/seq_file.h>

#include "../ftrace/ftrace.h"
#include "profile.h"

static void profile_call(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	atomic_long_inc(&profile_counter(ip)->hits);
}

static struct ftrace_ops profile_calls_ops = {
	.func	= profile_call,
};

/**
 * profile_begin - begin to count
 *
 * Counts the functions of set_ftrace_filter, like the function tracer.
 *
 * Context: process context, may sleep; the counters are allocated. One caller at a time.
 * Return: 0, or as register_ftrace_function().
 */
int profile_begin(void)
{
	/* Count the functions of set_ftrace_filter. */
	ftrace_ops_set_global_filter(&profile_calls_ops);
	return register_ftrace_function(&profile_calls_ops);
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
	unregister_ftrace_function(&profile_calls_ops);
}

/**
 * profile_order - compare two functions for the order of lines
 * @a: a function
 * @b: another function
 *
 * Context: any.
 * Return: negative if @a was called more often, and comes first; positive if @b was; else 0.
 */
int profile_order(const struct profile_row *a, const struct profile_row *b)
{
	return profile_compare_numbers(b->hits, a->hits);
}

/**
 * profile_show_header - print the titles of the columns
 * @m: output
 *
 * Context: any, one user of @m at a time.
 */
void profile_show_header(struct seq_file *m)
{
	seq_puts(m, "  Function                               Hit\n"
		    "  --------                               ---\n");
}

/**
 * profile_show_counts - print the rest of a line, after the function's name
 * @m: output
 * @row: the counters
 *
 * Context: any, one user of @m at a time.
 */
void profile_show_counts(struct seq_file *m, const struct profile_row *row)
{
	seq_printf(m, "  %10lu\n", row->hits);
}
