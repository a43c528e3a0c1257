// SPDX-License-Identifier: GPL-2.0
/*
 * The writers of a CPU: reserving, crossing to the next sub-buffer, committing.
 *
 * Writers nest like a stack: a writer that interrupts another one, or is called by it, ends
 * before the other one goes on. rb_local.nest counts them; the outermost is at depth 1. Other
 * CPUs see only slots[], commit, and the events that commit makes readable.
 *
 * Claiming. An interrupt can write an event after a writer has read the clock and before the
 * writer has claimed its space. The writer's event would then come after a later one. So a writer
 * reads the head, then what belongs to it (the sub-buffer, the last time stamp), then the clock,
 * and moves the head with one exchange:
 *
 *	outer writer			writer that interrupts it
 *
 *	pos = head
 *	ts = clock()
 *					claims [pos, n): time >= ts, head = n
 *	head: pos -> next fails
 *	again, with a time that is as late
 *
 * If the exchange succeeds, no event that is still in the buffer was claimed since pos was read,
 * so times do not decrease in the order of positions. A time that was read before pos
 * (ring_buffer_fast_reserve_at()) is compared with the time of the event that ends at pos; if it
 * is older, the clock is read again.
 *
 * The functions that read the clock may be traced. Then each reading of the clock writes an event
 * and makes the outer writer lose its claim, time after time. So once the slow path has lost a
 * claim it does not read the clock again. It takes the latest time in the pairs (see below) of
 * its depth and of deeper ones. This is not before the time of the event that ends at the head:
 * a writer at one of these depths has claimed that event since, and its pair has the event's
 * time. All events before that one were claimed earlier. Both events may have the same time.
 *
 * Time stamps. To store a delta, a writer has to know the time of the last event. This time cannot
 * be updated in one step with the head: a writer that stores it after the exchange may overwrite a
 * later one, which an interrupt has stored. So each depth has a pair of its own, last[depth - 1] =
 * { time, position }, "the event that ends at this position has this time". Only writers of this
 * depth write the pair, and two of them are never under way together, so the order of the two
 * stores does not matter. A writer that has lost a claim may use the pair of a deeper writer, which
 * interrupted it. If one more writer (N) interrupts it between its two loads of that pair, the
 * writer loses the next claim, too, unless N takes its own event back, which leaves head and pair
 * as they were. A pair is true while the claim that ends at pos exists, and only the depth that
 * made the claim can take it back (ring_buffer_discard_commit() then corrects the pair). So if pos
 * equals the head, the delta to that time is right; if not, a writer of another depth wrote last,
 * and an absolute stamp is written before the event. An event at the start of a sub-buffer has its
 * time in the sub-buffer's header.
 *
 * Crossing to index i + 1 takes three steps. Before each of them an interrupting writer (N) may
 * have done that step already, or all three and more:
 *
 *	slots[s]: i + 1 - nr -> i + 1	once: the old word does not come back
 *	head: (i, ..) -> (i + 1, 0)	once: indexes only grow
 *	tail: subbuf(i) -> subbuf(i+1)	once: subbuf(i) stays in use, see below
 *
 * Between the first two, N finds the slot prepared and does the second step. Between the last
 * two, N sees that head is one ahead of tail and does the third step. N can look up the slot's
 * sub-buffer: readers take only indexes up to the commit's, and index i + 1 is not committed
 * before the crossing writer is done. The exchange of the head tells its winner the exact end of
 * sub-buffer i.
 *
 * If a writer reused a sub-buffer that is not committed, it would overwrite events that others
 * are still writing. So an index is given up only if it is before the commit's. Then no
 * descriptor that a writer uses is reused, and the commit is at most nr - 1 indexes behind. At
 * depth 1, commit and head are in the same sub-buffer, and there are at least two slots: no
 * crossing fails there for this reason.
 *
 * Slots are exchanged with full barriers, since readers on other CPUs exchange them, too.
 * Code that takes a sub-buffer out of a slot knows that the other side is done with it:
 *
 *	writer				reader
 *
 *	writes events			copies events from the sub-buffer it has
 *	commit = head (release)		slots[s]: put it in, take the next out
 *					  (or: copies out of a slot's sub-buffer,
 *					  reads slots[s] again, unchanged)
 *	slots[s]: take it out
 *	writes events
 */
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "internal.h"
#include "reserve.h"

/*
 * The sub-buffer of @pos, if @pos is the head. If a writer was interrupted between moving the
 * head and moving the tail, move the tail for it.
 */
