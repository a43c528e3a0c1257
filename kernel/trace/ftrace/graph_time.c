// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: time that a task does not run, if that is not to count.
 *
 * A task that is switched to finds all its calls begun later by as much as it was away.
 */
#include <linux/ftrace.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "ftrace.h"
#include "graph.h"
#include "shadow_stack.h"

static DEFINE_MUTEX(time_mutex);
static bool sleep_counts = true;

/* The runqueue is locked, so nobody else looks at the calls of @next. */
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

/* Since when the task is away is not known, but from now on. */
static void forget_timestamp(struct task_struct *task, void *unused)
{
	task->ftrace_timestamp = 0;
}

/**
 * ftrace_graph_sleep_time_control - does the time count when the task does not run?
 * @enable: it does
 *
 * If not, ftrace_graph_ret::calltime is later by as much.
 * Context: process context, may sleep.
 *
 * Return: 0; -ENOMEM, and it counts as before.
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
