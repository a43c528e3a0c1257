// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: what a buffer holds at one moment, kept while recording goes on.
 *
 * An instance gets a second buffer of the same size when its first snapshot is
 * taken. To take one is to exchange the storage of each CPU between the two, so
 * nothing is copied, and what recorded into the first goes on doing so. What was
 * aside before is in the first buffer then, unless it was cleared. How that is done is in
 * snapshot_swap.c.
 *
 * tracing_snapshot() finds the second buffer, trace_snapshots::memory, without a lock:
 *
 *	tracing_snapshot()			snapshot_replace()
 *
 *	interrupts off				memory = NULL, or another
 *	loads memory				an interrupt on each CPU
 *	sets bits, queues irq_works		waits for irq_works and work
 *	interrupts on				frees
 *
 * The interrupt comes after what had found it has queued all that it does, and
 * nobody finds it later, wherever it was: no need to know what RCU watches.
 *
 * While a latency tracer runs, the second buffer is its own, and tracing_snapshot()
 * leaves it alone. The tracer has another one than there was before:
 *
 *	tracing_snapshot()			trace_latency_begin(), and _end()
 *
 *	interrupts off				active = true
 *	loads memory (acquire)			memory = its own (release)
 *	active? then that is all		an interrupt on each CPU, if there was another
 *	sets bits, queues irq_works		...
 *	interrupts on				memory = NULL, or another (release)
 *						an interrupt on each CPU
 *						active = false
 *
 * Who loads the tracer's finds it active: what was written before the release is seen,
 * and active becomes false only after the last interrupt, which comes when interrupts are
 * on again. Who loads what was there before is done with it at the first interrupt, before
 * the tracer measures anything. Who finds nothing between these two, as memory is being
 * allocated, finds the tracer active, too, and does not say that there is no memory.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/error-injection.h>
#include <linux/instruction_pointer.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/trace.h>
#include <linux/wait.h>

#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "snapshot_internal.h"

static void snapshot_release(struct trace_snapshot *snapshot)
{
	if (!snapshot)
		return;
	if (snapshot->array.buffer)
		ring_buffer_free(snapshot->array.buffer);
	free_percpu(snapshot->cpus);
	free_cpumask_var(snapshot->due);
	free_cpumask_var(snapshot->pending);
	kfree(snapshot);
}

DEFINE_FREE(snapshot_release, struct trace_snapshot *, snapshot_release(_T))

/* Only what has the same size can be exchanged, be it that of a CPU that is down. */
static int snapshot_fit_cpu(struct trace_buffer *main, struct trace_buffer *aside, int cpu)
{
	unsigned long size = ring_buffer_size(main, cpu);

	if (!size || size == ring_buffer_size(aside, cpu))
		return 0;
	return ring_buffer_resize(aside, size, cpu);
}

/* Give the second buffer the sizes that the first one has. */
static int snapshot_fit(struct trace_snapshot *snapshot)
{
	struct trace_buffer *main = snapshot->array.tr->array_buffer.buffer;
	struct trace_buffer *aside = snapshot->array.buffer;
	int cpu, err;

	err = ring_buffer_subbuf_order_set(aside, ring_buffer_subbuf_order_get(main));
	/* First for CPUs that are still to come, which takes all others along. */
	err = err ?: snapshot_fit_cpu(main, aside, RING_BUFFER_ALL_CPUS);
	for_each_possible_cpu(cpu)
		err = err ?: snapshot_fit_cpu(main, aside, cpu);
	return err;
}

static struct trace_snapshot *snapshot_new(struct trace_array *tr)
{
	struct trace_snapshot *snapshot __free(snapshot_release) =
		kzalloc(sizeof(*snapshot), GFP_KERNEL);

