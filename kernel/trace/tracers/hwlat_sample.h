/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the hwlat tracer looks for: a clock that goes on too far between two readings.
 */
#ifndef _TRACE_HWLAT_SAMPLE_H
#define _TRACE_HWLAT_SAMPLE_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

/**
 * struct hwlat_sample - what was found in one width
 * @inner: longest time between the readings of a pair, in ns
 * @outer: longest time from a pair to the next
 * @count: how often it was longer than the threshold
 * @first: when that was for the first time
 */
struct hwlat_sample {
	u64			inner;
	u64			outer;
	unsigned int		count;
	struct timespec64	first;
};

/**
 * hwlat_take_sample - read a clock in pairs, and find what was too long
 * @sample: what is found; zero
 * @width: for how long, in ns
 * @thresh: what is too long, in ns
 * @clock: the clock
 *
 * Context: any; interrupts off, if they are not to be what is found.
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
