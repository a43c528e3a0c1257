// SPDX-License-Identifier: GPL-2.0
/*
 * The clocks that a buffer can have. clock_files.c switches between them.
 *
 * Every clock can be read in any context, NMI included.
 */
#include <linux/timekeeping.h>
#include <linux/trace_clock.h>

#include "instance.h"
#include "internal.h"

struct clock {
	u64		(*read)(void);
	const char	*name;
	bool		in_ns;		/* false: ticks, or a number without unit */
};

static const struct clock trace_clocks[] = {
	{ trace_clock_local,		"local",	true },
	{ trace_clock_global,		"global",	true },
	{ trace_clock_counter,		"counter",	false },
	{ trace_clock_jiffies,		"uptime",	false },
	{ trace_clock,			"perf",		true },
	{ ktime_get_mono_fast_ns,	"mono",		true },
	{ ktime_get_raw_fast_ns,	"mono_raw",	true },
	{ ktime_get_boot_fast_ns,	"boot",		true },
	{ ktime_get_tai_fast_ns,	"tai",		true },
	ARCH_TRACE_CLOCKS
};

/**
 * trace_clock_in_ns - are the time stamps of an instance nanoseconds?
 * @tr: the instance
 *
 * Context: any.
 * Return: true; false if they are ticks or numbers without unit.
 */
bool trace_clock_in_ns(const struct trace_array *tr)
{
	return trace_clocks[READ_ONCE(tr->clock)].in_ns;
}

/**
 * trace_clock_apply - set the clock of a buffer to the clock of its instance
 * @tr: the instance
 * @buffer: the buffer, empty
 *
 * Context: process context, tr->lock held.
 */
void trace_clock_apply(const struct trace_array *tr, struct trace_buffer *buffer)
{
	ring_buffer_set_clock(buffer, trace_clocks[tr->clock].read);
}

/**
 * trace_clock_name - get the name of a clock
 * @nr: number of the clock, as in trace_array::clock
 *
 * Context: any.
 * Return: the name; NULL if there are fewer clocks.
 */
const char *trace_clock_name(unsigned int nr)
{
	return nr < ARRAY_SIZE(trace_clocks) ? trace_clocks[nr].name : NULL;
}
