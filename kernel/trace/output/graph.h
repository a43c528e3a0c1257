/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that graph.c and graph_line.c share.
 */
#ifndef _TRACE_OUTPUT_GRAPH_H
#define _TRACE_OUTPUT_GRAPH_H

#include <linux/bits.h>
#include <linux/types.h>

#include "../core/entries.h"
#include "output.h"
#include "text.h"

/* A reader keeps open functions up to this depth. */
#define GRAPH_OPEN_MAX	50

#define GRAPH_NOBODY	(-1)	/* graph_cpu::pid before the first line */
#define GRAPH_NO_IRQ	(-1)	/* graph_cpu::irq_depth: not in an interrupt */

/* A flag besides enum graph_option: show the state of the CPU, as in latency format. */
#define GRAPH_STATE	BIT(31)

/* A flag besides enum graph_option: show the time since the trace begins. */
#define GRAPH_RELTIME	BIT(26)

/* The columns in traces of latency tracers, which do not depend on options. */
#define GRAPH_LATENCY	(GRAPH_RELTIME | BIT(GRAPH_CPU) | BIT(GRAPH_PROC) | BIT(GRAPH_DURATION))

/**
 * struct graph_cpu - state of a CPU that a reader keeps
 * @pid: pid of the last line's task
 * @depth: depth of the innermost open call
 * @irq_depth: depth of an interrupt's entry function while it is hidden; or GRAPH_NO_IRQ
 * @open: the open functions, by depth
 */
struct graph_cpu {
	int		pid;
	int		depth;
	int		irq_depth;
	unsigned long	open[GRAPH_OPEN_MAX];
};

/**
 * struct graph_reader - state that a reader keeps
 * @types: cache of the types of functions, or NULL
 * @cpu: state of each CPU
 */
struct graph_reader {
	struct func_types	*types;
	struct graph_cpu	cpu[];
};

/**
 * struct graph_line - a line that is being written
 * @iter: the iterator, with an entry loaded; the line goes to its seq
 * @cpu: the reader's state of the CPU, or NULL
 * @types: cache of the types of functions, or NULL
 * @options: options of the tracer: BIT() of enum graph_option
 * @flags: options of the instance: BIT() of enum trace_option_number
 * @ts: time of the entry
 */
struct graph_line {
	struct trace_iterator	*iter;
	struct graph_cpu	*cpu;
	struct func_types	*types;
	u64			options;
	int			flags;
	u64			ts;
};

/* The time at which the loaded call began: a long call is recorded after its begin. */
static inline u64 graph_call_time(const struct trace_iterator *iter)
{
	const u64 *time = graph_part(iter->ent, iter->ent_size, GRAPH_PART_TIME);

	return time ? *time : iter->ts;
}

/* Size of the text that text_args() writes. */
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
