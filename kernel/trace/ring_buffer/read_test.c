// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: guarantees of readers that consume, iterate, and read whole sub-buffers.
 */
#include <kunit/test.h>
#include <linux/err.h>

#include "test_ring.h"

static void ring_test_empty(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;

	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	KUNIT_EXPECT_NULL(test, ring_buffer_peek(ring->buffer, ring->cpu, NULL, NULL));
	KUNIT_EXPECT_NULL(test, ring_buffer_consume(ring->buffer, ring->cpu, NULL, NULL));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(ring->buffer, ring->cpu), 0);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	ring_buffer_read_finish(iter);
}

static void ring_test_one(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *event;
	unsigned long lost = 99;
	u64 ts;

	KUNIT_EXPECT_EQ(test, rb_test_write(ring, 42), 0);
	KUNIT_EXPECT_FALSE(test, ring_buffer_empty_cpu(ring->buffer, ring->cpu));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries_cpu(ring->buffer, ring->cpu), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(ring->buffer, ring->cpu), rb_test_now);

	event = ring_buffer_peek(ring->buffer, ring->cpu, &ts, &lost);
	KUNIT_EXPECT_EQ(test, rb_test_value(event), 42);
	KUNIT_EXPECT_EQ(test, ts, rb_test_now);
	KUNIT_EXPECT_EQ(test, lost, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_event_length(event), TEST_SMALL / 2);
	KUNIT_EXPECT_PTR_EQ(test, ring_buffer_consume(ring->buffer, ring->cpu, &ts, NULL), event);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), -1);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
}

/* A reader with a copy can still consume that event, but not another one in its place. */
static void ring_test_copy(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long lost = 99;
	u32 copy[2] = { 0, 99 };
	u64 ts;

	KUNIT_EXPECT_EQ(test, 0, ring_buffer_peek_copy(ring->buffer, ring->cpu, copy,
						       sizeof(u32), &ts, &lost));
	rb_test_write_many(ring, 1, 4);
	KUNIT_EXPECT_EQ(test, TEST_SMALL / 2, ring_buffer_peek_copy(ring->buffer, ring->cpu, copy,
								    sizeof(u32), &ts, &lost));
	KUNIT_EXPECT_EQ(test, copy[0], 1);
	KUNIT_EXPECT_EQ(test, copy[1], 99);
	KUNIT_EXPECT_EQ(test, lost, 0);
	KUNIT_EXPECT_FALSE(test, ring_buffer_consume_copied(ring->buffer, ring->cpu, copy,
							    sizeof(u32), ts + 1));
	KUNIT_EXPECT_TRUE(test, ring_buffer_consume_copied(ring->buffer, ring->cpu, copy,
							   sizeof(u32), ts));
	KUNIT_EXPECT_FALSE(test, ring_buffer_consume_copied(ring->buffer, ring->cpu, copy,
							    sizeof(u32), ts));

	ring_buffer_peek_copy(ring->buffer, ring->cpu, copy, sizeof(u32), &ts, &lost);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 2);
	KUNIT_EXPECT_FALSE(test, ring_buffer_consume_copied(ring->buffer, ring->cpu, copy,
							    sizeof(u32), ts));
	KUNIT_EXPECT_EQ(test, copy[0], 2);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu), 3);
}

/* A consumer that is as fast as the writer gets each event, in the same sub-buffer and beyond. */
static void ring_test_follow(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i;

	for (i = 0; i < 10 * TEST_FIT; i++) {
		rb_test_write(ring, i);
		KUNIT_ASSERT_EQ(test, rb_test_consume(ring), i);
		KUNIT_ASSERT_EQ(test, rb_test_consume(ring), -1);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
}

/* Writers do not overwrite the reader's sub-buffer, even if it was taken while written to. */
static void ring_test_reader_keeps(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long lost;
	u32 i, next;

	rb_test_write_many(ring, 0, 2);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 0);
	rb_test_write_many(ring, 2, 10 * TEST_FIT);
	for (i = 1; i < TEST_FIT; i++)
		KUNIT_ASSERT_EQ(test, rb_test_consume(ring), i);
	next = rb_test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, next, TEST_FIT + lost);
	KUNIT_EXPECT_EQ(test, lost, ring_buffer_overruns(ring->buffer));
	rb_test_expect_run(test, next + 1, 10 * TEST_FIT);
}

