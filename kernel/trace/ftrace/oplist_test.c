// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of dispatch for call sites that hold no pointer.
 */
#include <kunit/test.h>
#include <linux/context_tracking.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include "dispatch.h"

struct counter {
	struct ftrace_ops ops;
	unsigned long calls;
	unsigned long ip;
	unsigned long argument;
	bool regs;
};

static const char argument[] = "probe";

/* Call one traced function. It allocates no memory, as its argument is constant. */
static noinline char probe(void)
{
	return *kstrdup_const(argument, GFP_KERNEL);
}

static unsigned long probe_size;

static int oplist_test_init(struct kunit_suite *suite)
{
	unsigned long offset;

	return kallsyms_lookup_size_offset((unsigned long)probe, &probe_size, &offset) ?
	       0 : -ENOENT;
}

/* A callback that calls no traced function. */
static void notrace count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct counter *c = container_of(ops, struct counter, ops);

	if (parent_ip - (unsigned long)probe > probe_size)
		return;
	c->calls++;
	c->ip = ip;
	c->regs |= !!fregs;
	c->argument = fregs ? ftrace_regs_get_argument(fregs, 0) : 0;
}

/* nest_call() calls the function again that it was called for, at most this many times. */
#define NEST_MAX	5

static void notrace nest_call(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct counter *c = container_of(ops, struct counter, ops);
	unsigned long before = c->calls;

	count_call(ip, parent_ip, ops, fregs);
	if (c->calls > before && c->calls < NEST_MAX)
		probe();
}

static void start_with(struct kunit *test, struct counter *c, ftrace_func_t func,
		       unsigned long flags)
{
	*c = (struct counter){ .ops = { .func = func, .flags = flags } };
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&c->ops));
}

static void start(struct kunit *test, struct counter *c, unsigned long flags)
{
	start_with(test, c, count_call, flags);
}

static void stop(struct kunit *test, struct counter *c)
{
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&c->ops));
}

/* No other user traces, so the value of ftrace_trace_ops is known. */
static void caller_is_shortest(struct kunit *test)
{
	static struct counter a, b;

	if (READ_ONCE(ftrace_trace_ops))
		kunit_skip(test, "somebody traces");
	start(test, &a, 0);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_trace_ops, &a.ops);
	start(test, &b, 0);
	KUNIT_EXPECT_TRUE(test, ftrace_trace_ops->func == arch_ftrace_ops_list_func);
	stop(test, &a);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_trace_ops, &b.ops);
	stop(test, &b);
	KUNIT_EXPECT_NULL(test, ftrace_trace_ops);

	/* This ops needs checks by the dispatcher. */
	start(test, &a, FTRACE_OPS_FL_RECURSION);
	KUNIT_EXPECT_TRUE(test, ftrace_trace_ops->func == arch_ftrace_ops_list_func);
	stop(test, &a);
	KUNIT_EXPECT_NULL(test, ftrace_trace_ops);
}

static void all_are_called(struct kunit *test)
{
	static struct counter a, b, c;

	start(test, &a, 0);
	probe();
	KUNIT_EXPECT_EQ(test, a.calls, 1);

	start(test, &b, FTRACE_OPS_FL_RECURSION);
	start(test, &c, FTRACE_OPS_FL_RCU);
	a.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, a.calls, 1);
	KUNIT_EXPECT_EQ(test, b.calls, 1);
	KUNIT_EXPECT_EQ(test, c.calls, 1);

	/* The ops in the middle leaves; the others stay. */
	stop(test, &b);
	a.calls = b.calls = c.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, a.calls, 1);
	KUNIT_EXPECT_EQ(test, b.calls, 0);
	KUNIT_EXPECT_EQ(test, c.calls, 1);
	stop(test, &a);
	stop(test, &c);
	a.calls = c.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, a.calls, 0);
	KUNIT_EXPECT_EQ(test, c.calls, 0);
}

/*
 * Functions that a callback calls are traced once; functions that these call are not: see
 * trace_recursion.h.
 */
