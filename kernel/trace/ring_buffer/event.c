// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of events: how long they are, where their data begin, and how to walk a sub-buffer.
 * A sub-buffer may hold garbage: the walk ends, and does not look outside of the sub-buffer.
 */
#include <linux/export.h>

#include "internal.h"

/* The time in a stamp or time extend, of 59 bits: an absolute time, or a delta. */
static u64 rb_entry_time(const struct ring_buffer_event *event)
{
	return ((u64)event->array[0] << RB_DELTA_BITS) + event->time_delta;
}

/**
 * rb_event_words - the length of an entry in a sub-buffer
 * @event: the entry, of any type
 *
 * Context: any.
 * Return: the length in words, with the header; 0 for padding up to the end of the sub-buffer.
 */
unsigned int rb_event_words(const struct ring_buffer_event *event)
{
	switch (event->type_len) {
	case RINGBUF_TYPE_PADDING:
		if (!event->time_delta)
			return 0;
		fallthrough;
	case 0:
		return 1 + event->array[0] / sizeof(u32);
	case RINGBUF_TYPE_TIME_EXTEND:
	case RINGBUF_TYPE_TIME_STAMP:
		return RB_STAMP_WORDS;
	default:
		return 1 + event->type_len;
	}
}

/* The entry at the cursor, with its length in @bytes; NULL if it does not fit into the data. */
static struct ring_buffer_event *rb_cursor_entry(struct rb_cursor *cursor, u64 *bytes)
{
	struct ring_buffer_event *entry = (void *)cursor->page->data + cursor->pos;
	unsigned int room = cursor->end - cursor->pos;

	if (cursor->pos >= cursor->end || room < 2 * sizeof(u32))
		return NULL;
	*bytes = (u64)rb_event_words(entry) * sizeof(u32);
	/* A length that the entry itself states can be too small. Data are at least one word. */
	if (*bytes < (entry->type_len ? 2 : 3) * sizeof(u32) || *bytes > room)
		return NULL;
	return entry;
}

/* A stamp lacks the highest bits of the time. Take them from the time of the event before it. */
static u64 rb_full_stamp(u64 stamp, u64 before)
{
	u64 ts = (before & ~GENMASK_ULL(RB_STAMP_BITS - 1, 0)) | stamp;

	if (before > ts && before - ts > BIT_ULL(RB_STAMP_BITS - 1))
		ts += BIT_ULL(RB_STAMP_BITS);
	return ts;
}

/**
 * rb_cursor_event - find the event at a cursor
 * @cursor: the place; moves over entries that are not events
 * @ts: set to the time of the event
 *
 * Context: any, one user of @cursor at a time.
 * Return: the event; NULL, with the cursor at the end, if there are no more data or if the data are
 * garbage.
 */
struct ring_buffer_event *rb_cursor_event(struct rb_cursor *cursor, u64 *ts)
{
	struct ring_buffer_event *entry;
	u64 bytes;

	while ((entry = rb_cursor_entry(cursor, &bytes))) {
		switch (entry->type_len) {
		case RINGBUF_TYPE_PADDING:
			break;
		case RINGBUF_TYPE_TIME_EXTEND:
			cursor->ts += rb_entry_time(entry);
			break;
		case RINGBUF_TYPE_TIME_STAMP:
			cursor->ts = rb_full_stamp(rb_entry_time(entry), cursor->ts);
			break;
		default:
			*ts = cursor->ts + entry->time_delta;
			return entry;
		}
		cursor->pos += bytes;
	}
	cursor->pos = cursor->end;
	return NULL;
}

/**
 * rb_cursor_advance - move a cursor past its event
 * @cursor: the place, at the event that rb_cursor_event() returned
 *
 * Context: any, one user of @cursor at a time.
 */
void rb_cursor_advance(struct rb_cursor *cursor)
{
	struct ring_buffer_event *event = (void *)cursor->page->data + cursor->pos;

	cursor->ts += event->time_delta;
	cursor->pos += rb_event_words(event) * sizeof(u32);
}

/**
 * ring_buffer_event_length - the size of an event's data
 * @event: a data event
 *
 * Context: any.
 * Return: bytes of data, rounded up to the alignment of events.
 */
unsigned int ring_buffer_event_length(struct ring_buffer_event *event)
{
	if (event->type_len)
		return event->type_len * sizeof(u32);
	/* Count whole words, as rb_event_words() does, also if the length is garbage. */
	return (event->array[0] / sizeof(u32) - 1) * sizeof(u32);
}
EXPORT_SYMBOL_GPL(ring_buffer_event_length);

/**
 * ring_buffer_event_data - the data of an event
 * @event: a data event
 *
 * Context: any.
 * Return: pointer to the data.
 */
void *ring_buffer_event_data(struct ring_buffer_event *event)
{
	return event->array + !event->type_len;
}
EXPORT_SYMBOL_GPL(ring_buffer_event_data);

/**
 * ring_buffer_event_time_stamp - the time of an event being written
 * @buffer: its buffer
 * @event: the event that ring_buffer_lock_reserve() has returned last in this context
 *
 * Context: that of ring_buffer_lock_reserve(), before the event is committed.
 * Return: the time, in the unit of the buffer's clock.
 */
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event)
{
	struct rb_local *local = this_cpu_ptr(buffer->fast.local);

	return local->cpu->fast.last[local->nest - 1].ts;
}
EXPORT_SYMBOL_GPL(ring_buffer_event_time_stamp);