static struct rb_subbuf *rb_tail(struct rb_cpu *cpu, u64 pos)
{
	struct rb_subbuf *tail = READ_ONCE(cpu->fast.tail);
	struct rb_subbuf *next;
	u64 word;

	/* If tail is beyond pos, the head has moved on; then the caller's exchange fails. */
	if (tail->index + 1 != rb_pos_index(pos))
		return tail;
	word = READ_ONCE(cpu->slots[rb_next_slot(cpu, tail->slot)]);
	next = rb_slot_subbuf(cpu, word);
	cmpxchg_local(&cpu->fast.tail, tail, next);
	return next;
}

/*
 * Make @slot ready for @index by giving up the index that it holds. Return its sub-buffer; or,
 * if the old index must stay, count a lost event and return NULL.
 */
static struct rb_subbuf *rb_prepare_slot(struct rb_cpu *cpu, u32 slot, u32 index,
					 bool overwrite)
{
	u64 word = READ_ONCE(cpu->slots[slot]);
	struct rb_subbuf *subbuf;
	u64 old, end;

	while (rb_slot_index(word) != index) {
		if (!rb_index_before(index - cpu->nr, rb_pos_index(cpu->fast.commit))) {
			local_inc(&cpu->commit_overrun);
			return NULL;
		}
		if (!overwrite && !(word & RB_SLOT_FREE)) {
			local_inc(&cpu->dropped);
			return NULL;
		}
		end = rb_slot_subbuf(cpu, word)->end;
		old = word;
		word = cmpxchg(&cpu->slots[slot], old, rb_slot(index, rb_slot_id(old)));
		if (word != old)
			continue;
		if (!(old & RB_SLOT_FREE)) {
			local_add(rb_pos_events(end), &cpu->overrun);
			local_add(rb_pos_bytes(end), &cpu->overrun_bytes);
		}
		word = rb_slot(index, rb_slot_id(old));
	}
	subbuf = rb_slot_subbuf(cpu, word);
	/* The writer that did the exchange has set these, unless it was interrupted before. */
	WRITE_ONCE(subbuf->index, index);
	subbuf->slot = slot;
	return subbuf;
}

/* Leave the sub-buffer of @pos for the next one. Return false if there is none to go to. */
static bool rb_cross(struct rb_cpu *cpu, u64 pos, bool overwrite)
{
	struct rb_subbuf *tail = rb_tail(cpu, pos);
	u32 index = rb_pos_index(pos);
	struct rb_subbuf *next;

	if (tail->index != index)
		return true;
	next = rb_prepare_slot(cpu, rb_next_slot(cpu, tail->slot), index + 1, overwrite);
	if (!next)
		return false;
	if (cmpxchg64_local(&cpu->fast.head, pos, rb_pos(index + 1)) != pos)
		return true;
	WRITE_ONCE(tail->end, pos);
	cmpxchg_local(&cpu->fast.tail, tail, next);
	return true;
}

/**
 * struct rb_claim - the space that a writer intends to claim
 * @event_words: words of the event
 * @last: the pair (see the top of this file) whose time a delta is relative to
 * @again: 0; or, if the writer has lost a claim, its depth
 * @pos: where the claim begins; rb_plan() sets this and all that follow
 * @page: the memory of the sub-buffer of @pos
 * @cross: the claim has to be made in the next sub-buffer
 * @words: words to claim: those of the event and of @stamp
 * @ts: time of the event
 * @stamp: type of the entry before the event that carries @time; 0: there is no such entry
 * @time: the delta or the time that this entry carries
 * @delta: the time in the event's header
 */
struct rb_claim {
	unsigned int		event_words;
	const struct rb_stamp	*last;
	unsigned int		again;

	u64			pos;
	struct rb_page		*page;
	bool			cross;
	unsigned int		words;
	u64			ts;
	unsigned int		stamp;
	u64			time;
	u32			delta;
};

static void rb_set_claim(struct rb_claim *claim, unsigned int stamp, u64 time)
{
	claim->stamp = stamp;
	claim->time = time;
	claim->words += RB_STAMP_WORDS;
}

/* The latest time that a writer of this depth or of a deeper one has taken. */
static u64 rb_latest(const struct rb_cpu *cpu, unsigned int depth)
{
	u64 ts = 0;

	while (depth <= RB_MAX_NEST)
		ts = max(ts, READ_ONCE(cpu->fast.last[depth++ - 1].ts));
	return ts;
}