static void ring_test_iter(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;
	const u32 count = 2 * TEST_FIT + 5;
	int round;
	u32 i;

	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	rb_test_write_many(ring, 0, count);
	for (round = 0; round < 2; round++, ring_buffer_iter_reset(iter)) {
		for (i = 0; i < count; i++, ring_buffer_iter_advance(iter))
			KUNIT_ASSERT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), i);
		KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
		KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), 0);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), count);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 8 * TEST_DATA, ring->cpu), -EBUSY);
	ring_buffer_read_finish(iter);
	rb_test_expect_run(test, 0, count);
}

/* An iterator begins at the next event to consume. After its copy it skips consumed events. */
static void ring_test_iter_consumed(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;
	u32 i;

	rb_test_write_many(ring, 0, 3 * TEST_FIT);
	for (i = 0; i < 10; i++)
		rb_test_consume(ring);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), 10);
	/* Consumers do not change the iterator's copy. */
	for (; i < 2 * TEST_FIT + 20; i++)
		rb_test_consume(ring);
	for (i = 10; i < TEST_FIT; i++, ring_buffer_iter_advance(iter))
		KUNIT_ASSERT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), i);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), 2 * TEST_FIT + 20);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), 0);
	ring_buffer_read_finish(iter);
}

/* A reader that is called while this CPU holds the lock finds nothing, and does not wait. */
static void ring_test_locked_here(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct rb_cpu *rb = rb_cpu(ring->buffer, ring->cpu);
	struct ring_buffer_event *event;
	bool locked, before, then;
	unsigned long flags;

	rb_test_write_many(ring, 0, 3);
	local_irq_save(flags);
	before = ring_buffer_reading_here();
	locked = rb_lock(rb, 0);
	then = ring_buffer_reading_here();
	event = ring_buffer_peek(ring->buffer, ring->cpu, NULL, NULL);
	if (locked)
		rb_unlock(rb);
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, locked);
	KUNIT_EXPECT_FALSE(test, before);
	KUNIT_EXPECT_TRUE(test, then);
	KUNIT_EXPECT_NULL(test, event);
	rb_test_expect_run(test, 0, 3);
}

static void ring_test_iter_overwritten(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;
	u32 i, next;

	rb_test_write_many(ring, 0, 2 * TEST_FIT);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), 0);
	rb_test_write_many(ring, 2 * TEST_FIT, 20 * TEST_FIT);
	for (i = 0; i < TEST_FIT; i++, ring_buffer_iter_advance(iter))
		KUNIT_ASSERT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), i);
	next = rb_test_value(ring_buffer_iter_peek(iter, NULL));
	KUNIT_EXPECT_EQ(test, next, 16 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), next - TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), next - TEST_FIT);
	ring_buffer_iter_advance(iter);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), 0);
	for (next++; next < 20 * TEST_FIT; next++, ring_buffer_iter_advance(iter))
		KUNIT_ASSERT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), next);
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	ring_buffer_read_finish(iter);
}

/* The first value in a sub-buffer, and the number of values that follow it without a gap. */
static u32 test_page_run(struct buffer_data_read_page *read, u32 *first)
{
	struct rb_cursor cursor = { .page = ring_buffer_read_page_data(read) };
	struct ring_buffer_event *event;
	u32 count = 0;
	u64 ts;

	cursor.end = (u32)local_read(&cursor.page->commit) & ~GENMASK(31, 30);
	cursor.ts = cursor.page->time_stamp;
	while ((event = rb_cursor_event(&cursor, &ts))) {
		if (!count)
			*first = rb_test_value(event);
		if (rb_test_value(event) != *first + count)
			break;
		count++;
		rb_cursor_advance(&cursor);
	}
	return count;
}

static int test_read_page(struct test_ring *ring, struct buffer_data_read_page *read,
			  size_t len, int full)
{
	return ring_buffer_read_page(ring->buffer, read, len, ring->cpu, full);
}

