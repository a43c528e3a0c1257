// SPDX-License-Identifier: GPL-2.0
/*
 * How a snapshot is exchanged for what the buffer holds.
 *
 * The storage of a CPU is exchanged on that CPU, with interrupts off and between two events. A
 * snapshot is asked for by setting the CPUs' bits in trace_snapshot::pending; whoever clears a
 * bit, there, exchanges. Who may sleep calls the other CPUs and waits. tracing_snapshot(), which
 * may be called in the middle of anything, exchanges its own CPU's and sends the others an
 * irq_work: theirs has what they record until it arrives. If it finds a writer in the middle of
 * an event, a work that may sleep tries again.
 *
 * Who waits does so for what was asked for before, as there may be no end to what is asked for
 * meanwhile:
 *
 *	who asks				who waits
 *
 *	interrupts off				asked = 0; was it 0? done
 *	asked = 1				an interrupt on each CPU
 *	sets bits				an interrupt on each CPU, there:
 *	clears its own bit, exchanges		  clears its bit, exchanges
 *	interrupts on				  again, where a writer is interrupted
 *
 * The first interrupt comes when all is asked for that was begun. At the second nobody else is
 * in the middle of an exchange on that CPU: it was done before, or is done now. For CPUs that
 * are down who waits exchanges. One waits at a time (trace_snapshot::finishing), so that the next
 * one finds done what that one found asked for. All is dropped when user space has mapped the
 * buffer, which then is not to be exchanged for anybody.
 *
 * What asks may be a function that such an interrupt calls, too (_raw_spin_lock:snapshot), or a
 * latency tracer for which that takes too long: each interrupt would ask for the next one, and
 * CPUs would have time for nothing else. So a CPU is charged with SNAPSHOT_CHARGE for each, and
 * one in debt for SNAPSHOT_INTERRUPTS of them is not sent another irq_work. Then a work exchanges
 * what is left, after SNAPSHOT_DELAY:
 *
 *	who asks				the work
 *
 *	sets bits				later = 0
 *	(full barrier)				(full barrier)
 *	later = 1; was it 0?			exchanges where bits are set
 *	has the work queued
 *
 * Who finds 1 need not have it queued: the work has not begun to look at the bits.
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
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../lib/irq_work.h"
#include "instance.h"
#include "internal.h"
#include "record.h"
#include "snapshot.h"
#include "snapshot_internal.h"

/*
 * Also one that takes a millisecond, with all there is to find errors with, leaves most of the
 * time to others; some at once are no storm.
 */
#define SNAPSHOT_CHARGE		(4 * NSEC_PER_MSEC)
#define SNAPSHOT_INTERRUPTS	16
#define SNAPSHOT_DELAY		msecs_to_jiffies(10)

/* Until when a CPU is in debt for having been interrupted, for whatever snapshots; local_clock() */
static DEFINE_PER_CPU(u64, snapshot_debt);

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
 * A CPU's buffers differ in size, as they are just being given another one, or are mapped. Or it
 * was never up, and has nothing to exchange. What is recorded now would be too late for a latency
 * tracer.
 */
static void snapshot_say_missed(struct trace_snapshot *snapshot, int cpu, const char *why)
{
	struct trace_array *tr = snapshot->array.tr;
	char text[64];

	if (!ring_buffer_size(tr->array_buffer.buffer, cpu))
		return;
	if (trace_latency_active(tr)) {
		trace_latency_lacks_part(&snapshot->array);
	} else {
		snprintf(text, sizeof(text), "*** SNAPSHOT WITHOUT CPU%d: %s ***\n", cpu, why);
		snapshot_say(tr->array_buffer.buffer, text);
	}
}

/*
 * On @cpu with interrupts off, or by who waits if it is down. Return false where an event was
 * interrupted, for which that is asked for as before.
 */
