// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of recording that the kernel switches by itself. They use the top instance, which has
 * no other user while KUnit runs, and restore its state.
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "dump.h"
#include "instance.h"
#include "internal.h"

static unsigned long entries_recorded(void)
{
	return ring_buffer_entries(trace_top->array_buffer.buffer);
}

/* kernel.traceoff_on_warning: the last entry has the reason why recording stopped. */
static void traceoff_on_warning_test(struct kunit *test)
{
	int was = __disable_trace_on_warning;

	__disable_trace_on_warning = 0;
	disable_trace_on_warning();
	KUNIT_EXPECT_TRUE(test, tracing_is_on());
	KUNIT_EXPECT_EQ(test, entries_recorded(), 0);

	__disable_trace_on_warning = 1;
	disable_trace_on_warning();
	KUNIT_EXPECT_FALSE(test, tracing_is_on());
	KUNIT_EXPECT_EQ(test, entries_recorded(), 1);

	/* A second warning adds no entry. */
	disable_trace_on_warning();
	__trace_puts(_THIS_IP_, "later\n", strlen("later\n"));
	KUNIT_EXPECT_FALSE(test, tracing_is_on());
	KUNIT_EXPECT_EQ(test, entries_recorded(), 1);
	__disable_trace_on_warning = was;
}

static unsigned int dumped;

static void switch_on_and_record(struct trace_array *tr, int cpu)
{
	dumped += !tracing_is_on();
	tracing_on();
	__trace_puts(_THIS_IP_, "printed\n", strlen("printed\n"));
}

/* While a buffer is printed, nothing is recorded in it, even if recording is switched on. */
static void dump_test(struct kunit *test)
{
	void (*was)(struct trace_array *tr, int cpu) = trace_dump_hook;

	dumped = 0;
	trace_dump_hook = switch_on_and_record;
	ftrace_dump(DUMP_ALL);
	trace_dump_hook = was;
	KUNIT_EXPECT_EQ(test, dumped, 1);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 0);
	KUNIT_EXPECT_TRUE(test, tracing_is_on());
	__trace_puts(_THIS_IP_, "later\n", strlen("later\n"));
	KUNIT_EXPECT_EQ(test, entries_recorded(), 1);
}

static int control_test_init(struct kunit *test)
{
	if (!trace_top)
		return -ENODEV;
	trace_array_reset(trace_top);
	tracing_on();
	return 0;
}

static void control_test_exit(struct kunit *test)
{
	if (!trace_top)
		return;
	trace_array_reset(trace_top);
	tracing_on();
}

static struct kunit_case control_test_cases[] = {
	KUNIT_CASE(traceoff_on_warning_test),
	KUNIT_CASE(dump_test),
	{}
};

static struct kunit_suite control_test_suite = {
	.name		= "trace_control",
	.init		= control_test_init,
	.exit		= control_test_exit,
	.test_cases	= control_test_cases,
};

kunit_test_suite(control_test_suite);

MODULE_DESCRIPTION("KUnit tests of controls of recording");
MODULE_LICENSE("GPL");
