// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of merging. The CPUs of a buffer are written to in turn, with a clock that the test
 * sets. The entries must come out in the order of time.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/smp.h>

#include "../core/instance.h"
#include "internal.h"

#define TEST_ENTRIES	500
#define TEST_TICK	1000

struct test_entry {
	struct trace_entry	ent;
	u64			value;
};

struct merge_context {
	struct trace_iterator	iter;
	struct array_buffer	array_buffer;
};

static u64 test_now;

static u64 test_clock(void)
{
	return test_now;
}

struct test_write {
	struct trace_buffer	*buffer;
	u64			value;
	int			ret;
};

static void write_here(void *data)
{
	struct test_write *write = data;
	struct test_entry entry = { .value = write->value };

	test_now = write->value * TEST_TICK;
	write->ret = ring_buffer_write(write->buffer, sizeof(entry), &entry);
}

/* Record @value on @cpu, at a time that is proportional to it. */
static void write_on(struct kunit *test, int cpu, u64 value)
{
	struct merge_context *context = test->priv;
	struct test_write write = {
		.buffer	= context->array_buffer.buffer,
		.value	= value,
	};

	KUNIT_ASSERT_EQ(test, 0, smp_call_function_single(cpu, write_here, &write, true));
	KUNIT_ASSERT_EQ(test, 0, write.ret);
}

static int merge_test_init(struct kunit *test)
{
	struct merge_context *context = kunit_kzalloc(test, sizeof(*context), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, context);
	test->priv = context;
	context->array_buffer.buffer = ring_buffer_alloc(64 * PAGE_SIZE, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, context->array_buffer.buffer);
	context->array_buffer.tr = trace_top;
	context->array_buffer.view.cpu = RING_BUFFER_ALL_CPUS;
	ring_buffer_set_clock(context->array_buffer.buffer, test_clock);
	test_now = 0;
	return 0;
}

static void merge_test_exit(struct kunit *test)
{
	struct merge_context *context = test->priv;

	if (!context || !context->array_buffer.buffer)
		return;
	trace_merge_free(&context->iter);
	ring_buffer_free(context->array_buffer.buffer);
}

static struct trace_iterator *start(struct kunit *test, bool consume)
{
	struct merge_context *context = test->priv;
	struct trace_iterator *iter = &context->iter;

	iter->array_buffer = &context->array_buffer;
	iter->cpu_file = RING_BUFFER_ALL_CPUS;
	KUNIT_ASSERT_EQ(test, 0, trace_merge_alloc(iter, consume));
	return iter;
}

/* Record the values 1 to @last, spread over the CPUs without a pattern. */
static void write_shares(struct kunit *test, int last)
{
	int cpu, value, cpus = num_online_cpus(), nth = 0;

	for_each_online_cpu(cpu) {
		for (value = 1; value <= last; value++) {
			if ((value * value / 7) % cpus == nth)
				write_on(test, cpu, value);
		}
		nth++;
	}
	test_now = (last + 1) * TEST_TICK;
}

static u64 found_value(struct trace_iterator *iter)
{
	return trace_iter_find(iter) ? ((struct test_entry *)iter->ent)->value : 0;
}

static void expect_order(struct kunit *test, struct trace_iterator *iter, int first, int last)
{
	int value;

	for (value = first; value <= last; value++) {
		KUNIT_ASSERT_EQ(test, found_value(iter), value);
		/* trace_iter_find() does not step. */
		KUNIT_ASSERT_EQ(test, found_value(iter), value);
		KUNIT_ASSERT_EQ(test, iter->ts, value * TEST_TICK);
		trace_iter_advance(iter);
	}
	KUNIT_EXPECT_FALSE(test, trace_iter_find(iter));
	KUNIT_EXPECT_TRUE(test, trace_iter_empty(iter));
}

static void merge_consuming(struct kunit *test)
{
	struct trace_iterator *iter;

	write_shares(test, TEST_ENTRIES);
	iter = start(test, true);
	expect_order(test, iter, 1, TEST_ENTRIES);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(iter->array_buffer->buffer));
}

static void merge_not_consuming(struct kunit *test)
{
	struct trace_iterator *iter;

	write_shares(test, TEST_ENTRIES);
	iter = start(test, false);
	expect_order(test, iter, 1, TEST_ENTRIES);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(iter->array_buffer->buffer), TEST_ENTRIES);

	trace_iter_rewind(iter);
	expect_order(test, iter, 1, TEST_ENTRIES);
}

