// SPDX-License-Identifier: GPL-2.0
/*
 * perfetto - read trace events as Perfetto's traced_probes does, in lines of the test anything
 * protocol
 *
 * It takes the layout of pages from events/header_page and the layout of events from their formats,
 * and parses both as strictly as Perfetto. It enables events, reads per_cpu/cpuN/trace_pipe_raw
 * without blocking while a workload runs, and looks for the workload in the records. The number of
 * parsed events has to be that of per_cpu/cpuN/stats.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRACEFS		"/sys/kernel/tracing/"
#define CPUS		2
#define PAGE		4096
#define MAX_EVENTS	4096	/* Perfetto's table has one row for each number */
#define FIELDS		24
#define CALLS		1000
#define CHILDREN	20
#define MISSED		(1U << 31)
#define STORED		(1U << 30)

struct field {
	char type_and_name[128];
	unsigned short offset, size;
	int is_signed;
};

struct event {
	char name[128];
	struct field common[4], fields[FIELDS];
	int commons, n;
	long seen;
};

static struct event *events[MAX_EVENTS];
static unsigned int tests;
static unsigned char page[PAGE];

/* Offsets and sizes according to events/header_page */
static struct field timestamp, commit, overwrite, data;

/* The content of the pages of one CPU */
static struct {
	long events, lost, pages;
	uint64_t last;
	bool disorder, bad, unknown;
} cpus[CPUS];

/* Counts of the workload's records */
static long calls, marks, next_mark, execs, forks, wrong;
static pid_t children[CHILDREN];
static uint64_t first_time, last_time;
static long entered[512], left[512];	/* how often this process was in each system call */
static pid_t self;	/* getpid() for each record would make more records */

static void result(bool good, const char *name, const char *format, ...)
{
	va_list args;

	printf("%sok %u %s\n", good ? "" : "not ", ++tests, name);
	if (!good) {
		va_start(args, format);
		printf("# ");
		vprintf(format, args);
		printf("\n");
		va_end(args);
	}
	fflush(stdout);
}

/*
 * Control files
 */

static size_t get(const char *name, char *text, size_t size)
{
	char path[512];
	size_t length = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), TRACEFS "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	while ((n = read(fd, text + length, size - 1 - length)) > 0)
		length += n;
	if (n < 0)
		err(1, "%s", path);
	close(fd);
	text[length] = 0;
	return length;
}

/* A write takes all or nothing. */
static void put(const char *name, const char *text, int flag)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), TRACEFS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC | flag);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(1, "%s", path);
	close(fd);
}

static void set(const char *name, const char *text)
{
	put(name, text, O_TRUNC);
}

static long stat_of(int cpu, const char *name)
{
	char path[64], text[1024], *at;

	snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
	get(path, text, sizeof(text));
	at = strstr(text, name);
	return at ? atol(at + strlen(name)) : -1;
}

/*
 * Formats
 */

static bool parse_field(const char *line, struct field *field)
{
	int end = 0;

	return sscanf(line, "\tfield:%127[^;];\toffset:%hu;\tsize:%hu;\tsigned:%d;%n",
		      field->type_and_name, &field->offset, &field->size, &field->is_signed,
		      &end) == 4 && end && !line[end] && !strstr(line, "; \t");
}

static const char *name_of(const struct field *field)
{
	const char *name = strrchr(field->type_and_name, ' ');

	return name ? name + 1 : "";
}

static bool parse_header_page(void)
{
	char text[2048], *rest = text, *line;
	struct field *fields[] = { &timestamp, &commit, &overwrite, &data };

	get("events/header_page", text, sizeof(text));
	for (int i = 0; i < 4; i++) {
		line = strsep(&rest, "\n");
		if (!line || !parse_field(line, fields[i]))
			return false;
	}
	return !strcmp(name_of(&timestamp), "timestamp") && !timestamp.offset &&
	       timestamp.size == 8 && !strcmp(name_of(&commit), "commit") && commit.offset == 8 &&
	       commit.size == sizeof(long) && !strcmp(name_of(&overwrite), "overwrite") &&
	       overwrite.offset == commit.offset && !strcmp(name_of(&data), "data") &&
	       data.offset == 8 + commit.size && data.offset + data.size == PAGE;
}

/* A name, for an array of fixed size with [N]; fields do not overlap. */
static bool field_good(const struct field *field, unsigned int before)
{
	const char *name = name_of(field), *end = name;

	while (isalnum(*end) || *end == '_')
		end++;
	if (end == name || (*end && *end != '[') || field->offset < before || field->is_signed > 1)
		return false;
	return strncmp(field->type_and_name, "__data_loc ", 11) || field->size == 4;
}

