// SPDX-License-Identifier: GPL-2.0
/*
 * When nobody is on the way to an ops any more.
 *
 * Whoever runs a traced function looks at the site's pointer, at the ops or the
 * ops set that it names, and into its callback, and takes no lock for that. So
 * who takes an ops away from its sites must wait before it may be freed. To keep
 * that wait short, ftrace_caller raises preempt_count before it loads the pointer
 * and lowers it when the callback has returned:
 *
 *	who retires an ops			CPU that runs a site
 *	1. no site points to the ops		a. raise preempt_count
 *	   (patch.c, under ftrace_lock)		b. load the site's pointer
 *	2. have a task of every CPU, that	c. load ops->func, call it; it may go
 *	   comes before all others, run		   through the members of a set
 *	   visit(); wait for all of them	d. lower preempt_count
 *	3. free the ops
 *
 * A CPU does not switch tasks between (a) and (d), and what an interrupt does there
 * ends before the interrupt does. So if a CPU is between (a) and (d) when (2) begins,
 * it has been at (d) when visit() runs there. Whoever comes to (b) later sees (1):
 * it is ordered before visit() by the wake-up, and that before what the CPU runs
 * next by the switch to it.
 *
 * Sites made with -pg have no pointer: for it read ftrace_trace_ops, which ftrace_call()
 * loads between the same two steps, see oplist.c.
 *
 * A task that is preempted before (a) or behind (d) knows the site, and nothing else but where
 * an ops may have sent it that changes where functions go on: who unregisters such a one waits
 * for tasks RCU besides.
 *
 * The CPU that waits needs no visit: it runs a task which is not between (a) and (d).
 * CPUs that are not online need none either: cpus_read_lock() waits for those on
 * their way up or down, and the others run nothing.
 *
 * RCU would do for CPUs that are up, where it watches whatever can be traced. But it takes
 * ticks, and this no longer than CPUs run with preemption off.
 *
 * Without CONFIG_PREEMPTION tasks are switched only where they ask for it, which is
 * never between (a) and (d), so that the count does not need to be raised.
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

/* The visits under way, and what keeps apart those who wait for theirs. */
static DEFINE_MUTEX(visit_mutex);
static DEFINE_PER_CPU(struct cpu_stop_work, visit_work);
static DECLARE_COMPLETION(visits_done);
static atomic_t visits;

static void end_visit(void)
{
	if (atomic_dec_and_test(&visits))
		complete(&visits_done);
}

static int visit(void *unused)
{
	end_visit();
	return 0;
}

static void start_visits(void)
{
	int cpu;

	guard(preempt)();
	/* One more, so that they do not end while some are still to begin. */
	atomic_set(&visits, 1);
	for_each_online_cpu(cpu) {
		if (cpu == smp_processor_id())
			continue;
		atomic_inc(&visits);
		/* CPUs do not go meanwhile; from one that did nobody would come. */
		if (!stop_one_cpu_nowait(cpu, visit, NULL, per_cpu_ptr(&visit_work, cpu)))
			end_visit();
	}
	end_visit();
}

/**
 * ftrace_synchronize - wait until nobody is on the way to ops that left their sites
 *
 * Takes as long as CPUs run with preemption off; nobody's time slice has to end. Isolated CPUs
 * are interrupted as well: nobody else can tell whether one is on the way to an ops.
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
 * ftrace_caller_preempt - preempt the task: who wanted to do so found the count raised
 *
 * Context: the end of ftrace_caller, which has lowered preempt_count to 0 and finds that
 * preemption is due. Where interrupts are off nothing is done.
 */
asmlinkage void notrace ftrace_caller_preempt(void)
{
	__preempt_schedule_notrace();
}

#endif