/* A CPU that was found empty gets an entry that is older than the ones found. */
static void merge_idle_wakes(struct kunit *test)
{
	struct trace_iterator *iter = start(test, true);
	int cpu = cpumask_first(cpu_online_mask), other = cpumask_last(cpu_online_mask);

	write_on(test, cpu, 1);
	KUNIT_EXPECT_EQ(test, found_value(iter), 1);
	trace_iter_advance(iter);
	write_on(test, other, 2);
	write_on(test, cpu, 3);
	KUNIT_EXPECT_EQ(test, found_value(iter), 2);
	trace_iter_advance(iter);
	write_on(test, other, 4);
	expect_order(test, iter, 3, 4);
}

/* Looking ahead changes neither the loaded entry nor the ones that follow. */
static void merge_look_ahead(struct kunit *test)
{
	struct trace_iterator *iter;
	int value;

	write_shares(test, TEST_ENTRIES);
	iter = start(test, false);
	for (value = 1; value < TEST_ENTRIES; value++) {
		KUNIT_ASSERT_EQ(test, found_value(iter), value);
		KUNIT_ASSERT_EQ(test, trace_iter_next_ts(iter), (value + 1) * TEST_TICK);
		KUNIT_ASSERT_EQ(test, found_value(iter), value);
		trace_iter_advance(iter);
	}
	expect_order(test, iter, TEST_ENTRIES, TEST_ENTRIES);
}

static void merge_fold(struct kunit *test)
{
	struct trace_iterator *iter;
	struct test_entry *next;
	int value, cpu = cpumask_first(cpu_online_mask);
	u64 ts;

	for (value = 1; value <= 5; value++)
		write_on(test, cpu, value);
	iter = start(test, true);
	KUNIT_EXPECT_EQ(test, found_value(iter), 1);
	next = (struct test_entry *)trace_iter_next_entry(iter, &ts);
	KUNIT_ASSERT_NOT_NULL(test, next);
	KUNIT_EXPECT_EQ(test, next->value, 2);
	KUNIT_EXPECT_EQ(test, ts, 2 * TEST_TICK);
	KUNIT_EXPECT_EQ(test, ((struct test_entry *)iter->ent)->value, 1);
	KUNIT_EXPECT_TRUE(test, trace_iter_fold_next(iter));
	trace_iter_advance(iter);
	expect_order(test, iter, 3, 5);
}

/* Another reader takes the loaded entry, or the next one: each entry goes to one reader. */
static void merge_shared(struct kunit *test)
{
	struct merge_context *context = test->priv;
	struct trace_buffer *buffer = context->array_buffer.buffer;
	int value, cpu = cpumask_first(cpu_online_mask);
	struct test_entry *next;
	struct trace_iterator *iter;
	u64 ts;

	for (value = 1; value <= 6; value++)
		write_on(test, cpu, value);
	iter = start(test, true);
	KUNIT_EXPECT_EQ(test, found_value(iter), 1);
	ring_buffer_consume(buffer, cpu, NULL, NULL);
	KUNIT_EXPECT_EQ(test, found_value(iter), 1);
	trace_iter_advance(iter);
	KUNIT_EXPECT_EQ(test, found_value(iter), 3);

	next = (struct test_entry *)trace_iter_next_entry(iter, &ts);
	KUNIT_ASSERT_NOT_NULL(test, next);
	ring_buffer_consume(buffer, cpu, NULL, NULL);
	KUNIT_EXPECT_EQ(test, next->value, 4);
	KUNIT_EXPECT_FALSE(test, trace_iter_fold_next(iter));

	/* A folded entry stays with its line, which may be printed again. */
	next = (struct test_entry *)trace_iter_next_entry(iter, &ts);
	KUNIT_ASSERT_NOT_NULL(test, next);
	KUNIT_EXPECT_TRUE(test, trace_iter_fold_next(iter));
	next = (struct test_entry *)trace_iter_next_entry(iter, &ts);
	KUNIT_ASSERT_NOT_NULL(test, next);
	KUNIT_EXPECT_EQ(test, next->value, 5);
	KUNIT_EXPECT_TRUE(test, trace_iter_fold_next(iter));
	KUNIT_EXPECT_EQ(test, found_value(iter), 3);
	trace_iter_advance(iter);
	expect_order(test, iter, 6, 6);
}

