// SPDX-License-Identifier: GPL-2.0
/*
 * hammer TIMES SECONDS FILE TEXT - open a file and write to it, again and again, while another
 * program makes and removes the file, and print how often the kernel gave which answer.
 *
 * Ends when the file was written to TIMES times and was missing TIMES times, or after SECONDS.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_ERROR	256

static int answer(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), error = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		error = errno;
	close(fd);
	return error;
}

static void say(unsigned int times, int error)
{
	switch (error) {
	case 0:
		printf("%u written\n", times);
		break;
	case ENOENT:
		printf("%u no such file\n", times);
		break;
	case ENODEV:
		printf("%u no such device\n", times);
		break;
	default:
		printf("%u %s\n", times, strerror(error));
	}
}

int main(int argc, char **argv)
{
	static unsigned int answers[MAX_ERROR];
	unsigned int enough;
	time_t end;
	int i;

	if (argc != 5)
		errx(2, "usage: hammer TIMES SECONDS FILE TEXT");
	enough = atoi(argv[1]);
	end = time(NULL) + atoi(argv[2]);
	while ((answers[0] < enough || answers[ENOENT] < enough) && time(NULL) < end)
		answers[answer(argv[3], argv[4]) % MAX_ERROR]++;
	for (i = 0; i < MAX_ERROR; i++) {
		if (answers[i])
			say(answers[i], i);
	}
	return 0;
}
