// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler where there is no function graph: calls are counted.
 */
#include <linux/ftrace.h>
#include <linux/seq_file.h>

#include "../ftrace/ftrace.h"
#include "profile.h"

static void profile_call(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	atomic_long_inc(&profile_counter(ip)->hits);
}

static struct ftrace_ops profile_ops = {
	.func	= profile_call,
};

/**
 * profile_begin - count from now on
 *
 * Functions are those of set_ftrace_filter, as for the function tracer.
 *
 * Context: process context, may sleep; there is memory to count in, and no other caller.
 * Return: 0, or as register_ftrace_function().
 */
int profile_begin(void)
{
	/* As the function tracer: those of set_ftrace_filter. */
	ftrace_ops_set_global_filter(&profile_ops);
	return register_ftrace_function(&profile_ops);
}

/**
 * profile_end - count no more
 *
 * Nobody counts any more when this returns.
 *
 * Context: process context, may sleep.
 */
void profile_end(void)
{
	unregister_ftrace_function(&profile_ops);
}

/**
 * profile_order - which of two functions comes first?
 * @a: the one
 * @b: the other
 *
 * Context: any.
 * Return: negative: @a, positive: @b, as it was called more often; 0: either.
 */
int profile_order(const struct profile_row *a, const struct profile_row *b)
{
	return profile_compare_numbers(b->hits, a->hits);
}

/**
 * profile_show_header - print the titles of the columns
 * @m: where to
 *
 * Context: any, one user of @m at a time.
 */
void profile_show_header(struct seq_file *m)
{
	seq_puts(m, "  Function                               Hit\n"
		    "  --------                               ---\n");
}

/**
 * profile_show_counts - print the rest of a line, behind the function's name
 * @m: where to
 * @row: what was counted
 *
 * Context: any, one user of @m at a time.
 */
void profile_show_counts(struct seq_file *m, const struct profile_row *row)
{
	seq_printf(m, "  %10lu\n", row->hits);
}
