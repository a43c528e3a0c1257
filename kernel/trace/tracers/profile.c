// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler: how often each function is called, on each CPU. It writes
 * nothing into a buffer; trace_stat/functionN is its result.
 *
 * All CPUs share a table of functions, profile_table.h, and each has counters of its
 * own, one for each slot. All that is there before the first call is counted, so a
 * call needs no memory. It needs no lock either: additions are atomic, so that an
 * interrupt which counts the same function does not have its addition lost.
 *
 * The table has room for all functions that can be traced, and some more; should so
 * many come with modules that it has not, then their calls are counted together, and
 * the end of the file says so.
 *
 * Function graph will feed durations in: a struct profile_counter gets their sum and
 * the sum of their squares, and the file its columns.
 */
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../core/core.h"
#include "../core/stat.h"
#include "../ftrace/ftrace.h"
#include "profile_table.h"

/**
 * struct profile_counter - what a CPU knows of a function
 * @hits: how often it was called
 */
struct profile_counter {
	atomic_long_t	hits;
};

/**
 * struct profile_cpu - what a CPU counts
 * @counter: for each slot of the table
 * @homeless: calls of functions that there was no slot for
 * @stat: its file
 * @name: of the file
 */
struct profile_cpu {
	struct profile_counter	*counter;
	atomic_long_t		homeless;
	struct trace_stat	stat;
	char			name[16];
};

/* A line of the file. */
struct profile_row {
	unsigned long	ip;
	unsigned long	hits;
};

/* Whether we count, the memory to count in, and who reads there. */
static DEFINE_MUTEX(profile_lock);
static bool profile_on;
static struct profile_table profile_table;
static DEFINE_PER_CPU(struct profile_cpu, profile_cpus);

static void profile_call(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct profile_cpu *cpu = raw_cpu_ptr(&profile_cpus);
	unsigned int slot = profile_table_slot(&profile_table, ip);

	if (likely(slot != PROFILE_NO_SLOT))
		atomic_long_inc(&cpu->counter[slot].hits);
	else
		atomic_long_inc(&cpu->homeless);
}

static struct ftrace_ops profile_ops = {
	.func	= profile_call,
};

static void profile_free(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct profile_cpu *p = per_cpu_ptr(&profile_cpus, cpu);

		kvfree(p->counter);
		p->counter = NULL;
		atomic_long_set(&p->homeless, 0);
	}
	kvfree(profile_table.ip);
	profile_table = (struct profile_table) {};
}

static bool profile_alloc_counters(size_t nr)
{
	struct profile_cpu *p;
	int cpu;

	for_each_possible_cpu(cpu) {
		p = per_cpu_ptr(&profile_cpus, cpu);
		p->counter = kvcalloc(nr, sizeof(*p->counter), GFP_KERNEL);
		if (!p->counter)
			return false;
	}
	return true;
}

/* A quarter more functions than there are now, and a quarter of the slots free. */
static int profile_alloc(void)
{
	unsigned long functions = ftrace_nr_sites() * 5 / 4;
	size_t nr = roundup_pow_of_two(functions * 4 / 3 + 1);

	profile_table.bits = ilog2(nr);
	profile_table.max = nr - nr / 4;
	profile_table.ip = kvcalloc(nr, sizeof(*profile_table.ip), GFP_KERNEL);
	if (profile_table.ip && profile_alloc_counters(nr))
		return 0;
	profile_free();
	return -ENOMEM;
}

/* What was counted the last time is forgotten. */
static int profile_start(void)
{
	int err;

	profile_free();
	err = profile_alloc();
	if (err)
		return err;
	/* As the function tracer: those of set_ftrace_filter. */
	ftrace_ops_set_global_filter(&profile_ops);
	err = register_ftrace_function(&profile_ops);
	if (err)
		profile_free();
	return err;
}

static int profile_enabled_show(struct seq_file *m, struct trace_scope *scope)
{
	guard(mutex)(&profile_lock);
	seq_printf(m, "%d\n", profile_on);
	return 0;
}

static int profile_enabled_store(struct trace_scope *scope, char *text)
{
	unsigned long on;
	int err;

	err = kstrtoul(text, 10, &on);
	if (err)
		return err;
	guard(mutex)(&profile_lock);
	if (profile_on == !!on)
		return 0;
	/* What was counted stays to be read. That ftrace is dead is no obstacle. */
	if (on)
		err = profile_start();
	else
		unregister_ftrace_function(&profile_ops);
	if (!err)
		profile_on = on;
	return err;
}

static struct trace_control profile_enabled = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= profile_enabled_show,
	.store	= profile_enabled_store,
};

static const struct trace_file rows[] = {
	{ "function_profile_enabled", TRACE_MODE_WRITE, TRACE_FILE_TOP, &profile_enabled.fops },
};

TRACE_FILES(rows);

/*
 * trace_stat/functionN
 */

static size_t profile_collect(const struct trace_stat *stat, void *data, size_t max)
{
	const struct profile_cpu *cpu = container_of(stat, struct profile_cpu, stat);
	struct profile_row *row = data;
	unsigned long slot, hits;
	size_t nr = 0;

	guard(mutex)(&profile_lock);
	for (slot = 0; cpu->counter && slot < BIT(profile_table.bits); slot++) {
		hits = atomic_long_read(&cpu->counter[slot].hits);
		if (!hits)
			continue;
		if (nr < max)
			row[nr] = (struct profile_row) { READ_ONCE(profile_table.ip[slot]), hits };
		nr++;
	}
	return nr;
}

/* Those called most come first, and of two that are alike the one that lies first. */
static int profile_compare(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;

	if (x->hits != y->hits)
		return x->hits > y->hits ? -1 : 1;
	return x->ip < y->ip ? -1 : 1;
}

static void profile_show_header(struct seq_file *m)
{
	seq_puts(m, "  Function                               Hit\n"
		    "  --------                               ---\n");
}

static void profile_show_row(struct seq_file *m, const void *data)
{
	const struct profile_row *row = data;
	char name[KSYM_SYMBOL_LEN];
	const char *found = kallsyms_lookup(row->ip, NULL, NULL, NULL, name);

	if (found)
		seq_printf(m, "  %-30.30s", found);
	else
		seq_printf(m, "  0x%-28lx", row->ip);
	seq_printf(m, "  %10lu\n", row->hits);
}

static void profile_show_end(struct seq_file *m, const struct trace_stat *stat)
{
	const struct profile_cpu *cpu = container_of(stat, struct profile_cpu, stat);
	unsigned long homeless = atomic_long_read(&cpu->homeless);

	if (homeless)
		seq_printf(m, "# %lu calls of functions that there was no room for\n", homeless);
}

static int __init profile_init(void)
{
	struct profile_cpu *p;
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		p = per_cpu_ptr(&profile_cpus, cpu);
		snprintf(p->name, sizeof(p->name), "function%d", cpu);
		p->stat = (struct trace_stat) {
			.name		= p->name,
			.row_size	= sizeof(struct profile_row),
			.collect	= profile_collect,
			.compare	= profile_compare,
			.show_header	= profile_show_header,
			.show_row	= profile_show_row,
			.show_end	= profile_show_end,
		};
		err = err ?: trace_stat_register(&p->stat);
	}
	return err;
}
fs_initcall_sync(profile_init);
