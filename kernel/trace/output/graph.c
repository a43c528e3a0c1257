// SPDX-License-Identifier: GPL-2.0
/*
 * Calls and returns as a graph: the state that a reader keeps between lines, the choice of lines,
 * and the header. graph_line.c writes the lines.
 *
 * If the return is the next entry of its CPU after the call, both share a line. A return names its
 * function if the call was lost, or another task's lines are between the two. To know that, the
 * reader keeps for each CPU the functions that are open, by depth.
 */
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <asm/sections.h>

#include "../core/entries.h"
#include "../core/instance.h"
#include "../core/snapshot.h"
#include "../core/tracer.h"
#include "func_types.h"
#include "graph.h"
#include "internal.h"

static bool graph_in_irqentry(unsigned long func)
{
	return func >= (unsigned long)__irqentry_text_start &&
	       func < (unsigned long)__irqentry_text_end;
}

static void graph_reader_begin(struct graph_cpu *cpus)
{
	int cpu;

	memset(cpus, 0, nr_cpu_ids * sizeof(*cpus));
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		cpus[cpu].pid = GRAPH_NOBODY;
		cpus[cpu].irq_depth = GRAPH_NO_IRQ;
	}
}

/**
 * trace_graph_open - allocate the state of a graph's reader
 * @iter: the reader; if memory is short, it prints no switches of tasks
 *
 * Context: may sleep.
 */
void trace_graph_open(struct trace_iterator *iter)
{
	struct graph_reader *reader = kvzalloc(struct_size(reader, cpu, nr_cpu_ids), GFP_KERNEL);

	iter->private = reader;
	if (!reader)
		return;
	reader->types = func_types_alloc();
	graph_reader_begin(reader->cpu);
}

/**
 * trace_graph_close - free the state of a graph's reader
 * @iter: the reader
 *
 * Context: may sleep.
 */
void trace_graph_close(struct trace_iterator *iter)
{
	struct graph_reader *reader = iter->private;

	if (reader)
		func_types_free(reader->types);
	kvfree(reader);
	iter->private = NULL;
}

u64 (*trace_graph_options_hook)(struct trace_array *tr);

/* The options of the function_graph tracer, also when it is not the current tracer. */
static u64 graph_reader_options(struct trace_array *tr)
{
	if (trace_latency_active(tr))
		return GRAPH_LATENCY;
	return trace_graph_options_hook ? trace_graph_options_hook(tr) : 0;
}

static bool graph_remembers(int depth)
{
	return depth >= 0 && depth < GRAPH_OPEN_MAX;
}

/* Is @func the open function at this depth? True if the reader does not know. */
static bool graph_is_open(const struct graph_cpu *cpu, unsigned long func, int depth)
{
	return !cpu || !graph_remembers(depth) || cpu->open[depth] == func;
}

/*
 * The reader's state changes when the line is complete. A line that did not fit is printed again
 * later, and must find the old state then.
 */
static bool graph_is_printed(struct graph_line *line)
{
	return line->cpu && !trace_seq_has_overflowed(&line->iter->seq);
}

static void graph_opened(struct graph_line *line, unsigned long func, int depth)
{
	struct graph_cpu *cpu = line->cpu;

	if (!graph_is_printed(line))
		return;
	cpu->pid = line->iter->ent->pid;
	cpu->depth = depth;
	if (graph_remembers(depth))
		cpu->open[depth] = func;
}

static void graph_closed(struct graph_line *line, int depth)
{
	struct graph_cpu *cpu = line->cpu;

	if (!graph_is_printed(line))
		return;
	cpu->pid = line->iter->ent->pid;
	cpu->depth = depth - 1;
	if (graph_remembers(depth))
		cpu->open[depth] = 0;
}

/*
 * Without option funcgraph-irqs, functions of interrupts are hidden: from the call of an
 * interrupt's entry function to its return.
 */
static bool graph_hides_call(struct graph_cpu *cpu, u64 options,
			     const struct graph_call_entry *call)
{
	if (options & BIT(GRAPH_IRQS) || !cpu)
		return false;
	if (cpu->irq_depth != GRAPH_NO_IRQ)
		return true;
	if (!graph_in_irqentry(call->func))
		return false;
	cpu->irq_depth = call->depth;
	return true;
}

