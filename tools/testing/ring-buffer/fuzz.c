// SPDX-License-Identifier: GPL-2.0
/*
 * Readers of sub-buffers that hold garbage, from stray writes or from an attacker. Readers have to
 * come to an end, whatever a sub-buffer holds, and each byte of an event that they find has to lie
 * in the sub-buffer. AddressSanitizer checks that.
 *
 * A round fills a ring with events, spoils its pages, and reads it in one of all ways. The seed
 * determines the rounds. A failure names its round, so that it can be repeated.
 */
#include <getopt.h>
#include <signal.h>
#include <unistd.h>

#include <sanitizer/asan_interface.h>

#include "harness.h"

#include "internal.h"

#define SLOTS		4
#define MAX_EVENTS	((SLOTS + 1) * PAGE_SIZE / 8)

static struct trace_buffer *buffer;
static u64 state, now, steps;

void interrupt_here(void)
{
}

u64 clock_step(void)
{
	return 1;
}

static u32 rnd(u32 below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 32) % below;
}

static u64 fuzz_clock(void)
{
	return now += rnd(8) ? rnd(1000) : 1ULL << rnd(60);
}

static void fill(void)
{
	static u8 data[400];
	unsigned int i, count = rnd(120);

	for (i = 0; i < count; i++)
		ring_buffer_write(buffer, rnd(4) ? rnd(60) : rnd(sizeof(data)), data);
}

/* A word that is a wrong header, or a length that does not fit. */
static u32 bad_word(void)
{
	static const u32 words[] = {
		0, 1, 2, 3, 4, 5, 7, 8, 11, 28, 29, 30, 31, 29 | 1 << 5, 30 | 1 << 5,
		31 | 1 << 5, 0x7fffffff, 0x80000000, 0xfffffffb, 0xfffffffc, 0xffffffff,
	};

	switch (rnd(4)) {
	case 0:
		return rnd(UINT_MAX);
	case 1:
		return rnd(PAGE_SIZE + 8);
	default:
		return words[rnd(ARRAY_SIZE(words))];
	}
}

/* Spoil the header of an event, or the word behind it. */
static void spoil_event(struct rb_page *page)
{
	struct rb_cursor cursor = { .page = page, .end = rb_data_size(0) };
	u32 *target = (u32 *)page->data;
	struct ring_buffer_event *event;
	unsigned int nr = rnd(64);
	u64 ts;

	for (; (event = rb_cursor_event(&cursor, &ts)) && nr; nr--) {
		target = (u32 *)event;
		rb_cursor_advance(&cursor);
	}
	if (rnd(2))
		target[0] = (target[0] & ~31) | rnd(32);
	if (rnd(2))
		target[rnd(2)] = bad_word();
}

static void spoil(struct rb_page *page)
{
	const unsigned int words = rb_data_size(0) / sizeof(u32);
	u32 *data = (u32 *)page->data;
	unsigned int i, count;

	switch (rnd(6)) {
	case 0:	/* spoil all of it */
		for (i = 0; i < words; i++)
			data[i] = rnd(UINT_MAX) >> rnd(32);
		break;
	case 1:	/* spoil all from some word on */
		i = rnd(words);
		memset(data + i, rnd(256), (words - i) * sizeof(u32));
		break;
	case 2:
	case 3:
		spoil_event(page);
		break;
	default: /* spoil some words, more often at the beginning and at the end */
		for (count = 1 + rnd(8); count; count--) {
			i = rnd(3) ? rnd(words) : rnd(2) ? rnd(8) : words - 1 - rnd(8);
			data[i] = bad_word();
		}
	}
	if (!rnd(4))
		page->time_stamp = (u64)bad_word() << 32 | bad_word();
	if (!rnd(4))
		local_set(&page->commit, bad_word());
}

/* Look at all of an event, as users do. It lies before @end, if that is not NULL. */
static void use(struct ring_buffer_event *event, u8 *end)
{
	u8 *data = ring_buffer_event_data(event);
	unsigned int i, length = ring_buffer_event_length(event);

	CHECK(length <= rb_data_size(0), "%u", length);
	CHECK(!end || data + length <= end, "%ld", data + length - end);
	for (i = 0; i < length; i++) {
		/* Make the compiler read the byte. */
		__asm__ __volatile__("" : : "r" (data[i]));
	}
	steps++;
	CHECK(steps <= MAX_EVENTS);
}

static void consume(void)
{
	const struct rb_cursor *cursor = &rb_cpu(buffer, 0)->cursor;
	struct ring_buffer_event *event;
	u64 ts;

	while ((event = ring_buffer_consume(buffer, 0, &ts, NULL)))
		use(event, cursor->page->data + cursor->end);
}

