// SPDX-License-Identifier: GPL-2.0
/*
 * Printing a buffer to the console when the system may be broken: after an oops, in a panic, for
 * sysrq-z.
 *
 * This allocates no memory and does not sleep; its memory is static. Of the locks that the
 * interrupted code may hold, it takes only printk()'s; it tries the locks of the comm cache and of
 * the buffer's reader. Entries are consumed: a second oops prints only new entries.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/nmi.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>

#include "../core/dump.h"
#include "../core/instance.h"
#include "../core/tracer.h"
#include "internal.h"

/* printk() cuts its records at this length, so the end of a longer line would be lost anyway. */
#define DUMP_LINE_MAX	1000

#define DUMP_RULE	"---------------------------------\n"

/*
 * ftrace_dump() allows one dump at a time, which uses this memory. It is there for as many CPUs as
 * the kernel is built for, since nothing can be allocated when the system is in trouble.
 */
static struct trace_iterator dump_iter;
static struct trace_merge dump_merge;
static struct merge_key dump_keys[NR_CPUS];
static int dump_idle[NR_CPUS];
static char dump_kept[SZ_4K] __aligned(sizeof(u64));

static void dump_begin(struct trace_array *tr, int cpu)
{
	struct trace_iterator *iter = &dump_iter;

	memset(iter, 0, offsetof(struct trace_iterator, seq));
	iter->tr = tr;
	iter->trace = trace_array_tracer(tr);
	iter->array_buffer = &tr->array_buffer;
	iter->cpu_file = cpu;
	iter->iter_flags = TRACE_FILE_LAT_FMT;

	memset(&dump_merge, 0, sizeof(dump_merge));
	dump_merge.heap.data = dump_keys;
	dump_merge.idle = dump_idle;
	dump_merge.kept = dump_kept;
	dump_merge.kept_size = sizeof(dump_kept) - 1;
	trace_merge_init(iter, &dump_merge);
}

static void dump_line(struct trace_iterator *iter)
{
	trace_seq_init(&iter->seq);
	/* A module that has registered printers may be unloading: see printers.c. */
	scoped_guard(rcu)
		trace_print_line(iter);
	pr_emerg("%.*s", min(trace_seq_used(&iter->seq), DUMP_LINE_MAX), iter->seq.buffer);
}

static void dump_entries(struct trace_iterator *iter)
{
	if (!trace_iter_find(iter)) {
		pr_emerg("   (ftrace buffer empty)\n");
		return;
	}

	pr_emerg(DUMP_RULE);
	do {
		dump_line(iter);
		trace_iter_advance(iter);
		/* Printing to the console may take long. */
		touch_nmi_watchdog();
	} while (trace_iter_find(iter));
	pr_emerg(DUMP_RULE);
}

static void dump_buffer(struct trace_array *tr, int cpu)
{
	if (tr->name)
		pr_emerg("Dumping ftrace instance %s buffer:\n", tr->name);
	else
		pr_emerg("Dumping ftrace buffer:\n");
	dump_begin(tr, cpu);
	dump_entries(&dump_iter);
}

static int __init dump_iter_init(void)
{
	trace_dump_hook = dump_buffer;
	return 0;
}
early_initcall(dump_iter_init);
