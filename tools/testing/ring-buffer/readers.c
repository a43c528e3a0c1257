// SPDX-License-Identifier: GPL-2.0
/*
 * The readers of the torture. For each CPU, one thread consumes, in all ways in turn, and another
 * one iterates.
 */
#include <unistd.h>

#include "torture.h"

static void check_data(struct checker *checker, struct payload *payload, unsigned int length,
		       int cpu, u64 ts, unsigned long lost)
{
	unsigned int d;
	u32 i;

	CHECK(payload->cpu == cpu, "%u on %d", payload->cpu, cpu);
	CHECK(payload->depth < MAX_DEPTH, "%u", payload->depth);
	CHECK(length >= sizeof(*payload) + payload->length * sizeof(u32) &&
	      length < sizeof(*payload) + payload->length * sizeof(u32) + 8,
	      "%u for %u words", length, payload->length);
	CHECK(payload->ts == ts, "%lu, written %lu, depth %u", ts, payload->ts, payload->depth);
	for (i = 0; i < payload->length; i++)
		CHECK(payload->fill[i] == (u32)(payload->number * 31 + cpu + i));
	checker->seen++;
	if (options.chaos)
		return;
	CHECK(ts >= checker->ts, "%lu after %lu", ts, checker->ts);
	if (lost) {
		for (d = 0; d < MAX_DEPTH; d++)
			checker->may_miss[d] = true;
	}
	d = payload->depth;
	CHECK(checker->may_miss[d] ? payload->number >= checker->number[d] :
				     payload->number == checker->number[d],
	      "number %lu at depth %u, expected %lu", payload->number, d, checker->number[d]);
	checker->may_miss[d] = false;
	checker->number[d] = payload->number + 1;
	checker->ts = ts;
	checker->lost += lost;
}

static void check_event(struct checker *checker, struct ring_buffer_event *event, int cpu,
			u64 ts, unsigned long lost)
{
	check_data(checker, ring_buffer_event_data(event), ring_buffer_event_length(event), cpu,
		   ts, lost);
}

/* The checker of the storage that an event is from. All events of a page are from one storage. */
static struct checker *checker_of(struct reader *reader, struct payload *payload)
{
	CHECK(payload->storage < STORAGES, "%u", payload->storage);
	return &reader->checker[payload->storage];
}

static u64 seen_by(const struct reader *reader)
{
	return reader->checker[0].seen + reader->checker[1].seen;
}

static unsigned int page_bytes(unsigned long commit)
{
	return commit & ~(RB_PAGE_MISSED_EVENTS | RB_PAGE_MISSED_STORED);
}

/*
 * Check the events of a sub-buffer from byte @from to byte @to, walking it as tools do. @checker is
 * NULL if the events were checked already, or will be.
 */
static void check_events(struct checker *checker, int cpu, struct rb_page *page,
			 unsigned int from, unsigned int to, unsigned long lost)
{
	struct rb_cursor cursor = { .page = page, .ts = page->time_stamp, .end = to };
	struct checker none = { .may_miss = { true, true, true, true } };
	struct ring_buffer_event *event;
	u64 ts;

	while ((event = rb_cursor_event(&cursor, &ts))) {
		if (!checker || cursor.pos < from) {
			check_event(&none, event, cpu, ts, 1);
		} else {
			check_event(checker, event, cpu, ts, lost);
		}
		lost = 0;
		rb_cursor_advance(&cursor);
	}
}

/* The number of events lost before a sub-buffer, if its page has it. */
static unsigned long page_lost(struct reader *reader, struct checker *checker,
			       struct rb_page *page)
{
	unsigned long commit = local_read(&page->commit), lost = 0;

	if (commit & RB_PAGE_MISSED_STORED) {
		memcpy(&lost, page->data + page_bytes(commit), sizeof(lost));
	} else if (commit & RB_PAGE_MISSED_EVENTS) {
		reader->untold = true;
		memset(checker->may_miss, true, sizeof(checker->may_miss));
	}
	return lost;
}

static void check_page(struct reader *reader, struct rb_page *page)
{
	unsigned int end = page_bytes(local_read(&page->commit));
	struct rb_cursor cursor = { .page = page, .ts = page->time_stamp, .end = end };
	struct ring_buffer_event *event;
	struct checker *checker;
	u64 ts;

	CHECK(options.chaos || end <= rb_data_size(0), "%u", end);
	event = rb_cursor_event(&cursor, &ts);
	CHECK(event);
	checker = checker_of(reader, ring_buffer_event_data(event));
	check_events(checker, reader->cpu, page, 0, end, page_lost(reader, checker, page));
}

