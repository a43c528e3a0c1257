/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the ring buffer's KUnit cases: a buffer with one writer and one reader, on one CPU,
 * whose clock only moves when the case moves it. tools/testing/ring-buffer runs most of these
 * cases, too, and tests there writers and readers that run at the same time.
 */
#ifndef _TRACE_RING_BUFFER_TEST_RING_H
#define _TRACE_RING_BUFFER_TEST_RING_H

#include "internal.h"

struct kunit;

#define TEST_SLOTS	4

/* Bytes of events in a sub-buffer; bytes of an event with 4 bytes of data; how many fit. */
#define TEST_DATA	(PAGE_SIZE - offsetof(struct rb_page, data))
#define TEST_SMALL	(IS_ENABLED(CONFIG_HAVE_64BIT_ALIGNED_ACCESS) ? 16 : 8)
#define TEST_FIT	(TEST_DATA / TEST_SMALL)

/**
 * struct test_ring - the buffer of a case
 * @buffer: has TEST_SLOTS sub-buffers per CPU, and overwrites
 * @cpu: the CPU that the case runs on
 */
struct test_ring {
	struct trace_buffer	*buffer;
	int			cpu;
};

/* The time that rb_test_clock() returns. */
extern u64 rb_test_now;

u64 rb_test_clock(void);
int rb_test_init(struct kunit *test);
void rb_test_exit(struct kunit *test);
int rb_test_write(struct test_ring *ring, u32 value);
void rb_test_age(struct rb_cpu *cpu, u32 age);
void rb_test_write_many(struct test_ring *ring, u32 from, u32 to);
s64 rb_test_value(struct ring_buffer_event *event);
s64 rb_test_consume(struct test_ring *ring);
u64 rb_test_consume_time(struct test_ring *ring);
void rb_test_expect_run(struct kunit *test, u32 from, u32 to);
struct ring_buffer_event *rb_test_begin(struct kunit *test, u32 value);

#endif /* _TRACE_RING_BUFFER_TEST_RING_H */
