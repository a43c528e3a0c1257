// SPDX-License-Identifier: GPL-2.0
/*
 * sharers read|splice MARKERS - write markers on CPU 0 while two threads read that CPU, one of them
 * trace_pipe, the other trace_pipe_raw, with read() or splice(): each marker goes to one of them.
 * Prints how many each got, and fails if a marker was lost, came twice, or was damaged.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRACING		"/sys/kernel/tracing/"
#define TEXT		"tracing_mark_write: marker "
#define SUBBUF		4096
#define SUBBUF_HEAD	16
#define COMMIT		0xfffff	/* of the word after the time: number of bytes of events */
#define TOGETHER	2000	/* markers between two pauses */
#define IN_STEP		1000	/* times of reading all that there was between two pauses */

static unsigned int markers;
static unsigned char *by_pipe, *by_raw;
static bool with_splice, written;
static unsigned int odd_lines;

static int open_file(const char *name, int flags)
{
	int fd = open(name, flags);

	if (fd < 0)
		err(2, "%s", name);
	return fd;
}

static void *write_markers(void *nothing)
{
	int fd = open_file(TRACING "trace_marker", O_WRONLY);
	unsigned int i, length;
	cpu_set_t first;
	char text[32];

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		err(2, "sched_setaffinity");
	for (i = 0; i < markers; i++) {
		length = snprintf(text, sizeof(text), "marker %08u .", i);
		if (write(fd, text, length) != (ssize_t)length)
			err(2, "trace_marker");
		if (!(i % TOGETHER))
			usleep(20000);
	}
	/* Readers read once more afterwards. */
	usleep(200000);
	__atomic_store_n(&written, true, __ATOMIC_RELEASE);
	return nothing;
}

static bool count(unsigned char *by, const char *number)
{
	unsigned long i = strtoul(number, NULL, 10);

	if (i >= markers)
		return false;
	by[i]++;
	return true;
}

static void *read_pipe(void *nothing)
{
	int fd = open_file(TRACING "per_cpu/cpu0/trace_pipe", O_RDONLY | O_NONBLOCK);
	char text[16 * SUBBUF], line[256], *marker;
	unsigned int i, length = 0, times = 0;
	bool last, some;
	ssize_t got;

	do {
		last = __atomic_load_n(&written, __ATOMIC_ACQUIRE);
		some = false;
		while ((got = read(fd, text, sizeof(text))) > 0) {
			some = true;
			for (i = 0; i < got; i++) {
				if (text[i] != '\n') {
					if (length < sizeof(line) - 1)
						line[length++] = text[i];
					continue;
				}
				line[length] = '\0';
				length = 0;
				marker = strstr(line, TEXT);
				if (marker && count(by_pipe, marker + strlen(TEXT)))
					continue;
				printf("%s\n", line);
				odd_lines++;
			}
		}
		/* A reader that keeps up with the writer leaves no full sub-buffer for splice(). */
		if (with_splice && some && ++times % IN_STEP == 0)
			usleep(20000);
		else
			sched_yield();
	} while (!last);
	return nothing;
}

static void find_markers(char *page, ssize_t size)
{
	uint64_t commit;
	char *at, *end;

	memcpy(&commit, page + 8, sizeof(commit));
	end = page + SUBBUF_HEAD + (commit & COMMIT);
	if (end > page + size)
		errx(1, "a sub-buffer of %zd bytes with %ld of events", size,
		     end - page - SUBBUF_HEAD);
	for (at = page + SUBBUF_HEAD; (at = memmem(at, end - at, "marker ", 7)); at++)
		count(by_raw, at + 7);
}

static void *read_raw(void *nothing)
{
	int fd = open_file(TRACING "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_NONBLOCK);
	char page[SUBBUF];
	int ends[2];
	ssize_t got;
	bool last;

	if (pipe(ends))
		err(2, "pipe");
	do {
		last = __atomic_load_n(&written, __ATOMIC_ACQUIRE);
		do {
			if (with_splice) {
				got = splice(fd, NULL, ends[1], NULL, SUBBUF, SPLICE_F_NONBLOCK);
				if (got > 0)
					got = read(ends[0], page, SUBBUF);
			} else {
				got = read(fd, page, SUBBUF);
			}
			if (got > 0)
				find_markers(page, got);
		} while (got > 0);
		usleep(100);
	} while (!last);
	return nothing;
}

int main(int argc, char **argv)
{
	void *(*const parts[])(void *) = { read_pipe, read_raw, write_markers };
	unsigned int i, pipes = 0, raws = 0, lost = 0, twice = 0;
	pthread_t threads[3];

	if (argc != 3)
		errx(2, "usage: sharers read|splice MARKERS");
	with_splice = !strcmp(argv[1], "splice");
	markers = strtoul(argv[2], NULL, 0);
	by_pipe = calloc(markers, 1);
	by_raw = calloc(markers, 1);
	if (!by_pipe || !by_raw)
		err(2, "calloc");
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, parts[i], NULL);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < markers; i++) {
		pipes += by_pipe[i];
		raws += by_raw[i];
		lost += !by_pipe[i] && !by_raw[i];
		twice += by_pipe[i] + by_raw[i] > 1;
	}
	printf("pipe %u\nraw %u\nlost %u\ntwice %u\nodd lines %u\n", pipes, raws, lost, twice,
	       odd_lines);
	return lost || twice || odd_lines;
}
