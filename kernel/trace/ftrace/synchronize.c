// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting until no CPU is on the way to an ops any more.
 *
 * A CPU that runs a traced function loads the site's pointer, then looks at the ops or the ops set
 * that it points to, and enters its callback. It takes no lock for this. So an ops that was removed
 * from its sites must not be freed at once: a CPU may be on the way to the ops, that is, it may
 * have loaded the pointer and not yet returned from the callback. To keep the wait short,
 * ftrace_caller raises preempt_count before it loads the pointer, and lowers it when the callback
 * has returned:
 *
 *	code that retires an ops		CPU that runs a site
 *	1. no site points to the ops		a. raise preempt_count
 *	   (patch.c, under ftrace_lock)		b. load the site's pointer
 *	2. have a task of every CPU, that	c. load ops->func, call it; it may go
 *	   comes before all others, run		   through the members of a set
 *	   visit(); wait for all of them	d. lower preempt_count
 *	3. free the ops
 *
 * A CPU does not switch tasks between (a) and (d), and what an interrupt does there ends before the
 * interrupt does. So if a CPU is between (a) and (d) when (2) begins, it has been at (d) when
 * visit() runs on it. A CPU that comes to (b) later sees (1): the wake-up orders (1) before
 * visit(), and the task switch orders visit() before what the CPU runs next.
 *
 * Sites made with -pg have no pointer. They share ftrace_trace_ops, which ftrace_call() loads
 * between the same two steps, see oplist.c.
 *
 * A task that is preempted before (a) or after (d) holds no pointer to an ops. But an ops that
 * changes where functions go on may have sent it somewhere: code that unregisters such an ops also
 * waits for tasks RCU.
 *
 * The CPU that waits needs no visit, since it runs a task that is not between (a) and (d). CPUs
 * that are not online need none, either: cpus_read_lock() waits for CPUs on their way up or down,
 * and the others run nothing.
 *
 * RCU would do for CPUs that are up, since it watches wherever a function can be traced. But a
 * grace period takes ticks, and a visit no longer than CPUs run with preemption off.
 *
 * Without CONFIG_PREEMPTION tasks are switched only where they ask for it. This is never between
 * (a) and (d), so the count does not need to be raised.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>

#include "dispatch.h"

/* The visits that are under way. The mutex lets one caller at a time wait for them. */
static DEFINE_MUTEX(visit_mutex);
static DEFINE_PER_CPU(struct cpu_stop_work, visit_work);
static DECLARE_COMPLETION(visits_done);
static atomic_t visits;

static int visit(void *unused)
{
	if (atomic_dec_and_test(&visits))
		complete(&visits_done);
	return 0;
}

static void start_visits(void)
{
	int cpu;

	guard(preempt)();
	/* Count one more, so that the count is not 0 before all visits are started. */
	atomic_set(&visits, 1);
	for_each_online_cpu(cpu) {
		if (cpu == smp_processor_id())
			continue;
		atomic_inc(&visits);
		/* Fails only for a CPU that is not online, which cpus_read_lock() prevents. */
		if (!stop_one_cpu_nowait(cpu, visit, NULL, per_cpu_ptr(&visit_work, cpu)))
			visit(NULL);
	}
	visit(NULL);
}

/**
 * ftrace_synchronize - wait until no CPU is on the way to an ops that left its sites
 *
 * Takes as long as CPUs run with preemption off; no time slice has to end. Isolated CPUs are
 * interrupted as well: there is no other way to know whether such a CPU is on the way to an ops.
 *
 * Context: process context, or early boot; may sleep. ftrace_lock need not be held.
 */
void ftrace_synchronize(void)
{
	guard(mutex)(&visit_mutex);
	guard(cpus_read_lock)();
	start_visits();
	/* In early boot there is one CPU, and interrupts are off and must stay so. */
	if (!try_wait_for_completion(&visits_done))
		wait_for_completion(&visits_done);
}

#ifdef CONFIG_PREEMPTION

/**
 * ftrace_caller_preempt - preempt the task now if this was due while the count was raised
 *
 * Context: the end of ftrace_caller, which has lowered preempt_count to 0 and finds that preemption
 * is due. Does nothing if interrupts are off.
 */
asmlinkage void notrace ftrace_caller_preempt(void)
{
	__preempt_schedule_notrace();
}

#endif
