// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of sets of pids.
 */
#include <kunit/test.h>
#include <linux/threads.h>

#include "pid_set.h"

static int pid_set_init(struct kunit *test)
{
	test->priv = trace_pid_set_alloc();
	return test->priv ? 0 : -ENOMEM;
}

static void pid_set_exit(struct kunit *test)
{
	trace_pid_set_free(test->priv);
}

static void put(struct kunit *test, struct trace_pid_set *set, unsigned int pid)
{
	KUNIT_ASSERT_EQ(test, trace_pid_set_make_room(set, pid), 0);
	KUNIT_ASSERT_TRUE(test, trace_pid_set_add(set, pid));
}

/* Expect the set to have these pids, and no others. */
static void expect_pids(struct kunit *test, struct trace_pid_set *set,
			const unsigned int *pids, unsigned int nr)
{
	int pid = -1;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		pid = trace_pid_set_next(set, pid + 1);
		KUNIT_EXPECT_EQ(test, pid, (int)pids[i]);
		KUNIT_EXPECT_TRUE(test, trace_pid_set_has(set, pids[i]));
	}
	KUNIT_EXPECT_EQ(test, trace_pid_set_next(set, pid + 1), -1);
}

#define EXPECT_PIDS(test, set, ...)						\
do {										\
	static const unsigned int pids[] = { __VA_ARGS__ };			\
	expect_pids(test, set, pids, ARRAY_SIZE(pids));				\
} while (0)

static void pid_set_empty_test(struct kunit *test)
{
	struct trace_pid_set *set = test->priv;

	KUNIT_EXPECT_EQ(test, trace_pid_set_next(set, 0), -1);
	KUNIT_EXPECT_FALSE(test, trace_pid_set_has(set, 0));
	KUNIT_EXPECT_FALSE(test, trace_pid_set_has(set, TRACE_PID_MAX));
	trace_pid_set_remove(set, 1);
}

/* Pids at the ends of words and chunks, and pids that no task can have. */
static void pid_set_members_test(struct kunit *test)
{
	static const unsigned int added[] = {
		TRACE_PID_MAX, 64, 63, 0, 1, 1024, 1023, 1u << 22, 1
	};
	struct trace_pid_set *set = test->priv;
	int i;

	for (i = 0; i < ARRAY_SIZE(added); i++)
		put(test, set, added[i]);
	EXPECT_PIDS(test, set, 0, 1, 63, 64, 1023, 1024, 1u << 22, TRACE_PID_MAX);
	KUNIT_EXPECT_FALSE(test, trace_pid_set_has(set, 2));
	KUNIT_EXPECT_FALSE(test, trace_pid_set_has(set, 5000));

	trace_pid_set_remove(set, 0);
	trace_pid_set_remove(set, 1024);
	trace_pid_set_remove(set, TRACE_PID_MAX);
	EXPECT_PIDS(test, set, 1, 63, 64, 1023, 1u << 22);
}

static void pid_set_room_test(struct kunit *test)
{
	struct trace_pid_set *set = test->priv;

	KUNIT_EXPECT_FALSE(test, trace_pid_set_add(set, 7));
	KUNIT_EXPECT_FALSE(test, trace_pid_set_has(set, 7));
	KUNIT_EXPECT_EQ(test, trace_pid_set_make_room(set, TRACE_PID_MAX + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_pid_set_make_room(set, UINT_MAX), -EINVAL);

	KUNIT_ASSERT_EQ(test, trace_pid_set_make_room_for_all(set), 0);
	KUNIT_EXPECT_TRUE(test, trace_pid_set_add(set, 7));
	KUNIT_EXPECT_TRUE(test, trace_pid_set_add(set, PID_MAX_LIMIT - 1));
	KUNIT_EXPECT_FALSE(test, trace_pid_set_add(set, TRACE_PID_MAX));
	EXPECT_PIDS(test, set, 7, PID_MAX_LIMIT - 1);
}

static void pid_set_merge_test(struct kunit *test)
{
	struct trace_pid_set *set = test->priv, *more = trace_pid_set_alloc();

	KUNIT_ASSERT_NOT_NULL(test, more);
	put(test, set, 5);
	put(test, set, 70000);
	put(test, more, 5);
	put(test, more, 6);
	put(test, more, 900000);
	KUNIT_EXPECT_EQ(test, trace_pid_set_merge(set, more), 0);
	EXPECT_PIDS(test, set, 5, 6, 70000, 900000);
	EXPECT_PIDS(test, more, 5, 6, 900000);
	trace_pid_set_free(more);
}

/* Step between pids that are spread over the whole range that tasks can have. */
#define STRIDE	101

static void pid_set_large_test(struct kunit *test)
{
	struct trace_pid_set *set = test->priv;
	int pid, wrong = 0, nr = 0;

	KUNIT_ASSERT_EQ(test, trace_pid_set_make_room_for_all(set), 0);
	for (pid = 0; pid < PID_MAX_LIMIT; pid += STRIDE)
		trace_pid_set_add(set, pid);
	for (pid = trace_pid_set_next(set, 0); pid >= 0; pid = trace_pid_set_next(set, pid + 1))
		wrong += pid != STRIDE * nr++;
	KUNIT_EXPECT_EQ(test, nr, DIV_ROUND_UP(PID_MAX_LIMIT, STRIDE));
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

static struct kunit_case pid_set_test_cases[] = {
	KUNIT_CASE(pid_set_empty_test),
	KUNIT_CASE(pid_set_members_test),
	KUNIT_CASE(pid_set_room_test),
	KUNIT_CASE(pid_set_merge_test),
	KUNIT_CASE(pid_set_large_test),
	{}
};

static struct kunit_suite pid_set_test_suite = {
	.name		= "trace_pid_set",
	.init		= pid_set_init,
	.exit		= pid_set_exit,
	.test_cases	= pid_set_test_cases,
};

kunit_test_suite(pid_set_test_suite);

MODULE_DESCRIPTION("KUnit tests of sets of pids");
MODULE_LICENSE("GPL");
