// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler: how often each function is called, on each CPU, and how long that
 * takes. It writes nothing into a buffer; trace_stat/functionN is its result.
 *
 * All CPUs share a table of functions (profile_table.h). Each CPU has counters of its own, one for
 * each slot of the table. All memory is allocated before the first call is counted, or before the
 * CPU comes up. A call takes no lock either: additions are atomic, so that an interrupt that counts
 * the same function does not lose its addition.
 *
 * The table has slots for all functions that can be traced, and a quarter more for modules. Calls
 * of functions that find no slot are counted together, and the end of the file says so.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "../core/stat.h"
#include "../ftrace/ftrace.h"
#include "profile.h"
#include "profile_table.h"

/**
 * struct profile_cpu - the counters of a CPU
 * @counter: one for each slot of the table
 * @overflow: calls of functions that found no slot
 * @stat: the file
 * @name: name of the file
 */
struct profile_cpu {
	struct profile_counter	*counter;
	struct profile_counter	overflow;
	struct trace_stat	stat;
	char			name[16];
};

/* Guards profile_on and the memory for counters, also against readers of that memory. */
static DEFINE_MUTEX(profile_lock);
static bool profile_on;
static struct profile_table profile_table;
static int profile_hotplug;	/* the state that allocates counters for CPUs, if positive */
static DEFINE_PER_CPU(struct profile_cpu, profile_cpus);

/**
 * profile_counter - find a function's counters on this CPU
 * @ip: address of the function
 *
 * Only while calls are counted.
 *
 * Context: any, with preemption off.
 * Return: the function's counters; without a slot, the counters that all such functions share.
 */
struct profile_counter *profile_counter(unsigned long ip)
{
	struct profile_cpu *cpu = raw_cpu_ptr(&profile_cpus);
	unsigned int slot = profile_table_slot(&profile_table, ip);

	return likely(slot != PROFILE_NO_SLOT) ? &cpu->counter[slot] : &cpu->overflow;
}

/* A CPU that was up before goes on with the counters that it had. */
static int profile_prepare_cpu(unsigned int cpu)
{
	struct profile_cpu *p = per_cpu_ptr(&profile_cpus, cpu);
	struct profile_counter *counter;

	if (p->counter)
		return 0;
	counter = kvcalloc(BIT(profile_table.bits), sizeof(*counter), GFP_KERNEL);
	if (!counter)
		return -ENOMEM;
	/* A reader of the file that sees the counters sees zeroes. */
	smp_store_release(&p->counter, counter);
	return 0;
}

static void profile_free(void)
{
	int cpu;

	if (profile_hotplug > 0)
		cpuhp_remove_state(profile_hotplug);
	profile_hotplug = 0;
	for_each_possible_cpu(cpu) {
		struct profile_cpu *p = per_cpu_ptr(&profile_cpus, cpu);

		kvfree(p->counter);
		p->counter = NULL;
		p->overflow = (struct profile_counter) {};
	}
	kvfree(profile_table.ip);
	profile_table = (struct profile_table) {};
}

/* Make the table for a quarter more functions than there are now, with a quarter of it free. */
static int profile_alloc(void)
{
	unsigned long functions = ftrace_nr_sites() * 5 / 4;
	size_t nr = roundup_pow_of_two(functions * 4 / 3 + 1);

	profile_table.bits = ilog2(nr);
	profile_table.max = nr - nr / 4;
	profile_table.ip = kvcalloc(nr, sizeof(*profile_table.ip), GFP_KERNEL);
	if (!profile_table.ip)
		return -ENOMEM;
	/* Counters for CPUs that are up, and for each that comes up: many may never do. */
	profile_hotplug = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "trace/profile:prepare",
					    profile_prepare_cpu, NULL);
	return min(profile_hotplug, 0);
}

/* Begin to count. The counters of the last time are lost. */
static int profile_start(void)
{
	int err;

	profile_free();
	err = profile_alloc() ?: profile_begin();
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

static int profile_enabled_store(struct trace_scope *scope, unsigned long on)
{
	int err = 0;

	guard(mutex)(&profile_lock);
	if (profile_on == !!on)
		return 0;
	/* Counters stay to be read. Switching off works even after a failure of ftrace. */
	if (on)
		err = profile_start();
	else
		profile_end();
	if (!err)
		profile_on = on;
	return err;
}

TRACE_CONTROL(profile_enabled, .show = profile_enabled_show, .store_number = profile_enabled_store);

TRACE_FILES(profile_files,
	{ "function_profile_enabled", TRACE_MODE_WRITE, TRACE_FILE_TOP, &profile_enabled.fops });

TRACE_README(profile_readme, 1100,
	"\n"
	"How often\n"
	"  function_profile_enabled	1 counts calls, 0 stops\n"
	"  trace_stat/functionN	what was counted on CPU N, and how long it took\n");

/*
 * trace_stat/functionN
 */

static struct profile_row profile_row_of(unsigned long slot, const struct profile_counter *counter)
{
	return (struct profile_row) {
		.ip		= READ_ONCE(profile_table.ip[slot]),
		.hits		= atomic_long_read(&counter->hits),
		.time		= atomic64_read(&counter->time),
		.squares	= {
			.low	= ATOMIC64_INIT(atomic64_read(&counter->squares.low)),
			.high	= ATOMIC64_INIT(atomic64_read(&counter->squares.high)),
		},
	};
}

static size_t profile_collect(const struct trace_stat *stat, void *data, size_t max)
{
	const struct profile_cpu *cpu = container_of(stat, struct profile_cpu, stat);
	const struct profile_counter *counter;
	struct profile_row *row = data;
	unsigned long slot;
	size_t nr = 0;

	guard(mutex)(&profile_lock);
	counter = READ_ONCE(cpu->counter);
	for (slot = 0; counter && slot < BIT(profile_table.bits); slot++) {
		if (!atomic_long_read(&counter[slot].hits))
			continue;
		if (nr < max)
			row[nr] = profile_row_of(slot, &counter[slot]);
		nr++;
	}
	return nr;
}

/* If two rows are equal, the function with the lower address comes first. */
static int profile_compare(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;

	return profile_order(x, y) ?: profile_compare_numbers(x->ip, y->ip);
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
	profile_show_counts(m, row);
}

static void profile_show_end(struct seq_file *m, const struct trace_stat *stat)
{
	const struct profile_cpu *cpu = container_of(stat, struct profile_cpu, stat);
	unsigned long overflow = atomic_long_read(&cpu->overflow.hits);

	if (overflow)
		seq_printf(m, "# %lu calls of functions that there was no room for\n", overflow);
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
