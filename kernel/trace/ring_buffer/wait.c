// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for events.
 *
 * A waiter sets a flag on each CPU that it waits for, then looks for events once more before it
 * sleeps. After each commit the outermost writer looks at the flag. If the flag is set, the writer
 * clears it and wakes the waiters once, through an irq_work. So an event pays one load for this,
 * and more only if it wakes somebody.
 *
 *	reader				writer
 *
 *	wake |= flag			commit = pos
 *	(full barrier)			(none)
 *	anything committed?		wake & flag?
 *
 * Without a barrier on the right, a wake-up can be lost: the writer may read the flag before other
 * CPUs see its commit. Then the writer sees no flag and the reader no event, and the reader sleeps
 * on unless there is a next event. But the barrier would cost each event more than all the rest of
 * its commit. Other CPUs see what a CPU has stored within far less than a tick. So when a waiter
 * has set a flag of a CPU that was clear, a timer makes all waiters of that CPU look again more
 * than a tick later, as if an event had come (ring_test_wait_unseen tests this). This is enough for
 * each of these waiters, not only for the waiter that set the flag:
 *
 * - A waiter that finds the flag set, and looks before the timer expires, looks again then.
 * - A waiter that looks after the timer has expired sees what was committed before the flag was
 *   set.
 * - If a writer clears the flag, and a waiter sets it once more, the timer expires later. But the
 *   writer wakes all waiters of that CPU, by either flag. When they look after this wake-up, one of
 *   the first two cases applies.
 *
 * The waiter could instead send an interrupt (IPI) to the CPU whose flag it has set, which would
 * be the missing barrier. But a poll() of all CPUs sets a flag on each possible CPU. So it would
 * interrupt every CPU that records, also isolated and idle ones, and even if it finds an event at
 * once. Such an interrupt would also be traced: its events would wake the waiter, which then
 * sends the next one. The late look costs one timer.
 *
 * A waiter that waits for a watermark sets the mark together with the flag, unless a lower mark is
 * set. A mark that is too low wakes too often, but never too late: the waiter looks, and sets its
 * own mark. The flag and the mark are in one word. If a waiter sets a lower mark after a writer
 * has looked at the mark, the writer clears that mark, too, and wakes that waiter as well.
 */
#include "../lib/irq_work.h"
#include "internal.h"

/* Delay of rb_part.again in ticks; a timer of one tick may expire in less than that. */
#define RB_LOOK_AGAIN	2

/* Wake all that wait for this CPU, including those that wait for all CPUs. */
static void rb_wake_all(struct rb_part *part)
{
	wake_up_all(&part->waiters.queue);
	wake_up_all(&part->buffer->waiters.queue);
}

static void rb_look_again(struct work_struct *work)
{
	rb_wake_all(container_of(to_delayed_work(work), struct rb_part, again));
}

static void rb_wake_work(struct irq_work *work)
{
	rb_wake_all(container_of(work, struct rb_part, work));
}

/**
 * rb_init_part - initialize a CPU's part of a buffer, without storage
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; no other code uses the buffer yet.
 */
void rb_init_part(struct trace_buffer *buffer, int cpu)
{
	struct rb_part *part = per_cpu_ptr(buffer->parts, cpu);

	part->buffer = buffer;
	init_irq_work(&part->work, rb_wake_work);
	INIT_DELAYED_WORK(&part->again, rb_look_again);
	init_waitqueue_head(&part->waiters.queue);
}

/**
 * rb_stop_waiters - wait until no work of this file uses a buffer any more
 * @buffer: the buffer, which has no writers and no waiters
 *
 * Context: may sleep.
 */
void rb_stop_waiters(struct trace_buffer *buffer)
{
	struct rb_part *part;
	int cpu;

	for_each_possible_cpu(cpu) {
		part = per_cpu_ptr(buffer->parts, cpu);
		irq_work_sync(&part->work);
		cancel_delayed_work_sync(&part->again);
	}
}

/**
 * rb_wake - wake waiters because an event was committed
 * @local: the CPU's part, with RB_WAKE_ANY set
 *
 * Context: any, on that CPU.
 */
void rb_wake(struct rb_local *local)
{
	atomic_andnot(RB_WAKE_ANY, &local->wake);
	trace_irq_work_queue(&rb_part(local)->work);
}

/* Is at least @percent of the ring filled with events that were not consumed? */
static bool rb_filled(struct rb_cpu *cpu, unsigned int percent)
{
	u32 filled = rb_pos_index(rb_commit_position(cpu)) - READ_ONCE(cpu->read_index) + 1;

	/* The reader may have moved past the commit that was read: the difference is negative. */
	if (filled >= -cpu->nr)
		return false;
	/* Overwritten sub-buffers do not count, even if the reader has not skipped them yet. */
	return (u64)min(filled, cpu->nr) * 100 >= (u64)percent * cpu->nr;
}

static unsigned int rb_mark(int wake)
{
	return (wake & RB_WAKE_MARK) >> RB_MARK_SHIFT;
}

/**
 * rb_wake_full - wake waiters if a watermark is reached, after a sub-buffer was filled
 * @local: the CPU's part, with RB_WAKE_FULL set
 *
 * Context: any, on that CPU.
 */
void rb_wake_full(struct rb_local *local)
{
	if (!rb_filled(local->cpu, rb_mark(atomic_read(&local->wake))))
		return;
	atomic_andnot(RB_WAKE_FULL | RB_WAKE_MARK, &local->wake);
	trace_irq_work_queue(&rb_part(local)->work);
}

