// SPDX-License-Identifier: GPL-2.0
/*
 * In the end no event is on or held in the top instance, and none has a filter or a trigger.
 * Instances are removed, with their own.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define ROUNDS	10000	/* as many triggers and commands there may be */

static FILE *open_list(const char *name)
{
	char path[PATH];

	snprintf(path, sizeof(path), TRACEFS "%s", name);
	return fopen(path, "r");
}

/* The first line of a file that has such a word. The caller frees it. NULL: there is none. */
static char *first_line(const char *name, const char *word)
{
	FILE *file = open_list(name);
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	while (file && !found && getline(&line, &size, file) > 0)
		found = strstr(line, word);
	if (file)
		fclose(file);
	if (found)
		return line;
	free(line);
	return NULL;
}

/*
 * FUNCTION:enable_event:SYSTEM:EVENT:COUNT, or "unlimited" for the count. Those with a count and
 * those without one are removed each by a word of their own.
 */
static bool remove_command(void)
{
	char *line = first_line("set_ftrace_filter", "able_event:"), *at, *end;
	char text[PATH];

	if (!line)
		return false;
	at = strchr(line, ':');
	end = strrchr(line, ':');
	*end = 0;
	snprintf(text, sizeof(text), "!*%s\n", at);
	put_text(TRACEFS "set_ftrace_filter", O_APPEND, text);
	snprintf(text, sizeof(text), "!*%s:0\n", at);
	put_text(TRACEFS "set_ftrace_filter", O_APPEND, text);
	free(line);
	return true;
}

/* SYSTEM:EVENT, a tab, and the trigger. */
static bool remove_trigger(void)
{
	char *line = first_line("show_event_triggers", "\t"), *at, *end;
	char path[PATH], text[PATH];

	if (!line)
		return false;
	at = strchr(line, '\t');
	*at++ = 0;
	end = strstr(at, " if ");
	if (end)
		*end = 0;
	end = strchr(line, ':');
	*end = '/';
	snprintf(path, sizeof(path), TRACEFS "events/%s/trigger", line);
	snprintf(text, sizeof(text), "!%s\n", at);
	put_text(path, 0, text);
	free(line);
	return true;
}

/* Also texts that were refused, which the files still show. */
static void remove_filters(void)
{
	char path[PATH];

	for (unsigned int i = top.plain; i < top.count; i++) {
		if (top.all[i].event || fnmatch("events/*/filter", top.all[i].path, 0))
			continue;
		snprintf(path, sizeof(path), TRACEFS "%s", top.all[i].path);
		put_text(path, 0, "0");
	}
}

static int check_empty(const char *name)
{
	char *line = first_line(name, "");
	int bad = 0;

	if (line) {
		line[strcspn(line, "\n")] = 0;
		bad = wrong(name, line);
	}
	free(line);
	return bad;
}

/* How many things are not as they should be. */
int restore_events(void)
{
	unsigned int round;
	char *line;
	int bad = 0;

	put_text(TRACEFS "set_event", O_TRUNC, "");
	put_text(TRACEFS "set_ftrace_filter", O_TRUNC, "");
	for (round = 0; round < ROUNDS && remove_command(); round++)
		;
	for (round = 0; round < ROUNDS && remove_trigger(); round++)
		;
	/* once nobody holds them */
	put_text(TRACEFS "set_event", O_TRUNC, "");
	remove_filters();
	bad += check_empty("set_event");
	bad += check_empty("show_event_triggers");
	bad += check_empty("show_event_filters");
	line = first_line("events/enable", "0\n");
	if (!line)
		bad += wrong("events/enable", "is not 0");
	free(line);
	return bad;
}
