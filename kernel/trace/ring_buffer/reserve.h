/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reserve and commit, inlined for the hot path: code that each event executes. write.c proves why
 * this is right, and has the rest.
 */
#ifndef _TRACE_RING_BUFFER_RESERVE_H
#define _TRACE_RING_BUFFER_RESERVE_H

#include <linux/ring_buffer.h>
#include <linux/sched/clock.h>

#include "fast.h"
#include "words.h"

/* The most data words that type_len in an event's header can tell; beyond, a length follows. */
#define RB_SMALL_WORDS	(IS_ENABLED(CONFIG_HAVE_64BIT_ALIGNED_ACCESS) ? \
			 0 : RINGBUF_TYPE_DATA_TYPE_LEN_MAX)

struct ring_buffer_event *rb_reserve_slow(struct rb_local *local, unsigned int length);
void rb_publish(struct rb_local *local);
void rb_leave(struct rb_local *local);

/* Words of data for @length bytes. At least one: discarding an event overwrites it. */
static __always_inline unsigned int rb_data_words(unsigned int length)
{
	unsigned int words = length ? DIV_ROUND_UP(length, sizeof(u32)) : 1;

	return IS_ENABLED(CONFIG_HAVE_64BIT_ALIGNED_ACCESS) ? round_up(words, 2) : words;
}

/* Words of a whole event, with its header. */
static __always_inline unsigned int rb_total_words(unsigned int data_words)
{
	return data_words + (data_words > RB_SMALL_WORDS ? 2 : 1);
}

static __always_inline u32 rb_event_header(unsigned int type_len, u32 delta)
{
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? type_len << RB_DELTA_BITS | delta :
						   delta << 5 | type_len;
}

/* Write the header of an event with @data_words words of data. Return where the data go. */
static __always_inline void *rb_set_event(struct ring_buffer_event *event,
					  unsigned int data_words, u32 delta)
{
	u32 *word = (u32 *)event;

	if (data_words <= RB_SMALL_WORDS) {
		*word = rb_event_header(data_words, delta);
		return word + 1;
	}
	*word = rb_event_header(0, delta);
	word[1] = (data_words + 1) * sizeof(u32);
	return word + 2;
}

/* The caller has preemption off, so the clock need not turn it off again. */
static __always_inline u64 rb_clock(struct trace_buffer *buffer)
{
	u64 (*clock)(void) = READ_ONCE(rb_fast_buffer(buffer)->clock);

	return unlikely(clock) ? clock() : sched_clock_noinstr();
}

static __always_inline bool rb_may_write(struct trace_buffer *buffer,
					 struct rb_local *local)
{
	return likely(!(atomic_read(&rb_fast_buffer(buffer)->disabled) |
			atomic_read(&local->disabled)));
}

/*
 * The usual case: no other writer was interrupted, the last event ended at the head and is
 * recent, nobody wants absolute times, and the event fits into the sub-buffer. The order of the
 * loads matters: what is read after the head is of the head's sub-buffer as long as the head has
 * not moved, and the exchange fails if it has.
 *
 * @read is a time that the caller has read before, or NULL. If another event came since, then
 * @read is before the time of that event, and the difference wraps to more than RB_DELTA_MAX.
 *
 * If this returns true, @end is the position after the event. If it returns false, @local counts
 * the writer already, and the caller has to take the slow path.
 */
