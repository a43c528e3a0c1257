// SPDX-License-Identifier: GPL-2.0
/*
 * splicer FILE BYTES - call splice() once from a file into a pipe, waiting if there is nothing to
 * read, and write the content of the pipe to stdout.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define PIPE_SIZE	(1 << 20)

int main(int argc, char **argv)
{
	static char data[PIPE_SIZE];
	ssize_t got, spliced;
	int fd, ends[2];

	if (argc != 3)
		errx(2, "usage: splicer FILE BYTES");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0)
		err(1, "%s", argv[1]);
	if (pipe(ends) || fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE) < 0)
		err(1, "pipe");
	spliced = splice(fd, NULL, ends[1], NULL, strtoul(argv[2], NULL, 0), 0);
	if (spliced < 0)
		err(1, "splice");
	while (spliced > 0) {
		got = read(ends[0], data, spliced < PIPE_SIZE ? spliced : PIPE_SIZE);
		if (got <= 0)
			err(1, "read");
		if (write(1, data, got) != got)
			err(1, "write");
		spliced -= got;
	}
	return 0;
}
