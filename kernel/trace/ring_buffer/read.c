// SPDX-License-Identifier: GPL-2.0
/*
 * The consuming reader of a CPU.
 *
 * The reader has a sub-buffer of its own. When that is used up, the reader exchanges it for the
 * oldest one in the ring, with one exchange of the slot's word. From then on writers cannot
 * overwrite what it reads. It may even take the sub-buffer that writers are in: they go on
 * writing to it until they cross to the next, and the reader sees what they commit. write.c has
 * the proof.
 *
 * If the slot holds a later index than expected, the events were overwritten, and the oldest
 * that are left are in the slot after it. The number of lost events is the difference between
 * the number of the first event found and the number of the event expected.
 *
 * Readers of a CPU exclude each other with reader_lock, which they hold for a short time, with
 * interrupts off. Writers do not take it.
 */
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/processor.h>
#include <linux/string.h>

#include "internal.h"

/*
 * The number of locks that this CPU holds, takes or releases. While it is not 0, code that is
 * called on this CPU may have interrupted the owner and must not wait for a lock.
 */
DEFINE_PER_CPU(unsigned int, rb_locks_here);

/* Bound on trylock attempts in contexts that must not spin for ever (NMI, oops). */
#define RB_LOCK_TRIES	100000

/*
 * Take the lock without waiting for ever: the owner may be code that this CPU has interrupted, or
 * that called this code.
 */
static bool rb_try_lock(struct rb_cpu *cpu, unsigned int tries)
{
	unsigned int i;

	for (i = 0; i < tries; i++) {
		if (raw_spin_trylock(&cpu->reader_lock)) {
			/* Tell sparse, which cannot track a lock that another function releases. */
			__release(&cpu->reader_lock);
			return true;
		}
		cpu_relax();
	}
	return false;
}

/*
 * Without SMP, a spinlock excludes nobody: raw_spin_trylock() of a lock that is held succeeds, or
 * reports a bug if spinlocks are debugged. The code that holds it then has called this code or
 * was interrupted by it, so a flag is enough. The flag is set before the lock is taken and
 * cleared after it is released, since the functions that take and release it may be traced.
 */
static bool rb_claim(struct rb_cpu *cpu)
{
	bool claimed;

	if (IS_ENABLED(CONFIG_SMP))
		return true;
	claimed = READ_ONCE(cpu->claimed);
	WRITE_ONCE(cpu->claimed, true);
	barrier();
	return !claimed;
}

static void rb_disclaim(struct rb_cpu *cpu)
{
	barrier();
	if (!IS_ENABLED(CONFIG_SMP))
		WRITE_ONCE(cpu->claimed, false);
}

/**
 * rb_lock - keep readers out of a CPU's storage
 * @cpu: the storage
 * @subclass: 0, or SINGLE_DEPTH_NESTING for the second of two
 *
 * Context: any, with interrupts off until after rb_unlock().
 * Return: true if the lock was taken. False if it was not available and waiting for it could last
 * for ever: in an NMI or an oops, or in code that runs while this CPU holds, takes or releases a
 * reader_lock.
 */
bool rb_lock(struct rb_cpu *cpu, unsigned int subclass)
{
	bool locked = true;

	/* The functions that take and release the lock may be traced: count before and after. */
	__this_cpu_inc(rb_locks_here);
	barrier();
	if (unlikely(!rb_claim(cpu))) {
		locked = false;
	} else if (unlikely(in_nmi() || oops_in_progress)) {
		locked = rb_try_lock(cpu, RB_LOCK_TRIES);
	} else if (unlikely(!subclass && __this_cpu_read(rb_locks_here) > 1)) {
		locked = rb_try_lock(cpu, 1);
	} else {
		raw_spin_lock_nested(&cpu->reader_lock, subclass);
		__release(&cpu->reader_lock);
	}
	if (!locked)
		__this_cpu_dec(rb_locks_here);
	return locked;
}

/**
 * rb_unlock - undo rb_lock()
 * @cpu: the storage
 *
 * Context: any, with interrupts off.
 */
void rb_unlock(struct rb_cpu *cpu)
{
	__acquire(&cpu->reader_lock);
	raw_spin_unlock(&cpu->reader_lock);
	rb_disclaim(cpu);
	barrier();
	__this_cpu_dec(rb_locks_here);
}

/**
 * ring_buffer_reading_here - is this CPU in the middle of reading from some buffer?
 *
 * Code that is called by traced functions checks this before it waits for other CPUs. Otherwise a
 * deadlock is possible: those CPUs may wait for the lock that this CPU holds to read.
 *
 * Context: any, with interrupts off.
 * Return: true if this CPU holds, takes or releases the lock of a reader.
 */
bool ring_buffer_reading_here(void)
{
	return __this_cpu_read(rb_locks_here);
}

/**
 * rb_lock_reader - begin to read from a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any. Interrupts are off until rb_unlock_reader().
 * Return: the CPU's storage, locked; NULL if there is none, or if rb_lock() failed.
 */
