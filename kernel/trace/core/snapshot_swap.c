// SPDX-License-Identifier: GPL-2.0
/*
 * How a snapshot is exchanged for the contents of the buffer.
 *
 * The storage of a CPU is exchanged on that CPU, with interrupts off and between two events. A
 * CPU's bit in trace_snapshot::pending is set while its storage has to be exchanged. A caller
 * that may sleep calls the other CPUs and waits. tracing_snapshot(), which may be called in the
 * middle of any code, exchanges the storage of its own CPU and sends the other CPUs an irq_work:
 * events that they record until it arrives belong to the snapshot, too.
 *
 * Such an interrupt may call a function that takes a snapshot (_raw_spin_lock:snapshot). Without
 * a limit each interrupt would cause the next one, and CPUs would have time for nothing else. So
 * SNAPSHOT_BURST snapshots in SNAPSHOT_WINDOW send interrupts. For other snapshots, and for a
 * CPU that was in the middle of an event, a work does the pending exchanges, SNAPSHOT_DELAY later:
 *
 *	tracing_snapshot()			the work
 *
 *	sets bits				later = 0
 *	(full barrier)				(full barrier)
 *	later = 1; was it 0?			exchanges where bits are set
 *	has the work queued
 *
 * A snapshot that finds 1 need not queue the work, which has not begun to look at the bits.
 *
 * A CPU clears its bit after the exchange. So where a bit is clear, the exchange is complete for
 * each tracing_snapshot() that has returned. A snapshot that finds the bit set needs no exchange
 * of its own, even if one is under way: the CPU has interrupts off until it has cleared the bit,
 * so it has recorded nothing since the exchange, but for NMIs. snapshot_finish() copies the bits
 * once, as other snapshots may set them again at any time, and waits for the exchange on these
 * CPUs. It exchanges the storage of offline CPUs itself. Pending exchanges are dropped when user
 * space has mapped the buffer, whose pages then have to stay where they are.
 *
 * Readers of sub-buffers may wait for a snapshot, in trace_snapshots::queue. A caller that
 * may sleep wakes them. Any other caller lets the work wake them, if there are readers:
 *
 *	exchange				reader
 *
 *	exchanges				n = taken (acquire)
 *	taken++ (release)			finds nothing to be read
 *	(full barrier)				enters the queue
 *	a reader in the queue?			(full barrier)
 *	has the work wake them			taken == n? sleeps
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/instruction_pointer.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../lib/irq_work.h"
#include "instance.h"
#include "internal.h"
#include "record.h"
#include "snapshot.h"
#include "snapshot_internal.h"

#define SNAPSHOT_BURST		16
#define SNAPSHOT_WINDOW		msecs_to_jiffies(64)
#define SNAPSHOT_DELAY		msecs_to_jiffies(10)

/**
 * snapshot_say - record a message about entries that are missing
 * @buffer: the buffer to record into
 * @text: the message, which ends with a newline
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
 * Report that a CPU's storage was not exchanged: the sizes of its buffers differ, as they are
 * being resized, or the buffer is mapped. A CPU that was never up has no storage, and nothing to
 * report. A latency tracer sets a flag instead of recording a message: readers do not show
 * entries that are recorded after the latency.
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

/**
 * snapshot_swap - exchange the storage of a CPU, if that is pending
 * @snapshot: for this snapshot
 * @cpu: the CPU that this runs on, or one that is down
 *
 * Context: any but NMI, with interrupts off; for a CPU that is down, @snapshot->finishing and
 * cpus_read_lock() held.
 * Return: false if this interrupted the CPU in the middle of an event. The exchange is still
 * pending then.
 */
