// SPDX-License-Identifier: GPL-2.0
/*
 * events/SYSTEM/EVENT/trigger: actions of the event in this instance when it occurs.
 *
 *	[!]COMMAND[:ARGUMENTS][:COUNT] [if FILTER]
 *
 * An event with triggers is attached even while it is off. Removing a trigger does not wait for the
 * probes that may still run it; its memory is freed after they have ended.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../core/instance.h"
#include "../../lib/line.h"
#include "../events.h"
#include "../files.h"
#include "../filter/filter.h"
#include "../match.h"
#include "trigger.h"

/*
 * Texts
 */

static void trigger_free_data(const struct trace_trigger_command *command, void *data)
{
	if (command->free)
		command->free(data);
}

static const struct trace_trigger_command *trigger_command(struct trace_line *line)
{
	struct trace_span name = trace_event_word(line);
	const struct trace_trigger_command *command;

	for (command = trace_trigger_commands; command->name; command++) {
		if (trace_span_is(&name, command->name))
			return command;
	}
	trace_line_fail(line, -EINVAL, "Unknown trigger", name.text);
	return NULL;
}

/* Is the next word "if"? */
static bool trigger_filter_begins(struct trace_line *line)
{
	const char *rest = trace_line_rest(line);

	return !strncmp(rest, "if", 2) && (!rest[2] || isspace(rest[2]));
}

static int trigger_number(struct trace_line *line, u64 *value)
{
	trace_line_take(line, "count=");
	return trace_line_number(line, value);
}

/*
 * Take COUNT, or "count=COUNT" or "unlimited", as triggers are listed. Text after a colon is
 * ignored.
 */
static int trigger_parse_count(struct trace_line *line, long *count)
{
	const char *at = line->rest;
	u64 value = U64_MAX;
	int err;

	/* A count may also follow a blank: "traceoff 5". */
	if (at[-1] != ':' && !isdigit(*at))
		return trace_line_fail(line, -EINVAL, "Expecting ':COUNT' or 'if'", at);
	if (isspace(*at))
		err = -EINVAL;
	else if (trace_line_take(line, "unlimited"))
		err = 0;
	else
		err = trigger_number(line, &value);
	if (!err && *line->rest == ':')
		trace_line_until(line, " \t\n");
	if (!err && *line->rest && !isspace(*line->rest))
		err = -EINVAL;
	if (err)
		return trace_line_fail(line, err == -ENOENT ? -EINVAL : err, "Invalid count", at);
	if (value != U64_MAX)
		*count = min_t(u64, value, LONG_MAX);
	return 0;
}

/* Take the arguments of the command, and a count. Return: the data, or ERR_PTR(). */
static void *trigger_parse_args(struct trace_array *tr, struct trace_line *line,
				const struct trace_trigger_command *command, long *count)
{
	bool more = !trace_line_ends(line) && !trigger_filter_begins(line);
	void *data = NULL;
	int err = 0;

	*count = TRACE_TRIGGER_UNLIMITED;
	if (command->parse) {
		data = command->parse(tr, line);
		more = *line->rest == ':';
		line->rest += more;
	}
	if (!IS_ERR(data) && more)
		err = trigger_parse_count(line, count);
	if (!err)
		return data;
	trigger_free_data(command, data);
	return ERR_PTR(err);
}

/* Is there a filter? Return: 1, 0 or -EINVAL. */
static int trigger_has_filter(struct trace_line *line)
{
	if (trace_line_ends(line))
		return 0;
	if (!trigger_filter_begins(line))
		return trace_line_fail(line, -EINVAL, "Expecting 'if'", line->rest);
	line->rest += strlen("if");
	if (!*line->rest)
		return trace_line_fail(line, -EINVAL, "Missing filter", line->rest);
	/* Further blanks are part of the filter, as it is shown. */
	line->rest++;
	return 1;
}

/* Take the filter. Return: the filter; NULL if there is none; ERR_PTR(). */
static struct event_filter *trigger_filter(struct trace_event_file *file, struct trace_line *line)
{
	int has = trigger_has_filter(line);
	struct trace_filter_error error;
	struct event_filter *filter;

	if (has <= 0)
		return ERR_PTR(has);
	filter = trace_filter_compile(file->call, line->rest, &error);
	if (IS_ERR(filter))
		trace_log_error(file->tr, "event filter parse error", line->rest,
				error.text ?: "Error", error.at);
	return filter;
}

/*
 * One trigger
 */

static struct trace_trigger *trigger_find(struct trace_event_file *file,
					  const struct trace_trigger_command *command,
					  const void *data)
{
	struct trace_trigger *trigger;

	list_for_each_entry(trigger, &file->triggers, list) {
		if (!strcmp(trigger->command->kind, command->kind) && trigger->data == data)
			return trigger;
	}
	return NULL;
}

/* Let probes know whether there are triggers, and when they run. */
static void trigger_update(struct trace_event_file *file)
{
	struct trace_trigger *trigger;
	bool record = false;

	list_for_each_entry(trigger, &file->triggers, list)
		record |= trigger->filter || !trigger->command->before;
	assign_bit(TRACE_EVENT_FILE_RECORD_TRIGGERS, &file->flags, record);
	assign_bit(TRACE_EVENT_FILE_TRIGGERS, &file->flags, !list_empty(&file->triggers));
	trace_event_users_triggers(file->call);
	trace_marker_triggers(file);
}