struct rb_cpu *rb_lock_reader(struct trace_buffer *buffer, int cpu)
{
	unsigned long flags;
	struct rb_cpu *rb;

	/* With interrupts off, storage that is exchanged before it is locked is not freed. */
	local_irq_save(flags);
	while ((rb = rb_cpu(buffer, cpu)) && rb_lock(rb, 0)) {
		if (likely(rb == rb_cpu(buffer, cpu))) {
			rb->reader_irqs = flags;
			return rb;
		}
		rb_unlock(rb);
	}
	local_irq_restore(flags);
	return NULL;
}

/**
 * rb_unlock_reader - undo rb_lock_reader()
 * @cpu: what rb_lock_reader() returned
 *
 * Context: that of rb_lock_reader(), on the same CPU.
 */
void rb_unlock_reader(struct rb_cpu *cpu)
{
	unsigned long flags = cpu->reader_irqs;

	rb_unlock(cpu);
	local_irq_restore(flags);
}

/**
 * rb_committed_bytes - how much of a sub-buffer may be read
 * @cpu: the storage
 * @subbuf: the sub-buffer, at most as new as @commit
 * @commit: from rb_commit_position()
 *
 * Context: any, reader_lock held.
 * Return: bytes of data.
 */
unsigned int rb_committed_bytes(struct rb_cpu *cpu, const struct rb_subbuf *subbuf,
				u64 commit)
{
	u64 pos = READ_ONCE(subbuf->index) == rb_pos_index(commit) ?
			commit : READ_ONCE(subbuf->end);

	return min(rb_pos_words(pos), cpu->words) * sizeof(u32);
}

/* Has the sub-buffer that the reader takes next any events? */
static bool rb_more(struct rb_cpu *cpu, u64 commit)
{
	if (rb_pos_index(commit) == cpu->read_index)
		return rb_pos_words(commit);
	return rb_index_behind(cpu->read_index, commit);
}

/**
 * rb_unread - is there anything left to consume?
 * @cpu: the storage
 *
 * Context: any, reader_lock held.
 * Return: false if there is nothing. True does not promise an event: it may be only padding.
 */
bool rb_unread(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	if (cpu->reading &&
	    cpu->cursor.pos < rb_committed_bytes(cpu, cpu->reader, commit))
		return true;
	return rb_more(cpu, commit);
}

/* Begin to read @subbuf, which was just taken out of the ring. */
static void rb_start_subbuf(struct rb_cpu *cpu, struct rb_subbuf *subbuf)
{
	cpu->read_bytes += cpu->reading ? cpu->cursor.end : 0;
	cpu->reader = subbuf;
	cpu->reading = true;
	cpu->cursor = (struct rb_cursor) {
		.page = subbuf->page,
		.ts = subbuf->page->time_stamp,
	};
	/* Add the events that were lost before sub-buffers without events. */
	cpu->lost_events += subbuf->first - cpu->next_event;
	cpu->lost_before = cpu->lost_events;
	cpu->next_event = subbuf->first;
	cpu->read_index++;
	cpu->read_slot = rb_next_slot(cpu, cpu->read_slot);
}

/**
 * rb_oldest_slot - find the slot of the oldest sub-buffer, past those that were overwritten
 * @cpu: the storage; its read_index and read_slot move to the sub-buffer
 * @word: set to the word of the slot
 *
 * Context: any, reader_lock held.
 * Return: true; false if there is nothing to read in the ring.
 */
bool rb_oldest_slot(struct rb_cpu *cpu, u64 *word)
{
	while (rb_more(cpu, rb_commit_position(cpu))) {
		*word = READ_ONCE(cpu->slots[cpu->read_slot]);
		if (rb_slot_index(*word) == cpu->read_index)
			return true;
		WRITE_ONCE(cpu->read_index, rb_slot_index(*word) - cpu->nr + 1);
		cpu->read_slot = rb_next_slot(cpu, cpu->read_slot);
	}
	return false;
}

/* Exchange the reader's sub-buffer for the oldest in the ring, if there is one. */
static bool rb_take_subbuf(struct rb_cpu *cpu)
{
	u64 word, mine;

	while (rb_oldest_slot(cpu, &word)) {
		mine = rb_slot(cpu->read_index, cpu->reader->id) | RB_SLOT_FREE;
		if (cmpxchg(&cpu->slots[cpu->read_slot], word, mine) != word)
			continue;
		rb_start_subbuf(cpu, rb_slot_subbuf(cpu, word));
		return true;
	}
	return false;
}

/**
 * rb_next_event - find the next event to consume
 * @cpu: the storage
 * @ts: set to the time of the event
 *
 * Context: any, reader_lock held.
 * Return: the event; the reader's cursor is at it. NULL if there is none.
 */
struct ring_buffer_event *rb_next_event(struct rb_cpu *cpu, u64 *ts)
{
	struct ring_buffer_event *event;
	u64 commit;

