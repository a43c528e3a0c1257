// SPDX-License-Identifier: GPL-2.0
/*
 * Time: which clock, and how it gets into the buffer.
 */
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "reserve.h"

/**
 * ring_buffer_set_clock - choose the clock of the time stamps
 * @buffer: the buffer, which should be reset after this
 * @clock: returns nanoseconds, or something else that grows; any context
 *
 * Context: any.
 */
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void))
{
	WRITE_ONCE(buffer->clock, clock == trace_clock_local ? NULL : clock);
}

/**
 * ring_buffer_time_stamp - what the clock of a buffer says
 * @buffer: the buffer
 *
 * Context: any.
 * Return: that: nanoseconds, or whatever the clock counts.
 */
u64 ring_buffer_time_stamp(struct trace_buffer *buffer)
{
	u64 ts;

	preempt_disable_notrace();
	ts = rb_clock(buffer);
	preempt_enable_notrace();
	return ts;
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp);

/**
 * ring_buffer_set_time_stamp_abs - put an absolute time in front of each event
 * @buffer: the buffer
 * @abs: true to ask for that, false to ask no longer
 *
 * From the next event on: whatever is asked for, rb_reserve_usual() goes by one number
 * per CPU, and so does what it leaves to rb_plan().
 *
 * Context: any. Nests.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	int cpu;

	atomic_add(abs ? 1 : -1, &buffer->time_stamp_abs);
	for_each_possible_cpu(cpu)
		atomic_add(abs ? -RB_USUAL_NEVER : RB_USUAL_NEVER,
			   &per_cpu_ptr(buffer->local, cpu)->usual);
}

/**
 * ring_buffer_time_stamp_abs - has each event an absolute time?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if somebody has asked for that.
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return atomic_read(&buffer->time_stamp_abs);
}
