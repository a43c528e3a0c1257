// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers wakeup, wakeup_rt and wakeup_dl: the longest time from the wakeup of a task until it
 * runs; of any task, of real-time and deadline tasks, or of deadline tasks.
 *
 * They follow one task at a time, the most urgent one that was woken: when a more urgent task is
 * woken, they follow that task instead. A task may be moved to another CPU while it waits, and its
 * priority may change. Functions are recorded on the CPU where the task waits.
 *
 * The scheduler calls the probes with a run queue locked, so this code must not wake any task.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/deadline.h>
#include <linux/sched/rt.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>

#include <trace/events/sched.h>

#include "../core/instance.h"
#include "../core/record.h"
#include "../core/tracer.h"
#include "../lib/recursion.h"
#include "../ring_buffer/reserve.h"
#include "latency.h"
#include "tracers.h"

/**
 * struct wakeup - the task that is followed
 * @lock: protects the other members. Taken also inside of the scheduler's locks, with interrupts
 *	off. Its functions may be traced, so they are hidden: they do not belong to a latency
 * @task: the task, with a reference; or NULL
 * @cpu: the CPU where it waits
 * @start: buffer time; older entries do not belong to the latency
 * @since: buffer time of the wakeup
 * @clock: the clock of @start and @since: trace_array::clock
 */
struct wakeup {
	raw_spinlock_t		lock;
	struct task_struct	*task;
	int			cpu;
	u64			start;
	u64			since;
	unsigned int		clock;
};

static struct wakeup wakeup = { .lock = __RAW_SPIN_LOCK_UNLOCKED(wakeup.lock) };

/* The task that is followed waits for this CPU. */
static DEFINE_PER_CPU(bool, wakeup_waits);

/* One instance runs one of these tracers; the mutex is inside of trace_array::lock. */
static DEFINE_MUTEX(wakeup_mutex);
static struct latency_tracer wakeup_latency = {
	.measures	= &wakeup_waits,
	.needs		= LATENCY_TRACER_NEEDS,
};
static bool (*wakeup_follows)(struct task_struct *task);

static bool follows_any(struct task_struct *task)
{
	return true;
}

static bool follows_rt(struct task_struct *task)
{
	return rt_or_dl_task(task);
}

static bool follows_dl(struct task_struct *task)
{
	return dl_task(task);
}

static u64 wakeup_now(void)
{
	return ring_buffer_time_stamp(wakeup_latency.tr->array_buffer.buffer);
}

static bool wakeup_is_on(void)
{
	return ring_buffer_fast_is_on_here(wakeup_latency.tr->array_buffer.buffer);
}

/* The context of the scheduler's code: without the preempt counts of tracepoint and lock. */
static unsigned int probe_context(void)
{
	return trace_context(preempt_count() - PREEMPT_DISABLE_OFFSET - PREEMPT_LOCK_OFFSET);
}

static void record_sched(enum trace_entry_number type, struct task_struct *from,
			 struct task_struct *to)
{
	struct trace_array *tr = wakeup_latency.tr;
	struct sched_entry *entry = trace_reserve(tr, type, sizeof(*entry), probe_context());

	if (!entry)
		return;
	entry->prev_pid = from->pid;
	entry->prev_prio = from->prio;
	entry->prev_state = task_state_index(from);
	entry->next_pid = to->pid;
	entry->next_prio = to->prio;
	entry->next_state = task_state_index(to);
	entry->next_cpu = task_cpu(to);
	trace_commit(tr);
}

/* Stop following. The caller holds the lock. */
static void wakeup_forget(void)
{
	if (wakeup.task)
		put_task_struct(wakeup.task);
	wakeup.task = NULL;
	per_cpu(wakeup_waits, wakeup.cpu) = false;
}

static void wakeup_waits_for(int cpu)
{
	per_cpu(wakeup_waits, wakeup.cpu) = false;
	wakeup.cpu = cpu;
	per_cpu(wakeup_waits, cpu) = true;
}

static void wakeup_follow(struct task_struct *task, unsigned long ip, unsigned long parent_ip)
{
	struct trace_array *tr = wakeup_latency.tr;

	wakeup_forget();
	trace_latency_starts(tr);
	wakeup.clock = READ_ONCE(tr->clock);
	wakeup.start = wakeup_now();
	wakeup.task = get_task_struct(task);
	record_sched(TRACE_WAKE, current, task);
	trace_record_stack_from(tr, probe_context(), ip, 0);
	latency_record_call(tr, ip, parent_ip, probe_context(), wakeup_now());
	wakeup_waits_for(task_cpu(task));
	wakeup.since = wakeup_now();
}

/*
 * Does @task wait for the running task, and is it one that the tracer follows? Tasks with
 * deadlines wait for each other, too. A task that is still running, as it was about to sleep, does
 * not wait; if it wakes itself, interrupts may be on.
 */
static bool wakeup_matters(struct task_struct *task)
{
	if (task == current || task_curr(task) || !wakeup_follows(task))
		return false;
	return task->prio < current->prio || dl_task(task);
}

/* Is it more urgent than the followed task, whose priority may have changed? Needs the lock. */
static bool wakeup_matters_more(struct task_struct *task)
{
	return !wakeup.task || task->prio < wakeup.task->prio;
}