/* Read as trace_pipe does: again and again as long as there seems to be an event. */
static void copy(void)
{
	static u64 data[PAGE_SIZE / sizeof(u64)];
	unsigned long lost;
	unsigned int size;
	u64 ts;

	while ((size = ring_buffer_peek_copy(buffer, 0, data, sizeof(data), &ts, &lost))) {
		CHECK(size <= rb_data_size(0), "%u", size);
		CHECK(ring_buffer_consume_copied(buffer, 0, data, size, ts));
		steps++;
		CHECK(steps <= MAX_EVENTS);
	}
	CHECK(ring_buffer_empty_cpu(buffer, 0));
}

static void iterate(void)
{
	struct ring_buffer_iter *iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	struct ring_buffer_event *event;
	u64 ts;

	for (; (event = ring_buffer_iter_peek(iter, &ts)); ring_buffer_iter_advance(iter))
		use(event, NULL);
	ring_buffer_read_finish(iter);
}

static void walk(struct rb_page *page, unsigned int end)
{
	struct rb_cursor cursor = { .page = page, .end = end, .ts = page->time_stamp };
	struct ring_buffer_event *event;
	u64 ts;

	CHECK(end <= rb_data_size(0), "%u", end);
	for (; (event = rb_cursor_event(&cursor, &ts)); rb_cursor_advance(&cursor))
		use(event, page->data + end);
}

static void read_pages(void)
{
	struct buffer_data_read_page *read = ring_buffer_alloc_read_page(buffer, 0);
	size_t len = rnd(2) ? PAGE_SIZE : rnd(PAGE_SIZE);
	int full = rnd(2);
	struct rb_page *page;

	while (!ring_buffer_read_page(buffer, read, len, 0, full)) {
		page = ring_buffer_read_page_data(read);
		walk(page, local_read(&page->commit) &
		     ~(RB_PAGE_MISSED_EVENTS | RB_PAGE_MISSED_STORED));
	}
	ring_buffer_free_read_page(buffer, 0, read);
}

static void get_readers(void)
{
	void *pages[SLOTS + 2];
	struct vm_area_struct vma = {
		.vm_end = (SLOTS + 2) * PAGE_SIZE, .vm_flags = VM_MAYSHARE, .pages = pages,
	};
	const struct trace_buffer_meta *meta;
	unsigned int turn;

	CHECK(!ring_buffer_map(buffer, 0, &vma));
	meta = pages[0];
	for (turn = 0; turn < SLOTS + 2; turn++) {
		CHECK(!ring_buffer_map_get_reader(buffer, 0));
		CHECK(meta->reader.id <= SLOTS, "%u", meta->reader.id);
		walk(pages[meta->reader.id + 1], meta->reader.read);
		steps = 0;
	}
	CHECK(!ring_buffer_unmap(buffer, 0));
}

/* Read in all ways in turn, each on the sub-buffers that the last one has left. */
static void mix(void)
{
	unsigned int i;

	for (i = rnd(30); i; i--)
		ring_buffer_consume(buffer, 0, NULL, NULL);
	ring_buffer_oldest_event_ts(buffer, 0);
	iterate();
	steps = 0;
	read_pages();
}

static void (*const ways[])(void) = { consume, copy, iterate, read_pages, get_readers, mix };

static void fuzz_round(void)
{
	struct rb_cpu *cpu = rb_cpu(buffer, 0);
	unsigned int id;

	ring_buffer_reset_cpu(buffer, 0);
	now = 0;
	fill();
	/* In half of the rounds the reader has a sub-buffer already. */
	if (rnd(2))
		ring_buffer_consume(buffer, 0, NULL, NULL);
	for (id = 0; id <= SLOTS; id++)
		spoil(cpu->subbufs[id]->page);
	steps = 0;
	ways[rnd(ARRAY_SIZE(ways))]();
	/* An event that is written after this is good again. */
	ring_buffer_write(buffer, sizeof(id), &id);
}

static u64 round_now;

/* AddressSanitizer calls this before it ends the program. */
void __asan_on_error(void)
{
	fprintf(stderr, "in round %lu\n", round_now);
}

static void aborted(int sig)
{
	__asan_on_error();
}

int main(int argc, char **argv)
{
	u64 rounds = 1000, first = 0, seed = 1;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:f:")) != -1) {
		switch (opt) {
		case 'n':
			rounds = strtoull(optarg, NULL, 0);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'f':
			first = strtoull(optarg, NULL, 0);
			break;
		default:
			fprintf(stderr, "usage: %s [-n rounds] [-s seed] [-f first-round]\n",
				argv[0]);
			return 2;
		}
	}
	cpu_start(0);
	buffer = ring_buffer_alloc(SLOTS * rb_data_size(0), RB_FL_OVERWRITE);
	CHECK(buffer);
	ring_buffer_set_clock(buffer, fuzz_clock);
	signal(SIGABRT, aborted);
	for (round_now = first; round_now < rounds; round_now++) {
		state = (seed + round_now * 2 + 1) * 0x9e3779b97f4a7c15;
		fuzz_round();
	}
	printf("ok fuzz: %lu pages\n", (round_now - first) * (SLOTS + 1));
	ring_buffer_free(buffer);
	cpu_stop();
	return 0;
}