/* Look at the head, read the clock, and compute the space that the writer has to claim. */
static void rb_plan(struct rb_local *local, struct rb_cpu *cpu, struct rb_claim *claim)
{
	bool absolute = unlikely(atomic_read(&local->usual) < 0);
	u64 latest = rb_latest(cpu, 1), delta;

	claim->pos = READ_ONCE(cpu->fast.head);
	claim->page = rb_tail(cpu, claim->pos)->page;
	claim->cross = false;
	claim->words = claim->event_words;
	claim->stamp = 0;
	claim->delta = 0;
	/* Clocks may step back; then take the latest time known to be in the buffer. */
	claim->ts = claim->again ? rb_latest(cpu, claim->again) :
				   max(rb_clock(rb_part(local)->buffer), latest);
	delta = claim->ts - claim->last->ts;

	if (!rb_pos_words(claim->pos)) {
		if (absolute && claim->words + RB_STAMP_WORDS <= cpu->words)
			rb_set_claim(claim, RINGBUF_TYPE_TIME_STAMP, claim->ts);
	} else if (claim->ts > latest && (claim->ts - latest) >> (RB_STAMP_BITS - 1)) {
		/* Only the header of a sub-buffer has the bits for such a step. */
		claim->cross = true;
	} else if (absolute || claim->pos != claim->last->pos) {
		rb_set_claim(claim, RINGBUF_TYPE_TIME_STAMP, claim->ts);
	} else if (delta > RB_DELTA_MAX) {
		rb_set_claim(claim, RINGBUF_TYPE_TIME_EXTEND, delta);
	} else {
		claim->delta = delta;
	}
}

/* Write the time and the header that precede the data of a claim that succeeded. */
static struct ring_buffer_event *rb_fill(const struct rb_claim *claim,
					 unsigned int data_words)
{
	struct ring_buffer_event *event;

	event = (void *)claim->page->data + rb_pos_bytes(claim->pos);
	if (!rb_pos_words(claim->pos))
		WRITE_ONCE(claim->page->time_stamp, claim->ts);
	if (claim->stamp) {
		*(u32 *)event = rb_event_header(claim->stamp, claim->time & RB_DELTA_MAX);
		event->array[0] = claim->time >> RB_DELTA_BITS;
		event = (void *)event + RB_STAMP_WORDS * sizeof(u32);
	}
	rb_set_event(event, data_words, claim->delta);
	return event;
}

/*
 * A writer of @depth has lost its claim. Return the pair {time, position} of the writer that
 * interrupted it and claimed the event that ends at the head. If no pair has this position, for
 * instance because that event was taken back, return the pair of @depth.
 */
static const struct rb_stamp *rb_interrupter(const struct rb_cpu *cpu, unsigned int depth)
{
	u64 pos = READ_ONCE(cpu->fast.head);
	unsigned int i;

	for (i = depth; i < RB_MAX_NEST; i++) {
		if (READ_ONCE(cpu->fast.last[i].pos) == pos)
			return &cpu->fast.last[i];
	}
	return &cpu->fast.last[depth - 1];
}

/**
 * rb_reserve_slow - reserve an event, also in cases that the inlined functions cannot handle
 * @local: this CPU's part, with the writer already counted in nest
 * @length: bytes of data
 *
 * Context: any, preemption off.
 * Return: the event; or NULL if it was refused, and then rb_local.nest no longer counts the writer.
 */
noinline struct ring_buffer_event *rb_reserve_slow(struct rb_local *local, unsigned int length)
{
	bool overwrite = rb_part(local)->buffer->flags & RB_FL_OVERWRITE;
	unsigned int depth = READ_ONCE(local->nest);
	struct rb_cpu *cpu = READ_ONCE(local->cpu);
	unsigned int data_words = rb_data_words(length);
	struct rb_claim claim;
	struct rb_stamp *last;
	u64 next;

	if (unlikely(depth > RB_MAX_NEST)) {
		local_inc(&cpu->commit_overrun);
		goto refuse;
	}
	/* The size of sub-buffers may have changed since the caller checked @length. */
	if (unlikely(rb_total_words(data_words) > cpu->words)) {
		local_inc(&cpu->dropped);
		goto refuse;
	}
	last = &cpu->fast.last[depth - 1];
	claim.event_words = rb_total_words(data_words);
	claim.last = last;
	claim.again = 0;
	for (;;) {
		rb_plan(local, cpu, &claim);
		if (claim.cross || rb_pos_words(claim.pos) + claim.words > cpu->words) {
			if (!rb_cross(cpu, claim.pos, overwrite))
				goto refuse;
			continue;
		}
		next = claim.pos + RB_POS_EVENT + claim.words;
		if (cmpxchg64_local(&cpu->fast.head, claim.pos, next) == claim.pos)
			break;
		claim.last = rb_interrupter(cpu, depth);
		claim.again = depth;
	}
	last->ts = claim.ts;
	last->pos = next;
	return rb_fill(&claim, data_words);
refuse:
	rb_leave(local);
	return NULL;
}

