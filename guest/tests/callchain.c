// SPDX-License-Identifier: GPL-2.0
/*
 * callchain - let perf sample its own call chains in the kernel, and print them, one per line, as
 * addresses, the innermost first.
 *
 *	callchain sleep N	sleeps N times; a sample is taken when the task is switched away
 *	callchain read FILE N	reads the file until there are N samples, or for a minute; a
 *				sample is taken when a timer's interrupt comes
 *
 * Exits with 2 if the kernel does not have such samples.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE		4096UL
#define BUFFER		(64 * PAGE)
#define PERIOD_NS	2000000
#define SECONDS		60

struct sample {
	struct perf_event_header header;
	uint64_t nr;
	uint64_t ip[];
};

static struct perf_event_mmap_page *control;
static int event;

static void start(uint64_t what, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = what,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_CALLCHAIN,
		.exclude_callchain_user = 1,
		.exclude_hv = 1,
	};

	event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0) {
		warn("perf_event_open");
		exit(2);
	}
	control = mmap(NULL, PAGE + BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (control == MAP_FAILED)
		err(1, "mmap");
}

/* Read the samples that there are, print them, and return their number. */
static int take_samples(void)
{
	static uint64_t memory[65536 / 8]; /* a sample may wrap around the end of the buffer */
	const struct sample *sample = (void *)memory;
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	const char *data = (char *)control + PAGE;
	int samples = 0;

	while (control->data_tail < head) {
		struct perf_event_header header;

		/*
		 * Samples are aligned to eight bytes, the length of the header, so the header does
		 * not wrap.
		 */
		memcpy(&header, data + control->data_tail % BUFFER, sizeof(header));
		for (unsigned int i = 0; i < header.size / 8U; i++)
			memcpy(memory + i, data + (control->data_tail + 8 * i) % BUFFER, 8);
		if (header.type == PERF_RECORD_SAMPLE) {
			for (uint64_t i = 0; i < sample->nr; i++)
				if (sample->ip[i] < PERF_CONTEXT_MAX)
					printf("%016lx ", (unsigned long)sample->ip[i]);
			printf("\n");
			samples++;
		}
		__atomic_store_n(&control->data_tail, control->data_tail + header.size,
				 __ATOMIC_RELEASE);
	}
	return samples;
}

static void sleeps(int times)
{
	const struct timespec short_time = { .tv_nsec = 10000000 };

	start(PERF_COUNT_SW_CONTEXT_SWITCHES, 1);
	while (times--)
		nanosleep(&short_time, NULL);
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	take_samples();
}

static void reads(const char *path, int samples)
{
	static char text[65536];
	time_t end = time(NULL) + SECONDS;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	start(PERF_COUNT_SW_CPU_CLOCK, PERIOD_NS);
	while (samples > 0 && time(NULL) < end) {
		for (int i = 0; i < 20; i++)
			if (pread(fd, text, sizeof(text), 0) < 0)
				err(1, "%s", path);
		samples -= take_samples();
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "sleep"))
		sleeps(atoi(argv[2]));
	else if (argc == 4 && !strcmp(argv[1], "read"))
		reads(argv[2], atoi(argv[3]));
	else
		errx(1, "usage: callchain sleep N | read FILE N");
	return 0;
}
