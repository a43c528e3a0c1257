// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks whose functions or events an instance records: see pids.h. pid_files.c has the files.
 *
 * The task that a CPU has stored as wanted changes when the CPU is about to switch to another task,
 * and when a set changes:
 *
 *	code that changes a set			a CPU
 *
 *	1. set = new, or bits of it		switch to a task: store it as wanted
 *	2. interrupt on each CPU: decide	if the sets say so. Interrupts are off
 *	   about the task that is		until the task is current
 *	   interrupted
 *	3. tell recording code; wait; free old
 *
 * A switch that used the old sets ends before the interrupt of (2) arrives at its CPU, and the
 * interrupt finds the task that it switched to. A later switch uses the new sets. So after (2) all
 * CPUs have stored the right task. When the last set is cleared, (3) comes before (2): until all
 * recording code was told, each task that a CPU switches to is wanted.
 *
 * CPUs that are offline get no interrupt, and do not report switches. They will begin with their
 * idle tasks, so (2) decides about these.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <trace/events/sched.h>

#include "../lib/pid_set.h"
#include "instance.h"
#include "internal.h"

/* All struct trace_pids that have a set, for CPUs that come up. Taken with CPU hotplug locked. */
static DEFINE_MUTEX(active_lock);
static LIST_HEAD(active_pids);

/**
 * trace_pids_set - get the pids in one of the two files
 * @tr: the instance, whose lock is held
 * @pids: of @tr
 * @side: the file
 *
 * Context: tr->lock held.
 * Return: the set, NULL if nothing was written.
 */
struct trace_pid_set *trace_pids_set(struct trace_array *tr, struct trace_pids *pids,
				     enum trace_pid_side side)
{
	return rcu_dereference_protected(pids->set[side], lockdep_is_held(&tr->lock));
}

/* Do the sets exclude @pid from recording? Called with preemption off. */
static bool pid_ignored(const struct trace_pids *pids, int pid)
{
	struct trace_pid_set *only = rcu_dereference_sched(pids->set[TRACE_PIDS_ONLY]);
	struct trace_pid_set *except = rcu_dereference_sched(pids->set[TRACE_PIDS_EXCEPT]);

	return (only && !trace_pid_set_has(only, pid)) ||
	       (except && trace_pid_set_has(except, pid));
}

/**
 * trace_pids_want - is a task wanted?
 * @pids: of an instance
 * @pid: the task's pid
 *
 * For records that are about other tasks than the current one.
 *
 * Context: any, with preemption off.
 * Return: true if the task is wanted.
 */
bool trace_pids_want(const struct trace_pids *pids, int pid)
{
	return !pid_ignored(pids, pid);
}

/* The value that a CPU stores in @wanted when it switches to @task. */
static struct task_struct *pids_wanted(const struct trace_pids *pids, struct task_struct *task)
{
	if (!READ_ONCE(pids->in_use))
		return NULL;
	return pid_ignored(pids, task->pid) ? TRACE_PIDS_NOBODY : task;
}

static void pids_sched_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct trace_pids *pids = data;

	__this_cpu_write(*pids->wanted, pids_wanted(pids, next));
}

static void pids_refresh_cpu(void *data)
{
	struct trace_pids *pids = data;

	__this_cpu_write(*pids->wanted, pids_wanted(pids, current));
}

/* Store the idle task's value for an offline CPU, which begins with its idle task. */
static void pids_refresh_absent(struct trace_pids *pids, unsigned int cpu)
{
	guard(preempt)();
	*per_cpu_ptr(pids->wanted, cpu) = pids_wanted(pids, idle_task(cpu));
}

static void pids_refresh(struct trace_pids *pids)
{
	unsigned int cpu;

	guard(cpus_read_lock)();
	for_each_cpu_andnot(cpu, cpu_possible_mask, cpu_online_mask)
		pids_refresh_absent(pids, cpu);
	on_each_cpu(pids_refresh_cpu, pids, true);
}

static int pids_prepare_cpu(unsigned int cpu)
{
	struct trace_pids *pids;

	guard(mutex)(&active_lock);
	list_for_each_entry(pids, &active_pids, list)
		pids_refresh_absent(pids, cpu);
	return 0;
}

static int __init pids_init(void)
{
	int err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/pids:prepare",
					    pids_prepare_cpu, NULL);

	return err < 0 ? err : 0;
}
core_initcall(pids_init);

/*
 * Following forks and exits. A set that is followed has memory for all pids.
 */

static void pids_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct trace_pids *pids = data;
	struct trace_pid_set *set;
	int side;

	for (side = 0; side < TRACE_PID_SIDES; side++) {
		set = rcu_dereference_sched(pids->set[side]);
		if (set && trace_pid_set_has(set, parent->pid))
			trace_pid_set_add(set, child->pid);
	}
}

/* Called when @task has run for the last time. A task that begins to exit is still recorded. */
static void pids_task_free(void *data, struct task_struct *task)
{
	struct trace_pids *pids = data;
	struct trace_pid_set *set;
	int side;

	for (side = 0; side < TRACE_PID_SIDES; side++) {
		set = rcu_dereference_sched(pids->set[side]);
		if (set)
			trace_pid_set_remove(set, task->pid);
	}
}

static int pids_follow_start(struct trace_pids *pids)
{
	int err = register_trace_sched_process_fork(pids_fork, pids);

	if (err)
		return err;
	err = register_trace_sched_process_free(pids_task_free, pids);
	if (err)
		unregister_trace_sched_process_fork(pids_fork, pids);
	return err;
}

static void pids_follow_stop(struct trace_pids *pids)
{
	unregister_trace_sched_process_free(pids_task_free, pids);
	unregister_trace_sched_process_fork(pids_fork, pids);
}

