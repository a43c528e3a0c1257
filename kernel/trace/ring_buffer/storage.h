/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data structures of a ring buffer. fast.h has the members of them that every event uses.
 *
 * A CPU's part of a buffer is a ring of slots and one sub-buffer more than there are slots: each
 * slot holds a sub-buffer, and the reader has one. Events go to indexes: numbers of sub-buffers,
 * which count from the start and wrap at 32 bits. Slot s holds one index out of every nr, and
 * neighbouring slots hold neighbouring indexes. These words carry the protocol between contexts
 * and CPUs:
 *
 *   head	position of the next event; only writers of this CPU use it
 *   commit	position up to which readers may look; only moves forward
 *   slots[]	which index a slot holds, in which sub-buffer, and whether a
 *		consuming reader has taken the events of that index out
 *
 * words.h has the arithmetic on them. write.c says how writers use them, read.c how readers do.
 */
#ifndef _TRACE_RING_BUFFER_STORAGE_H
#define _TRACE_RING_BUFFER_STORAGE_H

#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "fast.h"

/* Words that a time extend or an absolute stamp takes. */
#define RB_STAMP_WORDS	2

/* The lower bits of the time are in a time stamp event; the higher ones are the sub-buffer's. */
#define RB_STAMP_BITS	59

/* Bits of rb_page.commit: events were lost before it; their number is stored after the data. */
#define RB_PAGE_MISSED_EVENTS	BIT(31)
#define RB_PAGE_MISSED_STORED	BIT(30)

/**
 * struct rb_subbuf - the descriptor of a sub-buffer
 * @page: its memory
 * @index: the index that it holds; set before the head moves there
 * @slot: the slot of @index
 * @id: position in the array rb_cpu.subbufs
 * @place: number of the sub-buffer in user space's mapping; valid while rb_cpu.mapped is not 0
 * @end: the position at which writers left it; set when the head moves on
 * @first: number of events written to the CPU before it; set before @index is published
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
 * struct rb_cursor - a reader's place in a sub-buffer
 * @page: the sub-buffer
 * @pos: bytes of data before the next event
 * @end: bytes of data that may be read
 * @ts: time of the last event or stamp before @pos; if there is none, the time in the header of
 *	@page
 */
struct rb_cursor {
	struct rb_page	*page;
	unsigned int	pos;
	unsigned int	end;
	u64		ts;
};

/**
 * struct rb_cpu - the storage of one CPU
 * @fast: the head, the commit, and other members that writing an event uses
 * @words: 32-bit words of data in a sub-buffer
 * @order: order of the pages of a sub-buffer
 * @nr: number of slots
 * @slots: the ring, @nr words
 * @subbufs: all sub-buffers by id, @nr + 1 pointers
 * @committed: the sub-buffer of the commit in @fast; set by the outermost writer
 * @finished_bytes: bytes written to the sub-buffers before @committed
 * @overrun: events overwritten
 * @overrun_bytes: bytes of the sub-buffers overwritten
 * @commit_overrun: events refused because nested writers filled the whole ring
 * @dropped: events refused because the ring was full
 * @reader_lock: protects the members below it, and the exchange of slots by readers
 * @claimed: without SMP: @reader_lock is held, being taken or being released
 * @reader_irqs: interrupt flags from before @reader_lock was taken, for rb_unlock_reader()
 * @reader: the reader's sub-buffer
 * @reading: true: @reader holds events; false: it is only a spare
 * @cursor: place in @reader
 * @read_index: the index to take next
 * @read_slot: the slot of @read_index
 * @next_event: number of the event that the consumer expects next
 * @lost_events: events lost before the next one, not reported yet
 * @lost_before: events lost before those of @reader
 * @read_events: events consumed
 * @read_bytes: bytes consumed in sub-buffers before @reader
 * @layout: changes when indexes move to other slots
 * @mapped: number of mappings into user space; changed with @reader_lock and trace_buffer.mutex
 *	held
 * @meta: the meta page, which user space maps and which describes the storage; valid while @mapped
 *	is not 0
 */
struct rb_cpu {
	struct rb_fast_cpu	fast;

	unsigned int		words;
	unsigned int		order;
	unsigned int		nr;

	u64			*slots;
	struct rb_subbuf	**subbufs;
	struct rb_subbuf	*committed;

	/* All zero when the ring is empty: rb_init_ring(). */
	struct_group(writers_state,
		unsigned long	finished_bytes;
		local_t		overrun;
		local_t		overrun_bytes;
		local_t		commit_overrun;
		local_t		dropped;
	);

	raw_spinlock_t		reader_lock ____cacheline_aligned_in_smp;
	bool			claimed;
	unsigned long		reader_irqs;
	struct rb_subbuf	*reader;

	/* Also all zero when the ring is empty. */
	struct_group(readers_state,
		bool			reading;
		struct rb_cursor	cursor;
		u32			read_index;
		u32			read_slot;
		u64			next_event;
		unsigned long		lost_events;
		unsigned long		lost_before;
		unsigned long		read_events;
		unsigned long		read_bytes;
	);
	unsigned int		layout;
	unsigned int		mapped;
	struct trace_buffer_meta *meta;
};

/**
 * struct rb_waiters - tasks that wait for events
 * @queue: their wait queue
 * @round: number of calls of ring_buffer_wake_waiters()
 */
struct rb_waiters {
	wait_queue_head_t	queue;
	unsigned int		round;
};

/*
 * Subtracted from rb_local.usual for each request for absolute time stamps. No sub-buffer has
 * as many words, so rb_reserve_usual() fails as long as there is a request.
 */
#define RB_USUAL_NEVER	(1 << 16)

/**
 * struct rb_part - a CPU's part of a buffer
 * @local: the storage, and other members that writing an event uses
 * @work: wakes waiters from a context that allows it
 * @again: makes waiters look for events once more, see wait.c
 * @waiters: readers of this CPU
 * @buffer: the buffer that this is a part of
 */
struct rb_part {
	struct rb_local		local;
	struct irq_work		work;
	struct delayed_work	again;
	struct rb_waiters	waiters;
	struct trace_buffer	*buffer;
};

static inline struct rb_part *rb_part(struct rb_local *local)
{
	return container_of(local, struct rb_part, local);
}

/* A bit of rb_fast_buffer.disabled, above the count: the buffer is switched off. */
#define RB_DISABLED_OFF	BIT(20)

/**
 * struct trace_buffer - a ring buffer
 * @fast: the clock, and other members that writing an event uses
 * @parts: each CPU's part
 * @flags: enum ring_buffer_flags
 * @time_stamp_abs: number of requests for an absolute time stamp before each event
 * @order: order of the pages of a sub-buffer; ring_buffer_set_shape() sets it before it changes
 *	CPUs
 * @cpumask: CPUs that have storage; a CPU that goes down stays in the mask
 * @nr: slots that a CPU starts with when it comes up
 * @swapped: storage was exchanged with another buffer at some time
 * @iterators: number of non-consuming readers; the size cannot change while there are any
 * @mutex: serializes changes of size and layout
 * @node: in the list of the CPU hotplug state
 * @waiters: readers of all CPUs
 */
struct trace_buffer {
	struct rb_fast_buffer	fast;
	struct rb_part __percpu	*parts;
	unsigned int		flags;
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

/* fast.h relies on these. */
static_assert(!offsetof(struct rb_subbuf, page));
static_assert(!offsetof(struct rb_cpu, fast));
static_assert(!offsetof(struct trace_buffer, fast));

#endif /* _TRACE_RING_BUFFER_STORAGE_H */
