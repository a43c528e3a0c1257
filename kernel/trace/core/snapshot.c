// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: the content of a buffer at one moment, kept while recording goes on.
 *
 * An instance gets a second buffer of the same size when its first snapshot is taken. A snapshot
 * exchanges the storage of each CPU between the two buffers: nothing is copied, and writers keep
 * writing into the same buffer. The previous snapshot is in the first buffer then, unless it was
 * cleared. snapshot_swap.c makes the exchange.
 *
 * tracing_snapshot() finds the second buffer, trace_snapshots::memory, without a lock:
 *
 *	tracing_snapshot()			snapshot_replace()
 *
 *	interrupts off				memory = NULL, or another buffer
 *	loads memory				sends an interrupt to each CPU
 *	sets bits, queues irq_works		waits for irq_works and work
 *	interrupts on				frees the old memory
 *
 * The interrupt arrives when tracing_snapshot() has queued all irq_works for the memory that it
 * loaded, and no later call finds that memory. Unlike RCU, this also works where RCU is not
 * watching.
 *
 * While a latency tracer runs, the second buffer belongs to the tracer, and tracing_snapshot()
 * does not use it. The tracer gets a buffer of its own:
 *
 *	tracing_snapshot()			trace_latency_begin(), and _end()
 *
 *	interrupts off				active = true
 *	loads memory (acquire)			memory = the tracer's (release)
 *	active? does nothing more		an interrupt to each CPU if memory was not NULL
 *	sets bits, queues irq_works		the tracer runs
 *	interrupts on				memory = NULL, or another (release)
 *						an interrupt to each CPU
 *						active = false
 *
 * A snapshot that loads the tracer's memory finds the tracer active: it sees what was written
 * before the release, and active becomes false only after the last interrupt, which arrives when
 * the snapshot has switched interrupts on again. A snapshot that loads the memory from before
 * ends before the first interrupt, and so before the tracer measures anything. A snapshot that
 * loads NULL, while trace_latency_begin() allocates memory, finds the tracer active, too, and
 * does not report that no memory is allocated.
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
#include <linux/wait.h>

#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "snapshot_internal.h"

static void snapshot_free(struct trace_snapshot *snapshot)
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

DEFINE_FREE(snapshot_free, struct trace_snapshot *, snapshot_free(_T))

/* Only storage of the same size can be exchanged; that includes the storage of offline CPUs. */
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
	/* First the size for CPUs that come up later. This also resizes all other CPUs. */
	err = err ?: snapshot_fit_cpu(main, aside, RING_BUFFER_ALL_CPUS);
	for_each_possible_cpu(cpu)
		err = err ?: snapshot_fit_cpu(main, aside, cpu);
	return err;
}

static struct trace_snapshot *snapshot_new(struct trace_array *tr)
{
	struct trace_snapshot *snapshot __free(snapshot_free) =
		kzalloc(sizeof(*snapshot), GFP_KERNEL);

	if (!snapshot || !zalloc_cpumask_var(&snapshot->pending, GFP_KERNEL) ||
	    !zalloc_cpumask_var(&snapshot->due, GFP_KERNEL))
		return NULL;
	snapshot->users = 1;
	snapshot->array.tr = tr;
	snapshot->array.view.cpu = RING_BUFFER_ALL_CPUS;
	snapshot->array.view.time_start = tr->array_buffer.view.time_start;
	snapshot->cpus = alloc_percpu(struct snapshot_cpu);
	snapshot->array.buffer = ring_buffer_alloc(1, RB_FL_OVERWRITE);
	if (!snapshot->cpus || !snapshot->array.buffer)
		return NULL;
	snapshot_swap_init(snapshot);
	return_ptr(snapshot);
}

/* Return: a snapshot as large as the buffer, or an ERR_PTR(). */
static struct trace_snapshot *snapshot_make(struct trace_array *tr)
{
	struct trace_snapshot *snapshot __free(snapshot_free) = snapshot_new(tr);
	int err;

	if (!snapshot)
		return ERR_PTR(-ENOMEM);
	trace_clock_apply(tr, snapshot->array.buffer);
	err = snapshot_fit(snapshot);
	if (err)
		return ERR_PTR(err);
	return_ptr(snapshot);
}

