// SPDX-License-Identifier: GPL-2.0
/*
 * One long section while the kernel boots, for tests of latency tracers that begin with ftrace=.
 * It comes right after the initcalls that register them, before anything else that takes as long.
 * (hwlat measures differently, and is registered later.)
 *
 *	latency_boot_test.us=N	preemption is off for N microseconds, then interrupts, too,
 *				for as long; a task with a deadline, which is to run on this CPU,
 *				waits meanwhile, and then switches recording off
 *
 * For one CPU: with more CPUs, the task would wait elsewhere, or not at all.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/math.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include <uapi/linux/sched.h>
#include <uapi/linux/sched/types.h>

static unsigned long us;
module_param(us, ulong, 0);

/* The task's wait, and the sections before it, are kept. Nothing later may replace them. */
static int run_at_last(void *unused)
{
	tracing_off();
	return 0;
}

static noinline void boot_section(struct task_struct *task)
{
	preempt_disable();
	wake_up_process(task);
	mdelay(DIV_ROUND_UP(us, USEC_PER_MSEC));
	local_irq_disable();
	mdelay(DIV_ROUND_UP(us, USEC_PER_MSEC));
	local_irq_enable();
	preempt_enable();
}

static int __init latency_boot_test(void)
{
	const struct sched_attr attr = {
		.size		= sizeof(attr),
		.sched_policy	= SCHED_DEADLINE,
		.sched_runtime	= 10 * NSEC_PER_MSEC,
		.sched_deadline	= NSEC_PER_SEC,
		.sched_period	= NSEC_PER_SEC,
	};
	struct task_struct *task;
	int err;

	if (!us)
		return 0;
	task = kthread_create(run_at_last, NULL, "latency_boot");
	if (IS_ERR(task))
		return PTR_ERR(task);
	err = sched_setattr_nocheck(task, &attr);
	if (err) {
		kthread_stop(task);
		return err;
	}
	boot_section(task);
	return 0;
}
postcore_initcall(latency_boot_test);
