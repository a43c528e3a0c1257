// SPDX-License-Identifier: GPL-2.0
/*
 * tracefs-fuzz - use tracefs in all ways, sensible and not, from several processes, and
 * leave it as it was.
 *
 * usage: tracefs-fuzz [-t SECONDS] [-n OPERATIONS] [-s SEED] [-p PROCESSES] [-o CLASSES]
 *		       [-f GLOB] [-b NUMBER] [-i PROCESS] [-w SECONDS] [-m] [-l]
 *
 *	-t, -n	seconds, or number of operations of each process; the default is -t 60
 *	-s	seed of the operations; the default is 1
 *	-p	number of processes; the default is 3
 *	-o	only operations of these classes, a list with commas:
 *		set	 write to a file what it takes
 *		garbage	 write to a file what it does not take
 *		get	 open a file, read, close
 *		files	 files that stay open: read, written, polled, spliced
 *		map	 buffers in user space
 *		instance make and remove instances
 *		cpu	 take CPUs away and give them back
 *		module	 load and unload modules, use their events meanwhile
 *		task	 processes that end, or are killed while they read
 *		sysctl	 function tracing off and on
 *		perf	 perf events at trace events
 *	-f	only operations on control files with such a path below tracefs, as "*trace_pipe*"
 *		or "@(*snapshot*|*buffer_size*)"
 *	-b	begin with operation NUMBER; the default is 0
 *	-i	only the operations of PROCESS, from 0 on; the default is all
 *	-w	longest time of an operation; the default is 120. After a quarter of that, tracing
 *		is switched off, so that operations that are only slow come to an end
 *	-m	faults that the kernel was told to inject may occur in operations
 *		(Documentation/fault-injection/, task-filter)
 *	-l	print each operation before it is done, and its result afterwards
 *
 * The program knows nothing about the files, except for the tables in values.c and event_values.c:
 * it finds the files by walking the directory. A third of the operations on files are on files of
 * events. During the walk, modules with events are loaded, so the list has the files of these
 * events, too. Later the files exist while the module is loaded.
 *
 * An operation (what it does, to which file, with which value) follows from the seed, the number of
 * the process and the number of the operation, on a kernel that has the same files, tracers and
 * CPUs. So -o, -f, -b and -i leave out operations, and the others stay the same: this is the way to
 * narrow down a failure. "-i 2 -b 1000 -n 50" repeats what process 2 did from its operation 1000
 * on, which -l and reports call 2.1000.
 *
 * The state that an operation finds comes from earlier operations and from those of other
 * processes: instances, modules and CPUs that exist, the contents of files, positions in open
 * files, the way in which a buffer was mapped, and the content of the process's pipe. Files and
 * perf events that stay open, and mappings, do not depend on other operations, except that the
 * first operation that uses them opens them (random.c). Processes have pids of their own, so that
 * these can be written to files.
 *
 * Splats of the kernel have to be looked for elsewhere. This program fails if an operation does not
 * come to an end, a process dies, a class of operations was refused each time, perf's ring has half
 * a record, or something is not as before at the end: tracers, options and sizes, events with their
 * filters and triggers, instances, CPUs, modules, the list of files. Exit status: 0 if nothing
 * failed, 1 if something did, 2 if nothing could be tried.
 *
 * It is meant for a guest of its own: it disturbs all other tracing there. It touches only tracefs,
 * its instances, perf events, modules, CPUs and one sysctl.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops.h"

#define TRIED_OFTEN	200	/* then some must have been accepted */

const char * const class_names[CLASSES] = {
	[SET] = "set", [GARBAGE] = "garbage", [GET] = "get", [FILES] = "files", [MAP] = "map",
	[INSTANCE] = "instance", [CPU] = "cpu", [MODULE] = "module", [TASK] = "task",
	[SYSCTL] = "sysctl", [PERF] = "perf",
};

static const unsigned int weights[CLASSES] = {
	[SET] = 30, [GARBAGE] = 12, [GET] = 12, [FILES] = 25, [MAP] = 10, [INSTANCE] = 6, [CPU] = 1,
	[MODULE] = 5, [TASK] = 3, [SYSCTL] = 1, [PERF] = 12,
};

unsigned int cpus;

static struct {
	unsigned long	begin, operations;
	time_t		seconds, patience;
	uint64_t	seed;
	unsigned int	first, processes;
	bool		classes[CLASSES], log, may_fail;
	const char	*glob;
} asked = { .patience = 120, .seed = 1, .processes = 3 };

