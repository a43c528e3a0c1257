/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracers, and the options of instances and tracers
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
 * Options: their list is option_list.h.
 */
#define OPTION(symbol, ...)	TRACE_OPT_##symbol,
enum trace_option_number {
#include "option_list.h"
	TRACE_NR_OPTIONS
};

#undef OPTION

/**
 * struct trace_option - a switch of an instance, or of a tracer in it
 * @name: in trace_options and below options/
 * @on: at first
 * @top_only: no file for it below options/ of other instances
 * @change: called before the option changes to @on, with trace_array::lock held; may
 *	be NULL. An error leaves the option as it was and goes to the writer. A tracer
 *	need not be the current one.
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
 * What an option is from now on, and nothing else; for who is asked about the change, and
 * needs it before that is done. With tr->lock.
 */
static inline void trace_option_write(struct trace_array *tr, enum trace_option_number nr, bool on)
{
	WRITE_ONCE(tr->options, on ? tr->options | BIT_ULL(nr) : tr->options & ~BIT_ULL(nr));
}

int trace_option_set(struct trace_array *tr, enum trace_option_number nr, bool on);

/**
 * struct tracer_state - a tracer as one instance has it
 * @list: in trace_array::tracers
 * @tracer: which
 * @options: bit n: row n of the tracer's options is on
 * @data: the tracer's own, from its attach()
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
	return tr->current_tracer->options & BIT(nr);
}

/*
 * Tracers
 */

/**
 * struct tracer - something that can be written to current_tracer
 * @name: what is written
 * @list: among all tracers; the registry's
 * @options: its own options, at most 64; rows without a name are for other kernels
 * @nr_options: number of rows
 * @top_only: not for other instances than the top one
 * @latency: it keeps what was recorded, see latency.h
 * @attach: an instance gets to know the tracer: fill in state->data; 0 or -errno
 * @detach: free state->data
 * @init: begin to trace into an instance that was cleared; 0, or -errno and nothing is
 *	traced
 * @reset: end it; afterwards nothing of the tracer records into the instance
 * @start: tracing_on became 1
 * @stop: tracing_on became 0
 * @thresh: tracing_thresh has changed while this is the current tracer
 * @functions: it is the current tracer, and the option function-trace or display-graph is
 *	going to change: they are what is given; 0, or -errno and the option stays
 * @open: a reader of `trace` or `trace_pipe` begins
 * @close: it ends
 * @print_header: the header of `trace` instead of the usual one
 * @print_line: one entry, instead of its type's printer
 *
 * All but @name may be left out. init(), reset(), start(), stop(), thresh(), functions()
 * are called with the instance's lock held; attach() and detach() with trace_registry_lock,
 * and attach() also with the instance's lock if that is listed already.
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

/* The current tracer of an instance. Stays what it is while tr->lock is held. */
static inline struct tracer *trace_array_tracer(const struct trace_array *tr)
{
	return tr->current_tracer->tracer;
}

#endif /* _TRACE_CORE_TRACER_H */