static void probe_wakeup(void *unused, struct task_struct *task)
{
	if (!wakeup_matters(task) || !wakeup_is_on())
		return;
	guard(trace_hidden)(&wakeup.lock);
	if (wakeup_matters_more(task))
		wakeup_follow(task, CALLER_ADDR0, CALLER_ADDR1);
}

static void probe_migrate(void *unused, struct task_struct *task, int cpu)
{
	if (task != READ_ONCE(wakeup.task))
		return;
	guard(trace_hidden)(&wakeup.lock);
	if (task == wakeup.task)
		wakeup_waits_for(cpu);
}

/* A switch of tasks: the task that ran, and the place of the switch. */
struct wakeup_switch {
	struct task_struct	*prev;
	unsigned long		ip;
	unsigned long		parent_ip;
};

struct wakeup_end {
	struct latency_end		end;
	const struct wakeup_switch	*to;
};

static void wakeup_record_end(struct trace_array *tr, const struct latency_end *end)
{
	const struct wakeup_switch *to = container_of(end, struct wakeup_end, end)->to;

	latency_record_call(tr, to->ip, to->parent_ip, probe_context(), wakeup_now());
	record_sched(TRACE_CTX, to->prev, wakeup.task);
	/* The task is about to run on this CPU and on no other. Store its name, too. */
	wakeup.task->trace_recursion |= TRACE_TASK_RECORDED;
	trace_record_stack_from(tr, probe_context(), to->ip, 0);
}

static void wakeup_ends(const struct wakeup_switch *to)
{
	struct trace_array *tr = wakeup_latency.tr;
	struct wakeup_end end = {
		.end.report.ns		= wakeup_now() - wakeup.since,
		.end.report.start	= wakeup.start,
		.end.report.cpu		= raw_smp_processor_id(),
		.end.report.everywhere	= true,
		.end.task		= wakeup.task,
		.end.record		= wakeup_record_end,
		.to			= to,
	};

	per_cpu(wakeup_waits, wakeup.cpu) = false;
	/* Its scheduling policy may have changed while it waited. */
	if (!wakeup_follows(wakeup.task))
		return;
	if (wakeup.clock == READ_ONCE(tr->clock) &&
	    trace_latency_counts(tr->latency, end.end.report.ns))
		trace_latency_keep(tr, &end.end);
}

static void probe_switch(void *unused, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct task_struct *task = READ_ONCE(wakeup.task);
	struct wakeup_switch to = { prev };

	if (likely(next != task && prev != task))
		return;
	to.ip = CALLER_ADDR0;
	to.parent_ip = CALLER_ADDR1;
	guard(trace_hidden)(&wakeup.lock);
	if (next == wakeup.task) {
		if (wakeup_is_on())
			wakeup_ends(&to);
		wakeup_forget();
	} else if (prev == wakeup.task) {
		/* It was woken while it was about to sleep, and did not have to wait. */
		wakeup_forget();
	}
}

/*
 * The tracers
 */

static void unregister_probes(void)
{
	unregister_trace_sched_wakeup_new(probe_wakeup, NULL);
	unregister_trace_sched_wakeup(probe_wakeup, NULL);
	unregister_trace_sched_migrate_task(probe_migrate, NULL);
	unregister_trace_sched_switch(probe_switch, NULL);
}

/*
 * sched_switch comes first: no task may be followed whose switch would be missed. Return: 0, or
 * -errno, and then no probe is registered.
 */
static int register_probes(void)
{
	int err = register_trace_sched_switch(probe_switch, NULL);

	if (err)
		return err;
	err = register_trace_sched_migrate_task(probe_migrate, NULL);
	if (err)
		goto no_migrate;
	err = register_trace_sched_wakeup(probe_wakeup, NULL);
	if (err)
		goto no_wakeup;
	err = register_trace_sched_wakeup_new(probe_wakeup, NULL);
	if (err)
		goto no_wakeup_new;
	return 0;

no_wakeup_new:
	unregister_trace_sched_wakeup(probe_wakeup, NULL);
no_wakeup:
	unregister_trace_sched_migrate_task(probe_migrate, NULL);
no_migrate:
	unregister_trace_sched_switch(probe_switch, NULL);
	return err;
}

/* End the tracer after its probes were unregistered. */
static void wakeup_is_over(void)
{
	tracepoint_synchronize_unregister();
	wakeup_forget();
	latency_tracer_end(&wakeup_latency);
	wakeup_follows = NULL;
}

static int wakeup_begin(struct trace_array *tr, bool (*follows)(struct task_struct *task))
{
	int err;

	guard(mutex)(&wakeup_mutex);
	if (wakeup_follows)
		return -EBUSY;
	err = latency_tracer_begin(&wakeup_latency, tr);
	if (err)
		return err;
	wakeup_follows = follows;
	err = register_probes();
	if (err)
		wakeup_is_over();
	return err;
}

static void wakeup_end(struct trace_array *tr)
{
	guard(mutex)(&wakeup_mutex);
	unregister_probes();
	wakeup_is_over();
}

static int wakeup_functions(struct trace_array *tr, bool functions, bool graph)
{
	guard(mutex)(&wakeup_mutex);
	return latency_tracer_functions(&wakeup_latency, functions, graph);
}

LATENCY_TRACER(wakeup, wakeup, follows_any);
LATENCY_TRACER(wakeup_rt, wakeup, follows_rt);
LATENCY_TRACER(wakeup_dl, wakeup, follows_dl);
