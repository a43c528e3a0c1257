// SPDX-License-Identifier: GPL-2.0
/*
 * The function commands enable_event and disable_event:
 *
 *	FUNC:enable_event:SYSTEM:EVENT[:COUNT]
 *
 * in set_ftrace_filter switch an event when a function is called, in the instance of the file.
 */
#include <linux/array_size.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "../events/events.h"
#include "../events/match.h"
#include "../ftrace/ftrace.h"

static bool event_is_on(struct trace_array *tr, void *data)
{
	return trace_event_file_is_on(data);
}

static bool event_is_off(struct trace_array *tr, void *data)
{
	return !event_is_on(tr, data);
}

static void event_enable(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	trace_event_file_set_soft(data, true);
}

static void event_disable(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	trace_event_file_set_soft(data, false);
}

/* The event's module is kept until event_free(). */
static void *event_parse(struct trace_array *tr, struct trace_line *line)
{
	guard(mutex)(&trace_event_mutex);
	return trace_event_file_parse(tr, line);
}

static void event_free(void *data)
{
	struct trace_event_file *file = data;

	module_put(file->call->module);
}

static void event_show(struct seq_file *m, const void *data)
{
	const struct trace_event_file *file = data;

	seq_printf(m, "%s:%s", file->call->class->system, trace_event_name(file->call));
}

static int event_begin(struct trace_array *tr, void *data)
{
	guard(mutex)(&trace_event_mutex);
	return trace_event_file_hold(data);
}

static void event_end(struct trace_array *tr, void *data)
{
	guard(mutex)(&trace_event_mutex);
	trace_event_file_release(data);
}

static struct ftrace_command event_command_rows[] = {
	{ .name = "enable_event", .parameters = "SYSTEM:EVENT", .parse = event_parse,
	  .show = event_show, .free = event_free, .begin = event_begin, .end = event_end,
	  .useful = event_is_off, .run = event_enable },
	{ .name = "disable_event", .parameters = "SYSTEM:EVENT", .parse = event_parse,
	  .show = event_show, .free = event_free, .begin = event_begin, .end = event_end,
	  .useful = event_is_on, .run = event_disable },
};

FTRACE_COMMANDS(event_command_rows);
