// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading modules, some of them with trace events, which are used meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops.h"

#define JOB_FILE	"/sys/module/ftrace_uses_event/parameters/job"

/* All of them have functions that can be traced, and print nothing when these are called. */
static const struct module {
	const char	*file;
	const char	*system;	/* of its events; NULL: it has none */
	bool		fails;		/* its init function fails after three seconds */
} modules[] = {
	{ .file = "updates/trace_sites_100.ko" },
	{ .file = "updates/ftrace_pid_test.ko" },
	{ .file = "updates/trace_array_test.ko" },
	{ .file = "kernel/samples/kobject/kobject-example.ko" },
	{ .file = "kernel/samples/ftrace/ftrace-direct.ko" },
	{ .file = "updates/ftrace_uses_event.ko", .system = "ftrace_uses" },
	{ .file = "kernel/samples/trace_events/trace-events-sample.ko", .system = "sample-trace" },
	{ .file = "kernel/samples/trace_events/trace_custom_sched.ko", .system = "custom" },
	{ .file = "updates/event_fails_test.ko", .system = "event_fails", .fails = true },
};

unsigned int module_count(void)
{
	return ARRAY_SIZE(modules);
}

/* The name as lsmod prints it. */
const char *module_name(unsigned int number)
{
	static char name[64];
	char *at;

	snprintf(name, sizeof(name), "%s", strrchr(modules[number].file, '/') + 1);
	*strchr(name, '.') = 0;
	for (at = name; *at; at++) {
		if (*at == '-')
			*at = '_';
	}
	return name;
}

static long load_file(const char *file)
{
	struct utsname uts;
	char path[PATH];
	long result;
	int fd;

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s/%s", uts.release, file);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	result = syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	return result;
}

long change_module(unsigned int number, bool load)
{
	if (load)
		return load_file(modules[number].file);
	return syscall(SYS_delete_module, module_name(number), O_NONBLOCK);
}

/* Load them, so that their events are found. */
void load_event_modules(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(modules); i++) {
		if (modules[i].system && !modules[i].fails)
			change_module(i, true);
	}
}

/*
 * Return the number of modules that cannot be removed. Files that were closed last may take a
 * while.
 */
int remove_modules(void)
{
	char path[PATH];
	int bad = 0, try;

	for (unsigned int i = 0; i < ARRAY_SIZE(modules); i++) {
		for (try = 0; change_module(i, false) && errno != ENOENT && try < TRIES; try++)
			usleep(100000);
		snprintf(path, sizeof(path), "/sys/module/%s", module_name(i));
		if (!access(path, F_OK))
			bad += wrong(path, "cannot be removed");
	}
	return bad;
}

bool is_event_of_module(const struct event *event)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(modules); i++) {
		if (modules[i].system && !strcmp(modules[i].system, event->system))
			return true;
	}
	return false;
}

/* A module that fails takes longer than others, so it is chosen seldom. */
static unsigned int choose_module(bool with_events)
{
	unsigned int number;

	do {
		number = rnd(ARRAY_SIZE(modules));
	} while ((with_events && !modules[number].system) || (modules[number].fails && rnd(12)));
	return number;
}

static void change(void)
{
	unsigned int number = choose_module(chance(2));
	bool load = chance(2);

	say("%s %s", load ? "load" : "unload", module_name(number));
	answer(MODULE, change_module(number, load));
}

/* The module's functions call its events. */
static long do_jobs(unsigned int steps)
{
	char text[8];

	return put(JOB_FILE, 0, text, snprintf(text, sizeof(text), "%u\n", steps));
}

static void work(void)
{
	unsigned int steps = rnd(12);

	say("job %u", steps);
	answer(MODULE, do_jobs(steps));
}

/* Look at the directories of a system that may come or go. */
static void list_directory(void)
{
	const char *system = modules[choose_module(true)].system;
	struct event *event = random_event_of(system);
	char path[PATH];
	struct dirent *entry;
	struct stat stat;
	long count = 0;
	DIR *dir;

	if (chance(2))
		snprintf(path, sizeof(path), TRACEFS "events/%s/%s", system,
			 event ? event->name : "");
	else
		snprintf(path, sizeof(path), TRACEFS "events/%s", system);
	if (chance(3))
		snprintf(path, sizeof(path), TRACEFS "instances/fuzz%u/events/%s",
			 rnd(INSTANCES), system);
	say("look %s", path);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		fstatat(dirfd(dir), entry->d_name, &stat, 0);
		count++;
	}
	answer(MODULE, dir ? count : -1);
	if (dir)
		closedir(dir);
}

/* References to an event while its module is unloaded. */
struct held {
	int	fd;
	long	perf;
};

static void use_event(struct event *event, struct held *held)
{
	static const char * const files[] = { "enable", "filter", "format", "id", "trigger" };
	static char value[VALUE];
	char path[PATH];

	switch (rnd(6)) {
	case 0:
		event_path(path, event, "enable");
		put(path, 0, "1", 1);
		break;
	case 1:
		event_path(path, event, "filter");
		put(path, 0, value, event_value('q', event, value));
		break;
	case 2:
		event_path(path, event, "trigger");
		put(path, 0, "stacktrace:5", 12);
		break;
	case 3:
		if (held->perf >= 0)
			close(held->perf);
		held->perf = open_perf_event(event);
		break;
	default:
		event_path(path, event, files[rnd(ARRAY_SIZE(files))]);
		if (held->fd >= 0)
			close(held->fd);
		held->fd = open(path, O_RDONLY);
	}
}

/* Another process loads the module, and is killed: at once, or when the module is loaded. */
static pid_t load_in_child(unsigned int number, unsigned int us)
{
	pid_t child = fork();

	if (!child)
		_exit(change_module(number, true) ? 1 : 0);
	if (child > 0)
		usleep(us);
	return child;
}

static void churn_module(void)
{
	unsigned int number = choose_module(true), uses = rnd(6), us = rnd(20000), i;
	struct event *event = random_event_of(modules[number].system);
	bool first = chance(2), in_child = chance(4) || modules[number].fails;
	struct held held = { -1, -1 };
	char text[64];
	pid_t child = 0;

	say("churn %s %u %s%s", module_name(number), uses, first ? "first" : "last",
	    in_child ? " child" : "");
	if (in_child)
		child = load_in_child(number, us);
	else
		change_module(number, true);
	for (i = 0; event && i < uses; i++)
		use_event(event, &held);
	do_jobs(3);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	/* the references are dropped before or after the module is unloaded */
	if (held.perf >= 0 && first)
		close(held.perf);
	answer(MODULE, change_module(number, false));
	if (held.fd >= 0 && read(held.fd, text, sizeof(text)) >= 0)
		lseek(held.fd, 0, SEEK_SET);
	if (held.fd >= 0)
		close(held.fd);
	if (held.perf >= 0 && !first)
		close(held.perf);
}

void do_module(void)
{
	static void (* const uses[])(void) = {
		change, change, change, change, change, work, work, list_directory, churn_module,
		churn_module,
	};

	uses[rnd(ARRAY_SIZE(uses))]();
}
