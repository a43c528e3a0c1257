// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the ring buffer's KUnit cases.
 */
#include <kunit/test.h>
#include <linux/smp.h>

#include "test_ring.h"

u64 rb_test_now;

/**
 * rb_test_clock - the clock of the buffer in KUnit cases
 *
 * Context: any.
 * Return: rb_test_now.
 */
u64 rb_test_clock(void)
{
	return rb_test_now;
}

/**
 * rb_test_age - advance the indexes of an empty storage, as if it had been written and read
 * @cpu: the storage
 * @age: number of sub-buffers to advance by; may be negative, cut to 32 bits
 *
 * Context: nobody else uses the storage.
 */
void rb_test_age(struct rb_cpu *cpu, u32 age)
{
	u32 slot;

	for (slot = 0; slot < cpu->nr; slot++)
		cpu->slots[slot] += rb_pos(age);
	cpu->fast.tail->index += age;
	cpu->fast.head += rb_pos(age);
	cpu->fast.commit += rb_pos(age);
	cpu->read_index += age;
}

/**
 * rb_test_init - the init() of a suite: make the buffer of a case
 * @test: the case; its priv points to a struct test_ring after this
 *
 * Context: process context, may sleep. Pins the thread to one CPU.
 * Return: 0; an error ends the case.
 */
int rb_test_init(struct kunit *test)
{
	struct test_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	test->priv = ring;
	ring->buffer = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, ring->buffer);
	rb_test_now = 1000;
	ring_buffer_set_clock(ring->buffer, rb_test_clock);
	/* The case runs in this thread; its clean-up runs in another one. */
	ring->cpu = raw_smp_processor_id();
	KUNIT_ASSERT_EQ(test, 0, set_cpus_allowed_ptr(current, cpumask_of(ring->cpu)));
	/* Begin shortly before the indexes wrap. */
	rb_test_age(rb_cpu(ring->buffer, ring->cpu), -6);
	return 0;
}

/**
 * rb_test_exit - the exit() of a suite: free the buffer
 * @test: the case, whether or not rb_test_init() got to its end
 *
 * Context: process context, may sleep.
 */
void rb_test_exit(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	if (!ring || !ring->buffer)
		return;
	ring_buffer_free(ring->buffer);
}

/**
 * rb_test_write - write an event with one number
 * @ring: the buffer; the event goes to the CPU that this runs on
 * @value: the event's data
 *
 * Context: any.
 * Return: as ring_buffer_write().
 */
int rb_test_write(struct test_ring *ring, u32 value)
{
	return ring_buffer_write(ring->buffer, sizeof(value), &value);
}

/**
 * rb_test_write_many - write an event for each number of a range
 * @ring: the buffer
 * @from: the first number
 * @to: one more than the last
 *
 * Context: any.
 */
void rb_test_write_many(struct test_ring *ring, u32 from, u32 to)
{
	for (; from < to; from++)
		rb_test_write(ring, from);
}

/**
 * rb_test_value - the number in an event that rb_test_write() has written
 * @event: the event, or NULL
 *
 * Context: any.
 * Return: the number, or -1 if there is no event.
 */
s64 rb_test_value(struct ring_buffer_event *event)
{
	return event ? (s64)*(u32 *)ring_buffer_event_data(event) : -1;
}

/**
 * rb_test_consume - consume an event of the case's CPU
 * @ring: the buffer
 *
 * Context: any.
 * Return: the event's number, or -1 if there is no event.
 */
s64 rb_test_consume(struct test_ring *ring)
{
	return rb_test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, NULL));
}

/**
 * rb_test_consume_time - consume an event of the case's CPU
 * @ring: the buffer
 *
 * Context: any.
 * Return: the event's time, or 0 if there is no event.
 */
u64 rb_test_consume_time(struct test_ring *ring)
{
	u64 ts = 0;

	ring_buffer_consume(ring->buffer, ring->cpu, &ts, NULL);
	return ts;
}

/**
 * rb_test_expect_run - consume all events, and expect them to have the numbers of a range
 * @test: the case, which fails if they have not
 * @from: the first number
 * @to: one more than the last
 *
 * Context: process context.
 */
void rb_test_expect_run(struct kunit *test, u32 from, u32 to)
{
	struct test_ring *ring = test->priv;

	for (; from < to; from++)
		KUNIT_ASSERT_EQ(test, rb_test_consume(ring), from);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), -1);
}

/**
 * rb_test_begin - begin an event, for cases in which other writers interrupt it
 * @test: the case
 * @value: the event's data
 *
 * Advances the clock by 10 first. The caller has to commit the event.
 *
 * Context: any.
 * Return: the event.
 */
struct ring_buffer_event *rb_test_begin(struct kunit *test, u32 value)
{
	struct test_ring *ring = test->priv;
	struct ring_buffer_event *event;

	rb_test_now += 10;
	event = ring_buffer_lock_reserve(ring->buffer, sizeof(value));
	KUNIT_ASSERT_NOT_NULL(test, event);
	*(u32 *)ring_buffer_event_data(event) = value;
	KUNIT_EXPECT_EQ(test, ring_buffer_event_time_stamp(ring->buffer, event), rb_test_now);
	return event;
}
