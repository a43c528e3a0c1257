// SPDX-License-Identifier: GPL-2.0
/*
 * events/SYSTEM/EVENT/trigger: what the event does in this instance when it occurs.
 *
 *	[!]COMMAND[:ARGUMENTS][:COUNT] [if FILTER]
 *
 * An event with triggers is attached also while it is off. Removing a trigger waits for nobody, but
 * for snapshot: it is freed behind the probes that may still run it.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "../../core/instance.h"
#include "../events.h"
#include "../files.h"
#include "../filter/filter.h"
#include "trigger.h"

/*
 * Texts
 */

static const struct trace_trigger_command *trigger_command(const char *name)
{
	const struct trace_trigger_command *command;

	for (command = trace_trigger_commands; command->name; command++) {
		if (!strcmp(command->name, name))
			return command;
	}
	return NULL;
}

/* Behind the arguments: a count, of which what is behind a colon is ignored. NULL: no count */
static int trigger_parse_count(char *text, long *count)
{
	unsigned long value;

	*count = TRACE_TRIGGER_UNLIMITED;
	if (!text)
		return 0;
	if (kstrtoul(strsep(&text, ":"), 0, &value))
		return -EINVAL;
	if (value != ULONG_MAX)
		*count = min_t(unsigned long, value, LONG_MAX);
	return 0;
}

/* Cut a text at the first white space. Return what is behind it, or NULL. */
static char *trigger_cut(char *text)
{
	char *end = strpbrk(text, " \t\n");

	if (!end)
		return NULL;
	*end = '\0';
	return skip_spaces(end + 1);
}

/* Arguments, which are one word, and what is behind them. Each may be NULL. */
static void trigger_split(char *text, char **args, char **rest)
{
	bool only_filter = text && !strncmp(text, "if", 2) && (!text[2] || isspace(text[2]));

	*args = only_filter ? NULL : text;
	*rest = only_filter ? text : text ? trigger_cut(text) : NULL;
}

/* Behind "if": the text of a filter. Return NULL if there is none. */
static char *trigger_filter_text(char *text)
{
	char *rest;

	if (!text || !*text)
		return NULL;
	rest = trigger_cut(text);
	return rest && *rest && !strcmp(text, "if") ? rest : ERR_PTR(-EINVAL);
}

static struct event_filter *trigger_filter(struct trace_event_file *file, char *text)
{
	struct trace_filter_error error;
	struct event_filter *filter;

	text = trigger_filter_text(text);
	if (IS_ERR_OR_NULL(text))
		return ERR_CAST(text);
	filter = trace_filter_compile(file->call, text, &error);
	if (IS_ERR(filter))
		trace_log_error(file->tr, "event filter parse error", text,
				error.text ?: "Error", error.at);
	return filter;
}

/*
 * One trigger
 */

static void trigger_free_data(const struct trace_trigger_command *command, void *data)
{
	if (command->free)
		command->free(data);
}

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
	if (command->waits)
		tracepoint_synchronize_unregister();
	if (command->end)
		command->end(file->tr, trigger->data);
	trigger_free_data(command, trigger->data);
	trace_event_free(trigger->filter ? &trigger->filter->rcu : NULL);
	trace_event_free(&trigger->rcu);
}

/* The text behind the command: arguments and count, then the filter */
static int trigger_set(struct trace_event_file *file, const struct trace_trigger_command *command,
		       char *text)
{
	struct event_filter *filter;
	char *args, *behind;
	void *data = NULL;
	long count;
	int err;

	trigger_split(text, &args, &behind);
	if (command->parse)
		data = command->parse(file->tr, &args);
	if (IS_ERR(data))
		return PTR_ERR(data);
	err = trigger_parse_count(args, &count);
	filter = err ? NULL : trigger_filter(file, behind);
	err = err ?: PTR_ERR_OR_ZERO(filter);
	if (!err) {
		err = trigger_add(file, command, data, count, filter);
		if (err)
			kfree(filter);
	}
	if (err)
		trigger_free_data(command, data);
	return err;
}

/* Count and filter are not looked at. */
static int trigger_unset(struct trace_event_file *file,
			 const struct trace_trigger_command *command, char *text)
{
	struct trace_trigger *trigger;
	char *args, *behind;
	void *data = NULL;

	trigger_split(text, &args, &behind);
	if (command->parse)
		data = command->parse(file->tr, &args);
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

static void trigger_show_one(struct seq_file *m, const struct trace_trigger *trigger)
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
			trigger_show_one(m, trigger);
		return 0;
	}
	seq_puts(m, "# Available triggers:\n#");
	for (command = trace_trigger_commands; command->name; command++)
		seq_printf(m, " %s", command->name);
	seq_putc(m, '\n');
	return 0;
}

static int trigger_file_store(struct event_target *target, char *text)
{
	struct trace_event_file *file = trace_event_file_get(target->tr, target->call);
	const struct trace_trigger_command *command;
	bool remove;
	char *rest;

	if (IS_ERR(file))
		return PTR_ERR(file);
	text = strim(text);
	remove = *text == '!';
	text += remove;
	rest = strpbrk(text, ": \t");
	if (rest) {
		*rest = '\0';
		rest = skip_spaces(rest + 1);
	}
	command = trigger_command(text);
	if (!command)
		return -EINVAL;
	return remove ? trigger_unset(file, command, rest) : trigger_set(file, command, rest);
}

struct event_control trace_event_trigger = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.show	= trigger_file_show,
	.store	= trigger_file_store,
};
