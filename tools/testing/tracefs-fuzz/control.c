// SPDX-License-Identifier: GPL-2.0
/*
 * The control files that there are. The top instance is walked, and one that is made for
 * it; the lists are sorted, so that the same numbers mean the same files each time.
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

static void add_control(struct controls *list, const char *path)
{
	list->all = realloc(list->all, (list->count + 1) * sizeof(*list->all));
	if (!list->all)
		err(2, "memory");
	list->all[list->count++] = (struct control){ strdup(path), find_row(path) };
}

static void walk(struct controls *list, const char *root, const char *below)
{
	struct dirent **found;
	struct stat stat;
	char path[PATH], name[PATH];
	int i, count;

	snprintf(path, sizeof(path), "%s%s", root, below);
	count = scandir(path, &found, NULL, alphasort);
	for (i = 0; i < count; i++) {
		const char *entry = found[i]->d_name;

		if (!strcmp(entry, ".") || !strcmp(entry, "..") ||
		    (!*below && !strcmp(entry, "instances")))
			continue;
		snprintf(name, sizeof(name), "%s%s%s", below, *below ? "/" : "", entry);
		snprintf(path, sizeof(path), "%s%.400s", root, name);
		if (lstat(path, &stat))
			continue;
		if (S_ISDIR(stat.st_mode))
			walk(list, root, name);
		else
			add_control(list, name);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
}

void list_controls(struct controls *list, const char *root)
{
	walk(list, root, "");
	if (!list->count)
		errx(2, "no files in %s", root);
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
		tracers.all = realloc(tracers.all, (tracers.count + 1) * sizeof(*tracers.all));
		if (!tracers.all)
			err(2, "memory");
		tracers.all[tracers.count++] = word;
	}
}

static const struct control *choose_from(const struct controls *list, bool known)
{
	const struct control *control;
	const char *glob;
	unsigned int i, at;

	if (!known && chance(4))
		return &list->all[rnd(list->count)];
	glob = random_row_glob();
	at = rnd(list->count);
	for (i = 0; i < list->count; i++) {
		control = &list->all[(at + i) % list->count];
		if (!fnmatch(glob, control->path, 0))
			return control;
	}
	return &list->all[at];
}

/* Its path is written to @path; with @known, one of those that most is known about, mostly. */
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