bool snapshot_swap(struct trace_snapshot *snapshot, int cpu)
{
	struct trace_array *tr = snapshot->array.tr;
	struct trace_buffer *main = tr->array_buffer.buffer;
	int err;

	if (!cpumask_test_cpu(cpu, snapshot->pending))
		return true;
	if (!READ_ONCE(snapshot->stopped)) {
		/*
		 * Store @newest before clearing this CPU's pending bit: snapshot_take_now() reads
		 * it after it sees the bit clear.
		 */
		WRITE_ONCE(per_cpu_ptr(snapshot->cpus, cpu)->newest,
			   ring_buffer_newest_event_ts(main, cpu));
		err = ring_buffer_swap_cpu(main, snapshot->array.buffer, cpu);
		if (err == -EBUSY)
			return false;
		if (err)
			snapshot_say_missed(snapshot, cpu, "SIZES DIFFER");
		else
			atomic_inc_return_release(&tr->snapshots->taken);
	}
	/* A full barrier: pairs with snapshot_finish(), and with snapshot_take_now(). */
	cpumask_test_and_clear_cpu(cpu, snapshot->pending);
	return true;
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

/* Exchange the storage of the CPUs in @snapshot->due, with @snapshot->finishing held. */
static int snapshot_swap_until_done(struct trace_snapshot *snapshot)
{
	unsigned int tries = 0;

	do {
		if (trace_is_mapped(&snapshot->array.tr->mapping)) {
			snapshot_drop(snapshot, "BUFFER MAPPED");
			return -EBUSY;
		}
		snapshot_swap_all_due(snapshot);
		if (cpumask_empty(snapshot->due))
			return 0;
	} while (ring_buffer_await_writer(&tries));
	pr_warn_once("tracing: no snapshot: an event was begun and never ended\n");
	snapshot_drop(snapshot, "WRITER BUSY");
	return -EBUSY;
}

/**
 * snapshot_finish - make all pending exchanges
 * @snapshot: the snapshot
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if the buffer is mapped, or a writer never ends its event. Then all pending
 * exchanges are dropped.
 */
int snapshot_finish(struct trace_snapshot *snapshot)
{
	guard(mutex)(&snapshot->finishing);
	cpumask_copy(snapshot->due, snapshot->pending);
	/* If a bit is clear, the caller sees the exchanged storage: pairs with snapshot_swap(). */
	smp_rmb();
	return cpumask_empty(snapshot->due) ? 0 : snapshot_swap_until_done(snapshot);
}

static void snapshot_rest(struct work_struct *work)
{
	struct trace_snapshot *snapshot =
		container_of(to_delayed_work(work), struct trace_snapshot, rest);

	/* See the top of this file. */
	atomic_xchg(&snapshot->later, 0);
	snapshot_finish(snapshot);
	wake_up_all(&snapshot->array.tr->snapshots->queue);
}

/* Is there anything left to do after an exchange on this CPU? */
static bool snapshot_has_rest(struct trace_snapshot *snapshot)
{
	return cpumask_test_cpu(smp_processor_id(), snapshot->pending) ||
	       wq_has_sleeper(&snapshot->array.tr->snapshots->queue);
}

static void snapshot_irq_work(struct irq_work *work)
{
	struct trace_snapshot *snapshot = container_of(work, struct snapshot_cpu, work)->snapshot;

	snapshot_swap(snapshot, smp_processor_id());
	if (atomic_read(&snapshot->later) || snapshot_has_rest(snapshot))
		schedule_delayed_work(&snapshot->rest, SNAPSHOT_DELAY);
}

/* The caller may hold locks that queueing a work needs, so an irq_work of this CPU queues it. */
static void snapshot_leave_rest(struct trace_snapshot *snapshot)
{
	if (!atomic_xchg(&snapshot->later, 1))
		trace_irq_work_queue(&this_cpu_ptr(snapshot->cpus)->work);
}

/* May a snapshot send interrupts? SNAPSHOT_BURST may in SNAPSHOT_WINDOW, for all instances. */
static bool snapshot_may_interrupt(void)
{
	static unsigned long window;
	static atomic_t sent;
	unsigned long begin = READ_ONCE(window), now = jiffies;

	if (time_after(now, begin + SNAPSHOT_WINDOW) && cmpxchg(&window, begin, now) == begin)
		atomic_set(&sent, 0);
	return atomic_read(&sent) < SNAPSHOT_BURST && atomic_inc_return(&sent) <= SNAPSHOT_BURST;
}

/**
 * snapshot_swap_init - initialize the irq_works, the work and the lock of a snapshot
 * @snapshot: a new snapshot, with its per-CPU memory
 *
 * Context: any.
 */
void snapshot_swap_init(struct trace_snapshot *snapshot)
{
	int cpu;

	mutex_init(&snapshot->finishing);
	INIT_DELAYED_WORK(&snapshot->rest, snapshot_rest);
	for_each_possible_cpu(cpu) {
		per_cpu_ptr(snapshot->cpus, cpu)->snapshot = snapshot;
		/* The irq_work runs in hard interrupt context, also with PREEMPT_RT. */
		per_cpu_ptr(snapshot->cpus, cpu)->work = IRQ_WORK_INIT_HARD(snapshot_irq_work);
	}
}

/**
 * snapshot_swap_end - wait until no irq_work or work makes an exchange
 * @snapshot: the snapshot, which no other code can find any more
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

/* Is @ts in the range? A time later than @now is from another clock. */
static bool is_between(u64 ts, u64 since, u64 now)
{
	return ts >= since && ts < now;
}

/* Has an offline CPU recorded something since then? */
static bool is_down_with_some(struct trace_buffer *buffer, u64 since, u64 now)
{
	int cpu;

	for_each_cpu_andnot(cpu, cpu_possible_mask, cpu_online_mask)
		if (is_between(ring_buffer_newest_event_ts(buffer, cpu), since, now))
			return true;
	return false;
}

/**
 * snapshot_take_now - exchange this CPU's storage, and make the other CPUs exchange theirs
 * @snapshot: the snapshot
 * @since: time of the oldest entries that matter
 *
 * An offline CPU keeps its storage. If it has recorded something since @since, what a latency
 * tracer keeps is marked as incomplete.
 *
 * Context: any but NMI, with interrupts off.
 * Return: true if the storage of all online CPUs holds all entries since @since; false if a CPU
 * has exchanged some of them for an earlier snapshot.
 */
bool snapshot_take_now(struct trace_snapshot *snapshot, u64 since)
{
	struct trace_buffer *main = snapshot->array.tr->array_buffer.buffer;
	bool whole = true, interrupt = snapshot_may_interrupt();
	u64 now = ring_buffer_time_stamp(main);
	int cpu, here = smp_processor_id();

	snapshot->array.view.time_start = snapshot->array.tr->array_buffer.view.time_start;
	for_each_online_cpu(cpu) {
		struct snapshot_cpu *other = per_cpu_ptr(snapshot->cpus, cpu);

		/* Pairs with snapshot_swap(): a CPU writes its time before it clears its bit. */
		if (!cpumask_test_and_set_cpu(cpu, snapshot->pending) &&
		    is_between(READ_ONCE(other->newest), since, now))
			whole = false;
		if (interrupt && cpu != here)
			irq_work_queue_on(&other->work, cpu);
	}
	if (trace_latency_active(snapshot->array.tr) && is_down_with_some(main, since, now))
		trace_latency_lacks_part(&snapshot->array);
	snapshot_swap(snapshot, here);
	if (!interrupt || snapshot_has_rest(snapshot))
		snapshot_leave_rest(snapshot);
	return whole;
}

/**
 * trace_snapshot_stop - make no exchanges until trace_snapshot_start()
 * @tr: the instance; the caller holds its lock, and clears both buffers
 *
 * Exchanges that are pending, or requested until then, count as done without being made: both
 * buffers are empty, and it does not matter which one records.
 *
 * Context: may sleep, tr->lock held.
 */
void trace_snapshot_stop(struct trace_array *tr)
{
	struct trace_snapshot *snapshot = tr->snapshots->memory;

	lockdep_assert_held(&tr->lock);
	if (!snapshot)
		return;
	/*
	 * snapshot_finish() may be making an exchange for an offline CPU: the mutex waits for
	 * it. Other CPUs make their own, with interrupts off: snapshot_sync() waits for these.
	 */
	scoped_guard(mutex, &snapshot->finishing)
		WRITE_ONCE(snapshot->stopped, true);
	snapshot_sync();
}

/**
 * trace_snapshot_start - allow exchanges again after trace_snapshot_stop()
 * @tr: the instance; the caller holds its lock
 *
 * Context: may sleep, tr->lock held.
 */
void trace_snapshot_start(struct trace_array *tr)
{
	if (!tr->snapshots->memory)
		return;
	snapshot_finish(tr->snapshots->memory);
	WRITE_ONCE(tr->snapshots->memory->stopped, false);
}