/*
 * Replace the memory for snapshots by @with, or remove it if @with is NULL. Open files keep reading
 * the old memory; when the last of them is closed, it is freed.
 */
static void snapshot_replace(struct trace_array *tr, struct trace_snapshot *with)
{
	struct trace_snapshot *before = tr->snapshots->memory;

	/* Lockless readers see a complete snapshot. The top of this file has the other rules. */
	smp_store_release(&tr->snapshots->memory, with);
	if (!before)
		return;
	/* A CPU that comes up or goes down meanwhile is not inside of tracing_snapshot(). */
	scoped_guard(cpus_read_lock)
		kick_all_cpus_sync();
	snapshot_swap_end(before);
	if (!--before->users)
		snapshot_free(before);
}

/**
 * trace_snapshot_renew - allocate memory for snapshots, and replace the old memory
 * @tr: the instance; the caller holds its lock
 *
 * Context: may sleep. The old memory, if any, is freed when no file reads it.
 * Return: 0; an errno, and then the old memory is kept.
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
 * trace_snapshot_alloc - allocate memory for snapshots unless there is some
 * @tr: the instance; the caller holds its lock
 *
 * Context: may sleep.
 * Return: 0, also if memory was allocated before; -ENOMEM.
 */
int trace_snapshot_alloc(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshots->memory ? 0 : trace_snapshot_renew(tr);
}

/**
 * trace_snapshot_free - free the memory for snapshots
 * @tr: the instance; the caller holds its lock, or no other code can find the instance any more
 *
 * Context: may sleep. Open files keep reading the memory; when the last of them is closed, it is
 * freed.
 */
void trace_snapshot_free(struct trace_array *tr)
{
	snapshot_replace(tr, NULL);
}

/**
 * trace_snapshot_buffer - get the buffer of an instance's snapshots
 * @tr: the instance; the caller holds its lock
 *
 * Context: tr->lock held.
 * Return: the buffer, or NULL if none is allocated.
 */
struct trace_buffer *trace_snapshot_buffer(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshots->memory ? tr->snapshots->memory->array.buffer : NULL;
}

/**
 * trace_snapshot_fit - give the snapshot the size of the buffer
 * @tr: the instance; the caller holds its lock
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM or -EBUSY. After an error no snapshot can be taken until the sizes agree.
 */
int trace_snapshot_fit(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshots->memory ? snapshot_fit(tr->snapshots->memory) : 0;
}

/**
 * trace_snapshot_settle - make all pending exchanges
 * @tr: the instance; the caller holds its lock
 *
 * Context: may sleep. If the buffer is mapped, pending exchanges are dropped instead.
 */
void trace_snapshot_settle(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	if (tr->snapshots->memory)
		snapshot_finish(tr->snapshots->memory);
}

/**
 * trace_snapshot_hold - begin to read a snapshot that exists
 * @tr: the instance, with memory for snapshots; the caller holds its lock
 *
 * Context: may sleep.
 * Return: the snapshot, to be given to trace_snapshot_put().
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
 * Context: may sleep. Waits until a snapshot that is being taken is complete.
 * Return: the snapshot, to be given to trace_snapshot_put(); NULL if none is allocated.
 */
struct array_buffer *trace_snapshot_get(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	return tr->snapshots->memory ? trace_snapshot_hold(tr) : NULL;
}

/**
 * trace_snapshot_put - end reading a snapshot
 * @array: from trace_snapshot_get(), or NULL
 *
 * Context: may sleep.
 */
void trace_snapshot_put(struct array_buffer *array)
{
	struct trace_snapshot *snapshot;

	if (!array)
		return;
	snapshot = container_of(array, struct trace_snapshot, array);
	guard(mutex)(&array->tr->lock);
	if (!--snapshot->users)
		snapshot_free(snapshot);
}

/**
 * trace_snapshot_wait - wait until a snapshot that is being taken is complete
 * @tr: the instance
 *
 * Context: may sleep.
 */
void trace_snapshot_wait(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	trace_snapshot_settle(tr);
}

/**
 * trace_snapshots_init - initialize an instance's snapshots, without allocating memory for one
 * @tr: the instance, which is not published yet
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
	raw_spin_lock_init(&tr->snapshots->cond.lock);
	return 0;
}

/**
 * trace_snapshots_free - undo trace_snapshots_init(), if it was called
 * @tr: the instance, which no other code can find any more
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
 * Taking a snapshot
 */

