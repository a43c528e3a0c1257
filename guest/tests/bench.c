// SPDX-License-Identifier: GPL-2.0
/*
 * bench - costs of tracing, one "name<tab>value" line each
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

static char getppid_name[128];
static char names[2][1000 * 128];	/* a hundred, and a thousand */

/* Take the name of every @every-th site. */
static void take_name(int set, int nr, int every, int site, const char *name)
{
	static int taken[2];
	static char *end[2];

	if (site % every || taken[set] == nr || strpbrk(name, ".*[?"))
		return;
	if (!end[set])
		end[set] = names[set];
	end[set] += sprintf(end[set], "%s\n", name);
	taken[set]++;
}

/* Find the names that rows use: the site of getppid(), and many others. */
static void find_names(void)
{
	FILE *f = fopen("available_filter_functions", "r");
	char line[256], name[128];
	int i = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%127s", name) != 1)
			continue;
		if (strstr(name, "sys_getppid") && !getppid_name[0])
			memcpy(getppid_name, name, sizeof(name));
		take_name(0, 100, 100, ++i, name);
		take_name(1, 1000, 13, i, name);
	}
	if (!getppid_name[0] || i < 13 * 1000)
		errx(1, "no sites to measure with");
}

static void trace_on(void) { put("current_tracer", "function"); }
static void graph_on(void) { put("current_tracer", "function_graph"); }
static void trace_off(void) { put("current_tracer", "nop"); }
static void filter_one(void) { put("set_ftrace_filter", getppid_name); }
static void filter_glob(void) { put("set_ftrace_filter", "*lock*"); }
static void filter_100(void) { put("set_ftrace_filter", names[0]); }
static void filter_1000(void) { put("set_ftrace_filter", names[1]); }

/*
 * The cost of a call beyond @off while @text is written to @file. Writes @usual to it afterwards.
 */
static void row_with(const char *name, double off, const char *file, const char *text,
		     const char *usual)
{
	put(file, text);
	row(name, cost(20, 500, call_getppid) - off);
	put(file, usual);
}

static void rows_of_calls(void)
{
	double off = cost(20, 500, call_getppid);

	row("getppid(), everything off", off);
	row("fork + exit + wait, off", cost(10, 5, fork_exit_wait));
	filter_one();
	trace_on();
	row("+ function event", cost(20, 500, call_getppid) - off);
	row_with("+ function event, tracing_on = 0", off, "tracing_on", "0", "1");
	row_with("+ function event, other pid", off, "set_ftrace_pid", "1", "");
	row_with("+ function event again, func-no-repeats", off,
		 "options/func-no-repeats", "1", "0");
	row_with("+ function event with func_stack_trace", off,
		 "options/func_stack_trace", "1", "0");
	trace_off();
	put("set_ftrace_filter", "");
	trace_on();
	row("getppid(), function tracer on all", cost(10, 100, call_getppid));
	row("fork + exit + wait, function on all", cost(10, 2, fork_exit_wait));
	trace_off();
}

/*
 * Read a buffer full of calls and returns; and the cost of calls that are too short to be recorded.
 */
static void rows_of_graph_text(void)
{
	double off = cost(20, 500, call_getppid);

	put("current_tracer", "function_graph");
	for (int i = 0; i < 20; i++)
		fork_exit_wait();
	put("tracing_on", "0");
	row("read trace, per graph line", cost_per_line("trace"));
	filter_one();
	row("read trace, per graph line, reader not traced", cost_per_line("trace"));
	put("tracing_on", "1");
	row_with("+ graph, shorter than tracing_thresh", off, "tracing_thresh", "1000000", "0");
	trace_off();
	put("set_ftrace_filter", "");
}

static void fill_buffer(void)
{
	put("tracing_on", "1");
	for (int i = 0; i < 20; i++)
		fork_exit_wait();
	put("tracing_on", "0");
}

/*
 * Read a buffer full of function events in each way: while the functions that reading calls are
 * still traced, though not recorded, and while they are not traced.
 */
