/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What graph.c and graph_line.c share.
 */
#ifndef _TRACE_OUTPUT_GRAPH_H
#define _TRACE_OUTPUT_GRAPH_H

#include <linux/bits.h>
#include <linux/types.h>

#include "../core/entries.h"
#include "output.h"
#include "text.h"

/* Open functions are remembered up to this depth. */
#define GRAPH_OPEN_MAX	50

#define GRAPH_NOBODY	(-1)	/* graph_cpu::pid before the first line */
#define GRAPH_NO_IRQ	(-1)	/* graph_cpu::irq_depth: not in an interrupt */

/* Beside the options: the state of the machine is shown, as in latency format. */
#define GRAPH_STATE	BIT(31)

/* Time since the trace begins, which no option asks for. */
#define GRAPH_RELTIME	BIT(26)

/* Among the lines of latency tracers, whatever the options are. */
#define GRAPH_LATENCY	(GRAPH_RELTIME | BIT(GRAPH_CPU) | BIT(GRAPH_PROC) | BIT(GRAPH_DURATION))

/**
 * struct graph_cpu - what a reader remembers of a CPU
 * @pid: whose the last line was
 * @depth: of the innermost call that is open
 * @irq_depth: while an interrupt's functions are hidden, the depth of the outermost
 * @open: the functions that are open
 */
struct graph_cpu {
	int		pid;
	int		depth;
	int		irq_depth;
	unsigned long	open[GRAPH_OPEN_MAX];
};

/**
 * struct graph_reader - what a reader remembers
 * @types: of functions, or NULL
 * @cpu: of each CPU
 */
struct graph_reader {
	struct func_types	*types;
	struct graph_cpu	cpu[];
};

/**
 * struct graph_line - a line, while it is written
 * @iter: where to, and the entry
 * @cpu: what is known of the CPU, or NULL
 * @types: what is known of functions, or NULL
 * @options: of the tracer: enum graph_option
 * @flags: of the instance: enum trace_option_number
 * @ts: when it happened
 */
struct graph_line {
	struct trace_iterator	*iter;
	struct graph_cpu	*cpu;
	struct func_types	*types;
	u64			options;
	int			flags;
	u64			ts;
};

/* When the call that is the loaded entry began: long ones are recorded later. */
static inline u64 graph_call_time(const struct trace_iterator *iter)
{
	const u64 *time = graph_part(iter->ent, iter->ent_size, GRAPH_PART_TIME);

	return time ? *time : iter->ts;
}

/* As much room as text_args() takes, and no less. */
#define TEXT_ARGS_MAX	(GRAPH_NR_ARGS * sizeof(", 0x0123456789abcdef"))

/* Argument registers: "0x1, 0xffff000012345678" */
static inline char *text_args(char *p, const u64 *args)
{
	int i;

	for (i = 0; i < GRAPH_NR_ARGS; i++) {
		p = i ? text_bytes(p, ", 0x", 4) : text_bytes(p, "0x", 2);
		p = text_hex(p, args[i], 0);
	}
	return p;
}

void graph_line_task(struct graph_line *line);
void graph_line_irq(struct graph_line *line, const char *arrow);
void graph_line_call(struct graph_line *line, const struct graph_call_entry *call);
void graph_line_leaf(struct graph_line *line, const struct graph_call_entry *call,
		     const struct graph_return_entry *ret);
void graph_line_return(struct graph_line *line, const struct graph_return_entry *ret,
		       bool known);
void graph_line_comment(struct graph_line *line);

#endif /* _TRACE_OUTPUT_GRAPH_H */