	do {
		commit = rb_commit_position(cpu);
		if (!cpu->reading)
			continue;
		cpu->cursor.end = rb_committed_bytes(cpu, cpu->reader, commit);
		event = rb_cursor_event(&cpu->cursor, ts);
		if (event)
			return event;
		/* Writers are in this sub-buffer and may write more to it. */
		if (cpu->reader->index == rb_pos_index(commit))
			return NULL;
	} while (rb_take_subbuf(cpu));
	return NULL;
}

/* Step over the event that rb_next_event() has found. */
static void rb_consume(struct rb_cpu *cpu)
{
	rb_cursor_advance(&cpu->cursor);
	cpu->lost_events = 0;
	cpu->next_event++;
	cpu->read_events++;
}

static struct ring_buffer_event *
rb_read(struct trace_buffer *buffer, int cpu, u64 *ts, unsigned long *lost_events,
	bool consume)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);
	struct ring_buffer_event *event;
	u64 time;

	if (!rb)
		return NULL;
	event = rb_next_event(rb, &time);
	if (event && ts)
		*ts = time;
	if (event && lost_events)
		*lost_events = rb->lost_events;
	if (event && consume)
		rb_consume(rb);
	return event;
}

/**
 * ring_buffer_peek - look at the next event that would be consumed
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @ts: set to the time of the event, if not NULL
 * @lost_events: set to the number of events lost before it, if not NULL
 *
 * Context: any. In an NMI, in an oops, or while this CPU reads already, the lock may not be
 * available; then the event is not found.
 * Return: the event, valid until an event is consumed from @cpu or the buffer is reset; or NULL.
 */
struct ring_buffer_event *
ring_buffer_peek(struct trace_buffer *buffer, int cpu, u64 *ts, unsigned long *lost_events)
{
	return rb_read(buffer, cpu, ts, lost_events, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_peek);

/**
 * ring_buffer_consume - consume the next event
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @ts: set to the time of the event, if not NULL
 * @lost_events: set to the number of events lost before it, if not NULL
 *
 * Context: that of ring_buffer_peek().
 * Return: the event, valid until the next call for @cpu or until the buffer is reset; or NULL.
 */
struct ring_buffer_event *
ring_buffer_consume(struct trace_buffer *buffer, int cpu, u64 *ts,
		    unsigned long *lost_events)
{
	return rb_read(buffer, cpu, ts, lost_events, true);
}
EXPORT_SYMBOL_GPL(ring_buffer_consume);

/**
 * ring_buffer_peek_copy - copy the next event that would be consumed
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @copy: where to copy the event's data
 * @size: bytes at @copy; data beyond that are not copied
 * @ts: set to the time of the event
 * @lost_events: set to the number of events lost before it
 *
 * Other readers, or a reset, can invalidate an event that ring_buffer_peek() or
 * ring_buffer_consume() returned. The copy stays valid.
 *
 * Context: that of ring_buffer_peek().
 * Return: the number of bytes of the event's data, or 0 if there is no event.
 */
unsigned int ring_buffer_peek_copy(struct trace_buffer *buffer, int cpu, void *copy,
				   unsigned int size, u64 *ts, unsigned long *lost_events)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);
	struct ring_buffer_event *event = rb ? rb_next_event(rb, ts) : NULL;
	unsigned int length;

	if (!event)
		return 0;
	length = ring_buffer_event_length(event);
	memcpy(copy, ring_buffer_event_data(event), min(length, size));
	*lost_events = rb->lost_events;
	return length;
}

/**
 * ring_buffer_consume_copied - consume the event that was copied, if it is still there
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @copy: the copy that ring_buffer_peek_copy() made
 * @size: bytes at @copy; at most the event's data
 * @ts: time of the event
 *
 * Another reader may have consumed the event after it was copied. A caller that uses its copy
 * only if this returns true uses no event that another reader has consumed.
 *
 * Context: that of ring_buffer_peek().
 * Return: true if the next event was the copied one, or has the same time and data.
 */
bool ring_buffer_consume_copied(struct trace_buffer *buffer, int cpu, const void *copy,
				unsigned int size, u64 ts)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);
	u64 time;
	struct ring_buffer_event *event = rb ? rb_next_event(rb, &time) : NULL;

	if (!event || time != ts || ring_buffer_event_length(event) < size ||
	    memcmp(ring_buffer_event_data(event), copy, size))
		return false;
	rb_consume(rb);
	return true;
}

/**
 * ring_buffer_empty_cpu - is there nothing to consume?
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: any.
 * Return: true if there is nothing. False does not promise an event.
 */
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	return !rb || !rb_unread(rb);
}
EXPORT_SYMBOL_GPL(ring_buffer_empty_cpu);

/**
 * ring_buffer_empty - is there nothing to consume on any CPU?
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if there is nothing. False does not promise an event.
 */
bool ring_buffer_empty(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask) {
		if (!ring_buffer_empty_cpu(buffer, cpu))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_GPL(ring_buffer_empty);
