// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for events.
 *
 * Who is about to sleep sets a flag for the CPUs that it waits for and looks
 * again; the outermost writer looks at the flag after each commit and, if it is
 * set, clears it and wakes, once, through an irq_work. So events that nobody
 * waits for cost one load and waiting costs nothing per event.
 *
 *	reader				writer
 *
 *	wake |= flag			commit = pos
 *	(full barrier)			(none)
 *	anything committed?		wake & flag?
 *
 * The barrier that is missing on the right would cost each event more than all
 * the rest of its commit. Without it a writer may read the flag before others
 * see its commit; then both sides miss each other, unless there is a next event.
 * But what a CPU has stored is seen by others within far less than a tick. So when
 * a flag of a CPU that was clear has been set, all who wait for that CPU are made
 * to look again more than a tick later, as if an event had come. This is enough for
 * each of them, not only for who set the flag:
 *
 * - Who finds the flag set and looks before that time is made to look then.
 * - Who looks later sees what was committed before the flag was set.
 * - If a writer clears the flag, and it is set once more, that time is put off. But
 *   the writer's wake-up is for all who wait for that CPU, too, by either flag, and
 *   who looks after it is one of the two above.
 *
 * Who waits for a watermark sets it together with the flag, unless a lower one is set:
 * too low a mark wakes too often, never too late. Whom it wakes looks, and sets his own.
 * As the flag and the mark are one word, a writer that clears a lower mark than it has
 * looked at wakes whoever set that, too.
 */
#include <linux/export.h>
#include <linux/sched/signal.h>

#include "../lib/irq_work.h"
#include "internal.h"

/* Timers of one tick may have less than that to go. */
#define RB_LOOK_AGAIN	2

/* All who wait for this CPU. */
static void rb_wake_all(struct rb_local *local)
{
	wake_up_all(&local->waiters.queue);
	wake_up_all(&local->buffer->waiters.queue);
}

static void rb_look_again(struct work_struct *work)
{
	rb_wake_all(container_of(to_delayed_work(work), struct rb_local, again));
}

static void rb_wake_work(struct irq_work *work)
{
	rb_wake_all(container_of(work, struct rb_local, work));
}

/**
 * rb_init_waiters - make a wait queue
 * @waiters: the memory
 *
 * Context: any; nobody else knows it yet.
 */
void rb_init_waiters(struct rb_waiters *waiters)
{
	init_waitqueue_head(&waiters->queue);
}

/**
 * rb_init_local - make a CPU's part of a buffer, without storage
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; nobody else knows the buffer yet.
 */
void rb_init_local(struct trace_buffer *buffer, int cpu)
{
	struct rb_local *local = per_cpu_ptr(buffer->local, cpu);

	local->buffer = buffer;
	init_irq_work(&local->work, rb_wake_work);
	INIT_DELAYED_WORK(&local->again, rb_look_again);
	rb_init_waiters(&local->waiters);
}

/**
 * rb_stop_waiters - wait until nothing here uses a buffer any more
 * @buffer: the buffer, which nobody writes to or waits for
 *
 * Context: may sleep.
 */
void rb_stop_waiters(struct trace_buffer *buffer)
{
	struct rb_local *local;
	int cpu;

	for_each_possible_cpu(cpu) {
		local = per_cpu_ptr(buffer->local, cpu);
		irq_work_sync(&local->work);
		cancel_delayed_work_sync(&local->again);
	}
}

/**
 * rb_wake - an event was committed that somebody waits for
 * @local: the CPU's part
 *
 * Context: any, on that CPU.
 */
void rb_wake(struct rb_local *local)
{
	atomic_andnot(RB_WAKE_ANY, &local->wake);
	trace_irq_work_queue(&local->work);
}

/* Is so much of the ring filled with events not consumed? */
static bool rb_filled(struct rb_cpu *cpu, unsigned int percent)
{
	u32 filled = rb_pos_index(rb_commit_position(cpu)) - READ_ONCE(cpu->read_index) + 1;

	/* The reader may have gone on since. */
	if (filled >= -cpu->nr)
		return false;
	/* What was overwritten is not there, though it has not been skipped yet. */
	return (u64)min(filled, cpu->nr) * 100 >= (u64)percent * cpu->nr;
}

static unsigned int rb_mark(int wake)
{
	return (wake & RB_WAKE_MARK) >> RB_MARK_SHIFT;
}

/**
 * rb_wake_full - a sub-buffer was filled and somebody waits for a watermark
 * @local: the CPU's part
 *
 * Context: any, on that CPU.
 */
void rb_wake_full(struct rb_local *local)
{
	if (!rb_filled(local->cpu, rb_mark(atomic_read(&local->wake))))
		return;
	atomic_andnot(RB_WAKE_FULL | RB_WAKE_MARK, &local->wake);
	trace_irq_work_queue(&local->work);
}

/**
 * struct rb_goal - what somebody waits for
 * @percent: how much of the ring has to be filled; 0: any event will do
 * @whole: it has to have a sub-buffer that writers have left
 */
struct rb_goal {
	unsigned int	percent;
	bool		whole;
};

/* Can it be reached in between two crossings? Then by the first event of a sub-buffer. */
static bool rb_low_goal(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	unsigned long nr = ring_buffer_size(buffer, cpu) / rb_data_size(buffer->order);

	return !goal->whole && goal->percent * nr <= 100;
}

/* Set the mark of one CPU. Returns false if it was as low before. */
static bool rb_set_mark(atomic_t *wake, unsigned int percent)
{
	int old = atomic_read(wake), new;

	do {
		if (old & RB_WAKE_FULL && rb_mark(old) <= percent)
			return false;
		new = (old & ~RB_WAKE_MARK) | RB_WAKE_FULL | percent << RB_MARK_SHIFT;
	} while (!atomic_try_cmpxchg(wake, &old, new));
	return true;
}

