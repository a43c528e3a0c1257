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
 * @work: exchanges the CPU's storage
 * @snapshot: the snapshot that this belongs to
 * @newest: time of the newest event that the last exchange moved to the snapshot
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
 * @stopped: what is pending is not exchanged, but counts as done
 * @finishing: held while waiting for exchanges on other CPUs
 * @due: the CPUs to wait for; under @finishing
 * @cpus: for each CPU
 * @rest: exchanges what interrupts have left, and wakes readers
 * @later: 1: @rest is queued, or about to be, and has not begun
 */
struct trace_snapshot {
	struct array_buffer		array;
	unsigned int			users;
	cpumask_var_t			pending;
	bool				stopped;
	struct mutex			finishing;	/* inside trace_array::lock */
	cpumask_var_t			due;
	struct snapshot_cpu __percpu	*cpus;
	struct delayed_work		rest;
	atomic_t			later;
};

void snapshot_swap_init(struct trace_snapshot *snapshot);
void snapshot_swap_end(struct trace_snapshot *snapshot);
bool snapshot_swap(struct trace_snapshot *snapshot, int cpu);
int snapshot_finish(struct trace_snapshot *snapshot);
bool snapshot_take_now(struct trace_snapshot *snapshot, u64 since);
void snapshot_say(struct trace_buffer *buffer, const char *text);

#endif
