// SPDX-License-Identifier: GPL-2.0
/*
 * markers - make unusual writes to trace_marker and trace_marker_raw, and print the kernel's
 * answers.
 *
 * Prints one line for each write: the write, the result of write(), and the text in the trace
 * afterwards, with the number of letters in place of long runs of a letter. Of raw entries, it
 * prints only as many bytes as were written: the readers of text print a few more. "markers across
 * N" writes the numbers from 1 to N, each on the next CPU. "markers untouched" writes from memory
 * that exists but has not been faulted in: all of it, or the second of two pages. Stock refuses
 * such writes.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define PIECE	4096	/* bytes of memory that can be taken away */

static const char *dir = "/sys/kernel/tracing";

static int open_file(const char *name, int flags)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, flags);
	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

/* Two pieces of memory; the second one is unmapped. */
static char *hole(void)
{
	char *mem = mmap(NULL, 2 * PIECE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED || munmap(mem + PIECE, PIECE))
		err(2, "mmap");
	memset(mem, 'h', PIECE);
	return mem;
}

static void say_text(const char *text)
{
	size_t run;

	printf(" [");
	for (; *text && *text != '\n'; text += run) {
		run = strspn(text, (char[]){ *text, 0 });
		if (run > 8)
			printf("%zu*%c", run, *text);
		else
			printf("%.*s", (int)run, text);
	}
	printf("]");
}

/* "# 1234 buf: 2a 2a ..." */
static void say_raw(const char *text, size_t bytes)
{
	const char *data = strstr(text, "buf:");

	if (!data)
		errx(2, "what is this? %s", text);
	data += strlen("buf:");
	printf(" [%.*s%.*s]", (int)(data - text), text, (int)bytes * 3, data);
}

static void say_trace(size_t raw)
{
	FILE *f = fdopen(open_file("trace", O_RDONLY), "r");
	char *line = NULL, *text;
	size_t size = 0;

	while (getline(&line, &size, f) > 0) {
		if (*line == '#')
			continue;
		text = strstr(line, "tracing_mark_write: ");
		if (text)
			say_text(text + strlen("tracing_mark_write: "));
		else if ((text = strstr(line, ": # ")))
			say_raw(text + 2, raw);
		else
			say_text(line);
	}
	free(line);
	fclose(f);
}

static void clear(void)
{
	close(open_file("trace", O_WRONLY | O_TRUNC));
}

#define FAULTED_LEN	9	/* of "<faulted>" */

static void say(const char *what, ssize_t ret, size_t count)
{
	printf("%s: ", what);
	if (ret < 0)
		printf("%s", strerror(errno));
	else if ((size_t)ret == count)
		printf("all");
	else
		printf("%zd", ret);
	say_trace(ret < 0 ? FAULTED_LEN : count - sizeof(uint32_t));
	printf("\n");
	clear();
}

static void try(const char *file, const char *what, const void *buf, size_t count)
{
	int fd = open_file(file, O_WRONLY);
	ssize_t ret = write(fd, buf, count);
	int error = errno;

	close(fd);
	errno = error;
	say(what, ret, count);
}

static void text(void)
{
	char *mem = hole(), *big = malloc(65536);

	memset(big, 'b', 65536);
	try("trace_marker", "text", "text", 4);
	try("trace_marker", "text with a newline", "text\n", 5);
	try("trace_marker", "two lines", "one\ntwo\n", 8);
	try("trace_marker", "nothing", "", 0);
	try("trace_marker", "a newline", "\n", 1);
	try("trace_marker", "a NUL", "a\0b", 3);
	try("trace_marker", "up to a hole", mem + PIECE - 10, 10);
	try("trace_marker", "into a hole", mem + PIECE - 10, 20);
	try("trace_marker", "a hole", mem + PIECE, 10);
	try("trace_marker", "NULL", NULL, 10);
	try("trace_marker", "nothing at NULL", NULL, 0);
	try("trace_marker", "1000 bytes", big, 1000);
	try("trace_marker", "64 KB", big, 65536);
	free(big);
}

/* Find the largest size that the kernel accepts; it refuses @refused bytes. */
static void largest_raw(const void *buf, size_t refused)
{
	int fd = open_file("trace_marker_raw", O_WRONLY);
	size_t taken = 4, middle;

	while (refused - taken > 1) {
		middle = (taken + refused) / 2;
		if (write(fd, buf, middle) == (ssize_t)middle)
			taken = middle;
		else
			refused = middle;
	}
	printf("largest raw: %zu\n", taken);
	close(fd);
	clear();
}