static void rows_of_reading(void)
{
	struct content content;

	trace_on();
	fill_buffer();
	row("read trace, per line", cost_per_line("trace"));
	row("read trace_pipe, per line", cost_per_line("trace_pipe"));
	fill_buffer();
	content = read_all("per_cpu/cpu0/trace_pipe_raw");
	row("read trace_pipe_raw, per MB", content.cost / content.bytes * (1 << 20));
	fill_buffer();
	filter_one();
	row("read trace, per line, reader not traced", cost_per_line("trace"));
	row("read trace_pipe, per line, reader not traced", cost_per_line("trace_pipe"));
	trace_off();
	put("set_ftrace_filter", "");
	put("tracing_on", "1");
}

/* Sum of the numbers after @key in a file. */
static long sum(const char *file, const char *key)
{
	char line[256], *found;
	FILE *f = fopen(file, "r");
	long total = 0;

	while (f && fgets(line, sizeof(line), f))
		if ((found = strstr(line, key)))
			total += strtol(found + strlen(key), NULL, 10);
	if (f)
		fclose(f);
	return total;
}

/* Free memory, including free pages that CPUs keep for themselves. */
static long free_kb(void)
{
	put("/proc/sys/vm/drop_caches", "3");
	return sum("/proc/meminfo", "MemFree:") + 4 * sum("/proc/zoneinfo", " count:");
}

#define INSTANCES	8

static void rows_of_instances(void)
{
	double least = 1e12, off = cost(20, 500, call_getppid);
	long before = free_kb(), made;

	for (int i = 0; i < INSTANCES; i++) {
		double start = now();

		if (mkdir(instance(i, ""), 0755))
			err(1, "mkdir");
		if (now() - start < least)
			least = now() - start;
	}
	row("make an instance", least);
	made = free_kb();
	row("memory of an instance, as it is made, kB", (double)(before - made) / INSTANCES);
	for (int i = 0; i < INSTANCES; i++) {
		put(instance(i, "set_ftrace_filter"), getppid_name);
		put(instance(i, "current_tracer"), "function");
		put(instance(i, "current_tracer"), "nop");
	}
	row("memory of an instance, used, kB", (double)(before - free_kb()) / INSTANCES);
	put(instance(0, "current_tracer"), "function");
	put(instance(1, "current_tracer"), "function");
	row("+ function event, two instances", cost(20, 500, call_getppid) - off);
	for (int i = 0; i < INSTANCES; i++) {
		put(instance(i, "current_tracer"), "nop");
		if (rmdir(instance(i, "")))
			err(1, "rmdir");
	}
}

#define GRAPH_USERS	4
#define SLEEPERS	500

/* In the top instance and in GRAPH_USERS - 1 others. */
static void row_of_graph_users(double off)
{
	graph_on();
	for (int i = 1; i < GRAPH_USERS; i++) {
		if (mkdir(instance(i, ""), 0755))
			err(1, "mkdir");
		put(instance(i, "set_ftrace_filter"), getppid_name);
		put(instance(i, "current_tracer"), "function_graph");
	}
	row("+ graph entry and return, four users", cost(20, 500, call_getppid) - off);
	for (int i = 1; i < GRAPH_USERS; i++) {
		put(instance(i, "current_tracer"), "nop");
		if (rmdir(instance(i, "")))
			err(1, "rmdir");
	}
	trace_off();
}

/* Switch function graph on while there are many tasks without a shadow stack. */
static void row_of_graph_tasks(void)
{
	static pid_t sleeper[SLEEPERS];
	double on;
	long before;

	/* Do not measure the first time, which allocates the buffer. */
	graph_on();
	trace_off();
	for (int i = 0; i < SLEEPERS; i++) {
		sleeper[i] = fork();
		if (sleeper[i] < 0)
			err(1, "fork");
		if (!sleeper[i])
			for (;;)
				pause();
	}
	before = free_kb();
	on = -now();
	graph_on();
	row("graph on, 500 tasks", on + now());
	row("memory of a task's calls, kB", (double)(before - free_kb()) / SLEEPERS);
	trace_off();
	for (int i = 0; i < SLEEPERS; i++) {
		kill(sleeper[i], SIGKILL);
		waitpid(sleeper[i], NULL, 0);
	}
}

static void row_of_graph_refused(double off)
{
	row_with("+ graph, refused by set_graph_function", off, "set_graph_function",
		 "do_exit", "");
}

