// SPDX-License-Identifier: GPL-2.0
/*
 * Values for files of events: filters, triggers, and values of fields. In most cases the fields are
 * those of the event whose file is written.
 */
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

#define FILTER_SIZE	600	/* bytes of a correct filter */
#define LONG_SIZE	5000	/* more than a page */

/* Rows as in values.c, with the same letters. */
static const struct row event_rows[] = {
	{ "events/*/*/enable", 0, { "0", "1", "1" } },
	{ "events/*/*/filter", 0, { "0", "%q", "%q", "%q", "none" } },
	{ "events/*/*/trigger", 0, {
	  "traceon", "traceoff:%n", "traceoff if %q", "traceon:%n if %q", "!traceoff", "!traceon",
	  "snapshot:%n", "snapshot if %q", "snapshot:1 if %q", "!snapshot", "!snapshot:1",
	  "stacktrace", "stacktrace:%n", "stacktrace:%n if %q", "!stacktrace", "!stacktrace if %q",
	  "enable_event:%e", "enable_event:%e:%n", "disable_event:%e:%n if %q",
	  "disable_event:%e", "enable_event:%e if %q", "!enable_event:%e", "!disable_event:%e",
	  "!enable_event:%e:%n if %q", "enable_event:%E", "!enable_event:%E", "disable_event:%E",
	  "!disable_event:%E" } },
	{ "events/*/*/inject", 0, { "%k", "%k %k", "%k %k %k", "" } },
	{ "events/*/enable", 0, { "0", "1" } },
	{ "events/*/filter", 0, { "0", "%q", "%q", "none" } },
	/* switching all on takes most of the machine's time */
	{ "events/enable", 0, { "0", "0", "0", "1" } },
};

const struct row *find_event_row(const char *path)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(event_rows); i++) {
		if (!fnmatch(event_rows[i].glob, path, 0))
			return &event_rows[i];
	}
	return NULL;
}

const struct row *random_event_row(void)
{
	return &event_rows[rnd(ARRAY_SIZE(event_rows))];
}

/* A text under construction. Text that does not fit is cut off. */
struct text {
	char	*at;
	size_t	left;
};

static __printf(2, 3) void add(struct text *text, const char *format, ...)
{
	va_list list;
	size_t size;

	va_start(list, format);
	size = vsnprintf(text->at, text->left, format, list);
	va_end(list);
	if (size >= text->left)
		size = text->left - 1;
	text->at += size;
	text->left -= size;
}

static void add_number(struct text *text)
{
	static const char * const numbers[] = {
		"0", "0", "1", "1", "2", "-1", "100", "120", "0x1f", "017", "4096", "30000",
		"30001", "65535", "0x7fffffff", "0xffffffff", "4294967296", "-2147483648",
		"18446744073709551615", "0xffffffffffffffff", "-9223372036854775808",
	};

	add(text, "%s", numbers[rnd(ARRAY_SIZE(numbers))]);
}

static void add_string(struct text *text)
{
	static const char * const strings[] = {
		"tracefs-fuzz", "tracefs*", "*fuzz", "*", "?*", "[a-t]*", "sh", "kworker*",
		"*rcu*", "swapper/*", "", "/proc/*", "\\*", "[", "hello", "*job*", "*o*e*",
	};
	const char *quote = chance(4) ? "'" : "\"";

	add(text, "%s%s%s", quote, strings[rnd(ARRAY_SIZE(strings))], quote);
}

static void add_cpus(struct text *text)
{
	static const char * const cpus[] = { "0", "1", "0-1", "0,1", "0-3", "63", "1-0" };

	add(text, "CPUS{%s}", cpus[rnd(ARRAY_SIZE(cpus))]);
}