/* Returns the number of the event, or -1 if Perfetto would drop it. */
static int parse_format(const char *path, const char *name, struct event *event)
{
	static char text[65536];
	char *rest = text, *line;
	unsigned int end = 0;
	int id = -1;

	get(path, text, sizeof(text));
	if (sscanf(text, "name: %127s\nID: %d\nformat:\n", event->name, &id) != 2 ||
	    strcmp(event->name, name))
		return -1;
	while ((line = strsep(&rest, "\n")) && strncmp(line, "print fmt: ", 11)) {
		struct field *field = &event->fields[event->n];

		if (strncmp(line, "\tfield:", 7))
			continue;
		if (event->commons < 4 && strstr(line, " common_"))
			field = &event->common[event->commons++];
		else if (event->n++ == FIELDS)
			return -1;
		if (!parse_field(line, field) || !field_good(field, end))
			return -1;
		end = field->offset + field->size;
	}
	return line && line[11] == '"' && event->commons == 4 ? id : -1;
}

static const struct field *find(const struct event *event, const char *name)
{
	for (int i = 0; i < event->n; i++) {
		const char *its = name_of(&event->fields[i]);

		if (!strncmp(its, name, strlen(name)) && strchr("[", its[strlen(name)]))
			return &event->fields[i];
	}
	return NULL;
}

static int id_of(const char *name)
{
	for (int id = 0; id < MAX_EVENTS; id++) {
		if (events[id] && !strcmp(events[id]->name, name))
			return id;
	}
	return -1;
}

/* All formats: their number, the number that Perfetto would drop, and whether ids are unique. */
static void parse_formats(void)
{
	int n = 0, dropped = 0, twice = 0, others = 0, highest = 0, id;
	static char names[262144], path[512];
	char *rest = names, *line, *event, first_bad[512] = "";
	struct event *new, *first = NULL;

	get("available_events", names, sizeof(names));
	while ((line = strsep(&rest, "\n")) && *line) {
		new = calloc(1, sizeof(*new));
		event = strchr(line, ':');
		*event++ = 0;
		snprintf(path, sizeof(path), "events/%s/%s/format", line, event);
		id = parse_format(path, event, new);
		n++;
		if (id < 0 || id >= MAX_EVENTS) {
			dropped++;
			if (!*first_bad)
				snprintf(first_bad, sizeof(first_bad), "%s", path);
			continue;
		}
		first = first ?: new;
		others += !!memcmp(first->common, new->common, sizeof(new->common));
		twice += !!events[id];
		events[id] = new;
		highest = id > highest ? id : highest;
	}
	result(n > 500 && !dropped, "formats", "%d of %d cannot be parsed, first %s", dropped, n,
	       first_bad);
	result(!twice && highest < n + 100, "numbers: unique and dense",
	       "%d twice, highest %d of %d events", twice, highest, n);
	result(first && !others, "the same common fields in all", "%d others", others);
	new = calloc(1, sizeof(*new));
	id = parse_format("events/ftrace/print/format", "print", new);
	result(id == 5 && !events[5], "ftrace:print has number 5", "%d", id);
	events[5] = new;
}

/*
 * Records
 */

static int64_t number(const unsigned char *record, const struct event *event, const char *name)
{
	const struct field *field = find(event, name);
	int64_t value = 0;

	if (!field || field->size > 8) {
		wrong++;
		return -1;
	}
	memcpy(&value, record + field->offset, field->size);
	if (field->is_signed)
		value = value << (64 - 8 * field->size) >> (64 - 8 * field->size);
	return value;
}

/* A string that a __data_loc field refers to: length << 16 | offset */
static const char *string(const unsigned char *record, unsigned int size,
			  const struct event *event, const char *name)
{
	uint32_t loc = number(record, event, name);
	unsigned int offset = loc & 0xffff, length = loc >> 16;

	if (!length || offset + length > size || record[offset + length - 1]) {
		wrong++;
		return "";
	}
	return (const char *)record + offset;
}

static bool is_child(pid_t pid)
{
	for (int i = 0; i < CHILDREN; i++) {
		if (children[i] == pid)
			return true;
	}
	return false;
}

