/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot's memory, between snapshot.c, which makes it, and snapshot_swap.c, which
 * exchanges it for that of the buffer.
 */
#ifndef _TRACE_CORE_SNAPSHOT_INTERNAL_H
#define _TRACE_CORE_SNAPSHOT_INTERNAL_H

#include <linux/atomic.h>
#include <linux/cpumask_types.h>
#include <linux/irq_work_types.h>
#include <linux/mutex_types.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "instance.h"

/**
 * struct snapshot_cpu - what a snapshot has for each CPU
 * @work: exchanges its storage
 * @snapshot: whose this is
 * @newest: when what it held was recorded, at the latest, when that was done last
 */
struct snapshot_cpu {
	struct irq_work		work;
	struct trace_snapshot	*snapshot;
	u64			newest;
};

/**
 * struct trace_snapshot - the second buffer of an instance
 * @array: the buffer; array.tr is the instance
 * @users: open files that read it, and the instance itself; under trace_array::lock
 * @pending: CPUs whose storage is still to be exchanged
 * @stopped: nothing is exchanged
 * @asked: 1: something was asked for since somebody waited for that
 * @finishing: who waits for what was asked for
 * @due: CPUs for which that has still to be done; under @finishing
 * @cpus: for each CPU
 * @rest: waits for all CPUs in @pending where nobody else does
 * @later: 1: @rest is queued, or about to be, and has not begun
 */
struct trace_snapshot {
	struct array_buffer		array;
	unsigned int			users;
	cpumask_var_t			pending;
	bool				stopped;
	atomic_t			asked;
	struct mutex			finishing;	/* inside trace_array::lock */
	cpumask_var_t			due;
	struct snapshot_cpu __percpu	*cpus;
	struct delayed_work		rest;
	atomic_t			later;
};

void snapshot_swap_init(struct trace_snapshot *snapshot);
void snapshot_swap_end(struct trace_snapshot *snapshot);
bool snapshot_swap_here(struct trace_snapshot *snapshot);
int snapshot_finish(struct trace_snapshot *snapshot);
bool snapshot_take_now(struct trace_snapshot *snapshot, u64 since);
void snapshot_say(struct trace_buffer *buffer, const char *text);

#endif
