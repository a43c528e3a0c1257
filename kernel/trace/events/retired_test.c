// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of events that were removed.
 */
#include <kunit/test.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>

#include "events.h"

/* Register an event, and remove it again. Return its number; 0: it could not be registered. */
static int retired_come_and_go(struct trace_event_call *call)
{
	guard(mutex)(&trace_event_mutex);
	call->event.type = 0;
	call->flags = 0;
	if (trace_event_add(call))
		return 0;
	trace_event_remove(call);
	return call->event.type;
}

/* An event that is registered again gets its old number, although it was never on. */
static void retired_numbers_test(struct kunit *test)
{
	struct trace_event_call *any, *calls = kunit_kcalloc(test, 2, sizeof(*calls), GFP_KERNEL);
	int first, second;

	KUNIT_ASSERT_NOT_NULL(test, calls);
	scoped_guard(mutex, &trace_event_mutex)
		any = list_first_entry(&trace_event_calls, struct trace_event_call, list);
	calls[0] = (struct trace_event_call){
		.class		= any->class,
		.name		= "retired_test_one",
		.event.funcs	= any->event.funcs,
	};
	calls[1] = calls[0];
	calls[1].name = "retired_test_two";
	first = retired_come_and_go(&calls[0]);
	second = retired_come_and_go(&calls[1]);
	KUNIT_EXPECT_GT(test, first, 0);
	KUNIT_EXPECT_GT(test, second, 0);
	KUNIT_EXPECT_NE(test, first, second);
	KUNIT_EXPECT_EQ(test, retired_come_and_go(&calls[1]), second);
	KUNIT_EXPECT_EQ(test, retired_come_and_go(&calls[0]), first);
}

static struct kunit_case retired_test_cases[] = {
	KUNIT_CASE(retired_numbers_test),
	{}
};

static struct kunit_suite retired_test_suite = {
	.name		= "trace_retired",
	.test_cases	= retired_test_cases,
};

kunit_test_suite(retired_test_suite);

MODULE_DESCRIPTION("KUnit tests of events that were removed");
MODULE_LICENSE("GPL");
