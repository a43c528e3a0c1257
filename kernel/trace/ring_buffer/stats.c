// SPDX-License-Identifier: GPL-2.0
/*
 * Letting writers in and out, clocks, and counters.
 *
 * Each event counts once: written when it is committed, and from then on either
 * still there, or read, or overwritten; or else refused (dropped, or a commit
 * overrun). So what is there is the difference, with no counting of its own.
 */
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/trace_clock.h>

#include "reserve.h"

/**
 * ring_buffer_record_disable - let no more events in
 * @buffer: the buffer
 *
 * Events that were begun may still be committed; synchronize_rcu() waits for
 * their writers, where RCU watches them.
 *
 * Context: any. Nests; ring_buffer_record_enable() is the reverse.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable);

/**
 * ring_buffer_record_enable - the reverse of ring_buffer_record_disable()
 * @buffer: the buffer
 *
 * Context: any.
 */
void ring_buffer_record_enable(struct trace_buffer *buffer)
{
	atomic_dec(&buffer->disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_record_disable_cpu - let no more events of a CPU in
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any. Nests; ring_buffer_record_enable_cpu() is the reverse.
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (cpu_possible(cpu))
		atomic_inc(&per_cpu_ptr(buffer->local, cpu)->disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable_cpu);

/**
 * ring_buffer_record_enable_cpu - the reverse of ring_buffer_record_disable_cpu()
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 */
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu)
{
	if (cpu_possible(cpu))
		atomic_dec(&per_cpu_ptr(buffer->local, cpu)->disabled);
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
	atomic_or(RB_DISABLED_OFF, &buffer->disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_off);

/**
 * ring_buffer_record_on - the reverse of ring_buffer_record_off()
 * @buffer: the buffer
 *
 * Context: any.
 */
void ring_buffer_record_on(struct trace_buffer *buffer)
{
	atomic_andnot(RB_DISABLED_OFF, &buffer->disabled);
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
	return !atomic_read(&buffer->disabled);
}

/**
 * ring_buffer_record_is_set_on - is the buffer switched on?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if it is not off, whether or not it is disabled too.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->disabled) & RB_DISABLED_OFF);
}

/**
 * ring_buffer_record_is_on_cpu - does a CPU's part take events?
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: true if it has a part and nothing forbids to write to it.
 */
bool ring_buffer_record_is_on_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_cpu(buffer, cpu) && rb_may_write(buffer, per_cpu_ptr(buffer->local, cpu));
}

/**
 * ring_buffer_change_overwrite - choose which events are lost when it is full
 * @buffer: the buffer
 * @on: nonzero: the oldest; zero: the new ones
 *
 * Context: any, one caller at a time.
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int on)
{
	unsigned int flags = buffer->flags & ~RB_FL_OVERWRITE;

	WRITE_ONCE(buffer->flags, flags | (on ? RB_FL_OVERWRITE : 0));
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);

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
 * ring_buffer_normalize_time_stamp - make nanoseconds of a time stamp
 * @buffer: the buffer
 * @cpu: the CPU
 * @ts: the time stamp; as it is, it is what users want already
 *
 * Context: any.
 */
void ring_buffer_normalize_time_stamp(struct trace_buffer *buffer, int cpu, u64 *ts)
{
}
EXPORT_SYMBOL_GPL(ring_buffer_normalize_time_stamp);

/**
 * ring_buffer_set_time_stamp_abs - put an absolute time in front of each event
 * @buffer: the buffer
 * @abs: true to ask for that, false to ask no longer
 *
 * Context: any. Nests.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	atomic_add(abs ? 1 : -1, &buffer->time_stamp_abs);
}

/**
 * ring_buffer_time_stamp_abs - has each event an absolute time?
 * @buffer: the buffer
 *
 * Context: any.
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return atomic_read(&buffer->time_stamp_abs);
}

/*
 * The sub-buffer that committed is in can be newer than commit for a moment;
 * then the events in it are not counted yet.
 */
static unsigned long rb_written(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);
	const struct rb_subbuf *subbuf = READ_ONCE(cpu->committed);
	unsigned long first = READ_ONCE(subbuf->first);

	if (READ_ONCE(subbuf->index) != rb_pos_index(commit))
		return first;
	return first + rb_pos_events(commit);
}

static unsigned long rb_entries(struct rb_cpu *cpu)
{
	unsigned long gone = READ_ONCE(cpu->read_events) + local_read(&cpu->overrun);
	unsigned long written = rb_written(cpu);

	/* While writers are at work the parts need not fit. */
	return (long)(written - gone) > 0 ? written - gone : 0;
}

