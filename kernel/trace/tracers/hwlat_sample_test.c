// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of sampling for the hwlat tracer, with a clock that goes on before some readings
 * only.
 */
#include <kunit/test.h>

#include "hwlat_sample.h"

#define THRESH	1000
#define WIDTH	100

/* Time from each reading to the next: up to the first reading, then for pairs of readings. */
static const unsigned int *steps;
static u64 now;

static u64 stepping_clock(void)
{
	return now += *steps++;
}

static struct hwlat_sample sample_of(const unsigned int *of)
{
	struct hwlat_sample sample = {};

	steps = of;
	now = 12345;
	hwlat_take_sample(&sample, WIDTH, THRESH, stepping_clock);
	return sample;
}

static void hwlat_inner_test(struct kunit *test)
{
	static const unsigned int in_a_pair[] = { 0, 7, 3, 5, THRESH + 1 };
	struct hwlat_sample sample = sample_of(in_a_pair);

	KUNIT_EXPECT_EQ(test, sample.inner, THRESH + 1ULL);
	KUNIT_EXPECT_EQ(test, sample.outer, 7ULL);
	KUNIT_EXPECT_EQ(test, sample.count, 1U);
}

static void hwlat_outer_test(struct kunit *test)
{
	static const unsigned int between_pairs[] = { 0, 3, 7, THRESH + 1, 5 };
	struct hwlat_sample sample = sample_of(between_pairs);

	KUNIT_EXPECT_EQ(test, sample.inner, 7ULL);
	KUNIT_EXPECT_EQ(test, sample.outer, THRESH + 1ULL);
	KUNIT_EXPECT_EQ(test, sample.count, 1U);
}

/* A pair counts once, even if both times are too long. A time as long as the threshold is not. */
static void hwlat_count_test(struct kunit *test)
{
	static const unsigned int both[] = { 0, THRESH + 2, THRESH + 1 };
	static const unsigned int none[] = { 0, 0, THRESH };
	struct timespec64 before, after;
	struct hwlat_sample sample;

	ktime_get_real_ts64(&before);
	sample = sample_of(both);
	ktime_get_real_ts64(&after);
	KUNIT_EXPECT_EQ(test, sample.count, 1U);
	KUNIT_EXPECT_LE(test, timespec64_compare(&before, &sample.first), 0);
	KUNIT_EXPECT_LE(test, timespec64_compare(&sample.first, &after), 0);

	sample = sample_of(none);
	KUNIT_EXPECT_EQ(test, sample.count, 0U);
	KUNIT_EXPECT_EQ(test, sample.inner, (u64)THRESH);
}

/* Sampling ends when the width is over, and reads no longer. */
static void hwlat_width_test(struct kunit *test)
{
	static const unsigned int some[] = { 5, 10, 39, 11, 39, 0, 1, 600, 600 };
	struct hwlat_sample sample = sample_of(some);

	KUNIT_EXPECT_EQ(test, steps - some, 7L);
	KUNIT_EXPECT_EQ(test, sample.inner, 39ULL);
	KUNIT_EXPECT_EQ(test, sample.outer, 11ULL);
}

static struct kunit_case hwlat_sample_cases[] = {
	KUNIT_CASE(hwlat_inner_test),
	KUNIT_CASE(hwlat_outer_test),
	KUNIT_CASE(hwlat_count_test),
	KUNIT_CASE(hwlat_width_test),
	{}
};

static struct kunit_suite hwlat_sample_suite = {
	.name = "hwlat_sample",
	.test_cases = hwlat_sample_cases,
};

kunit_test_suite(hwlat_sample_suite);