static void recursion_ends(struct kunit *test)
{
	static struct counter c, beside;

	start_with(test, &c, nest_call, FTRACE_OPS_FL_RECURSION);
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 2);
	/* The recursion is over: the next call is like the first. */
	c.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 2);
	stop(test, &c);

	/* Several ops are all protected. */
	start_with(test, &c, nest_call, 0);
	start(test, &beside, 0);
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 2);
	KUNIT_EXPECT_EQ(test, beside.calls, 2);
	stop(test, &beside);
	stop(test, &c);
}

/* Probe as if set_ftrace_pid named only @wanted; NULL: no task. No other task runs meanwhile. */
static void probe_for(struct task_struct *wanted)
{
	struct task_struct *was;

	guard(preempt)();
	was = this_cpu_read(ftrace_pid_task);
	this_cpu_write(ftrace_pid_task, wanted);
	probe();
	this_cpu_write(ftrace_pid_task, was);
}

static void tasks_are_chosen(struct kunit *test)
{
	static struct counter c, all;

	start(test, &c, FTRACE_OPS_FL_PID);
	probe_for(&init_task);
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	start(test, &all, 0);
	probe_for(&init_task);
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	KUNIT_EXPECT_EQ(test, all.calls, 1);
	probe_for(current);
	KUNIT_EXPECT_EQ(test, c.calls, 1);
	KUNIT_EXPECT_EQ(test, all.calls, 2);
	probe_for(NULL);
	KUNIT_EXPECT_EQ(test, c.calls, 2);
	KUNIT_EXPECT_EQ(test, all.calls, 3);
	stop(test, &all);
	stop(test, &c);
}

/* Probe without RCU watching, as in the idle loop. */
static void probe_unwatched(void)
{
	guard(irqsave)();
	ct_idle_enter();
	probe();
	ct_idle_exit();
}

static void rcu_must_watch(struct kunit *test)
{
	static struct counter c, all;

	start(test, &c, FTRACE_OPS_FL_RCU);
	probe_unwatched();
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	start(test, &all, 0);
	probe_unwatched();
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	KUNIT_EXPECT_EQ(test, all.calls, 1);
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 1);
	KUNIT_EXPECT_EQ(test, all.calls, 2);
	stop(test, &all);
	stop(test, &c);
}

static void site_is_in_its_function(struct kunit *test)
{
	unsigned long size, offset;
	static struct counter c;

	start(test, &c, 0);
	probe();
	stop(test, &c);
	KUNIT_ASSERT_EQ(test, c.calls, 1);
	KUNIT_EXPECT_EQ(test, c.regs, IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS));
	if (c.regs)
		KUNIT_EXPECT_EQ(test, c.argument, (unsigned long)argument);
	KUNIT_EXPECT_TRUE(test, kallsyms_lookup_size_offset(c.ip, &size, &offset));
	KUNIT_EXPECT_EQ(test, c.ip - offset, (unsigned long)kstrdup_const);
}

static void registration_says_no(struct kunit *test)
{
	static struct ftrace_ops none, regs = {
		.func = count_call, .flags = FTRACE_OPS_FL_SAVE_REGS,
	}, elsewhere = {
		.func = count_call, .flags = FTRACE_OPS_FL_IPMODIFY,
	};
	static struct counter c;

	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(&none));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(&regs));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(&elsewhere));
	start(test, &c, 0);
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(&c.ops));
	stop(test, &c);
	KUNIT_EXPECT_EQ(test, -EBUSY, unregister_ftrace_function(&c.ops));
}

static struct kunit_case oplist_test_cases[] = {
	KUNIT_CASE(caller_is_shortest),
	KUNIT_CASE(all_are_called),
	KUNIT_CASE(recursion_ends),
	KUNIT_CASE(tasks_are_chosen),
	KUNIT_CASE(rcu_must_watch),
	KUNIT_CASE(site_is_in_its_function),
	KUNIT_CASE(registration_says_no),
	{}
};

static struct kunit_suite oplist_test_suite = {
	.name = "ftrace_oplist",
	.suite_init = oplist_test_init,
	.test_cases = oplist_test_cases,
};
kunit_test_suite(oplist_test_suite);
