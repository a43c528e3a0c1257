// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: what a buffer holds at one moment, kept while recording goes on.
 *
 * An instance gets a second buffer of the same size when its first snapshot is
 * taken. To take one is to exchange the storage of each CPU between the two, so
 * nothing is copied, and what recorded into the first goes on doing so. What was
 * aside before is in the first buffer then, unless it was cleared.
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
 *
 * tracing_snapshot() finds the second buffer without a lock:
 *
 *	tracing_snapshot()			snapshot_replace()
 *
 *	interrupts off				tr->snapshot = NULL, or another
 *	loads tr->snapshot			an interrupt on each CPU
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
 *	loads tr->snapshot (acquire)		tr->snapshot = its own (release)
 *	active? then that is all		an interrupt on each CPU, if there was another
 *	sets bits, queues irq_works		...
 *	interrupts on				tr->snapshot = NULL, or another (release)
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
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/instruction_pointer.h>
#include <linux/irq_work.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/trace.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "internal.h"
#include "record.h"

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
 * @begun: how often somebody began to set or clear bits in it
 * @ended: how often somebody was done with that, and what it is for
 * @cpus: for each CPU
 * @rest: exchanges that of all CPUs in @pending
 */
struct trace_snapshot {
	struct array_buffer		array;
	unsigned int			users;
	cpumask_var_t			pending;
	bool				stopped;
	atomic_t			begun;
	atomic_t			ended;
	struct snapshot_cpu __percpu	*cpus;
	struct work_struct		rest;
};

/*
 * Exchanging
 */

/* In place of what could not be kept. */
static void snapshot_say(struct trace_buffer *buffer, const char *text)
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

static void snapshot_say_lost(struct trace_buffer *buffer)
{
	snapshot_say(buffer, "Failed to swap buffers due to commit in progress\n");
}

/*
 * A CPU's buffers differ in size, as they are just being given another one. Or it was never up,
 * and has nothing to exchange.
 */