	if (!snapshot || !zalloc_cpumask_var(&snapshot->pending, GFP_KERNEL) ||
	    !zalloc_cpumask_var(&snapshot->due, GFP_KERNEL))
		return NULL;
	snapshot->users = 1;
	snapshot->array.tr = tr;
	snapshot->array.cpu = RING_BUFFER_ALL_CPUS;
	snapshot->array.time_start = tr->array_buffer.time_start;
	snapshot->cpus = alloc_percpu(struct snapshot_cpu);
	snapshot->array.buffer = ring_buffer_alloc(1, RB_FL_OVERWRITE);
	if (!snapshot->cpus || !snapshot->array.buffer)
		return NULL;
	snapshot_swap_init(snapshot);
	return_ptr(snapshot);
}

/* As large as the buffer; or an error. */
static struct trace_snapshot *snapshot_make(struct trace_array *tr)
{
	struct trace_snapshot *snapshot __free(snapshot_release) = snapshot_new(tr);
	int err;

	if (!snapshot)
		return ERR_PTR(-ENOMEM);
	trace_clock_apply(tr, snapshot->array.buffer);
	err = snapshot_fit(snapshot);
	if (err)
		return ERR_PTR(err);
	return_ptr(snapshot);
}

/* By NULL: there is none any more. Files that are open go on reading; the last of them frees. */
static void snapshot_replace(struct trace_array *tr, struct trace_snapshot *with)
{
	struct trace_snapshot *before = tr->snapshots->memory;

	/* Who finds it without the lock finds all of it; for the rest see the top of this file. */
	smp_store_release(&tr->snapshots->memory, with);
	if (!before)
		return;
	/* A CPU that comes or goes is not among these. */
	scoped_guard(cpus_read_lock)
		kick_all_cpus_sync();
	snapshot_swap_end(before);
	if (!--before->users)
		snapshot_release(before);
}

/**
 * trace_snapshot_renew - have other memory for snapshots than before, if there was any
 * @tr: the instance; the caller holds its lock
 *
 * May sleep. What there was is freed once nobody reads it.
 *
 * Return: 0; or as trace_snapshot_alloc(), and what there was stays.
 */
noinline int trace_snapshot_renew(struct trace_array *tr)
{
	struct trace_snapshot *snapshot;

	lockdep_assert_held(&tr->lock);
	snapshot = snapshot_make(tr);
	if (IS_ERR(snapshot))
		return PTR_ERR(snapshot);
	snapshot_replace(tr, snapshot);
	return 0;
}
ALLOW_ERROR_INJECTION(trace_snapshot_renew, ERRNO);

/**
 * trace_snapshot_alloc - have memory for snapshots
 * @tr: the instance; the caller holds its lock
 *
 * May sleep.
 *
 * Return: 0, also if there is memory already; -ENOMEM.
 */
int trace_snapshot_alloc(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshots->memory ? 0 : trace_snapshot_renew(tr);
}

/**
 * trace_snapshot_free - give the memory back
 * @tr: the instance; the caller holds its lock, or nobody else knows it any more
 *
 * May sleep. Files that are open go on reading; the last of them frees.
 */
void trace_snapshot_free(struct trace_array *tr)
{
	snapshot_replace(tr, NULL);
}

/**
 * trace_snapshot_buffer - where an instance keeps its snapshots
 * @tr: the instance; the caller holds its lock
 *
 * Context: tr->lock held.
 * Return: the buffer, or NULL if there is none.
 */
struct trace_buffer *trace_snapshot_buffer(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshots->memory ? tr->snapshots->memory->array.buffer : NULL;
}

/**
 * trace_snapshot_fit - make the snapshot as large as the buffer
 * @tr: the instance; the caller holds its lock
 *
 * May sleep.
 *
 * Return: 0, -ENOMEM or -EBUSY; then no snapshot can be taken until it fits.
 */
int trace_snapshot_fit(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshots->memory ? snapshot_fit(tr->snapshots->memory) : 0;
}

/**
 * trace_snapshot_settle - exchange all that was asked for, before other things happen to it
 * @tr: the instance; the caller holds its lock
 *
 * May sleep. While the buffer is mapped nothing is exchanged, and nothing is asked for any more.
 */
void trace_snapshot_settle(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	if (tr->snapshots->memory)
		snapshot_finish(tr->snapshots->memory);
}

