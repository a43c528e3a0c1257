/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common code of programs that measure costs. It is for a guest whose clock counts instructions
 * (QEMU's icount with shift=0): there a nanosecond is an instruction, and numbers repeat exactly.
 */
#ifndef BENCH_H
#define BENCH_H

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BENCH_MODULE	"/sys/module/trace_bench/parameters/"

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* The kernel may take only a part of @text in one write(). */
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

/* Open the file of a module of the tests. */
static inline int open_module(const char *name)
{
	struct utsname kernel;
	char path[256];
	int fd;

	uname(&kernel);
	snprintf(path, sizeof(path), "/lib/modules/%s/updates/%s.ko", kernel.release, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
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
 * Cost of a round of work: the least of some samples, as a timer interrupt is not a cost of the
 * work. The first round is not counted.
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

/* The content of a file from here to its end, or until read() would block. */
struct content {
	long bytes;
	long lines;
	double cost;
};

static inline struct content read_all(const char *file)
{
	static char data[1 << 16];
	struct content content = { 0 };
	double start = now(), pause;
	int fd = open(file, O_RDONLY | O_NONBLOCK);
	ssize_t got;

	while ((got = read(fd, data, sizeof(data))) > 0) {
		pause = now();
		content.bytes += got;
		for (ssize_t i = 0; i < got; i++)
			content.lines += data[i] == '\n';
		start += now() - pause;
	}
	close(fd);
	content.cost = now() - start;
	return content;
}

static inline double cost_per_line(const char *file)
{
	struct content content = read_all(file);

	return content.cost / content.lines;
}

static inline void fork_exit_wait(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

/* The path of a file of an instance; valid until the next call. */
static inline const char *instance(int i, const char *file)
{
	static char path[64];

	snprintf(path, sizeof(path), "instances/bench%d/%s", i, file);
	return path;
}

/* The module trace_bench does @work, and returns its cost. */
static inline double cost_in_kernel(const char *work)
{
	put(BENCH_MODULE "measure", work);
	return number(BENCH_MODULE "cost");
}

static inline void row(const char *name, double value)
{
	printf("%s\t%.1f\n", name, value);
	fflush(stdout);
}

static inline void row_of_kernel(const char *name, const char *work)
{
	row(name, cost_in_kernel(work));
}

/* Is a group of rows among those that are named? If none is named, all are wanted. */
static inline int wanted(const char *name, char **names)
{
	if (!*names)
		return 1;
	while (*names)
		if (!strcmp(*names++, name))
			return 1;
	return 0;
}

#endif
