// SPDX-License-Identifier: GPL-2.0
/*
 * Reading whole sub-buffers, for tools that want binary data.
 *
 * The oldest sub-buffer is read. If no event of it was consumed, writers have left it, and user
 * space does not map it, then the sub-buffer and the caller exchange their pages, and nothing is
 * copied. Otherwise as many of the events are copied as fit into the caller's page.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

/**
 * struct buffer_data_read_page - a sub-buffer that is in no ring
 * @order: order of its pages
 * @page: its memory
 */
struct buffer_data_read_page {
	unsigned int	order;
	struct rb_page	*page;
};

/**
 * ring_buffer_alloc_read_page - make a sub-buffer for ring_buffer_read_page()
 * @buffer: the buffer to read from
 * @cpu: the CPU to read from
 *
 * Context: may sleep.
 * Return: the sub-buffer, to be freed with ring_buffer_free_read_page(); ERR_PTR(-ENODEV) if the
 * CPU has no storage; ERR_PTR(-ENOMEM).
 */
struct buffer_data_read_page *
ring_buffer_alloc_read_page(struct trace_buffer *buffer, int cpu)
{
	struct buffer_data_read_page *read __free(kfree) = NULL;

	if (!rb_cpu(buffer, cpu))
		return ERR_PTR(-ENODEV);
	read = kzalloc(sizeof(*read), GFP_KERNEL);
	if (!read)
		return ERR_PTR(-ENOMEM);
	read->order = READ_ONCE(buffer->order);
	read->page = rb_alloc_page(cpu, read->order);
	return read->page ? no_free_ptr(read) : ERR_PTR(-ENOMEM);
}
EXPORT_SYMBOL_GPL(ring_buffer_alloc_read_page);

/**
 * ring_buffer_free_read_page - free what ring_buffer_alloc_read_page() has made
 * @buffer: the buffer
 * @cpu: the CPU
 * @read: the sub-buffer
 *
 * Context: process.
 */
void ring_buffer_free_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page *read)
{
	free_pages((unsigned long)read->page, read->order);
	kfree(read);
}
EXPORT_SYMBOL_GPL(ring_buffer_free_read_page);

/**
 * ring_buffer_read_page_data - get the memory of a sub-buffer
 * @read: the sub-buffer
 *
 * Context: any.
 * Return: the memory, laid out as ring_buffer_print_page_header() describes.
 */
void *ring_buffer_read_page_data(struct buffer_data_read_page *read)
{
	return read->page;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_data);

/**
 * rb_seal_page - complete the header of a sub-buffer that no writer will change
 * @page: its memory
 * @order: order of its pages
 * @bytes: length of its events
 * @lost: number of events lost before it; stored after the events if it fits
 *
 * Clears the rest of the data, where old events may be.
 *
 * Context: any; no other code changes the sub-buffer.
 */
void rb_seal_page(struct rb_page *page, unsigned int order, unsigned int bytes,
		  unsigned long lost)
{
	unsigned int room = rb_data_size(order) - bytes;
	unsigned long commit = bytes;

	if (lost) {
		commit |= RB_PAGE_MISSED_EVENTS;
		if (room >= sizeof(lost)) {
			memcpy(page->data + bytes, &lost, sizeof(lost));
			commit |= RB_PAGE_MISSED_STORED;
			bytes += sizeof(lost);
			room -= sizeof(lost);
		}
	}
	memset(page->data + bytes, 0, room);
	local_set(&page->commit, commit);
}

/**
 * rb_consume_rest - count the rest of the reader's sub-buffer as consumed
 * @cpu: the storage; writers have left the reader's sub-buffer
 *
 * Context: any, reader_lock held.
 */
void rb_consume_rest(struct rb_cpu *cpu)
{
	unsigned int events = rb_pos_events(cpu->reader->end);

	cpu->read_events += cpu->reader->first + events - cpu->next_event;
	cpu->next_event = cpu->reader->first + events;
	cpu->cursor.pos = cpu->cursor.end;
}

/* Exchange the reader's page with the caller's. */
static void rb_exchange_page(struct rb_cpu *cpu, struct buffer_data_read_page *read)
{
	swap(cpu->reader->page, read->page);
	cpu->cursor.page = cpu->reader->page;
	/* The caller's page has an old count. User space that maps it later must not see it. */
	local_set(&cpu->reader->page->commit, 0);
	rb_seal_page(read->page, read->order, cpu->cursor.end, cpu->lost_events);
	rb_consume_rest(cpu);
}

/* Copy events, with the stamps between them, as long as they fit into @len bytes. */
static bool rb_copy_events(struct rb_cpu *cpu, struct buffer_data_read_page *read,
			   unsigned int len)
{
	struct rb_cursor *cursor = &cpu->cursor, next = *cursor;
	u64 events = 0, ts;

	while (rb_cursor_event(&next, &ts)) {
		rb_cursor_advance(&next);
		if (next.pos - cursor->pos > len)
			break;
		events++;
		len -= next.pos - cursor->pos;
		memcpy(read->page->data + local_read(&read->page->commit),
		       cursor->page->data + cursor->pos, next.pos - cursor->pos);
		local_add(next.pos - cursor->pos, &read->page->commit);
		*cursor = next;
	}
	cpu->read_events += events;
	cpu->next_event += events;
	return events;
}

static bool rb_copy_page(struct rb_cpu *cpu, struct buffer_data_read_page *read,
			 unsigned int len)
{
	read->page->time_stamp = cpu->cursor.ts;
	local_set(&read->page->commit, 0);
	if (!rb_copy_events(cpu, read, len))
		return false;
	rb_seal_page(read->page, read->order, local_read(&read->page->commit),
		     cpu->lost_events);
	return true;
}

/* Read the sub-buffer of the next event, at which the reader's cursor is. */
static bool rb_read_page(struct rb_cpu *cpu, struct buffer_data_read_page *read,
			 unsigned int len, bool full)
{
	u64 commit = rb_commit_position(cpu);
	bool complete = cpu->reader->index != rb_pos_index(commit);

	/* Writers may have written more, and then left, since the cursor's end was set. */
	cpu->cursor.end = rb_committed_bytes(cpu, cpu->reader, commit);
	if (complete && cpu->next_event == cpu->reader->first && len >= cpu->cursor.end &&
	    !cpu->mapped) {
		rb_exchange_page(cpu, read);
		return true;
	}
	if (full && !(complete && len >= cpu->cursor.end - cpu->cursor.pos))
		return false;
	return rb_copy_page(cpu, read, len);
}

/**
 * ring_buffer_read_page - consume events as a sub-buffer
 * @buffer: the buffer
 * @read: where to put the events; made for this buffer and @cpu
 * @len: bytes that may be used in @read, with the header
 * @cpu: the CPU to read from
 * @full: true: only read a sub-buffer that writers have left, and all that is unread in it
 *
 * May exchange the memory of @read for other memory.
 *
 * Context: process.
 * Return: 0 if there were events; -E2BIG if @len is too small for the next one and @full is
 * false; else -1.
 */
int ring_buffer_read_page(struct trace_buffer *buffer, struct buffer_data_read_page *read,
			  size_t len, int cpu, int full)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);
	size_t header = offsetof(struct rb_page, data);
	u64 ts;

	if (!rb || read->order != rb->order || !rb_next_event(rb, &ts))
		return -1;
	len = min(len, header + rb_data_size(rb->order));
	if (len <= header || !rb_read_page(rb, read, len - header, full))
		return full ? -1 : -E2BIG;
	rb->lost_events = 0;
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page);