static void parse_record(const unsigned char *record, unsigned int size)
{
	static int call, mark = 5, exec, fork_id, switches, enter, leave;
	struct event *event;
	uint16_t id;
	int32_t pid;

	if (!call) {
		call = id_of("sys_enter_getppid");
		exec = id_of("sched_process_exec");
		fork_id = id_of("sched_process_fork");
		switches = id_of("sched_switch");
		enter = id_of("sys_enter");
		leave = id_of("sys_exit");
	}
	memcpy(&id, record, 2);
	memcpy(&pid, record + 4, 4);
	event = id < MAX_EVENTS ? events[id] : NULL;
	if (!event || (event->n && event->fields[event->n - 1].offset > size)) {
		wrong++;
		return;
	}
	event->seen++;
	if (id == call) {
		calls += pid == getpid() && number(record, event, "__syscall_nr") == SYS_getppid;
	} else if (id == enter || id == leave) {
		uint64_t nr = number(record, event, "id");

		if (pid == self && nr < sizeof(entered) / sizeof(*entered))
			(id == enter ? entered : left)[nr]++;
	} else if (id == mark) {
		const char *text = (const char *)record + find(event, "buf")->offset;

		if (pid == getpid() && atol(text + 5) == next_mark)
			next_mark++;
		marks++;
	} else if (id == exec) {
		execs += is_child(pid) && number(record, event, "pid") == pid &&
			 !strcmp(string(record, size, event, "filename"), "/bin/busybox");
	} else if (id == fork_id) {
		forks += pid == getpid() && is_child(number(record, event, "child_pid"));
	} else if (id == switches) {
		const struct field *comm = find(event, "next_comm");

		if (!comm || comm->size != 16 || memchr(record + comm->offset, 0, 16) == NULL ||
		    number(record, event, "prev_pid") != pid)
			wrong++;
	}
}

/* Returns the number of events, or -1 if the page is malformed. */
static long parse_page(int cpu)
{
	uint32_t header, delta, more, length, type, size;
	const unsigned char *at = page + data.offset, *end;
	uint64_t time;
	int64_t lost;
	long n = 0;

	memcpy(&time, page + timestamp.offset, 8);
	memcpy(&header, page + commit.offset, 4);
	size = header & 0xfffff;
	if (size > data.size)
		return -1;
	end = at + size;
	if (header & MISSED) {
		/* The number of lost events comes after the events, unless they fill the page. */
		if (header & STORED) {
			memcpy(&lost, end, commit.size);
			cpus[cpu].lost += lost;
		} else if (size + commit.size <= data.size) {
			cpus[cpu].bad = true;
		} else {
			cpus[cpu].unknown = true;
		}
	}
	while (at < end) {
		memcpy(&header, at, 4);
		type = header & 31;
		delta = header >> 5;
		if (type == 29 && !delta)
			break;
		memcpy(&more, at + 4, 4);
		length = type && type < 29 ? 4 * type : 4 + more - (type ? 0 : 4);
		if (type == 30) {
			time += delta + ((uint64_t)more << 27);
			length = 4;
		} else if (type == 31) {
			time = delta + ((uint64_t)more << 27);
			length = 4;
		} else if (type == 29) {
			time += delta;
			length = more;
		} else {
			time += delta;
			if (time < cpus[cpu].last)
				cpus[cpu].disorder = true;
			cpus[cpu].last = time;
			if (!first_time || time < first_time)
				first_time = time;
			if (time > last_time)
				last_time = time;
			if (type)
				parse_record(at + 4, length);
			else
				parse_record(at + 8, more - 4);
			n++;
		}
		at += 4 + (type ? length : more);
	}
	return at > end ? -1 : n;
}

static void take_page(int cpu)
{
	long n = parse_page(cpu);

	cpus[cpu].pages++;
	if (n < 0)
		cpus[cpu].bad = true;
	else
		cpus[cpu].events += n;
}

static int open_raw(int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), TRACEFS "per_cpu/cpu%d/trace_pipe_raw", cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* Bytes of events in the page */
static unsigned int page_fill(void)
{
	uint32_t header;

	memcpy(&header, page + commit.offset, 4);
	return header & 0xfffff;
}

/*
 * Read all pages that have at least @least bytes, and the next page. Do not wait for an empty
 * buffer: each read() is a system call, which is recorded.
 */
static long take_pages(int cpu, int fd, unsigned int least)
{
	long pages = 0;
	ssize_t n;

	while ((n = read(fd, page, PAGE)) > 0) {
		if (n != PAGE)
			cpus[cpu].bad = true;
		take_page(cpu);
		pages++;
		if (page_fill() < least)
			break;
	}
	if (n < 0 && errno != EAGAIN)
		err(1, "trace_pipe_raw");
	return pages;
}