static __always_inline bool
rb_reserve_usual(struct trace_buffer *buffer, struct rb_local *local, unsigned int length,
		 const u64 *read, struct ring_buffer_event **event, u64 *end)
{
	unsigned int data_words = rb_data_words(length);
	struct rb_fast_cpu *cpu;
	struct rb_page *page;
	u64 pos, next, ts, delta;

	if (unlikely(local->nest++))
		return false;
	barrier();
	cpu = rb_fast_cpu(READ_ONCE(local->cpu));
	pos = READ_ONCE(cpu->head);
	ts = read ? *read : rb_clock(buffer);
	page = rb_fast_page(READ_ONCE(cpu->tail));
	next = pos + RB_POS_EVENT + rb_total_words(data_words);
	delta = ts - cpu->last[0].ts;
	if (unlikely(pos != cpu->last[0].pos || delta > RB_DELTA_MAX ||
		     (int)rb_pos_words(next) > atomic_read(&local->usual)))
		return false;
	if (unlikely(cmpxchg64_local(&cpu->head, pos, next) != pos))
		return false;
	cpu->last[0].ts = ts;
	cpu->last[0].pos = next;
	*end = next;
	*event = (void *)page->data + rb_pos_bytes(pos);
	rb_set_event(*event, data_words, delta);
	return true;
}

/* Commit all events up to @pos, and leave. rb_publish() has the proof. */
static __always_inline void
rb_publish_usual(struct rb_local *local, struct rb_fast_cpu *cpu, u64 pos)
{
	/* Pairs with the acquire in rb_commit_position(). */
	smp_store_release(&cpu->commit, pos);
	barrier();
	WRITE_ONCE(local->nest, 0);
	barrier();
	if (unlikely(READ_ONCE(cpu->head) != pos || atomic_read(&local->wake) & RB_AFTER_EVENT))
		rb_publish(local);
}

/**
 * ring_buffer_fast_is_on - does the buffer take events? Ask before any work for an event
 * @buffer: the buffer
 *
 * Context: any.
 * Return: true if the buffer is neither off nor disabled.
 */
static __always_inline bool ring_buffer_fast_is_on(struct trace_buffer *buffer)
{
	return !atomic_read(&rb_fast_buffer(buffer)->disabled);
}

/**
 * ring_buffer_fast_time_stamp - read the clock of a buffer
 * @buffer: the buffer
 *
 * Context: any, with preemption off.
 * Return: the time, in the clock's unit.
 */
static __always_inline u64 ring_buffer_fast_time_stamp(struct trace_buffer *buffer)
{
	return rb_clock(buffer);
}

/**
 * ring_buffer_fast_time_stamp_since - the buffer's time, if trace_clock_local() was read already
 * @buffer: the buffer
 * @local: of trace_clock_local(), just now on this CPU. Buffers with another clock read their own
 *
 * Context: any, with preemption off.
 * Return: the time, in the clock's unit.
 */
static __always_inline u64 ring_buffer_fast_time_stamp_since(struct trace_buffer *buffer,
							     u64 local)
{
	u64 (*clock)(void) = READ_ONCE(rb_fast_buffer(buffer)->clock);

	return unlikely(clock) ? clock() : local;
}

static __always_inline void *
rb_fast_reserve(struct trace_buffer *buffer, unsigned int length, const u64 *read,
		struct ring_buffer_claim *claim)
{
	const unsigned int head = rb_data_words(length) > RB_SMALL_WORDS;
	struct ring_buffer_event *event;

	claim->local = this_cpu_ptr(rb_fast_buffer(buffer)->local);
	if (!rb_may_write(buffer, claim->local))
		return NULL;
	if (likely(rb_reserve_usual(buffer, claim->local, length, read, &event, &claim->end)))
		return event->array + head;
	claim->end = RB_POS_NONE;
	event = rb_reserve_slow(claim->local, length);
	return event ? event->array + head : NULL;
}

/**
 * ring_buffer_fast_is_on_here - does the buffer take events of this CPU?
 * @buffer: the buffer
 *
 * Context: any, with preemption off.
 * Return: true if neither the buffer nor its part of this CPU is off or disabled.
 */
static __always_inline bool ring_buffer_fast_is_on_here(struct trace_buffer *buffer)
{
	return rb_may_write(buffer, this_cpu_ptr(rb_fast_buffer(buffer)->local));
}

