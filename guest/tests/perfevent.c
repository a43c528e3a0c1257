// SPDX-License-Identifier: GPL-2.0
/*
 * perfevent - perf events at the trace event with a number, while this process calls getppid()
 *
 *	perfevent ID count CALLS	prints how often the event occurred in this task
 *	perfevent ID sample CALLS	prints each sample: number of the event and pid in the
 *					record, bytes of the record, and whether the address of
 *					the sample is in the kernel
 *	perfevent ID bytes TIMES FILE WORD...
 *					writes all words to the file, TIMES times; prints each
 *					sample: the bytes of the record, with what follows it, as
 *					numbers
 *	perfevent ID chain CALLS	prints the call chain of each sample in the kernel, as
 *					addresses, the innermost first
 *	perfevent ID functions CALLS	prints each sample of a call: addresses of the function
 *					and of its caller, from the record
 *	perfevent ID stacks CALLS	as chain, with the stacks of the program
 *	perfevent ID user CALLS		as count, without privileges
 *	perfevent ID program CALLS	as count, of what happens in the program, not in the kernel
 *	perfevent ID hold SECONDS	has the event open for that long
 *	perfevent ID filter CALLS TEXT...
 *					sets each filter in turn, and calls as often in a child;
 *					prints the errno of each filter, or 0, and the count of
 *					both tasks
 *	perfevent ID late CALLS TEXT...	likewise, but the child is there before filters are set
 *	perfevent ID gone CALLS MODULE TEXT...
 *					as filter, but the module is removed before the child is
 *					there
 *	perfevent ID many N		opens N events, with this number and the next ones, closes
 *					them, and prints how many there were
 *
 * With PERFEVENT_USER=UID in the environment, all is done by that user.
 *
 * Exits with 2 if the kernel has no such events, and with the errno of perf_event_open() above 100.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

struct raw_sample {
	struct perf_event_header header;
	uint32_t size;
	unsigned char bytes[];
};

struct call_sample {
	struct perf_event_header header;
	uint32_t size;
	struct record record;
	uint64_t function;
	uint64_t caller;
} __attribute__((packed));

struct chain {
	struct perf_event_header header;
	uint64_t nr;
	uint64_t ip[];
};

static int event;
static int with_stacks, with_filter, without_kernel;

static int try_open(uint64_t id, uint64_t sample_type)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = sample_type != 0,
		.sample_type = sample_type,
		.exclude_callchain_user = !with_stacks,
		.exclude_kernel = without_kernel,
		.inherit = with_filter,
		.disabled = with_filter,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void start(uint64_t id, uint64_t sample_type)
{
	event = try_open(id, sample_type);
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

static void set_filters(char **texts)
{
	for (; *texts; texts++)
		printf("%d ", ioctl(event, PERF_EVENT_IOC_SET_FILTER, *texts) ? errno : 0);
	fflush(stdout);
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

/* A child that calls when it is told to, by the end of the pipe */
static void fork_caller(long calls, const int *pipe_ends)
{
	pid_t pid = fork();
	char unused;

	if (pid < 0)
		err(1, "fork");
	if (pid)
		return;
	close(pipe_ends[1]);
	if (read(pipe_ends[0], &unused, 1))
		_exit(1);
	call(calls);
	_exit(0);
}

static void count_filtered(long calls, const char *gone, char **texts, bool late)
{
	int pipe_ends[2];

	if (pipe(pipe_ends))
		err(1, "pipe");
	if (!late)
		set_filters(texts);
	if (gone && syscall(SYS_delete_module, gone, 0))
		err(1, "%s", gone);
	fork_caller(calls, pipe_ends);
	if (late)
		set_filters(texts);
	close(pipe_ends[1]);
	wait(NULL);
	count(calls);
}