static bool graph_hides_return(struct graph_cpu *cpu, u64 options,
			       const struct graph_return_entry *ret)
{
	if (options & BIT(GRAPH_IRQS) || !cpu || cpu->irq_depth == GRAPH_NO_IRQ)
		return false;
	if (ret->depth <= cpu->irq_depth)
		cpu->irq_depth = GRAPH_NO_IRQ;
	return true;
}

static_assert(sizeof(struct graph_return_entry) <= sizeof_field(struct trace_merge, ahead));

/* If the next entry of the CPU is the return of the loaded call, step over it and return it. */
static struct graph_return_entry *graph_leaf(struct trace_iterator *iter)
{
	struct trace_entry *next;
	struct graph_call_entry *call;
	struct graph_return_entry *ret;
	u64 ts;

	next = trace_iter_next_entry(iter, &ts);
	if (!next || next->type != TRACE_GRAPH_RET)
		return NULL;
	/* trace_iter_next_entry() may have replaced the entry by a copy. */
	call = (void *)iter->ent;
	ret = (void *)next;
	if (next->pid != call->ent.pid || ret->func != call->func)
		return NULL;
	return trace_iter_fold_next(iter) ? ret : NULL;
}

static void graph_print_call(struct graph_line *line)
{
	struct trace_iterator *iter = line->iter;
	struct graph_return_entry *ret = graph_leaf(iter);
	struct graph_call_entry *call = (void *)iter->ent;
	bool irq = line->options & BIT(GRAPH_IRQS) && graph_in_irqentry(call->func);

	line->ts = graph_call_time(iter);
	graph_line_task(line);
	if (irq)
		graph_line_irq(line, "==========>");
	if (!ret) {
		graph_line_call(line, call);
		graph_opened(line, call->func, call->depth);
		return;
	}
	graph_line_leaf(line, call, ret);
	if (irq)
		graph_line_irq(line, "<==========");
	graph_closed(line, call->depth);
}

static void graph_print_return(struct graph_line *line)
{
	struct graph_return_entry *ret = (void *)line->iter->ent;

	graph_line_task(line);
	graph_line_return(line, ret, graph_is_open(line->cpu, ret->func, ret->depth));
	if (line->options & BIT(GRAPH_OVERRUN))
		trace_seq_printf(&line->iter->seq, " (Overruns: %u)\n", ret->overrun);
	if (line->options & BIT(GRAPH_IRQS) && graph_in_irqentry(ret->func))
		graph_line_irq(line, "<==========");
	graph_closed(line, ret->depth);
}

static void graph_print_other(struct graph_line *line)
{
	graph_line_task(line);
	graph_line_comment(line);
	if (graph_is_printed(line))
		line->cpu->pid = line->iter->ent->pid;
}

static void graph_print(struct graph_line *line)
{
	struct trace_iterator *iter = line->iter;

	switch (iter->ent->type) {
	case TRACE_GRAPH_ENT:
	case TRACE_GRAPH_RETADDR_ENT:
		if (!graph_hides_call(line->cpu, line->options, (void *)iter->ent))
			graph_print_call(line);
		break;
	case TRACE_GRAPH_RET:
		if (!graph_hides_return(line->cpu, line->options, (void *)iter->ent))
			graph_print_return(line);
		break;
	default:
		graph_print_other(line);
	}
}

static enum print_line_t graph_print_as(struct trace_iterator *iter, struct graph_reader *reader)
{
	struct graph_line line = {
		.iter		= iter,
		.cpu		= reader ? &reader->cpu[iter->cpu] : NULL,
		.types		= reader ? reader->types : NULL,
		.options	= graph_reader_options(iter->tr),
		.flags		= READ_ONCE(iter->tr->options),
		.ts		= iter->ts,
	};

	graph_print(&line);
	return trace_handle_return(&iter->seq);
}

/**
 * trace_graph_line - print an entry as part of a graph
 * @iter: the iterator, with an entry loaded; prints to its seq. Without trace_graph_open(), as in
 *	a dump, no switches of tasks are printed
 *
 * Context: any without trace_graph_open(), if printers do not sleep, as in a dump; else may sleep.
 * One user of @iter at a time.
 * Return: TRACE_TYPE_UNHANDLED for entries that do not belong into a graph; else as
 * trace_handle_return().
 */
