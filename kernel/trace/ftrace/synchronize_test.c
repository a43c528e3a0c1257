// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of waiting for CPUs in a callback, and of the context of callbacks.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "ftrace.h"

/* A traced function that other tasks hardly call. */
static const char probed[] = "kstrdup_const";

#define HOLD_US	(2 * USEC_PER_SEC)

static void probe(void)
{
	kfree_const(kstrdup_const("", GFP_ATOMIC));
}

/**
 * struct guest - a caller of the probed function, and values that its callback finds
 * @ops: the ops with the callback
 * @task: only calls of this task and of interrupts count
 * @hold: the callback stays until this is false, or for HOLD_US
 * @inside: the callback is running
 * @expired: it stayed for HOLD_US
 * @count: preempt_count() in the callback
 * @site_count: ftrace_preempt_count() in the callback
 */
struct guest {
	struct ftrace_ops ops;
	struct task_struct *task;
	bool hold;
	bool inside;
	bool expired;
	unsigned int count;
	unsigned int site_count;
};

/*
 * Wait until @g->hold is false, but at most for HOLD_US: the task that clears it may itself wait
 * for a task that this CPU holds up.
 */
static void notrace stay(struct guest *g)
{
	unsigned int us;

	for (us = 0; READ_ONCE(g->hold) && us < HOLD_US; us += 10)
		udelay(10);
	WRITE_ONCE(g->expired, us >= HOLD_US);
}

static void notrace guest_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct guest *g = container_of(ops, struct guest, ops);

	if (current != g->task && !in_hardirq())
		return;
	g->count = preempt_count();
	g->site_count = ftrace_preempt_count();
	/* Pairs with the loads of @inside: the counts are written before. */
	smp_store_release(&g->inside, true);
	stay(g);
}

static void start_guest(struct kunit *test, struct guest *g, unsigned long flags)
{
	char word[sizeof(probed)];

	memcpy(word, probed, sizeof(word));
	*g = (struct guest){ .ops = { .func = guest_call, .flags = flags }, .task = current };
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&g->ops, word, strlen(word), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&g->ops));
}

static void stop_guest(struct kunit *test, struct guest *g)
{
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&g->ops));
	ftrace_free_filter(&g->ops);
}

static void callbacks_are_not_preempted(struct kunit *test)
{
	static const unsigned long flags[] = { 0, FTRACE_OPS_FL_RECURSION };
	static struct guest g;
	int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		start_guest(test, &g, flags[i]);
		probe();
		KUNIT_EXPECT_TRUE(test, g.inside);
		KUNIT_EXPECT_EQ(test, g.count, preempt_count() + PREEMPT_DISABLE_OFFSET);
		KUNIT_EXPECT_EQ(test, g.site_count, preempt_count());
		preempt_disable();
		probe();
		preempt_enable();
		KUNIT_EXPECT_EQ(test, g.site_count, preempt_count() + PREEMPT_DISABLE_OFFSET);
		stop_guest(test, &g);
		KUNIT_EXPECT_FALSE(test, preempt_count() & PREEMPT_MASK);
	}
}

/* Work that runs while the case runs, on other CPUs if there are some. */
struct beside {
	struct guest *guest;
	struct completion done;
	int err;
};

static void call_probe(void *data)
{
	struct beside *b = data;

	probe();
	complete(&b->done);
}

static int visit_guest(void *data)
{
	struct beside *b = data;

	b->guest->task = current;
	call_probe(b);
	return 0;
}

static int unregister_guest(void *data)
{
	struct beside *b = data;

	b->err = unregister_ftrace_function(&b->guest->ops);
	complete(&b->done);
	return 0;
}

static bool visit_on_cpu(struct beside *visitor, int cpu, bool interrupt)
{
	if (interrupt)
		return !smp_call_function_single(cpu, call_probe, visitor, false);
	return !IS_ERR(kthread_run_on_cpu(visit_guest, visitor, cpu, "visitor/%u"));
}

/* Poll, and use no timer: it might belong to the CPU that is held up. */
static bool done_within_100ms(struct completion *done)
{
	int i;

	for (i = 0; i < 1000 && !completion_done(done); i++) {
		udelay(100);
		cond_resched();
	}
	return completion_done(done);
}

/* Return: false if the wait ended before the callback was allowed to end. */
static bool wait_was_seen(struct kunit *test, int first, int last, bool interrupt)
{
	static struct guest g;
	struct beside visitor = { .guest = &g }, leaver = { .guest = &g };
	struct task_struct *task;
	bool early;

	init_completion(&visitor.done);
	init_completion(&leaver.done);
	start_guest(test, &g, 0);
	g.task = NULL;
	g.hold = true;
	/* Create it before the CPU is held up: kthreadd may be running on that CPU. */
	task = kthread_create_on_cpu(unregister_guest, &leaver, first, "leaver/%u");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_ASSERT_TRUE(test, visit_on_cpu(&visitor, last, interrupt));
	/* Pairs with the store of @inside: the callback is running. */
	while (!smp_load_acquire(&g.inside))
		cond_resched();

	wake_up_process(task);
	early = done_within_100ms(&leaver.done);
	WRITE_ONCE(g.hold, false);
	wait_for_completion(&visitor.done);
	wait_for_completion(&leaver.done);
	KUNIT_EXPECT_EQ(test, 0, leaver.err);
	KUNIT_EXPECT_TRUE(test, g.expired || !early);
	ftrace_free_filter(&g.ops);
	return !g.expired;
}

/*
 * The site stays on, so that patching does not wait. Only the last CPU is held up. The case runs on
 * the first CPU, so that it can end that.
 */
static void check_wait(struct kunit *test, bool interrupt)
{
	int last = cpumask_last(cpu_online_mask), first = cpumask_first(cpu_online_mask);
	static struct guest stays;
	int tries = 0;

	if (first == last)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_EQ(test, 0, set_cpus_allowed_ptr(current, cpumask_of(first)));
	start_guest(test, &stays, 0);
	while (!wait_was_seen(test, first, last, interrupt))
		KUNIT_ASSERT_LT(test, ++tries, 10);
	stop_guest(test, &stays);
	KUNIT_EXPECT_EQ(test, 0, set_cpus_allowed_ptr(current, cpu_possible_mask));
}

static void waits_for_a_task(struct kunit *test)
{
	check_wait(test, false);
}

static void waits_for_an_interrupt(struct kunit *test)
{
	check_wait(test, true);
}

static struct kunit_case synchronize_test_cases[] = {
	KUNIT_CASE(callbacks_are_not_preempted),
	KUNIT_CASE(waits_for_a_task),
	KUNIT_CASE(waits_for_an_interrupt),
	{}
};

static struct kunit_suite synchronize_test_suite = {
	.name = "ftrace_synchronize",
	.test_cases = synchronize_test_cases,
};
kunit_test_suite(synchronize_test_suite);
