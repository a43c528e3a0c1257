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
static int retired_come_and_go(struct trace_event_call *call, unsigned int flags)
{
	guard(mutex)(&trace_event_mutex);
	call->event.type = 0;
	call->flags = 0;
	if (trace_event_add(call))
		return 0;
	call->flags |= flags;
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
	first = retired_come_and_go(&calls[0], 0);
	second = retired_come_and_go(&calls[1], 0);
	KUNIT_EXPECT_GT(test, first, 0);
	KUNIT_EXPECT_GT(test, second, 0);
	KUNIT_EXPECT_NE(test, first, second);
	KUNIT_EXPECT_EQ(test, retired_come_and_go(&calls[1], 0), second);
	KUNIT_EXPECT_EQ(test, retired_come_and_go(&calls[0], 0), first);
}

static const struct trace_event_field *retired_fields(void)
{
	static const struct trace_event_field fields[] = {
		{ "int", "first", 8, 4, 0, 1, FILTER_OTHER },
		{ "int", "second", 12, 4, 0, 1, FILTER_OTHER },
		{}
	};

	return fields;
}

static const struct trace_event_field *retired_fields_unsigned(void)
{
	static const struct trace_event_field fields[] = {
		{ "int", "first", 8, 4, 0, 1, FILTER_OTHER },
		{ "unsigned int", "second", 12, 4, 0, 0, FILTER_OTHER },
		{}
	};

	return fields;
}

static const struct trace_event_field *retired_fields_fewer(void)
{
	return retired_fields() + 1;
}

static const struct trace_event_field *retired_fields_more(void)
{
	static const struct trace_event_field fields[] = {
		{ "int", "first", 8, 4, 0, 1, FILTER_OTHER },
		{ "int", "second", 12, 4, 0, 1, FILTER_OTHER },
		{ "int", "third", 16, 4, 0, 1, FILTER_OTHER },
		{}
	};

	return fields;
}

static const struct trace_event_field *retired_fields_none(void)
{
	return retired_fields() + 2;
}

/*
 * An event that was on, and comes back with other fields, gets another number: its printer must not
 * see the old records.
 */
static void retired_fields_test(struct kunit *test)
{
	static const struct trace_event_field *(*const others[])(void) = {
		retired_fields_unsigned, retired_fields_fewer, retired_fields_more,
	};
	struct trace_event_class *class = kunit_kzalloc(test, sizeof(*class), GFP_KERNEL);
	struct trace_event_call *call = kunit_kzalloc(test, sizeof(*call), GFP_KERNEL);
	struct trace_event_functions funcs = {};
	int number, other;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, class);
	KUNIT_ASSERT_NOT_NULL(test, call);
	class->system = "retired_test";
	class->fields = retired_fields;
	call->class = class;
	call->name = "retired_test_fields";
	call->event.funcs = &funcs;
	number = retired_come_and_go(call, TRACE_EVENT_FL_WAS_ON);
	KUNIT_ASSERT_GT(test, number, 0);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		class->fields = others[i];
		other = retired_come_and_go(call, TRACE_EVENT_FL_WAS_ON);
		KUNIT_EXPECT_GT(test, other, 0);
		KUNIT_EXPECT_NE_MSG(test, other, number, "fields %u", i);
	}
	/* These are new, and the event is never on: any fields match the entry that this leaves. */
	class->fields = retired_fields_none;
	KUNIT_EXPECT_NE(test, retired_come_and_go(call, 0), number);
	class->fields = retired_fields;
	KUNIT_EXPECT_EQ(test, retired_come_and_go(call, 0), number);
}

static struct kunit_case retired_test_cases[] = {
	KUNIT_CASE(retired_numbers_test),
	KUNIT_CASE(retired_fields_test),
	{}
};

static struct kunit_suite retired_test_suite = {
	.name		= "trace_retired",
	.test_cases	= retired_test_cases,
};

kunit_test_suite(retired_test_suite);

MODULE_DESCRIPTION("KUnit tests of events that were removed");
MODULE_LICENSE("GPL");