static void raw(void)
{
	uint32_t id[2048];
	char *mem = hole();

	memset(id, 0x2a, sizeof(id));
	id[0] = 0x1234;
	try("trace_marker_raw", "raw nothing", id, 0);
	try("trace_marker_raw", "raw 1", id, 1);
	try("trace_marker_raw", "raw 3", id, 3);
	try("trace_marker_raw", "raw an id", id, 4);
	try("trace_marker_raw", "raw an id and a byte", id, 5);
	try("trace_marker_raw", "raw 8", id, 8);
	try("trace_marker_raw", "raw 8 KB", id, sizeof(id));
	largest_raw(id, sizeof(id));
	memcpy(mem + PIECE - 8, id, 8);
	try("trace_marker_raw", "raw up to a hole", mem + PIECE - 8, 8);
	try("trace_marker_raw", "raw into a hole", mem + PIECE - 8, 16);
	try("trace_marker_raw", "raw a hole", mem + PIECE, 8);
}

static void vectors(void)
{
	struct iovec vec[] = { { "one", 3 }, { "two\n", 4 } };
	int fd = open_file("trace_marker", O_WRONLY);

	say("two vectors", writev(fd, vec, 2), 7);
	say("at an offset", pwrite(fd, "pw", 2, 1000), 2);
	say("seek", lseek(fd, 100, SEEK_SET), 100);
	close(fd);
}

/* Memory that exists but that nobody has accessed yet: of a file, or zeroes. */
static char *untouched(int fd)
{
	char *mem = mmap(NULL, PIECE, PROT_READ, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (mem == MAP_FAILED)
		err(2, "mmap");
	return mem;
}

/*
 * Text that ends with the first of two pages, or goes on in the second. The second page is accessed
 * only if @both.
 */
static char *two_pages(bool both)
{
	char *mem = mmap(NULL, 2 * PIECE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		err(2, "mmap");
	mem += PIECE - 4;
	memcpy(mem, "abcdefgh", both ? 8 : 4);
	return mem;
}

static void not_touched(void)
{
	FILE *file = tmpfile();
	int fd = file ? fileno(file) : -1;

	if (fd < 0 || write(fd, "abcdefgh", 8) != 8)
		err(2, "tmpfile");
	try("trace_marker", "untouched", untouched(-1), 8);
	try("trace_marker_raw", "raw untouched", untouched(-1), 8);
	try("trace_marker", "untouched, of a file", untouched(fd), 8);
	try("trace_marker_raw", "raw untouched, of a file", untouched(fd), 8);
	fclose(file);
	try("trace_marker", "two pages", two_pages(true), 8);
	try("trace_marker_raw", "raw two pages", two_pages(true), 8);
	try("trace_marker", "the second untouched", two_pages(false), 8);
	try("trace_marker_raw", "raw the second untouched", two_pages(false), 8);
}

/* A task that gets signals all the time writes markers: the signals do not shorten a write. */
static volatile sig_atomic_t signals;

static void count_signal(int nr)
{
	(void)nr;
	signals = signals + 1;
}

static void interrupted(void)
{
	int fd = open_file("trace_marker", O_WRONLY);
	ssize_t ret = 0;
	int i;

	signal(SIGALRM, count_signal);
	/* Rare enough that a slow machine can do other work between two signals. */
	ualarm(5000, 5000);
	for (i = 0; (i < 1000 || signals < 20) && ret >= 0; i++) {
		ret = write(fd, "interrupted\n", 12);
		if (ret >= 0 && ret != 12)
			break;
	}
	ualarm(0, 0);
	clear();
	say("interrupted", ret, 12);
	close(fd);
}

static void switched_off(const char *file, const char *off, const char *on)
{
	int fd = open_file(file, O_WRONLY);

	if (write(fd, off, strlen(off)) < 0)
		err(2, "%s", file);
	printf("with %s %s, ", file, off);
	try("trace_marker", "text", "text", 4);
	printf("with %s %s, ", file, off);
	try("trace_marker", "nothing", "", 0);
	printf("with %s %s, ", file, off);
	try("trace_marker_raw", "raw", "abcdefgh", 8);
	printf("with %s %s, ", file, off);
	try("trace_marker_raw", "raw 1", "a", 1);
	if (write(fd, on, strlen(on)) < 0)
		err(2, "%s", file);
	close(fd);
}

/* Nothing but the write happens between two changes of the CPU. */
static void across(int times)
{
	int fd = open_file("trace_marker", O_WRONLY);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char text[16];
	cpu_set_t cpu;

	for (int i = 1; i <= times; i++) {
		CPU_ZERO(&cpu);
		CPU_SET(i % cpus, &cpu);
		if (sched_setaffinity(0, sizeof(cpu), &cpu))
			err(2, "sched_setaffinity");
		if (write(fd, text, snprintf(text, sizeof(text), "%d", i)) < 0)
			err(2, "trace_marker");
	}
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "across")) {
		across(atoi(argv[2]));
		return 0;
	}
	clear();
	if (argc > 1 && !strcmp(argv[1], "untouched")) {
		not_touched();
		return 0;
	}
	text();
	raw();
	vectors();
	interrupted();
	switched_off("tracing_on", "0", "1");
	switched_off("options/markers", "0", "1");
	return 0;
}
