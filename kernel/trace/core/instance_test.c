// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of callbacks for instances that are created and removed.
 */
#include <kunit/test.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance.h"

#define NAME	"instance-test"

static int created, with_files, destroyed, refuse;

static bool is_ours(const struct trace_array *tr)
{
	return tr->name && !strcmp(tr->name, NAME);
}

static int count_created(struct trace_array *tr)
{
	if (!is_ours(tr))
		return 0;
	created++;
	return refuse;
}

static int count_with_files(struct trace_array *tr)
{
	with_files += is_ours(tr);
	return 0;
}

static void count_destroyed(struct trace_array *tr)
{
	destroyed += is_ours(tr);
}

static struct trace_instance_ops count_ops = {
	.create		= count_created,
	.create_files	= count_with_files,
	.destroy	= count_destroyed,
};

static int refused_created, refused_destroyed, refused_err, instances;

static int __init refused_create(struct trace_array *tr)
{
	refused_created++;
	return -ENOSPC;
}

static void refused_destroy(struct trace_array *tr)
{
	refused_destroyed++;
}

static int __init count_init(void)
{
	static struct trace_instance_ops refused_ops __initdata = {
		.create		= refused_create,
		.destroy	= refused_destroy,
	};
	struct trace_array *tr;

	scoped_guard(mutex, &trace_registry_lock) {
		list_for_each_entry(tr, &trace_arrays, list)
			instances++;
	}
	refused_err = trace_instance_register(&refused_ops);
	return trace_instance_register(&count_ops);
}
core_initcall(count_init);

static void instance_told(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name(NAME, NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_EXPECT_EQ(test, created, 1);
	KUNIT_EXPECT_EQ(test, with_files, 1);
	KUNIT_EXPECT_EQ(test, destroyed, 0);
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
	KUNIT_EXPECT_EQ(test, destroyed, 1);
}

/* A callback that fails refuses the instance, and destroy() is called for it. */
static void instance_refused(struct kunit *test)
{
	refuse = -ENOSPC;
	KUNIT_EXPECT_NULL(test, trace_array_get_by_name(NAME, NULL));
	refuse = 0;
	KUNIT_EXPECT_EQ(test, created, 1);
	KUNIT_EXPECT_EQ(test, with_files, 0);
	KUNIT_EXPECT_EQ(test, destroyed, 1);
}

/* Callbacks that fail for an instance that exists are not registered. */
static void instance_ops_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, refused_err, -ENOSPC);
	KUNIT_EXPECT_EQ(test, refused_created, 1);
	KUNIT_EXPECT_EQ(test, refused_destroyed, instances);
}

static int instance_count_anew(struct kunit *test)
{
	created = 0;
	with_files = 0;
	destroyed = 0;
	return 0;
}

static struct kunit_case instance_cases[] = {
	KUNIT_CASE(instance_told),
	KUNIT_CASE(instance_refused),
	KUNIT_CASE(instance_ops_refused),
	{}
};

static struct kunit_suite instance_suite = {
	.name		= "trace_instance",
	.init		= instance_count_anew,
	.test_cases	= instance_cases,
};

kunit_test_suites(&instance_suite);
