// SPDX-License-Identifier: GPL-2.0
/*
 * The list of control files. It is made by walking the top instance and an instance that is made
 * for this. The lists are sorted, so that the same numbers mean the same files each time.
 *
 * More than nine of ten files are below events/. So these have a fixed share of the operations, not
 * a share by their number.
 * not as many as they are.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#define BLANKS	"\n "

struct controls top, inner;
struct words tracers;

static void *grow(void *array, unsigned int count, size_t size)
{
	array = realloc(array, (count + 1) * size);
	if (!array)
		err(2, "memory");
	return array;
}

static void add_control(struct controls *list, const char *path, struct event *event)
{
	list->all = grow(list->all, list->count, sizeof(*list->all));
	list->all[list->count++] = (struct control){ strdup(path), find_row(path), event };
}

/* The files that are added next are in a directory below events/. */
static void begin_folder(struct controls *list, struct event *event)
{
	list->folders = grow(list->folders, list->folder_count, sizeof(*list->folders));
	list->folders[list->folder_count++] = (struct folder){ list->count, 0, event };
}

static void end_folder(struct controls *list)
{
	struct folder *folder = &list->folders[list->folder_count - 1];

	folder->count = list->count - folder->first;
}

/*
 * Return the event of a directory; NULL if it is not that of an event. The top instance has all
 * events, and is walked first.
 */
static struct event *event_of_folder(const struct controls *list, const char *path)
{
	char system[PATH];
	const char *name;

	path += strlen("events");
	if (!*path++ || !strchr(path, '/'))
		return NULL;
	if (list != &top)
		return find_event(path);
	snprintf(system, sizeof(system), "%s", path);
	name = strchr(path, '/') + 1;
	system[name - path - 1] = 0;
	return add_event(system, name);
}

static bool is_directory(const char *path, const struct dirent *entry)
{
	struct stat stat;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return !lstat(path, &stat) && S_ISDIR(stat.st_mode);
}

static bool is_skipped(const char *below, const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..") ||
	       (!*below && (!strcmp(name, "instances") || !strcmp(name, "events")));
}

static void add_file(struct controls *list, const char *path)
{
	struct event *event = NULL;

	if (list && !strncmp(path, "events/", 7))
		event = list->folders[list->folder_count - 1].event;
	if (list)
		add_control(list, path, event);
}

/* List the files of a directory, and then those below it. Without a list, only count them. */
static unsigned int walk(struct controls *list, const char *root, const char *below)
{
	bool is_folder = list && !strncmp(below, "events", 6);
	unsigned int files = 0;
	struct dirent **found;
	char path[PATH], name[PATH];
	int i, count, directories;

	snprintf(path, sizeof(path), "%s%s", root, below);
	count = scandir(path, &found, NULL, alphasort);
	if (is_folder)
		begin_folder(list, event_of_folder(list, below));
	for (directories = 0; directories < 2; directories++) {
		for (i = 0; i < count; i++) {
			if (is_skipped(below, found[i]->d_name))
				continue;
			snprintf(name, sizeof(name), "%s%s%s", below, *below ? "/" : "",
				 found[i]->d_name);
			snprintf(path, sizeof(path), "%s%.400s", root, name);
			if (is_directory(path, found[i]) != directories)
				continue;
			files += directories ? walk(list, root, name) : 1;
			if (!directories)
				add_file(list, name);
		}
		if (is_folder && !directories)
			end_folder(list);
	}
	for (i = 0; i < count; i++)
		free(found[i]);
	if (count >= 0)
		free(found);
	return files;
}

unsigned int count_controls(const char *root)
{
	return walk(NULL, root, "") + walk(NULL, root, "events");
}

/* Add the files of an event whose module is not loaded now. They are like those of any event. */
static void add_missing(struct controls *list, struct event *event)
{
	const struct folder like = list->folders[list->folder_count - 1];
	char path[PATH];

	begin_folder(list, event);
	for (unsigned int i = 0; i < like.count; i++) {
		snprintf(path, sizeof(path), "events/%s/%s%s", event->system, event->name,
			 strrchr(list->all[like.first + i].path, '/'));
		add_control(list, path, event);
	}
	end_folder(list);
}

static void find_folders(struct controls *list)
{
	list->of_event = calloc(event_count(), sizeof(*list->of_event));
	if (!list->of_event)
		err(2, "memory");
	for (unsigned int i = 0; i < list->folder_count; i++) {
		if (list->folders[i].event)
			list->of_event[list->folders[i].event->number] = i;
	}
}

void list_controls(struct controls *list, const char *root)
{
	walk(list, root, "");
	list->plain = list->count;
	walk(list, root, "events");
	if (!list->plain || list->count == list->plain)
		errx(2, "no files in %s", root);
	if (list == &top)
		begin_events();
	add_missing(list, find_event(EVENT_THAT_FAILS));
	find_folders(list);
}

void list_tracers(void)
{
	static char text[PATH];
	ssize_t size;
	int fd = open(TRACEFS "available_tracers", O_RDONLY);

	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		err(2, "available_tracers");
	close(fd);
	text[size] = 0;
	for (char *word = strtok(text, BLANKS); word; word = strtok(NULL, BLANKS)) {
		tracers.all = grow(tracers.all, tracers.count, sizeof(*tracers.all));
		tracers.all[tracers.count++] = word;
	}
}

static const struct control *choose_plain(const struct controls *list, const char *glob)
{
	const struct control *control;
	unsigned int i, at = rnd(list->plain);

	for (i = 0; i < list->plain; i++) {
		control = &list->all[(at + i) % list->plain];
		if (!fnmatch(glob, control->path, 0))
			return control;
	}
	return &list->all[at];
}

/* Choose a file of an event, of a system or of all events; or another file about events. */
static const struct control *choose_event_file(const struct controls *list)
{
	static const char * const globs[] = {
		"set_event", "set_event", "set_event", "set_event_pid", "set_event_notrace_pid",
		"available_events", "show_event_filters", "show_event_triggers",
		"options/event-fork",
	};
	unsigned int how = rnd(16);
	const struct folder *folder = list->folders; /* events/ itself */

	if (how < 3)
		return choose_plain(list, globs[rnd(ARRAY_SIZE(globs))]);
	if (how < 5)
		folder = &list->folders[rnd(list->folder_count)];
	else if (how < 15)
		folder = &list->folders[list->of_event[random_event()->number]];
	if (!folder->count)
		folder = list->folders;
	return &list->all[folder->first + rnd(folder->count)];
}

static const struct control *choose_from(const struct controls *list, bool known)
{
	if (chance(3))
		return choose_event_file(list);
	if (!known && chance(4))
		return &list->all[rnd(list->plain)];
	return choose_plain(list, random_row_glob());
}

/*
 * Choose a file, and write its path to @path. With @known, choose a file that values.c knows, in
 * most cases.
 */
const struct control *choose_control(bool known, char *path)
{
	bool is_top = chance(2);
	const struct control *control = choose_from(is_top ? &top : &inner, known);

	if (is_top)
		snprintf(path, PATH, TRACEFS "%s", control->path);
	else
		snprintf(path, PATH, TRACEFS "instances/fuzz%u/%s", rnd(INSTANCES), control->path);
	return control;
}
