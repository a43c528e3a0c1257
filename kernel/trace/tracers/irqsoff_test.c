// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the part of a section that preemptoff measures, with a clock that jumps on one
 * CPU, as if an interrupt came. Selftests test the rest.
 */
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <linux/trace.h>
#include <linux/trace_clock.h>

#include "../core/instance.h"
#include "../core/tracer.h"

/* Longer than anything else that happens meanwhile. */
#define LEAP	(1000ULL * NSEC_PER_SEC)
/* More readings of the clock than a section has. */
#define MANY	20U

/**
 * struct leap - a jump of the clock
 * @task: task that reads the clock
 * @cpu: CPU on which it reads; the clock is ahead on this CPU after the jump
 * @reading: number of the reading in a section at which it jumps, from 1; 0: none
 * @passed: how far the clock is ahead, in ns
 */
struct leap {
	struct task_struct	*task;
	unsigned int		cpu;
	unsigned int		reading;
	u64			passed;
};

static struct leap leap = { .cpu = UINT_MAX };

static u64 notrace leaping_clock(void)
{
	u64 ts = trace_clock_local();

	if (raw_smp_processor_id() != leap.cpu)
		return ts;
	if (current == leap.task && in_task() && leap.reading && !--leap.reading)
		leap.passed += LEAP;
	return ts + leap.passed;
}

/*
 * Run a section whose clock jumps, once more if the task was preempted: the scheduler has sections
 * of its own, which read the clock too. Return: its length as preemptoff measures it.
 */
static u64 measure(struct trace_array *tr, unsigned int reading)
{
	unsigned long switches;

	do {
		switches = current->nvcsw + current->nivcsw;
		WRITE_ONCE(tr->latency->max, 0);
		WRITE_ONCE(leap.reading, reading);
		barrier();
		preempt_disable();
		preempt_enable();
		barrier();
		WRITE_ONCE(leap.reading, 0);
	} while (switches != current->nvcsw + current->nivcsw);
	return READ_ONCE(tr->latency->max);
}

/*
 * The first reading is the begin of the section: a jump before it is not measured. Later jumps are
 * measured, also those while the begin is recorded, up to the reading at the end, which is the
 * second at the earliest. The number of readings for recording does not matter.
 */
static void irqsoff_interrupted_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	unsigned int last = 1;
	u64 before;
	int err = trace_array_set_tracer(tr, "preemptoff");

	if (err == -EBUSY)
		kunit_skip(test, "a tracer of sections runs since early boot");
	KUNIT_ASSERT_EQ(test, err, 0);
	migrate_disable();
	leap.task = current;
	leap.cpu = smp_processor_id();
	leap.passed = 0;
	ring_buffer_set_clock(tr->array_buffer.buffer, leaping_clock);
	before = measure(tr, 1);
	while (last < MANY && measure(tr, last + 1) >= LEAP)
		last++;
	migrate_enable();
	KUNIT_EXPECT_EQ(test, trace_array_set_tracer(tr, "nop"), 0);
	KUNIT_EXPECT_LT(test, before, LEAP);
	KUNIT_EXPECT_GE(test, last, 2U);
	KUNIT_EXPECT_LT(test, last, MANY);
}

static int irqsoff_test_init(struct kunit *test)
{
	test->priv = trace_array_get_by_name("irqsoff-test", NULL);
	return test->priv ? 0 : -ENOMEM;
}

static void irqsoff_test_exit(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	leap.cpu = UINT_MAX;
	if (!tr)
		return;
	trace_array_set_tracer(tr, "nop");
	trace_array_put(tr);
	trace_array_destroy(tr);
}

static struct kunit_case irqsoff_cases[] = {
	KUNIT_CASE(irqsoff_interrupted_test),
	{ }
};

static struct kunit_suite irqsoff_suite = {
	.name		= "irqsoff",
	.init		= irqsoff_test_init,
	.exit		= irqsoff_test_exit,
	.test_cases	= irqsoff_cases,
};
kunit_test_suite(irqsoff_suite);

MODULE_DESCRIPTION("KUnit tests of sections with preemption off");
MODULE_LICENSE("GPL");