static bool snapshot_swap(struct trace_snapshot *snapshot, int cpu)
{
	struct trace_array *tr = snapshot->array.tr;
	struct trace_buffer *main = tr->array_buffer.buffer;
	int err;

	/* Who finds the bit clear finds the time. */
	if (cpumask_test_cpu(cpu, snapshot->pending))
		WRITE_ONCE(per_cpu_ptr(snapshot->cpus, cpu)->newest,
			   ring_buffer_newest_event_ts(main, cpu));
	if (!cpumask_test_and_clear_cpu(cpu, snapshot->pending) || READ_ONCE(snapshot->stopped))
		return true;
	err = ring_buffer_swap_cpu(main, snapshot->array.buffer, cpu);
	if (!err)
		atomic_inc_return_release(&tr->snapshots);
	else if (err == -EBUSY)
		cpumask_set_cpu(cpu, snapshot->pending);
	else
		snapshot_say_missed(snapshot, cpu, "SIZES DIFFER");
	return err != -EBUSY;
}

/**
 * snapshot_swap_here - exchange this CPU's storage, if that was asked for
 * @snapshot: for this one
 *
 * If that was interrupted in the middle of an event, it is asked for as before.
 *
 * Context: any but NMI, with interrupts off.
 * Return: false in that case.
 */
bool snapshot_swap_here(struct trace_snapshot *snapshot)
{
	return snapshot_swap(snapshot, smp_processor_id());
}

static void snapshot_swap_due(struct trace_snapshot *snapshot, int cpu)
{
	if (snapshot_swap(snapshot, cpu))
		cpumask_clear_cpu(cpu, snapshot->due);
}

static void snapshot_called(void *snapshot)
{
	snapshot_swap_due(snapshot, smp_processor_id());
}

static void snapshot_swap_all_due(struct trace_snapshot *snapshot)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu_mask(snapshot->due, snapshot_called, snapshot, true);
	for_each_cpu_andnot(cpu, snapshot->due, cpu_online_mask)
		snapshot_swap_due(snapshot, cpu);
}

/* Wait until each CPU has had its interrupts on. */
static void snapshot_sync(void)
{
	guard(cpus_read_lock)();
	kick_all_cpus_sync();
}

static void snapshot_drop(struct trace_snapshot *snapshot, const char *why)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (cpumask_test_and_clear_cpu(cpu, snapshot->pending))
			snapshot_say_missed(snapshot, cpu, why);
}

/* As RB_TRIES in ring_buffer/exclusive.c. */
#define SNAPSHOT_TRIES	10000

/* Exchange where that is due, with @snapshot->finishing held. */
static int snapshot_swap_until_done(struct trace_snapshot *snapshot)
{
	unsigned int i;

	for (i = 0; i < SNAPSHOT_TRIES; i++) {
		if (trace_is_mapped(snapshot->array.tr)) {
			snapshot_drop(snapshot, "BUFFER MAPPED");
			return -EBUSY;
		}
		snapshot_swap_all_due(snapshot);
		if (cpumask_empty(snapshot->due))
			return 0;
		usleep_range(10, 100);
	}
	pr_warn_once("tracing: no snapshot: an event was begun and never ended\n");
	snapshot_drop(snapshot, "WRITER BUSY");
	return -EBUSY;
}

/**
 * snapshot_finish - exchange what was asked for and is still to be exchanged
 * @snapshot: for this one
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if the buffer is mapped, or a writer never ends its event. Then nothing is
 * asked for any more.
 */
int snapshot_finish(struct trace_snapshot *snapshot)
{
	guard(mutex)(&snapshot->finishing);
	if (!atomic_xchg(&snapshot->asked, 0))
		return 0;
	snapshot_sync();
	cpumask_copy(snapshot->due, cpu_possible_mask);
	return snapshot_swap_until_done(snapshot);
}

static void snapshot_rest(struct work_struct *work)
{
	struct trace_snapshot *snapshot =
		container_of(to_delayed_work(work), struct trace_snapshot, rest);

	scoped_guard(mutex, &snapshot->finishing) {
		/* See the top of this file. */
		atomic_xchg(&snapshot->later, 0);
		cpumask_copy(snapshot->due, snapshot->pending);
		snapshot_swap_until_done(snapshot);
	}
	wake_up_all(&snapshot->array.tr->snapshot_queue);
}

/* Is there anything to do behind an exchange on this CPU? */
static bool snapshot_has_rest(struct trace_snapshot *snapshot)
{
	return cpumask_test_cpu(smp_processor_id(), snapshot->pending) ||
	       wq_has_sleeper(&snapshot->array.tr->snapshot_queue);
}