/* Consume an event and check it in the buffer; only possible if nobody removes it meanwhile. */
static bool consume_in_place(struct reader *reader)
{
	struct ring_buffer_event *event;
	struct payload *payload;
	unsigned long lost;
	u64 ts;

	event = ring_buffer_consume(reader->buffer, reader->cpu, &ts, &lost);
	if (!event)
		return false;
	payload = ring_buffer_event_data(event);
	check_data(checker_of(reader, payload), payload, ring_buffer_event_length(event),
		   reader->cpu, ts, lost);
	return true;
}

/* Copy an event and consume it, whatever happens to the buffer. Only a reset may remove it. */
static bool consume_copy(struct reader *reader)
{
	static __thread u64 copy[(PAGE_SIZE << 2) / sizeof(u64)];
	struct payload *payload = (void *)copy;
	unsigned long lost;
	unsigned int size;
	u64 ts;

	size = ring_buffer_peek_copy(reader->buffer, reader->cpu, copy, sizeof(copy), &ts, &lost);
	if (!size)
		return false;
	CHECK(size <= sizeof(copy), "%u", size);
	if (ring_buffer_consume_copied(reader->buffer, reader->cpu, copy, size, ts))
		check_data(checker_of(reader, payload), payload, size, reader->cpu, ts, lost);
	else
		CHECK(options.chaos || options.swap);
	return true;
}

static void consume(struct reader *reader)
{
	if (options.chaos || reader->passes / WAYS & 2) {
		while (consume_copy(reader))
			;
	} else {
		while (consume_in_place(reader))
			;
	}
}

/* Read sub-buffers, whole and in parts, into the same memory each time, as read() does. */
static void copy_pages(struct reader *reader)
{
	struct buffer_data_read_page *read;

	read = ring_buffer_alloc_read_page(reader->buffer, reader->cpu);
	CHECK(!IS_ERR(read));
	while (!ring_buffer_read_page(reader->buffer, read, 512 + reader->passes * 36 % 4096,
				      reader->cpu, reader->passes / WAYS & 1))
		check_page(reader, ring_buffer_read_page_data(read));
	ring_buffer_free_read_page(reader->buffer, reader->cpu, read);
}

/* Read sub-buffers into other memory each time, as splice() does; it must not change later. */
static void exchange_pages(struct reader *reader)
{
	struct buffer_data_read_page *read, *kept = NULL;
	struct rb_page *page;
	int ret;

	do {
		read = ring_buffer_alloc_read_page(reader->buffer, reader->cpu);
		CHECK(!IS_ERR(read));
		ret = ring_buffer_read_page(reader->buffer, read, 1 << 20, reader->cpu, 1);
		if (!ret)
			check_page(reader, ring_buffer_read_page_data(read));
		if (kept) {
			page = ring_buffer_read_page_data(kept);
			check_events(NULL, reader->cpu, page, 0,
				     page_bytes(local_read(&page->commit)), 0);
			ring_buffer_free_read_page(reader->buffer, reader->cpu, kept);
		}
		kept = read;
	} while (!ret);
	ring_buffer_free_read_page(reader->buffer, reader->cpu, kept);
}

/* Map @pages pages. */
static struct vm_area_struct map(const struct reader *reader, unsigned long pages)
{
	struct vm_area_struct vma = {
		.vm_end = pages * PAGE_SIZE,
		.vm_flags = VM_MAYSHARE | VM_MAYWRITE,
		.pages = calloc(pages, sizeof(void *)),
	};
	int ret = ring_buffer_map(reader->buffer, reader->cpu, &vma);

	CHECK(!ret, "%d", ret);
	CHECK(!(vma.vm_flags & VM_MAYWRITE));
	return vma;
}

static void unmap(const struct reader *reader, struct vm_area_struct *vma)
{
	CHECK(!ring_buffer_unmap(reader->buffer, reader->cpu));
	free(vma->pages);
}

/* Read the meta page, which a reset may change at any time. */
static struct trace_buffer_meta look_at_meta(struct trace_buffer_meta *meta)
{
	return (struct trace_buffer_meta) {
		.subbuf_size = meta->subbuf_size,
		.nr_subbufs = meta->nr_subbufs,
		.reader.lost_events = READ_ONCE(meta->reader.lost_events),
		.reader.id = READ_ONCE(meta->reader.id),
		.reader.read = READ_ONCE(meta->reader.read),
		.read = READ_ONCE(meta->read),
	};
}

