// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: changes of the storage, and the events that remain in it: sizes, reset, exchange.
 */
#include <kunit/test.h>
#include <linux/preempt.h>

#include "internal.h"
#include "reserve.h"
#include "test_ring.h"

static void ring_test_resize_up(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 count = TEST_SLOTS * TEST_FIT;

	/* Let the events begin in a slot that is not the first. */
	rb_test_write_many(ring, 0, 6 * TEST_FIT + 1);
	ring_buffer_reset(ring->buffer);
	rb_test_write_many(ring, 0, 3 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 0);
	rb_test_write_many(ring, 3 * TEST_FIT, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 9 * TEST_DATA,
						 RING_BUFFER_ALL_CPUS), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), 9 * TEST_DATA);
	rb_test_write_many(ring, count, 8 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
	rb_test_expect_run(test, 1, 8 * TEST_FIT);
	rb_test_write_many(ring, 0, 30 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 9 * TEST_FIT);
	rb_test_expect_run(test, 21 * TEST_FIT, 30 * TEST_FIT);
}

static void ring_test_resize_down(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const u32 count = 7 * TEST_FIT - 2;
	unsigned long lost;

	rb_test_write_many(ring, 0, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 2 * TEST_DATA, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 2 * TEST_FIT - 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 5 * TEST_FIT);
	KUNIT_EXPECT_EQ(test,
			rb_test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, &lost)),
			5 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, lost, 5 * TEST_FIT);
	rb_test_expect_run(test, 5 * TEST_FIT + 1, count);
	/* Fill the sub-buffer that the reader has taken. */
	rb_test_write_many(ring, 0, 2);
	rb_test_expect_run(test, 0, 2);
	rb_test_write_many(ring, 0, 5 * TEST_FIT);
	rb_test_expect_run(test, 3 * TEST_FIT, 5 * TEST_FIT);
}

/* A writer never commits, as if its task had died in an oops. */
static void ring_test_writer_stuck(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct rb_local *local = per_cpu_ptr(ring->buffer->fast.local, ring->cpu);
	unsigned long size = ring_buffer_size(ring->buffer, ring->cpu);

	rb_test_write_many(ring, 0, 3);
	local->nest++;
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 9 * TEST_DATA,
						 RING_BUFFER_ALL_CPUS), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(ring->buffer, 1), -EBUSY);
	ring_buffer_reset(ring->buffer);
	local->nest--;
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), size);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_get(ring->buffer), 0);
	rb_test_expect_run(test, 0, 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 9 * TEST_DATA,
						 RING_BUFFER_ALL_CPUS), 0);
}

/* The ring is resized while the reader has the sub-buffer that is being written to. */
static void ring_test_resize_reading(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	static const unsigned int sizes[] = { 3, 2, 7, 4, 2, 12 };
	unsigned int i;
	u32 next = 1;

	rb_test_write(ring, 0);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 0);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		rb_test_write_many(ring, next, next + TEST_FIT + 3);
		KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, sizes[i] * TEST_DATA,
							 ring->cpu), 0);
		rb_test_expect_run(test, next, next + TEST_FIT + 3);
		next += TEST_FIT + 3;
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
}

static void ring_test_resize_too_large(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long size = ring_buffer_size(ring->buffer, ring->cpu);

	rb_test_write_many(ring, 0, 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, ULONG_MAX, RING_BUFFER_ALL_CPUS),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, LONG_MAX / 2, ring->cpu),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), size);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 0, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(ring->buffer, ring->cpu), 2 * TEST_DATA);
	rb_test_expect_run(test, 0, 10);
}

static void ring_test_reset(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;

	rb_test_write_many(ring, 0, 9 * TEST_FIT);
	rb_test_consume(ring);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(ring->buffer));
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(ring->buffer, ring->cpu), 0);
	rb_test_write(ring, 5);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), 5);
	ring_buffer_read_finish(iter);
	rb_test_expect_run(test, 5, 6);
}

