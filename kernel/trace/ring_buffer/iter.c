// SPDX-License-Identifier: GPL-2.0
/*
 * The non-consuming reader of a CPU. No one waits for it: writers overwrite the events that it
 * reads, and consumers take them away.
 *
 * A sub-buffer may thus change while it is being copied, and the copy would be a mix of old and
 * new events. So the iterator copies a whole sub-buffer, then compares the slot's word with what
 * it was before. If the word is the same, the copy is good, and the iterator walks it:
 *
 *	writer				iterator
 *
 *	slots[s]: i -> i + nr		word = slots[s], with index i
 *	(full barrier)			copies
 *	writes events			(read barrier)
 *					slots[s] == word?
 *
 * If anything of index i + nr is in the copy, the comparison finds the new word. reader_lock
 * keeps consumers out. The sub-buffer that writers are in is copied piece by piece, as they
 * commit.
 *
 * An iterator ends after as many sub-buffers as the ring has. Otherwise it could run for ever
 * when writers fill sub-buffers as fast as it reads them.
 */
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

/**
 * struct ring_buffer_iter - a place in the events of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 * @order: order of the pages that a copy takes
 * @generation: rb_fast_cpu.generation when it started
 * @layout: the rb_cpu.layout for which @slot is valid
 * @index: index of the sub-buffer that is copied, or is to be copied next
 * @slot: the slot of @index
 * @left: number of sub-buffers that the iterator may still begin
 * @copied: the sub-buffer of @index, or the part that was committed, is copied; @cursor is in the
 *	copy
 * @complete: the copy has all events of @index
 * @synced: @next_event is known
 * @next_event: number of the event expected next
 * @lost: events lost before the next one
 * @cursor: place in the copy
 */
struct ring_buffer_iter {
	struct trace_buffer	*buffer;
	int			cpu;
	unsigned int		order;
	unsigned int		generation;
	unsigned int		layout;
	u32			index;
	u32			slot;
	unsigned int		left;
	bool			copied;
	bool			complete;
	bool			synced;
	u64			next_event;
	unsigned long		lost;
	struct rb_cursor	cursor;
};

static void rb_iter_goto(struct ring_buffer_iter *iter, u32 index, u32 slot)
{
	iter->index = index;
	iter->slot = slot;
	iter->copied = false;
}

static void rb_iter_next_subbuf(struct ring_buffer_iter *iter, const struct rb_cpu *cpu)
{
	rb_iter_goto(iter, iter->index + 1, rb_next_slot(cpu, iter->slot));
}

/* Begin with the oldest event that was not consumed. */
static void rb_iter_start(struct ring_buffer_iter *iter, struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	iter->generation = cpu->fast.generation;
	iter->layout = cpu->layout;
	iter->left = cpu->nr + 1;
	iter->synced = false;
	iter->lost = 0;
	if (cpu->reading && (cpu->reader->index == rb_pos_index(commit) ||
			     cpu->cursor.pos < rb_pos_bytes(cpu->reader->end)))
		rb_iter_goto(iter, cpu->reader->index, cpu->reader->slot);
	else
		rb_iter_goto(iter, cpu->read_index, cpu->read_slot);
}

/*
 * The storage was emptied or exchanged, so the events that the iterator was reading are lost. Start
 * again, but do not raise the number of sub-buffers that the iterator may still begin.
 */
static void rb_iter_start_again(struct ring_buffer_iter *iter, struct rb_cpu *cpu)
{
	unsigned int left = iter->left;
	bool begun = iter->synced;

	rb_iter_start(iter, cpu);
	iter->left = min(iter->left, left);
	iter->lost = begun;
}

/* The layout was changed by a resize that began before this iterator was made. */
static void rb_iter_relocate(struct ring_buffer_iter *iter, const struct rb_cpu *cpu)
{
	iter->layout = cpu->layout;
	iter->slot = (cpu->read_slot +
		      rb_slot_distance(cpu->read_index, iter->index, cpu->nr)) % cpu->nr;
}