static void ring_test_read_page(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct buffer_data_read_page *read;
	struct rb_page *before, *page;
	u32 first = 0;

	read = ring_buffer_alloc_read_page(ring->buffer, ring->cpu);
	KUNIT_ASSERT_FALSE(test, IS_ERR(read));
	before = ring_buffer_read_page_data(read);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), -1);
	rb_test_write_many(ring, 0, 2 * TEST_FIT + 9);

	/* The sub-buffer does not fit: its events are copied. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, 16 + TEST_SMALL - 1, 0), -E2BIG);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, 16 + 7 * TEST_SMALL, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, ring_buffer_read_page_data(read), before);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), 7);
	KUNIT_EXPECT_EQ(test, first, 0);
	/* Its other events are copied, too. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 1), 0);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), TEST_FIT - 7);
	KUNIT_EXPECT_EQ(test, first, 7);
	/* A whole sub-buffer is exchanged. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 1), 0);
	KUNIT_EXPECT_PTR_NE(test, ring_buffer_read_page_data(read), before);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), TEST_FIT);
	KUNIT_EXPECT_EQ(test, first, TEST_FIT);
	/* The one that is written to is copied, unless the caller wants a full one. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 1), -1);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), 0);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), 9);
	KUNIT_EXPECT_EQ(test, first, 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu),
			2 * TEST_FIT + 9);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);

	/* The page says that events were lost. */
	rb_test_write_many(ring, 0, 10 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), 0);
	page = ring_buffer_read_page_data(read);
	KUNIT_EXPECT_EQ(test, local_read(&page->commit) & RB_PAGE_MISSED_EVENTS, 0);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), 0);
	page = ring_buffer_read_page_data(read);
	KUNIT_EXPECT_NE(test, local_read(&page->commit) & RB_PAGE_MISSED_EVENTS, 0);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), first - (TEST_FIT - 9));
	ring_buffer_free_read_page(ring->buffer, ring->cpu, read);
	rb_test_expect_run(test, first + TEST_FIT, 10 * TEST_FIT);
}

/* Readers of a sub-buffer with garbage come to an end, and do not read outside of it. */
static void ring_test_garbage(struct kunit *test)
{
	struct ring_buffer_event *event;
	struct rb_cursor cursor = { };
	u32 seed = 1, round, steps, end, i;
	u64 ts;

	cursor.page = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, cursor.page);
	for (round = 0; round < 200; round++) {
		for (i = 0; i < TEST_DATA / sizeof(u32); i++) {
			seed = seed * 1664525 + 1013904223;
			((u32 *)cursor.page->data)[i] = seed >> (seed >> 28);
		}
		cursor.pos = 0;
		cursor.end = TEST_DATA - (round % 64) * sizeof(u32);
		for (steps = 0; (event = rb_cursor_event(&cursor, &ts)); steps++) {
			end = (u8 *)ring_buffer_event_data(event) - cursor.page->data +
			      ring_buffer_event_length(event);
			KUNIT_EXPECT_LE(test, end, cursor.end);
			rb_cursor_advance(&cursor);
		}
		KUNIT_EXPECT_LE(test, steps, TEST_DATA / 8);
		KUNIT_EXPECT_EQ(test, cursor.pos, cursor.end);
	}
}

/* Nobody reads while writers use more than half of all 32-bit indexes. */
static void ring_test_unread(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct rb_cpu *cpu = rb_cpu(ring->buffer, ring->cpu);
	const u32 age = BIT(31) + 7, end = (TEST_SLOTS + 2) * TEST_FIT + 1;
	struct ring_buffer_iter *iter;
	unsigned long oldest;

	rb_test_age(cpu, age);
	cpu->read_index -= age;
	rb_test_write_many(ring, 0, end);
	oldest = ring_buffer_overruns(ring->buffer);
	KUNIT_EXPECT_FALSE(test, ring_buffer_empty_cpu(ring->buffer, ring->cpu));
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), oldest);
	ring_buffer_read_finish(iter);
	/* The ring grows while the reader is that many indexes behind. */
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 2 * TEST_SLOTS * TEST_DATA,
						 ring->cpu), 0);
	rb_test_expect_run(test, oldest, end);
}

static struct kunit_case ring_read_cases[] = {
	KUNIT_CASE(ring_test_empty),
	KUNIT_CASE(ring_test_one),
	KUNIT_CASE(ring_test_copy),
	KUNIT_CASE(ring_test_unread),
	KUNIT_CASE(ring_test_follow),
	KUNIT_CASE(ring_test_reader_keeps),
	KUNIT_CASE(ring_test_iter),
	KUNIT_CASE(ring_test_iter_consumed),
	KUNIT_CASE(ring_test_locked_here),
	KUNIT_CASE(ring_test_iter_overwritten),
	KUNIT_CASE(ring_test_read_page),
	KUNIT_CASE(ring_test_garbage),
	{ }
};

static struct kunit_suite ring_read_suite = {
	.name = "ring_buffer_read",
	.init = rb_test_init,
	.exit = rb_test_exit,
	.test_cases = ring_read_cases,
};

kunit_test_suite(ring_read_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
