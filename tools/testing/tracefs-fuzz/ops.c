// SPDX-License-Identifier: GPL-2.0
/*
 * The operations. None waits for ever: where the kernel may wait for events, a timer
 * interrupts it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops.h"

#define SLOTS		4
#define PATIENCE_US	30000

struct slot {
	int			fd;	/* -1: none */
	const struct row	*row;
};

static struct slot slots[SLOTS];
static int ends[2];
static char data[65536];

static void on_alarm(int signal)
{
	(void)signal;
}

/* Interrupt what waits, until told otherwise: the first time may be too early. */
void limit_wait(bool on)
{
	static const struct timeval never, soon = { .tv_usec = PATIENCE_US };
	struct itimerval timer = { never, never };

	if (on)
		timer = (struct itimerval){ soon, soon };
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* Memory may be refused (-m), but not for ever. */
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
		slots[i].fd = -1;
	begin_maps();
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

/* At once, or as two words that may not be words. */
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
	size = good_value(control->row, value);
	write_file(SET, path, value, size);
}

static void do_garbage(void)
{
	static char value[VALUE];
	char path[PATH];
	const struct control *control = choose_control(false, path);
	size_t size = garbage(control->row, value);

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

/* What is in a pipe may stay there when its buffer is long gone. */
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

static void open_slot(struct slot *slot, unsigned int number)
{
	static const int flags[] = { O_RDONLY, O_RDONLY, O_RDONLY | O_NONBLOCK, O_WRONLY, O_RDWR,
				     O_RDWR | O_TRUNC, O_WRONLY | O_APPEND, O_WRONLY | O_TRUNC };
	char path[PATH];
	const struct control *control = choose_control(false, path);
	int how = flags[rnd(ARRAY_SIZE(flags))];

	if (!wanted(path))
		return;
	say("open %u %s 0%o", number, path, how);
	slot->row = control->row;
	slot->fd = open(path, how);
	answer(FILES, slot->fd);
}

static void write_slot(struct slot *slot, unsigned int number)
{
	static char value[VALUE];
	bool good = slot->row && chance(2), at = chance(4);
	size_t size;

	size = good ? good_value(slot->row, value) : garbage(slot->row, value);
	say_write(at ? "pwrite" : "write", (char []){ '0' + number, 0 }, value, size);
	answer(FILES, at ? pwrite(slot->fd, value, size, rnd(100)) : write(slot->fd, value, size));
}

static void poll_slot(struct slot *slot, unsigned int number)
{
	struct pollfd wait = { slot->fd, POLLIN | POLLOUT | POLLPRI, 0 };

	say("poll %u", number);
	if (chance(2))
		wait.events = POLLIN;
	answer(FILES, poll(&wait, 1, rnd(20)));
}

static void splice_slot(struct slot *slot, unsigned int number)
{
	static const size_t sizes[] = { 1, 4095, 4096, 8192, 65536, 131072 };
	size_t size = sizes[rnd(ARRAY_SIZE(sizes))];
	unsigned int flags = chance(2) ? SPLICE_F_NONBLOCK : 0;

	say("splice %u %zu", number, size);
	if (chance(4))
		answer(FILES, sendfile(ends[1], slot->fd, NULL, size));
	else
		answer(FILES, splice(slot->fd, NULL, ends[1], NULL, size, flags));
	drain();
}

static void seek_slot(struct slot *slot, unsigned int number)
{
	static const off_t places[] = { 0, 0, 1, 100, 4096, -1, 1L << 31, 1L << 40 };
	off_t place = places[rnd(ARRAY_SIZE(places))];
	int whence = rnd(3);

	say("lseek %u %ld %d", number, (long)place, whence);
	answer(FILES, lseek(slot->fd, place, whence) < 0 ? -1 : 0);
}

static void odd_slot(struct slot *slot, unsigned int number)
{
	struct slot *other = &slots[rnd(SLOTS)];
	struct stat stat;

	say("odd %u", number);
	switch (rnd(4)) {
	case 0:
		answer(FILES, ftruncate(slot->fd, rnd(2)));
		break;
	case 1:
		answer(FILES, fstat(slot->fd, &stat));
		break;
	case 2:
		answer(FILES, fsync(slot->fd));
		break;
	default:
		if (other->fd >= 0)
			break;
		*other = (struct slot){ dup(slot->fd), slot->row };
		answer(FILES, other->fd);
	}
}

static void close_slot(struct slot *slot, unsigned int number)
{
	say("close %u", number);
	answer(FILES, close(slot->fd));
	slot->fd = -1;
}

static void close_slots(void)
{
	for (unsigned int i = 0; i < SLOTS; i++) {
		if (slots[i].fd >= 0)
			close_slot(&slots[i], i);
	}
}

static void do_files(void)
{
	unsigned int number = rnd(SLOTS);
	struct slot *slot = &slots[number];

	if (slot->fd < 0)
		return open_slot(slot, number);
	limit_wait(true);
	switch (rnd(12)) {
	case 0: case 1: case 2:
		say("read %u", number);
		answer(FILES, read(slot->fd, data, read_size()));
		break;
	case 3:
		say("pread %u", number);
		answer(FILES, pread(slot->fd, data, read_size(), rnd(10000)));
		break;
	case 4: case 5:
		write_slot(slot, number);
		break;
	case 6:
		poll_slot(slot, number);
		break;
	case 7:
		splice_slot(slot, number);
		break;
	case 8:
		seek_slot(slot, number);
		break;
	case 9:
		odd_slot(slot, number);
		break;
	case 10:
		close_slots();
		break;
	default:
		close_slot(slot, number);
	}
	limit_wait(false);
}

/* Names that there may not be, at once gone again; and what cannot be done in tracefs. */
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

static void do_module(void)
{
	unsigned int number = rnd(module_count());
	bool load = chance(2);

	say("%s %s", load ? "load" : "unload", module_name(number));
	answer(MODULE, change_module(number, load));
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

/* The child is killed wherever it is by then. Its timer is off, so it may wait for ever. */
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
	[SYSCTL] = do_sysctl,
};

void run_class(enum class class)
{
	operations[class]();
}
