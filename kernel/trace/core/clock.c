// SPDX-License-Identifier: GPL-2.0
/*
 * The clocks that a buffer's time stamps can come from: trace_clock.
 *
 * Every clock can be read in any context, NMI included.
 */
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/timekeeping.h>
#include <linux/trace_clock.h>

#include "internal.h"

struct clock {
	u64		(*read)(void);
	const char	*name;
	bool		in_ns;		/* else: ticks, or just a number */
};

static const struct clock clocks[] = {
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
 * Any context.
 *
 * Return: true, or false if they are ticks or just numbers.
 */
bool trace_clock_in_ns(const struct trace_array *tr)
{
	return clocks[READ_ONCE(tr->clock)].in_ns;
}

/**
 * trace_clock_apply - let a buffer have the clock of its instance
 * @tr: the instance
 * @buffer: the buffer, empty
 *
 * Context: process context, tr->lock held.
 */
void trace_clock_apply(const struct trace_array *tr, struct trace_buffer *buffer)
{
	ring_buffer_set_clock(buffer, clocks[tr->clock].read);
}

/* What was recorded aside has times of the old clock, too. */
static void clock_change_snapshot(struct trace_array *tr)
{
	struct trace_buffer *buffer = trace_snapshot_buffer(tr);

	if (!buffer)
		return;
	trace_clock_apply(tr, buffer);
	ring_buffer_reset(buffer);
}

/**
 * trace_array_set_clock - change the clock of an instance
 * @tr: the instance, whose buffer is cleared: times of different clocks do not mix
 * @name: the clock's
 *
 * May sleep.
 *
 * Return: 0, or -EINVAL if there is no such clock.
 */
int trace_array_set_clock(struct trace_array *tr, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcmp(clocks[i].name, name))
			break;
	}
	if (i == ARRAY_SIZE(clocks))
		return -EINVAL;

	guard(mutex)(&tr->lock);
	trace_array_stop(tr);
	trace_snapshot_stop(tr);
	WRITE_ONCE(tr->clock, i);
	trace_clock_apply(tr, tr->array_buffer.buffer);
	clock_change_snapshot(tr);
	if (trace_latency_active(tr))
		trace_latency_restart(tr);
	else
		trace_array_reset(tr);
	/* For readers: what they find from now on has times of the new one. */
	smp_store_release(&tr->clock_changes, tr->clock_changes + 1);
	trace_snapshot_start(tr);
	trace_array_start(tr);
	return 0;
}

static int clock_show(struct seq_file *m, struct trace_scope *scope)
{
	unsigned int i, current_clock = READ_ONCE(scope->tr->clock);

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		seq_printf(m, i == current_clock ? "%s[%s]" : "%s%s", i ? " " : "",
			   clocks[i].name);
	seq_putc(m, '\n');
	return 0;
}

static int clock_store(struct trace_scope *scope, char *text)
{
	return trace_array_set_clock(scope->tr, strim(text));
}

static struct trace_control clock_control = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= clock_show,
	.store	= clock_store,
	.max	= 64,
};

static const struct trace_file rows[] = {
	{ "trace_clock", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &clock_control.fops },
};

TRACE_FILES(rows);
