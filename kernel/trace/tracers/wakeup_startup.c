// SPDX-License-Identifier: GPL-2.0
/*
 * The startup tests of wakeup, wakeup_rt and wakeup_dl
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/time64.h>
#include <uapi/linux/sched/types.h>

#include "startup.h"

static int wait_to_be_woken(void *woken)
{
	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule();
	__set_current_state(TASK_RUNNING);
	complete(woken);
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static void __init wake(const struct sched_attr *attr)
{
	DECLARE_COMPLETION_ONSTACK(woken);
	struct task_struct *task = kthread_create(wait_to_be_woken, &woken, "startup_test");
	int err;

	if (IS_ERR(task))
		return;
	err = sched_setattr_nocheck(task, attr);
	if (err) {
		pr_warn("tracing: no task of that kind: %d\n", err);
	} else {
		/* First the task begins to run. A later wakeup finds that it sleeps, and counts. */
		do
			wake_up_process(task);
		while (!wait_for_completion_timeout(&woken, msecs_to_jiffies(10)));
	}
	kthread_stop(task);
}

static void __init wake_realtime(void)
{
	static const struct sched_attr attr __initconst = {
		.sched_policy	= SCHED_FIFO,
		.sched_priority	= MAX_RT_PRIO - 1,
	};

	wake(&attr);
}

static void __init wake_deadline(void)
{
	static const struct sched_attr attr __initconst = {
		.sched_policy	= SCHED_DEADLINE,
		.sched_runtime	= 10 * NSEC_PER_MSEC,
		.sched_deadline	= 100 * NSEC_PER_MSEC,
		.sched_period	= 100 * NSEC_PER_MSEC,
	};

	wake(&attr);
}

#define WAKEUP_TEST(name, wakes)					\
	STARTUP_TEST(name) = {						\
		.act		= wakes,				\
		.saw		= SAW_SECTION | SAW_WAKEUP | SAW_SWITCH, \
		.latency	= true,					\
	}

WAKEUP_TEST(wakeup, wake_realtime);
WAKEUP_TEST(wakeup_rt, wake_realtime);
WAKEUP_TEST(wakeup_dl, wake_deadline);
