// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of a graph: columns as the options choose them, then the function that was called or
 * returned, indented by its depth.
 *
 *	   69.374351 |   1)     ash-57     |  ..... | + 67.664 us   |    path_openat();
 *
 * Most of a line consists of short columns, so text.h writes them, as in context.c.
 */
#include <linux/err.h>

#include "../core/saved_cmdlines.h"
#include "../core/tracer.h"
#include "func_types.h"
#include "graph.h"
#include "internal.h"
#include "symbols.h"
#include "text.h"

#define INDENT		2

/* Width of a task's name and pid, and of the name alone, which is cut. */
#define TASK_WIDTH	14
#define TASK_COMM	7

/* Size of the columns before the function, without its indentation. */
#define COLUMNS_MAX	128

/* Replaces a duration in lines that have none. */
#define NO_DURATION	"              "

static char *text_string(char *p, const char *text)
{
	return text_bytes(p, text, strlen(text));
}

static char *text_task(char *p, int pid)
{
	char task[TRACE_COMM_LEN + TEXT_DECIMAL_MAX + 1], comm[TRACE_COMM_LEN];
	int len, blanks;
	char *end;

	trace_find_comm(pid, comm);
	end = text_bytes(task, comm, strnlen(comm, TASK_COMM));
	*end++ = '-';
	if (pid < 0)
		*end++ = '-';
	end = text_decimal(end, abs((s64)pid), 0, ' ');
	len = end - task;
	blanks = max(TASK_WIDTH - len, 0);
	p = text_fill(p, ' ', blanks / 2);
	p = text_bytes(p, task, len);
	return text_fill(p, ' ', blanks - blanks / 2);
}

static char *text_cpu(char *p, int cpu)
{
	*p++ = ' ';
	p = text_decimal(p, cpu, text_digits(nr_cpu_ids - 1), ' ');
	return text_bytes(p, ") ", 2);
}

/* The time in seconds, as if the clock counted nanoseconds. */
static char *text_abstime(char *p, u64 ts)
{
	p = text_decimal(p, ts / NSEC_PER_SEC, 5, ' ');
	*p++ = '.';
	p = text_decimal(p, ts % NSEC_PER_SEC / NSEC_PER_USEC, 6, '0');
	return text_bytes(p, " |  ", 4);
}

/* The time since the trace begins, in us. */
static char *text_reltime(char *p, const struct graph_line *line)
{
	s64 since = line->ts - trace_iter_start(line->iter);

	p = text_decimal(p, ns_to_us(max(since, 0)), 9, ' ');
	return text_bytes(p, " us |  ", 7);
}

static bool graph_has_context(const struct graph_line *line)
{
	return FLAG(line->flags, CONTEXT_INFO);
}

/* The columns before the duration. */
static char *text_columns(char *p, const struct graph_line *line)
{
	const struct trace_iterator *iter = line->iter;

	if (!graph_has_context(line))
		return p;
	if (line->options & GRAPH_RELTIME)
		p = text_reltime(p, line);
	if (line->options & BIT(GRAPH_ABSTIME))
		p = text_abstime(p, line->ts);
	if (line->options & BIT(GRAPH_CPU))
		p = text_cpu(p, iter->cpu);
	if (line->options & BIT(GRAPH_PROC)) {
		p = text_task(p, iter->ent->pid);
		p = text_bytes(p, " | ", 3);
	}
	if (FLAG(line->flags, LATENCY_FORMAT)) {
		*p++ = ' ';
		p = text_state(p, iter->ent);
		p = text_bytes(p, " | ", 3);
	}
	return p;
}

static bool graph_has_duration(const struct graph_line *line)
{
	return line->options & BIT(GRAPH_DURATION) && graph_has_context(line);
}

static char *text_no_duration(char *p, const struct graph_line *line)
{
	return graph_has_duration(line) ? text_bytes(p, NO_DURATION "|  ", 17) : p;
}

static char *text_took(char *p, const struct graph_line *line, u64 ns)
{
	if (!graph_has_duration(line))
		return p;
	*p++ = line->options & BIT(GRAPH_OVERHEAD) ? trace_delay_mark(ns) : ' ';
	*p++ = ' ';
	p = text_duration(p, ns);
	return text_bytes(p, "|  ", 3);
}

static int graph_indent(int depth)
{
	return max(depth, 0) * INDENT;
}

