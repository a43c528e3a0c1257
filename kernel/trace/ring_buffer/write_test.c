// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: guarantees of the writers of one CPU: lengths, time, nesting, discarding, losses.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "test_ring.h"

/* Events of all lengths keep their bytes; events that are too long are refused. */
static void ring_test_lengths(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long max = ring_buffer_max_event_size(ring->buffer);
	struct ring_buffer_event *event;
	unsigned long len;
	u8 *data;

	KUNIT_EXPECT_EQ(test, max, TEST_DATA - 8);
	data = kunit_kzalloc(test, max + 1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, data);
	for (len = 0; len <= max; len++) {
		if (len)
			data[len - 1] = len * 7;
		KUNIT_ASSERT_EQ(test, ring_buffer_write(ring->buffer, len, data), 0);
		event = ring_buffer_consume(ring->buffer, ring->cpu, NULL, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_ASSERT_GE(test, ring_buffer_event_length(event), len);
		KUNIT_ASSERT_LE(test, ring_buffer_event_length(event), len + 8);
		KUNIT_ASSERT_EQ(test, memcmp(ring_buffer_event_data(event), data, len), 0);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_write(ring->buffer, max + 1, data), -EBUSY);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), -1);
}

/* A full buffer gives up whole sub-buffers, oldest first, and reports the loss once. */
static void ring_test_overwrite(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 count = 20 * TEST_FIT + 3;
	unsigned long lost, over;
	u32 first;

	rb_test_write_many(ring, 0, count);
	over = ring_buffer_overrun_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_EQ(test, over, (21 - TEST_SLOTS) * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), count - over);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu),
			(count - over) * TEST_SMALL);
	first = rb_test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, first, over);
	KUNIT_EXPECT_EQ(test, lost, over);
	KUNIT_EXPECT_EQ(test,
			rb_test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost)),
			first + 1);
	KUNIT_EXPECT_EQ(test, lost, 0);
	rb_test_expect_run(test, first + 2, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), over);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(ring->buffer, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
}

static void ring_test_no_overwrite(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 fit = TEST_SLOTS * TEST_FIT;

	ring_buffer_change_overwrite(ring->buffer, 0);
	rb_test_write_many(ring, 0, fit);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, fit), -EBUSY);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, fit), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(ring->buffer, ring->cpu), 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), fit);
	/* Reading makes room. */
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 0);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, fit), 0);
	rb_test_expect_run(test, 1, fit + 1);
}

/* Each event has the time that it was written at, whatever the step from the one before. */
static void ring_test_time(struct kunit *test)
{
	static const u64 steps[] = {
		0, 1, BIT_ULL(27) - 1, BIT_ULL(27), BIT_ULL(27) + 1, 5, BIT_ULL(40),
		BIT_ULL(58), BIT_ULL(59) - 1, BIT_ULL(59), 3, BIT_ULL(62), 0,
	};
	struct test_ring *ring = test->priv;
	u64 start = rb_test_now;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, ring_buffer_resize(ring->buffer, 8 * TEST_DATA, ring->cpu), 0);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		rb_test_now += steps[i];
		rb_test_write(ring, i);
	}
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		start += steps[i];
		KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), start);
	}
}

/*
 * A writer that nests for the first time since a reset does not take the time since 0 for a step,
 * which with clock tai would be too large for a stamp.
 */
static void ring_test_time_far(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct rb_cpu *cpu = rb_cpu(ring->buffer, ring->cpu);
	u32 index;

	rb_test_now = BIT_ULL(60);
	ring_buffer_reset(ring->buffer);
	rb_test_begin(test, 0);
	index = rb_pos_index(cpu->fast.head);
	rb_test_begin(test, 1);
	rb_test_begin(test, 2);
	KUNIT_EXPECT_EQ(test, rb_pos_index(cpu->fast.head), index);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_unlock_commit(ring->buffer);
	rb_test_expect_run(test, 0, 3);
}