static unsigned long rb_overrun(struct rb_cpu *cpu)
{
	return local_read(&cpu->overrun);
}

static unsigned long rb_commit_overrun(struct rb_cpu *cpu)
{
	return local_read(&cpu->commit_overrun);
}

static unsigned long rb_dropped(struct rb_cpu *cpu)
{
	return local_read(&cpu->dropped);
}

static unsigned long rb_read_events(struct rb_cpu *cpu)
{
	return READ_ONCE(cpu->read_events);
}

static unsigned long rb_bytes(struct rb_cpu *cpu)
{
	unsigned long gone = local_read(&cpu->overrun_bytes) + READ_ONCE(cpu->read_bytes) +
			     (cpu->reading ? cpu->cursor.pos : 0);
	unsigned long written = READ_ONCE(cpu->finished_bytes) +
				rb_pos_bytes(rb_commit_position(cpu));

	return (long)(written - gone) > 0 ? written - gone : 0;
}

static unsigned long rb_count(struct trace_buffer *buffer, int cpu,
			      unsigned long (*count)(struct rb_cpu *cpu))
{
	unsigned long nr, flags;
	struct rb_cpu *rb = rb_lock_reader(buffer, cpu, &flags);

	if (!rb)
		return 0;
	nr = count(rb);
	rb_unlock_reader(rb, flags);
	return nr;
}

static unsigned long rb_count_all(struct trace_buffer *buffer,
				  unsigned long (*count)(struct rb_cpu *cpu))
{
	unsigned long sum = 0;
	int cpu;

	for_each_cpu(cpu, buffer->cpumask)
		sum += rb_count(buffer, cpu, count);
	return sum;
}

/**
 * ring_buffer_entries_cpu - events of a CPU that can be read
 * @buffer: the buffer
 * @cpu: the CPU
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_entries);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_entries - events that can be read
 * @buffer: the buffer
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer)
{
	return rb_count_all(buffer, rb_entries);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries);

/**
 * ring_buffer_overrun_cpu - events of a CPU that were overwritten
 * @buffer: the buffer
 * @cpu: the CPU
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_overruns - events that were overwritten
 * @buffer: the buffer
 */
unsigned long ring_buffer_overruns(struct trace_buffer *buffer)
{
	return rb_count_all(buffer, rb_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_overruns);

/**
 * ring_buffer_commit_overrun_cpu - events refused for too many nested writers
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Writers that interrupted one that was not done filled the whole ring, or were
 * too many, or came just while the storage was being changed.
 */
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_commit_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_commit_overrun_cpu);

/**
 * ring_buffer_dropped_events_cpu - events refused since a CPU's part was full
 * @buffer: the buffer
 * @cpu: the CPU
 */
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_dropped);
}
EXPORT_SYMBOL_GPL(ring_buffer_dropped_events_cpu);

/**
 * ring_buffer_read_events_cpu - events of a CPU that were consumed
 * @buffer: the buffer
 * @cpu: the CPU
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_read_events);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_bytes_cpu - bytes of a CPU that can be read
 * @buffer: the buffer
 * @cpu: the CPU
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_bytes);
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/* The time of the oldest event in the ring, if the reader has none left. */
static u64 rb_oldest_in_ring(struct rb_cpu *cpu)
{
	u32 slot = cpu->read_slot;
	u64 word, again = READ_ONCE(cpu->slots[slot]);
	u64 ts;

	if (rb_slot_index(again) != cpu->read_index)
		slot = rb_next_slot(cpu, slot);
	again = READ_ONCE(cpu->slots[slot]);
	do {
		word = again;
		ts = READ_ONCE(rb_slot_subbuf(cpu, word)->page->time_stamp);
		/* Pairs with the exchange in rb_prepare_slot(). */
		smp_rmb();
		again = READ_ONCE(cpu->slots[slot]);
	} while (word != again);
	return ts;
}

/**
 * ring_buffer_oldest_event_ts - the time of the oldest event of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: its time stamp, or 0 if there is none.
 */
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu)
{
	struct rb_cursor cursor;
	unsigned long flags;
	struct rb_cpu *rb;
	u64 ts = 0;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return 0;
	cursor = rb->cursor;
	if (rb->reading)
		cursor.end = rb_committed_bytes(rb, rb->reader, rb_commit_position(rb));
	if (!(rb->reading && rb_cursor_event(&cursor, &ts)) && rb_unread(rb))
		ts = rb_oldest_in_ring(rb);
	rb_unlock_reader(rb, flags);
	return ts;
}
EXPORT_SYMBOL_GPL(ring_buffer_oldest_event_ts);
