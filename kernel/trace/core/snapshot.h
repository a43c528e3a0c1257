/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots of an instance, the buffer that its latency tracer keeps, and the choice of the
 * buffer that is shown.
 */
#ifndef _TRACE_CORE_SNAPSHOT_H
#define _TRACE_CORE_SNAPSHOT_H

#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/ring_buffer.h>
#include <linux/spinlock_types_raw.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "instance.h"
#include "latency.h"

struct seq_file;
struct trace_snapshot;

#ifdef CONFIG_LATENCY_TRACERS
/* Does a latency tracer run? The result does not change while tr->lock is held. */
static inline bool trace_latency_active(const struct trace_array *tr)
{
	return READ_ONCE(tr->latency->active);
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

static inline int trace_latency_init(struct trace_array *tr)
{
	return 0;
}

static inline void trace_latency_remove(struct trace_array *tr) { }
static inline void trace_latency_free(struct trace_array *tr) { }
static inline void trace_latency_put(struct array_buffer *array) { }
static inline void trace_latency_forget(struct array_buffer *array) { }

static inline void trace_latency_view(struct array_buffer *array, struct latency_view *view)
{
	*view = array->view;
}
#endif

/* Note that @array, which a latency tracer keeps, lacks the entries of a CPU. Any context. */
static inline void trace_latency_lacks_part(struct array_buffer *array)
{
	WRITE_ONCE(array->view.incomplete, true);
}

struct array_buffer *trace_read_buffer_get(struct trace_array *tr);
void trace_read_buffer_put(struct array_buffer *array);
void trace_read_buffer_reset(struct trace_array *tr, int cpu);

/* Should a snapshot be taken? See tracing_snapshot_cond_enable(). */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

/**
 * struct trace_snapshot_cond - the condition that decides about the snapshots of an instance
 * @lock: held, with interrupts off, while @update runs and while the other members change
 * @data: data of the user of the condition; read without @lock
 * @update: called before each snapshot; NULL: there is no condition
 */
struct trace_snapshot_cond {
	raw_spinlock_t		lock;
	void			*data;
	cond_update_fn_t	update;
};

/**
 * struct trace_snapshots - the snapshots of an instance
 * @memory: the second buffer, see snapshot.c; NULL if none is allocated
 * @taken: number of exchanges that snapshots have made
 * @queue: readers that wait for the next exchange
 * @cond: the condition that decides about snapshots
 * @armed: number of users that may take a snapshot at any time, apart from users of @cond
 */
struct trace_snapshots {
	struct trace_snapshot		*memory;
	atomic_t			taken;
	wait_queue_head_t		queue;
	struct trace_snapshot_cond	cond;
	unsigned int			armed;
};

/*
 * Snapshots: a second buffer, which changes places with the one that records.
 *
 * output/ makes the files that read a snapshot. It prints the same text as for `trace`, from
 * another array_buffer. If that is empty, or NULL because no memory is allocated yet, it prints
 * trace_snapshot_print_help() instead.
 */
#ifdef CONFIG_TRACER_SNAPSHOT
int trace_snapshots_init(struct trace_array *tr);
void trace_snapshots_free(struct trace_array *tr);
struct array_buffer *trace_snapshot_get(struct trace_array *tr);
void trace_snapshot_put(struct array_buffer *snapshot);
void trace_snapshot_wait(struct trace_array *tr);
ssize_t trace_snapshot_write(struct file *file, const char __user *ubuf, size_t count,
			     loff_t *ppos);
void trace_snapshot_print_help(struct seq_file *m, const struct trace_scope *scope);
int trace_snapshot_arm(struct trace_array *tr);
void trace_snapshot_disarm(struct trace_array *tr);

/* Is there a user of trace_snapshot_arm()? Any context. */
static inline bool trace_snapshot_is_armed(const struct trace_array *tr)
{
	return READ_ONCE(tr->snapshots->armed);
}

void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
void *tracing_cond_snapshot_data(struct trace_array *tr);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
#else
/* Without snapshots, their files do not exist. */
static inline int trace_snapshots_init(struct trace_array *tr)
{
	return 0;
}

static inline void trace_snapshots_free(struct trace_array *tr) { }

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

static inline bool trace_snapshot_is_armed(const struct trace_array *tr)
{
	return false;
}

static inline void tracing_snapshot_cond(struct trace_array *tr, void *cond_data) { }
#endif

#endif /* _TRACE_CORE_SNAPSHOT_H */
