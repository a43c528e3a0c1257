// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the tasks that are wanted, while recording code is told about a change.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/trace.h>

#include "../lib/pid_set.h"
#include "instance.h"
#include "internal.h"

static DEFINE_PER_CPU(struct task_struct *, wanted);
static struct trace_pids pids;
static unsigned int changes;
static bool wanted_then, allowed_then;

/* Like recording code that compares the tasks while changed() runs and a CPU switches tasks. */
static void pids_change(struct trace_array *tr)
{
	msleep(20);
	guard(preempt)();
	wanted_then = trace_pids_wanted(&pids);
	allowed_then = trace_pids_allow(&pids);
	changes++;
}

static int pids_test_init(struct kunit *test)
{
	test->priv = trace_array_get_by_name("pids-test", NULL);
	pids = (struct trace_pids){ .wanted = &wanted, .changed = pids_change };
	changes = 0;
	return test->priv ? 0 : -ENOMEM;
}

static void pids_test_exit(struct kunit *test)
{
	if (!test->priv)
		return;
	trace_pids_end(test->priv, &pids);
	trace_array_put(test->priv);
	trace_array_destroy(test->priv);
}

static int add_pid(struct trace_array *tr, enum trace_pid_side side, int pid)
{
	struct trace_pid_set *set = trace_pid_set_alloc();

	if (!set)
		return -ENOMEM;
	if (trace_pid_set_make_room(set, pid)) {
		trace_pid_set_free(set);
		return -ENOMEM;
	}
	trace_pid_set_add(set, pid);
	guard(mutex)(&tr->lock);
	return trace_pids_add(tr, &pids, side, set);
}

static void clear(struct trace_array *tr, enum trace_pid_side side)
{
	guard(mutex)(&tr->lock);
	trace_pids_clear(tr, &pids, side);
}

static bool nobody_is_told(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(wanted, cpu))
			return false;
	return true;
}

/* A task that is wanted before and after a change is wanted during it. */
static void pids_wanted_test(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add_pid(test->priv, TRACE_PIDS_ONLY, current->pid), 0);
	KUNIT_EXPECT_EQ(test, changes, 1);
	KUNIT_EXPECT_TRUE(test, wanted_then);
	clear(test->priv, TRACE_PIDS_ONLY);
	KUNIT_EXPECT_EQ(test, changes, 2);
	KUNIT_EXPECT_TRUE(test, wanted_then);
	KUNIT_EXPECT_TRUE(test, allowed_then);
	KUNIT_EXPECT_TRUE(test, nobody_is_told());
}

/* A task that is not wanted becomes wanted when the last pids are cleared, not before. */
static void pids_unwanted_test(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add_pid(test->priv, TRACE_PIDS_EXCEPT, current->pid), 0);
	KUNIT_EXPECT_EQ(test, changes, 1);
	KUNIT_EXPECT_FALSE(test, wanted_then);
	KUNIT_ASSERT_EQ(test, add_pid(test->priv, TRACE_PIDS_ONLY, current->pid), 0);
	clear(test->priv, TRACE_PIDS_EXCEPT);
	KUNIT_EXPECT_EQ(test, changes, 1);
	clear(test->priv, TRACE_PIDS_ONLY);
	KUNIT_EXPECT_TRUE(test, wanted_then);
	KUNIT_EXPECT_TRUE(test, nobody_is_told());
}

static struct kunit_case pids_test_cases[] = {
	KUNIT_CASE(pids_wanted_test),
	KUNIT_CASE(pids_unwanted_test),
	{}
};

static struct kunit_suite pids_test_suite = {
	.name		= "trace_pids",
	.init		= pids_test_init,
	.exit		= pids_test_exit,
	.test_cases	= pids_test_cases,
};

kunit_test_suite(pids_test_suite);

MODULE_DESCRIPTION("KUnit tests of which tasks are wanted");
MODULE_LICENSE("GPL");