/**
 * trace_snapshot_hold - trace_snapshot_get() where there is one
 * @tr: the instance; the caller holds its lock
 *
 * May sleep.
 *
 * Return: the snapshot.
 */
struct array_buffer *trace_snapshot_hold(struct trace_array *tr)
{
	trace_snapshot_settle(tr);
	tr->snapshots->memory->users++;
	return &tr->snapshots->memory->array;
}

/**
 * trace_snapshot_get - begin to read an instance's snapshot
 * @tr: the instance
 *
 * May sleep. A snapshot that is being taken is complete afterwards.
 *
 * Return: the snapshot, to be given to trace_snapshot_put(); NULL if there is none.
 */
struct array_buffer *trace_snapshot_get(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	return tr->snapshots->memory ? trace_snapshot_hold(tr) : NULL;
}

/**
 * trace_snapshot_put - the opposite
 * @array: from trace_snapshot_get(), or NULL
 *
 * May sleep.
 */
void trace_snapshot_put(struct array_buffer *array)
{
	struct trace_snapshot *snapshot;

	if (!array)
		return;
	snapshot = container_of(array, struct trace_snapshot, array);
	guard(mutex)(&array->tr->lock);
	if (!--snapshot->users)
		snapshot_release(snapshot);
}

/**
 * trace_snapshots_init - an instance has no snapshots so far
 * @tr: the instance; nobody else knows it yet
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_snapshots_init(struct trace_array *tr)
{
	tr->snapshots = kzalloc(sizeof(*tr->snapshots), GFP_KERNEL);
	if (!tr->snapshots)
		return -ENOMEM;
	init_waitqueue_head(&tr->snapshots->queue);
	return 0;
}

/**
 * trace_snapshots_free - undo trace_snapshots_init(), if it was called
 * @tr: the instance; nobody else knows it any more
 *
 * Context: may sleep.
 */
void trace_snapshots_free(struct trace_array *tr)
{
	if (tr->snapshots)
		trace_snapshot_free(tr);
	kfree(tr->snapshots);
}

/*
 * Taking one
 */

static int snapshot_take(struct trace_array *tr, int cpu)
{
	int err;

	tr->snapshots->memory->array.time_start = tr->array_buffer.time_start;
	if (cpu == RING_BUFFER_ALL_CPUS)
		cpumask_copy(tr->snapshots->memory->pending, cpu_possible_mask);
	else
		cpumask_set_cpu(cpu, tr->snapshots->memory->pending);
	err = snapshot_finish(tr->snapshots->memory);
	wake_up_all(&tr->snapshots->queue);
	return err;
}

/**
 * trace_snapshot_take - take a snapshot, and wait until it is taken
 * @tr: the instance; the caller holds its lock
 * @cpu: of this CPU, or RING_BUFFER_ALL_CPUS
 *
 * May sleep. The first time, memory is allocated for it.
 *
 * Return: 0; -ENOMEM; -EBUSY if the buffer is mapped, a latency tracer runs, or the
 * buffer has another size than the snapshot that somebody is reading.
 */
int trace_snapshot_take(struct trace_array *tr, int cpu)
{
	int err;

	lockdep_assert_held(&tr->lock);
	if (trace_latency_active(tr) || !trace_exchange_begin(&tr->mapping))
		return -EBUSY;
	err = trace_snapshot_alloc(tr);
	if (!err)
		err = snapshot_fit(tr->snapshots->memory);
	if (!err)
		err = snapshot_take(tr, cpu);
	trace_exchange_end(&tr->mapping);
	return err;
}

static void complain(struct trace_array *tr, const char *text)
{
	trace_array_say(tr, _THIS_IP_, text);
}

static void snapshot_is_missing(struct trace_array *tr)
{
	complain(tr, "*** SNAPSHOT NOT ALLOCATED ***\n");
	complain(tr, "*** stopping trace here!   ***\n");
	ring_buffer_record_off(tr->array_buffer.buffer);
}

