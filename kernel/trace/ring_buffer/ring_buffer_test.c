// SPDX-License-Identifier: GPL-2.0
/*
 * What a ring buffer promises to one writer and one reader on one CPU, with a
 * clock that stands still unless it is told otherwise. tools/testing/ring-buffer
 * runs these cases too, and there what happens when they all run at once.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "internal.h"

#define TEST_SLOTS	4

/* Bytes of events in a sub-buffer, and how many with 4 bytes of data fit. */
#define TEST_DATA	(PAGE_SIZE - offsetof(struct rb_page, data))
#define TEST_SMALL	(IS_ENABLED(CONFIG_HAVE_64BIT_ALIGNED_ACCESS) ? 16 : 8)
#define TEST_FIT	(TEST_DATA / TEST_SMALL)

static u64 test_now;

static u64 test_clock(void)
{
	return test_now;
}

struct test_ring {
	struct trace_buffer	*buffer;
	int			cpu;
};

/* All begins shortly before the indexes wrap. */
static void test_age(struct rb_cpu *cpu)
{
	const u32 age = -6;
	u32 slot;

	for (slot = 0; slot < cpu->nr; slot++)
		cpu->slots[slot] += rb_pos(age);
	cpu->tail->index += age;
	cpu->head += rb_pos(age);
	cpu->commit += rb_pos(age);
	cpu->read_index += age;
}

static int ring_test_init(struct kunit *test)
{
	struct test_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	test->priv = ring;
	ring->buffer = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, ring->buffer);
	test_now = 1000;
	ring_buffer_set_clock(ring->buffer, test_clock);
	/* The case runs in this thread; what cleans up behind it does not. */
	ring->cpu = raw_smp_processor_id();
	KUNIT_ASSERT_EQ(test, 0, set_cpus_allowed_ptr(current, cpumask_of(ring->cpu)));
	test_age(rb_cpu(ring->buffer, ring->cpu));
	return 0;
}

static void ring_test_exit(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	if (!ring || !ring->buffer)
		return;
	ring_buffer_free(ring->buffer);
}

static int test_write(struct test_ring *ring, u32 value)
{
	return ring_buffer_write(ring->buffer, sizeof(value), &value);
}

static void test_write_many(struct test_ring *ring, u32 from, u32 to)
{
	for (; from < to; from++)
		test_write(ring, from);
}

/* The value of an event, or -1 if there is none. */
static s64 test_value(struct ring_buffer_event *event)
{
	return event ? (s64)*(u32 *)ring_buffer_event_data(event) : -1;
}

static s64 test_consume(struct test_ring *ring)
{
	return test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, NULL));
}

static u64 test_consume_time(struct test_ring *ring)
{
	u64 ts = 0;

	ring_buffer_consume(ring->buffer, ring->cpu, &ts, NULL);
	return ts;
}

static void test_expect_run(struct kunit *test, u32 from, u32 to)
{
	struct test_ring *ring = test->priv;

	for (; from < to; from++)
		KUNIT_ASSERT_EQ(test, test_consume(ring), from);
	KUNIT_EXPECT_EQ(test, test_consume(ring), -1);
}

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

	KUNIT_EXPECT_EQ(test, test_write(ring, 42), 0);
	KUNIT_EXPECT_FALSE(test, ring_buffer_empty_cpu(ring->buffer, ring->cpu));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries_cpu(ring->buffer, ring->cpu), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(ring->buffer, ring->cpu), test_now);

	event = ring_buffer_peek(ring->buffer, ring->cpu, &ts, &lost);
	KUNIT_EXPECT_EQ(test, test_value(event), 42);
	KUNIT_EXPECT_EQ(test, ts, test_now);
	KUNIT_EXPECT_EQ(test, lost, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_event_length(event), TEST_SMALL / 2);
	KUNIT_EXPECT_PTR_EQ(test, ring_buffer_consume(ring->buffer, ring->cpu, &ts, NULL), event);
	KUNIT_EXPECT_EQ(test, test_consume(ring), -1);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
}

