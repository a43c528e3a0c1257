// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that come and go, some of them with trace events.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "ops.h"

/* Each has functions that can be traced, but prints nothing when they are called. */
static const struct module {
	const char	*file;
	const char	*system;	/* of its events; NULL: it has none */
	bool		fails;		/* it is not loaded, after three seconds */
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

/* As lsmod says it. */
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

/* So that their events are found. */
void load_event_modules(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(modules); i++) {
		if (modules[i].system && !modules[i].fails)
			change_module(i, true);
	}
}

/* How many cannot be removed. What was closed last may take a while to be gone. */
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

/* One that fails is seldom chosen: nobody waits for it as long as for others. */
static unsigned int choose_module(bool with_events)
{
	unsigned int number;

	do {
		number = rnd(ARRAY_SIZE(modules));
	} while ((with_events && !modules[number].system) || (modules[number].fails && rnd(12)));
	return number;
}

void do_module(void)
{
	unsigned int number = choose_module(chance(2));
	bool load = chance(2);

	say("%s %s", load ? "load" : "unload", module_name(number));
	answer(MODULE, change_module(number, load));
}