/* All sub-buffers before that of @pos are complete: set their lengths and number their events. */
static void rb_finish(struct rb_cpu *cpu, u64 pos)
{
	struct rb_subbuf *subbuf = cpu->committed;
	struct rb_subbuf *next;
	u64 word;

	while (subbuf->index != rb_pos_index(pos)) {
		word = READ_ONCE(cpu->slots[rb_next_slot(cpu, subbuf->slot)]);
		next = rb_slot_subbuf(cpu, word);
		/* No reader can have taken the next one yet. */
		local_set(&next->page->commit, 0);
		rb_raise_commit(subbuf->page, rb_pos_bytes(subbuf->end));
		WRITE_ONCE(cpu->finished_bytes, cpu->finished_bytes + rb_pos_bytes(subbuf->end));
		WRITE_ONCE(next->first, subbuf->first + rb_pos_events(subbuf->end));
		subbuf = next;
	}
	WRITE_ONCE(cpu->committed, subbuf);
}

/**
 * rb_publish - let readers see all complete events, and leave
 * @local: this CPU's part; no writer but the caller's is in the middle of an event
 *
 * The outermost writer does this for itself and for all that interrupted it. Without a second
 * look at the head, an event could stay unpublished: another writer (N) may interrupt after the
 * first look and see that it is not the outermost:
 *
 *	outermost writer		N
 *
 *	pos = head
 *					nest 2; head = n; does not publish
 *	commit = pos
 *	nest = 0
 *					nest 1: outermost itself, publishes
 *	head == pos?
 *
 * If N writes before nest = 0, the comparison fails and everything is done again. If N writes
 * after it, N publishes itself; doing it again then does no harm.
 *
 * commit does not go back: while nest is 1 nobody else writes it, and pos was read after nest
 * became 1. The same holds for what rb_finish() writes: it sees only sub-buffers that nobody
 * writes to any more. Of these a reader can have taken only the first, so the others can be
 * looked up in the slots. While nest is 0 the storage may be exchanged, so each round reads
 * local->cpu again.
 *
 * Context: any, preemption off.
 */
noinline void rb_publish(struct rb_local *local)
{
	bool crossed = false;
	struct rb_cpu *cpu;
	u64 pos;

	do {
		WRITE_ONCE(local->nest, 1);
		barrier();
		cpu = READ_ONCE(local->cpu);
		pos = READ_ONCE(cpu->fast.head);
		if (rb_pos_index(pos) != rb_pos_index(cpu->fast.commit)) {
			rb_finish(cpu, pos);
			crossed = true;
		}
		if (unlikely(atomic_read(&local->wake) & RB_MAPPED))
			rb_raise_commit(cpu->committed->page, rb_pos_bytes(pos));
		/* Pairs with the acquire in rb_commit_position(). */
		smp_store_release(&cpu->fast.commit, pos);
		barrier();
		WRITE_ONCE(local->nest, 0);
		barrier();
	} while (READ_ONCE(cpu->fast.head) != pos);

	if (atomic_read(&local->wake) & RB_WAKE_ANY)
		rb_wake(local);
	if (crossed && atomic_read(&local->wake) & RB_WAKE_FULL)
		rb_wake_full(local);
}

/**
 * rb_leave - end a writer, which is done with its event or did not get one
 * @local: this CPU's part
 *
 * Context: any, preemption off.
 */
void rb_leave(struct rb_local *local)
{
	struct rb_cpu *cpu = local->cpu;
	u64 pos;

	barrier();
	if (local->nest > 1) {
		local->nest--;
		return;
	}
	pos = READ_ONCE(cpu->fast.head);
	if (unlikely(rb_pos_index(pos) != rb_pos_index(cpu->fast.commit)))
		rb_publish(local);
	else
		rb_publish_usual(local, &cpu->fast, pos);
}

/**
 * ring_buffer_lock_reserve - begin an event
 * @buffer: the buffer
 * @length: bytes of data
 *
 * Turns preemption off. ring_buffer_unlock_commit() or ring_buffer_discard_commit() has to
 * follow, on the same CPU and in the same context.
 *
 * Context: any, NMI included.
 * Return: the event; or NULL (and preemption as before) if the buffer takes no events now or has
 * no space, or if @length exceeds ring_buffer_max_event_size().
 */
