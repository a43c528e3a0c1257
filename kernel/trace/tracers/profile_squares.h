/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much times vary: sums of their squares, and what follows from them.
 *
 * The square of 4.3 seconds has more than 64 bits, and so has the sum of 19 that are of one
 * second. So there is a second word, which nearly all additions leave alone. Who reads
 * while somebody adds may find one without the other.
 */
#ifndef _TRACE_PROFILE_SQUARES_H
#define _TRACE_PROFILE_SQUARES_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "profile.h"

/**
 * profile_squares_add - one more time
 * @squares: the sum
 * @time: in ns
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

/* Of less than 2^127. Exact up to 64 bits, else to some 24 at least; U64_MAX if it is more. */
static inline u64 profile_quotient(u128 number, u64 by)
{
	int shift = min(fls64(number >> 64), 63);
	u64 quotient = div64_u64(number >> shift, by);

	return quotient > U64_MAX >> shift ? U64_MAX : quotient << shift;
}

/**
 * profile_variance - how much times vary
 * @nr: how many there are
 * @time: their sum, in ns
 * @squares: that of their squares
 *
 * Context: any.
 * Return: the variance of the sample that they are, in 1000 ns^2: with ns and us as it is with
 * times.
 */
static inline u64 profile_variance(u64 nr, u64 time, const struct profile_squares *squares)
{
	u128 sum = profile_squares_read(squares), of_mean;
	u64 mean, rest;

	if (nr < 2)
		return 0;
	/* The square of the sum, divided by the number. */
	mean = div64_u64_rem(time, nr, &rest);
	of_mean = (u128)time * mean + mul_u64_u64_div_u64(time, rest, nr);
	if (sum < of_mean)
		return 0;
	return profile_quotient(sum - of_mean, (nr - 1) * 1000);
}

#endif /* _TRACE_PROFILE_SQUARES_H */
