// SPDX-License-Identifier: GPL-2.0
/*
 * growth_events events|instances - how costs of trace events grow with the number of events, or of
 * instances that record one: a line "name<tab>number<tab>cost" for each of some numbers.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

#define EACH		100	/* events of a module */
#define MANY		"many_00"
#define INTEGERS	"events/trace_bench/bench_integers/"

static void numbered_row(const char *name, long nr, double cost)
{
	printf("%s\t%ld\t%.1f\n", name, nr, cost);
	fflush(stdout);
}

static char *module_image(ssize_t *size)
{
	static char image[8 << 20];
	int fd = open_module("trace_" MANY);

	*size = read(fd, image, sizeof(image));
	if (*size < 0)
		err(1, "trace_" MANY);
	close(fd);
	return image;
}

/* Load copy @nr of the module: all of its names have the number. */
static void load(int nr)
{
	ssize_t size;
	char *image = module_image(&size), *name = image;

	while ((name = memmem(name, image + size - name, MANY, strlen(MANY)))) {
		name += strlen(MANY);
		name[-2] = '0' + nr / 10;
		name[-1] = '0' + nr % 10;
	}
	if (syscall(SYS_init_module, image, size, ""))
		err(1, "module %d", nr);
}

static double cost_of_put(const char *file, const char *text)
{
	double start = now();

	put(file, text);
	return now() - start;
}

/* Cost of switching one event of a system that always has the same number of events. */
static double cost_of_switching(void)
{
	double on, off;

	on = cost_of_put("events/" MANY "/enable", "1");
	usleep(200000);
	off = cost_of_put("events/" MANY "/enable", "0");
	usleep(200000);
	return (on + off) / EACH;
}

static double cost_of_word(void)
{
	double cost = cost_of_put("set_event", MANY ":" MANY "_event42");

	put("set_event", "");
	usleep(200000);
	return cost;
}

/* Cost of a filter of one event, of a system that always has the same number of events. */
static double cost_of_filter(void)
{
	double cost = cost_of_put("events/" MANY "/filter", "common_pid == 1") / EACH;

	put("events/" MANY "/filter", "0");
	usleep(200000);
	return cost;
}

/* Cost of a line of `trace` with an event of another module, which was loaded before. */
static double cost_of_line(void)
{
	put("trace", "");
	put(INTEGERS "enable", "1");
	cost_in_kernel("integers");
	put(INTEGERS "enable", "0");
	return cost_per_line("trace");
}

static double cost_of_mkdir(void)
{
	double start = now();

	if (mkdir(instance(0, ""), 0755))
		err(1, "mkdir");
	start = now() - start;
	if (rmdir(instance(0, "")))
		err(1, "rmdir");
	return start;
}

/* Besides these events there are those of the kernel and of other modules. */
static void grow_events(void)
{
	static const int numbers[] = { 100, 300, 1000, 3000 };
	int loaded = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		while (loaded < numbers[i] / EACH)
			load(loaded++);
		cost_of_switching();	/* the first time needs memory */
		numbered_row("switch an event", numbers[i], cost_of_switching());
		numbered_row("word of set_event", numbers[i], cost_of_word());
		numbered_row("list an event", numbers[i], cost_per_line("available_events"));
		numbered_row("mkdir", numbers[i], cost_of_mkdir());
		numbered_row("filter an event", numbers[i], cost_of_filter());
		numbered_row("print an event", numbers[i], cost_of_line());
	}
}

/* All instances record the same event. */
static void grow_instances(void)
{
	static const long numbers[] = { 1, 4, 16, 64 };
	double off = cost_in_kernel("integers");
	long nr = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (; nr < numbers[i]; nr++) {
			if (mkdir(instance(nr, ""), 0755))
				err(1, "mkdir");
			put(instance(nr, INTEGERS "enable"), "1");
		}
		numbered_row("event instances", nr, (cost_in_kernel("integers") - off) / nr);
	}
	while (nr--) {
		put(instance(nr, INTEGERS "enable"), "0");
		if (rmdir(instance(nr, "")))
			err(1, "rmdir");
	}
}

int main(int argc, char **argv)
{
	if (chdir("/sys/kernel/tracing"))
		err(1, "tracefs");
	if (argc == 2 && !strcmp(argv[1], "events"))
		grow_events();
	else if (argc == 2 && !strcmp(argv[1], "instances"))
		grow_instances();
	else
		errx(1, "usage: growth_events events|instances");
	return 0;
}