/* Begin the line of a call or comment at @depth. */
static char *graph_start(struct graph_line *line, int depth)
{
	char *p = text_start(&line->iter->seq, COLUMNS_MAX + graph_indent(depth));

	return p ? text_columns(p, line) : NULL;
}

static void graph_finish(struct graph_line *line, char *p, int depth)
{
	text_finish(&line->iter->seq, text_fill(p, ' ', graph_indent(depth)));
}

static void graph_put(struct graph_line *line, const char *text)
{
	text_put(&line->iter->seq, text, strlen(text));
}

static void graph_put_function(struct graph_line *line, unsigned long func)
{
	print_symbol(trace_iter_symbols(line->iter), &line->iter->seq, func, SYMBOL_MODULE);
}

/**
 * graph_line_task - print a switch of tasks if a line is about another task than the one before
 * @line: the line that follows
 *
 * Context: any, one user of the iterator at a time.
 */
void graph_line_task(struct graph_line *line)
{
	static const char rule[] = " ------------------------------------------\n";
	const struct graph_cpu *cpu = line->cpu;
	int pid = line->iter->ent->pid;
	char *p;

	if (!cpu || cpu->pid == pid || cpu->pid == GRAPH_NOBODY)
		return;
	graph_put(line, rule);
	p = text_start(&line->iter->seq, COLUMNS_MAX);
	if (!p)
		return;
	p = text_cpu(p, line->iter->cpu);
	p = text_task(p, cpu->pid);
	p = text_bytes(p, " => ", 4);
	p = text_task(p, pid);
	*p++ = '\n';
	text_finish(&line->iter->seq, p);
	graph_put(line, rule);
	graph_put(line, "\n");
}

/**
 * graph_line_irq - print that an interrupt begins or ends
 * @line: the line of the call, or return, of its entry function
 * @arrow: the arrow for its begin, or its end
 *
 * Context: any, one user of the iterator at a time.
 */
void graph_line_irq(struct graph_line *line, const char *arrow)
{
	char *p = graph_start(line, 0);

	if (!p)
		return;
	if (graph_has_duration(line))
		p = text_bytes(p, "  ", 2);
	p = text_string(p, arrow);
	if (graph_has_duration(line))
		p = text_bytes(p, " |", 2);
	*p++ = '\n';
	text_finish(&line->iter->seq, p);
}

/* A part of the loaded call, or NULL if it was not recorded or @option is off. */
static const u64 *graph_shown_part(const struct graph_line *line, enum graph_option option,
				   enum graph_part part)
{
	if (!(line->options & BIT(option)))
		return NULL;
	return graph_part(line->iter->ent, line->iter->ent_size, part);
}

static const u64 *graph_caller(const struct graph_line *line)
{
	return graph_shown_part(line, GRAPH_RETADDR, GRAPH_PART_RETADDR);
}

/* Print the arguments by name and type, or the registers if the types are unknown. */
static void graph_put_args(struct graph_line *line, unsigned long func, const u64 *args)
{
	struct trace_seq *s = &line->iter->seq;
	char *p;

	if (print_typed_args(line->types, s, func, args, GRAPH_NR_ARGS))
		return;
	p = text_start(s, TEXT_ARGS_MAX);
	if (p)
		text_finish(s, text_args(p, args));
}

/* "do_it(a=1, b=2", followed by the text @behind */
static void graph_put_call(struct graph_line *line, unsigned long func, const char *behind)
{
	const u64 *args = graph_shown_part(line, GRAPH_ARGS, GRAPH_PART_ARGS);

	graph_put_function(line, func);
	graph_put(line, "(");
	if (args)
		graph_put_args(line, func, args);
	graph_put(line, behind);
}

static void graph_put_caller(struct graph_line *line, unsigned long caller)
{
	graph_put(line, " <-");
	trace_print_ip(line->iter, caller, line->flags | BIT(TRACE_OPT_SYM_OFFSET));
}

/**
 * graph_line_call - a call whose return comes later: "do_it() {"
 * @line: the line
 * @call: the call, which is the loaded entry
 *
 * Context: any if @line has no types, else may sleep; one user of the iterator at a time.
 */
