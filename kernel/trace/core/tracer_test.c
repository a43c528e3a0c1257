// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the registry of tracers. Tracers are registered during boot only, and for good:
 * so the suite runs before the kernel frees its init code, and its tracer is always refused.
 */
#include <kunit/test.h>
#include <linux/init.h>
#include <linux/trace.h>

#include "instance.h"
#include "tracer.h"

static int refused_attach(struct trace_array *tr, struct tracer_state *state)
{
	return -ENOMEM;
}

static struct tracer refused_tracer = {
	.name	= "refused",
	.attach	= refused_attach,
};

/* No instance gets a tracer that could not be registered, and its name is not taken. */
static void __init tracer_refused_test(struct kunit *test)
{
	struct trace_array *tr;

	if (!trace_top)
		kunit_skip(test, "needs an instance");
	KUNIT_EXPECT_EQ(test, register_tracer(&refused_tracer), -ENOMEM);
	KUNIT_EXPECT_EQ(test, register_tracer(&refused_tracer), -ENOMEM);
	KUNIT_EXPECT_NULL(test, trace_array_find_tracer(trace_top, refused_tracer.name));
	tr = trace_array_get_by_name("tracer-test", NULL);
	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_EXPECT_NULL(test, trace_array_find_tracer(tr, refused_tracer.name));
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
}

static struct kunit_case __refdata tracer_test_cases[] = {
	KUNIT_CASE(tracer_refused_test),
	{}
};

static struct kunit_suite tracer_test_suite = {
	.name		= "trace_tracer",
	.test_cases	= tracer_test_cases,
};

kunit_test_init_section_suites(&tracer_test_suite);
