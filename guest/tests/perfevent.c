// SPDX-License-Identifier: GPL-2.0
/*
 * perfevent - perf events at the trace event with a number, while this process calls getppid()
 *
 *	perfevent ID count CALLS	prints how often the event occurred in this task
 *	perfevent ID sample CALLS	prints each sample: number of the event and pid in the
 *					record, bytes of the record, and whether the address of
 *					the sample is in the kernel
 *	perfevent ID hold SECONDS	has the event open for that long
 *	perfevent ID many N		opens N events, with this number and the next ones, closes
 *					them, and prints how many there were
 *
 * Exits with 2 if the kernel has no such events, and with the errno of perf_event_open() above 100.
 */
#include <err.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	4096UL
#define BUFFER	(64 * PAGE)

/* The header that all records of trace events have. */
struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t size;
	struct record record;
};

static int event;

static int try_open(uint64_t id, int sampling)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = sampling,
		.sample_type = sampling ? PERF_SAMPLE_IP | PERF_SAMPLE_RAW : 0,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void start(uint64_t id, int sampling)
{
	event = try_open(id, sampling);
	if (event >= 0)
		return;
	warn("perf_event_open");
	exit(errno == ENOENT || errno == ENOSYS ? 2 : 100 + errno);
}

static void call(long calls)
{
	while (calls--)
		syscall(SYS_getppid);
}

static void count(long calls)
{
	uint64_t value;

	call(calls);
	if (read(event, &value, sizeof(value)) != sizeof(value))
		err(1, "read");
	printf("%llu\n", (unsigned long long)value);
}

static void sample(long calls)
{
	struct perf_event_mmap_page *control;
	uint64_t tail = 0, head;
	const char *data;

	control = mmap(NULL, PAGE + BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (control == MAP_FAILED)
		err(1, "mmap");
	call(calls);
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	data = (char *)control + PAGE;
	head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	while (tail < head) {
		const struct sample *sample = (const void *)(data + tail);

		if (sample->header.type == PERF_RECORD_SAMPLE)
			printf("%u %s %u %s\n", sample->record.type,
			       sample->record.pid == getpid() ? "mine" : "other",
			       sample->size, (int64_t)sample->ip < 0 ? "kernel" : "user");
		tail += sample->header.size;
	}
}

static void many(uint64_t id, long nr)
{
	int events[nr], opened = 0;

	while (nr--) {
		events[opened] = try_open(id++, 0);
		opened += events[opened] >= 0;
	}
	printf("%d\n", opened);
	while (opened--)
		close(events[opened]);
}

int main(int argc, char **argv)
{
	uint64_t id;

	if (argc != 4)
		errx(1, "usage: perfevent ID count|sample|hold|many N");
	id = strtoull(argv[1], NULL, 0);
	if (!strcmp(argv[2], "many")) {
		many(id, atol(argv[3]));
		return 0;
	}
	start(id, !strcmp(argv[2], "sample"));
	if (!strcmp(argv[2], "count"))
		count(atol(argv[3]));
	else if (!strcmp(argv[2], "sample"))
		sample(atol(argv[3]));
	else
		sleep(atol(argv[3]));
	return 0;
}