/**
 * trace_snapshot_now - take a snapshot, whatever the context and the condition
 * @tr: the instance
 *
 * Any context; in NMI, and while the buffer is mapped or a latency tracer runs, it only says in the
 * trace that it is not possible. Without memory for it, see trace_snapshot_arm(), tracing is
 * switched off instead, so that what there is to see stays. Other CPUs exchange their buffers when
 * an interrupt tells them; if snapshots have sent too many interrupts lately, some 10 ms later.
 * CPUs that are down keep what they have. So does one whose buffer is just being given another
 * size; then the trace says so.
 */
void trace_snapshot_now(struct trace_array *tr)
{
	struct trace_snapshot *snapshot;
	bool active;

	if (in_nmi()) {
		complain(tr, "*** SNAPSHOT CALLED FROM NMI CONTEXT ***\n");
		return;
	}
	if (trace_is_mapped(&tr->mapping)) {
		complain(tr, "*** BUFFER MEMORY MAPPED ***\n");
		complain(tr, "*** Can not use snapshot (sorry) ***\n");
		return;
	}
	scoped_guard(irqsave) {
		/* Pairs with the release in snapshot_replace(). */
		snapshot = smp_load_acquire(&tr->snapshots->memory);
		/* After that: see the top of this file. */
		active = trace_latency_active(tr);
		if (snapshot && !active)
			snapshot_take_now(snapshot, U64_MAX);
	}
	if (active) {
		complain(tr, "*** LATENCY TRACER ACTIVE ***\n");
		complain(tr, "*** Can not use snapshot (sorry) ***\n");
	} else if (!snapshot) {
		snapshot_is_missing(tr);
	}
}

#ifdef CONFIG_LATENCY_TRACERS

/**
 * trace_snapshot_kept - where a latency tracer keeps what was recorded
 * @tr: the instance, which has memory for that
 *
 * Context: any.
 * Return: it, which stays until the tracer ends, or for trace_snapshot_hold().
 */
struct array_buffer *trace_snapshot_kept(struct trace_array *tr)
{
	return &tr->snapshots->memory->array;
}

/**
 * trace_latency_starts - something begins here, of which all CPUs' buffers may be kept
 * @tr: the instance, with a latency tracer
 *
 * What this CPU records from now on goes into a buffer which it need not exchange for an
 * earlier maximum any more, unless this interrupted it in the middle of an event.
 *
 * Context: any but NMI, with interrupts off.
 */
void trace_latency_starts(struct trace_array *tr)
{
	snapshot_swap(tr->snapshots->memory, raw_smp_processor_id());
}

/**
 * trace_snapshot_keep - a latency tracer keeps what was recorded
 * @tr: the instance, which has memory for that
 * @report: about what; nothing older than its start is shown, and nothing newer than now
 *
 * If only this CPU's matters, and it is interrupted in the middle of an event or its size is
 * being changed, it keeps its buffer, and that is said instead. Otherwise a CPU in the middle of
 * an event tries again, and one whose size is being changed is said to be missing. Other CPUs are
 * sent an interrupt, or told later, as by trace_snapshot_now(). What such a CPU recorded before
 * it exchanged its buffer for an earlier maximum is gone if it has to do so again; that is said,
 * too. trace_latency_starts() keeps the CPU where something begins from that.
 *
 * Context: any but NMI, with interrupts off.
 */
void trace_snapshot_keep(struct trace_array *tr, const struct latency_report *report)
{
	struct trace_snapshot *snapshot = tr->snapshots->memory;
	struct array_buffer *kept = &snapshot->array;

	kept->cpu = report->everywhere ? RING_BUFFER_ALL_CPUS : report->cpu;
	if (report->everywhere) {
		if (!snapshot_take_now(snapshot, report->start))
			snapshot_say(kept->buffer, "A part was kept for the maximum before\n");
	} else if (ring_buffer_swap_cpu(tr->array_buffer.buffer, kept->buffer, report->cpu)) {
		snapshot_say(kept->buffer, "Failed to swap buffers due to commit in progress\n");
	}
	kept->time_start = report->start;
	kept->from = report->start;
	kept->to = ring_buffer_time_stamp(kept->buffer);
}

#endif
