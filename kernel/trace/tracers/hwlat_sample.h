/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling for the hwlat tracer: does a clock go on too far between two readings?
 */
#ifndef _TRACE_HWLAT_SAMPLE_H
#define _TRACE_HWLAT_SAMPLE_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

/**
 * struct hwlat_sample - the result of sampling for one width
 * @inner: longest time between the readings of a pair, in ns
 * @outer: longest time from a pair to the next, in ns
 * @count: number of times that were longer than the threshold
 * @first: when the first of them was seen
 */
struct hwlat_sample {
	u64			inner;
	u64			outer;
	unsigned int		count;
	struct timespec64	first;
};

/**
 * hwlat_take_sample - read a clock in pairs, and find times that are too long
 * @sample: the result; has to be all zero
 * @width: how long to read, in ns
 * @thresh: longest time that is not too long, in ns
 * @clock: the clock
 *
 * Context: any. If interrupts are on, the time that they take is found, too.
 */
static __always_inline void hwlat_take_sample(struct hwlat_sample *sample, u64 width, u64 thresh,
					      u64 (*clock)(void))
{
	u64 start = clock(), last = start, before, after;

	do {
		before = clock();
		after = clock();
		if (before - last > thresh || after - before > thresh) {
			if (!sample->count++)
				ktime_get_real_ts64(&sample->first);
		}
		sample->outer = max(sample->outer, before - last);
		sample->inner = max(sample->inner, after - before);
		last = after;
	} while (after - start < width);
}

#endif /* _TRACE_HWLAT_SAMPLE_H */
