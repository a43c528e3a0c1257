// SPDX-License-Identifier: GPL-2.0
/*
 * rawpipe PART - print how trace_pipe_raw, and trace_pipe as far as text does not matter, answer on
 * CPU 0, in lines that do not depend on the machine: for guest/tests/oracle.
 *
 * The program runs on CPU 0 and fills the buffer of that CPU with numbered markers, so it knows the
 * content. Once a call sleeps, another thread acts. A call that then returns woke up "then"; an
 * alarm ends a call that still sleeps ("at the alarm"). No clock is used, as a machine may be slow.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACEFS		"/sys/kernel/tracing/"
#define CPU0		TRACEFS "per_cpu/cpu0/"
#define RAW		CPU0 "trace_pipe_raw"
#define GET_READER	_IO('R', 0x20)
#define MISSED		(1UL << 31)
#define STORED		(1UL << 30)
#define DATA(size)	((size) - 16)

static void *volatile bad_address = (void *)8;
static char page[65536 * 4] __attribute__((aligned(4096)));

static void ignore(long result)
{
	(void)result;
}

static void set(const char *name, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), TRACEFS "%s", name);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("cannot write %s: %s\n", name, strerror(errno));
	close(fd);
}

static void mark(int n)
{
	int fd = open(TRACEFS "trace_marker", O_WRONLY);
	char text[64];

	for (int i = 0; i < n; i++) {
		int len = sprintf(text, "marker %05d", i);

		if (write(fd, text, len) != len)
			printf("marker: %s\n", strerror(errno));
	}
	close(fd);
}

/* Count the events in a sub-buffer, and find the first and the last number of its markers. */
static int events(const char *sub, int *first, int *last)
{
	unsigned long commit = *(const unsigned long *)(sub + 8);
	unsigned int end = commit & 0xfffff, pos = 0, n = 0;

	*first = *last = -1;
	while (pos < end) {
		const uint32_t *event = (const void *)(sub + 16 + pos);
		unsigned int type = *event & 31, len;

		if (type == 29 && !(*event >> 5))
			break;
		if (type == 29)
			len = 4 + event[1];
		else if (type >= 30)
			len = 8;
		else if (type)
			len = 4 + 4 * type;
		else
			len = 4 + event[1];
		if (type <= 28) {
			const char *text = (const char *)event + 4 + (type ? 0 : 4) + 16;

			n++;
			*last = atoi(text + 7);
			if (*first < 0)
				*first = *last;
		}
		pos += len;
	}
	return n;
}

static const char *said(long ret)
{
	static char text[8][64];
	static int i;
	char *t = text[i++ & 7];

	if (ret < 0)
		return strerror(errno);
	sprintf(t, "%ld", ret);
	return t;
}

/* Events in a full sub-buffer: the size of an event depends on the architecture. */
static int whole = 1;

/* A number of events as a number of sub-buffers, plus or minus some events. */
static const char *relative(int n)
{
	static char text[4][32];
	static int i;
	int subs = (n + whole / 2) / whole;
	char *t = text[i++ & 3];

	sprintf(t, "%d%+d", subs, n - subs * whole);
	return t;
}

static void show_page(const char *what, long ret)
{
	const char *result = said(ret);
	int first, last, n;

	printf("%s: %s", what, result);
	if (ret > 16) {
		unsigned long commit = *(unsigned long *)(page + 8);

		n = events(page, &first, &last);
		printf(", %s events %s to %s%s%s", relative(n), relative(first), relative(last),
		       commit & MISSED ? ", missed" : "", commit & STORED ? ", stored" : "");
	}
	printf("\n");
}

static void drain(void)
{
	int fd = open(RAW, O_RDONLY | O_NONBLOCK);

	while (read(fd, page, 4096) > 0)
		;
	close(fd);
}

static void start(void)
{
	set("tracing_on", "0");
	set("trace", "");
	set("tracing_on", "1");
}

static void measure_events(void)
{
	int first, last, fd = open(RAW, O_RDONLY | O_NONBLOCK);

	start();
	mark(300);
	if (read(fd, page, 4096) == 4096)
		whole = events(page, &first, &last);
	close(fd);
}

