// SPDX-License-Identifier: GPL-2.0
/*
 * pids N - start processes until one has pid N, or a greater one
 */
#include <err.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	pid_t last, pid;

	if (argc != 2)
		errx(1, "usage: pids N");
	last = strtol(argv[1], NULL, 0);
	do {
		pid = vfork();
		if (!pid)
			_exit(0);
		if (pid < 0)
			err(1, "vfork");
		waitpid(pid, NULL, 0);
	} while (pid < last);
	return 0;
}
