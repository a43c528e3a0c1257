/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reserving and committing, the part that every event runs: for callers on the
 * hot path, whose events have one size that the compiler knows. write.c proves
 * why this is right, and does everything that does not happen to each event.
 */
#ifndef _TRACE_RING_BUFFER_RESERVE_H
#define _TRACE_RING_BUFFER_RESERVE_H

#include <linux/ring_buffer.h>
#include <linux/sched/clock.h>

#include "storage.h"
#include "words.h"

/* Data words that the 5 bits in the header of an event can tell. */
#define RB_SMALL_WORDS	(IS_ENABLED(CONFIG_HAVE_64BIT_ALIGNED_ACCESS) ? \
			 0 : RINGBUF_TYPE_DATA_TYPE_LEN_MAX)

struct ring_buffer_event *rb_reserve_slow(struct rb_local *local, unsigned int length);
void rb_publish(struct rb_local *local);
void rb_leave(struct rb_local *local);

/* Words of data for @length bytes; at least one, since discarding needs it. */
static __always_inline unsigned int rb_data_words(unsigned int length)
{
	unsigned int words = length ? DIV_ROUND_UP(length, sizeof(u32)) : 1;

	return IS_ENABLED(CONFIG_HAVE_64BIT_ALIGNED_ACCESS) ? round_up(words, 2) : words;
}

/* Words of a whole event. */
static __always_inline unsigned int rb_total_words(unsigned int data_words)
{
	return data_words + (data_words > RB_SMALL_WORDS ? 2 : 1);
}

static __always_inline u32 rb_event_header(unsigned int type_len, u32 delta)
{
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? type_len << RB_DELTA_BITS | delta :
						   delta << 5 | type_len;
}

/* Write the header for @data_words words of data; return where they go. */
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

/* The caller has preemption off: the clock need not turn it off again. */
static __always_inline u64 rb_clock(struct trace_buffer *buffer)
{
	u64 (*clock)(void) = READ_ONCE(buffer->clock);

	return unlikely(clock) ? clock() : sched_clock_noinstr();
}

static __always_inline bool rb_may_write(struct trace_buffer *buffer,
					 struct rb_local *local)
{
	return likely(!(atomic_read(&buffer->disabled) | atomic_read(&local->disabled)));
}

/*
 * The usual case: nobody was interrupted, the time since the last event is
 * short, nobody asks for absolute times, and there is room. In that order the loads
 * matter: what was read after the head is of the head's sub-buffer as long as the head
 * has not moved, and the exchange makes sure of that. If it returns false, the slow way
 * is to be taken, and @local counts the writer already. Otherwise @end is the position
 * behind the event.
 *
 * The time may be one that the caller has read before, @read: if another event came in
 * between, the time since that is negative, hence too long.
 */