/* The first thread makes a call. Meanwhile the helper acts, and then sends the alarm. */
static volatile sig_atomic_t acted, rang, returned;
static int orders[2], done[2];

static void on_alarm(int sig)
{
	(void)sig;
	rang = 1;
}

/* Does the first thread sleep in a way that signals can interrupt? */
static int sleeps(void)
{
	char text[512] = "", *name_end;
	int fd = open("/proc/self/stat", O_RDONLY);

	ignore(read(fd, text, sizeof(text) - 1));
	close(fd);
	name_end = strrchr(text, ')');
	return name_end && name_end[2] == 'S';
}

/* Wait until the first thread slept at @looks looks in a row, or has returned; 10 s at most. */
static void let_sleep(int looks)
{
	int seen = 0;

	for (int i = 0; i < 1000 && seen < looks && !returned; i++) {
		usleep(10000);
		seen = sleeps() ? seen + 1 : 0;
	}
}

static void *helper(void *unused)
{
	void (*what)(void);

	while (read(orders[0], &what, sizeof(what)) == sizeof(what)) {
		let_sleep(10);
		acted = 1;
		what();
		let_sleep(50);
		for (int i = 0; i < 1000 && !returned; i++) {
			kill(getpid(), SIGALRM);
			usleep(10000);
		}
		ignore(write(done[1], "", 1));
	}
	return unused;
}

static void start_helper(void)
{
	sigset_t alarm;
	pthread_t thread;

	ignore(pipe(orders));
	ignore(pipe(done));
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	pthread_create(&thread, NULL, helper, NULL);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
}

static void later(void (*what)(void))
{
	ignore(write(orders[1], &what, sizeof(what)));
}

static int tube[2];
static int splice_flags;
static size_t splice_len = 4096;

static long do_read(int fd)
{
	return read(fd, page, 4096);
}

static long do_splice(int fd)
{
	return splice(fd, NULL, tube[1], NULL, splice_len, splice_flags);
}

static long do_ioctl(int fd)
{
	return ioctl(fd, GET_READER);
}

/* Returns when there is something to report, or at the alarm. */
static long do_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, -1) < 0 ? 0 : p.revents;
}

static void tracing_off(void) { set("tracing_on", "0"); }
static void nothing(void) { }
static void one_marker(void) { mark(1); }
static void many_markers(void) { mark(1200); }
static void wake(void)
{
	int fd = open(RAW, O_RDONLY);

	if (ioctl(fd, 0))
		printf("wake: %s\n", strerror(errno));
	close(fd);
}
static int woken;

static void wake_same(void)
{
	ioctl(woken, 0);
}

static void close_copy(void)
{
	close(dup(woken));
}

static void truncate_trace(void) { set("trace", ""); }

static void blocks(const char *what, int fd, long (*call)(int fd), void (*meanwhile)(void))
{
	const char *how, *result;

	woken = fd;
	acted = rang = returned = 0;
	later(meanwhile);
	result = said(call(fd));
	how = rang ? "at the alarm" : acted ? "then" : "at once";
	returned = 1;
	/* The alarm may come after the call has returned, and interrupt this. */
	while (read(done[0], page, 1) < 0 && errno == EINTR)
		;
	printf("%s: %s %s\n", what, result, how);
}

static void reads(void)
{
	int fd, size[] = { 8, 16, 17, 48, 60, 100, 4096, 4097, 8192, 65536 };
	char name[64];

	start();
	fd = open(RAW, O_RDONLY | O_NONBLOCK);
	show_page("empty, not blocking", do_read(fd));
	set("tracing_on", "0");
	show_page("empty, not blocking, off", do_read(fd));
	set("tracing_on", "1");
	mark(1);
	show_page("one", do_read(fd));
	show_page("none left", do_read(fd));
	set("tracing_on", "0");
	show_page("none left, off", do_read(fd));
	for (unsigned int i = 0; i < sizeof(size) / sizeof(*size); i++) {
		start();
		mark(2 * whole + 20);
		drain();
		start();
		mark(2 * whole + 20);
		sprintf(name, "%d bytes of two and a bit", size[i]);
		memset(page, 0, sizeof(page));
		show_page(name, read(fd, page, size[i]));
		sprintf(name, "%d bytes then", size[i]);
		memset(page, 0, sizeof(page));
		printf("%s: %s\n", name, said(read(fd, page, size[i])));
		close(fd);
		fd = open(RAW, O_RDONLY | O_NONBLOCK);
		show_page("opened again", do_read(fd));
	}
	close(fd);
}

