// SPDX-License-Identifier: GPL-2.0
/*
 * The operations. None waits for ever: if the kernel may wait for events, a timer interrupts it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops.h"

#define PATIENCE_US	30000
#define PATIENCE_MAX_US	10000000

struct slot {
	struct place		place;
	const struct control	*control;
};

static struct slot slots[SLOTS];
static int ends[2];
static char data[65536];

static volatile unsigned int patience;

static void set_alarm(unsigned int us)
{
	struct itimerval timer = { .it_value = { us / 1000000, us % 1000000 } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

/*
 * The first alarm may come too early, so others follow, each after a longer time: if all functions
 * that a signal needs are traced, and the machine is slow, handling it may take longer than the
 * time between two.
 */
static void on_alarm(int signal)
{
	(void)signal;
	if (!patience)
		return;
	patience = patience < PATIENCE_MAX_US / 2 ? 2 * patience : PATIENCE_MAX_US;
	set_alarm(patience);
}

/* Interrupt calls that wait, until this is called with false. */
void limit_wait(bool on)
{
	patience = on ? PATIENCE_US : 0;
	set_alarm(patience);
}

/* The kernel may fail to allocate memory (-m), but not for ever. */
static void make_pipe(void)
{
	unsigned int try = 0;

	while (pipe2(ends, O_NONBLOCK)) {
		if (++try == 1000)
			_exit(2);
	}
}

void begin_operations(void)
{
	struct sigaction action = { .sa_handler = on_alarm };

	sigaction(SIGALRM, &action, NULL);
	for (unsigned int i = 0; i < SLOTS; i++)
		slots[i].place.fd = -1;
	begin_maps();
	begin_perfs();
	signal(SIGPIPE, SIG_IGN);
	make_pipe();
}

static void quote(char *to, size_t room, const char *value, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < size && at + 5 < room; i++) {
		unsigned char c = value[i];

		at += sprintf(to + at, c < ' ' || c > '~' || c == '\\' ? "\\%03o" : "%c", c);
	}
	to[at] = 0;
}

static void say_write(const char *what, const char *path, const char *value, size_t size)
{
	char quoted[60];

	quote(quoted, sizeof(quoted), value, size);
	say("%s %s %zu '%s'", what, path, size, quoted);
}

static int write_flags(void)
{
	static const int flags[] = { 0, O_TRUNC, O_APPEND, O_TRUNC | O_NONBLOCK };

	return flags[rnd(ARRAY_SIZE(flags))];
}

/* Write the value at once, or in two parts that may cut a word. */
static void write_file(enum class class, const char *path, const char *value, size_t size)
{
	int flags = write_flags();
	size_t cut = size && chance(8) ? rnd(size) : size;
	long result;
	int fd;

	if (!wanted(path))
		return;
	say_write(class == SET ? "set" : "garbage", path, value, size);
	fd = open(path, O_WRONLY | flags);
	result = fd;
	if (fd >= 0) {
		result = write(fd, value, cut);
		if (cut < size)
			result = write(fd, value + cut, size - cut);
		close(fd);
	}
	answer(class, result);
}

static void do_set(void)
{
	static char value[VALUE];
	char path[PATH];
	const struct control *control;
	size_t size;

	do {
		control = choose_control(true, path);
	} while (!control->row);
	size = good_value(control, value);
	write_file(SET, path, value, size);
}

static void do_garbage(void)
{
	static char value[VALUE];
	char path[PATH];
	const struct control *control = choose_control(false, path);
	size_t size = garbage(control, value);

	write_file(GARBAGE, path, value, size);
}

static size_t read_size(void)
{
	static const size_t sizes[] = { 1, 7, 100, 4096, 4096, 4097, 16384, sizeof(data) };

	return sizes[rnd(ARRAY_SIZE(sizes))];
}

static void do_get(void)
{
	char path[PATH];
	unsigned int times = 1 + rnd(8);
	int flags = chance(2) ? O_NONBLOCK : 0;
	long result = 0;
	int fd;

	choose_control(false, path);
	if (!wanted(path))
		return;
	say("get %s %u", path, times);
	limit_wait(true);
	fd = open(path, O_RDONLY | flags);
	if (fd < 0)
		result = -1;
	while (result >= 0 && times--) {
		result = read(fd, data, read_size());
		if (!result)
			break;
	}
	if (fd >= 0)
		close(fd);
	limit_wait(false);
	answer(GET, result);
}

void close_place(struct place *place)
{
	if (place->fd >= 0)
		close(place->fd);
	place->fd = -1;
}

/* The file is opened when it is used first. Negative: it cannot be opened. */
int place_fd(struct place *place)
{
	if (place->fd < 0)
		place->fd = open(place->path, place->flags);
	return place->fd;
}

void say_use(const char *what, const struct place *place)
{
	say("%s %s 0%o", what, place->path, place->flags);
}

