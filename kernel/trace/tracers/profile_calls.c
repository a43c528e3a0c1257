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

int profile_begin(void)
{
	/* As the function tracer: those of set_ftrace_filter. */
	ftrace_ops_set_global_filter(&profile_ops);
	return register_ftrace_function(&profile_ops);
}

void profile_end(void)
{
	unregister_ftrace_function(&profile_ops);
}

/* Those called most come first. */
int profile_order(const struct profile_row *a, const struct profile_row *b)
{
	return profile_compare_numbers(b->hits, a->hits);
}

void profile_show_header(struct seq_file *m)
{
	seq_puts(m, "  Function                               Hit\n"
		    "  --------                               ---\n");
}

void profile_show_counts(struct seq_file *m, const struct profile_row *row)
{
	seq_printf(m, "  %10lu\n", row->hits);
}