/* The file keeps the part of a sub-buffer that a read has no space for. */
static void small_reads(void)
{
	int fd = open(RAW, O_RDONLY | O_NONBLOCK);
	long sum = 0, n = 0, ret;

	start();
	mark(20);
	while (n < 1000 && (ret = read(fd, page + sum, 100)) > 0)
		sum += ret, n++;
	show_page("a sub-buffer by 100 bytes", sum);
	printf("by 100 bytes: %ld reads, ends with %s\n", n, said(ret));
	printf("read 0: %s\n", said(read(fd, page, 0)));
	printf("bad address: %s\n", said(read(fd, bad_address, 4096)));
	mark(3);
	printf("bad address with data: %s\n", said(read(fd, bad_address, 4096)));
	show_page("after that", do_read(fd));
	show_page("and", do_read(fd));
	close(fd);
}

static void blocking_reads(void)
{
	int fd = open(RAW, O_RDONLY);

	start();
	blocks("read, alarm", fd, do_read, nothing);
	blocks("read, marker", fd, do_read, one_marker);
	blocks("read, tracing_on = 0", fd, do_read, tracing_off);
	blocks("read when off", fd, do_read, nothing);
	set("tracing_on", "1");
	blocks("read, trace cleared", fd, do_read, truncate_trace);
	blocks("read, ioctl 0 by another", fd, do_read, wake);
	blocks("read, ioctl 0", fd, do_read, wake_same);
	blocks("read, then", fd, do_read, nothing);
	blocks("read, a copy closed", fd, do_read, close_copy);
	close(fd);
	fd = open(RAW, O_RDONLY);
	close(dup(fd));
	blocks("read, a copy closed before", fd, do_read, nothing);
	mark(2);
	blocks("read of data, a copy closed before", fd, do_read, nothing);
	blocks("poll, a copy closed before", fd, do_poll, nothing);
	blocks("splice, a copy closed before", fd, do_splice, nothing);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	blocks("read, a copy closed before, not blocking", fd, do_read, nothing);
	close(fd);
}

static void blocking_splices(void)
{
	int fd = open(RAW, O_RDONLY);

	start();
	set("buffer_percent", "0");
	blocks("splice, 0 %, alarm", fd, do_splice, nothing);
	blocks("splice, 0 %, one marker", fd, do_splice, one_marker);
	blocks("splice, 0 %, again", fd, do_splice, one_marker);
	drain();
	while (read(tube[0], page, 4096) > 0)
		;
	set("buffer_percent", "50");
	start();
	blocks("splice, 50 %, one marker", fd, do_splice, one_marker);
	blocks("splice, 50 %, many markers", fd, do_splice, many_markers);
	while (read(tube[0], page, 4096) > 0)
		;
	start();
	blocks("splice, 50 %, tracing_on = 0", fd, do_splice, tracing_off);
	blocks("splice when off", fd, do_splice, nothing);
	set("tracing_on", "1");
	mark(1);
	blocks("splice, 1 event, tracing_on = 0", fd, do_splice, tracing_off);
	set("tracing_on", "1");
	blocks("splice, trace cleared", fd, do_splice, truncate_trace);
	blocks("splice, ioctl 0 by another", fd, do_splice, wake);
	blocks("splice, ioctl 0", fd, do_splice, wake_same);
	blocks("splice, then", fd, do_splice, nothing);
	blocks("splice, a copy closed", fd, do_splice, close_copy);
	drain();
	close(fd);
}

static void polls(void)
{
	int fd = open(RAW, O_RDONLY);

	start();
	blocks("poll, nothing", fd, do_poll, nothing);
	blocks("poll, 50 %, one marker", fd, do_poll, one_marker);
	drain();
	blocks("poll, 50 %, many markers", fd, do_poll, many_markers);
	drain();
	set("buffer_percent", "0");
	blocks("poll, 0 %, one marker", fd, do_poll, one_marker);
	drain();
	blocks("poll, tracing_on = 0", fd, do_poll, tracing_off);
	set("buffer_percent", "50");
	set("options/block", "1");
	blocks("poll, option block", fd, do_poll, nothing);
	set("options/block", "0");
	close(fd);
}