void graph_line_call(struct graph_line *line, const struct graph_call_entry *call)
{
	const u64 *caller = graph_caller(line);
	char *p = graph_start(line, call->depth);

	if (!p)
		return;
	graph_finish(line, text_no_duration(p, line), call->depth);
	graph_put_call(line, call->func, caller ? ") { /*" : ") {\n");
	if (!caller)
		return;
	graph_put_caller(line, *caller);
	graph_put(line, " */\n");
}

/*
 * Functions of the kernel return errors as small negative numbers, some of them in 32 bits. These
 * are printed as decimal numbers, all others in hexadecimal.
 */
static void graph_put_value(struct graph_line *line, const char *sign, unsigned long value)
{
	long error = value >> 31 == 1 ? (int)value : (long)value;
	char *p = text_start(&line->iter->seq, sizeof(" ret=0x") + TEXT_DECIMAL_MAX);

	if (!p)
		return;
	p = text_string(p, sign);
	if (IS_ERR_VALUE(error) && !(line->options & BIT(GRAPH_RETVAL_HEX))) {
		*p++ = '-';
		p = text_decimal(p, -error, 0, ' ');
	} else {
		p = text_bytes(p, "0x", 2);
		p = text_hex(p, value, 0);
	}
	text_finish(&line->iter->seq, p);
}

/**
 * graph_line_leaf - a call and its return in one line: "do_it();"
 * @line: the line
 * @call: the call, which is the loaded entry
 * @ret: its return
 *
 * Context: any if @line has no types, else may sleep; one user of the iterator at a time.
 */
void graph_line_leaf(struct graph_line *line, const struct graph_call_entry *call,
		     const struct graph_return_entry *ret)
{
	bool value = line->options & BIT(GRAPH_RETVAL);
	const u64 *caller = graph_caller(line);
	char *p = graph_start(line, call->depth);

	if (!p)
		return;
	graph_finish(line, text_took(p, line, ret->rettime - ret->calltime), call->depth);
	graph_put_call(line, call->func, value || caller ? "); /*" : ");\n");
	if (caller)
		graph_put_caller(line, *caller);
	if (value)
		graph_put_value(line, caller ? " ret=" : " = ", graph_return_value(ret));
	if (value || caller)
		graph_put(line, " */\n");
}

/**
 * graph_line_return - the return from a call that has a line of its own: "}"
 * @line: the line
 * @ret: the return, which is the loaded entry
 * @known: it returns from the open call at this depth, so that the function is not printed
 *
 * Context: any, one user of the iterator at a time.
 */
void graph_line_return(struct graph_line *line, const struct graph_return_entry *ret, bool known)
{
	bool value = line->options & BIT(GRAPH_RETVAL);
	char *p = graph_start(line, ret->depth);

	if (!p)
		return;
	graph_finish(line, text_took(p, line, ret->rettime - ret->calltime), ret->depth);
	if (known && !value && !(line->options & BIT(GRAPH_TAIL))) {
		graph_put(line, "}\n");
		return;
	}
	graph_put(line, "} /* ");
	graph_put_function(line, ret->func);
	if (value)
		graph_put_value(line, " = ", graph_return_value(ret));
	graph_put(line, " */\n");
}

/* Print an entry as a comment. Of messages, only the text: the place in the graph says the rest. */
static void graph_print_entry(struct graph_line *line)
{
	struct trace_event *event = trace_entry_event(line->iter->ent->type);

	if (trace_print_message(line->iter))
		return;
	if (event)
		event->funcs->trace(line->iter, line->flags, event);
	else
		trace_seq_printf(&line->iter->seq, "Unknown type %d", line->iter->ent->type);
}

/* Take back the newline that a printer has put into @s. */
static void graph_join_line(struct trace_seq *s)
{
	if (s->seq.len && s->seq.buffer[s->seq.len - 1] == '\n')
		s->seq.len--;
}

/**
 * graph_line_comment - print an entry that is neither call nor return
 * @line: the line, with the entry loaded
 *
 * Context: any if the entry's printer does not sleep, as in a dump; else may sleep. One user of
 * the iterator at a time.
 */
void graph_line_comment(struct graph_line *line)
{
	int depth = line->cpu && line->cpu->depth > 0 ? line->cpu->depth + 1 : 0;
	char *p = graph_start(line, depth);

	if (!p)
		return;
	graph_finish(line, text_no_duration(p, line), depth);
	graph_put(line, "/* ");
	graph_print_entry(line);
	graph_join_line(&line->iter->seq);
	graph_put(line, " */\n");
}
