// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks for time stamps. They are read between any two instructions of the
 * kernel, so they take no lock and are not traced themselves; where they say
 * so they need 64-bit atomics that are safe in NMI, which every 64-bit machine
 * has.
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
 * trace_clock_local - the CPU's own clock: the cheapest
 *
 * Context: any, NMI included.
 * Return: nanoseconds that never run backwards on one CPU, and may differ
 * between CPUs where their counters do.
 */
u64 notrace trace_clock_local(void)
{
	u64 now;

	/* Scale and offset of the counter must be this CPU's. */
	preempt_disable_notrace();
	now = sched_clock_noinstr();
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_local);

/**
 * trace_clock - the clock of printk and perf
 *
 * Context: any, NMI included.
 * Return: nanoseconds that differ by no more than a tick between CPUs.
 */
u64 notrace trace_clock(void)
{
	return local_clock();
}
EXPORT_SYMBOL_GPL(trace_clock);

/**
 * trace_clock_jiffies - ticks since boot
 *
 * Context: any, NMI included.
 * Return: that, in units of 1/USER_HZ seconds as user space counts them.
 */
u64 notrace trace_clock_jiffies(void)
{
	u64 ticks = READ_ONCE(jiffies_64) - INITIAL_JIFFIES;

	return div_u64(ticks * USER_HZ, HZ);
}
EXPORT_SYMBOL_GPL(trace_clock_jiffies);

/*
 * The latest time that trace_clock_global() gave to anybody. Each reader either
 * moves it on to its own CPU's time, or is behind and takes it as it is:
 *
 *	CPU 0				CPU 1
 *	1. cmpxchg latest: a -> b
 *	   return b
 *	2. ... makes CPU 1 do ...	3. read latest: b, or later
 *					   return that, or its own time if greater
 *
 * All changes of one variable have one order, and (3) comes after (1) if what
 * CPU 0 did in (2) makes it so; thus (3) returns b at least. A cmpxchg fails only
 * because latest grew, no matter who is interrupted where: an NMI between the
 * read and the cmpxchg makes its victim go round once more, and no one waits.
 */
static atomic64_t latest ____cacheline_aligned_in_smp;

/**
 * trace_clock_global - one clock for all CPUs
 *
 * Costs a write to a cache line that all CPUs share.
 *
 * Context: any, NMI included.
 * Return: nanoseconds; an event that follows another, on whatever CPU, has no
 * earlier time.
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
 * trace_clock_counter - not a time: the order of the events
 *
 * Context: any, NMI included.
 * Return: a number greater than all that it returned before, on any CPU.
 */
u64 notrace trace_clock_counter(void)
{
	return raw_atomic64_inc_return(&count);
}
EXPORT_SYMBOL_GPL(trace_clock_counter);
