// SPDX-License-Identifier: GPL-2.0
/*
 * bench_events - costs of trace events, one "name<tab>value" line each
 *
 *	bench_events [GROUP...]	the rows, if the group "events" is named, or none is
 *	bench_events quick	the rows that guest/bench-quick compares
 *	bench_events switching	all events on and off
 *	bench_events initcalls	time of the initcalls: needs trace_event=initcall:initcall_level;
 *				and memory after boot
 */
#define _GNU_SOURCE
#include <err.h>
#include <glob.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define INTEGERS	"events/trace_bench/bench_integers/"
#define STRING		"events/trace_bench/bench_string/"
#define RARE		"events/module/module_load/"
#define MANY		"events/syscalls/"

/* The cost of an event beyond @off. */
static void row_of_event(const char *name, double off)
{
	row(name, cost_in_kernel("integers") - off);
}

static void row_of_string(void)
{
	double off = cost_in_kernel("string");

	put(STRING "enable", "1");
	row("+ event with a string", cost_in_kernel("string") - off);
	put(STRING "enable", "0");
}

/* A filter with one comparison, and one with 16 that are false and joined by "||". */
static void row_of_comparisons(double off)
{
	char text[16 * sizeof("first == 1000000 || ")] = "";
	double one;

	put(INTEGERS "filter", "first == 1000000");
	one = cost_in_kernel("integers");
	row("+ event, filtered out by a number", one - off);
	for (int i = 0; i < 16; i++)
		sprintf(text + strlen(text), "%sfirst == %d", i ? " || " : "", 1000000 + i);
	put(INTEGERS "filter", text);
	row("+ each further comparison", (cost_in_kernel("integers") - one) / 15);
}

/* Called with the event on. */
static void rows_of_filters(double off)
{
	static const struct {
		const char	*row;
		const char	*filter;
	} filters[] = {
		{ "+ event, filtered out by common_pid", "common_pid == 1" },
		{ "+ event, filtered out by comm", "comm == \"other\"" },
		{ "+ event, filtered out by cpu", "cpu == 1" },
		{ "+ event, filtered in", "first != 1000000" },
	};

	row_of_comparisons(off);
	for (unsigned int i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		put(INTEGERS "filter", filters[i].filter);
		row_of_event(filters[i].row, off);
	}
	put(INTEGERS "filter", "0");
}

/* A trigger that records a stack at each event. */
static void row_of_trigger(double off)
{
	put(INTEGERS "trigger", "stacktrace");
	row_of_event("+ event with a trigger stacktrace", off);
	put(INTEGERS "trigger", "!stacktrace");
}

static void rows_of_top(double off)
{
	put(INTEGERS "enable", "1");
	row_of_event("+ event of two integers", off);
	put("tracing_on", "0");
	row_of_event("+ event, tracing_on = 0", off);
	put("tracing_on", "1");
	put("set_event_pid", "1");
	row_of_event("+ event, other pid", off);
	put("set_event_pid", "");
	rows_of_filters(off);
	row_of_trigger(off);
	put(INTEGERS "enable", "0");
	row_of_string();
}

