// SPDX-License-Identifier: GPL-2.0
/*
 * The list of trace events: those of the kernel, and those of the modules that modules.c loads
 * while control.c looks for files. So the same numbers mean the same events each time, whichever
 * modules are loaded by then.
 */
#include <err.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define FORMAT_SIZE	16384
#define FORMAT_TRIES	1000	/* a read may fail (-m), but not for ever */

static struct event **events;
static unsigned int events_count;

/*
 * There are more than a thousand events, most of which never occur, and several processes would
 * rarely use the same one. So half of the operations are on these, each line equally often.
 */
static const char * const favourites[] = {
	"sched/sched_switch", "sched/sched_wak*", "sched/sched_process_*", "task/*", "signal/*",
	"irq/softirq_*", "irq/*", "timer/*", "kmem/kmalloc", "kmem/kfree", "workqueue/*",
	"raw_syscalls/*", "syscalls/sys_*_openat", "syscalls/sys_*_write", "syscalls/sys_*_read",
	"syscalls/sys_*_perf_event_open", "ftrace/print", "module/*", "cpuhp/*", "sample-trace/*",
	"sample-trace/foo_bar_with_fn", "ftrace_uses/*", "ftrace_uses/job_*", "event_fails/*",
	"custom/*",
};

/* Which events a line has. */
static struct {
	unsigned int	*all, count;
} matching[ARRAY_SIZE(favourites)];

struct event *add_event(const char *system, const char *name)
{
	struct event *event = calloc(1, sizeof(*event));

	events = realloc(events, (events_count + 1) * sizeof(*events));
	if (!event || !events)
		err(2, "memory");
	event->system = strdup(system);
	event->name = strdup(name);
	event->number = events_count;
	events[events_count++] = event;
	return event;
}

unsigned int event_count(void)
{
	return events_count;
}

/* Find an event by its path below events/. Looking for all events in order is fast. */
struct event *find_event(const char *path)
{
	static unsigned int next;
	size_t size = strcspn(path, "/");
	struct event *event;

	for (unsigned int i = 0; i < events_count; i++) {
		event = events[(next + i) % events_count];
		if (strncmp(event->system, path, size) || event->system[size] ||
		    strcmp(event->name, path + size + 1))
			continue;
		next = event->number + 1;
		return event;
	}
	return NULL;
}

void event_path(char *path, const struct event *event, const char *file)
{
	snprintf(path, PATH, TRACEFS "events/%s/%s/%s", event->system, event->name, file);
}

/* Half of the events that are chosen are favourites. */
struct event *random_event(void)
{
	unsigned int line = rnd(ARRAY_SIZE(favourites));

	if (chance(2) || !matching[line].count)
		return events[rnd(events_count)];
	return events[matching[line].all[rnd(matching[line].count)]];
}

/* NULL if the system has no event. */
struct event *random_event_of(const char *system)
{
	unsigned int at = rnd(events_count), i;
	struct event *event;

	for (i = 0; i < events_count; i++) {
		event = events[(at + i) % events_count];
		if (!strcmp(event->system, system))
			return event;
	}
	return NULL;
}

static int field_kind(const char *declaration)
{
	if (strstr(declaration, "char[") || (strstr(declaration, "char ") &&
					     strchr(declaration, '[')))
		return STRING;
	if (strstr(declaration, "char *"))
		return POINTER;
	if (strstr(declaration, "cpumask"))
		return CPUMASK;
	return strchr(declaration, '[') || strstr(declaration, "struct ") ? OTHER : NUMBER;
}

/* @declaration is a line of format: "__data_loc char[] name" or "char comm[16]" */
static void add_field(struct event *event, const char *declaration)
{
	const char *name = strrchr(declaration, ' ');
	struct field *field;

	if (!name || !strncmp(++name, "common_", 7))
		return;
	event->fields = realloc(event->fields, (event->field_count + 1) * sizeof(*field));
	if (!event->fields)
		err(2, "memory");
	field = &event->fields[event->field_count++];
	field->kind = field_kind(declaration);
	snprintf(field->name, sizeof(field->name), "%.*s", (int)strcspn(name, "["), name);
}

static void parse_fields(struct event *event, char *text)
{
	char *at = text, *end;

	while ((at = strstr(at, "\tfield:"))) {
		at += strlen("\tfield:");
		end = strchr(at, ';');
		if (!end)
			break;
		*end = 0;
		add_field(event, at);
		at = end + 1;
	}
}

static bool read_format(const struct event *event, char *text, size_t size)
{
	char path[PATH];
	ssize_t got;
	int fd;

	event_path(path, event, "format");
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return false;
	/* Fields come first. If the text does not fit, the print format is cut. */
	got = read(fd, text, size - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = 0;
	return true;
}

/* Done once: the result must not depend on whether the event's module is loaded later. */
static void learn_fields(struct event *event)
{
	static char text[FORMAT_SIZE];
	unsigned int try = 0;

	event->fields_known = true;
	while (!read_format(event, text, sizeof(text))) {
		if (++try == FORMAT_TRIES)
			errx(2, "no format of %s:%s", event->system, event->name);
	}
	parse_fields(event, text);
}

/* NULL if the event has none. */
const struct field *random_field(struct event *event)
{
	if (!event->fields_known)
		learn_fields(event);
	return event->field_count ? &event->fields[rnd(event->field_count)] : NULL;
}

/*
 * The module of EVENT_THAT_FAILS never stays loaded. The event exists for three seconds each time.
 */
static void add_event_that_fails(void)
{
	struct event *event = add_event("event_fails", "event_fails_soon");

	add_field(event, "int left");
	event->fields_known = true;
}

/* Called when the top instance's files are known, and the modules are loaded. */
void begin_events(void)
{
	char path[PATH];

	add_event_that_fails();
	for (unsigned int nr = 0; nr < events_count; nr++) {
		if (is_event_of_module(events[nr]) && !events[nr]->fields_known)
			learn_fields(events[nr]);
		snprintf(path, sizeof(path), "%s/%s", events[nr]->system, events[nr]->name);
		for (unsigned int i = 0; i < ARRAY_SIZE(favourites); i++) {
			if (fnmatch(favourites[i], path, 0))
				continue;
			matching[i].all = realloc(matching[i].all, (matching[i].count + 1) *
						  sizeof(*matching[i].all));
			if (!matching[i].all)
				err(2, "memory");
			matching[i].all[matching[i].count++] = nr;
		}
	}
}