static void print_sample(const struct perf_event_header *header)
{
	const struct sample *sample = (const void *)header;

	printf("%u %s %u %s\n", sample->record.type,
	       sample->record.pid == getpid() ? "mine" : "other", sample->size,
	       (int64_t)sample->ip < 0 ? "kernel" : "user");
}

static void print_bytes(const struct perf_event_header *header)
{
	const struct raw_sample *sample = (const void *)header;

	for (uint32_t i = 0; i < sample->size; i++)
		printf("%u ", sample->bytes[i]);
	printf("\n");
}

static void print_function(const struct perf_event_header *header)
{
	const struct call_sample *call = (const void *)header;

	printf("%016llx %016llx\n", (unsigned long long)call->function,
	       (unsigned long long)call->caller);
}

static void print_chain(const struct perf_event_header *header)
{
	const struct chain *chain = (const void *)header;

	for (uint64_t i = 0; i < chain->nr; i++)
		if (chain->ip[i] < PERF_CONTEXT_MAX)
			printf("%016lx ", (unsigned long)chain->ip[i]);
	printf("\n");
}

static void write_words(const char *name, char **words)
{
	int file;

	for (; *words; words++) {
		file = open(name, O_WRONLY | O_CLOEXEC);
		if (file < 0)
			err(1, "%s", name);
		if (write(file, *words, strlen(*words)) < 0)
			err(1, "%s: %s", name, *words);
		close(file);
	}
}

/* @words: a file, and what is written to it, in place of the calls; NULL: none */
static void sample(long calls, char **words,
		   void (*print)(const struct perf_event_header *header))
{
	struct perf_event_mmap_page *control;
	uint64_t tail = 0, head;
	const char *data;

	control = mmap(NULL, PAGE + BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (control == MAP_FAILED)
		err(1, "mmap");
	if (words)
		while (calls--)
			write_words(words[0], words + 1);
	else
		call(calls);
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	data = (char *)control + PAGE;
	head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	while (tail < head) {
		const struct perf_event_header *header = (const void *)(data + tail);

		if (header->type == PERF_RECORD_SAMPLE)
			print(header);
		tail += header->size;
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
	const char *what;
	uint64_t id;
	long nr;

	if (argc < 4)
		errx(1, "usage: perfevent ID WHAT N [FILE|MODULE] [TEXT...]: see the source");
	id = strtoull(argv[1], NULL, 0);
	what = argv[2];
	nr = atol(argv[3]);
	if (getenv("PERFEVENT_USER") && setuid(atoi(getenv("PERFEVENT_USER"))))
		err(1, "setuid");
	if (!strcmp(what, "many")) {
		many(id, nr);
	} else if (!strcmp(what, "filter") || !strcmp(what, "late")) {
		with_filter = 1;
		start(id, 0);
		count_filtered(nr, NULL, argv + 4, *what == 'l');
	} else if (!strcmp(what, "gone") && argc > 4) {
		with_filter = 1;
		start(id, 0);
		count_filtered(nr, argv[4], argv + 5, false);
	} else if (!strcmp(what, "sample")) {
		start(id, PERF_SAMPLE_IP | PERF_SAMPLE_RAW);
		sample(nr, NULL, print_sample);
	} else if (!strcmp(what, "bytes") && argc > 5) {
		start(id, PERF_SAMPLE_RAW);
		sample(nr, argv + 4, print_bytes);
	} else if (!strcmp(what, "functions")) {
		start(id, PERF_SAMPLE_RAW);
		sample(nr, NULL, print_function);
	} else if (!strcmp(what, "chain") || !strcmp(what, "stacks")) {
		with_stacks = *what == 's';
		start(id, PERF_SAMPLE_CALLCHAIN);
		sample(nr, NULL, print_chain);
	} else {
		if (!strcmp(what, "user") && setuid(65534))
			err(1, "setuid");
		without_kernel = !strcmp(what, "program");
		start(id, 0);
		if (!strcmp(what, "hold"))
			sleep(nr);
		else
			count(nr);
	}
	return 0;
}