static void compare_number(struct text *text, const char *name)
{
	static const char * const operators[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	static const char * const few[] = { "==", "!=", "&" };
	static const char * const functions[] = {
		"vfs_read", "schedule", "kfree", "0", "no_such_function", "ksys_write",
	};

	switch (rnd(12)) {
	case 0:
		add(text, "%s %s ", name, few[rnd(ARRAY_SIZE(few))]);
		add_cpus(text);
		break;
	case 1:
		add(text, "%s.function %s %s", name, rnd(2) ? "==" : "!=",
		    functions[rnd(ARRAY_SIZE(functions))]);
		break;
	default:
		add(text, chance(4) ? "%s%s" : "%s %s ", name,
		    operators[rnd(ARRAY_SIZE(operators))]);
		add_number(text);
	}
}

static void compare_string(struct text *text, const char *name)
{
	static const char * const operators[] = { "==", "!=", "~", "~" };

	add(text, "%s %s ", name, operators[rnd(ARRAY_SIZE(operators))]);
	add_string(text);
}

static void compare(struct text *text, struct event *event)
{
	static const struct field always[] = {
		{ "common_pid", NUMBER }, { "common_type", NUMBER }, { "common_flags", NUMBER },
		{ "common_preempt_count", NUMBER }, { "cpu", NUMBER }, { "CPU", NUMBER },
		{ "comm", STRING }, { "COMM", STRING }, { "common_cpu", NUMBER },
	};
	static const struct field wrong = { "no_such_field", NUMBER };
	const struct field *field = chance(4) ? NULL : random_field(event);

	if (!field)
		field = chance(20) ? &wrong : &always[rnd(ARRAY_SIZE(always))];
	switch (field->kind) {
	case STRING:
		compare_string(text, field->name);
		break;
	case POINTER:
		if (chance(2))
			compare_string(text, field->name);
		else
			add(text, "%s.ustring ~ \"%s\"", field->name, chance(2) ? "*" : "/*");
		break;
	case CPUMASK:
		add(text, "%s %s ", field->name, chance(2) ? "&" : "==");
		add_cpus(text);
		break;
	default:
		compare_number(text, field->name);
	}
}

static void add_filter(struct text *text, struct event *event, unsigned int depth)
{
	unsigned int how = depth ? rnd(6) : 0;

	if (how < 2) {
		add(text, "%s", chance(8) ? "!" : "");
		compare(text, event);
		return;
	}
	if (how < 4) {
		add_filter(text, event, depth - 1);
		add(text, how == 2 ? " && " : " || ");
		add_filter(text, event, depth - 1);
		return;
	}
	add(text, how == 4 ? "!(" : "(");
	add_filter(text, event, depth - 1);
	add(text, ")");
}

/* Of all events that have files; NULL stands for any. */
static struct event *some_event(struct event *event)
{
	return event && rnd(8) ? event : random_event();
}

static size_t make_filter(struct event *event, char *to, size_t size)
{
	struct text text = { to, size };

	add_filter(&text, some_event(event), rnd(4));
	return text.at - to;
}

/* FIELD=VALUE, for inject */
static size_t make_assignment(struct event *event, char *to)
{
	const struct field *field = random_field(some_event(event));
	struct text text = { to, FILTER_SIZE };

	add(&text, "%s=", field ? field->name : "common_pid");
	if (field && field->kind == STRING && rnd(8))
		add_string(&text);
	else
		add_number(&text);
	return text.at - to;
}

/**
 * event_value - make the text that a letter of a value stands for
 * @letter: %e, %E, %s, %v, %q or %k: values.c explains them
 * @event: the event whose file is written; NULL: none
 * @to: gets the text
 *
 * Return: size of the text.
 */
size_t event_value(char letter, struct event *event, char *to)
{
	struct event *other = event;

	if (letter == 'q')
		return make_filter(event, to, FILTER_SIZE);
	if (letter == 'k')
		return make_assignment(event, to);
	if (letter != 'E' || !other)
		other = random_event();
	switch (letter) {
	case 's':
		return sprintf(to, "%s", other->system);
	case 'v':
		return sprintf(to, "%s", other->name);
	}
	return sprintf(to, "%s:%s", other->system, other->name);
}

/* Many comparisons, one after or inside of the other: as many as are possible, or more. */
static size_t long_filter(struct event *event, char *to)
{
	unsigned int count = 1 + rnd(chance(2) ? 40 : 400), i;
	struct text text = { to, LONG_SIZE };
	bool inside = chance(2);

	event = some_event(event);
	for (i = 0; i < count; i++) {
		add(&text, i && !inside ? chance(2) ? "&&" : "||" : chance(8) ? "!(" : "(");
		if (!inside)
			compare(&text, event);
		if (!inside && (!i || chance(8)))
			add(&text, ")");
	}
	if (inside)
		compare(&text, event);
	for (i = 0; inside && i < count - chance(4); i++)
		add(&text, ")");
	return text.at - to;
}

static size_t odd_text(char *to)
{
	static const char * const texts[] = {
		"(", ")", "!", "&&", "||", "\"", "cpu", "cpu ==", "== 1", "cpu == 1 &&",
		"cpu == 1 & cpu == 0", "cpu == 1 cpu == 0", "comm == sh", "comm ~ \"[\"",
		"cpu ~ 1", "comm < \"x\"", "cpu & CPUS{", "cpu & CPUS{}", "cpu == CPUS{x}",
		"!!cpu == 1", "((cpu == 1)", "cpu == 1))", "comm == \"x", "cpu.function == 1",
		"comm.ustring == \"x\"", "0 0", "none none", "traceoff:", "traceoff:x",
		"traceoff if", "traceoff if if", "!", "!no_such", "enable_event",
		"enable_event:sched", "enable_event:sched:no_such", "enable_event:no:such:1",
		"snapshot:-1", "stacktrace:18446744073709551616", "traceon if cpu",
		"hist:keys=cpu", "hist:keys=common_pid.execname:vals=hitcount:sort=cpu.descending",
		"hist:name=x", "!hist:keys=cpu", "snapshot if comm == \"", "sched:sched_*",
		"*:*:mod:*", "::", "!!sched:", "=", "pid=", "pid=1 pid", "comm=\"x", "=1",
	};

	return sprintf(to, "%s", texts[rnd(ARRAY_SIZE(texts))]);
}

/**
 * odd_event_value - make a value that a file of an event should refuse
 * @event: the event; NULL: the file is that of a system, or of all events
 * @to: gets the text, which may be longer than a page
 *
 * Return: size of the text.
 */
size_t odd_event_value(struct event *event, char *to)
{
	size_t size, at;

	switch (rnd(4)) {
	case 0:
		return long_filter(event, to);
	case 1:
		return odd_text(to);
	}
	/* a filter or trigger with one error */
	size = chance(3) ? sprintf(to, "stacktrace:3 if ") : 0;
	size += make_filter(event, to + size, FILTER_SIZE);
	at = rnd(size);
	if (chance(3))
		return at;
	to[at] = "()!&|=<>~\"'{}. \t\n:,\\0a\377"[rnd(24)];
	return size;
}
