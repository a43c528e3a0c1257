// SPDX-License-Identifier: GPL-2.0
/*
 * Noting the state that the fuzzer changes, restoring it, and checking that it is restored.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#define SYSCTL_FILE	"/proc/sys/kernel/ftrace_enabled"
#define RATE_FILE	"/proc/sys/kernel/perf_event_max_sample_rate"
#define NOT_YET		524	/* the kernel's own ENOTSUPP */

struct saved {
	char	*path;
	char	*value;
	int	flags;
};

static struct saved *saved;
static unsigned int saved_count, files_before;

/* Return the number of bytes written, or -1. */
long put(const char *path, int flags, const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | flags);
	long result;

	if (fd < 0)
		return -1;
	result = write(fd, text, size);
	close(fd);
	return result;
}

long put_text(const char *path, int flags, const char *text)
{
	return put(path, flags, text, strlen(text));
}

long set_cpu(unsigned int cpu, bool online)
{
	char path[PATH];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return put(path, 0, online ? "1" : "0", 1);
}

/*
 * Read the part of a file that matters: the value that can be written to it, which is the choice in
 * brackets or the first word; or, if the file has to be empty, the beginning.
 */
static bool get_value(const char *path, int flags, char *value, size_t size)
{
	char text[PATH], *at = text;
	int fd = open(path, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got < 0)
		return false;
	text[got] = 0;
	if (flags & ROW_EMPTY)
		return memcpy(value, text, size);
	if (strchr(text, '['))
		at = strchr(text, '[') + 1;
	at[strcspn(at, "]\n ")] = 0;
	memmove(value, at, strnlen(at, size - 1) + 1);
	value[size - 1] = 0;
	return true;
}

static void save(const char *path, int flags)
{
	char value[PATH] = "";

	if (!get_value(path, flags, value, sizeof(value)))
		return;
	saved = realloc(saved, (saved_count + 1) * sizeof(*saved));
	if (!saved)
		err(2, "memory");
	saved[saved_count++] = (struct saved){ strdup(path), strdup(value), flags };
}

void save_state(void)
{
	char path[PATH];

	for (unsigned int i = 0; i < top.count; i++) {
		const struct row *row = top.all[i].row;

		snprintf(path, sizeof(path), TRACEFS "%s", top.all[i].path);
		if (row && row->flags & (ROW_KEEP | ROW_EMPTY))
			save(path, row->flags);
	}
	save(SYSCTL_FILE, ROW_KEEP);
	save(RATE_FILE, ROW_KEEP);
	files_before = count_controls(TRACEFS);
}

int wrong(const char *what, const char *why)
{
	printf("# not as before: %s: %s\n", what, why);
	return 1;
}

/* Files that were closed last may keep an instance for a while. */
static int remove_instances(void)
{
	DIR *dir = opendir(TRACEFS "instances");
	struct dirent *entry;
	char path[PATH];
	int bad = 0, try;

	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), TRACEFS "instances/%s", entry->d_name);
		for (try = 0; rmdir(path) && errno == EBUSY && try < TRIES; try++)
			usleep(100000);
		if (!access(path, F_OK))
			bad += wrong(path, "cannot be removed");
	}
	closedir(dir);
	return bad;
}

/* Remove commands without and with a count, and those that wait for a module. */
static void remove_commands(void)
{
	static const char * const commands[] = {
		"traceon", "traceoff", "snapshot", "stacktrace", "dump", "cpudump",
	};
	char text[64];

	for (unsigned int i = 0; i < ARRAY_SIZE(commands); i++) {
		snprintf(text, sizeof(text), "!*:%s\n", commands[i]);
		put_text(TRACEFS "set_ftrace_filter", O_APPEND, text);
		snprintf(text, sizeof(text), "!*:%s:0\n", commands[i]);
		put_text(TRACEFS "set_ftrace_filter", O_APPEND, text);
	}
	put_text(TRACEFS "set_ftrace_filter", O_APPEND, "!*:mod:*\n");
	put_text(TRACEFS "set_ftrace_notrace", O_APPEND, "!*:mod:*\n");
}

static void put_back(const struct saved *item)
{
	if (item->flags & ROW_EMPTY)
		put_text(item->path, O_TRUNC, "");
	else
		put(item->path, 0, item->value, strlen(item->value));
}

static int compare(const struct saved *item)
{
	char value[PATH], why[2 * PATH + 32];

	if (!get_value(item->path, item->flags, value, sizeof(value)))
		return wrong(item->path, "cannot be read");
	if (!strcmp(value, item->value))
		return 0;
	snprintf(why, sizeof(why), "\"%s\", was \"%s\"", value, item->value);
	return wrong(item->path, why);
}

/*
 * A CPU that has just gone offline may not have stopped yet; riscv's firmware refuses to start it
 * then.
 */
static int bring_cpus_up(void)
{
	int bad = 0, try;
	bool down;

	for (unsigned int cpu = 1; cpu < cpus; cpu++) {
		for (try = 0; (down = set_cpu(cpu, true) < 0) && try < TRIES; try++) {
			if (errno != NOT_YET)
				break;
			usleep(100000);
		}
		if (down)
			bad += wrong("a CPU", "does not come back");
	}
	return bad;
}

/*
 * Each sample may cause an interrupt. By default a hundred thousand per second are allowed: more
 * than the machine can handle while all functions and events are traced.
 */
void limit_load(void)
{
	char text[16];

	put(RATE_FILE, 0, text, snprintf(text, sizeof(text), "%u\n", PERF_RATE));
}

/* Switch off tracing in an instance, if that is still possible. */
static void relieve_instance(const char *directory)
{
	static const char * const files[][2] = {
		{ "current_tracer", "nop" }, { "events/enable", "0" },
		{ "function_profile_enabled", "0" },
	};
	char path[PATH];

	for (unsigned int i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), TRACEFS "%s%s", directory, files[i][0]);
		put_text(path, 0, files[i][1]);
	}
}

/* The caller does not wait for it. */
void relieve(void)
{
	char directory[64];

	relieve_instance("");
	for (unsigned int i = 0; i < INSTANCES; i++) {
		snprintf(directory, sizeof(directory), "instances/fuzz%u/", i);
		relieve_instance(directory);
	}
}

/* Return the number of things that are not as they were. */
int restore_state(void)
{
	int bad = 0, round;
	unsigned int i;

	bad += bring_cpus_up();
	put_text(SYSCTL_FILE, 0, "1\n");
	bad += remove_instances();
	put_text(TRACEFS "current_tracer", 0, "nop");
	remove_commands();
	bad += restore_events();
	put_text(TRACEFS "snapshot", 0, "0");
	/* some files accept a value only after others have theirs */
	for (round = 0; round < 2; round++) {
		for (i = 0; i < saved_count; i++)
			put_back(&saved[i]);
	}
	put_text(TRACEFS "trace", O_TRUNC, "");
	put_text(TRACEFS "error_log", O_TRUNC, "");
	bad += remove_modules();
	for (i = 0; i < saved_count; i++)
		bad += compare(&saved[i]);
	if (count_controls(TRACEFS) != files_before)
		bad += wrong(TRACEFS, "has other files");
	return bad;
}
