// SPDX-License-Identifier: GPL-2.0
/*
 * bench - what tracing costs, one "name<tab>value" line each. Meant for a
 * guest whose clock counts instructions (QEMU's icount with shift=0), where
 * a nanosecond is an instruction and numbers repeat exactly.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char getppid_name[128];
static char names[100 * 128];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* The kernel may take less than all of it at once. */
static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_TRUNC);
	ssize_t done = 0;

	for (; fd >= 0 && *text && done >= 0; text += done > 0 ? done : 0)
		done = write(fd, text, strlen(text));
	if (fd < 0 || done < 0)
		warn("%s", file);
	close(fd);
}

static long count_lines(const char *file)
{
	static char data[1 << 16];
	int fd = open(file, O_RDONLY);
	long lines = 0;
	ssize_t got;

	while ((got = read(fd, data, sizeof(data))) > 0)
		for (ssize_t i = 0; i < got; i++)
			lines += data[i] == '\n';
	close(fd);
	return lines;
}

/* The names that rows use: getppid's own site, and a hundred others. */
static void find_names(void)
{
	FILE *f = fopen("available_filter_functions", "r");
	char line[256], name[128];
	int i = 0, taken = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%127s", name) != 1)
			continue;
		if (strstr(name, "sys_getppid") && !getppid_name[0])
			memcpy(getppid_name, name, sizeof(name));
		if (++i % 100 == 0 && taken < 100 && !strpbrk(name, ".*[?")) {
			strcat(strcat(names, name), "\n");
			taken++;
		}
	}
	if (!getppid_name[0] || taken < 100)
		errx(1, "no sites to measure with");
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void fork_exit_wait(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

static void trace_on(void) { put("current_tracer", "function"); }
static void trace_off(void) { put("current_tracer", "nop"); }
static void filter_one(void) { put("set_ftrace_filter", getppid_name); }
static void filter_glob(void) { put("set_ftrace_filter", "*lock*"); }
static void filter_100(void) { put("set_ftrace_filter", names); }
static void read_sites(void) { count_lines("available_filter_functions"); }
static void read_trace(void) { count_lines("trace"); }

/* Per round of work, the first not counted. */
static double cost(int rounds, void (*work)(void))
{
	double start;

	work();
	start = now();
	for (int i = 0; i < rounds; i++)
		work();
	return (now() - start) / rounds;
}

static void row(const char *name, double value)
{
	printf("%s\t%.0f\n", name, value);
	fflush(stdout);
}

static void rows_of_calls(void)
{
	double off = cost(10000, call_getppid);

	row("getppid(), everything off", off);
	row("fork + exit + wait, off", cost(50, fork_exit_wait));
	filter_one();
	trace_on();
	row("+ function event", cost(10000, call_getppid) - off);
	put("tracing_on", "0");
	row("+ function event, tracing_on = 0", cost(10000, call_getppid) - off);
	put("tracing_on", "1");
	trace_off();
	put("set_ftrace_filter", "");
	trace_on();
	row("getppid(), function tracer on all", cost(1000, call_getppid));
	row("fork + exit + wait, function on all", cost(20, fork_exit_wait));
	put("tracing_on", "0");
	row("read trace, per line", cost(1, read_trace) / count_lines("trace"));
	put("tracing_on", "1");
	trace_off();
}

static void rows_of_switching(void)
{
	double on = 0, off = 0;

	for (int i = 0; i < 5; i++) {
		on -= now();
		trace_on();
		on += now();
		off -= now();
		trace_off();
		off += now();
	}
	row("all sites on", on / 5);
	row("all sites off", off / 5);
	filter_one();
	on = -now();
	trace_on();
	row("one site on, filter set before", on + now());
	trace_off();
}

static void rows_of_names(void)
{
	double sites;

	row("one literal name", cost(3, filter_one));
	row("one glob (*lock*)", cost(3, filter_glob));
	row("100 literal names in one write", cost(1, filter_100));
	put("set_ftrace_filter", "");
	sites = count_lines("available_filter_functions");
	row("read available_filter_functions, per line", cost(1, read_sites) / sites);
	row("sites", sites);
}

int main(void)
{
	if (chdir("/sys/kernel/tracing"))
		err(1, "tracefs");
	find_names();
	rows_of_calls();
	rows_of_switching();
	rows_of_names();
	return 0;
}