static void close_slots(void)
{
	for (unsigned int i = 0; i < SLOTS; i++)
		close_place(&slots[i].place);
}

/* The content of a pipe may stay there after its buffer was freed. */
static void drain(void)
{
	if (chance(3))
		return;
	if (chance(4)) {
		close(ends[0]);
		close(ends[1]);
		make_pipe();
		return;
	}
	while (read(ends[0], data, sizeof(data)) > 0)
		;
}

/* The file that the operation's span has at this place. */
static struct slot *turn_to(unsigned int number)
{
	static const int flags[] = { O_RDONLY, O_RDONLY, O_RDONLY | O_NONBLOCK, O_WRONLY, O_RDWR,
				     O_RDWR | O_TRUNC, O_WRONLY | O_APPEND, O_WRONLY | O_TRUNC };
	struct slot *slot = &slots[number];
	unsigned long span = begin_span(number);

	slot->control = choose_control(false, slot->place.path);
	slot->place.flags = flags[rnd(ARRAY_SIZE(flags))];
	end_span();
	if (slot->place.span != span)
		close_place(&slot->place);
	slot->place.span = span;
	return slot;
}

static void read_slot(struct slot *slot)
{
	size_t size = read_size();

	say_use("read", &slot->place);
	if (chance(4))
		answer(FILES, pread(place_fd(&slot->place), data, size, rnd(10000)));
	else
		answer(FILES, read(place_fd(&slot->place), data, size));
}

static size_t slot_value(const struct slot *slot, char *value)
{
	if (slot->control->row && chance(2))
		return good_value(slot->control, value);
	return garbage(slot->control, value);
}

static void write_slot(struct slot *slot)
{
	static char value[VALUE];
	size_t size = slot_value(slot, value);

	say_write("write", slot->place.path, value, size);
	if (chance(4))
		answer(FILES, pwrite(place_fd(&slot->place), value, size, rnd(100)));
	else
		answer(FILES, write(place_fd(&slot->place), value, size));
}

static void poll_slot(struct slot *slot)
{
	struct pollfd wait = { .events = chance(2) ? POLLIN : POLLIN | POLLOUT | POLLPRI };

	say_use("poll", &slot->place);
	wait.fd = place_fd(&slot->place);
	answer(FILES, wait.fd < 0 ? -1 : poll(&wait, 1, rnd(20)));
}

static size_t splice_size(void)
{
	static const size_t sizes[] = { 1, 4095, 4096, 8192, 65536, 131072 };

	return sizes[rnd(ARRAY_SIZE(sizes))];
}

static void splice_from(struct slot *slot)
{
	size_t size = splice_size();
	unsigned int flags = chance(2) ? SPLICE_F_NONBLOCK : 0;

	say_use("splice-from", &slot->place);
	if (chance(4))
		answer(FILES, sendfile(ends[1], place_fd(&slot->place), NULL, size));
	else
		answer(FILES, splice(place_fd(&slot->place), NULL, ends[1], NULL, size, flags));
	drain();
}

/* The pipe may already have data that were spliced from another file. */
static void splice_to(struct slot *slot)
{
	static char value[VALUE];
	size_t size = slot_value(slot, value);
	long result = -1;

	say_write("splice-to", slot->place.path, value, size);
	if (write(ends[1], value, size) >= 0 || errno == EAGAIN)
		result = splice(ends[0], NULL, place_fd(&slot->place), NULL, splice_size(), 0);
	answer(FILES, result);
	drain();
}

static void seek_slot(struct slot *slot)
{
	static const off_t places[] = { 0, 0, 1, 100, 4096, -1, 1L << 31, 1L << 40 };
	off_t place = places[rnd(ARRAY_SIZE(places))];

	say_use("lseek", &slot->place);
	answer(FILES, lseek(place_fd(&slot->place), place, rnd(3)) < 0 ? -1 : 0);
}

static void odd_slot(struct slot *slot)
{
	static const unsigned long requests[] = {
		TRACE_MMAP_IOCTL_GET_READER, TRACE_MMAP_IOCTL_GET_READER, _IO('R', 0x21),
		FIONREAD, 0,
	};
	unsigned long request;
	struct stat stat;
	int size = 0;

	say_use("odd", &slot->place);
	switch (rnd(6)) {
	case 0:
		answer(FILES, ftruncate(place_fd(&slot->place), rnd(2)));
		break;
	case 1:
		answer(FILES, fstat(place_fd(&slot->place), &stat));
		break;
	case 2:
		answer(FILES, fsync(place_fd(&slot->place)));
		break;
	case 3: /* the other half is still open */
		answer(FILES, close(dup(place_fd(&slot->place))));
		break;
	default:
		request = requests[rnd(ARRAY_SIZE(requests))];
		answer(FILES, ioctl(place_fd(&slot->place), request, &size));
	}
}