/* Events of all lengths keep their bytes; what is too long is refused. */
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
	KUNIT_EXPECT_EQ(test, test_consume(ring), -1);
}

/* A full buffer gives up whole sub-buffers, oldest first, and says so once. */
static void ring_test_overwrite(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 count = 20 * TEST_FIT + 3;
	unsigned long lost, over;
	u32 first;

	test_write_many(ring, 0, count);
	over = ring_buffer_overrun_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_EQ(test, over, (21 - TEST_SLOTS) * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), count - over);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu),
			(count - over) * TEST_SMALL);
	first = test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, first, over);
	KUNIT_EXPECT_EQ(test, lost, over);
	KUNIT_EXPECT_EQ(test,
			test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost)),
			first + 1);
	KUNIT_EXPECT_EQ(test, lost, 0);
	test_expect_run(test, first + 2, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), over);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(ring->buffer, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
}

static void ring_test_no_overwrite(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 fit = TEST_SLOTS * TEST_FIT;

	ring_buffer_change_overwrite(ring->buffer, 0);
	test_write_many(ring, 0, fit);
	KUNIT_EXPECT_EQ(test, test_write(ring, fit), -EBUSY);
	KUNIT_EXPECT_EQ(test, test_write(ring, fit), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(ring->buffer, ring->cpu), 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), fit);
	/* Reading makes room. */
	KUNIT_EXPECT_EQ(test, test_consume(ring), 0);
	KUNIT_EXPECT_EQ(test, test_write(ring, fit), 0);
	test_expect_run(test, 1, fit + 1);
}

/* What is written while it is read, in the same sub-buffer and beyond. */
static void ring_test_follow(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i;

	for (i = 0; i < 10 * TEST_FIT; i++) {
		test_write(ring, i);
		KUNIT_ASSERT_EQ(test, test_consume(ring), i);
		KUNIT_ASSERT_EQ(test, test_consume(ring), -1);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
}

/* The reader's sub-buffer is safe, even if it took the one that is written to. */
static void ring_test_reader_keeps(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long lost;
	u32 i, next;

	test_write_many(ring, 0, 2);
	KUNIT_EXPECT_EQ(test, test_consume(ring), 0);
	test_write_many(ring, 2, 10 * TEST_FIT);
	for (i = 1; i < TEST_FIT; i++)
		KUNIT_ASSERT_EQ(test, test_consume(ring), i);
	next = test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, next, TEST_FIT + lost);
	KUNIT_EXPECT_EQ(test, lost, ring_buffer_overruns(ring->buffer));
	test_expect_run(test, next + 1, 10 * TEST_FIT);
}

/* Any step of time, and none, comes out as it went in. */
static void ring_test_time(struct kunit *test)
{
	static const u64 steps[] = {
		0, 1, BIT_ULL(27) - 1, BIT_ULL(27), BIT_ULL(27) + 1, 5, BIT_ULL(40),
		BIT_ULL(58), BIT_ULL(59) - 1, BIT_ULL(59), 3, BIT_ULL(62), 0,
	};
	struct test_ring *ring = test->priv;
	u64 start = test_now;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, ring_buffer_resize(ring->buffer, 8 * TEST_DATA, ring->cpu), 0);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		test_now += steps[i];
		test_write(ring, i);
	}
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		start += steps[i];
		KUNIT_EXPECT_EQ(test, test_consume_time(ring), start);
	}
}

/* A clock that goes back does not take the buffer with it. */
static void ring_test_time_back(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	test_write(ring, 0);
	test_now -= 100;
	test_write(ring, 1);
	test_now += 500;
	test_write(ring, 2);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1000);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1000);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1400);
}

