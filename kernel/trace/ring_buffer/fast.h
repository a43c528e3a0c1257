/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the data structures of a ring buffer that the inlined functions of reserve.h use: the
 * members that every event uses. storage.h has the rest, which only files of the ring buffer see.
 */
#ifndef _TRACE_RING_BUFFER_FAST_H
#define _TRACE_RING_BUFFER_FAST_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/local.h>

struct rb_cpu;
struct rb_subbuf;
struct trace_buffer;

/* The largest nesting depth: writers of one CPU that can be in the middle of an event at once. */
#define RB_MAX_NEST	16

/* The header of an event has this many bits for the time since the last event. */
#define RB_DELTA_BITS	27
#define RB_DELTA_MAX	GENMASK(RB_DELTA_BITS - 1, 0)

/**
 * struct rb_page - a sub-buffer as users see it: this is ABI
 * @time_stamp: time of the first event
 * @commit: bytes used in @data, with the RB_PAGE_* flags
 * @data: the events
 */
struct rb_page {
	u64		time_stamp;
	local_t		commit;
	unsigned char	data[] __aligned(8);
};

/**
 * struct rb_stamp - a position and the time of the event before it
 * @ts: time of the event that ends at @pos
 * @pos: the position, or RB_POS_NONE if there is no such event
 */
struct rb_stamp {
	u64	ts;
	u64	pos;
};

/**
 * struct rb_fast_cpu - the members of struct rb_cpu that events use
 * @head: position of the next event
 * @commit: position up to which readers may look
 * @tail: the sub-buffer of @head, or the one before while a writer is crossing
 * @generation: a number that is unique; a new one is taken when the storage is emptied, and
 *	iterators then start again. Changes with reader_lock held
 * @last: for each nesting depth, the time and the end of its last event
 */
struct rb_fast_cpu {
	u64			head;
	u64			commit;
	struct rb_subbuf	*tail;
	unsigned int		generation;
	struct rb_stamp		last[RB_MAX_NEST];
};

/* Bits of rb_local.wake: when writers have to wake waiters. */
#define RB_WAKE_ANY	BIT(0)	/* at the next event */
#define RB_WAKE_FULL	BIT(1)	/* when the watermark is reached */

/* If RB_WAKE_FULL is set, rb_local.wake holds the lowest watermark of all waiters, in percent. */
#define RB_MARK_SHIFT	8
#define RB_WAKE_MARK	GENMASK(RB_MARK_SHIFT + 6, RB_MARK_SHIFT)

/* User space maps this. The bit is in rb_local.wake, as writers load that word after each event. */
#define RB_MAPPED	BIT(2)

/* While one of these flags is set, the end of each event takes the slow path. */
#define RB_AFTER_EVENT	(RB_WAKE_ANY | RB_MAPPED)

/**
 * struct rb_local - the members of struct rb_part that events use
 * @nest: writers that are in the middle of an event
 * @disabled: while this is not zero, no writer may begin an event
 * @cpu: the storage; exchanged only while @nest is zero
 * @usual: words of a sub-buffer that rb_reserve_usual() may fill; negative while each event
 *	has to have an absolute time stamp
 * @wake: RB_WAKE_* flags and the watermark, RB_MAPPED
 */
struct rb_local {
	unsigned int		nest;
	atomic_t		disabled;
	struct rb_cpu		*cpu;
	atomic_t		usual;
	atomic_t		wake;
};

/**
 * struct rb_fast_buffer - the members of struct trace_buffer that events use
 * @disabled: while this is not zero, no writer may begin an event
 * @clock: NULL for sched_clock(), which is called directly
 * @local: each CPU's part: rb_part.local
 */
struct rb_fast_buffer {
	atomic_t		disabled;
	u64			(*clock)(void);
	struct rb_local __percpu *local;
};

/* These members come first in their structures: storage.h asserts that they do. */
static __always_inline struct rb_fast_buffer *rb_fast_buffer(struct trace_buffer *buffer)
{
	return (struct rb_fast_buffer *)buffer;
}

static __always_inline struct rb_fast_cpu *rb_fast_cpu(struct rb_cpu *cpu)
{
	return (struct rb_fast_cpu *)cpu;
}

static __always_inline struct rb_page *rb_fast_page(struct rb_subbuf *subbuf)
{
	return *(struct rb_page **)subbuf;
}

#endif /* _TRACE_RING_BUFFER_FAST_H */