/* Whole pages; splice() leaves the last one. */
static void splice_pages(int cpu, int fd)
{
	int ends[2];
	ssize_t n;

	if (pipe2(ends, O_NONBLOCK | O_CLOEXEC))
		err(1, "pipe2");
	while ((n = splice(fd, NULL, ends[1], NULL, PAGE, SPLICE_F_NONBLOCK | SPLICE_F_MOVE)) > 0) {
		if (n != PAGE || read(ends[0], page, PAGE) != PAGE)
			cpus[cpu].bad = true;
		take_page(cpu);
	}
	if (n < 0 && errno != EAGAIN)
		err(1, "splice");
	close(ends[0]);
	close(ends[1]);
}

/*
 * Sessions
 */

static uint64_t boot_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "sched_setaffinity");
}

static void mark(long n)
{
	int fd = open(TRACEFS "trace_marker", O_WRONLY | O_CLOEXEC);
	char text[32];

	for (long i = 0; i < n; i++) {
		int length = sprintf(text, "mark %ld", i);

		if (write(fd, text, length) != length)
			err(1, "trace_marker");
	}
	close(fd);
}

/* Markers come from one CPU, so that their order is known. */
static void work(void (*between)(void))
{
	for (int i = 0; i < CHILDREN; i++) {
		move_to(i % CPUS);
		children[i] = fork();
		if (!children[i]) {
			execl("/bin/busybox", "busybox", "true", NULL);
			_exit(1);
		}
		for (int j = 0; j < CALLS / CHILDREN; j++)
			syscall(SYS_getppid);
		if (waitpid(children[i], NULL, 0) != children[i])
			err(1, "waitpid");
		between();
	}
	move_to(0);
	mark(CALLS);
}

static int raw[CPUS];

static void read_full(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		take_pages(cpu, raw[cpu], PAGE / 2);
}

static void read_all(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		take_pages(cpu, raw[cpu], 0);
}

static void start(const char *kb)
{
	memset(cpus, 0, sizeof(cpus));
	calls = marks = next_mark = execs = forks = wrong = 0;
	first_time = last_time = 0;
	set("tracing_on", "0");
	set("current_tracer", "nop");
	set("buffer_size_kb", kb);
	set("trace_clock", "boot");
	set("trace", "0");
	set("buffer_percent", "50");
	set("set_event", "");
	put("set_event", "sched:sched_switch\n", O_APPEND);
	put("set_event", "sched:sched_waking\n", O_APPEND);
	put("set_event", "raw_syscalls:*\n", O_APPEND);
	set("events/sched/sched_process_exec/enable", "1");
	set("events/sched/sched_process_fork/enable", "1");
	set("events/syscalls/sys_enter_getppid/enable", "1");
	set("tracing_on", "1");
}

static void stop(void)
{
	set("tracing_on", "0");
	set("set_event", "");
}

static void found(const char *how, uint64_t from, uint64_t to)
{
	char name[128];
	bool fine = true;

	snprintf(name, sizeof(name), "%s: what the workload did", how);
	result(calls == CALLS && execs == CHILDREN && forks == CHILDREN && marks == CALLS &&
	       next_mark == CALLS && !wrong, name,
	       "%ld calls, %ld execs, %ld forks, %ld marks, %ld in order, %ld wrong", calls, execs,
	       forks, marks, next_mark, wrong);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		if (cpus[cpu].disorder || cpus[cpu].bad)
			fine = false;
	}
	snprintf(name, sizeof(name), "%s: pages and times", how);
	result(fine && first_time >= from && last_time <= to, name,
	       "%llu to %llu in %llu to %llu", (long long)first_time, (long long)last_time,
	       (long long)from, (long long)to);
}

static void counted(const char *how)
{
	char name[128], said[256] = "";
	bool same = true;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		long read = stat_of(cpu, "read events: "), lost = stat_of(cpu, "\noverrun: ");

		if (read != cpus[cpu].events || !read || stat_of(cpu, "entries: ") ||
		    (cpus[cpu].unknown ? !lost : lost != cpus[cpu].lost))
			same = false;
		snprintf(said + strlen(said), 120, "CPU %d: %ld of %ld events, %ld of %ld lost; ",
			 cpu, cpus[cpu].events, read, cpus[cpu].lost, lost);
	}
	snprintf(name, sizeof(name), "%s: as many as stats counts", how);
	result(same, name, "%s", said);
}

static void while_running(void)
{
	uint64_t from = boot_time();

	for (int cpu = 0; cpu < CPUS; cpu++)
		raw[cpu] = open_raw(cpu);
	start("1024");
	work(read_full);
	stop();
	read_all();
	found("read", from, boot_time());
	counted("read");
	result(events[id_of("sched_switch")]->seen && events[id_of("sched_waking")]->seen &&
	       events[id_of("sys_exit")]->seen, "read: events of set_event", "none");
}

