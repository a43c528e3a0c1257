// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of callbacks for instances that are made and removed.
 */
#include <kunit/test.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance.h"

#define NAME	"instance-test"

static int made, opened, gone, refuse;

static bool is_ours(const struct trace_array *tr)
{
	return tr->name && !strcmp(tr->name, NAME);
}

static int count_made(struct trace_array *tr)
{
	if (!is_ours(tr))
		return 0;
	made++;
	return refuse;
}

static int count_opened(struct trace_array *tr)
{
	opened += is_ours(tr);
	return 0;
}

static void count_gone(struct trace_array *tr)
{
	gone += is_ours(tr);
}

static struct trace_instance_ops count_ops = {
	.made	= count_made,
	.opened	= count_opened,
	.goes	= count_gone,
};

static int __init count_init(void)
{
	return trace_instance_subscribe(&count_ops);
}
core_initcall(count_init);

static void instance_told(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name(NAME, NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_EXPECT_EQ(test, made, 1);
	KUNIT_EXPECT_EQ(test, opened, 1);
	KUNIT_EXPECT_EQ(test, gone, 0);
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
	KUNIT_EXPECT_EQ(test, gone, 1);
}

/* A callback that fails refuses the instance, and goes() is called for it. */
static void instance_refused(struct kunit *test)
{
	refuse = -ENOSPC;
	KUNIT_EXPECT_NULL(test, trace_array_get_by_name(NAME, NULL));
	refuse = 0;
	KUNIT_EXPECT_EQ(test, made, 1);
	KUNIT_EXPECT_EQ(test, opened, 0);
	KUNIT_EXPECT_EQ(test, gone, 1);
}

static int instance_count_anew(struct kunit *test)
{
	made = 0;
	opened = 0;
	gone = 0;
	return 0;
}

static struct kunit_case instance_cases[] = {
	KUNIT_CASE(instance_told),
	KUNIT_CASE(instance_refused),
	{}
};

static struct kunit_suite instance_suite = {
	.name		= "trace_instance",
	.init		= instance_count_anew,
	.test_cases	= instance_cases,
};

kunit_test_suites(&instance_suite);