static __always_inline bool
rb_reserve_usual(struct trace_buffer *buffer, struct rb_local *local, unsigned int length,
		 const u64 *read, struct ring_buffer_event **event, u64 *end)
{
	unsigned int data_words = rb_data_words(length);
	struct rb_cpu *cpu;
	struct rb_page *page;
	u64 pos, next, ts, delta;

	if (unlikely(local->nest++))
		return false;
	barrier();
	cpu = READ_ONCE(local->cpu);
	pos = READ_ONCE(cpu->head);
	ts = read ? *read : rb_clock(buffer);
	page = READ_ONCE(cpu->tail)->page;
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

/* The reverse; rb_publish() proves it. */
static __always_inline void rb_publish_usual(struct rb_local *local, struct rb_cpu *cpu, u64 pos)
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
 * struct ring_buffer_claim - an event under way
 * @local: of the CPU
 * @end: position behind it, or RB_POS_NONE if it did not come the usual way
 */
struct ring_buffer_claim {
	struct rb_local	*local;
	u64		end;
};

/**
 * ring_buffer_fast_is_on - may the buffer take events?
 * @buffer: the buffer
 *
 * The first thing to ask, before work is put into an event.
 *
 * Context: any.
 */
static __always_inline bool ring_buffer_fast_is_on(struct trace_buffer *buffer)
{
	return !atomic_read(&buffer->disabled);
}

/**
 * ring_buffer_fast_time_stamp - what the clock of a buffer says
 * @buffer: the buffer
 *
 * Context: any, with preemption off.
 */
static __always_inline u64 ring_buffer_fast_time_stamp(struct trace_buffer *buffer)
{
	return rb_clock(buffer);
}

/**
 * ring_buffer_fast_time_stamp_since - the same, for who has read trace_clock_local()
 * @buffer: the buffer
 * @local: what that said just now on this CPU; most buffers have that clock
 *
 * Context: any, with preemption off.
 */
static __always_inline u64 ring_buffer_fast_time_stamp_since(struct trace_buffer *buffer,
							     u64 local)
{
	u64 (*clock)(void) = READ_ONCE(buffer->clock);

	return unlikely(clock) ? clock() : local;
}

static __always_inline void *
rb_fast_reserve(struct trace_buffer *buffer, unsigned int length, const u64 *read,
		struct ring_buffer_claim *claim)
{
	const unsigned int head = rb_data_words(length) > RB_SMALL_WORDS;
	struct ring_buffer_event *event;

	claim->local = this_cpu_ptr(buffer->local);
	if (!rb_may_write(buffer, claim->local))
		return NULL;
	if (likely(rb_reserve_usual(buffer, claim->local, length, read, &event, &claim->end)))
		return event->array + head;
	claim->end = RB_POS_NONE;
	event = rb_reserve_slow(claim->local, length);
	return event ? event->array + head : NULL;
}

/**
 * ring_buffer_fast_is_on_here - may the buffer take events of this CPU?
 * @buffer: the buffer
 *
 * Context: any, with preemption off.
 */
static __always_inline bool ring_buffer_fast_is_on_here(struct trace_buffer *buffer)
{
	return rb_may_write(buffer, this_cpu_ptr(buffer->local));
}

/**
 * ring_buffer_fast_generation - a number for what a CPU's part of a buffer holds
 * @buffer: the buffer
 * @cpu: a CPU that has written to it, or this one
 *
 * What was written while it was this number is still there if it is, but for what was read or
 * overwritten. It is another one when the part was cleared, got sub-buffers of another size, or
 * was exchanged; when what was exchanged comes back, so does its number.
 *
 * Context: any, with preemption off. The number of this CPU stays what it is as long as
 * interrupts are off.
 * Return: the number, never 0.
 */
static __always_inline unsigned int ring_buffer_fast_generation(struct trace_buffer *buffer,
								int cpu)
{
	const struct rb_cpu *rb = READ_ONCE(per_cpu_ptr(buffer->local, cpu)->cpu);

	return READ_ONCE(rb->generation);
}

/**
 * ring_buffer_fast_reserve - begin an event of a fixed size
 * @buffer: the buffer
 * @length: bytes of data, a constant
 * @claim: filled in for ring_buffer_fast_commit()
 *
 * Context: any, NMI included, with preemption off until after
 * ring_buffer_fast_commit(), which has to follow.
 * Return: where to put the data, or NULL (and nothing to commit) if the buffer
 * takes no events now or has no room.
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
 * @ts: from ring_buffer_fast_time_stamp() or ..._since(), on this CPU; the event is not
 *	older, and mostly as old: the slow way reads the clock again
 * @claim: as above, like all the rest
 */
static __always_inline void *
ring_buffer_fast_reserve_at(struct trace_buffer *buffer, unsigned int length, u64 ts,
			    struct ring_buffer_claim *claim)
{
	return rb_fast_reserve(buffer, length, &ts, claim);
}

/**
 * ring_buffer_fast_commit - end the event begun by ring_buffer_fast_reserve()
 * @claim: what that filled in
 *
 * An event that came the usual way began at a position that a writer of depth 1
 * had published, and did not cross to another sub-buffer. So as long as the head
 * is where it ends, it is all that there is to publish, and in the sub-buffer of
 * the commit.
 *
 * Context: as the reserve.
 */
static __always_inline void ring_buffer_fast_commit(const struct ring_buffer_claim *claim)
{
	struct rb_local *local = claim->local;
	struct rb_cpu *cpu = local->cpu;

	barrier();
	if (unlikely(READ_ONCE(cpu->head) != claim->end)) {
		rb_leave(local);
		return;
	}
	rb_publish_usual(local, cpu, claim->end);
}

#endif /* _TRACE_RING_BUFFER_RESERVE_H */