static void nothing(void)
{
}

static void afterwards(void)
{
	uint64_t from = boot_time();
	long spliced;

	start("4096");
	work(nothing);
	stop();
	for (int cpu = 0; cpu < CPUS; cpu++)
		splice_pages(cpu, raw[cpu]);
	spliced = cpus[0].pages;
	read_all();
	result(spliced > 20 && cpus[0].pages <= spliced + 1, "splice: whole pages", "%ld of %ld",
	       spliced, cpus[0].pages);
	found("splice", from, boot_time());
	counted("splice");
}

/*
 * Record more than the buffer can hold: the oldest events are dropped, and the first page has their
 * number.
 */
static void overwritten(void)
{
	start("16");
	work(nothing);
	stop();
	read_all();
	counted("overwritten");
	result((cpus[0].lost || cpus[0].unknown) && !cpus[0].disorder && !cpus[0].bad && !wrong,
	       "overwritten: a page says so", "%ld lost", cpus[0].lost);
}

/* Sleep in poll() until half of the buffer is full. */
static void polled(void)
{
	struct pollfd pollfd = { .fd = raw[0], .events = POLLIN };
	int before, after;
	pid_t pid;

	start("256");
	set("set_event", "");
	set("trace", "0");
	mark(10);
	before = poll(&pollfd, 1, 0);
	pid = fork();
	if (!pid) {
		move_to(0);
		usleep(100000);
		mark(10000);
		_exit(0);
	}
	after = poll(&pollfd, 1, 60000);
	waitpid(pid, NULL, 0);
	stop();
	result(!before && after == 1 && take_pages(0, raw[0], 0) >= 32, "poll", "%d, %d", before,
	       after);
}

static void call_many(long nr)
{
	for (int i = 0; i < CALLS; i++)
		syscall(nr);
}

/* The system calls that Perfetto is asked for: a filter of both events, and then "0". */
static void filtered(void)
{
	char filter[64];

	start("4096");
	memset(entered, 0, sizeof(entered));
	memset(left, 0, sizeof(left));
	sprintf(filter, "id == %d || id == %d", SYS_getppid, SYS_getuid);
	set("events/raw_syscalls/sys_enter/filter", filter);
	set("events/raw_syscalls/sys_exit/filter", filter);
	set("trace", "0");
	call_many(SYS_getppid);
	call_many(SYS_getuid);
	call_many(SYS_getgid);
	set("events/raw_syscalls/sys_enter/filter", "0");
	set("events/raw_syscalls/sys_exit/filter", "0");
	call_many(SYS_geteuid);
	stop();
	read_all();
	result(entered[SYS_getppid] == CALLS && entered[SYS_getuid] == CALLS &&
	       !entered[SYS_getgid] && entered[SYS_geteuid] == CALLS, "filtered: system calls",
	       "%ld, %ld, %ld, %ld", entered[SYS_getppid], entered[SYS_getuid],
	       entered[SYS_getgid], entered[SYS_geteuid]);
	result(left[SYS_getppid] == CALLS && left[SYS_getuid] == CALLS && !left[SYS_getgid] &&
	       left[SYS_geteuid] == CALLS, "filtered: returns", "%ld, %ld, %ld, %ld",
	       left[SYS_getppid], left[SYS_getuid], left[SYS_getgid], left[SYS_geteuid]);
}

/* Perfetto skips comments, and removes a trigger by '!' and its text up to the first blank. */
static int remove_triggers(const char *file)
{
	char text[4096], line[256], *at;
	int found = 0;

	get(file, text, sizeof(text));
	for (at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
		if (*at == '#')
			continue;
		snprintf(line, sizeof(line), "!%.*s", (int)strcspn(at, " "), at);
		set(file, line);
		found++;
	}
	return found;
}

static void triggers(void)
{
	static const char file[] = "events/sched/sched_process_exit/trigger";
	int before, set_ones, after;

	before = remove_triggers(file);
	put(file, "stacktrace:5 if prio > 200", 0);
	put(file, "traceoff if prio > 200", 0);
	set_ones = remove_triggers(file);
	after = remove_triggers(file);
	result(!before && set_ones == 2 && !after, "triggers: listed and removed", "%d, %d, %d",
	       before, set_ones, after);
}

int main(void)
{
	printf("1..19\n");
	self = getpid();
	result(parse_header_page(), "header_page", "not as expected");
	parse_formats();
	while_running();
	afterwards();
	overwritten();
	polled();
	filtered();
	triggers();
	return 0;
}