static struct record *records;		/* shared by all processes */
static struct record *me;
static unsigned int my_number;

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* Print this before doing it. */
void say(const char *format, ...)
{
	char *text = me->said[me->number % KEPT];
	va_list list;
	int size;

	size = snprintf(text, TEXT, "%u.%lu ", my_number, me->number);
	va_start(list, format);
	vsnprintf(text + size, TEXT - size, format, list);
	va_end(list);
	if (asked.log)
		printf("%s\n", text);
}

/* If @result is negative, errno has the reason. */
void answer(enum class class, long result)
{
	int error = errno;

	me->tried[class]++;
	me->taken[class] += result >= 0;
	if (asked.log)
		printf("%u.%lu = %ld %s\n", my_number, me->number, result,
		       result < 0 ? strerror(error) : "");
}

bool wanted(const char *path)
{
	return !asked.glob || !fnmatch(asked.glob, path + strlen(TRACEFS), FNM_EXTMATCH);
}

static enum class choose_class(void)
{
	unsigned int sum = 0, at, class;

	for (class = 0; class < CLASSES; class++)
		sum += weights[class];
	at = rnd(sum);
	for (class = 0; at >= weights[class]; class++)
		at -= weights[class];
	return class;
}

/* Inject faults into this process and its children. */
static void let_fail(void)
{
	int fd = open("/proc/self/make-it-fail", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		err(2, "make-it-fail");
	close(fd);
}

static void work(unsigned int number, time_t end)
{
	enum class class;

	my_number = number;
	me = &records[number];
	me->number = asked.begin;
	begin_operations();
	if (asked.may_fail)
		let_fail();
	while (!(asked.operations && me->number == asked.begin + asked.operations) &&
	       !(end && now() >= end)) {
		begin_stream(asked.seed, number, me->number);
		class = choose_class();
		if (asked.classes[class])
			run_class(class);
		me->since = now();
		me->number++;
	}
	me->done = true;
	exit(0);
}

static void show_file(pid_t pid, const char *name)
{
	char path[64], text[4096];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	file = fopen(path, "r");
	if (!file)
		return;
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = 0;
	printf("# %s:\n%s\n", path, text);
}

static void show_process(pid_t pid)
{
	show_file(pid, "stack");
	show_file(pid, "wchan");
	show_file(pid, "status");
}

/* Print the children, which the process may be waiting for. */
static void show_children(pid_t parent)
{
	glob_t found;
	int pid, ppid;
	FILE *file;

	if (glob("/proc/[0-9]*/stat", 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		file = fopen(found.gl_pathv[i], "r");
		if (!file)
			continue;
		if (fscanf(file, "%d (%*[^)]) %*c %d", &pid, &ppid) == 2 && ppid == parent)
			show_process(pid);
		fclose(file);
	}
	globfree(&found);
}

static void show_record(const struct record *record)
{
	unsigned long first = record->number < KEPT ? 0 : record->number - KEPT + 1;

	for (; first <= record->number; first++)
		printf("# %s\n", record->said[first % KEPT]);
}

/*
 * If everything is traced, an interrupt may take longer than the time to the next one, on a machine
 * that has other work to do. If the operation ends once tracing is off, it did not hang.
 */
static void relieve_slow(unsigned int number)
{
	static time_t last;
	pid_t child;

	if (now() - last <= asked.patience / 4)
		return;
	last = now();
	printf("# process %u is slow: %s\n", number,
	       records[number].said[records[number].number % KEPT]);
	child = fork();
	if (child)
		return;
	relieve();
	_exit(0);
}

/* Return 0 if the process goes on, or has come to an end. */
static int watch(unsigned int number, pid_t *pid)
{
	struct record *record = &records[number];
	int status;

	if (!*pid)
		return 0;
	if (waitpid(*pid, &status, WNOHANG) == *pid) {
		*pid = 0;
		if (!status && record->done)
			return 0;
		printf("# process %u died: status %#x\n", number, status);
		show_record(record);
		return 1;
	}
	if (now() - record->since > asked.patience / 4)
		relieve_slow(number);
	if (now() - record->since <= asked.patience)
		return 0;
	printf("# process %u hangs\n", number);
	show_process(*pid);
	show_children(*pid);
	show_record(record);
	return 1;
}

/* Like fork(), with the pid of this process, or with any pid if that one is in use. */
static pid_t fork_as(unsigned int number)
{
	pid_t pid = FIRST_PID + number;
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&pid, .set_tid_size = 1,
	};

	pid = syscall(SYS_clone3, &args, sizeof(args));
	return pid < 0 && errno == EEXIST ? fork() : pid;
}

static int run_processes(void)
{
	time_t end = asked.seconds ? now() + asked.seconds : 0;
	pid_t pids[MAX_PROCESSES] = {};
	unsigned int i, left;

	for (i = asked.first; i < asked.processes; i++) {
		records[i].since = now();
		pids[i] = fork_as(i);
		if (pids[i] < 0)
			err(2, "fork");
		if (!pids[i])
			work(i, end);
	}
	do {
		usleep(100000);
		left = 0;
		for (i = 0; i < asked.processes; i++) {
			if (watch(i, &pids[i])) {
				for (i = 0; i < asked.processes; i++) {
					if (pids[i])
						kill(pids[i], SIGKILL);
				}
				return 1;
			}
			left += !!pids[i];
		}
	} while (left);
	/* also for the children of relieve_slow() */
	while (wait(NULL) > 0)
		;
	return 0;
}

/* Print counts of operations and results. A class that is always refused tests nothing. */
static int summary(void)
{
	unsigned int tried, taken, class, i;
	int bad = 0;

	for (class = 0; class < CLASSES; class++) {
		tried = 0;
		taken = 0;
		for (i = 0; i < asked.processes; i++) {
			tried += records[i].tried[class];
			taken += records[i].taken[class];
		}
		if (!tried)
			continue;
		printf("# %-8s %8u times, %8u taken\n", class_names[class], tried, taken);
		bad += tried > TRIED_OFTEN && !taken;
	}
	return bad;
}

static void choose_classes(char *list)
{
	unsigned int class;

	for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
		for (class = 0; class < CLASSES && strcmp(class_names[class], word); class++)
			;
		if (class == CLASSES)
			errx(2, "no class %s", word);
		asked.classes[class] = true;
	}
}