static void ring_test_time_absolute(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u64 ts;
	u32 i;

	ring_buffer_set_time_stamp_abs(ring->buffer, true);
	for (i = 0; i < 2 * TEST_FIT; i++) {
		test_now += i * BIT_ULL(20);
		test_write(ring, i);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu),
			2 * TEST_FIT * (TEST_SMALL + 8));
	for (i = 0, ts = 1000; i < 2 * TEST_FIT; i++) {
		ts += i * BIT_ULL(20);
		KUNIT_ASSERT_EQ(test, test_consume_time(ring), ts);
	}
	ring_buffer_set_time_stamp_abs(ring->buffer, false);
	KUNIT_EXPECT_FALSE(test, ring_buffer_time_stamp_abs(ring->buffer));
}

/* Begin an event, as one that is interrupted before it is done. */
static struct ring_buffer_event *test_begin(struct kunit *test, u32 value)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *event;

	test_now += 10;
	event = ring_buffer_lock_reserve(ring->buffer, sizeof(value));
	KUNIT_ASSERT_NOT_NULL(test, event);
	*(u32 *)ring_buffer_event_data(event) = value;
	KUNIT_EXPECT_EQ(test, ring_buffer_event_time_stamp(ring->buffer, event), test_now);
	return event;
}

static void ring_test_nested(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i;

	test_begin(test, 0);
	test_begin(test, 1);
	test_begin(test, 2);
	ring_buffer_unlock_commit(ring->buffer);
	test_begin(test, 3);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_unlock_commit(ring->buffer);
	/* Nothing is seen before the outermost is done. */
	KUNIT_EXPECT_EQ(test, test_consume(ring), -1);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	ring_buffer_unlock_commit(ring->buffer);
	test_begin(test, 4);
	ring_buffer_unlock_commit(ring->buffer);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1010 + 10 * i);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
}

/* Nested writers may fill the ring, but not run over what is not committed. */
static void ring_test_nested_full(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	u32 i, count = 2 * TEST_SLOTS * TEST_FIT, got;

	test_begin(test, 0);
	for (i = 1; i < count; i++)
		test_write(ring, i);
	ring_buffer_unlock_commit(ring->buffer);
	got = ring_buffer_entries(ring->buffer);
	/* All in the ring but for the stamp of the first nested event. */
	KUNIT_EXPECT_EQ(test, got, TEST_SLOTS * TEST_FIT - DIV_ROUND_UP(8, TEST_SMALL));
	KUNIT_EXPECT_EQ(test, ring_buffer_commit_overrun_cpu(ring->buffer, ring->cpu),
			count - got);
	test_expect_run(test, 0, got);
	test_write(ring, 7);
	KUNIT_EXPECT_EQ(test, test_consume(ring), 7);
}

static void ring_test_nested_deep(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	int i;

	for (i = 0; i < RB_MAX_NEST; i++)
		test_begin(test, i);
	KUNIT_EXPECT_EQ(test, test_write(ring, i), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_commit_overrun_cpu(ring->buffer, ring->cpu), 1);
	for (i = 0; i < RB_MAX_NEST; i++)
		ring_buffer_unlock_commit(ring->buffer);
	test_expect_run(test, 0, RB_MAX_NEST);
}

/* An event taken back leaves nothing behind, and time goes on. */
static void ring_test_discard(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long bytes;

	ring_buffer_discard_commit(ring->buffer, test_begin(test, 0));
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);
	test_write(ring, 1);
	bytes = ring_buffer_bytes_cpu(ring->buffer, ring->cpu);
	ring_buffer_discard_commit(ring->buffer, test_begin(test, 2));
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), bytes);
	test_now += BIT_ULL(30);
	ring_buffer_discard_commit(ring->buffer, test_begin(test, 3));
	test_now += 5;
	test_write(ring, 4);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 2);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1010);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), test_now);
	KUNIT_EXPECT_EQ(test, test_consume(ring), -1);
}

/* What was written behind it stays, and so does its place. */
static void ring_test_discard_outer(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *outer;

	test_write(ring, 0);
	outer = test_begin(test, 1);
	test_begin(test, 2);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_discard_commit(ring->buffer, outer);
	test_begin(test, 3);
	ring_buffer_unlock_commit(ring->buffer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 3);
	KUNIT_EXPECT_EQ(test, test_consume(ring), 0);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1020);
	KUNIT_EXPECT_EQ(test, test_consume_time(ring), 1030);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
}

