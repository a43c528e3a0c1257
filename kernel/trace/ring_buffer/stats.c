// SPDX-License-Identifier: GPL-2.0
/*
 * The size and the counters.
 *
 * A committed event counts as written, and then as exactly one of: still there, read,
 * overwritten. An event that is refused counts as dropped or as a commit overrun. So the number
 * of events that are still there needs no counter: it is a difference.
 */
#include <linux/export.h>
#include <linux/rcupdate.h>

#include "internal.h"

/**
 * rb_written - the number of committed events
 * @cpu: the storage
 *
 * rb_cpu.committed can be one sub-buffer ahead of rb_fast_cpu.commit for a moment. The events in
 * that sub-buffer are not counted then.
 *
 * Context: any, reader_lock held.
 * Return: number of events since the storage was emptied.
 */
u64 rb_written(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);
	const struct rb_subbuf *subbuf = READ_ONCE(cpu->committed);
	/* Load first before index: if index is that of commit, then first belongs to it. */
	u64 first = smp_load_acquire(&subbuf->first);

	if (READ_ONCE(subbuf->index) != rb_pos_index(commit))
		return first;
	return first + rb_pos_events(commit);
}

static unsigned long rb_entries(struct rb_cpu *cpu)
{
	unsigned long gone = READ_ONCE(cpu->read_events) + local_read(&cpu->overrun);
	unsigned long written = rb_written(cpu);

	/* Writers may have changed one of these numbers and not yet another one. */
	return (long)(written - gone) > 0 ? written - gone : 0;
}

static unsigned long rb_overrun(struct rb_cpu *cpu)
{
	return local_read(&cpu->overrun);
}

static unsigned long rb_count(struct trace_buffer *buffer, int cpu,
			      unsigned long (*count)(struct rb_cpu *cpu))
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	return rb ? count(rb) : 0;
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
 * ring_buffer_size - the size of a CPU's part
 * @buffer: the buffer
 * @cpu: the CPU; RING_BUFFER_ALL_CPUS: any CPU that comes up for the first time
 *
 * Context: any.
 * Return: bytes of events; 0 if @cpu has no storage.
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb;

	if (cpu == RING_BUFFER_ALL_CPUS)
		return READ_ONCE(buffer->nr) * rb_data_size(READ_ONCE(buffer->order));
	guard(rcu)();
	rb = rb_cpu(buffer, cpu);
	return rb ? READ_ONCE(rb->nr) * rb_data_size(READ_ONCE(rb->order)) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_entries_cpu - the number of events of a CPU that can be read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events; 0 if the CPU has no storage or rb_lock() fails.
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_entries);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_entries - the number of events that can be read
 * @buffer: the buffer
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events, without those of CPUs for which rb_lock() fails.
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer)
{
	return rb_count_all(buffer, rb_entries);
}
EXPORT_SYMBOL_GPL(ring_buffer_entries);

/**
 * ring_buffer_overrun_cpu - the number of events of a CPU that were overwritten
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events; 0 if the CPU has no storage or rb_lock() fails.
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	return rb_count(buffer, cpu, rb_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_overruns - the number of events that were overwritten
 * @buffer: the buffer
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events, without those of CPUs for which rb_lock() fails.
 */
unsigned long ring_buffer_overruns(struct trace_buffer *buffer)
{
	return rb_count_all(buffer, rb_overrun);
}
EXPORT_SYMBOL_GPL(ring_buffer_overruns);

/**
 * ring_buffer_commit_overrun_cpu - the number of events refused because of nested writers
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * An event is refused when writers that interrupted an unfinished one have filled the whole ring,
 * when too many writers are nested, and in an NMI that comes while the storage is being changed.
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events; 0 if the CPU has no storage or rb_lock() fails.
 */
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	return rb ? local_read(&rb->commit_overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_commit_overrun_cpu);

/**
 * ring_buffer_dropped_events_cpu - the number of events refused because a CPU's part was full
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events; 0 if the CPU has no storage or rb_lock() fails.
 */
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	return rb ? local_read(&rb->dropped) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_dropped_events_cpu);

/**
 * ring_buffer_read_events_cpu - the number of events of a CPU that were consumed
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; rb_lock() says where it fails.
 * Return: number of events; 0 if the CPU has no storage or rb_lock() fails.
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	return rb ? rb->read_events : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_bytes_cpu - the number of bytes of a CPU that can be read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; rb_lock() says where it fails.
 * Return: bytes, with the headers of events; 0 if the CPU has no storage or rb_lock() fails.
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);
	unsigned long gone, written;

	if (!rb)
		return 0;
	gone = local_read(&rb->overrun_bytes) + rb->read_bytes +
	       (rb->reading ? rb->cursor.pos : 0);
	written = READ_ONCE(rb->finished_bytes) + rb_pos_bytes(rb_commit_position(rb));
	return (long)(written - gone) > 0 ? written - gone : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/* The time of the oldest event in the ring, when the reader's sub-buffer has no more. */
static u64 rb_oldest_in_ring(struct rb_cpu *cpu)
{
	u64 word, ts;

	while (rb_oldest_slot(cpu, &word)) {
		ts = READ_ONCE(rb_slot_subbuf(cpu, word)->page->time_stamp);
		/* Pairs with the exchange in rb_prepare_slot(). */
		smp_rmb();
		if (READ_ONCE(cpu->slots[cpu->read_slot]) == word)
			return ts;
	}
	return 0;
}

/**
 * ring_buffer_oldest_event_ts - the time of a CPU's oldest event that was not consumed
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any; rb_lock() says where it fails.
 * Return: the time stamp; 0 if there is no such event or rb_lock() fails.
 */
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);
	struct rb_cursor cursor;
	u64 ts = 0;

	if (!rb)
		return 0;
	cursor = rb->cursor;
	if (rb->reading)
		cursor.end = rb_committed_bytes(rb, rb->reader, rb_commit_position(rb));
	if (!rb->reading || !rb_cursor_event(&cursor, &ts))
		ts = rb_oldest_in_ring(rb);
	return ts;
}
EXPORT_SYMBOL_GPL(ring_buffer_oldest_event_ts);

/**
 * ring_buffer_newest_event_ts - the time of the newest event that a CPU has recorded
 * @buffer: the buffer
 * @cpu: the CPU, whose storage must not be exchanged during the call
 *
 * Context: any. Events that are written during the call may or may not count.
 * Return: the time stamp, even if the event was overwritten or read since; 0 if there was no event
 * since the storage was emptied, or if the CPU has no storage.
 */
u64 ring_buffer_newest_event_ts(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb = rb_cpu(buffer, cpu);
	u64 newest = 0;
	int depth;

	for (depth = 0; rb && depth < RB_MAX_NEST; depth++)
		newest = max(newest, READ_ONCE(rb->fast.last[depth].ts));
	return newest;
}
