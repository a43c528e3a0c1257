// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots with a condition: a user that searches for an extreme case has a snapshot taken only
 * when it finds a new one.
 *
 * An instance has at most one condition at a time. The condition is a function that is called
 * before each snapshot, so that a snapshot is kept until a better one replaces it. A lock is held
 * while the condition is called and the snapshot is taken: the snapshot belongs to the last event
 * that the condition accepted, even if two CPUs request a snapshot at the same time.
 *
 * The functions that take a snapshot may be traced, and a tracer of such a function may request
 * another snapshot. The request is ignored on a CPU that holds the lock of a condition, of any
 * instance, is about to take such a lock, or has just released it: otherwise the CPU would wait for
 * its own lock. The request is also ignored if it comes from code that reads from a buffer: the
 * holder of the lock may wait for that reader, and the reader's CPU could not exchange its storage.
 *
 * The end of this file has the users that take snapshots at any time without a condition. Function
 * commands allocate memory beforehand, and exclude mapping the buffer, as a condition does. The
 * others are calls in code of the kernel.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/trace.h>

#include "../lib/recursion.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"

/* This CPU holds the lock of a condition, is about to take it, or has just released it. */
static DEFINE_PER_CPU(bool, cond_locks_here);

/* Called with interrupts off. */
static void cond_lock(struct trace_snapshot_cond *cond)
{
	__this_cpu_write(cond_locks_here, true);
	trace_hidden_lock(&cond->lock);
}

static void cond_unlock(struct trace_snapshot_cond *cond)
{
	trace_hidden_unlock(&cond->lock);
	__this_cpu_write(cond_locks_here, false);
}

/*
 * Set the condition; with @update NULL, remove it. When this returns, no CPU runs the old condition
 * any more.
 */
static void cond_set(struct trace_array *tr, void *data, cond_update_fn_t update)
{
	guard(irqsave)();
	cond_lock(&tr->snapshots->cond);
	WRITE_ONCE(tr->snapshots->cond.data, data);
	WRITE_ONCE(tr->snapshots->cond.update, update);
	cond_unlock(&tr->snapshots->cond);
}

/**
 * trace_snapshot_has_cond - do snapshots of an instance have a condition?
 * @tr: the instance
 *
 * Context: any. The result does not change while the instance's lock is held.
 * Return: true if there is a condition.
 */
bool trace_snapshot_has_cond(const struct trace_array *tr)
{
	return READ_ONCE(tr->snapshots->cond.update);
}

/**
 * tracing_snapshot_cond - take a snapshot if the condition accepts it
 * @tr: the instance
 * @cond_data: passed to the condition
 *
 * Without a condition this takes a snapshot: see trace_snapshot_now(). While this CPU checks a
 * condition, of any instance, and takes the snapshot, this does nothing for instances that have
 * a condition. It also does nothing for these on a CPU that reads from a buffer.
 *
 * Context: any; in NMI it only records a message that no snapshot can be taken.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	struct trace_snapshot_cond *cond = &tr->snapshots->cond;

	if (!trace_snapshot_has_cond(tr) || in_nmi()) {
		trace_snapshot_now(tr);
		return;
	}
	guard(irqsave)();
	if (__this_cpu_read(cond_locks_here) || ring_buffer_reading_here())
		return;
	cond_lock(cond);
	if (!cond->update || cond->update(tr, cond_data))
		trace_snapshot_now(tr);
	cond_unlock(cond);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

/**
 * tracing_cond_snapshot_data - get the data of an instance's condition
 * @tr: the instance
 *
 * Context: any. The result does not change while the instance's condition is being called.
 * Return: the data that was passed to tracing_snapshot_cond_enable(); NULL if there is no
 * condition.
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	return READ_ONCE(tr->snapshots->cond.data);
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);

/* Allocate memory for snapshots, and exclude mappings until snapshot_unprepare(). */
static int snapshot_prepare(struct trace_array *tr)
{
	int err;

	if (!trace_exchange_begin(&tr->mapping))
		return -EBUSY;
	err = trace_array_expand(tr) ?: trace_snapshot_alloc(tr);
	if (err)
		trace_exchange_end(&tr->mapping);
	return err;
}

