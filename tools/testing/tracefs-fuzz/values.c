// SPDX-License-Identifier: GPL-2.0
/*
 * The values that are written to each file. Values are words with a few letters that stand for
 * something else each time:
 *
 *	%f	functions: a name, a glob, all of them
 *	%F	few functions: nothing that runs all the time
 *	%m	a module
 *	%n	a small number
 *	%N	any number
 *	%i	a number that a function has in available_filter_functions
 *	%p	a pid: one of our processes', init's, none
 *	%t	a tracer
 *	%o	an option
 *	%e	an event, as SYSTEM:EVENT; %E: the one whose file it is
 *	%s, %v	the system of an event, the name of one
 *	%q	a filter of the event whose file it is
 *	%k	FIELD=VALUE of that event
 *	%b	bytes, for files that take no text
 *
 * Numbers that would take the guest's memory or its time are left out of correct values, and of the
 * garbage for files with the flag ROW_BOUNDED.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

#define FEWEST_FUNCTIONS	1000	/* any kernel has as many to trace */

/* The event whose file is written; NULL: none. */
static struct event *its_event;

#define FUNCTION_FILTER \
	"%f", "%f", "%f", "!%f", "%f %f", "%f\n%f\n!%f", "%i", "!%i", "%i %i %f", \
	"%f:mod:%m", "!%f:mod:%m", "%f:mod:!%m", "*:mod:%m", "!*:mod:%m", \
	"*:mod:no_such_module", "!*:mod:no_such_module"

static const struct row rows[] = {
	{ "current_tracer", ROW_KEEP, { "%t", "%t", "nop" } },
	{ "tracing_on", ROW_KEEP, { "0", "1", "1", "1" } },
	{ "tracing_cpumask", ROW_KEEP, { "1", "2", "3", "f", "0", "00000003" } },
	{ "trace_clock", ROW_KEEP, { "local", "global", "counter", "uptime", "perf", "mono",
	  "mono_raw", "boot", "tai" } },
	{ "trace_options", 0, { "%o", "no%o" } },
	{ "options/*", ROW_KEEP, { "0", "1" } },
	{ "buffer_size_kb", ROW_KEEP | ROW_BOUNDED, { "1", "%n", "4%n", "64", "128", "256",
	  "384" } },
	{ "per_cpu/cpu*/buffer_size_kb", ROW_BOUNDED, { "1", "%n", "32", "100", "256" } },
	{ "buffer_subbuf_size_kb", ROW_KEEP | ROW_BOUNDED, { "4", "4", "8", "16", "32", "64",
	  "128" } },
	{ "syscall_user_buf_size", ROW_KEEP, { "0", "1", "63", "165", "%n" } },
	{ "buffer_percent", ROW_KEEP, { "0", "1", "50", "100", "%n%n" } },
	{ "free_buffer", 0, { "0", "" } },
	{ "snapshot", 0, { "0", "1", "1", "2" } },
	{ "per_cpu/cpu*/snapshot", 0, { "0", "1", "2" } },
	{ "trace", 0, { "", "0" } },
	{ "per_cpu/cpu*/trace", 0, { "" } },
	{ "trace_marker", 0, { "%n words", "%f", "%b", "\n", "two\nlines", "" } },
	{ "trace_marker_raw", 0, { "\1%b", "idxx%b", "%b%b%b" } },
	{ "error_log", 0, { "" } },
	{ "saved_cmdlines_size", ROW_KEEP | ROW_BOUNDED, { "1", "%n", "128", "1024", "16%n" } },
	{ "tracing_thresh", ROW_KEEP, { "0", "0", "1", "%n0", "%n000" } },
	{ "tracing_max_latency", 0, { "0", "0", "%n00" } },
	{ "max_graph_depth", ROW_KEEP, { "0", "1", "2", "%n" } },
	{ "set_ftrace_filter", ROW_EMPTY, { FUNCTION_FILTER, "%F:traceoff", "%F:traceon:%n",
	  "!%F:traceoff", "%F:snapshot:1", "!%F:snapshot", "%F:stacktrace:%n", "!*:stacktrace",
	  "%F:dump", "!*:traceo*", "%F:cpudump:1", "%F:enable_event:%e", "%F:disable_event:%e:%n",
	  "!%F:enable_event:%e", "!*:disable_event:%e:1" } },
	{ "set_ftrace_notrace", ROW_EMPTY, { FUNCTION_FILTER } },
	{ "set_graph_function", ROW_EMPTY, { "%f", "%F", "!%f", "%f %F", "%i", "*" } },
	{ "set_graph_notrace", ROW_EMPTY, { "%f", "%F", "!%f", "%f %F", "%i" } },
	{ "set_ftrace_pid", ROW_EMPTY, { "%p", "%p %p", "%p\n%p\n", "" } },
	{ "set_ftrace_notrace_pid", ROW_EMPTY, { "%p", "%p %p", "" } },
	{ "function_profile_enabled", ROW_KEEP, { "0", "1" } },
	{ "hwlat_detector/width", ROW_KEEP | ROW_BOUNDED, { "%n0", "%n00", "1000" } },
	{ "hwlat_detector/window", ROW_KEEP | ROW_BOUNDED, { "%n000", "%n0000", "1000000" } },
	{ "hwlat_detector/mode", ROW_KEEP, { "none", "round-robin", "per-cpu" } },
	{ "set_event", ROW_EMPTY, { "%e", "%e", "%e %e !%e", "!%e", "!%e", "%s:", "!%s:", "%s:*",
	  "!%s:*", ":%v", "*:%v", "!*:%v", "%v", "%s", "!%s", "%e:mod:%m", "!%e:mod:%m",
	  ":mod:%m", "!:mod:%m", "%s:mod:%m", "!%s:*:mod:%m", "*:*:mod:%m", "!*:*:mod:%m",
	  "%v:mod:%m", "*:*", "!*:*", "!*:*", "" } },
	{ "set_event_pid", ROW_EMPTY, { "%p", "%p %p", "%p\n%p\n", "" } },
	{ "set_event_notrace_pid", ROW_EMPTY, { "%p", "%p %p", "" } },
};

