// SPDX-License-Identifier: GPL-2.0
/*
 * polled FILE BYTES - read BYTES bytes of a file, which may be 0, ask poll() whether there is more,
 * read the rest, and ask again: prints two lines, "more" or "nothing".
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void ask(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	puts(poll(&poller, 1, 0) == 1 ? "more" : "nothing");
}

int main(int argc, char **argv)
{
	static char data[65536];
	size_t bytes = argc == 3 ? strtoul(argv[2], NULL, 0) : SIZE_MAX;
	int fd;

	if (bytes > sizeof(data))
		errx(2, "usage: polled FILE BYTES");
	fd = open(argv[1], O_RDONLY | O_NONBLOCK);
	if (fd < 0 || (bytes && read(fd, data, bytes) != (ssize_t)bytes))
		err(1, "%s", argv[1]);
	ask(fd);
	while (read(fd, data, sizeof(data)) > 0)
		;
	ask(fd);
	return 0;
}
