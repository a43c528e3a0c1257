// SPDX-License-Identifier: GPL-2.0
/*
 * Which perf events are opened: at which trace event, for which task and CPU, with which samples.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf.h"

#define LONG_PERIOD	100000

static uint64_t random_sample_type(void)
{
	static const uint64_t types[] = {
		PERF_SAMPLE_RAW, PERF_SAMPLE_RAW | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_IP | PERF_SAMPLE_CPU,
		PERF_SAMPLE_RAW | PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ,
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR | PERF_SAMPLE_STREAM_ID, 0,
	};

	if (chance(10))
		return 1ULL << rnd(32);
	return types[rnd(ARRAY_SIZE(types))];
}

/* Does it happen in each interrupt? NULL: some event, by its number. */
static bool is_of_interrupts(const struct event *event)
{
	static const char * const systems[] = { "ftrace", "ipi", "irq", "lock", "rcu" };

	if (!event)
		return true;
	for (unsigned int i = 0; i < ARRAY_SIZE(systems); i++) {
		if (!strcmp(event->system, systems[i]))
			return true;
	}
	return false;
}

/*
 * perf sends itself an interrupt to wake the reader. If that causes a sample, which wakes the
 * reader again, the CPU does nothing else (functions were tried on stock: it is the same there).
 * So there is one sample for many events.
 */
uint64_t random_perf_period(const struct event *event)
{
	static const uint64_t periods[] = { 0, 1, 1, 1, 2, 7, 100, LONG_PERIOD, 1ULL << 40, -1ULL };
	uint64_t period = periods[rnd(ARRAY_SIZE(periods))];

	if (period && period < LONG_PERIOD && is_of_interrupts(event))
		return LONG_PERIOD;
	return period;
}

void random_perf_attr(struct perf_event_attr *attr, const struct event *event)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(*attr),
		.sample_period = random_perf_period(event),
		.sample_type = random_sample_type(),
		.read_format = rnd(32),
		.disabled = chance(3),
		.inherit = chance(3),
		.pinned = chance(16),
		.exclude_user = chance(8),
		.exclude_kernel = chance(8),
		.exclude_idle = chance(8),
		.mmap = chance(8),
		.comm = chance(8),
		.task = chance(8),
		.freq = chance(8) && !is_of_interrupts(event),
		.inherit_stat = chance(8),
		.enable_on_exec = chance(8),
		.watermark = chance(4),
		.sample_id_all = chance(4),
		.exclude_callchain_user = !chance(4),
		.write_backward = chance(8),
		.context_switch = chance(8),
		.remove_on_exec = chance(16),
		.wakeup_events = rnd(4) * rnd(4),
	};
	if (attr->freq)
		attr->sample_freq = 1 + rnd(PERF_RATE + PERF_RATE / 4);
}

pid_t random_perf_task(void)
{
	static const pid_t tasks[] = { 0, 0, 0, -1, -1, FIRST_PID, FIRST_PID + 1, 1, 999999 };

	return tasks[rnd(ARRAY_SIZE(tasks))];
}

int random_perf_cpu(void)
{
	return chance(2) ? -1 : chance(16) ? (int)cpus + 3 : (int)rnd(cpus);
}

uint64_t random_event_number(void)
{
	static const uint64_t numbers[] = { 0, 2, 19, 1000000, 65535, 65536, 1ULL << 32, -1ULL };

	return chance(2) ? rnd(4000) : numbers[rnd(ARRAY_SIZE(numbers))];
}

/* As the file says it by now; events of modules that are not loaded have none. */
uint64_t event_number(const struct event *event)
{
	char path[PATH], text[32];
	ssize_t got;
	int fd;

	event_path(path, event, "id");
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = 0;
	return strtoul(text, NULL, 10);
}

long perf_event_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		     unsigned long flags)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

/* The file descriptor, or -1. */
long open_perf_event(const struct event *event)
{
	struct perf_event_attr attr;
	pid_t pid = random_perf_task();
	int cpu = random_perf_cpu();

	random_perf_attr(&attr, event);
	attr.config = event_number(event);
	return perf_event_open(&attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}
