/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words that CPUs and contexts exchange: positions, slots, and the commit.
 */
#ifndef _TRACE_RING_BUFFER_WORDS_H
#define _TRACE_RING_BUFFER_WORDS_H

#include <linux/bits.h>
#include <linux/types.h>

/*
 * Positions: an index, the events in that sub-buffer, and the words used in it. So a writer
 * that moves the head claims the space and counts the event in one step, and a writer that
 * moves the head to the next sub-buffer learns the events and words of the sub-buffer it leaves.
 */
#define RB_POS_EVENT	BIT_ULL(16)
#define RB_POS_NONE	U64_MAX	/* more words than any sub-buffer has */

static inline u64 rb_pos(u32 index)
{
	return (u64)index << 32;
}

static inline u32 rb_pos_index(u64 pos)
{
	return pos >> 32;
}

static inline unsigned int rb_pos_events(u64 pos)
{
	return (u16)(pos >> 16);
}

static inline unsigned int rb_pos_words(u64 pos)
{
	return (u16)pos;
}

static inline unsigned int rb_pos_bytes(u64 pos)
{
	return rb_pos_words(pos) * sizeof(u32);
}

/* Indexes wrap: a is before b if going forward from a to b takes less than half the circle. */
static inline bool rb_index_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

/*
 * Is a reader's index behind that of @commit? A reader that has consumed all is at the index of
 * @commit or one ahead of it; any other index is behind. rb_index_before() would give the wrong
 * answer after 2^31 indexes, or 9 TB of events, without a read.
 */
static inline bool rb_index_behind(u32 index, u64 commit)
{
	return index != rb_pos_index(commit) && index != rb_pos_index(commit) + 1;
}

/*
 * Slot words: an index, the id of the sub-buffer, and a flag. The flag says that the events of
 * this index are not here, or no longer, so that writers may use the sub-buffer.
 */
#define RB_SLOT_FREE	BIT_ULL(0)

static inline u64 rb_slot(u32 index, u32 id)
{
	return (u64)index << 32 | (u64)id << 1;
}

static inline u32 rb_slot_index(u64 word)
{
	return word >> 32;
}

static inline u32 rb_slot_id(u64 word)
{
	return (u32)word >> 1;
}

/* The number of slots to go forward from the slot of index @from to the slot of index @to. */
static inline u32 rb_slot_distance(u32 from, u32 to, u32 nr)
{
	s32 distance = (s32)(to - from) % (s32)nr;

	return distance < 0 ? distance + nr : distance;
}

#endif /* _TRACE_RING_BUFFER_WORDS_H */
