// SPDX-License-Identifier: GPL-2.0
/*
 * What the ring buffer's KUnit cases share.
 */
#include <kunit/test.h>
#include <linux/smp.h>

#include "test_ring.h"

u64 rb_test_now;

u64 rb_test_clock(void)
{
	return rb_test_now;
}

/* As if so many sub-buffers had been written to an empty buffer, and read. */
void rb_test_age(struct rb_cpu *cpu, u32 age)
{
	u32 slot;

	for (slot = 0; slot < cpu->nr; slot++)
		cpu->slots[slot] += rb_pos(age);
	cpu->tail->index += age;
	cpu->head += rb_pos(age);
	cpu->commit += rb_pos(age);
	cpu->read_index += age;
}

int rb_test_init(struct kunit *test)
{
	struct test_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	test->priv = ring;
	ring->buffer = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, ring->buffer);
	rb_test_now = 1000;
	ring_buffer_set_clock(ring->buffer, rb_test_clock);
	/* The case runs in this thread; what cleans up behind it does not. */
	ring->cpu = raw_smp_processor_id();
	KUNIT_ASSERT_EQ(test, 0, set_cpus_allowed_ptr(current, cpumask_of(ring->cpu)));
	/* All begins shortly before the indexes wrap. */
	rb_test_age(rb_cpu(ring->buffer, ring->cpu), -6);
	return 0;
}

void rb_test_exit(struct kunit *test)
{
	struct test_ring *ring = test->priv;

	if (!ring || !ring->buffer)
		return;
	ring_buffer_free(ring->buffer);
}

int rb_test_write(struct test_ring *ring, u32 value)
{
	return ring_buffer_write(ring->buffer, sizeof(value), &value);
}

void rb_test_write_many(struct test_ring *ring, u32 from, u32 to)
{
	for (; from < to; from++)
		rb_test_write(ring, from);
}

/* The value of an event, or -1 if there is none. */
s64 rb_test_value(struct ring_buffer_event *event)
{
	return event ? (s64)*(u32 *)ring_buffer_event_data(event) : -1;
}

s64 rb_test_consume(struct test_ring *ring)
{
	return rb_test_value(ring_buffer_consume(ring->buffer, ring->cpu, NULL, NULL));
}

u64 rb_test_consume_time(struct test_ring *ring)
{
	u64 ts = 0;

	ring_buffer_consume(ring->buffer, ring->cpu, &ts, NULL);
	return ts;
}

void rb_test_expect_run(struct kunit *test, u32 from, u32 to)
{
	struct test_ring *ring = test->priv;

	for (; from < to; from++)
		KUNIT_ASSERT_EQ(test, rb_test_consume(ring), from);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), -1);
}

/* Begin an event, as one that is interrupted before it is done. */
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