static void splices(void)
{
	int fd, size[] = { 0, 100, 4095, 4096, 4097, 5000, 8192, 16384, 65536, 1 << 20 };
	int ends[2];
	char name[64];

	start();
	fd = open(RAW, O_RDONLY | O_NONBLOCK);
	for (unsigned int i = 0; i < sizeof(size) / sizeof(*size); i++) {
		ignore(pipe2(ends, O_NONBLOCK));
		drain();
		start();
		mark(2000);
		sprintf(name, "splice %d", size[i]);
		printf("%s: %s\n", name,
		       said(splice(fd, NULL, ends[1], NULL, size[i], SPLICE_F_NONBLOCK)));
		show_page("in the pipe", read(ends[0], page, 4096));
		show_page("and then", read(ends[0], page, 4096));
		show_page("left", do_read(fd));
		close(ends[0]);
		close(ends[1]);
	}
	close(fd);
}

/* Parts of sub-buffers cannot be spliced. Only the next sub-buffer can be. */
static void splice_places(void)
{
	int fd = open(RAW, O_RDONLY | O_NONBLOCK), ends[2];
	loff_t off;

	ignore(pipe2(ends, O_NONBLOCK));
	drain();
	start();
	printf("splice of nothing: %s\n",
	       said(splice(fd, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	mark(10);
	printf("splice of a part: %s\n",
	       said(splice(fd, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	set("tracing_on", "0");
	printf("splice of a part, off: %s\n",
	       said(splice(fd, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	show_page("in the pipe", read(ends[0], page, 4096));
	off = 0;
	printf("splice at 0: %s\n", said(splice(fd, &off, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	off = 100;
	printf("splice at 100: %s\n",
	       said(splice(fd, &off, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	off = 4096;
	printf("splice at 4096: %s\n",
	       said(splice(fd, &off, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	set("tracing_on", "1");
	close(fd);
	fd = open(RAW, O_RDONLY);
	mark(1000);
	printf("position: %ld", (long)lseek(fd, 0, SEEK_CUR));
	printf(" %s\n", said(splice(fd, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	printf("position then: %ld\n", (long)lseek(fd, 0, SEEK_CUR));
	printf("read 100: %s", said(read(fd, page, 100)));
	printf(", position %ld", (long)lseek(fd, 0, SEEK_CUR));
	printf(", splice %s\n", said(splice(fd, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	printf("seek: %s", said(lseek(fd, 4096, SEEK_SET)));
	printf(" %s", said(lseek(fd, 0, SEEK_END)));
	printf(" pread %s\n", said(pread(fd, page, 4096, 0)));
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

/* The pipe owns its content: later events do not change it. */
static void splice_keeps(void)
{
	int fd = open(RAW, O_RDONLY), ends[2];

	ignore(pipe2(ends, O_NONBLOCK));
	start();
	mark(1000);
	ignore(splice(fd, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK));
	close(fd);
	mark(60000);
	while (read(ends[0], page, 4096) == 4096)
		;
	show_page("kept in the pipe", 4096);
	/* Close a pipe that has pages in it. */
	fd = open(RAW, O_RDONLY);
	ignore(splice(fd, NULL, ends[1], NULL, 65536, SPLICE_F_NONBLOCK));
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void openers(void)
{
	int a, b;

	start();
	a = open(RAW, O_RDONLY | O_NONBLOCK);
	b = open(RAW, O_RDONLY | O_NONBLOCK);
	printf("two openers: %d %d\n", a >= 0, b >= 0);
	mark(1000);
	show_page("first", do_read(a));
	show_page("second", do_read(b));
	int c = open(CPU0 "trace_pipe", O_RDONLY | O_NONBLOCK);
	printf("and trace_pipe: %d\n", c >= 0);
	printf("text: %s\n", read(c, page, 4096) > 0 ? "some" : "none");
	close(c);
	close(a);
	close(b);
}

/* Settings that can be changed while the file is open. */
static void changes(void)
{
	int a = open(RAW, O_RDONLY | O_NONBLOCK), b = open(RAW, O_RDONLY | O_NONBLOCK), c;

	c = open(TRACEFS "current_tracer", O_WRONLY);
	printf("tracer: %s\n", said(write(c, "function", 8)));
	printf("tracer: %s\n", said(write(c, "nop", 3)));
	close(c);
	c = open(TRACEFS "trace_clock", O_WRONLY);
	printf("clock: %s\n", said(write(c, "global", 6)));
	printf("clock: %s\n", said(write(c, "local", 5)));
	close(c);
	c = open(TRACEFS "buffer_size_kb", O_WRONLY);
	printf("size: %s\n", said(write(c, "128", 3)));
	close(c);
	c = open(TRACEFS "buffer_subbuf_size_kb", O_WRONLY);
	printf("sub-buffer size: %s\n", said(write(c, "8", 1)));
	start();
	mark(1000);
	int ends[2];
	ignore(pipe2(ends, O_NONBLOCK));
	c = open(RAW, O_RDONLY);
	printf("splice 4096 of 8192: %s\n",
	       said(splice(c, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	printf("splice 12288 of 8192: %s\n",
	       said(splice(c, NULL, ends[1], NULL, 12288, SPLICE_F_NONBLOCK)));
	printf("in the pipe: %s\n", said(read(ends[0], page, 65536)));
	close(c);
	printf("first: %s\n", said(read(a, page, 8192)));
	printf("second, half: %s\n", said(read(b, page, 4096)));
	printf("second, half: %s\n", said(read(b, page, 4096)));
	set("buffer_subbuf_size_kb", "4");
	c = open(RAW, O_WRONLY);
	printf("open for writing: %s\n", said(c < 0 ? c : 0));
	printf("write: %s\n", said(write(c, "x", 1)));
	close(c);
	printf("another ioctl: %s\n", said(ioctl(a, 0x1234)));
	printf("ioctl 0: %s\n", said(ioctl(a, 0)));
	printf("ioctl 0 with argument: %s\n", said(ioctl(a, 0, 7)));
	printf("GET_READER without a map: %s\n", said(ioctl(a, GET_READER)));
	close(a);
	close(b);
}

/* Of overwritten events the count is known. */
/* The file of text, as far as text does not matter. */
static void pipes(void)
{
	int fd, ends[2];

	start();
	ignore(pipe2(ends, O_NONBLOCK));
	set("buffer_percent", "50");
	fd = open(CPU0 "trace_pipe", O_RDONLY);
	blocks("trace_pipe, alarm", fd, do_read, nothing);
	blocks("trace_pipe, off", fd, do_read, tracing_off);
	set("tracing_on", "1");
	blocks("trace_pipe poll, nothing", fd, do_poll, nothing);
	blocks("trace_pipe poll, marker", fd, do_poll, one_marker);
	set("buffer_percent", "0");
	blocks("trace_pipe poll, 0 %", fd, do_poll, nothing);
	set("buffer_percent", "50");
	start();
	blocks("trace_pipe poll, many", fd, do_poll, many_markers);
	start();
	blocks("trace_pipe splice, alarm", fd, do_splice, nothing);
	blocks("trace_pipe splice, off", fd, do_splice, tracing_off);
	set("tracing_on", "1");
	mark(1);
	printf("splice: %d\n", splice(fd, NULL, ends[1], NULL, 4096, 0) > 50);
	printf("in the pipe: %d\n", read(ends[0], page, 4096) > 50);
	mark(10);
	printf("read of 5: %s\n", said(read(fd, page, 5)));
	printf("read then: %d\n", read(fd, page, 4096) > 50);
	start();
	mark(1000);
	printf("splice of much: %d\n", splice(fd, NULL, ends[1], NULL, 65536, 0) > 20000);
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void pipe_ends(void)
{
	int fd = open(CPU0 "trace_pipe", O_RDONLY), ends[2];

	ignore(pipe2(ends, O_NONBLOCK));
	start();
	mark(1);
	ignore(read(fd, page, 4096));
	set("tracing_on", "0");
	while (read(ends[0], page, 4096) > 0 || splice(fd, NULL, ends[1], NULL, 65536, 0) > 0)
		;
	printf("off, read: %s\n", said(read(fd, page, 5)));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	printf("off, not blocking, splice: %s\n", said(splice(fd, NULL, ends[1], NULL, 65536, 0)));
	printf("off, not blocking, read: %s\n", said(read(fd, page, 5)));
	set("tracing_on", "1");
	printf("not blocking, splice: %s\n", said(splice(fd, NULL, ends[1], NULL, 65536, 0)));
	printf("not blocking, read: %s\n", said(read(fd, page, 5)));
	mark(1);
	printf("bad address: %s\n", said(read(fd, bad_address, 500)));
	printf("then: %s\n", said(read(fd, page, 500)));
	printf("seek: %s\n", said(lseek(fd, 0, SEEK_SET)));
	printf("ioctl 0: %s\n", said(ioctl(fd, 0)));
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void losses(void)
{
	int fd, first, last, total = 0, n;
	unsigned long lost = 0;

	start();
	fd = open(RAW, O_RDONLY | O_NONBLOCK);
	mark(5000);
	set("tracing_on", "0");
	while (read(fd, page, 4096) == 4096) {
		unsigned long commit = *(unsigned long *)(page + 8);

		n = events(page, &first, &last);
		if (commit & STORED)
			memcpy(&lost, page + 16 + (commit & 0xfffff), 8);
		if (!total)
			printf("first sub-buffer:%s, lost as many as before it: %d\n",
			       commit & MISSED ? " missed" : "",
			       !(commit & STORED) || lost == (unsigned long)first);
		else if (commit & MISSED)
			printf("missed later\n");
		total += n;
	}
	printf("to the last: %d\n", last == 4999);
	close(fd);
}

static void die(int sig)
{
	(void)sig;
	static const char text[] = "child sees nothing\n";

	ignore(write(1, text, strlen(text)));
	_exit(1);
}

struct meta {
	uint32_t page_size, len, subbuf, nr;
	uint64_t lost;
	uint32_t id, read;
	uint64_t flags, entries, overrun, all_read, reserved[2];
};

static struct meta *map_meta(int fd)
{
	struct meta *meta = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (meta != MAP_FAILED)
		return meta;
	printf("map: %s\n", strerror(errno));
	exit(1);
}

static char *map_data(int fd, const struct meta *meta)
{
	char *data = mmap(NULL, meta->subbuf * meta->nr, PROT_READ, MAP_SHARED, fd,
			  meta->page_size);

	if (data != MAP_FAILED)
		return data;
	printf("map of the sub-buffers: %s\n", strerror(errno));
	exit(1);
}

static void show_map(const struct meta *meta, const char *data)
{
	unsigned int end;

	memcpy(page, data + meta->subbuf * meta->id, 4096);
	end = *(unsigned long *)(page + 8) & 0xfffff;
	printf("entries %ld overrun %ld read %ld lost %ld, reader read %s\n", (long)meta->entries,
	       (long)meta->overrun, (long)meta->all_read, (long)meta->lost,
	       meta->read < end ? "a part" : meta->read == end ? "all" : "too much");
	show_page("sub-buffer", 4096);
}

static void maps(void)
{
	int fd = open(RAW, O_RDONLY);
	struct meta *meta;
	char *data;

	start();
	blocks("get reader without a map", fd, do_ioctl, nothing);
	meta = map_meta(fd);
	printf("meta: %u %u %u nr %s flags %lx\n", meta->page_size, meta->len, meta->subbuf,
	       meta->nr > 7 ? "many" : "few", (long)meta->flags);
	data = map_data(fd, meta);
	blocks("get reader, empty", fd, do_ioctl, nothing);
	mark(5);
	blocks("get reader, a part", fd, do_ioctl, nothing);
	set("buffer_percent", "0");
	blocks("get reader, a part, 0 %", fd, do_ioctl, nothing);
	show_map(meta, data);
	mark(3);
	show_map(meta, data);
	blocks("get reader", fd, do_ioctl, nothing);
	show_map(meta, data);
	munmap(data, meta->subbuf * meta->nr);
	blocks("get reader, data unmapped", fd, do_ioctl, one_marker);
	munmap(meta, 4096);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	blocks("get reader, all unmapped", fd, do_ioctl, nothing);
	close(fd);
}

static void map_waits(void)
{
	int fd = open(RAW, O_RDONLY);
	struct meta *meta = map_meta(fd);

	start();
	set("buffer_percent", "0");
	blocks("get reader, nothing", fd, do_ioctl, nothing);
	blocks("get reader, marker", fd, do_ioctl, one_marker);
	blocks("get reader, ioctl 0", fd, do_ioctl, wake_same);
	blocks("get reader, ioctl 0 by another", fd, do_ioctl, wake);
	blocks("get reader, off", fd, do_ioctl, tracing_off);
	set("tracing_on", "1");
	blocks("get reader, a copy closed", fd, do_ioctl, close_copy);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	blocks("get reader, not blocking", fd, do_ioctl, nothing);
	mark(1);
	blocks("get reader, not blocking, marker", fd, do_ioctl, nothing);
	munmap(meta, 4096);
	close(fd);
}

/* Readers of a mapped buffer get copies. */
static void map_readers(void)
{
	int fd = open(RAW, O_RDONLY | O_NONBLOCK), ends[2];
	struct meta *meta = map_meta(fd);

	start();
	ignore(pipe2(ends, O_NONBLOCK));
	mark(2);
	show_page("read while mapped", do_read(fd));
	mark(2);
	show_page("read 100 while mapped", read(fd, page, 100));
	close(fd);
	fd = open(RAW, O_RDONLY);
	mark(1000);
	printf("splice while mapped: %s\n",
	       said(splice(fd, NULL, ends[1], NULL, 8192, SPLICE_F_NONBLOCK)));
	show_page("in the pipe", read(ends[0], page, 4096));
	show_page("and", read(ends[0], page, 4096));
	show_page("read then", do_read(fd));
	fflush(stdout);
	if (!fork()) {
		signal(SIGSEGV, die);
		printf("child sees %u\n", *(volatile unsigned int *)&meta->subbuf);
		exit(0);
	}
	wait(NULL);
	munmap(meta, 4096);
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void try_map(const char *what, int fd, int prot, int flags, off_t off)
{
	void *map = mmap(NULL, 4096, prot, flags, fd, off);

	printf("%s: %s\n", what, map == MAP_FAILED ? strerror(errno) : "yes");
	if (map != MAP_FAILED)
		munmap(map, 4096);
}

static void try_write(const char *what, const char *name, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), TRACEFS "%s", name);
	fd = open(path, O_WRONLY);
	printf("%s: %s\n", what, said(write(fd, text, strlen(text))));
	close(fd);
}

/* A mapped buffer has its final size already, and events can be recorded in it. */
static void map_of_instance(void)
{
	struct meta *meta;
	int fd;

	mkdir(TRACEFS "instances/rawpipe", 0700);
	fd = open(TRACEFS "instances/rawpipe/per_cpu/cpu0/trace_pipe_raw", O_RDONLY);
	meta = map_meta(fd);
	printf("a new instance: %s\n", meta->nr > 100 ? "large" : "small");
	try_write("record there", "instances/rawpipe/trace_marker", "x");
	munmap(meta, 4096);
	close(fd);
	rmdir(TRACEFS "instances/rawpipe");
}

static void map_refusals(void)
{
	int fd = open(RAW, O_RDONLY), other;
	struct meta *meta = map_meta(fd);
	char *data = map_data(fd, meta);

	try_write("size while mapped", "buffer_size_kb", "64");
	try_write("sub-buffer size while mapped", "buffer_subbuf_size_kb", "8");
	try_write("snapshot while mapped", "snapshot", "1");
	try_write("latency tracer while mapped", "current_tracer", "irqsoff");
	try_write("snapshot command while mapped", "set_ftrace_filter", "vfs_rmdir:snapshot\n");
	try_map("writable", fd, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	try_map("executable", fd, PROT_READ | PROT_EXEC, MAP_SHARED, 0);
	try_map("private", fd, PROT_READ, MAP_PRIVATE, 0);
	try_map("beyond", fd, PROT_READ, MAP_SHARED, 4096 * 1000);
	other = open(RAW, O_RDONLY | O_NONBLOCK);
	try_map("by another", other, PROT_READ, MAP_SHARED, 0);
	close(other);
	other = open(CPU0 "snapshot_raw", O_RDONLY);
	try_map("of snapshot_raw", other, PROT_READ, MAP_SHARED, 0);
	close(other);
	printf("unmap a part: %s\n", said(munmap(data, 4096)));
	munmap(data, meta->subbuf * meta->nr);
	munmap(meta, 4096);
	try_write("size when unmapped", "buffer_size_kb", "64");
	close(fd);
	try_write("latency tracer when closed", "current_tracer", "irqsoff");
	fd = open(RAW, O_RDONLY);
	try_map("while a latency tracer runs", fd, PROT_READ, MAP_SHARED, 0);
	close(fd);
	set("current_tracer", "nop");
	set("set_ftrace_filter", "vfs_rmdir:snapshot\n");
	fd = open(RAW, O_RDONLY);
	try_map("with a snapshot command", fd, PROT_READ, MAP_SHARED, 0);
	set("set_ftrace_filter", "!vfs_rmdir:snapshot\n");
	try_map("without", fd, PROT_READ, MAP_SHARED, 0);
	close(fd);
	map_of_instance();
}

static void snapshots(void)
{
	int fd;

	start();
	fd = open(CPU0 "snapshot_raw", O_RDONLY | O_NONBLOCK);
	printf("snapshot_raw: %s\n", said(fd < 0 ? fd : 0));
	show_page("before the first", do_read(fd));
	mark(5);
	set("snapshot", "1");
	show_page("snapshot", do_read(fd));
	show_page("snapshot then", do_read(fd));
	mark(500);
	set("snapshot", "1");
	printf("splice: %s\n", said(splice(fd, NULL, tube[1], NULL, 4096, SPLICE_F_NONBLOCK)));
	show_page("in the pipe", read(tube[0], page, 4096));
	while (do_read(fd) > 0)
		;
	fcntl(fd, F_SETFL, 0);
	blocks("snapshot_raw read, nothing", fd, do_read, nothing);
	blocks("snapshot_raw poll", fd, do_poll, nothing);
	int other = open(CPU0 "snapshot_raw", O_RDONLY | O_NONBLOCK);
	printf("another: %s\n", said(other < 0 ? other : 0));
	close(other);
	close(fd);
	set("snapshot", "0");
	fd = open(CPU0 "snapshot_raw", O_RDONLY);
	blocks("snapshot_raw read, no snapshot", fd, do_read, nothing);
	close(fd);
}

static const struct {
	const char	*name;
	void		(*run)(void);
	const char	*size;
} parts[] = {
	{ "reads",	reads,			"512" },
	{ "reads",	small_reads,		"512" },
	{ "reads",	blocking_reads,		"64" },
	{ "splices",	splices,		"512" },
	{ "splices",	splice_places,		"512" },
	{ "splices",	splice_keeps,		"512" },
	{ "splices",	blocking_splices,	"64" },
	{ "polls",	polls,			"64" },
	{ "openers",	openers,		"512" },
	{ "openers",	changes,		"512" },
	{ "pipes",	pipes,			"64" },
	{ "pipes",	pipe_ends,		"64" },
	{ "losses",	losses,			"16" },
	{ "maps",	maps,			"32" },
	{ "maps",	map_waits,		"32" },
	{ "maps",	map_readers,		"32" },
	{ "maps",	map_refusals,		"32" },
	{ "snapshots",	snapshots,		"64" },
};

int main(int argc, char **argv)
{
	cpu_set_t zero;

	if (argc != 2)
		return 1;
	CPU_ZERO(&zero);
	CPU_SET(0, &zero);
	sched_setaffinity(0, sizeof(zero), &zero);
	setvbuf(stdout, NULL, _IOLBF, 0);
	start_helper();
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm }, NULL);
	ignore(pipe(tube));
	fcntl(tube[0], F_SETFL, O_NONBLOCK);
	/* With this clock, no event needs more space for its time, however long the test takes. */
	set("trace_clock", "counter");
	measure_events();
	for (unsigned int i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (strcmp(argv[1], parts[i].name))
			continue;
		set("buffer_percent", "50");
		set("buffer_size_kb", parts[i].size);
		parts[i].run();
	}
	set("tracing_on", "1");
	set("buffer_percent", "50");
	set("buffer_size_kb", "1408");
	set("trace_clock", "local");
	return 0;
}
