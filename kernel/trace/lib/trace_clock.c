// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks for time stamps. They can be read between any two instructions of the kernel, so they take
 * no lock and are not traced. The global clock and the counter need 64-bit atomic operations that
 * are safe in an NMI; all 64-bit machines have them.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/param.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/trace_clock.h>

/**
 * trace_clock_local - read the CPU's own clock, the cheapest one
 *
 * Context: any, NMI included.
 * Return: nanoseconds. On one CPU they never decrease. Between CPUs they differ as much as the
 * CPUs' counters do.
 */
u64 notrace trace_clock_local(void)
{
	u64 now;

	/* Read the counter, its scale and its offset on one CPU. */
	preempt_disable_notrace();
	now = sched_clock_noinstr();
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_local);

/**
 * trace_clock - read the clock of printk and perf
 *
 * Context: any, NMI included.
 * Return: nanoseconds. They differ by no more than a tick between CPUs.
 */
u64 notrace trace_clock(void)
{
	return local_clock();
}
EXPORT_SYMBOL_GPL(trace_clock);

/**
 * trace_clock_jiffies - get the time since boot from the tick counter
 *
 * Context: any, NMI included.
 * Return: the time in units of 1/USER_HZ seconds, as user space counts ticks.
 */
u64 notrace trace_clock_jiffies(void)
{
	u64 ticks = READ_ONCE(jiffies_64) - INITIAL_JIFFIES;

	return div_u64(ticks * USER_HZ, HZ);
}
EXPORT_SYMBOL_GPL(trace_clock_jiffies);

/*
 * The latest time that trace_clock_global() has returned. Each reader either moves it on to its
 * own CPU's time or, if that is earlier, returns it as it is:
 *
 *	CPU 0				CPU 1
 *	1. cmpxchg latest: a -> b
 *	   return b
 *	2. ... makes CPU 1 do ...	3. read latest: b, or later
 *					   return that, or its own time if greater
 *
 * All changes of one variable have one order, and if (2) makes CPU 1 do (3), then (3) comes after
 * (1). So (3) returns at least b. A cmpxchg fails only if latest has grown, whatever was
 * interrupted where: an NMI between the read and the cmpxchg makes the reader that it interrupted
 * try once more, and nobody waits.
 */
static atomic64_t latest ____cacheline_aligned_in_smp;

/**
 * trace_clock_global - read one clock for all CPUs
 *
 * Costs a write to a cache line that all CPUs share.
 *
 * Context: any, NMI included.
 * Return: nanoseconds. If an event follows another one, on whatever CPU, its time is not earlier.
 */
u64 notrace trace_clock_global(void)
{
	s64 now = trace_clock_local();
	s64 last = raw_atomic64_read(&latest);

	do {
		if (now <= last)
			return last;
	} while (!raw_atomic64_try_cmpxchg(&latest, &last, now));
	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_global);

static atomic64_t count;

/**
 * trace_clock_counter - count the events instead of reading the time
 *
 * Context: any, NMI included.
 * Return: a number greater than all that it returned before, on any CPU.
 */
u64 notrace trace_clock_counter(void)
{
	return raw_atomic64_inc_return(&count);
}
EXPORT_SYMBOL_GPL(trace_clock_counter);
