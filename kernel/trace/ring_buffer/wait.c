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
 * But what a CPU has stored is seen by others within far less than a tick. So
 * whoever sets a flag that was clear is made to look again after a tick.
 */
#include <linux/export.h>
#include <linux/sched/signal.h>

#include "internal.h"

static void rb_look_again(struct work_struct *work)
{
	struct rb_waiters *waiters = container_of(to_delayed_work(work),
						  struct rb_waiters, again);

	wake_up_all(&waiters->queue);
}

static void rb_wake_work(struct irq_work *work)
{
	struct rb_local *local = container_of(work, struct rb_local, work);

	wake_up_all(&local->waiters.queue);
	wake_up_all(&local->buffer->waiters.queue);
}

/**
 * rb_init_waiters - make a wait queue
 * @waiters: the memory
 */
void rb_init_waiters(struct rb_waiters *waiters)
{
	init_waitqueue_head(&waiters->queue);
	INIT_DELAYED_WORK(&waiters->again, rb_look_again);
}

/**
 * rb_init_local - make a CPU's part of a buffer, without storage
 * @buffer: the buffer
 * @cpu: the CPU
 */
void rb_init_local(struct trace_buffer *buffer, int cpu)
{
	struct rb_local *local = per_cpu_ptr(buffer->local, cpu);

	local->buffer = buffer;
	init_irq_work(&local->work, rb_wake_work);
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
		cancel_delayed_work_sync(&local->waiters.again);
	}
	cancel_delayed_work_sync(&buffer->waiters.again);
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
	irq_work_queue(&local->work);
}

/* Is so much of the ring filled with events not consumed? */
static bool rb_filled(struct rb_cpu *cpu, unsigned int percent)
{
	u32 filled = rb_pos_index(rb_commit_position(cpu)) - READ_ONCE(cpu->read_index) + 1;

	/* What was overwritten is not there, though it has not been skipped yet. */
	if ((s32)filled < 0)
		return false;
	return (u64)min(filled, cpu->nr) * 100 >= (u64)percent * cpu->nr;
}

/**
 * rb_wake_full - a sub-buffer was filled and somebody waits for a watermark
 * @local: the CPU's part
 *
 * Context: any, on that CPU.
 */
void rb_wake_full(struct rb_local *local)
{
	if (!rb_filled(local->cpu, READ_ONCE(local->full)))
		return;
	atomic_andnot(RB_WAKE_FULL, &local->wake);
	irq_work_queue(&local->work);
}

/* Set the flag of one CPU. Return true if it was clear. */
static bool rb_arm_cpu(struct rb_local *local, unsigned int full)
{
	unsigned int flag = full ? RB_WAKE_FULL : RB_WAKE_ANY;
	bool set = atomic_read(&local->wake) & flag;

	/* Too low a mark wakes too often, never too late. */
	if (full && (!set || full < READ_ONCE(local->full)))
		WRITE_ONCE(local->full, full);
	return !(atomic_fetch_or(flag, &local->wake) & flag);
}

/* Ask to be woken. Then one has to look for events. */
static void rb_arm(struct trace_buffer *buffer, int cpu, unsigned int full,
		   struct rb_waiters *waiters)
{
	bool fresh = false;

	if (cpu == RING_BUFFER_ALL_CPUS) {
		for_each_cpu(cpu, buffer->cpumask)
			fresh |= rb_arm_cpu(per_cpu_ptr(buffer->local, cpu), full);
	} else {
		fresh = rb_arm_cpu(per_cpu_ptr(buffer->local, cpu), full);
	}
	if (fresh)
		schedule_delayed_work(&waiters->again, 1);
	/* As at the top of this file. */
	smp_mb();
}

static bool rb_cpu_ready(struct trace_buffer *buffer, int cpu, unsigned int full)
{
	struct rb_cpu *rb = rb_cpu(buffer, cpu);

	if (!rb || ring_buffer_empty_cpu(buffer, cpu))
		return false;
	return !full || rb_filled(rb, full);
}

static bool rb_ready(struct trace_buffer *buffer, int cpu, unsigned int full)
{
	if (cpu != RING_BUFFER_ALL_CPUS)
		return rb_cpu_ready(buffer, cpu, full);
	for_each_cpu(cpu, buffer->cpumask) {
		if (rb_cpu_ready(buffer, cpu, full))
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
 * @full: percentage of the ring that has to be filled; 0: any event will do
 * @cond: another reason to stop waiting; NULL: ring_buffer_wake_waiters()
 * @data: for @cond
 *
 * Context: may sleep.
 * Return: 0, -ERESTARTSYS if a signal came, or -ENODEV if @cpu has no buffer.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	struct rb_waiters *waiters = rb_waiters(buffer, cpu);
	DEFINE_WAIT(wait);
	unsigned int round;
	int ret = 0;

	if (!waiters)
		return -ENODEV;
	round = READ_ONCE(waiters->round);
	for (;;) {
		prepare_to_wait(&waiters->queue, &wait, TASK_INTERRUPTIBLE);
		rb_arm(buffer, cpu, full, waiters);
		if (rb_ready(buffer, cpu, full))
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
 * @full: percentage of the ring that has to be filled; 0: any event will do
 *
 * Context: may sleep.
 * Return: EPOLLIN | EPOLLRDNORM if there are events; EPOLLERR if @cpu has no
 * buffer; else 0.
 */
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu, struct file *filp,
			       poll_table *poll_table, int full)
{
	struct rb_waiters *waiters = rb_waiters(buffer, cpu);

	if (!waiters)
		return EPOLLERR;
	poll_wait(filp, &waiters->queue, poll_table);
	rb_arm(buffer, cpu, full, waiters);
	return rb_ready(buffer, cpu, full) ? EPOLLIN | EPOLLRDNORM : 0;
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
		WRITE_ONCE(waiters->round, waiters->round + 1);
		wake_up_all(&waiters->queue);
	}
	if (cpu == RING_BUFFER_ALL_CPUS) {
		WRITE_ONCE(buffer->waiters.round, buffer->waiters.round + 1);
		wake_up_all(&buffer->waiters.queue);
	}
}
