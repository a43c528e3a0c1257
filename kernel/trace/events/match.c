// SPDX-License-Identifier: GPL-2.0
/*
 * The words of set_event, trace_event= and trace_instance=, which select events:
 *
 *	SYSTEM:EVENT	SYSTEM:		SYSTEM:*	:EVENT		*:EVENT		*:*
 *	NAME		all events of system NAME, and the events NAME of all systems
 *	WORD:mod:MODULE	of these only those of a module, which may be loaded later. '-' is '_'
 *	!WORD		switch them off
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "../core/instance.h"
#include "events.h"
#include "match.h"

#define MODULE_MARK	":mod:"

/* "" and "*" are any name. */
static struct trace_span match_name_or_any(const char *from, const char *end)
{
	struct trace_span name = { .text = from, .len = end - from };

	return !name.len || trace_span_is(&name, "*") ? (struct trace_span){} : name;
}

/**
 * trace_event_match_parse - parse a word
 * @match: filled in; it refers to the word
 * @word: the word, without '!'
 *
 * Context: any.
 */
void trace_event_match_parse(struct trace_event_match *match, const char *word)
{
	const char *mod = strstr(word, MODULE_MARK), *end = mod ?: word + strlen(word);
	const char *colon = memchr(word, ':', end - word);

	*match = (struct trace_event_match){};
	if (mod)
		match->module = trace_span_of(mod + strlen(MODULE_MARK));
	/* ":mod:M" is all of M. */
	if (mod == word)
		return;
	match->system = match_name_or_any(word, colon ?: end);
	/* All events of a module may be selected without a colon, but not all events. */
	if (!colon && !mod)
		match->system = trace_span_of(word);
	match->either = !colon && match->system.text;
	if (colon)
		match->event = match_name_or_any(colon + 1, end);
}

static bool match_name(const struct trace_span *wanted, const char *name)
{
	return !wanted->text || trace_span_is(wanted, name);
}

/**
 * trace_event_matches - does a word select an event?
 * @match: the word
 * @call: the event
 *
 * Context: any; the caller keeps the event from being unregistered.
 * Return: true if it does.
 */
bool trace_event_matches(const struct trace_event_match *match,
			 const struct trace_event_call *call)
{
	bool system = match_name(&match->system, call->class->system);

	if (match->module.text &&
	    (!call->module || !trace_span_is(&match->module, module_name(call->module))))
		return false;
	if (match->either)
		return system || trace_span_is(&match->system, trace_event_name(call));
	return system && match_name(&match->event, trace_event_name(call));
}

static int event_set(struct trace_array *tr, struct trace_event_call *call, bool on)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);

	if (!file && on)
		file = trace_event_file_get(tr, call);
	if (IS_ERR(file))
		return PTR_ERR(file);
	return file ? trace_event_file_set(file, on) : 0;
}

/**
 * trace_events_set - switch events in an instance
 * @tr: the instance
 * @match: the events
 * @on: the new state
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: 0; -EINVAL if there is no such event, -ENODEV if there are only custom events without a
 * tracepoint; or the first error, and then the other events are switched all the same.
 */
int trace_events_set(struct trace_array *tr, const struct trace_event_match *match, bool on)
{
	struct trace_event_call *call;
	const char *system = NULL;
	int err, first = 0, none = -EINVAL;
	bool other = false, any = false;

	lockdep_assert_held(&trace_event_mutex);
	static_keys_begin();
	list_for_each_entry(call, &trace_event_calls, list) {
		/* Events of one header are neighbours, and share the name of the system. */
		if (call->class->system != system) {
			system = call->class->system;
			other = !match->either && !match_name(&match->system, system);
		}
		if (other || !trace_event_matches(match, call) || !trace_array_has_event(tr, call))
			continue;
		if (!trace_event_has_tracepoint(call)) {
			none = -ENODEV;
			continue;
		}
		err = event_set(tr, call, on);
		first = first ?: err;
		any = true;
	}
	static_keys_end();
	return any ? first : none;
}