struct ring_buffer_event *
ring_buffer_lock_reserve(struct trace_buffer *buffer, unsigned long length)
{
	struct ring_buffer_event *event;
	struct rb_local *local;
	u64 end;

	preempt_disable_notrace();
	local = this_cpu_ptr(buffer->fast.local);
	if (rb_may_write(buffer, local) && length <= rb_max_length(buffer)) {
		if (likely(rb_reserve_usual(buffer, local, length, NULL, &event, &end)))
			return event;
		event = rb_reserve_slow(local, length);
		if (likely(event))
			return event;
	}
	preempt_enable_notrace();
	return NULL;
}
EXPORT_SYMBOL_GPL(ring_buffer_lock_reserve);

/**
 * ring_buffer_unlock_commit - end an event
 * @buffer: the buffer
 *
 * Context: that of ring_buffer_lock_reserve().
 * Return: 0.
 */
int ring_buffer_unlock_commit(struct trace_buffer *buffer)
{
	rb_leave(this_cpu_ptr(buffer->fast.local));
	preempt_enable_notrace();
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_unlock_commit);

/* Remove an event of @page from the counters. The event keeps its space, as padding. */
static void rb_uncount(struct rb_cpu *cpu, const struct rb_page *page)
{
	struct rb_subbuf *subbuf = cpu->committed;
	u64 head = READ_ONCE(cpu->fast.head);
	u64 old;

	while (READ_ONCE(cpu->fast.tail)->page == page) {
		old = head;
		head = cmpxchg64_local(&cpu->fast.head, old, old - RB_POS_EVENT);
		if (head == old)
			return;
	}
	/* Writers that left @page have ended, and later ones do not change its end. */
	while (subbuf->page != page)
		subbuf = rb_slot_subbuf(cpu, cpu->slots[rb_next_slot(cpu, subbuf->slot)]);
	WRITE_ONCE(subbuf->end, subbuf->end - RB_POS_EVENT);
}

/*
 * Make the event padding, with a delta that is not zero. Whether readers add this delta does not
 * matter: the next event has an absolute stamp, as its writer's last[] did not end at this event.
 */
static void rb_make_padding(struct ring_buffer_event *event)
{
	unsigned int bytes = (rb_event_words(event) - 1) * sizeof(u32);

	*(u32 *)event = rb_event_header(RINGBUF_TYPE_PADDING, event->time_delta ?: 1);
	event->array[0] = bytes;
}

/**
 * ring_buffer_discard_commit - take back an event instead of committing it
 * @buffer: the buffer
 * @event: the event that ring_buffer_lock_reserve() has returned last in this context
 *
 * The space is used again if nothing was written after the event. A stamp before the event is kept:
 * it is then the last entry in the buffer.
 *
 * Context: that of ring_buffer_lock_reserve().
 */
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event)
{
	struct rb_local *local = this_cpu_ptr(buffer->fast.local);
	struct rb_cpu *cpu = local->cpu;
	struct rb_stamp *last = &cpu->fast.last[local->nest - 1];
	unsigned long offset = (unsigned long)event & ((PAGE_SIZE << cpu->order) - 1);
	struct rb_page *page = (void *)event - offset;
	u64 words = (offset - offsetof(struct rb_page, data)) / sizeof(u32);
	u64 head = READ_ONCE(cpu->fast.head);
	u64 before = (head & ~(u64)U16_MAX) - RB_POS_EVENT + words;
	u32 delta = event->time_delta;

	/* Once the head is back, interrupts may write over the event: read it before. */
	barrier();
	/* tail after head: so the head that was read is at most as new as tail. */
	if (READ_ONCE(cpu->fast.tail)->page == page &&
	    rb_pos_words(head) == words + rb_event_words(event) &&
	    cmpxchg64_local(&cpu->fast.head, head, before) == head) {
		last->ts -= delta;
		last->pos = last->pos == head && words ? before : RB_POS_NONE;
	} else {
		rb_uncount(cpu, page);
		rb_make_padding(event);
	}
	ring_buffer_unlock_commit(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * ring_buffer_write - write an event in one step
 * @buffer: the buffer
 * @length: bytes of data
 * @data: bytes to copy
 *
 * Context: any, NMI included.
 * Return: 0, or -EBUSY if ring_buffer_lock_reserve() fails.
 */
int ring_buffer_write(struct trace_buffer *buffer, unsigned long length, void *data)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	if (!event)
		return -EBUSY;
	memcpy(ring_buffer_event_data(event), data, length);
	return ring_buffer_unlock_commit(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_write);
