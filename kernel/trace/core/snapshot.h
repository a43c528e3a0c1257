/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an instance keeps aside: snapshots, and what a latency tracer has kept; and which of it
 * is shown
 */
#ifndef _TRACE_CORE_SNAPSHOT_H
#define _TRACE_CORE_SNAPSHOT_H

#include <linux/fs.h>
#include <linux/ring_buffer.h>
#include <linux/types.h>

#include "instance.h"
#include "latency.h"

struct seq_file;

#ifdef CONFIG_LATENCY_TRACERS
/* Does a latency tracer run? Stays what it is while tr->lock is held. */
static inline bool trace_latency_active(const struct trace_array *tr)
{
	return READ_ONCE(tr->latency.active);
}

/* What is kept in @array lacks what some CPU has recorded. Any context. */
static inline void trace_latency_lacks_part(struct array_buffer *array)
{
	WRITE_ONCE(array->kept.incomplete, true);
}
#else
static inline bool trace_latency_active(const struct trace_array *tr)
{
	return false;
}

static inline bool trace_latency_possible(const struct trace_array *tr)
{
	return true;
}

static inline void trace_latency_init(struct trace_array *tr) { }
static inline void trace_latency_remove(struct trace_array *tr) { }
static inline void trace_latency_put(struct array_buffer *array) { }
static inline void trace_latency_lacks_part(struct array_buffer *array) { }
static inline void trace_latency_forget(struct array_buffer *array) { }

static inline void trace_latency_view(struct array_buffer *array, struct latency_view *view)
{
	*view = (struct latency_view) {
		.time_start	= array->time_start,
		.cpu		= RING_BUFFER_ALL_CPUS,
	};
}
#endif

struct array_buffer *trace_shown_get(struct trace_array *tr);
void trace_shown_put(struct array_buffer *array);
void trace_shown_reset(struct trace_array *tr, int cpu);

/*
 * Snapshots: a second buffer, which changes places with the one that records.
 *
 * The files that read it are made by output/. Its text is that of `trace` with
 * another array_buffer; where that is empty, or NULL because there is no memory for
 * snapshots yet, trace_snapshot_print_help() is all there is.
 */
#ifdef CONFIG_TRACER_SNAPSHOT
struct array_buffer *trace_snapshot_get(struct trace_array *tr);
void trace_snapshot_put(struct array_buffer *snapshot);
ssize_t trace_snapshot_write(struct file *file, const char __user *ubuf, size_t count,
			     loff_t *ppos);
void trace_snapshot_print_help(struct seq_file *m, const struct trace_scope *scope);
int trace_snapshot_arm(struct trace_array *tr);
void trace_snapshot_disarm(struct trace_array *tr);
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
void *tracing_cond_snapshot_data(struct trace_array *tr);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
#else
/* Their files are not there. */
static inline struct array_buffer *trace_snapshot_get(struct trace_array *tr)
{
	return NULL;
}

static inline void trace_snapshot_put(struct array_buffer *snapshot) { }

static inline ssize_t trace_snapshot_write(struct file *file, const char __user *ubuf,
					   size_t count, loff_t *ppos)
{
	return -EINVAL;
}

static inline void trace_snapshot_print_help(struct seq_file *m,
					     const struct trace_scope *scope) { }

static inline int trace_snapshot_arm(struct trace_array *tr)
{
	return -EINVAL;
}

static inline void trace_snapshot_disarm(struct trace_array *tr) { }

static inline void tracing_snapshot_cond(struct trace_array *tr, void *cond_data) { }
#endif

#endif /* _TRACE_CORE_SNAPSHOT_H */
