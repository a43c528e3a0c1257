// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks whose events an instance records: set_event_pid, set_event_notrace_pid, and option
 * event-fork. ../core/pids.c keeps the sets.
 *
 * Some events of the scheduler are about two tasks: the one that runs, and the one that it wakes or
 * that runs next. They are recorded if either of the two is wanted. So their records are complete
 * before they are taken or dropped: see record.c.
 */
#include <linux/bitops.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/tracer.h"
#include "events.h"
#include "fields.h"

/* The events about two tasks, and the field with the other task's pid. */
static const struct {
	const char	*event;
	const char	*field;
} event_two_tasks[] = {
	{ "sched_switch",	"next_pid" },
	{ "sched_waking",	"pid" },
	{ "sched_wakeup",	"pid" },
	{ "sched_wakeup_new",	"pid" },
};

/**
 * trace_event_pids_prepare - find out whether an event is about two tasks
 * @call: the event
 *
 * Context: may sleep; the event has no users yet.
 */
void trace_event_pids_prepare(struct trace_event_call *call)
{
	struct trace_event_field field;
	unsigned int i;

	if (strcmp(call->class->system, "sched"))
		return;
	for (i = 0; i < ARRAY_SIZE(event_two_tasks); i++) {
		if (strcmp(trace_event_name(call), event_two_tasks[i].event) ||
		    !trace_event_find_field(call, trace_span_of(event_two_tasks[i].field), &field))
			continue;
		call->other_pid = field.offset;
		call->flags |= TRACE_EVENT_FL_TWO_TASKS;
	}
}

static void event_file_update_pids(struct trace_event_file *file)
{
	bool two = file->call->flags & TRACE_EVENT_FL_TWO_TASKS;

	assign_bit(two ? TRACE_EVENT_FILE_TWO_PIDS : TRACE_EVENT_FILE_PID_FILTER, &file->flags,
		   trace_pids_active(&file->tr->events->pids));
}

/**
 * trace_event_file_pids - let a new file check tasks, if the other files of the instance do
 * @file: the file, which event_pids_changed() finds already
 *
 * Context: may sleep; takes trace_array::lock.
 */
void trace_event_file_pids(struct trace_event_file *file)
{
	guard(mutex)(&file->tr->lock);
	event_file_update_pids(file);
}

/* Let all events of an instance check tasks, or no longer. */
static void event_pids_changed(struct trace_array *tr)
{
	struct trace_event_file *file;
	unsigned long number;

	/* A module's files may be freed meanwhile, after a grace period. */
	guard(rcu)();
	xa_for_each(&tr->events->files, number, file)
		event_file_update_pids(file);
}

/**
 * trace_event_pids_create - let an instance record the events of all tasks
 * @tr: the instance
 * @events: its new state of events, not published yet
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_event_pids_create(struct trace_array *tr, struct trace_event_instance *events)
{
	events->pids.wanted = alloc_percpu(struct task_struct *);
	if (!events->pids.wanted)
		return -ENOMEM;
	events->pids.changed = event_pids_changed;
	/* The option may be on already. */
	events->pids.follow = trace_option(tr, TRACE_OPT_EVENT_FORK);
	return 0;
}

/**
 * trace_event_pids_destroy - undo trace_event_pids_create()
 * @tr: the instance, which has no events any more
 *
 * Context: may sleep; takes trace_array::lock.
 */
void trace_event_pids_destroy(struct trace_array *tr)
{
	trace_pids_end(tr, &tr->events->pids);
	free_percpu(tr->events->pids.wanted);
}

static int event_pids_fork(struct trace_array *tr, bool on)
{
	return tr->events ? trace_pids_follow(tr, &tr->events->pids, on) : 0;
}

static int __init event_pids_init(void)
{
	trace_event_fork = event_pids_fork;
	return 0;
}
core_initcall(event_pids_init);

/* Return NULL if the instance has no events: see trace_array::events. */
static struct trace_pids *event_pids_of(struct trace_array *tr)
{
	return tr->events ? &tr->events->pids : NULL;
}

static const struct trace_pid_file event_pid =
	TRACE_PID_FILE(event_pids_of, TRACE_PIDS_ONLY, "");
static const struct trace_pid_file event_notrace_pid =
	TRACE_PID_FILE(event_pids_of, TRACE_PIDS_EXCEPT, "");

TRACE_FILES(event_pid_files,
	{ "set_event_pid", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &event_pid.fops },
	{ "set_event_notrace_pid", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE,
	  &event_notrace_pid.fops });
