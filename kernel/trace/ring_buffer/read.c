// SPDX-License-Identifier: GPL-2.0
/*
 * The consuming reader of a CPU.
 *
 * It has a sub-buffer of its own. When that is used up, it exchanges it for the
 * oldest one in the ring, with one exchange of the slot's word; from then on
 * writers cannot overwrite what it reads. It may take even the sub-buffer that
 * writers are in: they go on writing to it until they cross to the next, and the
 * reader sees what they commit. write.c has the proof.
 *
 * If the slot holds a later index than expected, the events were overwritten,
 * and the oldest that are left are in the slot after it. The number of lost
 * events is the difference between the number of the first event found and that
 * of the event expected.
 *
 * Readers of a CPU exclude each other with reader_lock. It is held for short and
 * with interrupts off, writers do not know it.
 */
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/processor.h>
#include <linux/string.h>

#include "internal.h"

/* How often somebody tries to get the lock who must not wait for it for ever. */
#define RB_LOCK_TRIES	100000

/*
 * In an NMI or an oops, the owner may be what we interrupted.
 *
 * Sparse cannot follow a lock that is taken on condition and handed on, so it is
 * told that the lock is released where it is taken.
 */
static bool rb_try_lock(struct rb_cpu *cpu, unsigned int tries)
{
	unsigned int i;

	for (i = 0; i < tries; i++) {
		if (raw_spin_trylock(&cpu->reader_lock)) {
			__release(&cpu->reader_lock);
			return true;
		}
		cpu_relax();
	}
	return false;
}

/* Locks that this CPU has, takes or releases: who is called by that must not wait. */
DEFINE_PER_CPU(unsigned int, rb_locks_here);

/*
 * Without SMP, a spinlock excludes nobody: raw_spin_trylock() of a lock that is held
 * succeeds, or reports a bug if spinlocks are debugged. The holder is then what this
 * code was called by or interrupted, so a flag is enough. It is set from before the
 * lock is taken until after it is released, as the functions that do so may be traced.
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
 * @subclass: 0; SINGLE_DEPTH_NESTING for the second of two
 *
 * Context: any, interrupts off until after rb_unlock().
 * Return: true; false if the lock cannot be had where nobody may wait for it: in an NMI or
 * oops, or in what is called because a lock is taken or released, or held.
 */
bool rb_lock(struct rb_cpu *cpu, unsigned int subclass)
{
	bool locked = true;

	/* The functions that take and release it may be traced: count first and last. */
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
 * rb_unlock - the reverse of rb_lock()
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
 * ring_buffer_reading_here - does this CPU read from some buffer, or begin or end to do so?
 *
 * For who is called by what is traced, and would wait for others: these may wait for the lock
 * of that buffer.
 *
 * Context: any, with interrupts off.
 * Return: true or false.
 */
bool ring_buffer_reading_here(void)
{
	return __this_cpu_read(rb_locks_here);
}

/**
 * rb_lock_reader - begin to read from a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 * @flags: for rb_unlock_reader()
 *
 * Context: any. Interrupts are off until rb_unlock_reader().
 * Return: the CPU's storage, locked; NULL if it has none or, where rb_lock() does
 * not wait, if the lock cannot be had.
 */
struct rb_cpu *rb_lock_reader(struct trace_buffer *buffer, int cpu, unsigned long *flags)
{
	struct rb_cpu *rb;

	/* If it is exchanged for another before we have the lock, it is not freed. */
	local_irq_save(*flags);
	while ((rb = rb_cpu(buffer, cpu)) && rb_lock(rb, 0)) {
		if (likely(rb == rb_cpu(buffer, cpu)))
			return rb;
		rb_unlock(rb);
	}
	local_irq_restore(*flags);
	return NULL;
}

/**
 * rb_unlock_reader - the reverse of rb_lock_reader()
 * @cpu: what it returned
 * @flags: what it set
 *
 * Context: that of rb_lock_reader(), on the same CPU.
 */
void rb_unlock_reader(struct rb_cpu *cpu, unsigned long flags)
{
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

/* Is there anything at the place where the reader takes its next sub-buffer? */
static bool rb_more(struct rb_cpu *cpu, u64 commit)
{
	if (rb_pos_index(commit) == cpu->read_index)
		return rb_pos_words(commit);
	return rb_index_behind(cpu->read_index, commit);
}

/**
 * rb_unread - is there anything left to consume?
 * @cpu: the storage, with reader_lock held
 *
 * Context: any, reader_lock held.
 * Return: false if there is nothing; true if there is, or perhaps just padding.
 */
bool rb_unread(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	if (cpu->reading &&
	    cpu->cursor.pos < rb_committed_bytes(cpu, cpu->reader, commit))
		return true;
	return rb_more(cpu, commit);
}

/* Take @subbuf, which is out of the ring now, as the one to read. */
static void rb_start_subbuf(struct rb_cpu *cpu, struct rb_subbuf *subbuf)
{
	cpu->read_bytes += cpu->reading ? cpu->cursor.end : 0;
	cpu->reader = subbuf;
	cpu->reading = true;
	cpu->cursor = (struct rb_cursor) {
		.page = subbuf->page,
		.ts = subbuf->page->time_stamp,
	};
	/* And before sub-buffers that had no events after all. */
	cpu->lost_events += subbuf->first - cpu->next_event;
	cpu->lost_before = cpu->lost_events;
	cpu->next_event = subbuf->first;
	cpu->read_index++;
	cpu->read_slot = rb_next_slot(cpu, cpu->read_slot);
}

/**
 * rb_oldest_slot - skip what was overwritten
 * @cpu: the storage, with reader_lock held
 * @word: set to what the slot of the oldest sub-buffer, now rb_cpu.read_slot, holds
 *
 * Context: any, reader_lock held.
 * Return: false if there is none.
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
 * @cpu: the storage, with reader_lock held
 * @ts: set to its time
 *
 * Context: any, reader_lock held.
 * Return: the event, which is at the reader's cursor then; or NULL.
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
		/* Who is in it may write more to it. */
		if (cpu->reader->index == rb_pos_index(commit))
			return NULL;
	} while (rb_take_subbuf(cpu));
	return NULL;
}