static void ring_test_order(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *buffer = ring->buffer;
	const u32 fit = rb_data_size(2) / TEST_SMALL;
	unsigned long max;
	u8 *data;

	rb_test_write_many(ring, 0, 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, -1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 6), -EINVAL);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 2), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_size_get(buffer), 4 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, ring->cpu), 2 * rb_data_size(2));
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(buffer));
	rb_test_write_many(ring, 0, 3 * fit);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), fit);
	rb_test_expect_run(test, fit, 3 * fit);

	max = ring_buffer_max_event_size(buffer);
	data = kunit_kzalloc(test, max, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, data);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, max, data), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 5 * rb_data_size(2), ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 0), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, max, data), -EBUSY);
	rb_test_write_many(ring, 0, 5);
	rb_test_expect_run(test, 0, 5);

	/* Change the size of the buffer at the same time, for all CPUs. */
	KUNIT_EXPECT_EQ(test, ring_buffer_set_shape(buffer, 1, 3 * rb_data_size(1) - 1), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, ring->cpu), 3 * rb_data_size(1));
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, RING_BUFFER_ALL_CPUS), 3 * rb_data_size(1));
	rb_test_write_many(ring, 0, 5);
	rb_test_expect_run(test, 0, 5);
}

static void ring_test_swap(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *other;
	u32 value = 77;

	other = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	ring_buffer_set_clock(other, rb_test_clock);
	rb_test_write_many(ring, 0, TEST_FIT + 5);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(other, sizeof(value), &value), 0);

	preempt_disable();
	rb_test_begin(test, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), -EBUSY);
	ring_buffer_unlock_commit(ring->buffer);
	/* A buffer that is disabled can be exchanged. */
	ring_buffer_record_disable(other);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), 0);
	ring_buffer_record_enable(other);
	preempt_enable();

	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other), TEST_FIT + 6);
	rb_test_write(ring, 78);
	rb_test_expect_run(test, 77, 79);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(other, 9 * TEST_DATA, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), -EINVAL);
	ring_buffer_free(other);
}

/* An iterator whose storage is exchanged starts again, and reports a loss. */
static void ring_test_swap_iter(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_iter *iter;
	struct trace_buffer *other;
	u32 value = 77;

	other = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	ring_buffer_set_clock(other, rb_test_clock);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(other, sizeof(value), &value), 0);
	rb_test_write_many(ring, 0, TEST_FIT + 5);
	iter = ring_buffer_read_start(ring->buffer, ring->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), 0);
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(ring->buffer, other, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, rb_test_value(ring_buffer_iter_peek(iter, NULL)), 77);
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_dropped(iter));
	ring_buffer_iter_advance(iter);
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	ring_buffer_read_finish(iter);
	ring_buffer_free(other);
}

static unsigned int rb_test_generation(struct trace_buffer *buffer, int cpu)
{
	unsigned int generation;

	preempt_disable();
	generation = ring_buffer_fast_generation(buffer, cpu);
	preempt_enable();
	return generation;
}

/* The generation changes when all events are removed, and only then. */
static void ring_test_generation(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *buffer = ring->buffer, *other;
	unsigned int first = rb_test_generation(buffer, ring->cpu), second, theirs;

	KUNIT_EXPECT_NE(test, first, 0U);
	rb_test_write_many(ring, 0, 9 * TEST_FIT);
	rb_test_consume(ring);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 2 * TEST_DATA, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, rb_test_generation(buffer, ring->cpu), first);
	ring_buffer_reset_cpu(buffer, ring->cpu);
	second = rb_test_generation(buffer, ring->cpu);
	KUNIT_EXPECT_NE(test, second, first);

	/* Exchange the storage, and exchange it back. */
	other = ring_buffer_alloc(2 * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	theirs = rb_test_generation(other, ring->cpu);
	KUNIT_EXPECT_NE(test, theirs, second);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(buffer, other, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, rb_test_generation(buffer, ring->cpu), theirs);
	KUNIT_EXPECT_EQ(test, rb_test_generation(other, ring->cpu), second);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(buffer, other, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, rb_test_generation(buffer, ring->cpu), second);
	ring_buffer_free(other);

	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 1), 0);
	KUNIT_EXPECT_NE(test, rb_test_generation(buffer, ring->cpu), second);
}

static struct kunit_case ring_size_cases[] = {
	KUNIT_CASE(ring_test_resize_up),
	KUNIT_CASE(ring_test_resize_down),
	KUNIT_CASE(ring_test_writer_stuck),
	KUNIT_CASE(ring_test_resize_reading),
	KUNIT_CASE(ring_test_resize_too_large),
	KUNIT_CASE(ring_test_reset),
	KUNIT_CASE(ring_test_order),
	KUNIT_CASE(ring_test_swap),
	KUNIT_CASE(ring_test_swap_iter),
	KUNIT_CASE(ring_test_generation),
	{ }
};

static struct kunit_suite ring_size_suite = {
	.name = "ring_buffer_size",
	.init = rb_test_init,
	.exit = rb_test_exit,
	.test_cases = ring_size_cases,
};

kunit_test_suite(ring_size_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