static const char * const functions[] = {
	"schedule", "vfs_read", "vfs_*", "*spin_lock*", "*_irq*", "kfree", "*alloc*", "mutex_lock",
	"do_idle", "tick_*", "*rcu*", "trace_site*", "wake_up_*", "*fork*", "do_exit", "[a-f]*",
	"*sched*tick*", "*", "*", "*", "__arm64_sys_*", "__riscv_sys_*", "#1", "no_such_function",
};

static const char * const few_functions[] = {
	"do_exit", "kernel_clone", "proc_reg_open", "trace_site_1*", "cpu_up", "load_module",
	"do_mmap", "ksys_lseek", "tracefs_*", "do_sendfile",
};

const struct row *find_row(const char *path)
{
	if (!strncmp(path, "events/", 7))
		return find_event_row(path);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!fnmatch(rows[i].glob, path, 0))
			return &rows[i];
	}
	return NULL;
}

/* All rows are equally likely, however many files match them. */
const char *random_row_glob(void)
{
	return rows[rnd(ARRAY_SIZE(rows))].glob;
}

static unsigned int count_values(const struct row *row)
{
	unsigned int n = 0;

	while (n < ARRAY_SIZE(row->values) && row->values[n])
		n++;
	return n;
}

static size_t random_bytes(char *to, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = rnd(256);
	return size;
}

static const char *random_option(void)
{
	const struct control *control;

	do {
		control = &top.all[rnd(top.count)];
	} while (strncmp(control->path, "options/", 8));
	return control->path + 8;
}