/* As before, but the rest is in other sub-buffers by then. */
static void ring_test_discard_crossed(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *outer;
	u32 count = 2 * TEST_FIT, i;

	outer = test_begin(test, 0);
	for (i = 1; i < count; i++)
		test_write(ring, i);
	ring_buffer_discard_commit(ring->buffer, outer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), count - 1);
	test_expect_run(test, 1, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	/* Nothing left to count as lost either. */
	test_write_many(ring, 0, 3);
	test_expect_run(test, 0, 3);
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
	test_write_many(ring, 0, count);
	for (round = 0; round < 2; round++, ring_buffer_iter_reset(iter)) {
		for (i = 0; i < count; i++, ring_buffer_iter_advance(iter))
			KUNIT_ASSERT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), i);
		KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
		KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), 0);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), count);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 8 * TEST_DATA, ring->cpu), -EBUSY);
	ring_buffer_read_finish(iter);
	test_expect_run(test, 0, count);
}

/* It begins where consumers are, and goes on where they have gone. */
static void ring_test_iter_consumed(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;
	u32 i;

	test_write_many(ring, 0, 3 * TEST_FIT);
	for (i = 0; i < 10; i++)
		test_consume(ring);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), 10);
	/* What it has is its own. */
	for (; i < 2 * TEST_FIT + 20; i++)
		test_consume(ring);
	for (i = 10; i < TEST_FIT; i++, ring_buffer_iter_advance(iter))
		KUNIT_ASSERT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), i);
	KUNIT_EXPECT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), 2 * TEST_FIT + 20);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), 0);
	ring_buffer_read_finish(iter);
}

static void ring_test_iter_overwritten(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;
	u32 i, next;

	test_write_many(ring, 0, 2 * TEST_FIT);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), 0);
	test_write_many(ring, 2 * TEST_FIT, 20 * TEST_FIT);
	for (i = 0; i < TEST_FIT; i++, ring_buffer_iter_advance(iter))
		KUNIT_ASSERT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), i);
	next = test_value(ring_buffer_iter_peek(iter, NULL));
	KUNIT_EXPECT_EQ(test, next, 16 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), next - TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_iter_dropped(iter), 0);
	for (; next < 20 * TEST_FIT; next++, ring_buffer_iter_advance(iter))
		KUNIT_ASSERT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), next);
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	ring_buffer_read_finish(iter);
}

static void ring_test_resize_up(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 count = TEST_SLOTS * TEST_FIT;

	/* Not from the first slot on. */
	test_write_many(ring, 0, 6 * TEST_FIT + 1);
	ring_buffer_reset(ring->buffer);
	test_write_many(ring, 0, 3 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, test_consume(ring), 0);
	test_write_many(ring, 3 * TEST_FIT, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 9 * TEST_DATA,
						 RING_BUFFER_ALL_CPUS), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), 9 * TEST_DATA);
	test_write_many(ring, count, 8 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
	test_expect_run(test, 1, 8 * TEST_FIT);
	test_write_many(ring, 0, 30 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 9 * TEST_FIT);
	test_expect_run(test, 21 * TEST_FIT, 30 * TEST_FIT);
}

static void ring_test_resize_down(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 count = 7 * TEST_FIT - 2;
	unsigned long lost;

	test_write_many(ring, 0, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 2 * TEST_DATA, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 2 * TEST_FIT - 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 5 * TEST_FIT);
	KUNIT_EXPECT_EQ(test,
			test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost)),
			5 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, lost, 5 * TEST_FIT);
	test_expect_run(test, 5 * TEST_FIT + 1, count);
	/* Fill the sub-buffer that the reader has taken. */
	test_write_many(ring, 0, 2);
	test_expect_run(test, 0, 2);
	test_write_many(ring, 0, 5 * TEST_FIT);
	test_expect_run(test, 3 * TEST_FIT, 5 * TEST_FIT);
}