/* Add a trigger, which then owns @data and @filter. */
static int trigger_add(struct trace_event_file *file, const struct trace_trigger_command *command,
		       void *data, long count, struct event_filter *filter)
{
	struct trace_trigger *trigger;
	int err;

	if (trigger_find(file, command, data))
		return -EEXIST;
	trigger = kzalloc(sizeof(*trigger), GFP_KERNEL);
	if (!trigger)
		return -ENOMEM;
	trigger->command = command;
	trigger->data = data;
	trigger->filter = filter;
	atomic_long_set(&trigger->count, count);
	err = command->begin ? command->begin(file->tr, data) : 0;
	if (!err) {
		err = trace_event_file_hold(file);
		if (err && command->end)
			command->end(file->tr, data);
	}
	if (err) {
		kfree(trigger);
		return err;
	}
	list_add_rcu(&trigger->list, &file->triggers);
	trigger_update(file);
	return 0;
}

static void trigger_remove(struct trace_event_file *file, struct trace_trigger *trigger)
{
	const struct trace_trigger_command *command = trigger->command;

	list_del_rcu(&trigger->list);
	trigger_update(file);
	trace_event_file_release(file);
	if (command->end)
		command->end(file->tr, trigger->data);
	trigger_free_data(command, trigger->data);
	trace_event_free(trigger->filter);
	trace_event_free(trigger);
}

/* Parse arguments, count and filter, which follow the command, and add the trigger. */
static int trigger_set(struct trace_event_file *file, const struct trace_trigger_command *command,
		       struct trace_line *line)
{
	struct event_filter *filter;
	void *data;
	long count;
	int err;

	data = trigger_parse_args(file->tr, line, command, &count);
	if (IS_ERR(data))
		return PTR_ERR(data);
	filter = trigger_filter(file, line);
	err = PTR_ERR_OR_ZERO(filter);
	if (!err) {
		err = trigger_add(file, command, data, count, filter);
		if (err)
			kfree(filter);
		if (err == -EEXIST)
			trace_line_fail(line, err, "Trigger already exists", line->text);
	}
	if (err)
		trigger_free_data(command, data);
	return err;
}

/* Count and filter are ignored. */
static int trigger_unset(struct trace_event_file *file,
			 const struct trace_trigger_command *command, struct trace_line *line)
{
	void *data = command->parse ? command->parse(file->tr, line) : NULL;
	struct trace_trigger *trigger;

	if (IS_ERR(data))
		return PTR_ERR(data);
	trigger = trigger_find(file, command, data);
	if (trigger)
		trigger_remove(file, trigger);
	trigger_free_data(command, data);
	return 0;
}

/**
 * trace_event_file_end_triggers - remove all triggers of an event in an instance
 * @file: the event in the instance
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_file_end_triggers(struct trace_event_file *file)
{
	struct trace_trigger *trigger, *next;

	list_for_each_entry_safe(trigger, next, &file->triggers, list)
		trigger_remove(file, trigger);
}

/*
 * The file
 */

/**
 * trace_trigger_show - print a trigger
 * @m: output
 * @trigger: the trigger
 *
 * Context: trace_event_mutex held.
 */
void trace_trigger_show(struct seq_file *m, const struct trace_trigger *trigger)
{
	long count = atomic_long_read(&trigger->count);

	seq_puts(m, trigger->command->name);
	if (trigger->command->show)
		trigger->command->show(m, trigger->data);
	if (count == TRACE_TRIGGER_UNLIMITED)
		seq_puts(m, ":unlimited");
	else
		seq_printf(m, ":count=%ld", count);
	if (trigger->filter)
		seq_printf(m, " if %s", trigger->filter->text);
	seq_putc(m, '\n');
}

static int trigger_file_show(struct seq_file *m, struct event_target *target)
{
	const struct trace_event_file *file = trace_event_file_find(target->tr, target->call);
	const struct trace_trigger_command *command;
	const struct trace_trigger *trigger;

	if (file && !list_empty(&file->triggers)) {
		list_for_each_entry(trigger, &file->triggers, list)
			trace_trigger_show(m, trigger);
		return 0;
	}
	seq_puts(m, "# Available triggers:\n#");
	for (command = trace_trigger_commands; command->name; command++)
		seq_printf(m, " %s", command->name);
	seq_putc(m, '\n');
	return 0;
}

static int trigger_do(struct trace_event_file *file, struct trace_line *line)
{
	bool remove = trace_line_take(line, "!");
	const struct trace_trigger_command *command = trigger_command(line);

	if (!command)
		return -EINVAL;
	/* A colon or a blank may come before the arguments. */
	if (*line->rest)
		line->rest++;
	return remove ? trigger_unset(file, command, line) : trigger_set(file, command, line);
}

/**
 * trace_event_file_do_trigger - set or remove a trigger
 * @file: the event in the instance
 * @text: the text that was written to "trigger"; white space at its end is cut off
 *
 * Errors in @text are added to the error_log of the instance.
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: 0; -EINVAL, -ERANGE or the errno of trace_filter_compile() if @text is wrong; -EEXIST if
 * the event has such a trigger; -EBUSY if the trigger is not possible now, or the module of the
 * event that it names is being loaded or unloaded; -ENOMEM.
 */
int trace_event_file_do_trigger(struct trace_event_file *file, char *text)
{
	struct trace_line line;
	int err;

	trace_line_init(&line, strim(text));
	err = trigger_do(file, &line);
	if (line.error)
		trace_log_error(file->tr, "trigger", line.text, line.error, line.error_at);
	return err;
}

static int trigger_file_store(struct event_target *target, char *text)
{
	struct trace_event_file *file = trace_event_file_get(target->tr, target->call);

	return IS_ERR(file) ? PTR_ERR(file) : trace_event_file_do_trigger(file, text);
}

struct event_control trace_event_trigger = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.show	= trigger_file_show,
	.store	= trigger_file_store,
};
