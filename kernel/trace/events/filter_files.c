// SPDX-License-Identifier: GPL-2.0
/*
 * events/SYSTEM/EVENT/filter and events/SYSTEM/filter: select the records that an instance takes.
 *
 * A text that is no filter changes nothing. Until the next text is written, the event's file shows
 * the wrong text and its error before the filter in force:
 *
 *	pid == 1 && cmm == "sh"
 *	               ^
 *	parse_error: Field not found
 *
 *	pid == 1
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../core/instance.h"
#include "events.h"
#include "files.h"
#include "filter/filter.h"

static bool filter_text_is_none(const char *text)
{
	return !strcmp(skip_spaces(text), "0");
}

/* Note in error_log why a text was refused. */
static void filter_log_error(struct trace_array *tr, const char *text,
			     const struct trace_filter_error *error)
{
	trace_log_error(tr, "event filter parse error", text, error->text ?: "Error",
			error->at);
}

/*
 * Keep the text for the file to show. If memory allocation fails, the file shows only the filter in
 * force.
 */
static void filter_keep_refused(struct trace_event_file *file, const char *text,
				const struct trace_filter_error *error, int err)
{
	int at = min_t(size_t, error->at, strlen(text));

	trace_event_file_forget_refused(file);
	if (error->text)
		file->refused = kasprintf(GFP_KERNEL, "%s\n%*s\nparse_error: %s\n\n", text, at + 1,
					  "^", error->text);
	else
		file->refused = kasprintf(GFP_KERNEL, "%s\nError: (%d)\n\n", text,
					  err == -ENOMEM ? err : 0);
}

static int event_filter_show(struct seq_file *m, struct event_target *target)
{
	const struct trace_event_file *file = trace_event_file_find(target->tr, target->call);
	const struct event_filter *filter = file ? trace_event_file_filter(file) : NULL;

	if (file && file->refused)
		seq_puts(m, file->refused);
	seq_puts(m, filter ? filter->text : "none");
	seq_putc(m, '\n');
	return 0;
}

static int event_filter_store(struct event_target *target, char *text)
{
	struct trace_event_file *file = trace_event_file_get(target->tr, target->call);
	struct event_filter *filter = NULL;
	struct trace_filter_error error;

	if (IS_ERR(file))
		return PTR_ERR(file);
	strim(text);
	if (!filter_text_is_none(text))
		filter = trace_filter_compile(target->call, text, &error);
	if (IS_ERR(filter)) {
		filter_keep_refused(file, text, &error, PTR_ERR(filter));
		filter_log_error(target->tr, text, &error);
		return PTR_ERR(filter);
	}
	trace_event_file_set_filter(file, filter);
	return 0;
}

struct event_control trace_event_filter = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.show	= event_filter_show,
	.store	= event_filter_store,
};

/*
 * Systems
 */

static int filter_system_show(struct seq_file *m, struct event_target *target)
{
	seq_puts(m, "### global filter ###\n"
		    "# Use this to set filters for multiple events.\n"
		    "# Only events with the given fields will be affected.\n"
		    "# If no events are modified, an error message will be displayed here\n");
	return 0;
}

/* Set the filter of one event of the system. Return: 0 or negative errno. */
static int filter_system_set(struct trace_array *tr, struct trace_event_call *call,
			     const char *text, struct trace_filter_error *error)
{
	struct event_filter *filter = trace_filter_compile(call, text, error);
	struct trace_event_file *file;

	if (IS_ERR(filter))
		return PTR_ERR(filter);
	file = trace_event_file_get(tr, call);
	if (IS_ERR(file)) {
		kfree(filter);
		return PTR_ERR(file);
	}
	trace_event_file_set_filter(file, filter);
	return 0;
}

static void filter_system_clear(struct trace_array *tr, const struct trace_event_system *system)
{
	struct trace_event_file *file;
	unsigned long number;

	xa_for_each(&tr->events->files, number, file) {
		if (!strcmp(file->call->class->system, system->name))
			trace_event_file_set_filter(file, NULL);
	}
}

/*
 * Make this the filter of each event of the system that it fits. Other events keep their filters.
 * If it fits no event, report the error that is furthest in the text: events without the field that
 * is named first say nothing of what is wrong behind it. If memory allocation fails, some events
 * may have the filter and some not.
 */
static int filter_system_store(struct event_target *target, char *text)
{
	struct trace_filter_error error, furthest;
	struct trace_event_call *call;
	int err, result = 0;
	bool fits = false;

	strim(text);
	if (filter_text_is_none(text)) {
		filter_system_clear(target->tr, target->system);
		return 0;
	}
	list_for_each_entry(call, &trace_event_calls, list) {
		if (strcmp(call->class->system, target->system->name))
			continue;
		err = filter_system_set(target->tr, call, text, &error);
		if (err == -ENOMEM)
			return err;
		if (err && (!result || error.at > furthest.at)) {
			result = err;
			furthest = error;
		}
		fits |= !err;
	}
	if (fits)
		return 0;
	filter_log_error(target->tr, text, &furthest);
	return result;
}

struct event_control trace_event_filter_system = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_SYSTEM,
	.show	= filter_system_show,
	.store	= filter_system_store,
};
