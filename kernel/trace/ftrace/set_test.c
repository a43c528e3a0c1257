// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of sets of sites, and of filters, which consist of two.
 */
#include <kunit/test.h>

#include "set.h"

static void fill(struct kunit *test, struct ftrace_set_builder *b, const unsigned long *ip,
		 unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(b, ip[i]));
}

static void set_sorts_and_drops_repetitions(struct kunit *test)
{
	static const unsigned long ip[] = { 48, 16, 32, 16, 48, 8 };
	static const unsigned long want[] = { 8, 16, 32, 48 };
	struct ftrace_set_builder b = {};
	struct ftrace_set *set;

	fill(test, &b, ip, ARRAY_SIZE(ip));
	set = ftrace_set_freeze(&b);
	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_EQ(test, set->nr, ARRAY_SIZE(want));
	KUNIT_EXPECT_MEMEQ(test, set->ip, want, sizeof(want));
	KUNIT_EXPECT_TRUE(test, ftrace_set_has(set, 8));
	KUNIT_EXPECT_TRUE(test, ftrace_set_has(set, 48));
	KUNIT_EXPECT_FALSE(test, ftrace_set_has(set, 9));
	KUNIT_EXPECT_FALSE(test, ftrace_set_has(set, 0));
	KUNIT_EXPECT_FALSE(test, ftrace_set_has(set, 49));
	ftrace_set_free(set);
	ftrace_set_builder_free(&b);
}

static void set_removes(struct kunit *test)
{
	static const unsigned long ip[] = { 1, 2, 3, 4, 5, 6 }, out[] = { 0, 2, 5, 6, 9 };
	static const unsigned long want[] = { 1, 3, 4 };
	struct ftrace_set_builder b = {}, gone = {};

	fill(test, &b, ip, ARRAY_SIZE(ip));
	fill(test, &gone, out, ARRAY_SIZE(out));
	ftrace_set_builder_sort(&gone);
	ftrace_set_builder_remove(&b, &gone);
	KUNIT_ASSERT_EQ(test, b.nr, ARRAY_SIZE(want));
	KUNIT_EXPECT_MEMEQ(test, b.ip, want, sizeof(want));
	ftrace_set_builder_free(&b);
	ftrace_set_builder_free(&gone);
}

static void set_without_a_range(struct kunit *test)
{
	static const unsigned long ip[] = { 10, 20, 30, 40 };
	struct ftrace_set *set, *less, *none;
	struct ftrace_set_builder b = {};

	fill(test, &b, ip, ARRAY_SIZE(ip));
	set = ftrace_set_freeze(&b);
	KUNIT_ASSERT_NOT_NULL(test, set);
	less = ftrace_set_without(set, 20, 40);
	KUNIT_ASSERT_EQ(test, less->nr, 2);
	KUNIT_EXPECT_EQ(test, less->ip[0], 10);
	KUNIT_EXPECT_EQ(test, less->ip[1], 40);
	/* The old set is unchanged, for CPUs that look into it. */
	KUNIT_ASSERT_EQ(test, set->nr, ARRAY_SIZE(ip));
	KUNIT_EXPECT_MEMEQ(test, set->ip, ip, sizeof(ip));
	none = ftrace_set_without(set, 0, ULONG_MAX);
	KUNIT_EXPECT_EQ(test, none->nr, 0);
	ftrace_set_free(set);
	ftrace_set_free(less);
	ftrace_set_free(none);
	ftrace_set_builder_free(&b);
}

/* Looking up in order gives the right answers after steps of any length, and steps back. */
static void set_is_asked_in_order(struct kunit *test)
{
	static const unsigned long ip[] = { 3, 4, 5, 9, 20, 21, 40, 60, 61, 99 };
	struct ftrace_set_builder b = {};
	unsigned long step, i, at = 0;
	struct ftrace_set *set, *none;

	fill(test, &b, ip, ARRAY_SIZE(ip));
	set = ftrace_set_freeze(&b);
	KUNIT_ASSERT_NOT_NULL(test, set);
	for (step = 1; step <= 100; step++)
		for (i = 0; i <= 100; i += step)
			KUNIT_EXPECT_EQ_MSG(test, ftrace_set_has(set, i),
					    ftrace_set_has_next(set, &at, i),
					    "%lu, in steps of %lu", i, step);
	for (i = 101; i-- > 0;)
		KUNIT_EXPECT_EQ(test, ftrace_set_has(set, i), ftrace_set_has_next(set, &at, i));
	none = ftrace_set_without(set, 0, ULONG_MAX);
	at = 0;
	KUNIT_EXPECT_FALSE(test, ftrace_set_has_next(none, &at, 3));
	ftrace_set_free(none);
	ftrace_set_free(set);
	ftrace_set_builder_free(&b);
}

static void set_grows(struct kunit *test)
{
	struct ftrace_set_builder b = {};
	unsigned long i;

	for (i = 0; i < 10000; i++)
		KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(&b, 20000 - i));
	ftrace_set_builder_sort(&b);
	KUNIT_EXPECT_EQ(test, b.nr, 10000);
	for (i = 1; i < b.nr; i++)
		KUNIT_ASSERT_EQ(test, b.ip[i], b.ip[i - 1] + 1);
	ftrace_set_builder_free(&b);
}

static void filter_decides(struct kunit *test)
{
	struct ftrace_set_builder b = {};
	struct ftrace_filter filter = {};
	struct ftrace_set *set;

	KUNIT_EXPECT_FALSE(test, ftrace_filter_wants(NULL, 7));
	KUNIT_EXPECT_TRUE(test, ftrace_filter_wants(&filter, 7));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(&b, 7));
	set = ftrace_set_freeze(&b);
	KUNIT_ASSERT_NOT_NULL(test, set);
	filter.only = set;
	KUNIT_EXPECT_TRUE(test, ftrace_filter_wants(&filter, 7));
	KUNIT_EXPECT_FALSE(test, ftrace_filter_wants(&filter, 8));
	filter.except = set;
	KUNIT_EXPECT_FALSE(test, ftrace_filter_wants(&filter, 7));
	filter.only = NULL;
	KUNIT_EXPECT_TRUE(test, ftrace_filter_wants(&filter, 8));
	/* A filter whose module was unloaded does not mean "all functions". */
	filter = (struct ftrace_filter){ .only = ftrace_set_without(set, 0, ULONG_MAX) };
	KUNIT_EXPECT_FALSE(test, ftrace_filter_wants(&filter, 7));
	ftrace_set_free(filter.only);
	ftrace_set_free(set);
	ftrace_set_builder_free(&b);
}

static struct kunit_case ftrace_set_cases[] = {
	KUNIT_CASE(set_sorts_and_drops_repetitions),
	KUNIT_CASE(set_removes),
	KUNIT_CASE(set_without_a_range),
	KUNIT_CASE(set_grows),
	KUNIT_CASE(set_is_asked_in_order),
	KUNIT_CASE(filter_decides),
	{}
};

static struct kunit_suite ftrace_set_suite = {
	.name = "ftrace_set",
	.test_cases = ftrace_set_cases,
};
kunit_test_suite(ftrace_set_suite);
