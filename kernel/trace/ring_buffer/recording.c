// SPDX-License-Identifier: GPL-2.0
/*
 * Switching recording on and off, and choosing which events a full buffer loses.
 */
#include <linux/export.h>

#include "internal.h"
#include "reserve.h"

/**
 * ring_buffer_record_disable - stop recording
 * @buffer: the buffer
 *
 * Writers that have begun an event may still commit it. synchronize_rcu() waits for those of them
 * that RCU watches.
 *
 * Context: any. Nests; ring_buffer_record_enable() undoes one call.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->fast.disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable);

/**
 * ring_buffer_record_enable - undo one ring_buffer_record_disable()
 * @buffer: the buffer
 *
 * Context: any.
 */
void ring_buffer_record_enable(struct trace_buffer *buffer)
{
	atomic_dec(&buffer->fast.disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_record_disable_cpu - stop recording on a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any. Nests; ring_buffer_record_enable_cpu() undoes one call.
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (cpu_possible(cpu))
		atomic_inc(&per_cpu_ptr(buffer->fast.local, cpu)->disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable_cpu);

/**
 * ring_buffer_record_enable_cpu - undo one ring_buffer_record_disable_cpu()
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 */
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (cpu_possible(cpu))
		atomic_dec(&per_cpu_ptr(buffer->fast.local, cpu)->disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable_cpu);

/**
 * ring_buffer_record_off - switch the buffer off
 * @buffer: the buffer
 *
 * Does not nest: one ring_buffer_record_on() undoes any number of these.
 *
 * Context: any.
 */
void ring_buffer_record_off(struct trace_buffer *buffer)
{
	atomic_or(RB_DISABLED_OFF, &buffer->fast.disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_off);

/**
 * ring_buffer_record_on - switch the buffer on
 * @buffer: the buffer
 *
 * Undoes ring_buffer_record_off(), but not ring_buffer_record_disable().
 *
 * Context: any.
 */
void ring_buffer_record_on(struct trace_buffer *buffer)
{
	atomic_andnot(RB_DISABLED_OFF, &buffer->fast.disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_on);

/**
 * ring_buffer_record_is_on - does the buffer take events?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if it is neither off nor disabled.
 */
bool ring_buffer_record_is_on(struct trace_buffer *buffer)
{
	return !atomic_read(&buffer->fast.disabled);
}

/**
 * ring_buffer_record_is_set_on - is the buffer switched on?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if it is switched on, even if it is disabled.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->fast.disabled) & RB_DISABLED_OFF);
}

/**
 * ring_buffer_record_is_on_cpu - does a CPU's part take events?
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: true if the CPU has storage, and neither the buffer nor the CPU's part is off or
 * disabled.
 */
bool ring_buffer_record_is_on_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_cpu(buffer, cpu) && rb_may_write(buffer, per_cpu_ptr(buffer->fast.local, cpu));
}

/**
 * ring_buffer_change_overwrite - choose which events a full buffer loses
 * @buffer: the buffer
 * @on: nonzero: the oldest events, which are overwritten; zero: the new ones
 *
 * Context: any, one caller at a time.
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int on)
{
	unsigned int flags = buffer->flags & ~RB_FL_OVERWRITE;

	WRITE_ONCE(buffer->flags, flags | (on ? RB_FL_OVERWRITE : 0));
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);