/* Sub-buffers become larger than a reader's memory for a copy. */
static void merge_larger(struct kunit *test)
{
	struct merge_context *context = test->priv;
	struct trace_buffer *buffer = context->array_buffer.buffer;
	struct trace_iterator *iter = start(test, true);
	unsigned int size = 2 * PAGE_SIZE;
	u8 *large = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, large);
	memset(large, 'x', size);
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_subbuf_order_set(buffer, 2));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_write(buffer, size, large));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_write(buffer, size, large));
	/* The entry is cut if the memory is too small, */
	KUNIT_ASSERT_TRUE(test, trace_iter_find(iter));
	KUNIT_EXPECT_LT(test, iter->ent_size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ((char *)iter->ent)[iter->ent_size], '\0');
	trace_iter_advance(iter);
	/* but a reader that may sleep allocates more. */
	trace_iter_reload(iter);
	KUNIT_ASSERT_TRUE(test, trace_iter_find(iter));
	KUNIT_EXPECT_GE(test, iter->ent_size, size);
	KUNIT_EXPECT_EQ(test, 0, memcmp(iter->ent, large, size));
	trace_iter_advance(iter);
	KUNIT_EXPECT_FALSE(test, trace_iter_find(iter));
}

/* The buffer is cleared while it is read: the reader finds what is written afterwards. */
static void merge_reset(struct kunit *test)
{
	struct trace_iterator *iter;

	write_shares(test, TEST_ENTRIES);
	iter = start(test, true);
	KUNIT_EXPECT_EQ(test, found_value(iter), 1);
	trace_iter_advance(iter);
	ring_buffer_reset(iter->array_buffer->buffer);
	write_on(test, cpumask_first(cpu_online_mask), TEST_ENTRIES + 2);
	expect_order(test, iter, TEST_ENTRIES + 2, TEST_ENTRIES + 2);
}

/* An instance of which the reader only sees the clock, and whether a latency is kept. */
static struct trace_array *other_instance(struct kunit *test)
{
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
#ifdef CONFIG_LATENCY_TRACERS
	tr->latency = trace_top->latency;
#endif
	return tr;
}

static void new_clock(struct trace_array *tr, struct trace_buffer *buffer)
{
	ring_buffer_reset(buffer);
	while (trace_clock_in_ns(tr))
		tr->clock++;
	tr->clock_changes++;
}

/* The buffer gets another clock, whose times are older than all that the reader has seen. */
static void merge_new_clock(struct kunit *test)
{
	struct merge_context *context = test->priv;
	int first = cpumask_first(cpu_online_mask), second = cpumask_next(first, cpu_online_mask);
	struct trace_array *tr = other_instance(test);
	struct trace_iterator *iter;

	if (second >= nr_cpu_ids)
		kunit_skip(test, "needs two CPUs");
	context->array_buffer.tr = tr;
	iter = start(test, true);
	write_on(test, first, 1000);
	write_on(test, second, 1001);
	KUNIT_EXPECT_EQ(test, found_value(iter), 1000);
	trace_iter_advance(iter);

	new_clock(tr, context->array_buffer.buffer);
	write_on(test, first, 1);
	write_on(test, first, 2);
	write_on(test, second, 3);
	write_on(test, first, 4);
	trace_iter_reload(iter);
	KUNIT_EXPECT_FALSE(test, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	expect_order(test, iter, 1, 4);
}

/* A reader begins again with the entries of another clock. */
static void merge_new_clock_rewound(struct kunit *test)
{
	struct merge_context *context = test->priv;
	struct trace_array *tr = other_instance(test);
	struct trace_iterator *iter;

	context->array_buffer.tr = tr;
	iter = start(test, false);
	write_shares(test, 10);
	expect_order(test, iter, 1, 10);

	new_clock(tr, context->array_buffer.buffer);
	write_shares(test, 5);
	trace_iter_rewind(iter);
	KUNIT_EXPECT_FALSE(test, iter->iter_flags & TRACE_FILE_TIME_IN_NS);
	expect_order(test, iter, 1, 5);
}

/* Write ten entries into a buffer of the smallest size, so that they are soon overwritten. */
static void write_ten(struct kunit *test, int cpu)
{
	struct merge_context *context = test->priv;
	int value;

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(context->array_buffer.buffer, PAGE_SIZE,
						    RING_BUFFER_ALL_CPUS));
	for (value = 1; value <= 10; value++)
		write_on(test, cpu, value);
}

/* Entries are overwritten during a read: the reader keeps its entry, and reports the loss once. */
static void merge_overwritten(struct kunit *test)
{
	struct merge_context *context = test->priv;
	struct trace_buffer *buffer = context->array_buffer.buffer;
	int value = 11, left, cpu = cpumask_first(cpu_online_mask);
	struct trace_iterator *iter;

	write_ten(test, cpu);
	iter = start(test, false);
	KUNIT_ASSERT_EQ(test, found_value(iter), 1);
	while (!ring_buffer_overrun_cpu(buffer, cpu))
		write_on(test, cpu, value++);
	for (left = 1; left <= 10; left++) {
		KUNIT_ASSERT_EQ(test, found_value(iter), left);
		KUNIT_ASSERT_EQ(test, iter->lost_events, 0);
		trace_iter_advance(iter);
	}
	left = found_value(iter);
	KUNIT_EXPECT_GT(test, left, 11);
	KUNIT_EXPECT_EQ(test, iter->lost_events, LOST_UNKNOWN);
	trace_iter_advance(iter);
	KUNIT_ASSERT_EQ(test, found_value(iter), left + 1);
	KUNIT_EXPECT_EQ(test, iter->lost_events, 0);
	expect_order(test, iter, left + 1, value - 1);
}

