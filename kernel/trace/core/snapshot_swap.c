// SPDX-License-Identifier: GPL-2.0
/*
 * How a snapshot is exchanged for what the buffer holds.
 *
 * The storage of a CPU is exchanged on that CPU, between two events. A snapshot is
 * asked for by setting the CPUs' bits in trace_snapshot::pending; whoever clears a
 * bit, on that CPU and with interrupts off, exchanges. Who may sleep calls the
 * other CPUs and waits. tracing_snapshot(), which may be called in the middle of
 * anything, exchanges its own CPU's and sends the others an irq_work: theirs has
 * what they record until it arrives. If it finds a writer in the middle of an event,
 * a work that may sleep tries again.
 *
 * A bit is clear before the exchange is done, and may be set again if it is not
 * possible; and that of a CPU may not be set yet when another's is clear again. So who
 * sets or clears bits counts when that is begun and when it is ended:
 *
 *	who exchanges				who waits for it
 *
 *	begun++					e = ended (acquire)
 *	clears a bit (full barrier)		no bit is set?
 *	exchanges, or sets it again		(read barrier)
 *	ended++ (release)			begun == e?
 *
 * If begun is what ended was before, nobody was in between when the bits were looked
 * at: what they ask for is done, and seen. Who asks for a snapshot and waits for it need
 * not count while setting the bits: nobody else waits for these. They are all dropped when
 * user space has mapped the buffer, which then is not to be exchanged for anybody.
 *
 * Files of sub-buffers may wait for a snapshot, in trace_array::snapshot_queue. Who may sleep
 * wakes them; who may not leaves that to a work, if there is anybody:
 *
 *	who exchanges				who waits for a snapshot
 *
 *	exchanges				n = snapshots (acquire)
 *	snapshots++ (release)			finds nothing to be read
 *	(full barrier)				comes to the queue
 *	anybody in the queue?			(full barrier)
 *	has them woken				snapshots == n? sleeps
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/instruction_pointer.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../irq_work.h"
#include "internal.h"
#include "record.h"
#include "snapshot.h"

/**
 * snapshot_say - record in place of what could not be kept
 * @buffer: where
 * @text: with a newline
 *
 * Context: any.
 */
void snapshot_say(struct trace_buffer *buffer, const char *text)
{
	struct ring_buffer_event *event;
	struct print_entry *entry;

	event = ring_buffer_lock_reserve(buffer, sizeof(*entry) + strlen(text) + 1);
	if (!event)
		return;
	entry = ring_buffer_event_data(event);
	trace_entry_init(&entry->ent, TRACE_PRINT, trace_context(preempt_count()));
	entry->ip = _THIS_IP_;
	strcpy(entry->buf, text);
	ring_buffer_unlock_commit(buffer);
}

/*
 * A CPU's buffers differ in size, as they are just being given another one. Or it was never up,
 * and has nothing to exchange. What is recorded now would be too late for a latency tracer.
 */
static void snapshot_say_missed(struct trace_snapshot *snapshot, int cpu)
{
	struct trace_array *tr = snapshot->array.tr;
	char text[64];

	if (!ring_buffer_size(tr->array_buffer.buffer, cpu))
		return;
	if (trace_latency_active(tr)) {
		trace_latency_lacks_part(&snapshot->array);
	} else {
		snprintf(text, sizeof(text), "*** SNAPSHOT WITHOUT CPU%d: SIZES DIFFER ***\n", cpu);
		snapshot_say(tr->array_buffer.buffer, text);
	}
}

/* On @cpu with interrupts off, or with cpus_read_lock() if it is down. */
static void snapshot_swap(struct trace_snapshot *snapshot, int cpu)
{
	struct trace_array *tr = snapshot->array.tr;
	struct trace_buffer *main = tr->array_buffer.buffer;

	atomic_inc(&snapshot->begun);
	/* Who finds the bit clear finds the time. */
	if (cpumask_test_cpu(cpu, snapshot->pending))
		WRITE_ONCE(per_cpu_ptr(snapshot->cpus, cpu)->newest,
			   ring_buffer_newest_event_ts(main, cpu));
	if (cpumask_test_and_clear_cpu(cpu, snapshot->pending) && !READ_ONCE(snapshot->stopped)) {
		int err = ring_buffer_swap_cpu(main, snapshot->array.buffer, cpu);

		if (!err)
			atomic_inc_return_release(&tr->snapshots);
		else if (err == -EBUSY)
			cpumask_set_cpu(cpu, snapshot->pending);
		else
			snapshot_say_missed(snapshot, cpu);
	}
	atomic_inc_return_release(&snapshot->ended);
}

/**
 * snapshot_swap_here - exchange this CPU's storage, if that was asked for
 * @snapshot: for this one
 *
 * If that was interrupted in the middle of an event, it is asked for as before.
 *
 * Context: any but NMI, with interrupts off.
 */
void snapshot_swap_here(struct trace_snapshot *snapshot)
{
	snapshot_swap(snapshot, smp_processor_id());
}

static void snapshot_called(void *snapshot)
{
	snapshot_swap_here(snapshot);
}

static void snapshot_swap_pending(struct trace_snapshot *snapshot)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu_mask(snapshot->pending, snapshot_called, snapshot, true);
	for_each_cpu_andnot(cpu, snapshot->pending, cpu_online_mask)
		snapshot_swap(snapshot, cpu);
}

/* Has everybody exchanged what was to be exchanged? */
static bool snapshot_is_done(struct trace_snapshot *snapshot)
{
	int ended = atomic_read_acquire(&snapshot->ended);
	bool none = cpumask_empty(snapshot->pending);

	/* See the top of this file. */
	smp_rmb();
	return none && atomic_read(&snapshot->begun) == ended;
}

