// SPDX-License-Identifier: GPL-2.0
/*
 * modified SECONDS FILE - wait until the file is modified, by inotify. Prints "ready" when it
 * watches the file; exits with 0 if the file was modified, with 1 if not within SECONDS.
 */
#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>

int main(int argc, char **argv)
{
	struct pollfd watch = { .fd = inotify_init1(0), .events = POLLIN };

	if (argc != 3)
		errx(2, "usage: modified SECONDS FILE");
	if (watch.fd < 0 || inotify_add_watch(watch.fd, argv[2], IN_MODIFY) < 0)
		err(2, "%s", argv[2]);
	puts("ready");
	fflush(stdout);
	return poll(&watch, 1, atoi(argv[1]) * 1000) != 1;
}
