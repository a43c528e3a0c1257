// SPDX-License-Identifier: GPL-2.0
/*
 * What trace_printk() costs, for `make bench`: the name of a row of works, written to
 * the parameter "measure", has it done in a loop; "cost" is then what one took.
 * Nanoseconds, that is: instructions, where the guest's clock counts these.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

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

static const struct work {
	const char	*name;
	void		(*call)(void);
} works[] = {
	{ "text", text },
	{ "format", format },
};

/* The least of some samples, since a timer interrupt is nothing that it costs. */
static unsigned long measure(void (*call)(void))
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

static int measure_set(const char *text, const struct kernel_param *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(works); i++) {
		if (sysfs_streq(text, works[i].name)) {
			cost = measure(works[i].call);
			return 0;
		}
	}
	return -EINVAL;
}

static const struct kernel_param_ops measure_ops = {
	.set = measure_set,
};

module_param_cb(measure, &measure_ops, NULL, 0200);
module_param(cost, ulong, 0400);

MODULE_DESCRIPTION("cost of trace_printk()");
MODULE_LICENSE("GPL");
