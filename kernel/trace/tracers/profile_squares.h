/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The variance of times: it is computed from the sums of their squares.
 *
 * The square of a time above 4.3 seconds has more than 64 bits; so has the sum of the squares of 19
 * times of one second. So there is a second word, which few additions change. A reader may see one
 * word changed by an addition, and the other word not yet.
 */
#ifndef _TRACE_PROFILE_SQUARES_H
#define _TRACE_PROFILE_SQUARES_H

#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "profile.h"

/**
 * profile_squares_add - add the square of a time
 * @squares: the sum
 * @time: the time, in ns
 *
 * Context: any.
 */
static __always_inline void profile_squares_add(struct profile_squares *squares, u64 time)
{
	u128 square = (u128)time * time;
	u64 low = square, high = square >> 64;
	u64 before = atomic64_fetch_add_relaxed(low, &squares->low);

	high += before + low < low;
	if (unlikely(high))
		atomic64_add(high, &squares->high);
}

static inline u128 profile_squares_read(const struct profile_squares *squares)
{
	return (u128)(u64)atomic64_read(&squares->high) << 64 | (u64)atomic64_read(&squares->low);
}

/*
 * @number / @by, for a number less than 2^127; U64_MAX if the quotient is greater. Exact for
 * numbers of up to 64 bits, otherwise to at least some 24 bits.
 */
static inline u64 profile_quotient(u128 number, u64 by)
{
	int shift = min(fls64(number >> 64), 63);
	u64 quotient = div64_u64(number >> shift, by);

	return quotient > U64_MAX >> shift ? U64_MAX : quotient << shift;
}

/**
 * profile_variance - compute the variance of times
 * @nr: number of times
 * @time: their sum, in ns
 * @squares: the sum of their squares
 *
 * Context: any.
 * Return: the sample variance in units of 1000 ns^2. Printed as a time is, which divides by 1000,
 * it is in us^2.
 */
static inline u64 profile_variance(u64 nr, u64 time, const struct profile_squares *squares)
{
	u128 sum = profile_squares_read(squares), of_mean;
	u64 mean, rest;

	if (nr < 2)
		return 0;
	/* The square of the sum, divided by the number of times. */
	mean = div64_u64_rem(time, nr, &rest);
	of_mean = (u128)time * mean + mul_u64_u64_div_u64(time, rest, nr);
	if (sum < of_mean)
		return 0;
	return profile_quotient(sum - of_mean, (nr - 1) * 1000);
}

#endif /* _TRACE_PROFILE_SQUARES_H */