/* Who does not see the last one yet, or has another time by a little, interrupts once more. */
static bool snapshot_has_debts(int cpu)
{
	s64 debt = READ_ONCE(per_cpu(snapshot_debt, cpu)) - local_clock();

	return debt > (s64)(SNAPSHOT_CHARGE * (SNAPSHOT_INTERRUPTS - 1));
}

/* Not without end, as the work has interrupts of its own, one for each instance. */
static void snapshot_charge(void)
{
	u64 *debt = this_cpu_ptr(&snapshot_debt), now = local_clock();

	WRITE_ONCE(*debt, min(max(*debt, now), now + SNAPSHOT_CHARGE * (SNAPSHOT_INTERRUPTS - 1)) +
		   SNAPSHOT_CHARGE);
}

static void snapshot_irq_work(struct irq_work *work)
{
	struct snapshot_cpu *here = container_of(work, struct snapshot_cpu, work);
	struct trace_snapshot *snapshot = here->snapshot;

	snapshot_charge();
	snapshot_swap_here(snapshot);
	if (atomic_read(&snapshot->later))
		schedule_delayed_work(&snapshot->rest, SNAPSHOT_DELAY);
	else if (snapshot_has_rest(snapshot))
		schedule_delayed_work(&snapshot->rest, 0);
}

/* We may have interrupted a writer, or hold what is needed to wake somebody. */
static void snapshot_leave_rest(struct trace_snapshot *snapshot, bool later)
{
	if (later && atomic_xchg(&snapshot->later, 1))
		return;
	trace_irq_work_queue(&this_cpu_ptr(snapshot->cpus)->work);
}

/**
 * snapshot_swap_init - prepare what exchanges
 * @snapshot: of a new one, with its memory for CPUs
 */
void snapshot_swap_init(struct trace_snapshot *snapshot)
{
	int cpu;

	mutex_init(&snapshot->finishing);
	INIT_DELAYED_WORK(&snapshot->rest, snapshot_rest);
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
	cancel_delayed_work_sync(&snapshot->rest);
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
	bool whole = true, later = false;

	atomic_set(&snapshot->asked, 1);
	snapshot->array.time_start = snapshot->array.tr->array_buffer.time_start;
	for_each_online_cpu(cpu) {
		struct snapshot_cpu *other = per_cpu_ptr(snapshot->cpus, cpu);

		if (!cpumask_test_and_set_cpu(cpu, snapshot->pending) &&
		    is_between(READ_ONCE(other->newest), since, now))
			whole = false;
		if (cpu == here)
			continue;
		if (snapshot_has_debts(cpu))
			later = true;
		else
			irq_work_queue_on(&other->work, cpu);
	}
	if (trace_latency_active(snapshot->array.tr) && is_down_with_some(main, since, now))
		trace_latency_lacks_part(&snapshot->array);
	snapshot_swap(snapshot, here);
	if (later || snapshot_has_rest(snapshot))
		snapshot_leave_rest(snapshot, later || snapshot_has_debts(here));
	return whole;
}

/**
 * trace_snapshot_stop - exchange nothing until trace_snapshot_start()
 * @tr: the instance; the caller holds its lock, and clears both buffers
 *
 * What is asked for meanwhile, or not done yet, counts as done, as one empty buffer is like the
 * other.
 *
 * Context: may sleep, tr->lock held.
 */
void trace_snapshot_stop(struct trace_array *tr)
{
	struct trace_snapshot *snapshot = tr->snapshot;

	lockdep_assert_held(&tr->lock);
	if (!snapshot)
		return;
	/* Who waits may be exchanging that of a CPU which is down, any other CPU its own. */
	scoped_guard(mutex, &snapshot->finishing)
		WRITE_ONCE(snapshot->stopped, true);
	snapshot_sync();
}

/**
 * trace_snapshot_start - the opposite
 * @tr: the instance; the caller holds its lock
 *
 * Context: may sleep, tr->lock held.
 */
void trace_snapshot_start(struct trace_array *tr)
{
	if (!tr->snapshot)
		return;
	snapshot_finish(tr->snapshot);
	WRITE_ONCE(tr->snapshot->stopped, false);
}
