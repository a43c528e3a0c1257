// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the variance of times, for the function profiler.
 */
#include <kunit/test.h>

#include "profile_squares.h"

#define SECOND	1000000000ULL

/* The variance of @nr times, of which all but the last are the same. */
static u64 variance(u64 nr, u64 usual, u64 last)
{
	struct profile_squares squares = {};
	u64 i;

	for (i = 1; i < nr; i++)
		profile_squares_add(&squares, usual);
	profile_squares_add(&squares, last);
	return profile_variance(nr, usual * (nr - 1) + last, &squares);
}

/* The variance of two times that differ by d is d * d / 2. */
static void squares_short_test(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, variance(1, 0, 5000), 0ULL);
	KUNIT_EXPECT_EQ(test, variance(2, 5000, 5000), 0ULL);
	KUNIT_EXPECT_EQ(test, variance(2, 1000, 3000), 2000ULL);
	KUNIT_EXPECT_EQ(test, variance(2, 1, 64), 1ULL);
	KUNIT_EXPECT_EQ(test, variance(1001, 100, 1101), 1ULL);
}

/* Each square fits into 64 bits, their sum does not. */
static void squares_many_test(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, variance(19, SECOND, SECOND), 0ULL);
	KUNIT_EXPECT_EQ(test, variance(1000, SECOND, 2 * SECOND), SECOND * 1000);
}

/* The squares themselves do not fit into 64 bits. */
static void squares_long_test(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, variance(2, 5 * SECOND, 5 * SECOND), 0ULL);
	KUNIT_EXPECT_EQ(test, variance(2, 5 * SECOND, 6 * SECOND), SECOND * SECOND / 2000);
	KUNIT_EXPECT_LE(test, variance(2, 0, 100 * SECOND), 5 * SECOND * SECOND);
	KUNIT_EXPECT_GT(test, variance(2, 0, 100 * SECOND), 5 * SECOND * (SECOND - 1));
	KUNIT_EXPECT_EQ(test, variance(2, 0, 1000 * SECOND), U64_MAX);
}

static struct kunit_case squares_test_cases[] = {
	KUNIT_CASE(squares_short_test),
	KUNIT_CASE(squares_many_test),
	KUNIT_CASE(squares_long_test),
	{}
};

static struct kunit_suite squares_test_suite = {
	.name		= "function_profile_squares",
	.test_cases	= squares_test_cases,
};

kunit_test_suite(squares_test_suite);

MODULE_DESCRIPTION("KUnit tests of the function profiler's variance");
MODULE_LICENSE("GPL");