/* If the clock goes back, the time of events does not. */
static void ring_test_time_back(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	rb_test_write(ring, 0);
	rb_test_now -= 100;
	rb_test_write(ring, 1);
	rb_test_now += 500;
	rb_test_write(ring, 2);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1000);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1000);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1400);
}

/* The clock goes back for a writer that interrupts the last writer, or was interrupted by it. */
static void ring_test_time_back_nested(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i;

	rb_test_begin(test, 0);
	rb_test_now -= 100;
	rb_test_write(ring, 1);
	rb_test_now += 200;
	rb_test_write(ring, 2);
	ring_buffer_unlock_commit(ring->buffer);
	rb_test_now -= 100;
	rb_test_write(ring, 3);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), i < 2 ? 1010 : 1110);
}

static void ring_test_time_absolute(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u64 ts;
	u32 i;

	ring_buffer_set_time_stamp_abs(ring->buffer, true);
	for (i = 0; i < 2 * TEST_FIT; i++) {
		rb_test_now += i * BIT_ULL(20);
		rb_test_write(ring, i);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu),
			2 * TEST_FIT * (TEST_SMALL + 8));
	for (i = 0, ts = 1000; i < 2 * TEST_FIT; i++) {
		ts += i * BIT_ULL(20);
		KUNIT_ASSERT_EQ(test, rb_test_consume_time(ring), ts);
	}
	ring_buffer_set_time_stamp_abs(ring->buffer, false);
	KUNIT_EXPECT_FALSE(test, ring_buffer_time_stamp_abs(ring->buffer));
}

/* Write one event and return the bytes that it took. */
static unsigned long write_bytes(struct test_ring *ring)
{
	unsigned long bytes = ring_buffer_bytes_cpu(ring->buffer, ring->cpu);

	rb_test_now++;
	rb_test_write(ring, 0);
	return ring_buffer_bytes_cpu(ring->buffer, ring->cpu) - bytes;
}

/* Absolute times begin with the next event and end with the last request. */
static void ring_test_time_absolute_at_once(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *buffer = ring->buffer;
	u32 i;

	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL);
	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL);
	ring_buffer_set_time_stamp_abs(buffer, true);
	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL + 8);
	ring_buffer_set_time_stamp_abs(buffer, true);
	ring_buffer_set_time_stamp_abs(buffer, false);
	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL + 8);
	/* The same with sub-buffers of another size. */
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1001 + i);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 1), 0);
	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL + 8);
	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL + 8);
	ring_buffer_set_time_stamp_abs(buffer, false);
	KUNIT_EXPECT_EQ(test, write_bytes(ring), TEST_SMALL);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1005 + i);
}

static void ring_test_nested(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i;

	rb_test_begin(test, 0);
	rb_test_begin(test, 1);
	rb_test_begin(test, 2);
	ring_buffer_unlock_commit(ring->buffer);
	rb_test_begin(test, 3);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_unlock_commit(ring->buffer);
	/* Readers see nothing before the outermost writer is done. */
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), -1);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	ring_buffer_unlock_commit(ring->buffer);
	rb_test_begin(test, 4);
	ring_buffer_unlock_commit(ring->buffer);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1010 + 10 * i);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
}

/* Nested writers may fill the ring, but do not overwrite what is not committed. */
static void ring_test_nested_full(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i, count = 2 * TEST_SLOTS * TEST_FIT, got;

	rb_test_begin(test, 0);
	for (i = 1; i < count; i++)
		rb_test_write(ring, i);
	ring_buffer_unlock_commit(ring->buffer);
	got = ring_buffer_entries(ring->buffer);
	/* The whole ring is filled, less the stamp of the first nested event. */
	KUNIT_EXPECT_EQ(test, got, TEST_SLOTS * TEST_FIT - DIV_ROUND_UP(8, TEST_SMALL));
	KUNIT_EXPECT_EQ(test, ring_buffer_commit_overrun_cpu(ring->buffer, ring->cpu),
			count - got);
	rb_test_expect_run(test, 0, got);
	rb_test_write(ring, 7);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 7);
}