/* Set a flag of one CPU. Returns false if it was set before. */
static bool rb_set_flag(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	atomic_t *wake = &per_cpu_ptr(buffer->local, cpu)->wake;

	if (rb_low_goal(buffer, cpu, goal))
		return !(atomic_fetch_or(RB_WAKE_ANY, wake) & RB_WAKE_ANY);
	return rb_set_mark(wake, goal->percent);
}

/* Have one CPU wake. */
static void rb_arm_cpu(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	if (rb_set_flag(buffer, cpu, goal))
		mod_delayed_work(system_wq, &per_cpu_ptr(buffer->local, cpu)->again,
				 RB_LOOK_AGAIN);
}

/* Ask to be woken. Then one has to look for events. */
static void rb_arm(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	if (cpu == RING_BUFFER_ALL_CPUS) {
		/* One that comes up for the first time wakes, too. */
		for_each_possible_cpu(cpu)
			rb_arm_cpu(buffer, cpu, goal);
	} else {
		rb_arm_cpu(buffer, cpu, goal);
	}
	/* As at the top of this file. */
	smp_mb();
}

/* Have writers left a sub-buffer that is not read yet? */
static bool rb_whole(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	if (cpu->reading && cpu->reader->index != rb_pos_index(commit) &&
	    cpu->cursor.pos < rb_committed_bytes(cpu, cpu->reader, commit))
		return true;
	return rb_index_behind(cpu->read_index, commit);
}

static bool rb_cpu_ready(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	unsigned long flags;
	struct rb_cpu *rb;
	bool ready;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return false;
	ready = rb_unread(rb) && (!goal->percent || rb_filled(rb, goal->percent)) &&
		(!goal->whole || rb_whole(rb));
	rb_unlock_reader(rb, flags);
	return ready;
}

static bool rb_ready(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	if (cpu != RING_BUFFER_ALL_CPUS)
		return rb_cpu_ready(buffer, cpu, goal);
	for_each_cpu(cpu, buffer->cpumask) {
		if (rb_cpu_ready(buffer, cpu, goal))
			return true;
	}
	return false;
}

static struct rb_waiters *rb_waiters(struct trace_buffer *buffer, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return &buffer->waiters;
	return rb_cpu(buffer, cpu) ? &per_cpu_ptr(buffer->local, cpu)->waiters : NULL;
}

/**
 * ring_buffer_wait - sleep until there are events
 * @buffer: the buffer
 * @cpu: the CPU to wait for, or RING_BUFFER_ALL_CPUS
 * @full: percentage of the ring that has to be filled, and a whole sub-buffer with
 *	it; 0: any event will do
 * @cond: another reason to stop waiting; NULL: ring_buffer_wake_waiters()
 * @data: for @cond
 *
 * Context: may sleep.
 * Return: 0, -ERESTARTSYS if a signal came, or -ENODEV if @cpu has no buffer.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	const struct rb_goal goal = { .percent = full, .whole = full };
	struct rb_waiters *waiters = rb_waiters(buffer, cpu);
	DEFINE_WAIT(wait);
	unsigned int round;
	int ret = 0;

	if (!waiters)
		return -ENODEV;
	round = READ_ONCE(waiters->round);
	for (;;) {
		prepare_to_wait(&waiters->queue, &wait, TASK_INTERRUPTIBLE);
		rb_arm(buffer, cpu, &goal);
		if (rb_ready(buffer, cpu, &goal))
			break;
		if (cond ? cond(data) : READ_ONCE(waiters->round) != round)
			break;
		if (signal_pending(current)) {
			ret = -ERESTARTSYS;
			break;
		}
		schedule();
	}
	finish_wait(&waiters->queue, &wait);
	return ret;
}

/**
 * ring_buffer_poll_wait - poll for events
 * @buffer: the buffer
 * @cpu: the CPU to wait for, or RING_BUFFER_ALL_CPUS
 * @filp: the file polled
 * @poll_table: the poll
 * @full: percentage of the ring of @cpu that has to be filled; 0, or all CPUs: any event
 *	will do
 *
 * Context: may sleep.
 * Return: EPOLLIN | EPOLLRDNORM if there are events; EPOLLERR if @cpu has no
 * buffer; else 0.
 */
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu, struct file *filp,
			       poll_table *poll_table, int full)
{
	const struct rb_goal goal = { .percent = cpu == RING_BUFFER_ALL_CPUS ? 0 : full };
	struct rb_waiters *waiters = rb_waiters(buffer, cpu);

	if (!waiters)
		return EPOLLERR;
	poll_wait(filp, &waiters->queue, poll_table);
	rb_arm(buffer, cpu, &goal);
	return rb_ready(buffer, cpu, &goal) ? EPOLLIN | EPOLLRDNORM : 0;
}

/**
 * ring_buffer_wake_waiters - have readers look again, whether or not there are events
 * @buffer: the buffer
 * @cpu: wake those who wait for this CPU; RING_BUFFER_ALL_CPUS: all
 *
 * Context: process or interrupt.
 */
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu)
{
	struct rb_waiters *waiters;
	int i;

	for_each_cpu(i, buffer->cpumask) {
		if (cpu != RING_BUFFER_ALL_CPUS && cpu != i)
			continue;
		waiters = rb_waiters(buffer, i);
		if (!waiters)
			continue;
		WRITE_ONCE(waiters->round, waiters->round + 1);
		wake_up_all(&waiters->queue);
	}
	if (cpu == RING_BUFFER_ALL_CPUS) {
		WRITE_ONCE(buffer->waiters.round, buffer->waiters.round + 1);
		wake_up_all(&buffer->waiters.queue);
	}
}