/* Copy the part of @subbuf that was not copied before. */
static void rb_iter_copy(struct ring_buffer_iter *iter, struct rb_cpu *cpu,
			 const struct rb_subbuf *subbuf, u64 commit)
{
	const struct rb_page *page = subbuf->page;
	struct rb_page *copy = iter->cursor.page;
	unsigned int from = iter->copied ? iter->cursor.end : 0;
	unsigned int end = rb_committed_bytes(cpu, subbuf, commit);

	/* Writers may change it under the copy; the caller finds that out. */
	data_race(copy->time_stamp = page->time_stamp);
	if (end > from)
		/* Writers may change the data, too. */
		data_race(memcpy(copy->data + from, page->data + from, end - from));
	iter->cursor.end = max(from, end);
	iter->complete = rb_pos_index(commit) != iter->index;
}

/* The copy is good. If it is the first of this sub-buffer, start at its first event. */
static void rb_iter_copied(struct ring_buffer_iter *iter, u64 first)
{
	if (iter->copied)
		return;
	if (iter->synced)
		iter->lost += first - iter->next_event;
	iter->next_event = first;
	iter->synced = true;
	iter->copied = true;
	iter->left--;
	iter->cursor.pos = 0;
	iter->cursor.ts = iter->cursor.page->time_stamp;
}

/* Copy the sub-buffer that the consuming reader has. Skip the events that were consumed. */
static void rb_iter_copy_reader(struct ring_buffer_iter *iter, struct rb_cpu *cpu,
				u64 commit)
{
	rb_iter_copy(iter, cpu, cpu->reader, commit);
	rb_iter_copied(iter, cpu->reader->first);
	if (iter->cursor.pos >= cpu->cursor.pos)
		return;
	iter->cursor.pos = cpu->cursor.pos;
	iter->cursor.ts = cpu->cursor.ts;
	iter->next_event = cpu->next_event;
}

/* The slot does not hold the index: writers have overwritten it, or a consumer has taken it. */
static void rb_iter_skip(struct ring_buffer_iter *iter, struct rb_cpu *cpu, u64 word)
{
	if (rb_slot_index(word) != iter->index) {
		rb_iter_goto(iter, rb_slot_index(word) - cpu->nr, iter->slot);
		rb_iter_next_subbuf(iter, cpu);
		return;
	}
	iter->synced = false;
	if (cpu->reading && rb_index_before(iter->index, cpu->reader->index))
		rb_iter_goto(iter, cpu->reader->index, cpu->reader->slot);
	else
		rb_iter_goto(iter, cpu->read_index, cpu->read_slot);
}

static void rb_iter_copy_slot(struct ring_buffer_iter *iter, struct rb_cpu *cpu, u64 commit)
{
	u64 word = READ_ONCE(cpu->slots[iter->slot]);
	const struct rb_subbuf *subbuf = rb_slot_subbuf(cpu, word);
	u64 mine = rb_slot(iter->index, rb_slot_id(word));
	u64 first = READ_ONCE(subbuf->first);

	if (word == mine) {
		rb_iter_copy(iter, cpu, subbuf, commit);
		/* Pairs with the exchange in rb_prepare_slot(). */
		smp_rmb();
		word = READ_ONCE(cpu->slots[iter->slot]);
	}
	if (word == mine)
		rb_iter_copied(iter, first);
	else
		rb_iter_skip(iter, cpu, word);
}

/*
 * At the end of the copy: copy more of this sub-buffer, or go on to the next. Return false if
 * there is no more.
 */
static bool rb_iter_refill(struct ring_buffer_iter *iter, struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	if (iter->copied && iter->complete)
		rb_iter_next_subbuf(iter, cpu);
	if (!iter->copied && !iter->left)
		return false;
	if (!rb_index_behind(iter->index, commit) &&
	    (rb_pos_index(commit) != iter->index ||
	     rb_pos_bytes(commit) == (iter->copied ? iter->cursor.end : 0)))
		return false;
	if (cpu->reading && cpu->reader->index == iter->index)
		rb_iter_copy_reader(iter, cpu, commit);
	else
		rb_iter_copy_slot(iter, cpu, commit);
	return true;
}

static struct ring_buffer_event *
rb_iter_event(struct ring_buffer_iter *iter, struct rb_cpu *cpu, u64 *ts)
{
	struct ring_buffer_event *event;

	/* The order was changed while this iterator was being made. */
	if (iter->order != cpu->order)
		return NULL;
	if (iter->generation != cpu->fast.generation)
		rb_iter_start_again(iter, cpu);
	if (iter->layout != cpu->layout)
		rb_iter_relocate(iter, cpu);
	do {
		event = iter->copied ? rb_cursor_event(&iter->cursor, ts) : NULL;
	} while (!event && rb_iter_refill(iter, cpu));
	return event;
}