/* A perf event of this task that samples each occurrence, and overwrites the oldest samples. */
static int sample_integers(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = number(INTEGERS "id"),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_RAW,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t size = 65 * sysconf(_SC_PAGESIZE);

	if (fd < 0 || mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		err(1, "perf event");
	return fd;
}

static void rows_of_users(double off)
{
	int fd;

	for (int i = 0; i < 2; i++) {
		if (mkdir(instance(i, ""), 0755))
			err(1, "mkdir");
		put(instance(i, INTEGERS "enable"), "1");
	}
	row_of_event("+ event, two instances", off);
	put(instance(1, INTEGERS "enable"), "0");
	fd = sample_integers();
	row_of_event("+ event, in an instance and for perf", off);
	close(fd);
	for (int i = 0; i < 2; i++) {
		put(instance(i, INTEGERS "enable"), "0");
		if (rmdir(instance(i, "")))
			err(1, "rmdir");
	}
}

static void row_of_syscalls(void)
{
	put("events/raw_syscalls/enable", "1");
	row("getppid(), raw_syscalls on", cost(20, 500, call_getppid));
	put("events/raw_syscalls/enable", "0");
}

/* It fails at once, because of the flags. The path has 20 characters. */
static void call_unlinkat(void)
{
	syscall(SYS_unlinkat, -1, "/there/is/no/such/it", -1);
}

/* Without the file, the kernel does not read the strings of programs. */
static void rows_of_user_strings(void)
{
	bool reads = !access("syscall_user_buf_size", F_OK);
	double off = cost(20, 500, call_unlinkat);

	if (reads)
		put("syscall_user_buf_size", "0");
	put("events/syscalls/sys_enter_unlinkat/enable", "1");
	row("+ sys_enter event, path not read", cost(20, 500, call_unlinkat) - off);
	if (reads) {
		put("syscall_user_buf_size", "63");
		row("+ sys_enter event, path of 20 bytes", cost(20, 500, call_unlinkat) - off);
	}
	put("events/syscalls/sys_enter_unlinkat/enable", "0");
}

static void row_of_all(void)
{
	put("events/enable", "1");
	row("fork + exit + wait, all events on", cost(10, 2, fork_exit_wait));
	put("events/enable", "0");
}

static int compare_numbers(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

/* The median of some: a tick may come meanwhile. */
static void row_of_one_off(const char *name, const char *file, const char *on, const char *off)
{
	double ns[5];

	for (int i = 0; i < 5; i++) {
		put(file, on);
		usleep(100000);
		ns[i] = -now();
		put(file, off);
		ns[i] += now();
	}
	qsort(ns, 5, sizeof(ns[0]), compare_numbers);
	row(name, ns[2]);
}

/* Switch 100 off one after the other: each may have to wait for something, or all of them once. */
static void row_of_100_off(const char *name, const char *trigger, const char *off)
{
	double ns = 0, start;

	for (int i = 0; i < 100; i++) {
		put(INTEGERS "trigger", trigger);
		start = now();
		put(INTEGERS "trigger", off);
		ns += now() - start;
	}
	row(name, ns);
}

static void rows_of_filters_off(void)
{
	row_of_one_off("one filter off: latency", INTEGERS "filter", "first == 1000000", "0");
	row_of_one_off("filters of a system off: latency", MANY "filter", "common_pid == 1", "0");
	row_of_one_off("one trigger off: latency", INTEGERS "trigger", "traceoff", "!traceoff");
	row_of_100_off("100 triggers off in a row", "traceoff", "!traceoff");
	row_of_100_off("100 triggers snapshot off in a row", "snapshot", "!snapshot");
}

/*
 * Bytes of the objects in slab caches. A cache that is shrunk gives the slabs of the CPUs back to
 * the lists, so that the numbers in slabinfo are exact.
 */
static double slab_bytes(void)
{
	unsigned long objects, size;
	double bytes = 0;
	char line[256];
	glob_t caches;
	FILE *f;

	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &caches))
		errx(1, "no slab caches can be shrunk");
	for (size_t i = 0; i < caches.gl_pathc; i++)
		put(caches.gl_pathv[i], "1");
	globfree(&caches);
	f = fopen("/proc/slabinfo", "r");
	if (!f)
		err(1, "slabinfo");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %lu %*u %lu", &objects, &size) == 2)
			bytes += (double)objects * size;
	fclose(f);
	return bytes;
}

/*
 * Memory of a filter for all events of a system. Memory that an event needs once it has had a
 * filter does not count.
 */
static void row_of_filter_memory(void)
{
	glob_t events;
	double before;

	if (glob(MANY "*/filter", 0, NULL, &events))
		errx(1, "%s: no filters", MANY);
	put(MANY "filter", "common_pid == 1");
	put(MANY "filter", "0");
	usleep(200000);
	before = slab_bytes();
	put(MANY "filter", "common_pid == 1 && common_flags != 3");
	row("memory of a filter, bytes", (slab_bytes() - before) / events.gl_pathc);
	put(MANY "filter", "0");
	globfree(&events);
}

/*
 * Switch on and off several times, after a first time that may need memory. A tracepoint that is
 * switched again at once waits for a grace period, so there are pauses.
 */
static void switch_event(const char *file, double *on, double *off)
{
	const int times = 5;

	*on = *off = 0;
	for (int i = 0; i <= times; i++) {
		double start = now(), end;

		put(file, "1");
		end = now();
		*on += i ? end - start : 0;
		usleep(200000);
		start = now();
		put(file, "0");
		end = now();
		*off += i ? end - start : 0;
		usleep(200000);
	}
	*on /= times;
	*off /= times;
}

static void rows_of_switching_all(void)
{
	double on, off;

	switch_event("events/enable", &on, &off);
	row("all events on", on);
	row("all events off: latency", off);
}

static void rows_of_switching_one(void)
{
	double on, off;

	switch_event(INTEGERS "enable", &on, &off);
	row("one event on", on);
	row("one event off: latency", off);
}

