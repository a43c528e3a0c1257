// SPDX-License-Identifier: GPL-2.0
/*
 * holdmap FILE - map the first page of a buffer, per_cpu/cpuN/trace_pipe_raw, print "mapped", and
 * keep the mapping until somebody kills the process. Exits with 1 if it cannot be mapped.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		err(1, "holdmap");
	puts("mapped");
	fflush(stdout);
	for (;;)
		pause();
}
