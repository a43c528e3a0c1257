/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory of a snapshot: snapshot.c allocates it, snapshot_swap.c exchanges it for the
 * storage of the buffer.
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
 * struct snapshot_cpu - a snapshot's data of one CPU
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
 * @users: number of open files that read it, plus 1 for the instance; under trace_array::lock
 * @pending: CPUs whose storage is still to be exchanged
 * @stopped: pending exchanges count as done without being made
 * @finishing: held while waiting for exchanges on other CPUs
 * @due: CPUs to wait for; protected by @finishing
 * @cpus: data of each CPU
 * @rest: makes the exchanges that interrupts have left over, and wakes readers
 * @later: 1: @rest is queued, or about to be queued, and has not started
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