/**
 * trace_pids_follow - begin or stop to follow forks and exits
 * @tr: the instance, whose lock is held
 * @pids: of @tr; its sets keep the pids that they have
 * @on: true: add children of tasks in a set, and remove tasks that exit; false: stop that
 *
 * Context: may sleep; tr->lock held.
 * Return: 0, or -ENOMEM with nothing changed.
 */
int trace_pids_follow(struct trace_array *tr, struct trace_pids *pids, bool on)
{
	struct trace_pid_set *set;
	int side, err = 0;

	if (on && trace_pids_active(pids)) {
		for (side = 0; side < TRACE_PID_SIDES && !err; side++) {
			set = trace_pids_set(tr, pids, side);
			err = set ? trace_pid_set_make_room_for_all(set) : 0;
		}
		err = err ?: pids_follow_start(pids);
	} else if (trace_pids_active(pids)) {
		pids_follow_stop(pids);
	}
	if (!err)
		pids->follow = on;
	return err;
}

/*
 * Storing and removing sets
 */

static int pids_start(struct trace_pids *pids)
{
	/*
	 * Lowest priority: probes of other users run first, and still see what is stored for the
	 * previous task.
	 */
	int err = register_trace_prio_sched_switch(pids_sched_switch, pids, INT_MIN);

	if (!err && pids->follow) {
		err = pids_follow_start(pids);
		if (err)
			unregister_trace_sched_switch(pids_sched_switch, pids);
	}
	if (err)
		return err;
	guard(mutex)(&active_lock);
	list_add(&pids->list, &active_pids);
	return 0;
}

static void pids_stop(struct trace_pids *pids)
{
	if (pids->follow)
		pids_follow_stop(pids);
	unregister_trace_sched_switch(pids_sched_switch, pids);
	guard(mutex)(&active_lock);
	list_del(&pids->list);
}

/* Make @set the set of a side that has none. Return: 0; -errno, and then nothing has changed. */
static int pids_begin(struct trace_array *tr, struct trace_pids *pids,
		      enum trace_pid_side side, struct trace_pid_set *set)
{
	bool first = !trace_pids_active(pids);
	int err = 0;

	if (pids->follow)
		err = trace_pid_set_make_room_for_all(set);
	if (!err && first)
		err = pids_start(pids);
	if (err)
		return err;
	rcu_assign_pointer(pids->set[side], set);
	WRITE_ONCE(pids->in_use, true);
	pids_refresh(pids);
	if (first)
		pids->changed(tr);
	return 0;
}

/**
 * trace_pids_add - add pids to a file
 * @tr: the instance, whose lock is held
 * @pids: of @tr
 * @side: the file
 * @more: the pids, at least one; the caller must not use or free it after this, even on error
 *
 * Context: may sleep; tr->lock held.
 * Return: 0, or -ENOMEM with nothing added.
 */
int trace_pids_add(struct trace_array *tr, struct trace_pids *pids,
		   enum trace_pid_side side, struct trace_pid_set *more)
{
	struct trace_pid_set *set = trace_pids_set(tr, pids, side);
	int err;

	if (!set) {
		err = pids_begin(tr, pids, side, more);
		if (err)
			trace_pid_set_free(more);
		return err;
	}
	err = trace_pid_set_merge(set, more);
	trace_pid_set_free(more);
	if (!err)
		pids_refresh(pids);
	return err;
}

/**
 * trace_pids_clear - remove all pids from a file
 * @tr: the instance, whose lock is held
 * @pids: of @tr
 * @side: the file
 *
 * Context: may sleep; tr->lock held.
 */
void trace_pids_clear(struct trace_array *tr, struct trace_pids *pids,
		      enum trace_pid_side side)
{
	struct trace_pid_set *set = trace_pids_set(tr, pids, side);

	if (!set)
		return;
	RCU_INIT_POINTER(pids->set[side], NULL);
	if (trace_pids_active(pids)) {
		pids_refresh(pids);
	} else {
		/* Recording code checks tasks until changed() returns: each next task is wanted. */
		pids->changed(tr);
		WRITE_ONCE(pids->in_use, false);
		pids_refresh(pids);
		pids_stop(pids);
	}
	tracepoint_synchronize_unregister();
	trace_pid_set_free(set);
}

/**
 * trace_pids_end - remove all pids from both files
 * @tr: the instance; no file of it is open
 * @pids: of @tr, which no recording code uses any more
 *
 * Context: may sleep; takes tr->lock.
 */
void trace_pids_end(struct trace_array *tr, struct trace_pids *pids)
{
	guard(mutex)(&tr->lock);
	trace_pids_clear(tr, pids, TRACE_PIDS_ONLY);
	trace_pids_clear(tr, pids, TRACE_PIDS_EXCEPT);
}

/**
 * option_function_fork - the change() of the option function-fork
 * @tr: the instance
 * @on: set_ftrace_pid and set_ftrace_notrace_pid follow forks and exits
 *
 * Context: may sleep, tr->lock held.
 * Return: 0; -ENOMEM, and then the option has its old value.
 */
int option_function_fork(struct trace_array *tr, bool on)
{
	return trace_pids_follow(tr, &tr->function_pids, on);
}

int (*trace_event_fork)(struct trace_array *tr, bool on);

/**
 * option_event_fork - the change() of the option event-fork
 * @tr: the instance
 * @on: set_event_pid and set_event_notrace_pid follow forks and exits
 *
 * Context: may sleep, tr->lock held.
 * Return: 0; -ENOMEM, and then the option has its old value.
 */
int option_event_fork(struct trace_array *tr, bool on)
{
	return trace_event_fork ? trace_event_fork(tr, on) : 0;
}
