// SPDX-License-Identifier: GPL-2.0
/*
 * perf events at trace events: opened for tasks and CPUs, with filters and with rings that are
 * mapped and read; inherited by children; and left open by processes that end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"

#define FEW		16	/* perf events that are opened and closed in a row */
#define NOBODY		65534

/**
 * struct perf - a perf event that stays open for later operations
 * @place: where; the path is that of the file that says the event's number
 * @event: the trace event; NULL: there is none with this number
 * @attr: for perf_event_open(), as @pid, @cpu and @flags
 * @ring: its memory, if it is mapped
 * @size: bytes of @ring
 * @overwritten: the kernel overwrites records, also those that were not read
 */
struct perf {
	struct place		place;
	struct event		*event;
	struct perf_event_attr	attr;
	pid_t			pid;
	int			cpu;
	unsigned long		flags;
	char			*ring;
	size_t			size;
	bool			overwritten;
};

static struct perf perfs[PERFS];

static void close_perf(struct perf *perf)
{
	if (perf->ring)
		munmap(perf->ring, perf->size);
	perf->ring = NULL;
	close_place(&perf->place);
}

void begin_perfs(void)
{
	for (unsigned int i = 0; i < PERFS; i++)
		perfs[i].place.fd = -1;
	signal(SIGIO, SIG_IGN);
}

static void choose_perf(struct perf *perf)
{
	uint64_t number = random_event_number();

	perf->event = chance(12) ? find_event("ftrace/function") : random_event();
	if (chance(12))
		perf->event = NULL;
	random_perf_attr(&perf->attr, perf->event);
	perf->attr.config = number;
	perf->pid = random_perf_task();
	perf->cpu = random_perf_cpu();
	perf->flags = chance(16) ? rnd(16) : PERF_FLAG_FD_CLOEXEC;
	if (perf->event)
		event_path(perf->place.path, perf->event, "id");
	else
		snprintf(perf->place.path, PATH, TRACEFS "events/%llu",
			 (unsigned long long)number);
}

/* The perf event that the operation's span has at this place: see turn_to() of ops.c. */
static struct perf *turn_to(unsigned int number)
{
	unsigned long span = begin_span(SLOTS + MAPS + number);
	struct perf *perf = &perfs[number];

	if (perf->place.span != span)
		close_perf(perf);
	choose_perf(perf);
	end_span();
	perf->place.span = span;
	return perf;
}

/* It is opened when it is used first. Negative: it cannot be opened. */
static int perf_fd(struct perf *perf)
{
	if (perf->place.fd >= 0)
		return perf->place.fd;
	if (perf->event)
		perf->attr.config = event_number(perf->event);
	perf->place.fd = perf_event_open(&perf->attr, perf->pid, perf->cpu, -1, perf->flags);
	return perf->place.fd;
}

static void say_perf(const char *what, const struct perf *perf)
{
	say("perf-%s %s period %lld type %#llx pid %d cpu %d%s", what,
	    perf->place.path + strlen(TRACEFS), (long long)perf->attr.sample_period,
	    (unsigned long long)perf->attr.sample_type, perf->pid, perf->cpu,
	    perf->attr.inherit ? " inherit" : "");
}

/*
 * The ring
 */

static bool is_mapped(struct perf *perf)
{
	size_t page = sysconf(_SC_PAGESIZE), pages = 1U << rnd(5), odd = rnd(9);
	bool is_odd = chance(16), read_only = chance(6);
	void *at;

	if (perf->ring)
		return true;
	perf->size = page * (1 + (is_odd ? odd : pages));
	at = mmap(NULL, perf->size, read_only ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
		  perf_fd(perf), 0);
	if (at == MAP_FAILED)
		return false;
	perf->ring = at;
	perf->overwritten = read_only || perf->attr.write_backward;
	return true;
}

/* A record that crosses the end of the ring goes on at its beginning. */
static const struct perf_event_header *record_at(const struct perf *perf, uint64_t at)
{
	const struct perf_event_mmap_page *page = (void *)perf->ring;

	return (void *)(perf->ring + page->data_offset + at % page->data_size);
}

