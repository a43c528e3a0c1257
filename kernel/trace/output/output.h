/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of output/ for other directories: pieces of lines for printers of entries, and
 * looking ahead in a trace.
 *
 * If their kernel-doc says nothing else, they work in any context: ftrace_dump() prints in the
 * middle of an oops.
 */
#ifndef _TRACE_OUTPUT_H
#define _TRACE_OUTPUT_H

#include <linux/trace_events.h>

void trace_event_read_lock(void);
void trace_event_read_unlock(void);
struct trace_event *trace_entry_event(unsigned int type);

void trace_print_ip(struct trace_iterator *iter, unsigned long ip, int flags);
void trace_print_time(struct trace_seq *s, struct trace_iterator *iter, u64 ts);
char trace_delay_mark(u64 ns);
char *text_state(char *p, const struct trace_entry *entry);

/* Size of the text that text_duration() writes: number, unit and blanks. */
#define TEXT_DURATION_MAX	(20 + sizeof(" us "))

char *text_duration(char *p, u64 ns);

struct trace_entry *trace_iter_next_entry(struct trace_iterator *iter, u64 *ts);
bool trace_iter_fold_next(struct trace_iterator *iter);

struct seq_file;

void trace_default_header(struct seq_file *m);
void trace_latency_header(struct seq_file *m);

/*
 * Calls and returns as a graph: graph.c, graph_line.c
 */

/* The parts that are shown. The options of the function_graph tracer begin with these. */
enum graph_option {
	GRAPH_OVERRUN,
	GRAPH_CPU,
	GRAPH_OVERHEAD,
	GRAPH_PROC,
	GRAPH_DURATION,
	GRAPH_ABSTIME,
	GRAPH_IRQS,
	GRAPH_TAIL,
	GRAPH_RETVAL,
	GRAPH_RETVAL_HEX,
	GRAPH_RETADDR,
	GRAPH_ARGS,
	GRAPH_SHOWN_OPTIONS
};

/* Returns the options that are on. The tracer sets it before it records anything. Any context. */
extern u64 (*trace_graph_options_hook)(struct trace_array *tr);

void trace_graph_open(struct trace_iterator *iter);
void trace_graph_close(struct trace_iterator *iter);
void trace_graph_header(struct seq_file *m);
enum print_line_t trace_graph_line(struct trace_iterator *iter);

#endif /* _TRACE_OUTPUT_H */
