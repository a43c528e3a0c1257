// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the protection against recursion, with made-up contexts. */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/trace_recursion.h>

#include "recursion.h"

/* A group that nobody uses, so that a running tracer does not disturb the test. */
#define FIRST	TRACE_RECURSION_LAST

static void trace_recursion_once_a_context(struct kunit *test)
{
	int outer = trace_recursion_enter(FIRST);
	int early = trace_recursion_enter(FIRST);

	KUNIT_EXPECT_EQ(test, outer, FIRST);
	KUNIT_EXPECT_EQ(test, early, FIRST + TRACE_RECURSION_EARLY);
	KUNIT_EXPECT_LT(test, trace_recursion_enter(FIRST), 0);

	trace_recursion_leave(early);
	early = trace_recursion_enter(FIRST);
	KUNIT_EXPECT_EQ(test, early, FIRST + TRACE_RECURSION_EARLY);
	trace_recursion_leave(early);
	trace_recursion_leave(outer);

	KUNIT_EXPECT_EQ(test, trace_recursion_enter(FIRST), FIRST);
	trace_recursion_leave(FIRST);
	KUNIT_EXPECT_FALSE(test, current->trace_recursion & BIT(FIRST));
}

/* Enter and leave in the context that has @offset added to the preempt count. */
static int enter_as(int offset)
{
	unsigned long flags;
	int bit;

	raw_local_irq_save(flags);
	__preempt_count_add(offset);
	bit = trace_recursion_enter(FIRST);
	if (bit >= 0)
		trace_recursion_leave(bit);
	__preempt_count_sub(offset);
	raw_local_irq_restore(flags);
	return bit;
}

static void trace_recursion_contexts(struct kunit *test)
{
	int task = trace_recursion_enter(FIRST);

	KUNIT_ASSERT_EQ(test, task, FIRST);
	KUNIT_EXPECT_EQ(test, enter_as(SOFTIRQ_OFFSET), FIRST + 1);
	KUNIT_EXPECT_EQ(test, enter_as(HARDIRQ_OFFSET), FIRST + 2);
	KUNIT_EXPECT_EQ(test, enter_as(HARDIRQ_OFFSET + SOFTIRQ_OFFSET), FIRST + 2);
	KUNIT_EXPECT_EQ(test, enter_as(NMI_OFFSET + HARDIRQ_OFFSET), FIRST + 3);
	/* Code with softirqs off is not in a softirq. */
	KUNIT_EXPECT_EQ(test, enter_as(SOFTIRQ_DISABLE_OFFSET), FIRST + TRACE_RECURSION_EARLY);
	KUNIT_EXPECT_TRUE(test, current->trace_recursion & BIT(FIRST));
	trace_recursion_leave(task);
}

static void trace_recursion_groups(struct kunit *test)
{
	int one = trace_recursion_enter(FIRST);
	int other = trace_recursion_enter(FIRST + TRACE_RECURSION_BITS);

	KUNIT_EXPECT_EQ(test, one, FIRST);
	KUNIT_EXPECT_EQ(test, other, FIRST + TRACE_RECURSION_BITS);
	trace_recursion_leave(one);
	KUNIT_EXPECT_TRUE(test, current->trace_recursion & BIT(other));
	trace_recursion_leave(other);
}

static void trace_recursion_trylock(struct kunit *test)
{
	int count = preempt_count();
	int bit = ftrace_test_recursion_trylock(_THIS_IP_, _RET_IP_);

	KUNIT_ASSERT_GE(test, bit, 0);
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		KUNIT_EXPECT_EQ(test, preempt_count(), count + 1);
	ftrace_test_recursion_unlock(bit);
	KUNIT_EXPECT_EQ(test, preempt_count(), count);
}

static void trace_recursion_hidden(struct kunit *test)
{
	unsigned long before = current->trace_recursion, taken, inner;
	int first;

	preempt_disable();
	taken = trace_recursion_block();
	inner = trace_recursion_block();
	for (first = 0; first < TRACE_RECURSION_LAST; first += TRACE_RECURSION_BITS)
		KUNIT_EXPECT_LT(test, trace_recursion_enter(first), 0);
	trace_recursion_unblock(inner);
	KUNIT_EXPECT_LT(test, trace_recursion_enter(TRACE_RECURSION_GRAPH), 0);
	trace_recursion_unblock(taken);
	KUNIT_EXPECT_EQ(test, inner, 0UL);
	KUNIT_EXPECT_EQ(test, current->trace_recursion, before);
	preempt_enable();
}

static struct kunit_case trace_recursion_cases[] = {
	KUNIT_CASE(trace_recursion_once_a_context),
	KUNIT_CASE(trace_recursion_contexts),
	KUNIT_CASE(trace_recursion_groups),
	KUNIT_CASE(trace_recursion_hidden),
	KUNIT_CASE(trace_recursion_trylock),
	{}
};

static struct kunit_suite trace_recursion_suite = {
	.name = "trace_recursion",
	.test_cases = trace_recursion_cases,
};

kunit_test_suite(trace_recursion_suite);

MODULE_DESCRIPTION("Tests of the protection against recursion");
MODULE_LICENSE("GPL");
