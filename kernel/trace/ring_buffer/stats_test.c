// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the counters are right whatever becomes of the events.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/preempt.h>

#include "test_ring.h"

/* All counters of a CPU, and the time of its oldest event. */
struct test_stats {
	unsigned long	entries, overrun, commit_overrun, dropped, read, bytes;
	u64		oldest;
};

static void stats_expect(struct kunit *test, struct test_stats want)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *buffer = ring->buffer;
	int cpu = ring->cpu;

	KUNIT_EXPECT_EQ(test, ring_buffer_entries_cpu(buffer, cpu), want.entries);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), want.entries);
	KUNIT_EXPECT_EQ(test, ring_buffer_overrun_cpu(buffer, cpu), want.overrun);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), want.overrun);
	KUNIT_EXPECT_EQ(test, ring_buffer_commit_overrun_cpu(buffer, cpu), want.commit_overrun);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(buffer, cpu), want.dropped);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(buffer, cpu), want.read);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, cpu), want.bytes);
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(buffer, cpu), want.oldest);
	KUNIT_EXPECT_EQ(test, ring_buffer_empty_cpu(buffer, cpu), !want.entries);
}

/* Write @count events, each one unit of time after the one before. */
static void stats_write(struct kunit *test, unsigned int count)
{
	for (; count; count--) {
		rb_test_now++;
		rb_test_write(test->priv, 0);
	}
}

static void ring_test_stats_read(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u64 start = rb_test_now + 1;

	stats_write(test, TEST_FIT + 10);
	rb_test_consume(ring);
	rb_test_consume(ring);
	stats_expect(test, (struct test_stats) {
		.entries = TEST_FIT + 8, .read = 2,
		.bytes = (TEST_FIT + 8) * TEST_SMALL, .oldest = start + 2 });
}

static void ring_test_stats_overwrite(struct kunit *test)
{
	const u64 start = rb_test_now + 1;

	stats_write(test, 7 * TEST_FIT);
	stats_expect(test, (struct test_stats) {
		.entries = TEST_SLOTS * TEST_FIT, .overrun = 3 * TEST_FIT,
		.bytes = TEST_SLOTS * TEST_DATA, .oldest = start + 3 * TEST_FIT });
}

static void ring_test_stats_refused(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u64 start = rb_test_now + 1;

	ring_buffer_change_overwrite(ring->buffer, 0);
	stats_write(test, TEST_SLOTS * TEST_FIT + 5);
	stats_expect(test, (struct test_stats) {
		.entries = TEST_SLOTS * TEST_FIT, .dropped = 5,
		.bytes = TEST_SLOTS * TEST_DATA, .oldest = start });
}

/* An event that is taken back, with no event after it, changes no counter. */
static void ring_test_stats_discard(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *outer;
	const u64 start = rb_test_now + 1;

	stats_write(test, 1);
	ring_buffer_discard_commit(ring->buffer, rb_test_begin(test, 0));
	stats_expect(test, (struct test_stats) {
		.entries = 1, .bytes = TEST_SMALL, .oldest = start });
	/* If an event follows, the space stays in use, and that event has a stamp of its own. */
	outer = rb_test_begin(test, 0);
	stats_write(test, 1);
	ring_buffer_discard_commit(ring->buffer, outer);
	stats_expect(test, (struct test_stats) {
		.entries = 2, .bytes = 3 * TEST_SMALL + 8, .oldest = start });
}

/* Sub-buffers are copied, exchanged, or lost when the ring gets smaller. */
static void ring_test_stats_pages(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct buffer_data_read_page *read;
	const u64 start = rb_test_now + 1;

	read = ring_buffer_alloc_read_page(ring->buffer, ring->cpu);
	KUNIT_ASSERT_FALSE(test, IS_ERR(read));
	stats_write(test, 4 * TEST_FIT);
	ring_buffer_read_page(ring->buffer, read, PAGE_SIZE, ring->cpu, 1);
	stats_expect(test, (struct test_stats) {
		.entries = 3 * TEST_FIT, .read = TEST_FIT,
		.bytes = 3 * TEST_DATA, .oldest = start + TEST_FIT });
	ring_buffer_read_page(ring->buffer, read, 16 + 3 * TEST_SMALL, ring->cpu, 0);
	stats_expect(test, (struct test_stats) {
		.entries = 3 * TEST_FIT - 3, .read = TEST_FIT + 3,
		.bytes = 3 * TEST_DATA - 3 * TEST_SMALL, .oldest = start + TEST_FIT + 3 });
	ring_buffer_free_read_page(ring->buffer, ring->cpu, read);
	stats_write(test, TEST_FIT);
	/* The reader keeps its sub-buffer; of the three in the ring two stay. */
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 2 * TEST_DATA, ring->cpu), 0);
	stats_expect(test, (struct test_stats) {
		.entries = 3 * TEST_FIT - 3, .overrun = TEST_FIT, .read = TEST_FIT + 3,
		.bytes = 3 * TEST_DATA - 3 * TEST_SMALL, .oldest = start + TEST_FIT + 3 });
	ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	stats_expect(test, (struct test_stats) { });
}

/* The counters move with the storage. */
static void ring_test_stats_swap(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *mine = ring->buffer, *other;
	const u64 start = rb_test_now + 1;

	other = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	stats_write(test, 5 * TEST_FIT);
	preempt_disable();
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(mine, other, ring->cpu), 0);
	preempt_enable();
	stats_expect(test, (struct test_stats) { });
	ring->buffer = other;
	stats_expect(test, (struct test_stats) {
		.entries = TEST_SLOTS * TEST_FIT, .overrun = TEST_FIT,
		.bytes = TEST_SLOTS * TEST_DATA, .oldest = start + TEST_FIT });
	ring->buffer = mine;
	ring_buffer_free(other);
}

static struct kunit_case ring_stats_cases[] = {
	KUNIT_CASE(ring_test_stats_read),
	KUNIT_CASE(ring_test_stats_overwrite),
	KUNIT_CASE(ring_test_stats_refused),
	KUNIT_CASE(ring_test_stats_discard),
	KUNIT_CASE(ring_test_stats_pages),
	KUNIT_CASE(ring_test_stats_swap),
	{ }
};

static struct kunit_suite ring_stats_suite = {
	.name = "ring_buffer_stats",
	.init = rb_test_init,
	.exit = rb_test_exit,
	.test_cases = ring_stats_cases,
};

kunit_test_suite(ring_stats_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