static void snapshot_say_missed(struct trace_snapshot *snapshot, int cpu)
{
	struct trace_array *tr = snapshot->array.tr;
	char text[64];

	if (trace_latency_active(tr)) {
		snapshot_say_lost(snapshot->array.buffer);
	} else if (ring_buffer_size(tr->array_buffer.buffer, cpu)) {
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

static void snapshot_swap_here(void *snapshot)
{
	snapshot_swap(snapshot, smp_processor_id());
}

static void snapshot_swap_pending(struct trace_snapshot *snapshot)
{
	int cpu;

	guard(cpus_read_lock)();
	on_each_cpu_mask(snapshot->pending, snapshot_swap_here, snapshot, true);
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

/* Exchange what is still to be exchanged. May sleep. Returns 0 or -EBUSY. */
static int snapshot_finish(struct trace_snapshot *snapshot)
{
	while (!snapshot_is_done(snapshot)) {
		if (atomic_read(&snapshot->array.tr->mapped)) {
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

/*
 * Memory
 */

static void snapshot_release(struct trace_snapshot *snapshot)
{
	if (!snapshot)
		return;
	if (snapshot->array.buffer)
		ring_buffer_free(snapshot->array.buffer);
	free_percpu(snapshot->cpus);
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
	int cpu;

	if (!snapshot || !zalloc_cpumask_var(&snapshot->pending, GFP_KERNEL))
		return NULL;
	snapshot->users = 1;
	snapshot->array.tr = tr;
	snapshot->array.cpu = RING_BUFFER_ALL_CPUS;
	snapshot->array.time_start = tr->array_buffer.time_start;
	INIT_WORK(&snapshot->rest, snapshot_rest);
	snapshot->cpus = alloc_percpu(struct snapshot_cpu);
	snapshot->array.buffer = ring_buffer_alloc(1, RB_FL_OVERWRITE);
	if (!snapshot->cpus || !snapshot->array.buffer)
		return NULL;
	for_each_possible_cpu(cpu) {
		per_cpu_ptr(snapshot->cpus, cpu)->snapshot = snapshot;
		/* Also where interrupts have threads. */
		per_cpu_ptr(snapshot->cpus, cpu)->work = IRQ_WORK_INIT_HARD(snapshot_irq_work);
	}
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
	struct trace_snapshot *before = tr->snapshot;
	int cpu;

	/* Who finds it without the lock finds all of it; for the rest see the top of this file. */
	smp_store_release(&tr->snapshot, with);
	if (!before)
		return;
	/* A CPU that comes or goes is not among these. */
	scoped_guard(cpus_read_lock)
		kick_all_cpus_sync();
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(before->cpus, cpu)->work);
	cancel_work_sync(&before->rest);
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
int trace_snapshot_renew(struct trace_array *tr)
{
	struct trace_snapshot *snapshot;

	lockdep_assert_held(&tr->lock);
	snapshot = snapshot_make(tr);
	if (IS_ERR(snapshot))
		return PTR_ERR(snapshot);
	snapshot_replace(tr, snapshot);
	return 0;
}

/**
 * trace_snapshot_alloc - have memory for snapshots
 * @tr: the instance; the caller holds its lock
 *
 * May sleep.
 *
 * Return: 0, also if there is memory already; -ENOMEM; -EBUSY while the buffer is mapped or
 * read, and cannot get the size that it is to have in use.
 */
int trace_snapshot_alloc(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	return tr->snapshot ? 0 : trace_snapshot_renew(tr);
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
	return tr->snapshot ? tr->snapshot->array.buffer : NULL;
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
	return tr->snapshot ? snapshot_fit(tr->snapshot) : 0;
}

/**
 * trace_snapshot_settle - exchange all that was asked for
 * @tr: the instance, which has memory for snapshots; the caller holds its lock
 *
 * May sleep. While the buffer is mapped nothing is exchanged, and nothing is asked for any more.
 */
void trace_snapshot_settle(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	snapshot_finish(tr->snapshot);
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
	tr->snapshot->users++;
	return &tr->snapshot->array;
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
	return tr->snapshot ? trace_snapshot_hold(tr) : NULL;
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

/*
 * Taking one
 */

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
	if (atomic_read(&tr->mapped) || trace_latency_active(tr))
		return -EBUSY;
	err = trace_snapshot_alloc(tr);
	if (err)
		return err;
	err = snapshot_fit(tr->snapshot);
	if (err)
		return err;
	tr->snapshot->array.time_start = tr->array_buffer.time_start;
	if (cpu == RING_BUFFER_ALL_CPUS)
		cpumask_copy(tr->snapshot->pending, cpu_possible_mask);
	else
		cpumask_set_cpu(cpu, tr->snapshot->pending);
	err = snapshot_finish(tr->snapshot);
	wake_up_all(&tr->snapshot_queue);
	return err;
}

/*
 * With interrupts off. Returns whether all CPUs' storage holds what was recorded since @since:
 * that of a CPU which recorded something since and exchanged it for an earlier snapshot does
 * not.
 */
static bool snapshot_take_now(struct trace_snapshot *snapshot, u64 since)
{
	u64 now = ring_buffer_time_stamp(snapshot->array.tr->array_buffer.buffer);
	int cpu, here = smp_processor_id();
	bool whole = true;

	atomic_inc(&snapshot->begun);
	/* Before the bits. */
	smp_mb__after_atomic();
	snapshot->array.time_start = snapshot->array.tr->array_buffer.time_start;
	for_each_online_cpu(cpu) {
		struct snapshot_cpu *other = per_cpu_ptr(snapshot->cpus, cpu);

		/* A time later than now is that of another clock. */
		if (!cpumask_test_and_set_cpu(cpu, snapshot->pending) &&
		    READ_ONCE(other->newest) >= since && READ_ONCE(other->newest) < now)
			whole = false;
		if (cpu != here)
			irq_work_queue_on(&other->work, cpu);
	}
	snapshot_swap(snapshot, here);
	/* We may have interrupted a writer, or hold what is needed to wake somebody. */
	if (snapshot_has_rest(snapshot))
		irq_work_queue(&this_cpu_ptr(snapshot->cpus)->work);
	atomic_inc_return_release(&snapshot->ended);
	return whole;
}

static void complain(struct trace_array *tr, const char *text)
{
	if (tr == trace_top)
		__trace_puts(_THIS_IP_, text, strlen(text));
	else
		trace_array_printk(tr, _THIS_IP_, "%s", text);
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
 * Any context; in NMI, and while the buffer is mapped or a latency tracer runs, it only
 * says in the trace that it is not possible. Without memory for it, see
 * trace_snapshot_arm(), tracing is switched off instead, so that what there is to see
 * stays. CPUs that are down keep what they have. So does one whose buffer is just being given
 * another size; then the trace says so.
 */
void trace_snapshot_now(struct trace_array *tr)
{
	struct trace_snapshot *snapshot;
	bool active;

	if (in_nmi()) {
		complain(tr, "*** SNAPSHOT CALLED FROM NMI CONTEXT ***\n");
		return;
	}
	if (atomic_read(&tr->mapped)) {
		complain(tr, "*** BUFFER MEMORY MAPPED ***\n");
		complain(tr, "*** Can not use snapshot (sorry) ***\n");
		return;
	}
	scoped_guard(irqsave) {
		/* Pairs with the release in snapshot_replace(). */
		snapshot = smp_load_acquire(&tr->snapshot);
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
	return &tr->snapshot->array;
}

/**
 * trace_snapshot_is_due - has this CPU not exchanged its buffer yet for what was kept last?
 * @tr: the instance, which has memory for that
 *
 * Context: any, with interrupts off.
 * Return: true or false.
 */
bool trace_snapshot_is_due(struct trace_array *tr)
{
	return cpumask_test_cpu(raw_smp_processor_id(), tr->snapshot->pending);
}

/**
 * trace_snapshot_hurry - let this CPU do so now
 * @tr: the instance
 *
 * If it was interrupted in the middle of an event it still has to.
 *
 * Context: any but NMI, with interrupts off.
 */
void trace_snapshot_hurry(struct trace_array *tr)
{
	snapshot_swap_here(tr->snapshot);
}

/**
 * trace_snapshot_keep - a latency tracer keeps what was recorded
 * @tr: the instance, which has memory for that
 * @report: about what; nothing older than its start is shown, and nothing newer than now
 *
 * A CPU that is interrupted in the middle of an event keeps its buffer, as it does while
 * the size is being changed; then that is said instead. Other CPUs are sent an interrupt. What
 * such a CPU recorded before it exchanged its buffer for an earlier maximum is gone if it has
 * to do so again; that is said, too. trace_snapshot_hurry() keeps the CPU where something
 * begins from that.
 *
 * Context: any but NMI, with interrupts off.
 */
void trace_snapshot_keep(struct trace_array *tr, const struct latency_report *report)
{
	struct trace_snapshot *snapshot = tr->snapshot;
	struct array_buffer *kept = &snapshot->array;

	kept->cpu = report->everywhere ? RING_BUFFER_ALL_CPUS : report->cpu;
	if (report->everywhere) {
		if (!snapshot_take_now(snapshot, report->start))
			snapshot_say(kept->buffer, "A part was kept for the maximum before\n");
	} else if (ring_buffer_swap_cpu(tr->array_buffer.buffer, kept->buffer, report->cpu)) {
		snapshot_say_lost(kept->buffer);
	}
	kept->time_start = report->start;
	kept->from = report->start;
	kept->to = ring_buffer_time_stamp(kept->buffer);
}

#endif
