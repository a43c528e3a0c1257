// SPDX-License-Identifier: GPL-2.0
/*
 * Switching an event on and off in an instance.
 *
 * An event is attached to its tracepoint for an instance while it is on there, or while it has
 * holders, which may switch it in any context. While it is held and off,
 * TRACE_EVENT_FILE_SOFT_DISABLED is set, and probes skip it. So there are four states; the file
 * "enable" shows them as 0, 1, 0*, 1*.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include "../core/instance.h"
#include "../core/saved_cmdlines.h"
#include "events.h"

/**
 * trace_event_file_find - find the file of an event in an instance
 * @tr: the instance
 * @call: the event
 *
 * Context: trace_event_mutex held.
 * Return: the file; NULL if the event was not used in the instance yet.
 */
struct trace_event_file *trace_event_file_find(struct trace_array *tr,
					       const struct trace_event_call *call)
{
	return xa_load(&tr->events->files, call->event.type);
}

/**
 * trace_array_has_event - does an instance have an event?
 * @tr: the instance, which may have been made with some systems only
 * @call: the event
 *
 * Context: any.
 * Return: true if it does.
 */
bool trace_array_has_event(const struct trace_array *tr, const struct trace_event_call *call)
{
	return trace_array_has_system(tr, call->class->system);
}

/**
 * trace_event_file_get - find or make the file of an event in an instance
 * @tr: the instance
 * @call: the event
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: the file, which is valid until the instance or the event is removed; -ENOENT if the
 * instance does not have the event's system; -ENOMEM.
 */
struct trace_event_file *trace_event_file_get(struct trace_array *tr,
					      struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	int err;

	lockdep_assert_held(&trace_event_mutex);
	if (file)
		return file;
	if (!trace_array_has_event(tr, call))
		return ERR_PTR(-ENOENT);
	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return ERR_PTR(-ENOMEM);
	file->call = call;
	file->tr = tr;
	INIT_LIST_HEAD(&file->triggers);
	err = xa_err(xa_store(&tr->events->files, call->event.type, file, GFP_KERNEL));
	if (err) {
		kfree(file);
		return ERR_PTR(err);
	}
	trace_event_file_pids(file);
	return file;
}

static int event_file_attach(struct trace_event_file *file)
{
	int err;

	scoped_guard(mutex, &file->tr->lock)
		err = trace_array_expand(file->tr);
	if (err)
		return err;
	/* Start this first: a task that records right away must get a name. */
	trace_comm_record_start();
	err = trace_event_users_add(file->call, file);
	if (err)
		trace_comm_record_stop();
	return err;
}

/*
 * A task whose probe runs meanwhile may stay without a name. Waiting for probes would take a grace
 * period for each event.
 */
static void event_file_detach(struct trace_event_file *file)
{
	trace_event_users_remove(file->call, file);
	trace_comm_record_stop();
}

/* Change the state, which consists of @on and @holders. */
static int event_file_change(struct trace_event_file *file, bool on, unsigned int holders)
{
	int err;

	lockdep_assert_held(&trace_event_mutex);
	if (file->attached && !on && !holders) {
		event_file_detach(file);
		WRITE_ONCE(file->attached, false);
	}
	trace_event_file_set_soft(file, on);
	if (!file->attached && (on || holders)) {
		err = event_file_attach(file);
		if (err)
			return err;
		WRITE_ONCE(file->attached, true);
	}
	file->holders = holders;
	return 0;
}

/**
 * trace_event_file_set - switch an event on or off in an instance
 * @file: the event in the instance
 * @on: the new state
 *
 * Context: may sleep; trace_event_mutex held. A probe that runs may still record after this.
 * Return: 0; negative errno if it cannot be switched on: -ENOMEM, or what its tracepoint returns.
 */
int trace_event_file_set(struct trace_event_file *file, bool on)
{
	if (!file->holders && trace_event_file_is_on(file) == on && file->attached == on)
		return 0;
	return event_file_change(file, on, file->holders);
}

/**
 * trace_event_file_hold - attach an event, whether or not it is on
 * @file: the event in the instance
 *
 * From now on trace_event_file_set_soft() switches it.
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: as trace_event_file_set().
 */
int trace_event_file_hold(struct trace_event_file *file)
{
	if (!file->attached)
		return event_file_change(file, false, 1);
	/* Another holder may be switching it right now: do not touch the flag. */
	file->holders++;
	return 0;
}

/**
 * trace_event_file_release - undo trace_event_file_hold()
 * @file: the event in the instance. If it has no other holder, and is off, it is detached
 *
 * A trigger that runs meanwhile may switch the event off after that. Then the event is off, but
 * stays attached until somebody writes to its file "enable".
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_file_release(struct trace_event_file *file)
{
	if (file->holders == 1 && !trace_event_file_is_on(file))
		event_file_change(file, false, 0);
	else
		file->holders--;
}

/**
 * trace_event_file_set_soft - switch an event that is held
 * @file: the event in the instance
 * @on: the new state
 *
 * If another holder switches the event at the same time, one of the two wins.
 *
 * Context: any.
 */
void trace_event_file_set_soft(struct trace_event_file *file, bool on)
{
	assign_bit(TRACE_EVENT_FILE_SOFT_DISABLED, &file->flags, !on);
}

/**
 * trace_event_file_end - switch an event off in an instance for good, and free the file
 * @file: the event in the instance
 *
 * Context: may sleep; trace_event_mutex held. A probe that runs may still record after this.
 */
void trace_event_file_end(struct trace_event_file *file)
{
	if (file->attached)
		event_file_change(file, false, 0);
	xa_erase(&file->tr->events->files, file->call->event.type);
	trace_event_file_end_filter(file);
	trace_event_free(file);
}

/**
 * trace_event_files_end - switch all events of an instance off for good
 * @tr: the instance
 *
 * Context: may sleep, waits for probes; trace_event_mutex held.
 */
void trace_event_files_end(struct trace_array *tr)
{
	struct trace_event_file *file;
	unsigned long number;

	xa_for_each(&tr->events->files, number, file) {
		if (file->attached)
			event_file_change(file, false, 0);
	}
	tracepoint_synchronize_unregister();
	xa_for_each(&tr->events->files, number, file) {
		trace_event_file_end_filter(file);
		kfree(file);
	}
	xa_destroy(&tr->events->files);
}

/**
 * trace_event_files_off - switch all events of an instance off
 * @tr: the instance; events that have holders are kept attached
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_files_off(struct trace_array *tr)
{
	struct trace_event_file *file;
	unsigned long number;

	lockdep_assert_held(&trace_event_mutex);
	/* First the events that switching causes, and events that were registered later. */
	xa_for_each_start(&tr->events->files, number, file, trace_event_last)
		trace_event_file_set(file, false);
	xa_for_each(&tr->events->files, number, file)
		trace_event_file_set(file, false);
}