/**
 * snapshot_finish - exchange what is still to be exchanged
 * @snapshot: for this one
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if the buffer is mapped. Then nothing is asked for any more.
 */
int snapshot_finish(struct trace_snapshot *snapshot)
{
	while (!snapshot_is_done(snapshot)) {
		if (trace_is_mapped(snapshot->array.tr)) {
			cpumask_clear(snapshot->pending);
			return -EBUSY;
		}
		snapshot_swap_pending(snapshot);
		if (!snapshot_is_done(snapshot))
			usleep_range(10, 100);
	}
	return 0;
}

static void snapshot_rest(struct work_struct *work)
{
	struct trace_snapshot *snapshot = container_of(work, struct trace_snapshot, rest);

	snapshot_finish(snapshot);
	wake_up_all(&snapshot->array.tr->snapshot_queue);
}

/* Is there anything to do behind an exchange on this CPU? */
static bool snapshot_has_rest(struct trace_snapshot *snapshot)
{
	return cpumask_test_cpu(smp_processor_id(), snapshot->pending) ||
	       wq_has_sleeper(&snapshot->array.tr->snapshot_queue);
}

static void snapshot_irq_work(struct irq_work *work)
{
	struct trace_snapshot *snapshot =
		container_of(work, struct snapshot_cpu, work)->snapshot;

	snapshot_swap_here(snapshot);
	if (snapshot_has_rest(snapshot))
		schedule_work(&snapshot->rest);
}

/**
 * snapshot_swap_init - prepare what exchanges
 * @snapshot: of a new one, with its memory for CPUs
 */
void snapshot_swap_init(struct trace_snapshot *snapshot)
{
	int cpu;

	INIT_WORK(&snapshot->rest, snapshot_rest);
	for_each_possible_cpu(cpu) {
		per_cpu_ptr(snapshot->cpus, cpu)->snapshot = snapshot;
		/* Also where interrupts have threads. */
		per_cpu_ptr(snapshot->cpus, cpu)->work = IRQ_WORK_INIT_HARD(snapshot_irq_work);
	}
}

/**
 * snapshot_swap_end - wait until nothing exchanges any more
 * @snapshot: for this one, which nobody finds any more
 *
 * Context: may sleep.
 */
void snapshot_swap_end(struct trace_snapshot *snapshot)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(snapshot->cpus, cpu)->work);
	cancel_work_sync(&snapshot->rest);
}

/* A time later than now is that of another clock. */
static bool is_between(u64 ts, u64 since, u64 now)
{
	return ts >= since && ts < now;
}

/* Those that went down have recorded something since then. */
static bool is_down_with_some(struct trace_buffer *buffer, u64 since, u64 now)
{
	int cpu;

	for_each_cpu_andnot(cpu, cpu_possible_mask, cpu_online_mask)
		if (is_between(ring_buffer_newest_event_ts(buffer, cpu), since, now))
			return true;
	return false;
}

/**
 * snapshot_take_now - exchange this CPU's storage, and have the others exchange theirs
 * @snapshot: for this one
 * @since: what was recorded since then matters
 *
 * Context: any but NMI, with interrupts off.
 * Return: whether all CPUs' storage holds what was recorded since @since: that of a CPU which
 * recorded something since and exchanged it for an earlier snapshot does not. One that went
 * down since keeps its storage; that is said with what a latency tracer keeps.
 */
bool snapshot_take_now(struct trace_snapshot *snapshot, u64 since)
{
	struct trace_buffer *main = snapshot->array.tr->array_buffer.buffer;
	u64 now = ring_buffer_time_stamp(main);
	int cpu, here = smp_processor_id();
	bool whole = true;

	atomic_inc(&snapshot->begun);
	/* Before the bits. */
	smp_mb__after_atomic();
	snapshot->array.time_start = snapshot->array.tr->array_buffer.time_start;
	for_each_online_cpu(cpu) {
		struct snapshot_cpu *other = per_cpu_ptr(snapshot->cpus, cpu);

		if (!cpumask_test_and_set_cpu(cpu, snapshot->pending) &&
		    is_between(READ_ONCE(other->newest), since, now))
			whole = false;
		if (cpu != here)
			irq_work_queue_on(&other->work, cpu);
	}
	if (trace_latency_active(snapshot->array.tr) && is_down_with_some(main, since, now))
		trace_latency_lacks_part(&snapshot->array);
	snapshot_swap(snapshot, here);
	/* We may have interrupted a writer, or hold what is needed to wake somebody. */
	if (snapshot_has_rest(snapshot))
		trace_irq_work_queue(&this_cpu_ptr(snapshot->cpus)->work);
	atomic_inc_return_release(&snapshot->ended);
	return whole;
}

/**
 * trace_snapshot_stop - exchange nothing until trace_snapshot_start()
 * @tr: the instance; the caller holds its lock, and clears both buffers
 *
 * What is asked for meanwhile counts as done, as one empty buffer is like the other.
 *
 * Context: may sleep, tr->lock held.
 */
void trace_snapshot_stop(struct trace_array *tr)
{
	struct trace_snapshot *snapshot = tr->snapshot;

	lockdep_assert_held(&tr->lock);
	if (!snapshot)
		return;
	WRITE_ONCE(snapshot->stopped, true);
	/* Who began later sees that: clearing the bit is a barrier. */
	smp_mb();
	while (atomic_read_acquire(&snapshot->ended) != atomic_read(&snapshot->begun))
		usleep_range(10, 100);
}

/**
 * trace_snapshot_start - the opposite
 * @tr: the instance; the caller holds its lock
 *
 * Context: tr->lock held.
 */
void trace_snapshot_start(struct trace_array *tr)
{
	if (tr->snapshot)
		WRITE_ONCE(tr->snapshot->stopped, false);
}
