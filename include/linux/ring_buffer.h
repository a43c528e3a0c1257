/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracing ring buffer. Writers in any context of a CPU put bytes in, readers on any CPU get
 * them out, in the order of their time stamps.
 *
 * A buffer has one part per CPU. Writers write to the part of the CPU that they run on, take no
 * lock and allocate nothing. They may interrupt each other: an NMI may write while an interrupt
 * handler writes while a task writes. Each part consists of sub-buffers, of a page each by
 * default, whose layout is ABI.
 *
 * The rest of the kernel gets <linux/mm.h>, <linux/seq_file.h> and <linux/poll.h> by including
 * this file: <linux/syscalls.h> relies on it.
 */
#ifndef _LINUX_RING_BUFFER_H
#define _LINUX_RING_BUFFER_H

#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include <uapi/linux/trace_mmap.h>

/**
 * enum ring_buffer_type - special values of &ring_buffer_event.type_len
 * @RINGBUF_TYPE_DATA_TYPE_LEN_MAX: the largest value that is a number of words of data
 * @RINGBUF_TYPE_PADDING: padding; up to the end of the sub-buffer if time_delta is 0, else
 *	array[0] bytes after the header
 * @RINGBUF_TYPE_TIME_EXTEND: a long delta: time_delta + (array[0] << 27)
 * @RINGBUF_TYPE_TIME_STAMP: an absolute time of 59 bits, in the same form
 */
enum ring_buffer_type {
	RINGBUF_TYPE_DATA_TYPE_LEN_MAX	= 28,
	RINGBUF_TYPE_PADDING		= 29,
	RINGBUF_TYPE_TIME_EXTEND	= 30,
	RINGBUF_TYPE_TIME_STAMP		= 31,
};

/**
 * struct ring_buffer_event - header of one event in a sub-buffer
 * @type_len: 1 to 28: an event with that many words of data after the header;
 *	0: an event whose data length in bytes, plus 4, is in @array[0];
 *	29 to 31: see enum ring_buffer_type
 * @time_delta: time since the entry before this one in the sub-buffer
 * @array: the data, or @array[0] and then the data
 *
 * This layout is ABI. Use the functions below instead of the members.
 */
struct ring_buffer_event {
	u32 type_len:5;
	u32 time_delta:27;
	u32 array[];
};

/**
 * struct ring_buffer_claim - an event between reserve and commit by the tracers' inlined functions
 * @local: the CPU's part of the buffer
 * @end: position after the event, or no position: the slow path has reserved the event
 */
struct ring_buffer_claim {
	struct rb_local	*local;
	u64		end;
};

/**
 * enum ring_buffer_flags - properties of a buffer
 * @RB_FL_OVERWRITE: a full buffer gives up its oldest events for new ones;
 *	without it, new events are refused and counted as dropped
 */
enum ring_buffer_flags {
	RB_FL_OVERWRITE	= BIT(0),
};

/* A value for CPU numbers: the whole buffer. */
#define RING_BUFFER_ALL_CPUS	(-1)

struct rb_local;
struct trace_buffer;
struct ring_buffer_iter;
struct buffer_data_read_page;
struct trace_seq;
struct vm_area_struct;

/*
 * Making, freeing and sizing. May sleep.
 */
struct trace_buffer *ring_buffer_alloc(unsigned long size, unsigned int flags);
void ring_buffer_free(struct trace_buffer *buffer);
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu);
bool ring_buffer_in_use(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer);
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer);
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer);
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order);
int ring_buffer_set_shape(struct trace_buffer *buffer, int order, unsigned long size);
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int on);
void ring_buffer_reset(struct trace_buffer *buffer);
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu);
int ring_buffer_swap_cpu(struct trace_buffer *a, struct trace_buffer *b, int cpu);
bool ring_buffer_await_writer(unsigned int *tries);

/*
 * Writing. Any context, NMI included; preemption is off between reserve and commit. Callers on the
 * hot path use the inlined functions of kernel/trace/ring_buffer/reserve.h.
 */