/*
 * Walk over all records. The kernel writes whole records before it moves the head, and does not
 * overwrite records that were not read: so the records end exactly at the head.
 */
static long read_ring(struct perf *perf)
{
	struct perf_event_mmap_page *page;
	const struct perf_event_header *header;
	uint64_t head, at;
	long records = 0;

	if (!is_mapped(perf))
		return -1;
	page = (void *)perf->ring;
	if (!page->data_size || perf->overwritten)
		return 0;
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	for (at = page->data_tail; at != head; at += header->size) {
		header = record_at(perf, at);
		if (header->size < sizeof(*header) || header->size > head - at) {
			printf("# a record of %u bytes, of %llu\n", header->size,
			       (unsigned long long)(head - at));
			abort();
		}
		records++;
	}
	__atomic_store_n(&page->data_tail, at, __ATOMIC_RELEASE);
	return records;
}

static long unmap_ring(struct perf *perf)
{
	long result = is_mapped(perf) ? munmap(perf->ring, perf->size) : -1;

	perf->ring = NULL;
	return result;
}

/*
 * Uses
 */

static long count_perf(struct perf *perf)
{
	static const size_t sizes[] = { 8, 64, 4096, 1 };
	static char counts[4096];

	return read(perf_fd(perf), counts, sizes[rnd(ARRAY_SIZE(sizes))]);
}

static long filter_perf(struct perf *perf)
{
	static const char * const functions[] = {
		"ip == vfs_read", "ip == \"vfs_*\" || ip == ksys_read", "ip != schedule",
		"ip == no_such_function", "ip ==", "ip == a b", "ip == \"*\"", "ip > 1",
	};
	static char text[VALUE];
	const char *function = functions[rnd(ARRAY_SIZE(functions))];
	size_t size;

	size = chance(4) ? odd_event_value(perf->event, text) :
			   event_value('q', perf->event, text);
	text[size] = 0;
	if (perf->event && !strcmp(perf->event->system, "ftrace") && rnd(4))
		snprintf(text, sizeof(text), "%s", function);
	return ioctl(perf_fd(perf), PERF_EVENT_IOC_SET_FILTER, text);
}

static long switch_perf(struct perf *perf)
{
	unsigned long flags = chance(4) ? PERF_IOC_FLAG_GROUP : 0;

	return ioctl(perf_fd(perf), rnd(2) ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, flags);
}

static long refresh_perf(struct perf *perf)
{
	return ioctl(perf_fd(perf), PERF_EVENT_IOC_REFRESH, rnd(4));
}

static long set_period(struct perf *perf)
{
	uint64_t period = random_perf_period(perf->event);

	return ioctl(perf_fd(perf), PERF_EVENT_IOC_PERIOD, &period);
}

/* Let records go to the ring of another perf event. */
static long redirect_perf(struct perf *perf)
{
	int other = chance(4) ? -1 : perfs[rnd(PERFS)].place.fd;

	perf->overwritten = true;
	return ioctl(perf_fd(perf), PERF_EVENT_IOC_SET_OUTPUT, other);
}

static long odd_ioctl(struct perf *perf)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_RESET, PERF_EVENT_IOC_ID, PERF_EVENT_IOC_PAUSE_OUTPUT,
		PERF_EVENT_IOC_SET_BPF, PERF_EVENT_IOC_QUERY_BPF, _IO('$', 0x21),
	};
	uint64_t number = 1;
	unsigned long request = requests[rnd(ARRAY_SIZE(requests))];

	return ioctl(perf_fd(perf), request, &number);
}

