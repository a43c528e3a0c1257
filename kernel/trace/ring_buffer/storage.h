/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a ring buffer consists of.
 *
 * A CPU's part of a buffer is a ring of slots and one sub-buffer more than
 * there are slots. A sub-buffer is in a slot, or it is the reader's. Everything
 * written goes to indexes, which count sub-buffers from the start and wrap at
 * 32 bits: slot s holds one index out of every nr, and neighbouring slots hold
 * neighbouring indexes. These words carry the protocol between contexts and CPUs:
 *
 *   head	position of the next event; only writers of this CPU use it
 *   commit	position up to which readers may look; only moves forward
 *   slots[]	which index a slot holds, in which sub-buffer, and whether a
 *		consuming reader has taken that one out
 *
 * words.h has the arithmetic on them, write.c says how writers use them, read.c how readers do.
 */
#ifndef _TRACE_RING_BUFFER_STORAGE_H
#define _TRACE_RING_BUFFER_STORAGE_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <asm/local.h>

/* Writers of one CPU that can be in the middle of an event at once. */
#define RB_MAX_NEST	16

/* A bigger step of time does not fit into an event's header. */
#define RB_DELTA_BITS	27
#define RB_DELTA_MAX	GENMASK(RB_DELTA_BITS - 1, 0)

/* Words that a time extend or an absolute stamp takes. */
#define RB_STAMP_WORDS	2

/* A time stamp event carries this much; the rest is the sub-buffer's. */
#define RB_STAMP_BITS	59

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

/* In rb_page.commit: events were lost before this, their number follows @data. */
#define RB_PAGE_MISSED_EVENTS	BIT(31)
#define RB_PAGE_MISSED_STORED	BIT(30)

/**
 * struct rb_subbuf - what is known about one sub-buffer
 * @page: its memory
 * @index: which index it holds; set before the head moves there
 * @slot: the slot of @index
 * @id: its place in rb_cpu.subbufs
 * @place: its place for user space, while that maps it
 * @end: the position at which writers left it; set when the head moves on
 * @first: events written to the CPU before it; set before @index is published
 */
struct rb_subbuf {
	struct rb_page	*page;
	u32		index;
	u32		slot;
	u32		id;
	u32		place;
	u64		end;
	u64		first;
};

/**
 * struct rb_stamp - the time up to a position
 * @ts: time of what ends at @pos
 * @pos: the position, or RB_POS_NONE
 */
struct rb_stamp {
	u64	ts;
	u64	pos;
};

/**
 * struct rb_cursor - a reader's place in a sub-buffer
 * @page: the sub-buffer
 * @pos: bytes of data before the next event
 * @end: bytes of data that may be read
 * @ts: time up to @pos
 */
struct rb_cursor {
	struct rb_page	*page;
	unsigned int	pos;
	unsigned int	end;
	u64		ts;
};

/**
 * struct rb_cpu - the storage of one CPU
 * @head: where the next event goes
 * @commit: up to where readers may look
 * @tail: the sub-buffer of @head, or the one before while a writer is crossing
 * @words: 32-bit words of data in a sub-buffer
 * @order: of its pages
 * @nr: slots
 * @last: the last event of the writers of each nesting depth
 * @slots: the ring, @nr words
 * @subbufs: all sub-buffers by id, @nr + 1 pointers
 * @committed: the sub-buffer of @commit; the outermost writer's
 * @finished_bytes: bytes written to the sub-buffers before @committed
 * @overrun: events overwritten
 * @overrun_bytes: bytes of the sub-buffers overwritten
 * @commit_overrun: events refused because nested writers filled the whole ring
 * @dropped: events refused because the ring was full
 * @reader_lock: guards everything below, and what readers do with slots
 * @claimed: without SMP, @reader_lock is held, taken or released
 * @reader: the reader's sub-buffer
 * @reading: @reader holds events; otherwise it is only a spare
 * @cursor: place in @reader
 * @read_index: the index to take next
 * @read_slot: the slot of @read_index
 * @next_event: number of the event that the consumer expects next
 * @lost_events: events lost before the next one, not reported yet
 * @lost_before: events lost before those of @reader
 * @read_events: events consumed
 * @read_bytes: bytes consumed in sub-buffers before @reader
 * @generation: changes when all is taken away that was written, and iterators have to start
 *	again; no two are the same
 * @layout: changes when indexes get other slots
 * @mapped: how often user space maps it; changed with trace_buffer.mutex, too
 * @meta: the page about it that user space sees, if @mapped
 */
