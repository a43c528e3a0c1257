// SPDX-License-Identifier: GPL-2.0
/*
 * nomem - have something fail for want of memory, at each allocation in turn
 *
 *	nomem mkdir DIR			afterwards, DIR is not there
 *	nomem write FILE TEXT UNDO	afterwards, FILE reads as before
 *
 * The kernel fails the nth allocation of the task (/proc/self/fail-nth), for n from 1
 * on until there is none. What succeeds all the same has to be complete, and is undone:
 * a directory by rmdir, having as much in it as the first time, a file by writing UNDO.
 * Says how many allocations failed, and how often what was asked for failed with them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *path, *text, *undo_text;
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

/* Is it there, and whole? Then it goes. */
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

static int put(const char *what)
{
	int fd = open(path, O_WRONLY), err;

	if (fd < 0)
		return -1;
	err = write(fd, what, strlen(what)) == (ssize_t)strlen(what) ? 0 : errno;
	close(fd);
	errno = err;
	return err ? -1 : 0;
}

static void get(char *to)
{
	int fd = open(path, O_RDONLY);
	ssize_t size = fd < 0 ? -1 : read(fd, to, sizeof(before) - 1);

	if (size < 0)
		fail("cannot be read", 0);
	to[size] = '\0';
	close(fd);
}

static int do_write(void)
{
	return put(text);
}

static void failed_write(long n)
{
	get(after);
	if (strcmp(before, after))
		fail("reads otherwise, though it failed", n);
}

static void undo_write(long n)
{
	if (put(undo_text))
		fail("cannot be undone", n);
	failed_write(n);
}

/* Have the nth allocation from now on fail; 0: none. Says how many of the last n were left. */
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
	int fd = open("/proc/self/fail-nth", O_RDWR), writes, err, saved;
	long n, failed = 0;

	writes = argc == 5 && !strcmp(argv[1], "write");
	if (fd < 0 || (!writes && (argc != 3 || strcmp(argv[1], "mkdir")))) {
		fprintf(stderr, "usage: nomem mkdir DIR | write FILE TEXT UNDO; needs fail-nth\n");
		return 2;
	}
	path = argv[2];
	text = argv[3];
	undo_text = writes ? argv[4] : NULL;
	if (writes)
		get(before);
	for (n = 0;; n++) {
		fail_nth(fd, n);
		err = (writes ? do_write : do_mkdir)();
		saved = errno;
		if (n && fail_nth(fd, 0))
			break;
		errno = saved;
		if (!err) {
			(writes ? undo_write : undo_mkdir)(n);
			continue;
		}
		/* As on stock, mkdir says so where it is the directory that cannot be made. */
		if (!n || (errno != ENOMEM && (writes || errno != EINVAL)))
			fail("fails", n);
		failed++;
		(writes ? failed_write : failed_mkdir)(n);
	}
	if (!err)
		(writes ? undo_write : undo_mkdir)(n);
	printf("# %s: %ld allocations, %ld failures\n", path, n - 1, failed);
	return failed ? 0 : 1;
}