struct ring_buffer_event *
ring_buffer_lock_reserve(struct trace_buffer *buffer, unsigned long length);
int ring_buffer_unlock_commit(struct trace_buffer *buffer);
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event);
int ring_buffer_write(struct trace_buffer *buffer, unsigned long length, void *data);

/*
 * Data and time of an event. Any context.
 */
unsigned int ring_buffer_event_length(struct ring_buffer_event *event);
void *ring_buffer_event_data(struct ring_buffer_event *event);
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event);

/*
 * Consuming reader. Any context; in an NMI an event may not be found although there is one.
 * Readers of a CPU exclude each other.
 */
struct ring_buffer_event *
ring_buffer_peek(struct trace_buffer *buffer, int cpu, u64 *ts,
		 unsigned long *lost_events);
struct ring_buffer_event *
ring_buffer_consume(struct trace_buffer *buffer, int cpu, u64 *ts,
		    unsigned long *lost_events);
unsigned int ring_buffer_peek_copy(struct trace_buffer *buffer, int cpu, void *copy,
				   unsigned int size, u64 *ts, unsigned long *lost_events);
bool ring_buffer_consume_copied(struct trace_buffer *buffer, int cpu, const void *copy,
				unsigned int size, u64 ts);
bool ring_buffer_reading_here(void);
bool ring_buffer_empty(struct trace_buffer *buffer);
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu);

/*
 * Non-consuming reader. Writers and consumers may go on meanwhile.
 */
struct ring_buffer_iter *
ring_buffer_read_start(struct trace_buffer *buffer, int cpu, gfp_t flags);
void ring_buffer_read_finish(struct ring_buffer_iter *iter);
struct ring_buffer_event *
ring_buffer_iter_peek(struct ring_buffer_iter *iter, u64 *ts);
void ring_buffer_iter_advance(struct ring_buffer_iter *iter);
void ring_buffer_iter_reset(struct ring_buffer_iter *iter);
bool ring_buffer_iter_empty(struct ring_buffer_iter *iter);
unsigned long ring_buffer_iter_dropped(struct ring_buffer_iter *iter);

/*
 * Reading whole sub-buffers, by copying or by exchanging pages.
 */
struct buffer_data_read_page *
ring_buffer_alloc_read_page(struct trace_buffer *buffer, int cpu);
void ring_buffer_free_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page *read);
int ring_buffer_read_page(struct trace_buffer *buffer,
			  struct buffer_data_read_page *read, size_t len,
			  int cpu, int full);
void *ring_buffer_read_page_data(struct buffer_data_read_page *read);

/*
 * Mapping a CPU's sub-buffers into user space: <uapi/linux/trace_mmap.h>. May sleep, except
 * ring_buffer_map_get_reader().
 */
int ring_buffer_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma);
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu);
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu);

/*
 * Waiting for data.
 */
typedef bool (*ring_buffer_cond_fn)(void *data);

int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data);
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu,
			       struct file *filp, poll_table *poll_table, int full);
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu);

/*
 * Switching recording off and on. Any context. disable and enable nest. off and on are a separate
 * switch and do not nest.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer);
void ring_buffer_record_enable(struct trace_buffer *buffer);
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu);
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu);
void ring_buffer_record_off(struct trace_buffer *buffer);
void ring_buffer_record_on(struct trace_buffer *buffer);
bool ring_buffer_record_is_on(struct trace_buffer *buffer);
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer);
bool ring_buffer_record_is_on_cpu(struct trace_buffer *buffer, int cpu);

/*
 * Counters. Any context; exact while no writer of the CPU is at work.
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer);
unsigned long ring_buffer_overruns(struct trace_buffer *buffer);
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu);
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu);
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu);
u64 ring_buffer_newest_event_ts(struct trace_buffer *buffer, int cpu);

/*
 * Clock and time stamps.
 */
u64 ring_buffer_time_stamp(struct trace_buffer *buffer);
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void));
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs);
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer);

/*
 * Text that describes the ABI: events/header_page and events/header_event.
 */
int ring_buffer_print_page_header(struct trace_buffer *buffer, struct trace_seq *s);
int ring_buffer_print_entry_header(struct trace_seq *s);

#endif /* _LINUX_RING_BUFFER_H */
