// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots with a condition: of what led to something that has not been seen so far,
 * whatever that is to who looks for it.
 *
 * An instance has one condition at a time, which is asked before each snapshot of it,
 * so that what is aside stays until there is something better. It is asked, and the
 * snapshot taken, under a lock: what is aside is what the last one that was agreed to is
 * about, also when two CPUs come at once.
 *
 * To take a snapshot may itself be something that is looked at, as it sends interrupts.
 * So a CPU that is in here already does nothing. Nor does one that is called while it reads
 * from a buffer: whoever has the lock may wait for that reader. It could not exchange its
 * storage then anyway.
 *
 * And who takes snapshots at any time without one, at the end of the file: function
 * commands, which have memory for that beforehand and do not go together with a buffer that
 * is mapped, no more than a condition does; and code of the kernel.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/trace.h>

#include "instance.h"
#include "internal.h"
#include "snapshot.h"

static void cond_lock(struct trace_snapshot_cond *cond)
{
	arch_spin_lock(&cond->lock);
	WRITE_ONCE(cond->owner, smp_processor_id() + 1);
}

static void cond_unlock(struct trace_snapshot_cond *cond)
{
	WRITE_ONCE(cond->owner, 0);
	arch_spin_unlock(&cond->lock);
}

static bool cond_is_here(const struct trace_snapshot_cond *cond)
{
	return READ_ONCE(cond->owner) == smp_processor_id() + 1;
}

/* NULL: there is none any more. Who is being asked has answered afterwards. */
static void cond_set(struct trace_array *tr, void *data, cond_update_fn_t update)
{
	guard(irqsave)();
	cond_lock(&tr->snapshots->cond);
	tr->snapshots->cond.data = data;
	WRITE_ONCE(tr->snapshots->cond.update, update);
	cond_unlock(&tr->snapshots->cond);
}

/**
 * trace_snapshot_has_cond - do snapshots of an instance depend on something?
 * @tr: the instance
 *
 * Context: any. Stays what it is while the instance's lock is held.
 * Return: true or false.
 */
bool trace_snapshot_has_cond(const struct trace_array *tr)
{
	return READ_ONCE(tr->snapshots->cond.update);
}

/**
 * tracing_snapshot_cond - take a snapshot, if the condition agrees
 * @tr: the instance
 * @cond_data: given to the condition
 *
 * Without a condition one is taken: see trace_snapshot_now().
 *
 * Context: any; in NMI it only says in the trace that it is not possible.
 */
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data)
{
	struct trace_snapshot_cond *cond = &tr->snapshots->cond;

	if (!trace_snapshot_has_cond(tr) || in_nmi()) {
		trace_snapshot_now(tr);
		return;
	}
	guard(irqsave)();
	if (cond_is_here(cond) || ring_buffer_reading_here())
		return;
	cond_lock(cond);
	if (!cond->update || cond->update(tr, cond_data))
		trace_snapshot_now(tr);
	cond_unlock(cond);
}
EXPORT_SYMBOL_GPL(tracing_snapshot_cond);

/**
 * tracing_cond_snapshot_data - what an instance's condition belongs to
 * @tr: the instance
 *
 * Context: any but NMI, or what is called while this CPU reads from a buffer: others may wait
 * for that reader, with the condition's lock.
 * Return: as it was given to tracing_snapshot_cond_enable(); NULL: there is no condition.
 */
void *tracing_cond_snapshot_data(struct trace_array *tr)
{
	void *data;

	guard(irqsave)();
	if (cond_is_here(&tr->snapshots->cond))
		return tr->snapshots->cond.data;
	cond_lock(&tr->snapshots->cond);
	data = tr->snapshots->cond.data;
	cond_unlock(&tr->snapshots->cond);
	return data;
}
EXPORT_SYMBOL_GPL(tracing_cond_snapshot_data);

/* Have memory for snapshots at any time. Until the opposite the buffer cannot be mapped. */
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

/* The opposite. What was taken last is complete before the buffer may be mapped again. */
static void snapshot_unprepare(struct trace_array *tr)
{
	bool last = !tr->snapshots->armed && !trace_snapshot_has_cond(tr) && !trace_latency_active(tr);

	if (last)
		trace_snapshot_settle(tr);
	trace_exchange_end(&tr->mapping);
}

/**
 * tracing_snapshot_cond_enable - give an instance a condition, and memory for snapshots
 * @tr: the instance
 * @cond_data: what tracing_cond_snapshot_data() tells
 * @update: the condition: should a snapshot be taken? Called with the instance and what
 *	tracing_snapshot_cond() was given, or NULL from others, with interrupts off, in no NMI,
 *	by one CPU at a time
 *
 * Until tracing_snapshot_cond_disable() the file snapshot cannot be written to, and the
 * buffer cannot be mapped.
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if it has one, its buffer is mapped, or is read before it got its size, or
 * a latency tracer runs; -ENOMEM.
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
 * tracing_snapshot_cond_disable - take it away
 * @tr: the instance
 *
 * The condition is not asked any more. What is aside stays.
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
 * trace_snapshot_arm - be about to call trace_snapshot_now()
 * @tr: the instance
 *
 * Until trace_snapshot_disarm() it has memory for that, whatever latency tracers come and
 * go, and its buffer cannot be mapped. While one of these runs no snapshot is taken. Only
 * user space may take the memory away, by writing 0 to the file snapshot.
 *
 * May sleep.
 *
 * Return: 0; -ENOMEM; -EBUSY while the buffer is mapped, or is read and cannot get the size
 * that it is to have in use.
 */
int trace_snapshot_arm(struct trace_array *tr)
{
	int err;

	guard(mutex)(&tr->lock);
	err = snapshot_prepare(tr);
	if (!err)
		tr->snapshots->armed++;
	return err;
}

/**
 * trace_snapshot_disarm - not any more
 * @tr: the instance
 *
 * Context: may sleep.
 */
void trace_snapshot_disarm(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	tr->snapshots->armed--;
	snapshot_unprepare(tr);
}

/**
 * tracing_snapshot - take a snapshot of the top instance: tracing_snapshot_cond()
 *
 * Any context.
 */
void tracing_snapshot(void)
{
	if (trace_top)
		tracing_snapshot_cond(trace_top, NULL);
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_alloc_snapshot - have memory for snapshots of the top instance
 *
 * May sleep.
 *
 * Return: 0, also if there is memory already; -ENODEV before there is an instance; -ENOMEM.
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
 * tracing_snapshot_alloc - both of it
 *
 * May sleep.
 */
void tracing_snapshot_alloc(void)
{
	if (!tracing_alloc_snapshot())
		tracing_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);