/* An entry after lost ones does not count as next, and its reader reports the loss. */
static void expect_gap_told(struct kunit *test, bool consume)
{
	struct merge_context *context = test->priv;
	struct trace_buffer *buffer = context->array_buffer.buffer;
	int value = 11, next, gaps = 0, cpu = cpumask_first(cpu_online_mask);
	struct trace_iterator *iter;
	bool ahead;
	u64 ts;

	write_ten(test, cpu);
	iter = start(test, consume);
	KUNIT_ASSERT_EQ(test, found_value(iter), 1);
	while (!ring_buffer_overrun_cpu(buffer, cpu))
		write_on(test, cpu, value++);
	for (value = 1; value; value = next) {
		ahead = trace_iter_next_entry(iter, &ts);
		trace_iter_advance(iter);
		next = found_value(iter);
		KUNIT_EXPECT_EQ(test, ahead, next == value + 1);
		if (next) {
			KUNIT_EXPECT_EQ(test, !iter->lost_events, next == value + 1);
			gaps += next != value + 1;
		}
	}
	KUNIT_EXPECT_EQ(test, gaps, 1);
}

static void merge_gap(struct kunit *test)
{
	expect_gap_told(test, false);
}

static void merge_gap_consuming(struct kunit *test)
{
	expect_gap_told(test, true);
}

/* A reader shows only the times, and perhaps the CPU, that a latency tracer has kept. */
static void merge_window(struct kunit *test)
{
	struct merge_context *context = test->priv;
	unsigned long left, overrun;
	struct trace_iterator *iter;
	int value;

	write_shares(test, TEST_ENTRIES);
	context->array_buffer.view.from = 101 * TEST_TICK;
	context->array_buffer.view.to = 400 * TEST_TICK;
	iter = start(test, false);
	KUNIT_EXPECT_FALSE(test, trace_iter_empty(iter));
	KUNIT_EXPECT_NULL(test, iter->ent);
	KUNIT_EXPECT_EQ(test, trace_iter_count(iter, &overrun), 300);
	KUNIT_EXPECT_EQ(test, overrun, 0);
	expect_order(test, iter, 101, 400);

	/* Another latency may be kept meanwhile: the reader keeps the range that it began with. */
	trace_iter_rewind(iter);
	KUNIT_EXPECT_EQ(test, found_value(iter), 101);
	context->array_buffer.view.from = 401 * TEST_TICK;
	context->array_buffer.view.to = 0;
	expect_order(test, iter, 101, 400);
	trace_iter_rewind(iter);
	expect_order(test, iter, 401, TEST_ENTRIES);

	context->array_buffer.view.cpu = cpumask_first(cpu_online_mask);
	trace_iter_rewind(iter);
	left = trace_iter_count(iter, &overrun);
	for (value = 0; found_value(iter); trace_iter_advance(iter)) {
		KUNIT_EXPECT_EQ(test, iter->cpu, context->array_buffer.view.cpu);
		KUNIT_EXPECT_GT(test, found_value(iter), max(value, 400));
		value = found_value(iter);
		left--;
	}
	KUNIT_EXPECT_EQ(test, left, 0);
	KUNIT_EXPECT_GT(test, value, 400);
	KUNIT_EXPECT_TRUE(test, trace_iter_empty(iter));
}

static struct kunit_case merge_cases[] = {
	KUNIT_CASE(merge_consuming),
	KUNIT_CASE(merge_not_consuming),
	KUNIT_CASE(merge_idle_wakes),
	KUNIT_CASE(merge_look_ahead),
	KUNIT_CASE(merge_fold),
	KUNIT_CASE(merge_shared),
	KUNIT_CASE(merge_larger),
	KUNIT_CASE(merge_reset),
	KUNIT_CASE(merge_new_clock),
	KUNIT_CASE(merge_new_clock_rewound),
	KUNIT_CASE(merge_overwritten),
	KUNIT_CASE(merge_gap),
	KUNIT_CASE(merge_gap_consuming),
	KUNIT_CASE(merge_window),
	{}
};

static struct kunit_suite merge_suite = {
	.name		= "trace_merge",
	.init		= merge_test_init,
	.exit		= merge_test_exit,
	.test_cases	= merge_cases,
};

kunit_test_suite(merge_suite);