static void end_slot(struct slot *slot)
{
	bool all = chance(2);

	say_use(all ? "close-all" : "close", &slot->place);
	answer(FILES, place_fd(&slot->place));
	if (all)
		close_slots();
	else
		close_place(&slot->place);
}

static void do_files(void)
{
	static void (* const uses[])(struct slot *slot) = {
		read_slot, read_slot, read_slot, read_slot, write_slot, write_slot, poll_slot,
		splice_from, splice_to, seek_slot, odd_slot, end_slot, end_slot, end_slot,
	};
	struct slot *slot = turn_to(rnd(SLOTS));

	if (!wanted(slot->place.path))
		return;
	limit_wait(true);
	uses[rnd(ARRAY_SIZE(uses))](slot);
	limit_wait(false);
}

/* Names that may not be possible, removed at once; and operations that tracefs does not have. */
static void odd_directory(void)
{
	static const char * const names[] = {
		"instances/", "instances/a/b", "fuzz", "instances/fuzz0/more", "options/fuzz",
		"instances/fuzz ", "instances/fuzz\n", "instances/..", "per_cpu/cpu0/fuzz",
		"instances/.x",
	};
	char path[PATH], other[PATH];

	switch (rnd(4)) {
	case 0:
		snprintf(path, sizeof(path), TRACEFS "%s", names[rnd(ARRAY_SIZE(names))]);
		break;
	case 1:
		snprintf(path, sizeof(path), TRACEFS "instances/%0*u", 250 + rnd(10), 0);
		break;
	case 2:
		choose_control(false, path);
		say("unlink %s", path);
		answer(INSTANCE, unlink(path));
		return;
	default:
		snprintf(path, sizeof(path), TRACEFS "instances/fuzz%u", rnd(INSTANCES));
		snprintf(other, sizeof(other), TRACEFS "instances/fuzz%u", rnd(INSTANCES));
		say("rename %s %s", path, other);
		answer(INSTANCE, rename(path, other));
		return;
	}
	say("mkdir %s", path);
	answer(INSTANCE, mkdir(path, 0750));
	rmdir(path);
}

static void do_instance(void)
{
	char path[PATH];

	if (chance(8))
		return odd_directory();
	snprintf(path, sizeof(path), TRACEFS "instances/fuzz%u", rnd(INSTANCES));
	if (chance(2)) {
		say("mkdir %s", path);
		answer(INSTANCE, mkdir(path, 0750));
	} else {
		/* it stays there as long as its files are open */
		if (chance(2)) {
			close_slots();
			close_maps();
		}
		say("rmdir %s", path);
		answer(INSTANCE, rmdir(path));
	}
}

static void do_cpu(void)
{
	unsigned int cpu = 1 + (cpus > 1 ? rnd(cpus - 1) : 0);
	bool online = rnd(3);

	say("cpu %u %s", cpu, online ? "on" : "off");
	answer(CPU, set_cpu(cpu, online));
}

static void live(const char *path, unsigned int how)
{
	int fd;

	if (!how)
		_exit(0);
	if (how == 1) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	fd = open(path, O_RDONLY);
	for (int i = 0; i < 1000; i++) {
		if (how == 2)
			splice(fd, NULL, ends[1], NULL, 8192, 0);
		else if (read(fd, data, sizeof(data)) <= 0)
			usleep(1000);
	}
	_exit(0);
}

/* The child is killed at any point. Its timer is off, so it may wait for ever. */
static void do_task(void)
{
	static const char * const how_names[] = { "exit", "exec", "splice", "read" };
	unsigned int how = rnd(4), us = rnd(20000);
	char path[PATH];
	pid_t child;

	choose_control(false, path);
	if (chance(2))
		snprintf(path, PATH, TRACEFS "per_cpu/cpu%u/trace_pipe_raw", rnd(cpus));
	if (how > 1 && !wanted(path))
		return;
	say("task %s %s %u", how_names[how], path, us);
	child = fork();
	if (!child)
		live(path, how);
	if (child > 0) {
		usleep(us);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	answer(TASK, child);
	drain();
}

static void do_sysctl(void)
{
	static const char * const values[] = { "0\n", "1\n", "1\n", "1\n", "2\n", "x\n" };
	const char *value = values[rnd(ARRAY_SIZE(values))];

	say("ftrace_enabled %.1s", value);
	answer(SYSCTL, put("/proc/sys/kernel/ftrace_enabled", 0, value, strlen(value)));
}

static void (* const operations[CLASSES])(void) = {
	[SET] = do_set, [GARBAGE] = do_garbage, [GET] = do_get, [FILES] = do_files, [MAP] = do_map,
	[INSTANCE] = do_instance, [CPU] = do_cpu, [MODULE] = do_module, [TASK] = do_task,
	[SYSCTL] = do_sysctl, [PERF] = do_perf,
};

void run_class(enum class class)
{
	operations[class]();
}