/**
 * struct rb_goal - the condition that a waiter waits for
 * @percent: percentage of the ring that has to be filled; 0: any event will do
 * @whole: the ring has to have a sub-buffer that writers have left
 */
struct rb_goal {
	unsigned int	percent;
	bool		whole;
};

/*
 * Does a single sub-buffer with any event reach the goal? Then writers may reach it without
 * crossing to another sub-buffer, so the flag for any event is needed.
 */
static bool rb_low_goal(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	unsigned long nr = ring_buffer_size(buffer, cpu) / rb_data_size(buffer->order);

	return !goal->whole && goal->percent * nr <= 100;
}

/* Set the mark of one CPU. Return false if a mark was set that is at least as low. */
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

/* Set the flag of one CPU that suits the goal. Return false if it was set before. */
static bool rb_set_flag(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	atomic_t *wake = &per_cpu_ptr(buffer->fast.local, cpu)->wake;

	if (rb_low_goal(buffer, cpu, goal))
		return !(atomic_fetch_or(RB_WAKE_ANY, wake) & RB_WAKE_ANY);
	return rb_set_mark(wake, goal->percent);
}

/* Make the writers of one CPU wake waiters. */
static void rb_arm_cpu(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	if (rb_set_flag(buffer, cpu, goal))
		mod_delayed_work(system_wq, &per_cpu_ptr(buffer->parts, cpu)->again,
				 RB_LOOK_AGAIN);
}

/* Have writers left a sub-buffer that has unread events? */
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
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	return rb && rb_unread(rb) && (!goal->percent || rb_filled(rb, goal->percent)) &&
	       (!goal->whole || rb_whole(rb));
}

/* Ask for a wake-up, and look for events after that. */
static bool rb_arm_and_look(struct trace_buffer *buffer, int cpu, const struct rb_goal *goal)
{
	const struct cpumask *cpus = rb_cpus(buffer, cpu);
	int i;

	/* Include CPUs that come up later, for the first time. */
	for_each_cpu(i, cpu == RING_BUFFER_ALL_CPUS ? cpu_possible_mask : cpus)
		rb_arm_cpu(buffer, i, goal);
	/* The full barrier in the comment at the top of this file. */
	smp_mb();
	for_each_cpu(i, cpus)
		if (rb_cpu_ready(buffer, i, goal))
			return true;
	return false;
}

static struct rb_waiters *rb_waiters(struct trace_buffer *buffer, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		return &buffer->waiters;
	return rb_cpu(buffer, cpu) ? &per_cpu_ptr(buffer->parts, cpu)->waiters : NULL;
}

/**
 * ring_buffer_wait - sleep until there are events
 * @buffer: the buffer
 * @cpu: the CPU to wait for, or RING_BUFFER_ALL_CPUS
 * @full: percentage of the ring that has to be filled, including a sub-buffer that writers have
 *	left; 0: any event will do
 * @cond: returns true to stop waiting; NULL: ring_buffer_wake_waiters() stops it
 * @data: passed to @cond
 *
 * Context: may sleep.
 * Return: 0; -ERESTARTSYS if a signal came; -ENODEV if @cpu has no storage.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	const struct rb_goal goal = { .percent = full, .whole = full };
	struct rb_waiters *waiters = rb_waiters(buffer, cpu);
	unsigned int round;

	if (!waiters)
		return -ENODEV;
	round = READ_ONCE(waiters->round);
	return wait_event_interruptible(waiters->queue, rb_arm_and_look(buffer, cpu, &goal) ||
					(cond ? cond(data) : READ_ONCE(waiters->round) != round));
}

/**
 * ring_buffer_poll_wait - poll for events
 * @buffer: the buffer
 * @cpu: the CPU to wait for, or RING_BUFFER_ALL_CPUS
 * @filp: the file that is polled
 * @poll_table: the poll table
 * @full: percentage of the ring of @cpu that has to be filled; 0: any event will do. Ignored for
 *	RING_BUFFER_ALL_CPUS: any event will do
 *
 * Context: may sleep.
 * Return: EPOLLIN | EPOLLRDNORM if there are events; EPOLLERR if @cpu has no storage; else 0.
 */
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu, struct file *filp,
			       poll_table *poll_table, int full)
{
	const struct rb_goal goal = { .percent = cpu == RING_BUFFER_ALL_CPUS ? 0 : full };
	struct rb_waiters *waiters = rb_waiters(buffer, cpu);

	if (!waiters)
		return EPOLLERR;
	poll_wait(filp, &waiters->queue, poll_table);
	return rb_arm_and_look(buffer, cpu, &goal) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Wake all in the queue, whether or not there are events. */
static void rb_wake_round(struct rb_waiters *waiters)
{
	WRITE_ONCE(waiters->round, waiters->round + 1);
	wake_up_all(&waiters->queue);
}

/**
 * ring_buffer_wake_waiters - wake waiters, whether or not there are events
 * @buffer: the buffer
 * @cpu: wake tasks that wait for this CPU; RING_BUFFER_ALL_CPUS: wake all waiters
 *
 * Context: process or interrupt.
 */
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu)
{
	int i;

	for_each_cpu(i, rb_cpus(buffer, cpu))
		rb_wake_round(&per_cpu_ptr(buffer->parts, i)->waiters);
	if (cpu == RING_BUFFER_ALL_CPUS)
		rb_wake_round(&buffer->waiters);
}