static int events_set_match(struct trace_array *tr, const char *word,
			    const struct trace_event_match *match, bool on)
{
	bool waited;
	int err;

	if (!match->module.text)
		return trace_events_set(tr, match, on);
	waited = !on && trace_event_wait_remove(tr, match);
	err = trace_events_set(tr, match, on);
	if (err != -EINVAL)
		return err;
	if (on)
		return trace_event_wait_add(tr, word);
	return waited ? 0 : err;
}

static bool events_have_system(const struct trace_span *name)
{
	const struct trace_event_system *system;

	list_for_each_entry(system, &trace_event_systems, list) {
		if (trace_span_is(name, system->name))
			return true;
	}
	return false;
}

/* Report whether the system or the event does not exist. */
static void events_refuse(struct trace_line *line, const struct trace_event_match *match)
{
	const char *colon = strchr(line->rest, ':');

	if (!colon)
		trace_line_fail(line, -EINVAL, "Event not found", line->rest);
	else if (match->system.text && !events_have_system(&match->system))
		trace_line_fail(line, -EINVAL, "System not found", line->rest);
	else
		trace_line_fail(line, -EINVAL, "Event not found", colon + 1);
}

/* Names of loaded modules have '_' where those of their files may have '-'. */
static void events_name_module(char *word)
{
	char *mod = strstr(word, MODULE_MARK);

	if (mod)
		strreplace(mod + strlen(MODULE_MARK), '-', '_');
}

/**
 * trace_events_set_word - switch the events that a word selects
 * @tr: the instance
 * @word: the word; a '-' in the name of a module becomes '_'
 * @log: if it selects nothing, add it to error_log
 *
 * Context: may sleep.
 * Return: as trace_events_set().
 */
int trace_events_set_word(struct trace_array *tr, char *word, bool log)
{
	struct trace_event_match match;
	struct trace_line line;
	bool on;
	int err;

	events_name_module(word);
	trace_line_init(&line, word);
	on = !trace_line_take(&line, "!");
	trace_event_match_parse(&match, line.rest);
	scoped_guard(mutex, &trace_event_mutex) {
		err = events_set_match(tr, line.rest, &match, on);
		if (err == -EINVAL)
			events_refuse(&line, &match);
		else if (err == -ENODEV)
			trace_line_fail(&line, err, "Event without a tracepoint", line.rest);
	}
	if (line.error && log)
		trace_log_error(tr, "set_event", line.text, line.error, line.error_at);
	return err;
}

/**
 * trace_array_set_clr_event - switch trace events of an instance
 * @tr: the instance
 * @system: system of the events; NULL: any
 * @event: name of the events; NULL: any
 * @enable: true: switch on; false: off
 *
 * Context: may sleep.
 * Return: 0; -ENOENT if @tr is NULL; else as trace_events_set().
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable)
{
	struct trace_event_match match = {};

	if (system)
		match.system = trace_span_of(system);
	if (event)
		match.event = trace_span_of(event);
	if (!tr)
		return -ENOENT;
	guard(mutex)(&trace_event_mutex);
	return trace_events_set(tr, &match, enable);
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);

/**
 * trace_set_clr_event - switch trace events of the top instance
 * @system: system of the events; NULL: any
 * @event: name of the events; NULL: any
 * @set: 0: switch off; else on
 *
 * Context: may sleep.
 * Return: 0; -ENODEV if there is no instance; else as trace_events_set().
 */
int trace_set_clr_event(const char *system, const char *event, int set)
{
	if (!trace_top)
		return -ENODEV;
	return trace_array_set_clr_event(trace_top, system, event, set);
}
EXPORT_SYMBOL_GPL(trace_set_clr_event);

static struct trace_event_call *event_find(const char *system, const char *event)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (!strcmp(call->class->system, system) && !strcmp(trace_event_name(call), event))
			return call;
	}
	return NULL;
}

/**
 * trace_event_keep - keep an event, with its module
 * @call: the event
 *
 * A module whose init function has not returned yet cannot be kept: it is freed if that fails.
 *
 * Context: trace_event_mutex held.
 * Return: true, and then module_put() undoes it; false if the module is being loaded or unloaded.
 */
bool trace_event_keep(const struct trace_event_call *call)
{
	struct module *mod = call->module;

	return !mod || (!module_is_coming(mod) && try_module_get(mod));
}

