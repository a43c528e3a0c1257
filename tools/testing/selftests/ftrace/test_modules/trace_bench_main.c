// SPDX-License-Identifier: GPL-2.0
/*
 * Costs of the kernel's interfaces, for `make bench`. Writing the name of an operation to the
 * parameter "measure" runs it; "cost" is then its time, in all or for one call, in nanoseconds:
 * that is in instructions, if the guest's clock counts these.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "trace_bench.h"

#define SAMPLES	20
#define ROUNDS	200

static unsigned long cost;

static void text(void)
{
	trace_printk("text\n");
}

static void format(void)
{
	trace_printk("%d %s\n", SAMPLES, "text");
}

/* Take the least of some samples, so that timer interrupts do not count. */
unsigned long trace_bench_cost(void (*call)(void))
{
	unsigned long least = ULONG_MAX;
	int sample, i;
	u64 start;

	for (sample = 0; sample < SAMPLES; sample++) {
		start = ktime_get_ns();
		for (i = 0; i < ROUNDS; i++)
			call();
		least = min(least, (unsigned long)(ktime_get_ns() - start) / ROUNDS);
	}
	return least;
}

static unsigned long cost_of_text(void)
{
	return trace_bench_cost(text);
}

static unsigned long cost_of_format(void)
{
	return trace_bench_cost(format);
}

/*
 * Sections with interrupts or preemption off. They are empty, or run as many rounds of a loop as
 * the parameter "rounds" says.
 */

static unsigned long rounds;

static void nothing(void)
{
	barrier();
}

static void irqs(void)
{
	unsigned long flags;

	local_irq_save(flags);
	barrier();
	local_irq_restore(flags);
}

static void preemption(void)
{
	preempt_disable();
	barrier();
	preempt_enable();
}

static void section(void)
{
	unsigned long flags, i;

	local_irq_save(flags);
	for (i = rounds; i; i--)
		barrier();
	local_irq_restore(flags);
}

static unsigned long cost_of_irqs(void)
{
	return trace_bench_cost(irqs) - trace_bench_cost(nothing);
}

static unsigned long cost_of_preemption(void)
{
	return trace_bench_cost(preemption) - trace_bench_cost(nothing);
}

static unsigned long cost_of_sections(void)
{
	return trace_bench_cost(section);
}

static unsigned long cost_of_a_section(void)
{
	u64 start = ktime_get_ns();

	section();
	return ktime_get_ns() - start;
}

static const struct trace_bench_work works[] = {
	{ "text", cost_of_text },
	{ "format", cost_of_format },
	{ "irqs", cost_of_irqs },
	{ "preemption", cost_of_preemption },
	{ "sections", cost_of_sections },
	{ "section", cost_of_a_section },
	{ }
};

static const struct trace_bench_work *find_work(const struct trace_bench_work *work,
						const char *name)
{
	while (work->name && !sysfs_streq(name, work->name))
		work++;
	return work->name ? work : NULL;
}

static int measure_set(const char *name, const struct kernel_param *unused)
{
	const struct trace_bench_work *work = find_work(works, name);

	if (!work && IS_ENABLED(CONFIG_FUNCTION_TRACER))
		work = find_work(trace_bench_ops_works, name);
	if (!work && IS_ENABLED(CONFIG_EVENT_TRACING))
		work = find_work(trace_bench_event_works, name);
	if (!work)
		return -EINVAL;
	cost = work->cost();
	return 0;
}

static const struct kernel_param_ops measure_ops = {
	.set = measure_set,
};

static int __init trace_bench_init(void)
{
	return IS_ENABLED(CONFIG_FUNCTION_TRACER) ? trace_bench_ops_init() : 0;
}
module_init(trace_bench_init);

static void __exit trace_bench_exit(void)
{
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER))
		trace_bench_ops_exit();
}
module_exit(trace_bench_exit);

module_param_cb(measure, &measure_ops, NULL, 0200);
module_param(cost, ulong, 0400);
module_param(rounds, ulong, 0600);

MODULE_DESCRIPTION("cost of interfaces in the kernel");
MODULE_LICENSE("GPL");