/**
 * ring_buffer_fast_generation - the number of the state of a CPU's storage
 * @buffer: the buffer
 * @cpu: this CPU, or one that has written to the buffer
 *
 * An event is still in the buffer if the number is what it was when the event was written,
 * unless the event was read or overwritten. The number changes when the CPU's part is cleared,
 * gets sub-buffers of another size, or is exchanged with another buffer. If the exchanged storage
 * comes back, its number comes back with it.
 *
 * Context: any, with preemption off. While interrupts are off, the number of this CPU does not
 * change.
 * Return: the number, never 0.
 */
static __always_inline unsigned int ring_buffer_fast_generation(struct trace_buffer *buffer,
								int cpu)
{
	struct rb_local *local = per_cpu_ptr(rb_fast_buffer(buffer)->local, cpu);

	return READ_ONCE(rb_fast_cpu(READ_ONCE(local->cpu))->generation);
}

/**
 * ring_buffer_fast_reserve - begin an event
 * @buffer: the buffer
 * @length: bytes of data, at most U16_MAX
 * @claim: filled in for ring_buffer_fast_commit()
 *
 * Context: any, NMI included. Preemption stays off until ring_buffer_fast_commit(), which has
 * to follow unless this returns NULL.
 * Return: where to put the data; NULL if the buffer takes no events now or has no space, or if
 * @length exceeds ring_buffer_max_event_size().
 */
static __always_inline void *
ring_buffer_fast_reserve(struct trace_buffer *buffer, unsigned int length,
			 struct ring_buffer_claim *claim)
{
	return rb_fast_reserve(buffer, length, NULL, claim);
}

/**
 * ring_buffer_fast_reserve_at - begin an event at a time that was read before
 * @buffer: the buffer
 * @length: bytes of data, a constant
 * @ts: time from ring_buffer_fast_time_stamp() or ring_buffer_fast_time_stamp_since(), read on
 *	this CPU. The event usually gets this time; the slow path reads the clock again, which
 *	makes it later
 * @claim: filled in for ring_buffer_fast_commit()
 *
 * Context: that of ring_buffer_fast_reserve().
 * Return: as ring_buffer_fast_reserve().
 */
static __always_inline void *
ring_buffer_fast_reserve_at(struct trace_buffer *buffer, unsigned int length, u64 ts,
			    struct ring_buffer_claim *claim)
{
	return rb_fast_reserve(buffer, length, &ts, claim);
}

/**
 * ring_buffer_fast_commit - end the event begun by ring_buffer_fast_reserve()
 * @claim: filled in by ring_buffer_fast_reserve()
 *
 * An event that rb_reserve_usual() has reserved began at a position that a writer of depth 1
 * had published, and did not cross to another sub-buffer. So as long as the head is where the
 * event ends, nothing else is to be published, and the sub-buffer is that of the commit.
 *
 * Context: that of ring_buffer_fast_reserve().
 */
static __always_inline void ring_buffer_fast_commit(const struct ring_buffer_claim *claim)
{
	struct rb_local *local = claim->local;
	struct rb_fast_cpu *cpu = rb_fast_cpu(local->cpu);

	barrier();
	if (unlikely(READ_ONCE(cpu->head) != claim->end)) {
		rb_leave(local);
		return;
	}
	rb_publish_usual(local, cpu, claim->end);
}

/**
 * ring_buffer_fast_discard - take back the event begun by ring_buffer_fast_reserve()
 * @buffer: the buffer
 * @data: the address that ring_buffer_fast_reserve() has returned
 * @length: bytes of data, as they were reserved
 *
 * Context: that of ring_buffer_fast_reserve().
 */
static inline void ring_buffer_fast_discard(struct trace_buffer *buffer, void *data,
					    unsigned int length)
{
	const unsigned int head = rb_data_words(length) > RB_SMALL_WORDS;

	/* ring_buffer_discard_commit() turns it on again. */
	preempt_disable_notrace();
	ring_buffer_discard_commit(buffer, container_of(data - head * sizeof(u32),
							struct ring_buffer_event, array));
}

#endif /* _TRACE_RING_BUFFER_RESERVE_H */