static void ring_test_nested_deep(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	int i;

	for (i = 0; i < RB_MAX_NEST; i++)
		rb_test_begin(test, i);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, i), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_commit_overrun_cpu(ring->buffer, ring->cpu), 1);
	for (i = 0; i < RB_MAX_NEST; i++)
		ring_buffer_unlock_commit(ring->buffer);
	rb_test_expect_run(test, 0, RB_MAX_NEST);
}

/* An event that is taken back leaves nothing behind, and later events have the right time. */
static void ring_test_discard(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long bytes;

	ring_buffer_discard_commit(ring->buffer, rb_test_begin(test, 0));
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
	rb_test_write(ring, 1);
	bytes = ring_buffer_bytes_cpu(ring->buffer, ring->cpu);
	ring_buffer_discard_commit(ring->buffer, rb_test_begin(test, 2));
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), bytes);
	rb_test_now += BIT_ULL(30);
	ring_buffer_discard_commit(ring->buffer, rb_test_begin(test, 3));
	rb_test_now += 5;
	rb_test_write(ring, 4);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 2);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1010);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), rb_test_now);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), -1);
}

/* An event written after one that is taken back is kept, and the space stays in use. */
static void ring_test_discard_outer(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *outer;

	rb_test_write(ring, 0);
	outer = rb_test_begin(test, 1);
	rb_test_begin(test, 2);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_discard_commit(ring->buffer, outer);
	rb_test_begin(test, 3);
	ring_buffer_unlock_commit(ring->buffer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 3);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 0);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1020);
	KUNIT_EXPECT_EQ(test, rb_test_consume_time(ring), 1030);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
}

/* The same when the events after it are in other sub-buffers. */
static void ring_test_discard_crossed(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *outer;
	u32 count = 2 * TEST_FIT, i;

	outer = rb_test_begin(test, 0);
	for (i = 1; i < count; i++)
		rb_test_write(ring, i);
	ring_buffer_discard_commit(ring->buffer, outer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), count - 1);
	rb_test_expect_run(test, 1, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	/* Nothing is left that counts as lost, either. */
	rb_test_write_many(ring, 0, 3);
	rb_test_expect_run(test, 0, 3);
}

static void ring_test_recording(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	ring_buffer_record_disable(ring->buffer);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, 0), -EBUSY);
	ring_buffer_record_off(ring->buffer);
	ring_buffer_record_enable(ring->buffer);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, 0), -EBUSY);
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_set_on(ring->buffer));
	ring_buffer_record_on(ring->buffer);
	KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_on(ring->buffer));
	ring_buffer_record_disable_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, 0), -EBUSY);
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_on_cpu(ring->buffer, ring->cpu));
	ring_buffer_record_enable_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_EQ(test, rb_test_write(ring, 1), 0);
	rb_test_expect_run(test, 1, 2);
}

static struct kunit_case ring_write_cases[] = {
	KUNIT_CASE(ring_test_lengths),
	KUNIT_CASE(ring_test_overwrite),
	KUNIT_CASE(ring_test_no_overwrite),
	KUNIT_CASE(ring_test_time),
	KUNIT_CASE(ring_test_time_back),
	KUNIT_CASE(ring_test_time_far),
	KUNIT_CASE(ring_test_time_back_nested),
	KUNIT_CASE(ring_test_time_absolute),
	KUNIT_CASE(ring_test_time_absolute_at_once),
	KUNIT_CASE(ring_test_nested),
	KUNIT_CASE(ring_test_nested_full),
	KUNIT_CASE(ring_test_nested_deep),
	KUNIT_CASE(ring_test_discard),
	KUNIT_CASE(ring_test_discard_outer),
	KUNIT_CASE(ring_test_discard_crossed),
	KUNIT_CASE(ring_test_recording),
	{ }
};

static struct kunit_suite ring_write_suite = {
	.name = "ring_buffer_write",
	.init = rb_test_init,
	.exit = rb_test_exit,
	.test_cases = ring_write_cases,
};

kunit_test_suite(ring_write_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