static size_t expand_letter(char letter, char *to)
{
	static const int small[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const char * const numbers[] = {
		"-1", "0x", "0x10", "010", "2147483647", "2147483648", "4294967295", "4294967296",
		"9223372036854775807", "9223372036854775808", "18446744073709551615",
		"99999999999999999999", "-9223372036854775808", "1000000000000", "65536", "1e3",
	};
	static const int pids[] = { 0, 1, 2, FIRST_PID, FIRST_PID + 1, FIRST_PID + 2, 999999,
				    32768 };

	switch (letter) {
	case 'f':
		return sprintf(to, "%s", functions[rnd(ARRAY_SIZE(functions))]);
	case 'F':
		return sprintf(to, "%s", few_functions[rnd(ARRAY_SIZE(few_functions))]);
	case 'i':
		return sprintf(to, "%u", 1 + rnd(FEWEST_FUNCTIONS));
	case 'm':
		return sprintf(to, "%s", module_name(rnd(module_count())));
	case 'n':
		return sprintf(to, "%d", small[rnd(ARRAY_SIZE(small))]);
	case 'N':
		return sprintf(to, "%s", numbers[rnd(ARRAY_SIZE(numbers))]);
	case 'p':
		return sprintf(to, "%d", pids[rnd(ARRAY_SIZE(pids))]);
	case 't':
		return sprintf(to, "%s", tracers.all[rnd(tracers.count)]);
	case 'o':
		return sprintf(to, "%s", random_option());
	case 'b':
		return random_bytes(to, rnd(chance(8) ? 2000 : 40));
	}
	return event_value(letter, its_event, to);
}

/* A value has only a few letters, so VALUE bytes suffice. */
static size_t expand(const char *value, char *to)
{
	char *at = to;

	for (; *value; value++) {
		if (*value == '%')
			at += expand_letter(*++value, at);
		else
			*at++ = *value;
	}
	return at - to;
}

static size_t value_of_row(const struct row *row, char *to)
{
	size_t size = expand(row->values[rnd(count_values(row))], to);

	/* programs write with and without a newline */
	if (chance(2))
		to[size++] = '\n';
	return size;
}

size_t good_value(const struct control *control, char *to)
{
	its_event = control->event;
	return value_of_row(control->row, to);
}

/* Numbers that are too large, or out of range in any file, and words that are no numbers. */
static size_t out_of_range(char *to)
{
	static const char * const words[] = {
		"-1", "0x", "99999999999999999999", "-99999999999999999999", "1 x", "x", "1,",
		"--1", "+",
	};

	return sprintf(to, "%s\n", words[rnd(ARRAY_SIZE(words))]);
}

static size_t long_word(char *to)
{
	size_t size = chance(2) ? 120 + rnd(20) : 4000 + rnd(200);

	memset(to, "a*%0 :"[rnd(6)], size);
	return size;
}

/* A correct value of another file, cut short or with one wrong byte. */
static size_t spoiled(const struct row *row, char *to)
{
	size_t size;

	if (!row || chance(2))
		row = chance(4) ? random_event_row() : &rows[rnd(ARRAY_SIZE(rows))];
	size = value_of_row(row, to);
	if (!size)
		return 0;
	if (chance(2))
		return rnd(size);
	to[rnd(size)] = "\0:!*?[\t\n -/\377"[rnd(12)];
	return size;
}

static size_t odd_filter(char *to)
{
	static const char * const words[] = {
		"[", "[a-", "*:", ":", "!:", "!", "!!schedule", "*:mod:", "*:mod", ":mod:*",
		"schedule:", "schedule:traceoff:", "schedule:traceoff:-1", "schedule:traceoff:x",
		"schedule:nothing:1", "schedule:mod:ext4:mod:ext4", "*?*?*?*?*", "\\*",
		"schedule schedule ", " ", "\n\n", "##", "#0", "0", "1", "99999999", "%N",
	};

	return expand(words[rnd(ARRAY_SIZE(words))], to);
}

size_t garbage(const struct control *control, char *to)
{
	const struct row *row = control->row;

	its_event = control->event;
	if (row && row->flags & ROW_BOUNDED)
		return chance(4) ? long_word(to) : out_of_range(to);
	if (chance(!strncmp(control->path, "events/", 7) ? 2 : 20))
		return odd_event_value(its_event, to);
	switch (rnd(6)) {
	case 0:
		return long_word(to);
	case 1:
		return random_bytes(to, rnd(300));
	case 2:
		return expand("%N", to);
	case 3:
		return odd_filter(to);
	case 4:
		memset(to, 0, 64);
		return rnd(64);
	default:
		return spoiled(row, to);
	}
}