/* The reader has the sub-buffer that is being written to. */
static void ring_test_resize_reading(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	static const unsigned int sizes[] = { 3, 2, 7, 4, 2, 12 };
	unsigned int i;
	u32 next = 1;

	test_write(ring, 0);
	KUNIT_EXPECT_EQ(test, test_consume(ring), 0);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		test_write_many(ring, next, next + TEST_FIT + 3);
		KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, sizes[i] * TEST_DATA,
							 ring->cpu), 0);
		test_expect_run(test, next, next + TEST_FIT + 3);
		next += TEST_FIT + 3;
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
}

static void ring_test_resize_too_large(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long size = ring_buffer_size(ring->buffer, ring->cpu);

	test_write_many(ring, 0, 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, ULONG_MAX, RING_BUFFER_ALL_CPUS),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, LONG_MAX / 2, ring->cpu),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), size);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 0, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), 2 * TEST_DATA);
	test_expect_run(test, 0, 10);
}

static void ring_test_gates(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	ring_buffer_record_disable(ring->buffer);
	KUNIT_EXPECT_EQ(test, test_write(ring, 0), -EBUSY);
	ring_buffer_record_off(ring->buffer);
	ring_buffer_record_enable(ring->buffer);
	KUNIT_EXPECT_EQ(test, test_write(ring, 0), -EBUSY);
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_set_on(ring->buffer));
	ring_buffer_record_on(ring->buffer);
	KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_on(ring->buffer));
	ring_buffer_record_disable_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_EQ(test, test_write(ring, 0), -EBUSY);
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_on_cpu(ring->buffer, ring->cpu));
	ring_buffer_record_enable_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_EQ(test, test_write(ring, 1), 0);
	test_expect_run(test, 1, 2);
}

static void ring_test_reset(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;

	test_write_many(ring, 0, 9 * TEST_FIT);
	test_consume(ring);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu), 0);
	test_write(ring, 5);
	KUNIT_EXPECT_EQ(test, test_value(ring_buffer_iter_peek(iter, NULL)), 5);
	ring_buffer_read_finish(iter);
	test_expect_run(test, 5, 6);
}

/* The first value in a sub-buffer, and how many follow it without a gap. */
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
			*first = test_value(event);
		if (test_value(event) != *first + count)
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
	test_write_many(ring, 0, 2 * TEST_FIT + 9);

	/* Too small a place: copied. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, 16 + TEST_SMALL - 1, 0), -1);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, 16 + 7 * TEST_SMALL, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, ring_buffer_read_page_data(read), before);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), 7);
	KUNIT_EXPECT_EQ(test, first, 0);
	/* The rest of it: copied too. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 1), 0);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), TEST_FIT - 7);
	KUNIT_EXPECT_EQ(test, first, 7);
	/* A whole one: exchanged. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 1), 0);
	KUNIT_EXPECT_PTR_NE(test, ring_buffer_read_page_data(read), before);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), TEST_FIT);
	KUNIT_EXPECT_EQ(test, first, TEST_FIT);
	/* The one that is written to: copied, if it need not be full. */
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 1), -1);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), 0);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), 9);
	KUNIT_EXPECT_EQ(test, first, 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu),
			2 * TEST_FIT + 9);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(ring->buffer, ring->cpu), 0);

	/* What was lost is said in the page. */
	test_write_many(ring, 0, 10 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), 0);
	page = ring_buffer_read_page_data(read);
	KUNIT_EXPECT_EQ(test, local_read(&page->commit) & RB_PAGE_MISSED_EVENTS, 0);
	KUNIT_EXPECT_EQ(test, test_read_page(ring, read, PAGE_SIZE, 0), 0);
	page = ring_buffer_read_page_data(read);
	KUNIT_EXPECT_NE(test, local_read(&page->commit) & RB_PAGE_MISSED_EVENTS, 0);
	KUNIT_EXPECT_EQ(test, test_page_run(read, &first), TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), first - (TEST_FIT - 9));
	ring_buffer_free_read_page(ring->buffer, ring->cpu, read);
	test_expect_run(test, first + TEST_FIT, 10 * TEST_FIT);
}