static void parse(int argc, char **argv)
{
	bool some = false;
	int option, only = -1;

	while ((option = getopt(argc, argv, "t:n:s:p:o:f:b:i:w:ml")) != -1) {
		switch (option) {
		case 't':
			asked.seconds = atol(optarg);
			break;
		case 'n':
			asked.operations = strtoul(optarg, NULL, 0);
			break;
		case 's':
			asked.seed = strtoull(optarg, NULL, 0);
			break;
		case 'p':
			asked.processes = atoi(optarg);
			break;
		case 'o':
			choose_classes(optarg);
			some = true;
			break;
		case 'f':
			asked.glob = optarg;
			break;
		case 'b':
			asked.begin = strtoul(optarg, NULL, 0);
			break;
		case 'i':
			only = atoi(optarg);
			break;
		case 'w':
			asked.patience = atol(optarg);
			break;
		case 'm':
			asked.may_fail = true;
			break;
		case 'l':
			asked.log = true;
			break;
		default:
			exit(2);
		}
	}
	if (only >= 0) {
		asked.first = only;
		asked.processes = only + 1;
	}
	if (optind < argc || !asked.processes || asked.processes > MAX_PROCESSES)
		errx(2, "the head of its source says how to call it");
	if (!asked.seconds && !asked.operations)
		asked.seconds = 60;
	for (unsigned int class = 0; class < CLASSES && !some; class++)
		asked.classes[class] = true;
}

static void look_around(void)
{
	cpus = sysconf(_SC_NPROCESSORS_CONF);
	load_event_modules();
	list_controls(&top, TRACEFS);
	list_tracers();
	if (mkdir(TRACEFS "instances/fuzz0", 0750))
		err(2, "instances/fuzz0");
	list_controls(&inner, TRACEFS "instances/fuzz0/");
	rmdir(TRACEFS "instances/fuzz0");
	if (remove_modules())
		exit(2);
	save_state();
	limit_load();
}

int main(int argc, char **argv)
{
	int bad;

	setvbuf(stdout, NULL, _IOLBF, 0);
	parse(argc, argv);
	records = mmap(NULL, asked.processes * sizeof(*records), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (records == MAP_FAILED)
		err(2, "memory");
	look_around();
	printf("# seed %llu, %u processes, %u files and %u of an instance\n",
	       (unsigned long long)asked.seed, asked.processes, top.count, inner.count);
	bad = run_processes();
	if (!bad)
		bad = restore_state();
	bad += summary();
	return bad ? 1 : 0;
}