struct rb_cpu {
	u64			head;
	u64			commit;
	struct rb_subbuf	*tail;
	unsigned int		words;
	unsigned int		order;
	unsigned int		nr;
	struct rb_stamp		last[RB_MAX_NEST];

	u64			*slots;
	struct rb_subbuf	**subbufs;
	struct rb_subbuf	*committed;
	unsigned long		finished_bytes;
	local_t			overrun;
	local_t			overrun_bytes;
	local_t			commit_overrun;
	local_t			dropped;

	raw_spinlock_t		reader_lock ____cacheline_aligned_in_smp;
	bool			claimed;
	struct rb_subbuf	*reader;
	bool			reading;
	struct rb_cursor	cursor;
	u32			read_index;
	u32			read_slot;
	u64			next_event;
	unsigned long		lost_events;
	unsigned long		lost_before;
	unsigned long		read_events;
	unsigned long		read_bytes;
	unsigned int		generation;
	unsigned int		layout;
	unsigned int		mapped;
	struct trace_buffer_meta *meta;
};

/* In rb_local.wake: when somebody is to be woken. */
#define RB_WAKE_ANY	BIT(0)	/* at the next event */
#define RB_WAKE_FULL	BIT(1)	/* when the watermark is reached */

/* With RB_WAKE_FULL: the lowest watermark, in percent, that somebody waits for. */
#define RB_MARK_SHIFT	8
#define RB_WAKE_MARK	GENMASK(RB_MARK_SHIFT + 6, RB_MARK_SHIFT)

/* And there, since it is looked at after each event: user space maps it. */
#define RB_MAPPED	BIT(2)

/* What makes the end of each event take the slow way. */
#define RB_AFTER_EVENT	(RB_WAKE_ANY | RB_MAPPED)

/**
 * struct rb_waiters - who waits for events
 * @queue: they
 * @round: counts calls of ring_buffer_wake_waiters()
 */
struct rb_waiters {
	wait_queue_head_t	queue;
	unsigned int		round;
};

/*
 * Taken from rb_local.usual for each who wants absolute time stamps: more words than
 * any sub-buffer has.
 */
#define RB_USUAL_NEVER	(1 << 16)

/**
 * struct rb_local - a CPU's door to its storage
 * @nest: writers that are in the middle of an event
 * @disabled: nobody may begin one while this is not zero
 * @cpu: the storage; exchanged only while @nest is zero
 * @usual: words of a sub-buffer that events may fill the usual way; negative while
 *	they are to have absolute time stamps
 * @wake: RB_WAKE_* flags and mark, RB_MAPPED
 * @work: wakes from a context where that is possible
 * @again: has who waits look again, see wait.c
 * @waiters: readers of this CPU
 * @buffer: whose this is
 */
struct rb_local {
	unsigned int		nest;
	atomic_t		disabled;
	struct rb_cpu		*cpu;
	atomic_t		usual;
	atomic_t		wake;
	struct irq_work		work;
	struct delayed_work	again;
	struct rb_waiters	waiters;
	struct trace_buffer	*buffer;
};

/* In trace_buffer.disabled, beside the count: switched off. */
#define RB_DISABLED_OFF	BIT(20)

/**
 * struct trace_buffer - a ring buffer
 * @disabled: nobody may begin an event while this is not zero
 * @flags: enum ring_buffer_flags
 * @clock: NULL for sched_clock(), which is called directly
 * @local: each CPU's part
 * @time_stamp_abs: how many want absolute time stamps in front of all events
 * @order: of the pages of sub-buffers, as all CPUs have it or are about to
 * @cpumask: CPUs that have storage; CPUs are never taken out
 * @nr: slots that a CPU starts with when it comes up
 * @swapped: it has storage that was another buffer's
 * @iterators: non-consuming readers; they keep the size as it is
 * @mutex: serializes changes of size and layout
 * @node: in the list of the CPU hotplug state
 * @waiters: readers of all CPUs
 */
struct trace_buffer {
	atomic_t		disabled;
	unsigned int		flags;
	u64			(*clock)(void);
	struct rb_local __percpu *local;
	atomic_t		time_stamp_abs;
	unsigned int		order;
	cpumask_var_t		cpumask;
	unsigned int		nr;
	bool			swapped;
	atomic_t		iterators;
	struct mutex		mutex;	/* inside of the mmap lock and cpus_read_lock() */
	struct hlist_node	node;
	struct rb_waiters	waiters;
};

#endif /* _TRACE_RING_BUFFER_STORAGE_H */