static void ring_test_order(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *buffer = ring->buffer;
	const u32 fit = rb_data_size(2) / TEST_SMALL;
	unsigned long max;
	u8 *data;

	test_write_many(ring, 0, 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, -1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 6), -EINVAL);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 2), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_size_get(buffer), 4 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, ring->cpu), 2 * rb_data_size(2));
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(buffer));
	test_write_many(ring, 0, 3 * fit);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), fit);
	test_expect_run(test, fit, 3 * fit);

	max = ring_buffer_max_event_size(buffer);
	data = kunit_kzalloc(test, max, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, data);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, max, data), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 5 * rb_data_size(2), ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 0), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, max, data), -EBUSY);
	test_write_many(ring, 0, 5);
	test_expect_run(test, 0, 5);
}

static void ring_test_swap(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *other;
	u32 value = 77;

	other = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	ring_buffer_set_clock(other, test_clock);
	test_write_many(ring, 0, TEST_FIT + 5);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(other, sizeof(value), &value), 0);

	preempt_disable();
	test_begin(test, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), -EBUSY);
	ring_buffer_unlock_commit(ring->buffer);
	ring_buffer_record_disable(other);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), -EAGAIN);
	ring_buffer_record_enable(other);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), 0);
	preempt_enable();

	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other), TEST_FIT + 6);
	test_write(ring, 78);
	test_expect_run(test, 77, 79);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(other, 9 * TEST_DATA, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), -EINVAL);
	ring_buffer_free(other);
}

/* A reader given garbage comes to an end, and not outside of the sub-buffer. */
static void ring_test_garbage(struct kunit *test)
{
	struct rb_cursor cursor = { };
	u32 seed = 1, round, steps, i;
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
		for (steps = 0; rb_cursor_event(&cursor, &ts); steps++)
			rb_cursor_advance(&cursor);
		KUNIT_EXPECT_LE(test, steps, TEST_DATA / 8);
		KUNIT_EXPECT_EQ(test, cursor.pos, cursor.end);
	}
}

static struct kunit_case ring_test_cases[] = {
	KUNIT_CASE(ring_test_empty),
	KUNIT_CASE(ring_test_one),
	KUNIT_CASE(ring_test_lengths),
	KUNIT_CASE(ring_test_overwrite),
	KUNIT_CASE(ring_test_no_overwrite),
	KUNIT_CASE(ring_test_follow),
	KUNIT_CASE(ring_test_reader_keeps),
	KUNIT_CASE(ring_test_time),
	KUNIT_CASE(ring_test_time_back),
	KUNIT_CASE(ring_test_time_absolute),
	KUNIT_CASE(ring_test_nested),
	KUNIT_CASE(ring_test_nested_full),
	KUNIT_CASE(ring_test_nested_deep),
	KUNIT_CASE(ring_test_discard),
	KUNIT_CASE(ring_test_discard_outer),
	KUNIT_CASE(ring_test_discard_crossed),
	KUNIT_CASE(ring_test_iter),
	KUNIT_CASE(ring_test_iter_consumed),
	KUNIT_CASE(ring_test_iter_overwritten),
	KUNIT_CASE(ring_test_resize_up),
	KUNIT_CASE(ring_test_resize_down),
	KUNIT_CASE(ring_test_resize_reading),
	KUNIT_CASE(ring_test_resize_too_large),
	KUNIT_CASE(ring_test_gates),
	KUNIT_CASE(ring_test_reset),
	KUNIT_CASE(ring_test_read_page),
	KUNIT_CASE(ring_test_order),
	KUNIT_CASE(ring_test_swap),
	KUNIT_CASE(ring_test_garbage),
	{ }
};

static struct kunit_suite ring_test_suite = {
	.name = "ring_buffer",
	.init = ring_test_init,
	.exit = ring_test_exit,
	.test_cases = ring_test_cases,
};

kunit_test_suite(ring_test_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
