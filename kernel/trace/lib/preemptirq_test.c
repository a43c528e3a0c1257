// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the hooks of interrupts and preemption: a transition is reported once. */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <trace/events/preemptirq.h>

/**
 * struct heard - switches of one task that a probe has seen
 * @task: the task
 * @off: number of times it has switched off
 * @on: number of times it has switched on
 * @ip: address of the code that switched last
 */
struct heard {
	struct task_struct	*task;
	unsigned int		off;
	unsigned int		on;
	unsigned long		ip;
};

static void notrace hear_off(void *data, unsigned long ip, unsigned long parent_ip)
{
	struct heard *heard = data;

	if (current == heard->task && !in_interrupt()) {
		heard->off++;
		heard->ip = ip;
	}
}

static void notrace hear_on(void *data, unsigned long ip, unsigned long parent_ip)
{
	struct heard *heard = data;

	if (current == heard->task && !in_interrupt())
		heard->on++;
}

/* Count how often @doing switches interrupts, without the switches of the test itself. */
static noinline struct heard irqs_heard(void (*doing)(void), struct kunit *test)
{
	struct heard heard = { .task = current }, only;

	KUNIT_ASSERT_EQ(test, 0, register_trace_irq_disable(hear_off, &heard));
	KUNIT_ASSERT_EQ(test, 0, register_trace_irq_enable(hear_on, &heard));
	/* The mark is right from here on, and neither a tick nor a switch comes in between. */
	preempt_disable();
	local_irq_disable();
	local_irq_enable();
	local_irq_disable();
	heard.off = 0;
	heard.on = 0;
	doing();
	only = heard;
	local_irq_enable();
	preempt_enable();
	unregister_trace_irq_enable(hear_on, &heard);
	unregister_trace_irq_disable(hear_off, &heard);
	tracepoint_synchronize_unregister();
	return only;
}

static void toggle_irqs(void)
{
	local_irq_enable();
	local_irq_disable();
	/* Keep the compiler from making the last call a jump: the hook reports its caller. */
	barrier();
}

/* Switching on twice is one transition. */
static void redundant_irqs(void)
{
	unsigned long flags;

	local_irq_enable();
	local_irq_enable();
	local_irq_disable();
	local_irq_save(flags);
	local_irq_restore(flags);
}

static void preemptirq_irqs(struct kunit *test)
{
	struct heard heard = irqs_heard(toggle_irqs, test);

	KUNIT_EXPECT_EQ(test, heard.on, heard.off);
	KUNIT_EXPECT_GE(test, heard.on, 1);
	KUNIT_EXPECT_GE(test, heard.ip, (unsigned long)toggle_irqs);
	KUNIT_EXPECT_LT(test, heard.ip, (unsigned long)toggle_irqs + 256);
}

static void preemptirq_redundant(struct kunit *test)
{
	struct heard once, heard;
	int try;

	/* An interrupt that comes in between adds one to both counts. */
	for (try = 0; try < 5; try++) {
		once = irqs_heard(toggle_irqs, test);
		heard = irqs_heard(redundant_irqs, test);
		KUNIT_EXPECT_EQ(test, heard.on, heard.off);
		if (heard.on <= once.on + 2)
			return;
	}
	KUNIT_EXPECT_LE(test, heard.on, once.on + 2);
}

#ifdef CONFIG_TRACE_PREEMPT_TOGGLE
/* Listen until preemption is on again; @within has the switches before that. */
static struct heard preemption_heard(struct kunit *test, struct heard *within)
{
	static DEFINE_SPINLOCK(lock);
	struct heard heard = { .task = current };

	KUNIT_EXPECT_EQ(test, 0, register_trace_preempt_disable(hear_off, &heard));
	KUNIT_EXPECT_EQ(test, 0, register_trace_preempt_enable(hear_on, &heard));
	heard.off = 0;
	heard.on = 0;
	preempt_disable();
	/* Preemption is off already: no transition. */
	spin_lock(&lock);
	spin_unlock(&lock);
	*within = heard;
	preempt_enable();
	unregister_trace_preempt_enable(hear_on, &heard);
	unregister_trace_preempt_disable(hear_off, &heard);
	tracepoint_synchronize_unregister();
	return heard;
}

static void preemptirq_preemption(struct kunit *test)
{
	struct heard heard, within;
	int try;

	/* Try again if an interrupt comes in between and preempts. */
	for (try = 0; try < 5; try++) {
		heard = preemption_heard(test, &within);
		if (within.off == 1 && !within.on)
			break;
	}
	KUNIT_EXPECT_EQ(test, within.off, 1);
	KUNIT_EXPECT_EQ(test, within.on, 0);
	KUNIT_EXPECT_GE(test, heard.on, 1);
}
#else
static void preemptirq_preemption(struct kunit *test)
{
	kunit_skip(test, "preemption cannot be switched");
}
#endif

static struct kunit_case preemptirq_cases[] = {
	KUNIT_CASE(preemptirq_irqs),
	KUNIT_CASE(preemptirq_redundant),
	KUNIT_CASE(preemptirq_preemption),
	{}
};

static struct kunit_suite preemptirq_suite = {
	.name = "preemptirq",
	.test_cases = preemptirq_cases,
};

kunit_test_suite(preemptirq_suite);

MODULE_DESCRIPTION("Tests of the hooks of interrupts and preemption");
MODULE_LICENSE("GPL");
