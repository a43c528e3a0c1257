// SPDX-License-Identifier: GPL-2.0
/*
 * The files "enable" of an event, of a system, and of all events.
 */
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>

#include "../core/instance.h"
#include "events.h"
#include "files.h"
#include "match.h"

static int event_enable_parse(const char *text, bool *on)
{
	unsigned long value;
	int err = kstrtoul(text, 10, &value);

	if (err)
		return err;
	if (value > 1)
		return -EINVAL;
	*on = value;
	return 0;
}

static int event_enable_show(struct seq_file *m, struct event_target *target)
{
	const struct trace_event_file *file = trace_event_file_find(target->tr, target->call);
	bool held = file && file->holders;

	seq_printf(m, "%d%s\n", file && trace_event_file_is_on(file), held ? "*" : "");
	return 0;
}

static int event_enable_store(struct event_target *target, char *text)
{
	struct trace_event_file *file;
	bool on;
	int err = event_enable_parse(text, &on);

	if (err)
		return err;
	file = trace_event_file_get(target->tr, target->call);
	return IS_ERR(file) ? PTR_ERR(file) : trace_event_file_set(file, on);
}

struct event_control trace_event_enable = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.show	= event_enable_show,
	.store	= event_enable_store,
};

/* Is the event one of those that the file switches? */
static bool event_target_has(const struct event_target *target, const struct trace_event_call *call)
{
	if (target->system && strcmp(call->class->system, target->system->name))
		return false;
	return trace_array_has_event(target->tr, call) && trace_event_has_tracepoint(call);
}

/* "0" or "1" if all are off or on, "X" if they differ, "?" if there is none. */
static int event_enable_many_show(struct seq_file *m, struct event_target *target)
{
	static const char texts[] = "?01X";
	const struct trace_event_file *file;
	struct trace_event_call *call;
	unsigned int states = 0;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!event_target_has(target, call))
			continue;
		file = trace_event_file_find(target->tr, call);
		states |= file && file->attached ? 2 : 1;
	}
	seq_printf(m, "%c\n", texts[states]);
	return 0;
}

static int event_enable_many_store(struct event_target *target, char *text)
{
	struct trace_event_match match = {};
	bool on;
	int err = event_enable_parse(text, &on);

	if (err)
		return err;
	if (!on && !target->system) {
		trace_event_files_off(target->tr);
		return 0;
	}
	if (target->system)
		match.system = trace_span_of(target->system->name);
	return trace_events_set(target->tr, &match, on);
}

struct event_control trace_event_enable_system = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_SYSTEM,
	.show	= event_enable_many_show,
	.store	= event_enable_many_store,
};

struct event_control trace_event_enable_all = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_ALL,
	.show	= event_enable_many_show,
	.store	= event_enable_many_store,
};