/**
 * trace_event_find - find an event by its name, and keep its module
 * @system: its system
 * @event: its name
 *
 * Context: trace_event_mutex held.
 * Return: the event, whose module must be put; -EINVAL if there is none; -EBUSY if its module is
 * being loaded or unloaded.
 */
struct trace_event_call *trace_event_find(const char *system, const char *event)
{
	struct trace_event_call *call = event_find(system, event);

	lockdep_assert_held(&trace_event_mutex);
	if (!call)
		return ERR_PTR(-EINVAL);
	return trace_event_keep(call) ? call : ERR_PTR(-EBUSY);
}

/**
 * trace_event_file_by_name - find an event in an instance by its name, and keep its module
 * @tr: the instance
 * @system: the event's system
 * @event: its name
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: the event in the instance, whose module must be put; -EINVAL if it has no such event;
 * -EBUSY if the event's module is being loaded or unloaded; -ENOMEM.
 */
struct trace_event_file *trace_event_file_by_name(struct trace_array *tr, const char *system,
						  const char *event)
{
	struct trace_event_file *file;
	struct trace_event_call *call;

	call = trace_event_find(system, event);
	if (IS_ERR(call))
		return ERR_CAST(call);
	file = trace_event_file_get(tr, call);
	if (!IS_ERR(file))
		return file;
	module_put(call->module);
	return PTR_ERR(file) == -ENOENT ? ERR_PTR(-EINVAL) : file;
}

/**
 * trace_event_word - take a word of a line
 * @line: the line
 *
 * Context: any.
 * Return: the characters up to a colon or to white space; an empty span if that is next.
 */
struct trace_span trace_event_word(struct trace_line *line)
{
	struct trace_span none = { .text = line->rest };

	return isspace(*line->rest) ? none : trace_line_until(line, ": \t\n");
}

/**
 * trace_event_file_parse - take SYSTEM:EVENT, and keep the event's module
 * @tr: the instance that has the event
 * @line: the line; gets an error if there is no such event
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: as trace_event_file_by_name().
 */
void *trace_event_file_parse(struct trace_array *tr, struct trace_line *line)
{
	struct trace_span system = trace_event_word(line), event;
	struct trace_event_file *file;

	if (*line->rest != ':')
		return ERR_PTR(trace_line_fail(line, -EINVAL, "Expecting SYSTEM:EVENT",
					       system.text));
	line->rest++;
	event = trace_event_word(line);

	char *system_name __free(kfree) = kmemdup_nul(system.text, system.len, GFP_KERNEL);
	char *event_name __free(kfree) = kmemdup_nul(event.text, event.len, GFP_KERNEL);

	if (!system_name || !event_name)
		return ERR_PTR(-ENOMEM);
	file = trace_event_file_by_name(tr, system_name, event_name);
	if (file == ERR_PTR(-EINVAL))
		trace_line_fail(line, -EINVAL, "Event not found", system.text);
	return file;
}

/**
 * trace_get_event_file - get an event in an instance
 * @instance: name of the instance; NULL: the top one
 * @system: the event's system
 * @event: its name
 *
 * Context: may sleep.
 * Return: the event in the instance; neither the instance nor the event's module can go until
 * trace_put_event_file(). -ENOENT if there is no such instance, -EINVAL if it has no such event,
 * -EBUSY if the event's module is being loaded or unloaded, -ENOMEM.
 */
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event)
{
	struct trace_array *tr = trace_array_find_get(instance);
	struct trace_event_file *file;

	if (!tr)
		return ERR_PTR(-ENOENT);
	scoped_guard(mutex, &trace_event_mutex)
		file = trace_event_file_by_name(tr, system, event);
	if (IS_ERR(file))
		trace_array_put(tr);
	return file;
}
EXPORT_SYMBOL_GPL(trace_get_event_file);

/**
 * trace_put_event_file - undo trace_get_event_file()
 * @file: the event in the instance
 *
 * Context: may sleep.
 */
void trace_put_event_file(struct trace_event_file *file)
{
	struct trace_array *tr = file->tr;

	module_put(file->call->module);
	trace_array_put(tr);
}
EXPORT_SYMBOL_GPL(trace_put_event_file);
