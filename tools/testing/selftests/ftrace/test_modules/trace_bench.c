// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel's interfaces cost, for `make bench`: the name of a row of works,
 * written to the parameter "measure", has it done; "cost" is then what it took, or one
 * call of it. Nanoseconds, that is: instructions, where the guest's clock counts these.
 */
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/slab.h>
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

/* The least of some samples, since a timer interrupt is nothing that it costs. */
static unsigned long cost_of(void (*call)(void))
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
	return cost_of(text);
}

static unsigned long cost_of_format(void)
{
	return cost_of(format);
}

/*
 * Sections with interrupts or preemption off. There is nothing in them, or as many
 * rounds of a loop as the parameter "rounds" says.
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
	return cost_of(irqs) - cost_of(nothing);
}

static unsigned long cost_of_preemption(void)
{
	return cost_of(preemption) - cost_of(nothing);
}

static unsigned long cost_of_sections(void)
{
	return cost_of(section);
}

static unsigned long cost_of_a_section(void)
{
	u64 start = ktime_get_ns();

	section();
	return ktime_get_ns() - start;
}

/*
 * Functions, each with an ops of its own, and one more function. The parameter "ops" says how
 * many are registered.
 */
#define EACH_OF_10(what, n)						\
	what(n##0) what(n##1) what(n##2) what(n##3) what(n##4)		\
	what(n##5) what(n##6) what(n##7) what(n##8) what(n##9)
#define EACH(what)							\
	EACH_OF_10(what, 0) EACH_OF_10(what, 1) EACH_OF_10(what, 2)	\
	EACH_OF_10(what, 3) EACH_OF_10(what, 4) EACH_OF_10(what, 5)	\
	EACH_OF_10(what, 6) EACH_OF_10(what, 7) EACH_OF_10(what, 8)	\
	EACH_OF_10(what, 9) EACH_OF_10(what, 10) EACH_OF_10(what, 11)	\
	EACH_OF_10(what, 12)
#define DEFINE_ELSEWHERE(n)	static noinline void elsewhere_##n(void) { barrier(); }
#define NAME_ELSEWHERE(n)	elsewhere_##n,

EACH(DEFINE_ELSEWHERE)

static void (* const elsewhere[])(void) = { EACH(NAME_ELSEWHERE) };

static unsigned long ops = 100;

static noinline void tracee(void)
{
	barrier();
}

/* Not traced, so that the loop around it costs the same whoever is called. */
static void notrace do_nothing(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

/* What its site costs while nobody wants it: 100 calls, less those without a site. */
static noinline notrace void siteless(void)
{
	barrier();
}

static void call_tracee(void)
{
	int i;

	for (i = 0; i < 100; i++)
		tracee();
}

static void call_siteless(void)
{
	int i;

	for (i = 0; i < 100; i++)
		siteless();
}

static unsigned long cost_of_sites(void)
{
	return cost_of(call_tracee) - cost_of(call_siteless);
}

#define RELEVANT	2

static struct ftrace_ops *ops_elsewhere, *ops_here;

/* Returns what it took. */
static unsigned long register_ops(struct ftrace_ops *ops, void (*function)(void))
{
	u64 start = ktime_get_ns();
	int err;

	ops->func = do_nothing;
	err = ftrace_set_filter_ip(ops, (unsigned long)function, 0, 0);
	err = err ?: register_ftrace_function(ops);
	WARN_ON(err);
	return ktime_get_ns() - start;
}

static unsigned long unregister_ops(struct ftrace_ops *ops)
{
	u64 start = ktime_get_ns(), end;

	WARN_ON(unregister_ftrace_function(ops));
	end = ktime_get_ns();
	ftrace_free_filter(ops);
	/* Stock leaves pointers to what it has freed. */
	*ops = (struct ftrace_ops) {};
	return end - start;
}

static unsigned long register_all(void)
{
	unsigned long i, sum = 0;

	for (i = 0; i < min(ops, ARRAY_SIZE(elsewhere)); i++)
		sum += register_ops(&ops_elsewhere[i], elsewhere[i]);
	return sum;
}

static unsigned long unregister_all(void)
{
	unsigned long i, sum = 0;

	for (i = 0; i < min(ops, ARRAY_SIZE(elsewhere)); i++)
		sum += unregister_ops(&ops_elsewhere[i]);
	return sum;
}

/* While they are registered: what it costs to be called by one of these. */
static unsigned long callback(unsigned int relevant)
{
	unsigned long off = cost_of(tracee), on;
	unsigned int i;

	for (i = 0; i < relevant; i++)
		register_ops(&ops_here[i], tracee);
	on = cost_of(tracee);
	for (i = 0; i < relevant; i++)
		unregister_ops(&ops_here[i]);
	return on - off;
}

static unsigned long callback_1(void)
{
	return callback(1);
}

static unsigned long callback_2(void)
{
	return callback(RELEVANT);
}

static const struct work {
	const char	*name;
	unsigned long	(*cost)(void);
} works[] = {
	{ "text", cost_of_text },
	{ "format", cost_of_format },
	{ "irqs", cost_of_irqs },
	{ "preemption", cost_of_preemption },
	{ "sections", cost_of_sections },
	{ "section", cost_of_a_section },
	{ "sites", cost_of_sites },
	{ "register", register_all },
	{ "callback1", callback_1 },
	{ "callback2", callback_2 },
	{ "unregister", unregister_all },
};

static int measure_set(const char *text, const struct kernel_param *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(works); i++) {
		if (sysfs_streq(text, works[i].name)) {
			cost = works[i].cost();
			return 0;
		}
	}
	return -EINVAL;
}

static const struct kernel_param_ops measure_ops = {
	.set = measure_set,
};

static int __init trace_bench_init(void)
{
	ops_elsewhere = kcalloc(ARRAY_SIZE(elsewhere), sizeof(*ops_elsewhere), GFP_KERNEL);
	ops_here = kcalloc(RELEVANT, sizeof(*ops_here), GFP_KERNEL);
	if (ops_elsewhere && ops_here)
		return 0;
	kfree(ops_elsewhere);
	kfree(ops_here);
	return -ENOMEM;
}
module_init(trace_bench_init);

static void __exit trace_bench_exit(void)
{
	kfree(ops_elsewhere);
	kfree(ops_here);
}
module_exit(trace_bench_exit);

module_param_cb(measure, &measure_ops, NULL, 0200);
module_param(cost, ulong, 0400);
module_param(ops, ulong, 0600);
module_param(rounds, ulong, 0600);

MODULE_DESCRIPTION("cost of interfaces in the kernel");
MODULE_LICENSE("GPL");
