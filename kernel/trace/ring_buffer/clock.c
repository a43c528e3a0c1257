// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of a buffer, and time stamps.
 */
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "reserve.h"

/**
 * ring_buffer_set_clock - choose the clock of the time stamps
 * @buffer: the buffer, which should be reset after this
 * @clock: returns nanoseconds or another number that grows; is called in any context, NMI included
 *
 * Context: any.
 */
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void))
{
	WRITE_ONCE(buffer->fast.clock, clock == trace_clock_local ? NULL : clock);
}

/**
 * ring_buffer_time_stamp - read the clock of a buffer
 * @buffer: the buffer
 *
 * Context: any.
 * Return: nanoseconds, or the clock's own unit.
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
 * ring_buffer_set_time_stamp_abs - write an absolute time before each event
 * @buffer: the buffer
 * @abs: true to request it, false to take one request back
 *
 * Takes effect with the next event: each CPU counts the requests in rb_local.usual, at which
 * rb_reserve_usual() and rb_plan() look for each event.
 *
 * Context: any. Nests.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	int cpu;

	atomic_add(abs ? 1 : -1, &buffer->time_stamp_abs);
	for_each_possible_cpu(cpu)
		atomic_add(abs ? -RB_USUAL_NEVER : RB_USUAL_NEVER,
			   &per_cpu_ptr(buffer->fast.local, cpu)->usual);
}

/**
 * ring_buffer_time_stamp_abs - does each event get an absolute time?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if ring_buffer_set_time_stamp_abs() has requested it.
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return atomic_read(&buffer->time_stamp_abs);
}
