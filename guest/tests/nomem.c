// SPDX-License-Identifier: GPL-2.0
/*
 * nomem - make an operation fail for want of memory, at each allocation in turn
 *
 *	nomem mkdir DIR			DIR does not exist after a failure
 *	nomem write FILE TEXT UNDO	FILE reads as before after a failure
 *	nomem afresh FILE TEXT UNDO OTHER
 *					the same; 0 is written to file OTHER before each try,
 *					to free memory that UNDO keeps
 *	nomem filter FILE TEXT UNDO	as write; FILE may have lines with the error before the
 *					filter, which is the last line
 *	nomem read FILE			FILE reads as before, or cannot be opened
 *	nomem perf ID			opens a perf event of the trace event with that number
 *
 * The kernel fails the nth allocation of the task (/proc/self/fail-nth), for n from 1 on until the
 * operation has fewer allocations. If the operation succeeds although an allocation failed, its
 * result must be complete, and is undone: a directory must have as many files as the first time,
 * and is removed; a file is undone by writing UNDO; data that were read must be all data that are
 * read without failures. Prints how many allocations failed, and how often the operation failed
 * with them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *path, *text, *undo_text, *other;
static char before[65536], after[65536];
static long found, complete;

static void fail(const char *what, long n)
{
	printf("%s: %s, at allocation %ld: %s\n", path, what, n, strerror(errno));
	exit(1);
}

static int count(const char *name, const struct stat *st, int type, struct FTW *ftw)
{
	(void)name, (void)st, (void)type, (void)ftw;
	found++;
	return 0;
}

static int do_mkdir(void)
{
	return mkdir(path, 0755);
}

/* The directory must exist and be complete. Remove it. */
static void undo_mkdir(long n)
{
	found = 0;
	if (nftw(path, count, 16, FTW_PHYS))
		fail("cannot be walked", n);
	if (!complete)
		complete = found;
	if (found != complete)
		fail("lacks files", n);
	if (rmdir(path))
		fail("cannot be removed", n);
}

static void failed_mkdir(long n)
{
	if (!access(path, F_OK))
		fail("is there, though it failed", n);
}

static int put(const char *to, const char *what)
{
	int fd = open(to, O_WRONLY), err;

	if (fd < 0)
		return -1;
	err = write(fd, what, strlen(what)) == (ssize_t)strlen(what) ? 0 : errno;
	close(fd);
	errno = err;
	return err ? -1 : 0;
}

/* Read all of the file, or as much as fits. */
static int read_all(char *to)
{
	int fd = open(path, O_RDONLY), err = 0;
	ssize_t size = 0, got = 1;

	if (fd < 0)
		return -1;
	while (got > 0 && size < (ssize_t)sizeof(before) - 1) {
		got = read(fd, to + size, sizeof(before) - 1 - size);
		size += got > 0 ? got : 0;
		err = got < 0 ? errno : 0;
	}
	to[size] = '\0';
	close(fd);
	errno = err;
	return err ? -1 : 0;
}

static void get(char *to)
{
	if (read_all(to))
		fail("cannot be read", 0);
}

/* Forget all lines but the last one. */
static void keep_last_line(char *text)
{
	size_t size = strlen(text);
	char *line = size > 1 ? memrchr(text, '\n', size - 1) : NULL;

	if (line)
		memmove(text, line + 1, strlen(line));
}

static int do_write(void)
{
	return put(path, text);
}

static void failed_write(long n)
{
	get(after);
	if (strcmp(before, after))
		fail("reads otherwise, though it failed", n);
}

static void undo_write(long n)
{
	if (put(path, undo_text))
		fail("cannot be undone", n);
	failed_write(n);
}

static void failed_filter(long n)
{
	get(after);
	keep_last_line(after);
	if (strcmp(before, after))
		fail("has another filter, though it failed", n);
}

static void undo_filter(long n)
{
	if (put(path, undo_text))
		fail("cannot be undone", n);
	failed_write(n);
}

static int do_read(void)
{
	return read_all(after);
}

static void failed_read(long n)
{
	(void)n;
}

static void undo_read(long n)
{
	if (strcmp(before, after))
		fail("reads otherwise", n);
}

static int perf_fd;

static int do_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = strtoul(path, NULL, 10),
	};

	perf_fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return perf_fd < 0 ? -1 : 0;
}

static void failed_perf(long n)
{
	(void)n;
}

static void undo_perf(long n)
{
	unsigned long long value;

	if (read(perf_fd, &value, sizeof(value)) != sizeof(value))
		fail("cannot be read", n);
	close(perf_fd);
}

/*
 * @also: another errno of a failure. As on stock, mkdir returns EINVAL if a directory cannot be
 *	made.
 */
static const struct kind {
	const char	*name;
	int		words, also;
	int		(*run)(void);
	void		(*failed)(long n);
	void		(*undo)(long n);
} kinds[] = {
	{ "mkdir",	3,	EINVAL,	do_mkdir,	failed_mkdir,	undo_mkdir },
	{ "write",	5,	ENOMEM,	do_write,	failed_write,	undo_write },
	{ "afresh",	6,	ENOMEM,	do_write,	failed_write,	undo_write },
	{ "filter",	5,	ENOMEM,	do_write,	failed_filter,	undo_filter },
	{ "read",	3,	ENOMEM,	do_read,	failed_read,	undo_read },
	{ "perf",	3,	ENOMEM,	do_perf,	failed_perf,	undo_perf },
	{ NULL },
};

/* Let the nth allocation from now on fail; 0: none. Returns the rest of the last n. */
static long fail_nth(int fd, long n)
{
	char number[32] = "";
	long left;

	if (pread(fd, number, sizeof(number) - 1, 0) < 0)
		fail("cannot read fail-nth", n);
	left = atol(number);
	snprintf(number, sizeof(number), "%ld", n);
	if (pwrite(fd, number, strlen(number), 0) < 0)
		fail("cannot write fail-nth", n);
	return left;
}

int main(int argc, char **argv)
{
	int fd = open("/proc/self/fail-nth", O_RDWR), err, saved;
	const struct kind *kind = kinds;
	long n, failed = 0;

	while (kind->name && (argc != kind->words || strcmp(argv[1], kind->name)))
		kind++;
	if (fd < 0 || !kind->name) {
		fprintf(stderr, "usage: nomem mkdir DIR | write|filter FILE TEXT UNDO | "
			"afresh FILE TEXT UNDO OTHER | read FILE | perf ID; needs fail-nth\n");
		return 2;
	}
	path = argv[2];
	text = argv[3];
	undo_text = argc > 4 ? argv[4] : NULL;
	other = argc > 5 ? argv[5] : NULL;
	if (kind->run == do_write || kind->run == do_read)
		get(before);
	for (n = 0;; n++) {
		if (other && put(other, "0"))
			fail("is kept from being tried afresh", n);
		fail_nth(fd, n);
		err = kind->run();
		saved = errno;
		if (n && fail_nth(fd, 0))
			break;
		errno = saved;
		if (!err) {
			kind->undo(n);
			continue;
		}
		if (!n || (errno != ENOMEM && errno != kind->also))
			fail("fails", n);
		failed++;
		kind->failed(n);
	}
	if (!err)
		kind->undo(n);
	printf("# %s: %ld allocations, %ld failures\n", path, n - 1, failed);
	return failed ? 0 : 1;
}