static void rows_of_switching(void)
{
	rows_of_switching_all();
	rows_of_switching_one();
	rows_of_filters_off();
	row_of_filter_memory();
}

/* The least of some: a reader may wait for a worker that detaches events. */
static void row_of_listing(void)
{
	double cost, least = cost_per_line("available_events");

	for (int i = 0; i < 3; i++) {
		cost = cost_per_line("available_events");
		if (cost < least)
			least = cost;
	}
	row("available_events, per line", least);
}

/* Which events are in the buffer differs by chance. */
static void row_of_reading(void)
{
	static const char * const systems[] = { "sched", "kmem", "raw_syscalls" };
	char file[64];

	put("trace", "");
	for (int on = 1; on >= 0; on--) {
		for (unsigned int i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
			snprintf(file, sizeof(file), "events/%s/enable", systems[i]);
			put(file, on ? "1" : "0");
		}
		for (int i = 0; on && i < 50; i++)
			fork_exit_wait();
	}
	row("read trace, per event line", cost_per_line("trace"));
}

static void yield(void)
{
	sched_yield();
}

/*
 * Two tasks have the same real-time priority: each call switches to the other task, until that
 * calls.
 */
static double cost_of_switch(void)
{
	struct sched_param priority = { .sched_priority = 1 }, none = { 0 };
	double switches;
	pid_t other;

	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		err(1, "sched_setscheduler");
	other = fork();
	if (!other)
		for (;;)
			yield();
	switches = cost(20, 100, yield);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	sched_setscheduler(0, SCHED_OTHER, &none);
	return switches / 2;
}

static void row_of_pids(void)
{
	double off = cost_of_switch();

	put("set_event_pid", "1");
	put(RARE "enable", "1");
	row("+ switch of tasks, set_event_pid and a rare event", cost_of_switch() - off);
	put(RARE "enable", "0");
	put("set_event_pid", "");
}

static void row_of_enums(void)
{
	const int times = 3;
	int fd = open_module("event_enums_test");
	double ns = 0, start;

	for (int i = 0; i < times; i++) {
		start = now();
		if (syscall(SYS_finit_module, fd, "", 0))
			err(1, "event_enums_test");
		ns += now() - start;
		if (syscall(SYS_delete_module, "event_enums_test", O_NONBLOCK))
			err(1, "delete event_enums_test");
	}
	close(fd);
	row("load a module of 700 enums", ns / times);
}

static void rows_of_events(void)
{
	double off = cost_in_kernel("integers");

	rows_of_top(off);
	rows_of_users(off);
	row_of_syscalls();
	rows_of_user_strings();
	row_of_all();
	rows_of_switching();
	row_of_listing();
	row_of_reading();
	row_of_pids();
	row_of_enums();
}

/* Rows that are the same in each boot, and need no grace period. */
static void rows_of_quick(void)
{
	rows_of_top(cost_in_kernel("integers"));
	row_of_syscalls();
	rows_of_user_strings();
	row_of_all();
	/* Wait until a worker has detached the events. */
	usleep(200000);
	row_of_listing();
	rows_of_filters_off();
}

/* The time in nanoseconds at which the initcalls of a level began. */
static double begin_of_level(const char *level)
{
	char line[256], want[64];
	double seconds = 0;
	FILE *f = fopen("trace", "r");

	snprintf(want, sizeof(want), "initcall_level: level=%s\n", level);
	while (f && !seconds && fgets(line, sizeof(line), f))
		if (strstr(line, want) && sscanf(strstr(line, want) - 12, "%lf", &seconds) != 1)
			errx(1, "no time: %s", line);
	if (!seconds)
		errx(1, "no level %s in the trace", level);
	fclose(f);
	return seconds * 1e9;
}

static void rows_of_boot(void)
{
	row("boot from subsys_initcall to late_initcall",
	    begin_of_level("late") - begin_of_level("subsys"));
	row("objects in slab caches after boot, kB", slab_bytes() / 1024);
}

int main(int argc, char **argv)
{
	if (chdir("/sys/kernel/tracing"))
		err(1, "tracefs");
	if (argc == 2 && !strcmp(argv[1], "initcalls")) {
		rows_of_boot();
	} else if (argc == 2 && !strcmp(argv[1], "quick")) {
		rows_of_quick();
	} else if (argc == 2 && !strcmp(argv[1], "switching")) {
		rows_of_switching_all();
		rows_of_switching_one();
	} else if (wanted("events", argv + 1)) {
		rows_of_events();
	}
	return 0;
}
