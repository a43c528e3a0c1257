// SPDX-License-Identifier: GPL-2.0
/*
 * usermem - makes system calls whose arguments point to memory that exists or not, so that events
 * of system calls can be compared with what they should have recorded of it.
 *
 * usermem path TEXT	umount2() of a path
 * usermem last LENGTH	umount2() of a path whose NUL is the last byte before unmapped memory
 * usermem over LENGTH	umount2() of a path without a NUL before unmapped memory
 * usermem absent	umount2() of a path in memory that exists and was never accessed
 * usermem null		umount2() of NULL
 * usermem at ADDRESS	umount2() of a path at a hexadecimal address
 * usermem write LENGTH	write() of bytes from 0 on
 * usermem badwrite	write() of unmapped memory
 * usermem nowrite	write() of 0 bytes
 * usermem longname	sethostname() of "abc", with a length whose upper half is not 0
 * usermem longmask	sched_setaffinity() with two bytes of "abcdef", likewise
 *
 * All others fail, or write to a pipe.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE	0x10000L

static int wanted(const char *what, const char *word)
{
	return !strcmp(what, word);
}

/* Memory before unmapped memory. */
static char *pages(void)
{
	char *begin = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (begin == MAP_FAILED || munmap(begin + SIZE, SIZE))
		exit(2);
	return begin;
}

static void write_bytes(const char *from, long len)
{
	int ends[2];

	if (pipe(ends))
		exit(2);
	syscall(SYS_write, ends[1], from, len);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long i, len = argc > 2 ? atol(argv[2]) : 0;
	char *begin = pages(), *end = begin + SIZE;

	if (len < 0 || len >= SIZE)
		return 2;
	if (wanted(what, "path")) {
		syscall(SYS_umount2, argv[2], -1);
	} else if (wanted(what, "last")) {
		memset(end - len - 1, 'x', len);
		syscall(SYS_umount2, end - len - 1, -1);
	} else if (wanted(what, "over")) {
		memset(end - len, 'x', len);
		syscall(SYS_umount2, end - len, -1);
	} else if (wanted(what, "absent")) {
		syscall(SYS_umount2, begin, -1);
	} else if (wanted(what, "null")) {
		syscall(SYS_umount2, NULL, -1);
	} else if (wanted(what, "at") && argc > 2) {
		syscall(SYS_umount2, strtoul(argv[2], NULL, 16), -1);
	} else if (wanted(what, "write")) {
		for (i = 0; i < len; i++)
			begin[i] = i;
		write_bytes(begin, len);
	} else if (wanted(what, "badwrite")) {
		write_bytes(end, 5);
	} else if (wanted(what, "longname")) {
		syscall(SYS_sethostname, "abcdef", 1UL << 32 | 3);
	} else if (wanted(what, "longmask")) {
		syscall(SYS_sched_setaffinity, 0, 1UL << 32 | 2, "abcdef");
	} else if (wanted(what, "nowrite")) {
		write_bytes(begin, 0);
	} else {
		return 2;
	}
	return 0;
}