enum print_line_t trace_graph_line(struct trace_iterator *iter)
{
	struct graph_reader *reader = iter->private;

	if (iter->ent->type == TRACE_FN || iter->ent->type == TRACE_STACK)
		return TRACE_TYPE_UNHANDLED;
	/* The first entry of a trace. A reader that seeks back prints it again. */
	if (reader && !iter->idx)
		graph_reader_begin(reader->cpu);
	return graph_print_as(iter, reader);
}

/**
 * graph_text - print a call or return among the lines of another tracer
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: unused: graph_reader_options() has the options
 * @event: the entry's printers
 *
 * entries.c has it as the printer of these types. It uses no state of a reader.
 *
 * Context: any, one user of @iter at a time.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE if it did not fit.
 */
enum print_line_t graph_text(struct trace_iterator *iter, int flags, struct trace_event *event)
{
	return graph_print_as(iter, NULL);
}

/*
 * The header
 */

/* The lines point at the characters of the state column. Tools rely on the blanks at the ends. */
static const char * const graph_state_legend[] = {
	"  _-----=> irqs-off        ",
	" / _----=> need-resched    ",
	"| / _---=> hardirq/softirq ",
	"|| / _--=> preempt-depth   ",
	"||| /                      ",
};

/* A column: its text in both lines of the header. Option 0: shown in all traces. */
struct graph_column {
	u64		option;
	const char	*name;
	const char	*mark;
};

static const struct graph_column graph_columns[] = {
	{ GRAPH_RELTIME,	"   REL TIME     ",	"      |         " },
	{ BIT(GRAPH_ABSTIME),	"     TIME       ",	"      |         " },
	{ BIT(GRAPH_CPU),	" CPU",			" |  " },
	{ BIT(GRAPH_PROC),	"  TASK/PID       ",	"   |    |        " },
	{ GRAPH_STATE,		"||||   ",		"||||   " },
	{ BIT(GRAPH_DURATION),	"  DURATION   ",	"   |   |      " },
	{ 0,			"               FUNCTION CALLS", "               |   |   |   |" },
};

static bool graph_has_column(const struct graph_column *column, u64 options)
{
	return !column->option || options & column->option;
}

/* Width of the columns before the state. */
static int graph_state_indent(u64 options)
{
	const struct graph_column *column = graph_columns;
	int width = 0;

	for (; column->option != GRAPH_STATE; column++)
		width += graph_has_column(column, options) ? strlen(column->name) : 0;
	return width;
}

static void graph_print_columns(struct seq_file *m, u64 options)
{
	int i;

	seq_putc(m, '#');
	for (i = 0; i < ARRAY_SIZE(graph_columns); i++)
		if (graph_has_column(&graph_columns[i], options))
			seq_puts(m, graph_columns[i].name);
	seq_puts(m, "\n#");
	for (i = 0; i < ARRAY_SIZE(graph_columns); i++)
		if (graph_has_column(&graph_columns[i], options))
			seq_puts(m, graph_columns[i].mark);
	seq_putc(m, '\n');
}

/**
 * trace_graph_header - print the header of a graph
 * @m: output; its private member is the iterator
 *
 * Context: may sleep.
 */
void trace_graph_header(struct seq_file *m)
{
	struct trace_iterator *iter = m->private;
	u64 options = graph_reader_options(iter->tr) & ~GRAPH_STATE;
	int i;

	if (!trace_option(iter->tr, TRACE_OPT_CONTEXT_INFO))
		return;
	if (trace_option(iter->tr, TRACE_OPT_LATENCY_FORMAT)) {
		if (trace_iter_empty(iter))
			return;
		trace_latency_header(m);
		for (i = 0; i < ARRAY_SIZE(graph_state_legend); i++)
			seq_printf(m, "#%*s%s\n", graph_state_indent(options), "",
				   graph_state_legend[i]);
		options |= GRAPH_STATE;
	}
	graph_print_columns(m, options);
}