static void rows_of_graph(void)
{
	double off = cost(20, 500, call_getppid);

	row_of_graph_tasks();
	filter_one();
	graph_on();
	row("+ graph entry and return", cost(20, 500, call_getppid) - off);
	row_with("+ graph, tracing_on = 0", off, "tracing_on", "0", "1");
	row_of_graph_refused(off);
	trace_off();
	row_of_graph_users(off);
	put("set_ftrace_filter", "");
	graph_on();
	row("getppid(), graph on all", cost(10, 100, call_getppid));
	row("fork + exit + wait, graph on all", cost(10, 2, fork_exit_wait));
	trace_off();
}

static void rows_of_printk(void)
{
	row_of_kernel("trace_printk(\"text\")", "text");
	row_of_kernel("trace_printk(\"%d %s\", ...)", "format");
}

static void rows_of_ops(void)
{
	row_of_kernel("register 100 ops, one function each", "register");
	row_of_kernel("+ ops callback, 1 relevant, 100 ops elsewhere", "callback1");
	row_of_kernel("+ ops callback, 2 relevant, 100 ops elsewhere", "callback2");
	row_of_kernel("unregister 100 ops: latency", "unregister");
}

/* With a tracer that keeps no section, as no section is longer than the maximum. */
static void row_of_latency(const char *name, const char *tracer, const char *work)
{
	put("current_tracer", tracer);
	put("tracing_max_latency", "1000000");
	row_of_kernel(name, work);
}

static void set_rounds(long rounds)
{
	char text[32];

	sprintf(text, "%ld", rounds);
	put(BENCH_MODULE "rounds", text);
}

/* The length in microseconds that the current tracer reports for a section of @rounds rounds. */
static long latency_of(long rounds)
{
	set_rounds(rounds);
	put("tracing_max_latency", "0");
	put(BENCH_MODULE "measure", "section");
	return number("tracing_max_latency");
}

#define LONG_ROUNDS	100000L

/*
 * The tracer reports rounded microseconds. So look for the shortest section for which it reports
 * 40: it takes 39.5 us for the tracer. The part of this that the loop does not take is the
 * tracer's.
 */
static void row_of_empty_section(double round)
{
	long few = 0, enough = LONG_ROUNDS;

	while (enough - few > 1) {
		long middle = (few + enough) / 2;

		if (latency_of(middle) < 40)
			few = middle;
		else
			enough = middle;
	}
	row("latency of an empty section, ns", 39500 - enough * round);
}

/*
 * Sections that are longer than tracing_thresh: each is kept, or none. They are longer than the
 * work that stock does for each in an interrupt; otherwise that interrupt would be kept itself, and
 * so on.
 */
static void row_of_maximum(void)
{
	double none;

	set_rounds(LONG_ROUNDS);
	none = cost_in_kernel("sections");
	put("tracing_thresh", "50");
	row("irqsoff, a new maximum", cost_in_kernel("sections") - none);
	put("tracing_thresh", "0");
}

static int has_tracer(const char *name)
{
	FILE *f = fopen("available_tracers", "r");
	char word[64];
	int found = 0;

	while (f && !found && fscanf(f, "%63s", word) == 1)
		found = !strcmp(word, name);
	if (f)
		fclose(f);
	return found;
}

/* There is no such option where function tracing is not built. */
static void set_function_trace(const char *on)
{
	if (has_tracer("function"))
		put("options/function-trace", on);
}

static void rows_of_latency(void)
{
	double on, round;

	set_rounds(0);
	round = -cost_in_kernel("sections");
	set_rounds(LONG_ROUNDS / 100);
	round = (round + cost_in_kernel("sections")) / (LONG_ROUNDS / 100);

	row_of_kernel("irqs off and on, no latency tracer", "irqs");
	on = -now();
	put("current_tracer", "irqsoff");
	row("irqsoff on", on + now());
	set_function_trace("0");
	row_of_latency("irqs off and on, irqsoff", "irqsoff", "irqs");
	row_of_maximum();
	row_of_empty_section(round);
	trace_off();
	set_function_trace("1");
}

/* Not with PREEMPT_VOLUNTARY, where switching preemption off does nothing. */
static void rows_of_preemption(void)
{
	if (!has_tracer("preemptoff"))
		return;
	row_of_kernel("preemption off and on, no latency tracer", "preemption");
	set_function_trace("0");
	row_of_latency("preemption off and on, preemptoff", "preemptoff", "preemption");
	trace_off();
	set_function_trace("1");
}