/* Change attributes. For filters, this is refused, too. */
static long change_attr(struct perf *perf)
{
	struct perf_event_attr attr = perf->attr;

	attr.sample_period = random_perf_period(perf->event);
	attr.disabled = chance(2);
	perf_fd(perf);
	attr.config = perf->attr.config;
	return ioctl(perf_fd(perf), PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
}

static long poll_perf(struct perf *perf)
{
	struct pollfd wait = { .events = POLLIN };
	int timeout = rnd(10);

	wait.fd = perf_fd(perf);
	return wait.fd < 0 ? -1 : poll(&wait, 1, timeout);
}

/* Get a signal for each record; the signal is ignored. */
static long signal_perf(struct perf *perf)
{
	int fd = perf_fd(perf);

	if (fcntl(fd, F_SETOWN, getpid()))
		return -1;
	return fcntl(fd, F_SETFL, O_RDONLY | (rnd(2) ? O_ASYNC : 0));
}

static long all_of_task(struct perf *perf)
{
	int how = rnd(3) ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE;

	perf_fd(perf);
	return prctl(how, 0, 0, 0, 0);
}

static long end_perf(struct perf *perf)
{
	long result = perf_fd(perf);

	close_perf(perf);
	return result;
}

/* Open another perf event of the same group. */
static long open_member(struct perf *perf)
{
	struct perf_event_attr attr = perf->attr;
	struct event *event = random_event();
	long fd;

	attr.config = event_number(event);
	attr.pinned = 0;
	fd = perf_event_open(&attr, perf->pid, perf->cpu, perf_fd(perf), PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
		getppid();
		close(fd);
	}
	return fd;
}

/* Open and close several in a row. */
static long open_few(struct perf *perf)
{
	int fds[FEW], count = 1 + rnd(FEW), i;
	long opened = -1;

	(void)perf;
	for (i = 0; i < count; i++) {
		fds[i] = open_perf_event(random_event());
		opened = fds[i] >= 0 ? i : opened;
	}
	for (i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	return opened;
}

/* A child inherits perf events, opens one more, and ends with all of them open. */
static void live(struct perf *perf, struct event *event, unsigned int how)
{
	char text[64];
	int i;

	/* that of the parent may be opened only here, and end with the child */
	perf_fd(perf);
	if (how == 1 && setuid(NOBODY))
		_exit(1);
	open_perf_event(event);
	ioctl(perf->place.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < 20; i++) {
		if (read(perf->place.fd, text, sizeof(text)) < 0)
			getppid();
		sched_yield();
	}
	if (how == 2)
		execl("/bin/true", "true", NULL);
	if (how == 3 && fork() > 0)
		wait(NULL);
	_exit(0);
}

static long fork_perf(struct perf *perf)
{
	struct event *event = random_event();
	unsigned int how = rnd(5), us = rnd(10000);
	bool ends = chance(2), opened = chance(2);
	pid_t child;

	if (opened)
		perf_fd(perf);
	limit_wait(false);
	child = fork();
	if (!child)
		live(perf, event, how);
	if (child <= 0)
		return child;
	usleep(us);
	if (!ends)
		kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return child;
}

static const struct use {
	const char	*name;
	long		(*run)(struct perf *perf);
} uses[] = {
	{ "count", count_perf },
	{ "count", count_perf },
	{ "filter", filter_perf },
	{ "filter", filter_perf },
	{ "filter", filter_perf },
	{ "switch", switch_perf },
	{ "switch", switch_perf },
	{ "refresh", refresh_perf },
	{ "period", set_period },
	{ "redirect", redirect_perf },
	{ "ioctl", odd_ioctl },
	{ "attr", change_attr },
	{ "poll", poll_perf },
	{ "signal", signal_perf },
	{ "task", all_of_task },
	{ "ring", read_ring },
	{ "ring", read_ring },
	{ "ring", read_ring },
	{ "ring", read_ring },
	{ "unmap", unmap_ring },
	{ "close", end_perf },
	{ "close", end_perf },
	{ "member", open_member },
	{ "few", open_few },
	{ "fork", fork_perf },
	{ "fork", fork_perf },
};

void do_perf(void)
{
	struct perf *perf = turn_to(rnd(PERFS));
	const struct use *use = &uses[rnd(ARRAY_SIZE(uses))];

	if (!wanted(perf->place.path))
		return;
	say_perf(use->name, perf);
	limit_wait(true);
	answer(PERF, use->run(perf));
	limit_wait(false);
}