/**
 * ring_buffer_read_start - make a non-consuming reader
 * @buffer: the buffer
 * @cpu: the CPU to read from
 * @flags: flags to allocate it with
 *
 * While it exists, the size of the buffer cannot be changed (-EBUSY).
 *
 * Context: depends on @flags.
 * Return: the iterator, at the oldest event that was not consumed, to be freed with
 * ring_buffer_read_finish(); NULL if the CPU has no storage or memory is short.
 */
struct ring_buffer_iter *
ring_buffer_read_start(struct trace_buffer *buffer, int cpu, gfp_t flags)
{
	struct ring_buffer_iter *iter;

	if (!rb_cpu(buffer, cpu))
		return NULL;
	iter = kzalloc(sizeof(*iter), flags);
	if (!iter)
		return NULL;
	iter->buffer = buffer;
	iter->cpu = cpu;
	atomic_inc(&buffer->iterators);
	iter->order = READ_ONCE(buffer->order);
	iter->cursor.page = kvmalloc(PAGE_SIZE << iter->order, flags);
	if (!iter->cursor.page) {
		ring_buffer_read_finish(iter);
		return NULL;
	}
	ring_buffer_iter_reset(iter);
	return iter;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_start);

/**
 * ring_buffer_read_finish - free a non-consuming reader
 * @iter: the iterator
 *
 * Context: may sleep.
 */
void ring_buffer_read_finish(struct ring_buffer_iter *iter)
{
	atomic_dec(&iter->buffer->iterators);
	kvfree(iter->cursor.page);
	kfree(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_finish);

/**
 * ring_buffer_iter_peek - get the event at an iterator's place
 * @iter: the iterator
 * @ts: set to the time of the event, if not NULL
 *
 * Context: any, one user of @iter at a time.
 * Return: the event, valid until the next call with @iter; NULL if there are no more. A later
 * call may find more.
 */
struct ring_buffer_event *ring_buffer_iter_peek(struct ring_buffer_iter *iter, u64 *ts)
{
	struct rb_cpu *cpu __free(rb_reader) = rb_lock_reader(iter->buffer, iter->cpu);
	struct ring_buffer_event *event;
	u64 time;

	event = cpu ? rb_iter_event(iter, cpu, &time) : NULL;
	if (event && ts)
		*ts = time;
	return event;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_peek);

/**
 * ring_buffer_iter_advance - go to the next event
 * @iter: the iterator, at the event that ring_buffer_iter_peek() returned last
 *
 * Context: any, one user of @iter at a time.
 */
void ring_buffer_iter_advance(struct ring_buffer_iter *iter)
{
	if (!iter->copied || iter->cursor.pos >= iter->cursor.end)
		return;
	rb_cursor_advance(&iter->cursor);
	iter->next_event++;
	iter->lost = 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_advance);

/**
 * ring_buffer_iter_reset - go back to the oldest event that was not consumed
 * @iter: the iterator
 *
 * Context: any, one user of @iter at a time.
 */
void ring_buffer_iter_reset(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cpu __free(rb_reader) = rb_lock_reader(iter->buffer, iter->cpu);

	if (cpu)
		rb_iter_start(iter, cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_reset);

/**
 * ring_buffer_iter_empty - is an iterator at the end?
 * @iter: the iterator
 *
 * Context: any, one user of @iter at a time.
 * Return: true if ring_buffer_iter_peek() would return NULL.
 */
bool ring_buffer_iter_empty(struct ring_buffer_iter *iter)
{
	return !ring_buffer_iter_peek(iter, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_empty);

/**
 * ring_buffer_iter_dropped - the number of events that an iterator has missed
 * @iter: the iterator
 *
 * Context: any, one user of @iter at a time.
 * Return: number of events lost before the one that ring_buffer_iter_peek() returned last; 0 after
 * ring_buffer_iter_advance().
 */
unsigned long ring_buffer_iter_dropped(struct ring_buffer_iter *iter)
{
	return iter->lost;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_dropped);