/* Undo snapshot_prepare(). The last snapshot is complete before the buffer may be mapped again. */
static void snapshot_unprepare(struct trace_array *tr)
{
	bool last = !tr->snapshots->armed && !trace_snapshot_has_cond(tr) &&
		    !trace_latency_active(tr);

	if (last)
		trace_snapshot_settle(tr);
	trace_exchange_end(&tr->mapping);
}

/**
 * tracing_snapshot_cond_enable - give an instance a condition, and memory for snapshots
 * @tr: the instance
 * @cond_data: data that tracing_cond_snapshot_data() returns
 * @update: returns true if a snapshot is to be taken. Its arguments are the instance and the
 *	@cond_data of tracing_snapshot_cond(), NULL for other callers. It is called with interrupts
 *	off, not in NMI, and on one CPU at a time
 *
 * Until tracing_snapshot_cond_disable() the file "snapshot" cannot be written to, and the
 * buffer cannot be mapped.
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if there is a condition already, the buffer is mapped, the buffer is being
 * read before it was expanded, or a latency tracer runs; -ENOMEM.
 */
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update)
{
	int err;

	guard(mutex)(&tr->lock);
	if (trace_latency_active(tr) || trace_snapshot_has_cond(tr))
		return -EBUSY;
	err = snapshot_prepare(tr);
	if (!err)
		cond_set(tr, cond_data, update);
	return err;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_enable);

/**
 * tracing_snapshot_cond_disable - remove the condition
 * @tr: the instance
 *
 * The condition is not called any more when this returns. The last snapshot is kept.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if there is none.
 */
int tracing_snapshot_cond_disable(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	if (!trace_snapshot_has_cond(tr))
		return -EINVAL;
	cond_set(tr, NULL, NULL);
	snapshot_unprepare(tr);
	return 0;
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond_disable);

/**
 * trace_snapshot_arm - prepare for calls of trace_snapshot_now()
 * @tr: the instance
 *
 * Until trace_snapshot_disarm() the instance has memory for snapshots, also when latency tracers
 * begin and end, and its buffer cannot be mapped. While a latency tracer runs, no snapshot is
 * taken. Only user space can free the memory, by writing 0 to the file "snapshot".
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; -EBUSY if the buffer is mapped, or cannot be expanded as it is being read.
 */
int trace_snapshot_arm(struct trace_array *tr)
{
	int err;

	guard(mutex)(&tr->lock);
	err = snapshot_prepare(tr);
	if (!err)
		WRITE_ONCE(tr->snapshots->armed, tr->snapshots->armed + 1);
	return err;
}

/**
 * trace_snapshot_disarm - undo trace_snapshot_arm()
 * @tr: the instance
 *
 * Context: may sleep.
 */
void trace_snapshot_disarm(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	WRITE_ONCE(tr->snapshots->armed, tr->snapshots->armed - 1);
	snapshot_unprepare(tr);
}

/**
 * tracing_snapshot - take a snapshot of the top instance
 *
 * Context: any; see tracing_snapshot_cond().
 */
void tracing_snapshot(void)
{
	if (trace_top)
		tracing_snapshot_cond(trace_top, NULL);
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_alloc_snapshot - allocate memory for snapshots of the top instance
 *
 * Context: may sleep.
 * Return: 0, also if memory was allocated before; -ENODEV before there is an instance; -ENOMEM.
 */
int tracing_alloc_snapshot(void)
{
	if (!trace_top)
		return -ENODEV;
	guard(mutex)(&trace_top->lock);
	return trace_snapshot_alloc(trace_top);
}
EXPORT_SYMBOL_GPL(tracing_alloc_snapshot);

/**
 * tracing_snapshot_alloc - allocate memory for snapshots of the top instance, and take one
 *
 * Context: may sleep.
 */
void tracing_snapshot_alloc(void)
{
	if (!tracing_alloc_snapshot())
		tracing_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);