/* Do one step of a mapped reader. Return false if there was nothing new. */
static bool read_mapped(struct reader *reader, struct vm_area_struct *vma)
{
	struct checker *checker = &reader->checker[storage_of(reader->buffer, reader->cpu)];
	struct trace_buffer_meta old = look_at_meta(vma->pages[0]), meta;
	unsigned long commit, lost;
	struct rb_page *page;
	bool fresh;

	CHECK(!ring_buffer_map_get_reader(reader->buffer, reader->cpu));
	meta = look_at_meta(vma->pages[0]);
	page = vma->pages[(meta.reader.id + 1) * (meta.subbuf_size / PAGE_SIZE)];
	fresh = old.reader.id != meta.reader.id || !old.reader.read;
	lost = meta.reader.lost_events;
	check_events(checker, reader->cpu, page, fresh ? 0 : old.reader.read,
		     meta.reader.read, lost);
	if (options.chaos)
		return meta.read != old.read;
	CHECK(meta.read == checker->seen, "%llu, %lu", (unsigned long long)meta.read,
	      checker->seen);
	/* Writers count new events in the page's header, also without get_reader. */
	commit = __atomic_load_n((unsigned long *)&page->commit, __ATOMIC_ACQUIRE);
	if (fresh && commit & RB_PAGE_MISSED_STORED)
		CHECK(page_lost(reader, checker, page) == lost, "%lu", lost);
	CHECK(page_bytes(commit) >= meta.reader.read, "%lx, %u", commit, meta.reader.read);
	check_events(NULL, reader->cpu, page, 0, page_bytes(commit), 0);
	return meta.read != old.read;
}

/* Map as user space does: the first page says how many pages there are to map. */
static void read_all_mapped(struct reader *reader)
{
	struct vm_area_struct first = map(reader, 1), all;
	struct trace_buffer_meta *meta = first.pages[0];
	u64 steps = reader->passes % 64;

	all = map(reader, (meta->nr_subbufs + 1) * (meta->subbuf_size / PAGE_SIZE));
	unmap(reader, &first);
	while (read_mapped(reader, &all) || steps--)
		;
	/* Sometimes read in other ways in between; then the user has to begin anew. */
	if (reader->passes % 32 < WAYS) {
		copy_pages(reader);
		exchange_pages(reader);
	}
	unmap(reader, &all);
}

static void (*const ways[WAYS])(struct reader *reader) = {
	[CONSUME]	= consume,
	[COPY]		= copy_pages,
	[EXCHANGE]	= exchange_pages,
	[MAP]		= read_all_mapped,
};

static void read_one_way(struct reader *reader, enum way way)
{
	u64 seen = seen_by(reader);

	ways[way](reader);
	reader->seen[way] += seen_by(reader) - seen;
}

void *consume_thread(void *arg)
{
	struct reader *reader = arg;
	bool last;

	do {
		last = __atomic_load_n(&writers_done, __ATOMIC_ACQUIRE);
		reader->buffer = options.swap && reader->passes / WAYS % 2 ? other : buffer;
		if (last || options.consume)
			read_one_way(reader, last ? CONSUME : reader->passes % WAYS);
		else
			usleep(1000);
		sched_yield();
		if (++reader->passes % 64 == 0)
			usleep(2000);
	} while (!last);
	for (int i = 0; i < STORAGES; i++) {
		reader->buffer = i ? other : buffer;
		read_one_way(reader, CONSUME);
		CHECK(ring_buffer_empty_cpu(reader->buffer, reader->cpu));
	}
	return NULL;
}

static void iterate_once(struct reader *reader)
{
	const struct checker fresh = { .may_miss = { true, true, true, true } };
	unsigned int storage = STORAGES;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	struct checker checker;
	struct payload *payload;
	unsigned long lost;
	u64 ts;

	iter = ring_buffer_read_start(buffer, reader->cpu, GFP_KERNEL);
	CHECK(iter);
	while ((event = ring_buffer_iter_peek(iter, &ts))) {
		payload = ring_buffer_event_data(event);
		/* The storage was exchanged, so the iterator has started again. */
		if (payload->storage != storage)
			checker = fresh;
		storage = payload->storage;
		lost = ring_buffer_iter_dropped(iter);
		/* An iterator skips events that were consumed; they are not lost. */
		check_event(&checker, event, reader->cpu, ts, lost + options.consume);
		reader->checker[0].seen++;
		ring_buffer_iter_advance(iter);
	}
	ring_buffer_read_finish(iter);
}

/* Read counters, which is allowed at any time. */
static void look(int cpu)
{
	CHECK(ring_buffer_bytes_cpu(buffer, cpu) <= ring_buffer_size(buffer, cpu) * 64);
	ring_buffer_oldest_event_ts(buffer, cpu);
	ring_buffer_entries_cpu(buffer, cpu);
	ring_buffer_overrun_cpu(buffer, cpu);
}

void *iterate_thread(void *arg)
{
	struct reader *reader = arg;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		iterate_once(reader);
		look(reader->cpu);
		reader->passes++;
		usleep(500);
	}
	return NULL;
}
