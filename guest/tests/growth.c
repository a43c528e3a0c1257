// SPDX-License-Identifier: GPL-2.0
/*
 * growth ops|instances|buffer - how costs grow with the number of ops or of instances, or with the
 * size of a buffer: a line "name<tab>number<tab>cost" for each of some numbers.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#define GETPPID	"__*_sys_getppid"	/* whatever the architecture calls it */

static void numbered_row(const char *name, long nr, double cost)
{
	printf("%s\t%ld\t%.1f\n", name, nr, cost);
	fflush(stdout);
}

static void put_number(const char *file, long nr)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", nr);
	put(file, text);
}

static double cost_of_event(double off)
{
	return cost(20, 500, call_getppid) - off;
}

/* Each ops has a function of its own. The callback of an ops for one more function is called. */
static void grow_ops(void)
{
	static const long numbers[] = { 1, 4, 16, 64, 128 };

	for (unsigned int i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		put_number(BENCH_MODULE "ops", numbers[i]);
		numbered_row("register", numbers[i], cost_in_kernel("register") / numbers[i]);
		numbered_row("callback", numbers[i], cost_in_kernel("callback1"));
		cost_in_kernel("unregister");
	}
}

/* All instances record the same function. */
static void grow_instances(void)
{
	static const long numbers[] = { 1, 4, 16, 64 };
	double off = cost(20, 500, call_getppid);
	long nr = 0;

	for (unsigned int i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		for (; nr < numbers[i]; nr++) {
			if (mkdir(instance(nr, ""), 0755))
				err(1, "mkdir");
			put(instance(nr, "set_ftrace_filter"), GETPPID);
			put(instance(nr, "current_tracer"), "function");
		}
		numbered_row("instances", nr, cost_of_event(off) / nr);
	}
	while (nr--) {
		put(instance(nr, "current_tracer"), "nop");
		if (rmdir(instance(nr, "")))
			err(1, "rmdir");
	}
}

/* Resize from next to nothing to a number of MB, and record events in the new buffer. */
static void grow_buffer(void)
{
	static const long numbers[] = { 1, 10, 100, 1000 };
	double off = cost(20, 500, call_getppid), resize;

	put("set_ftrace_filter", GETPPID);
	for (unsigned int i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		put_number("buffer_size_kb", 16);
		resize = -now();
		put_number("buffer_size_kb", numbers[i] << 10);
		numbered_row("resize", numbers[i], (resize + now()) / numbers[i]);
		put("current_tracer", "function");
		numbered_row("event in", numbers[i], cost_of_event(off));
		put("current_tracer", "nop");
	}
	put("set_ftrace_filter", "");
}

int main(int argc, char **argv)
{
	if (chdir("/sys/kernel/tracing"))
		err(1, "tracefs");
	if (argc == 2 && !strcmp(argv[1], "ops"))
		grow_ops();
	else if (argc == 2 && !strcmp(argv[1], "instances"))
		grow_instances();
	else if (argc == 2 && !strcmp(argv[1], "buffer"))
		grow_buffer();
	else
		errx(1, "usage: growth ops|instances|buffer");
	return 0;
}
