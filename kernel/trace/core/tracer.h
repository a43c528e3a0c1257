/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracers, and the options of instances and tracers.
 */
#ifndef _TRACE_CORE_TRACER_H
#define _TRACE_CORE_TRACER_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "instance.h"

struct seq_file;
struct tracer;

/*
 * Options. option_list.h lists them.
 */
#define OPTION(symbol, ...)	TRACE_OPT_##symbol,
enum trace_option_number {
#include "option_list.h"
	TRACE_NR_OPTIONS
};

#undef OPTION

/**
 * struct trace_option - a switch of an instance, or of a tracer in it
 * @name: its name in trace_options and in options/
 * @on: initial value
 * @top_only: other instances than the top one have no file for it in options/
 * @change: called before the option changes to @on, with trace_array::lock held; may
 *	be NULL. An error leaves the option as it was and goes to the writer. The
 *	tracer that has the option need not be the current one.
 */
struct trace_option {
	const char	*name;
	bool		on;
	bool		top_only;
	int		(*change)(struct trace_array *tr, bool on);
};

/* Is a core option on? Any context. */
static __always_inline bool trace_option(const struct trace_array *tr,
					 enum trace_option_number nr)
{
	return READ_ONCE(tr->options) & BIT_ULL(nr);
}

/*
 * Set a core option, without calling change(). For a change() that needs the new value before it
 * returns. The caller holds tr->lock.
 */
static inline void trace_option_write(struct trace_array *tr, enum trace_option_number nr, bool on)
{
	WRITE_ONCE(tr->options, on ? tr->options | BIT_ULL(nr) : tr->options & ~BIT_ULL(nr));
}

int trace_option_set(struct trace_array *tr, enum trace_option_number nr, bool on);

/**
 * struct tracer_state - a tracer in one instance
 * @list: in trace_array::tracers
 * @tracer: the tracer
 * @options: bit n is set if row n of the tracer's options is on
 * @data: data of the tracer, set by its attach()
 */
struct tracer_state {
	struct list_head	list;
	struct tracer		*tracer;
	u64			options;
	void			*data;
};

/* Is row @nr of the options of @tr's current tracer on? */
static inline bool tracer_option(const struct trace_array *tr, unsigned int nr)
{
	return tr->current_tracer->options & BIT_ULL(nr);
}

/*
 * Tracers
 */

/**
 * struct tracer - a tracer, whose name can be written to current_tracer
 * @name: its name
 * @list: in the registry
 * @options: its own options, at most 64; rows without a name are not in this kernel
 * @nr_options: number of rows
 * @top_only: only the top instance can run it
 * @latency: it keeps the longest time and its trace, see latency.h
 * @attach: prepare the tracer for an instance: fill in state->data; 0 or negative errno
 * @detach: free state->data
 * @init: begin to trace into an instance, which was cleared; 0, or negative errno with nothing
 *	traced
 * @reset: end tracing; after this nothing of the tracer records into the instance
 * @start: tracing_on has become 1
 * @stop: tracing_on has become 0
 * @thresh: tracing_thresh has changed while this is the current tracer
 * @functions: this is the current tracer, and the option function-trace or display-graph is about
 *	to change; called with their new values; 0, or negative errno to refuse the change
 * @open: `trace` or `trace_pipe` was opened for reading
 * @close: that file is being closed
 * @print_header: prints the header of `trace` instead of the usual one
 * @print_line: prints one entry instead of its type's printer
 *
 * All members but @name may be left out. init(), reset(), start(), stop(), thresh(), functions()
 * are called with the instance's lock held; attach() and detach() with trace_registry_lock held,
 * and attach() also with the instance's lock if the instance is in the list already.
 */
struct tracer {
	const char			*name;
	struct list_head		list;
	const struct trace_option	*options;
	unsigned int			nr_options;
	bool				top_only;
	bool				latency;
	int	(*attach)(struct trace_array *tr, struct tracer_state *state);
	void	(*detach)(struct trace_array *tr, struct tracer_state *state);
	int	(*init)(struct trace_array *tr);
	void	(*reset)(struct trace_array *tr);
	void	(*start)(struct trace_array *tr);
	void	(*stop)(struct trace_array *tr);
	void	(*thresh)(struct trace_array *tr);
	int	(*functions)(struct trace_array *tr, bool functions, bool graph);
	void	(*open)(struct trace_iterator *iter);
	void	(*close)(struct trace_iterator *iter);
	void	(*print_header)(struct seq_file *m);
	enum print_line_t (*print_line)(struct trace_iterator *iter);
};

int register_tracer(struct tracer *tracer);
int trace_boot_begin(void);
void trace_boot_finish(void);
int trace_array_set_tracer(struct trace_array *tr, const char *name);
struct tracer_state *trace_array_find_tracer(struct trace_array *tr, const char *name);
void *tracer_data(struct trace_array *tr, const struct tracer *tracer);

/* The current tracer of an instance. It does not change while tr->lock is held. */
static inline struct tracer *trace_array_tracer(const struct trace_array *tr)
{
	return tr->current_tracer->tracer;
}

#endif /* _TRACE_CORE_TRACER_H */
