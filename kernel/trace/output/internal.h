/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of this directory share. merge.c finds entries. line.c prints one of
 * them with context.c (the columns before the colon), entries.c (the text after it) and
 * symbols.c. trace.c, pipe.c and dump.c are the three readers.
 */
#ifndef _TRACE_OUTPUT_INTERNAL_H
#define _TRACE_OUTPUT_INTERNAL_H

#include <linux/cpumask.h>
#include <linux/min_heap.h>
#include <linux/trace_events.h>

#include "../core/saved_cmdlines.h"
#include "../core/instance.h"
#include "../core/tracer.h"
#include "output.h"

struct seq_file;
struct symbol_cache;

/* iter->lost_events: an unknown number of entries was lost. */
#define LOST_UNKNOWN	(-1UL)

/* The oldest entry of a CPU. */
struct merge_key {
	u64	ts;
	int	cpu;
};

/**
 * struct trace_merge - a reader's position on each CPU, and its copies of entries
 * @buffer: the buffer
 * @iters: iterator of each CPU if the reader does not consume; else NULL
 * @horizon: CPUs in @idle have no entry that is older than this time
 * @view: the part of the buffer that is shown, if the reader does not consume
 * @clock_changes: trace_array::clock_changes when the reader looked at the clock
 * @clock_is_time: the clock counts time, and reading it does not change the trace
 * @loaded: an entry is loaded into the iterator
 * @stepped: the loaded entry is in @kept, and was stepped over in the buffer
 * @kept: copy of an entry, and a byte that terminates a string that was cut
 * @kept_size: size of the memory for the copy
 * @ahead: copy of the next entry, or of its beginning
 * @ahead_size: size of that copy
 * @ahead_ts: time of the next entry
 * @ahead_folded: the next entry was stepped over, too
 * @idle: CPUs that had no entries at the last look
 * @nr_idle: number of CPUs in @idle
 * @heap: the other CPUs, ordered by the time of their oldest entries
 * @may_sleep: printers may sleep
 * @started: CPUs of which an entry was printed, if the reader does not consume
 * @symbols: cache of addresses that were printed, or NULL
 * @comm_pid: pid of the task that was printed last, or -1
 * @comm: name of that task: most lines are about the same task as the line before
 */
struct trace_merge {
	struct trace_buffer		*buffer;
	struct ring_buffer_iter		**iters;
	u64				horizon;
	struct latency_view		view;
	unsigned int			clock_changes;
	bool				clock_is_time;
	bool				loaded;
	bool				stepped;
	bool				may_sleep;
	void				*kept;
	size_t				kept_size;
	u64				ahead[8];
	unsigned int			ahead_size;
	u64				ahead_ts;
	bool				ahead_folded;
	int				*idle;
	int				nr_idle;
	cpumask_var_t			started;
	struct symbol_cache		*symbols;
	int				comm_pid;
	char				comm[TRACE_COMM_LEN];
	DEFINE_MIN_HEAP(struct merge_key, merge_heap) heap;
};

/* merge.c */
int trace_merge_alloc(struct trace_iterator *iter, bool consume);
void trace_merge_free(struct trace_iterator *iter);
void trace_merge_init(struct trace_iterator *iter, struct trace_merge *merge);
bool trace_iter_find(struct trace_iterator *iter);
void trace_iter_advance(struct trace_iterator *iter);
void trace_iter_reload(struct trace_iterator *iter);
void trace_iter_rewind(struct trace_iterator *iter);
unsigned long trace_iter_count(struct trace_iterator *iter, unsigned long *overrun);
bool trace_iter_empty(struct trace_iterator *iter);
u64 trace_iter_next_ts(struct trace_iterator *iter);

/* line.c */
enum print_line_t trace_print_line(struct trace_iterator *iter);
void trace_cut_line(struct trace_seq *s);

/* context.c */
void print_context(struct trace_iterator *iter, int flags);
void print_context_latency(struct trace_iterator *iter, int flags);
void print_context_raw(struct trace_iterator *iter, int flags);
void print_context_hex(struct trace_iterator *iter, int flags);
void print_context_bin(struct trace_iterator *iter, int flags);

/* entries.c */
bool trace_print_message(struct trace_iterator *iter);

/* user_stack.c */
enum print_line_t user_stack_text(struct trace_iterator *iter, int flags,
				  struct trace_event *event);

/* graph.c */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
enum print_line_t graph_text(struct trace_iterator *iter, int flags, struct trace_event *event);
#else
#define graph_text	NULL
#endif

/* trace.c */
extern const struct file_operations trace_fops;
extern const struct file_operations snapshot_fops;
void trace_iter_init(struct trace_iterator *iter, struct trace_scope *scope,
		     struct array_buffer *array_buffer);

/* pipe.c */
extern const struct file_operations trace_pipe_fops;

/* raw.c */
extern const struct file_operations trace_raw_fops;
extern const struct file_operations snapshot_raw_fops;

/* header.c */
void trace_print_header(struct seq_file *m);
void trace_print_tracer(struct seq_file *m);

/* Is option TRACE_OPT_@nr set in the flags that printers get? */
#define FLAG(flags, nr)		((flags) & BIT(TRACE_OPT_##nr))

/* The time to which relative times refer. */
static inline u64 trace_iter_start(const struct trace_iterator *iter)
{
	const struct trace_merge *merge = iter->merge;

	return merge && merge->iters ? merge->view.time_start : iter->array_buffer->view.time_start;
}

/* The reader's cache of symbols, for print_symbol(); or NULL. */
static inline struct symbol_cache *trace_iter_symbols(const struct trace_iterator *iter)
{
	return iter->merge ? iter->merge->symbols : NULL;
}

#endif /* _TRACE_OUTPUT_INTERNAL_H */
