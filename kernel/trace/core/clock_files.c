// SPDX-License-Identifier: GPL-2.0
/*
 * trace_clock: the clock of an instance.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"

/* The snapshot has times of the old clock, so it is cleared, too. */
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
 * @name: name of the clock
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if there is no such clock.
 */
int trace_array_set_clock(struct trace_array *tr, const char *name)
{
	unsigned int i = 0;

	while (trace_clock_name(i) && strcmp(trace_clock_name(i), name))
		i++;
	if (!trace_clock_name(i))
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
	/* Readers that see the new number only find entries with times of the new clock. */
	smp_store_release(&tr->clock_changes, tr->clock_changes + 1);
	trace_snapshot_start(tr);
	trace_array_start(tr);
	return 0;
}

static int clock_show(struct seq_file *m, struct trace_scope *scope)
{
	unsigned int i, current_clock = READ_ONCE(scope->tr->clock);

	for (i = 0; trace_clock_name(i); i++)
		seq_printf(m, i == current_clock ? "%s[%s]" : "%s%s", i ? " " : "",
			   trace_clock_name(i));
	seq_putc(m, '\n');
	return 0;
}

static int clock_store(struct trace_scope *scope, char *text)
{
	return trace_array_set_clock(scope->tr, strim(text));
}

TRACE_CONTROL(clock_control, .show = clock_show, .store = clock_store, .max = 64);

TRACE_FILES(clock_files,
	{ "trace_clock", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &clock_control.fops });