static int snapshot_take(struct trace_array *tr, int cpu)
{
	int err;

	tr->snapshots->memory->array.view.time_start = tr->array_buffer.view.time_start;
	if (cpu == RING_BUFFER_ALL_CPUS)
		cpumask_copy(tr->snapshots->memory->pending, cpu_possible_mask);
	else
		cpumask_set_cpu(cpu, tr->snapshots->memory->pending);
	err = snapshot_finish(tr->snapshots->memory);
	wake_up_all(&tr->snapshots->queue);
	return err;
}

/**
 * trace_snapshot_take - take a snapshot, and wait until it is complete
 * @tr: the instance; the caller holds its lock
 * @cpu: CPU whose storage is exchanged, or RING_BUFFER_ALL_CPUS
 *
 * The first call allocates the memory.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; -EBUSY if the buffer is mapped, a latency tracer runs, or the size of the
 * buffer has changed while the snapshot is being read.
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
 * trace_snapshot_now - take a snapshot in any context, without checking the condition
 * @tr: the instance
 *
 * In NMI, and while the buffer is mapped or a latency tracer runs, this only records a message
 * that no snapshot can be taken. If no memory is allocated for snapshots, it records a message and
 * switches tracing off, so that the entries of interest are not overwritten; trace_snapshot_arm()
 * allocates memory. Other CPUs exchange their storage when an interrupt arrives; if snapshots have
 * sent too many interrupts lately, about 10 ms later. CPUs that are offline keep their storage. So
 * does a CPU whose buffer is being resized; then a message in the trace says so.
 *
 * Context: any.
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
		/* Load this after memory: see the top of this file. */
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
 * trace_snapshot_kept - get the buffer that a latency tracer keeps
 * @tr: the instance, with memory for snapshots
 *
 * Context: any.
 * Return: the buffer; valid until the tracer ends, or after trace_snapshot_hold().
 */
struct array_buffer *trace_snapshot_kept(struct trace_array *tr)
{
	return &tr->snapshots->memory->array;
}

/**
 * trace_latency_starts - prepare to measure a latency that involves all CPUs' buffers
 * @tr: the instance, with a latency tracer
 *
 * If the exchange for an earlier maximum is pending on this CPU, make it now, so that entries
 * that this CPU records from now on stay in its buffer. If this call interrupted the CPU in the
 * middle of an event, the exchange stays pending.
 *
 * Context: any but NMI, with interrupts off.
 */
void trace_latency_starts(struct trace_array *tr)
{
	snapshot_swap(tr->snapshots->memory, raw_smp_processor_id());
}

/**
 * trace_snapshot_keep - keep the entries that were recorded during a latency
 * @tr: the instance, with memory for snapshots
 * @report: the latency; readers show no entry older than its start, and none newer than now
 *
 * If @report is about this CPU only, and this call interrupted it in the middle of an event or
 * its buffer is being resized, the CPU keeps its storage, and a message is kept instead. If
 * @report is about all CPUs, a CPU in the middle of an event tries again, and a CPU whose buffer
 * is being resized counts as missing. Other CPUs exchange their storage as after
 * trace_snapshot_now(). If such a CPU still had to exchange its storage for an earlier maximum,
 * it loses what it recorded before that exchange, and a message says so. The CPU where the
 * latency began avoids that with trace_latency_starts().
 *
 * Context: any but NMI, with interrupts off.
 */
void trace_snapshot_keep(struct trace_array *tr, const struct latency_report *report)
{
	struct trace_snapshot *snapshot = tr->snapshots->memory;
	struct array_buffer *kept = &snapshot->array;

	kept->view.cpu = report->everywhere ? RING_BUFFER_ALL_CPUS : report->cpu;
	if (report->everywhere) {
		if (!snapshot_take_now(snapshot, report->start))
			snapshot_say(kept->buffer, "A part was kept for the maximum before\n");
	} else if (ring_buffer_swap_cpu(tr->array_buffer.buffer, kept->buffer, report->cpu)) {
		snapshot_say(kept->buffer, "Failed to swap buffers due to commit in progress\n");
	}
	kept->view.time_start = report->start;
	kept->view.from = report->start;
	kept->view.to = ring_buffer_time_stamp(kept->buffer);
}

#endif
