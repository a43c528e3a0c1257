// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: leaving out the time during which a task does not run (option sleep-time).
 *
 * When a task gets a CPU, the time during which it did not run is added to the start times of all
 * its calls.
 */
#include <linux/minmax.h>
#include <linux/mm_types.h>	/* struct folio, for <trace/events/sched.h> */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "ftrace.h"
#include "graph.h"
#include "shadow_stack.h"

static DEFINE_MUTEX(time_mutex);
static bool sleep_counts = true;

/* The runqueue is locked, so nobody else changes the calls of @next. */
static void graph_switch(void *unused, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct shadow_stack *stack = task_shadow_stack(next);
	struct ftrace_ret_stack *frame = stack ? shadow_stack_newest(stack) : NULL;
	u64 now = trace_clock_local();
	u64 away = next->ftrace_timestamp ? now - min(now, next->ftrace_timestamp) : 0;

	prev->ftrace_timestamp = now;
	next->ftrace_timestamp = 0;
	for (; away && frame; frame = shadow_stack_older(stack, frame))
		frame->calltime += away;
}

/* The time of the task's last switch was not stored: begin to count at its next switch. */
static void forget_timestamp(struct task_struct *task, void *unused)
{
	task->ftrace_timestamp = 0;
}

/**
 * ftrace_graph_sleep_time_control - count or leave out the time during which a task does not run
 * @enable: true: it counts; false: ftrace_graph_ret::calltime is later by this time
 *
 * Context: process context, may sleep.
 * Return: 0; -ENOMEM with nothing changed.
 */
int ftrace_graph_sleep_time_control(bool enable)
{
	int err;

	guard(mutex)(&time_mutex);
	if (enable == sleep_counts)
		return 0;
	if (enable) {
		unregister_trace_sched_switch(graph_switch, NULL);
	} else {
		ftrace_graph_each_task(forget_timestamp, NULL);
		err = register_trace_sched_switch(graph_switch, NULL);
		if (err)
			return err;
	}
	sleep_counts = enable;
	return 0;
}
