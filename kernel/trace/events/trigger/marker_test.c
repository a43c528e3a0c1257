// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of triggers of markers.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "../../core/instance.h"
#include "../events.h"
#include "trigger.h"

#define SET	"traceoff:3 if buf == \"stop\""
#define UNSET	"!traceoff"

static int marker_do_trigger(struct trace_array *tr, const char *text)
{
	struct trace_event_file *file;
	char copy[sizeof(SET)];

	strscpy(copy, text);
	guard(mutex)(&trace_event_mutex);
	file = trace_event_file_get(tr, &trace_marker_call);
	return IS_ERR(file) ? PTR_ERR(file) : trace_event_file_do_trigger(file, copy);
}

static bool marker_has_users(void)
{
	return rcu_access_pointer(trace_marker_call.users);
}

/* The event of markers keeps no memory for users after the last trigger was removed. */
static void marker_users_test(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("marker-test", NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_EXPECT_FALSE(test, marker_has_users());
	KUNIT_EXPECT_EQ(test, 0, marker_do_trigger(tr, SET));
	KUNIT_EXPECT_EQ(test, 0, marker_do_trigger(trace_top, SET));
	KUNIT_EXPECT_TRUE(test, marker_has_users());
	KUNIT_EXPECT_EQ(test, 0, marker_do_trigger(trace_top, UNSET));
	KUNIT_EXPECT_TRUE(test, marker_has_users());
	/* Removing the instance removes its trigger. */
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, 0, trace_array_destroy(tr));
	KUNIT_EXPECT_FALSE(test, marker_has_users());
}

static struct kunit_case marker_test_cases[] = {
	KUNIT_CASE(marker_users_test),
	{}
};

static struct kunit_suite marker_test_suite = {
	.name		= "trace_marker_trigger",
	.test_cases	= marker_test_cases,
};

kunit_test_suite(marker_test_suite);

MODULE_DESCRIPTION("KUnit tests of triggers of markers");
MODULE_LICENSE("GPL");