/* Step over the next event, which rb_next_event() has found. */
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
	struct ring_buffer_event *event;
	unsigned long flags;
	struct rb_cpu *rb;
	u64 time;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return NULL;
	event = rb_next_event(rb, &time);
	if (event && ts)
		*ts = time;
	if (event && lost_events)
		*lost_events = rb->lost_events;
	if (event && consume)
		rb_consume(rb);
	rb_unlock_reader(rb, flags);
	return event;
}

/**
 * ring_buffer_peek - look at the next event that would be consumed
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @ts: set to the time of the event, if not NULL
 * @lost_events: set to the number of events lost before it, if not NULL
 *
 * Context: any; where rb_lock() does not wait it may find nothing where something is.
 * Return: the event, valid until one is consumed from @cpu or the buffer reset;
 * or NULL.
 */
struct ring_buffer_event *
ring_buffer_peek(struct trace_buffer *buffer, int cpu, u64 *ts, unsigned long *lost_events)
{
	return rb_read(buffer, cpu, ts, lost_events, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_peek);

/**
 * ring_buffer_consume - take the next event out
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @ts: set to the time of the event, if not NULL
 * @lost_events: set to the number of events lost before it, if not NULL
 *
 * Context: any; where rb_lock() does not wait it may find nothing where something is.
 * Return: the event, valid until the next call for @cpu or until the buffer is
 * reset; or NULL.
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
 * @copy: where its data go
 * @size: how much room there is for them, the rest is left out
 * @ts: set to the time of the event
 * @lost_events: set to the number of events lost before it
 *
 * Unlike what ring_buffer_peek() and ring_buffer_consume() return, the copy stays as it is
 * whoever else reads from the CPU, clears the buffer or changes its sub-buffers.
 *
 * Context: any; where rb_lock() does not wait it may find nothing where something is.
 * Return: the bytes of the event's data, or 0 if there is none.
 */
unsigned int ring_buffer_peek_copy(struct trace_buffer *buffer, int cpu, void *copy,
				   unsigned int size, u64 *ts, unsigned long *lost_events)
{
	struct ring_buffer_event *event;
	unsigned int length = 0;
	unsigned long flags;
	struct rb_cpu *rb;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return 0;
	event = rb_next_event(rb, ts);
	if (event) {
		length = ring_buffer_event_length(event);
		memcpy(copy, ring_buffer_event_data(event), min(length, size));
		*lost_events = rb->lost_events;
	}
	rb_unlock_reader(rb, flags);
	return length;
}

/**
 * ring_buffer_consume_copied - take the next event out, if nobody else did
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @copy: its data, or the first of them, from ring_buffer_peek_copy()
 * @size: how many there are in the copy
 * @ts: its time
 *
 * So each event goes to one reader, though nobody keeps others out in between.
 *
 * Context: any; where rb_lock() does not wait it may find nothing where something is.
 * Return: true if it was there still, or one like it of the same time.
 */
bool ring_buffer_consume_copied(struct trace_buffer *buffer, int cpu, const void *copy,
				unsigned int size, u64 ts)
{
	struct ring_buffer_event *event;
	unsigned long flags;
	struct rb_cpu *rb;
	bool same;
	u64 time;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return false;
	event = rb_next_event(rb, &time);
	same = event && time == ts && ring_buffer_event_length(event) >= size &&
	       !memcmp(ring_buffer_event_data(event), copy, size);
	if (same)
		rb_consume(rb);
	rb_unlock_reader(rb, flags);
	return same;
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
	unsigned long flags;
	struct rb_cpu *rb;
	bool unread;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return true;
	unread = rb_unread(rb);
	rb_unlock_reader(rb, flags);
	return !unread;
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
