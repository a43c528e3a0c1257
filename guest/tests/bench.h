/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What programs that measure costs share. For a guest whose clock counts instructions
 * (QEMU's icount with shift=0), where a nanosecond is an instruction and numbers repeat
 * exactly.
 */
#ifndef BENCH_H
#define BENCH_H

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BENCH_MODULE	"/sys/module/trace_bench/parameters/"

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* The kernel may take less than all of it at once. */
static inline void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_TRUNC);
	ssize_t done = 0;

	for (; fd >= 0 && *text && done >= 0; text += done > 0 ? done : 0)
		done = write(fd, text, strlen(text));
	if (fd < 0 || done < 0)
		warn("%s", file);
	close(fd);
}

static inline long number(const char *file)
{
	char text[32] = "";
	int fd = open(file, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		warn("%s", file);
	close(fd);
	return strtol(text, NULL, 10);
}

static inline void call_getppid(void)
{
	syscall(SYS_getppid);
}

static inline double cost_once(int rounds, void (*work)(void))
{
	double start = now();

	for (int i = 0; i < rounds; i++)
		work();
	return (now() - start) / rounds;
}

/*
 * Per round of work: the least of some samples, since a timer interrupt now and
 * then is nothing that the work costs. The first round is not counted.
 */
static inline double cost(int samples, int rounds, void (*work)(void))
{
	double least;

	work();
	least = cost_once(rounds, work);
	while (--samples > 0) {
		double sample = cost_once(rounds, work);

		if (sample < least)
			least = sample;
	}
	return least;
}

/* A file of an instance, until the next call. */
static inline const char *instance(int i, const char *file)
{
	static char path[64];

	snprintf(path, sizeof(path), "instances/bench%d/%s", i, file);
	return path;
}

/* trace_bench.ko does it, and says what it cost. */
static inline double cost_in_kernel(const char *work)
{
	put(BENCH_MODULE "measure", work);
	return number(BENCH_MODULE "cost");
}

#endif