/* Switch from one tracer to another, and back. */
static void row_of_switch(const char *name, const char *from, const char *to)
{
	double cost = 0;

	put("current_tracer", from);
	for (int i = 0; i < 5; i++) {
		cost -= now();
		put("current_tracer", to);
		cost += now();
		put("current_tracer", from);
	}
	row(name, cost / 5);
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
	/* Do not measure the first time, which gives tasks their shadow stacks. */
	graph_on();
	row_of_switch("from function to function_graph", "function", "function_graph");
	row_of_switch("from function_graph to function", "function_graph", "function");
	trace_off();
	filter_one();
	on = -now();
	trace_on();
	row("one site on, filter set before", on + now());
	trace_off();
}

static void rows_of_names(void)
{
	struct content sites;

	row("one literal name", cost(3, 1, filter_one));
	row("one glob (*lock*)", cost(3, 1, filter_glob));
	row("100 literal names in one write", cost(3, 1, filter_100));
	row("1000 literal names in one write", cost_once(1, filter_1000));
	put("set_ftrace_filter", "");
	sites = read_all("available_filter_functions");
	row("read available_filter_functions, per line", sites.cost / sites.lines);
	row("sites", sites.lines);
}

/*
 * A module of test_modules that can be loaded many times: its name ends with digits, which are
 * replaced in its image each time.
 */
struct module_file {
	char name[32];
	int digits;
	char *image;
	size_t size;
};

static void read_module(struct module_file *m)
{
	struct utsname kernel;
	struct stat st;
	char path[256];
	int fd;

	uname(&kernel);
	snprintf(path, sizeof(path), "/lib/modules/%s/updates/%s.ko", kernel.release, m->name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	m->size = st.st_size;
	m->image = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (m->image == MAP_FAILED)
		err(1, "%s", path);
	close(fd);
}

static void set_number(const struct module_file *m, char *name, int number)
{
	sprintf(name + strlen(name) - m->digits, "%0*d", m->digits, number);
}

static void load_clone(struct module_file *m, int number)
{
	size_t len = strlen(m->name);
	char name[sizeof(m->name)], *at = m->image;

	strcpy(name, m->name);
	set_number(m, name, number);
	while ((at = memmem(at, m->image + m->size - at, m->name, len)))
		memcpy(at, name, len);
	strcpy(m->name, name);
	if (syscall(SYS_init_module, m->image, m->size, ""))
		err(1, "%s", name);
}

static void unload_clones(struct module_file *m, int nr)
{
	while (nr--) {
		set_number(m, m->name, nr);
		if (syscall(SYS_delete_module, m->name, 0))
			err(1, "%s", m->name);
	}
}

/* Returns the cost for one site. */
static double row_of_switching_on(const char *name, const char *filter)
{
	double on;
	long nr;

	put("set_ftrace_filter", filter);
	on = -now();
	trace_on();
	on += now();
	nr = read_all("enabled_functions").lines;
	trace_off();
	put("set_ftrace_filter", "");
	row(name, on / nr);
	printf("%s: how many\t%ld\n", name, nr);
	return on / nr;
}

#define MODULES	50

/*
 * Memory for site records by the kernel's own count: for its sites, and those of the module
 * trace_bench.
 */
static void row_of_records(void)
{
	FILE *f = fopen("dyn_ftrace_total_info", "r");
	long sites, pages;

	if (!f || fscanf(f, "%ld pages:%ld", &sites, &pages) != 2)
		errx(1, "dyn_ftrace_total_info");
	fclose(f);
	row("memory of site records, bytes per 1000 sites",
	    pages * 1000.0 * sysconf(_SC_PAGESIZE) / sites);
}

static void rows_of_modules(void)
{
	struct module_file few = { .name = "trace_sites_100", .digits = 3 };
	struct module_file many = { .name = "trace_sites_10000", .digits = 5 };
	double few_sites, list, all;

	row_of_records();
	row_of_kernel("100 sites that are not traced", "sites");
	read_module(&few);
	for (int i = 0; i < MODULES; i++)
		load_clone(&few, i);
	row("read available_filter_functions, per line, 50 modules",
	    cost_per_line("available_filter_functions"));
	unload_clones(&few, MODULES);

	/* Do not measure the first time, which allocates the buffer. */
	trace_on();
	trace_off();
	read_module(&many);
	load_clone(&many, 0);
	few_sites = row_of_switching_on("sites on, per site of 1000", "trace_site_0*");
	row_of_switching_on("sites on, per site of 10000", "trace_site_*");
	for (int i = 1; i < 9; i++)
		load_clone(&many, i);
	list = row_of_switching_on("sites on, per site of 90000 in a list", "trace_site_*");
	all = row_of_switching_on("sites on, per site of 100000", "");
	row("growth from 1000 sites to 90000 in a list, per cent", list / few_sites * 100);
	row("growth from 1000 sites to 100000, per cent", all / few_sites * 100);
	unload_clones(&many, 9);
}

/*
 * One row for each path that must stay cheap. guest/bench-quick compares them with recorded costs.
 */
static void rows_of_quick(void)
{
	double on, least = 0, off = cost(20, 500, call_getppid);

	row("getppid(), everything off", off);
	row("fork + exit + wait, off", cost(20, 5, fork_exit_wait));
	row_of_kernel("irqs off and on, no latency tracer", "irqs");
	row_of_kernel("preemption off and on, no latency tracer", "preemption");
	row("one literal name", cost(3, 1, filter_one));
	/* Do not measure the first time, which allocates the buffer. */
	trace_on();
	trace_off();
	/* A tick may come meanwhile, so the cheapest of several is taken, as in cost(). */
	for (int i = 0; i < 9; i++) {
		on = -now();
		trace_on();
		on += now();
		if (!i || on < least)
			least = on;
		trace_off();
	}
	row("one site on, filter set before", least);
	trace_on();
	row("+ function event", cost(20, 500, call_getppid) - off);
	row_with("+ function event, tracing_on = 0", off, "tracing_on", "0", "1");
	trace_off();
	graph_on();
	row("+ graph entry and return", cost(20, 500, call_getppid) - off);
	row_of_graph_refused(off);
	trace_off();
	put("set_ftrace_filter", "");
	trace_on();
	row("fork + exit + wait, function on all", cost(20, 2, fork_exit_wait));
	put("tracing_on", "0");
	row("read trace, per line", cost_per_line("trace"));
	row("read trace_pipe, per line", cost_per_line("trace_pipe"));
	put("tracing_on", "1");
	trace_off();
}

/* Nanoseconds since the machine was started; the kernel's clocks start somewhat later. */
static double now_of_machine(void)
{
	unsigned long ticks;
#ifdef __aarch64__
	unsigned long frequency;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (ticks));
	asm volatile("mrs %0, cntfrq_el0" : "=r" (frequency));
	return ticks * (1e9 / frequency);
#else
	asm volatile("rdtime %0" : "=r" (ticks));
	return ticks * 100.0;
#endif
}

/* The time of the latest line of the kernel's log with @text in it, in microseconds. */
static double time_of_line(const char *text)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	unsigned long long us, latest = 0;
	char line[8192];
	ssize_t len;

	while ((len = read(fd, line, sizeof(line) - 1)) > 0) {
		line[len] = '\0';
		if (strstr(line, text) && sscanf(line, "%*u,%*u,%llu", &us) == 1)
			latest = us;
	}
	close(fd);
	return latest;
}

static void row_of_boot(void)
{
	double now = now_of_machine();

	put("/dev/kmsg", "bench: now\n");
	row("boot", now - (time_of_line("bench: now") - time_of_line("Run /init")) * 1e3);
}

static const struct group {
	const char *name;
	void (*rows)(void);
} groups[] = {
	{ "calls", rows_of_calls },
	{ "reading", rows_of_reading },
	{ "graph-text", rows_of_graph_text },
	{ "switching", rows_of_switching },
	{ "names", rows_of_names },
	{ "modules", rows_of_modules },
	{ "instances", rows_of_instances },
	{ "graph", rows_of_graph },
	{ "printk", rows_of_printk },
	{ "ops", rows_of_ops },
	{ "latency", rows_of_latency },
	{ "preemption", rows_of_preemption },
};

/* The groups that are named, or all; or "quick"; or the time that the boot took. */
int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "boot")) {
		row_of_boot();
		return 0;
	}
	if (chdir("/sys/kernel/tracing"))
		err(1, "tracefs");
	if (has_tracer("function"))
		find_names();
	if (argc == 2 && !strcmp(argv[1], "quick")) {
		rows_of_quick();
		return 0;
	}
	for (unsigned int i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (wanted(groups[i].name, argv + 1))
			groups[i].rows();
	return 0;
}
