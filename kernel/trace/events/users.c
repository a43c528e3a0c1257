// SPDX-License-Identifier: GPL-2.0
/*
 * The users that get the records of an event: instances, and perf. The event's tracepoint has one
 * probe, however many users there are.
 *
 * A probe finds the users with preemption off, or in a read section of tracepoint_srcu on an idle
 * CPU. It reads a slot once. If it read the slot before it was emptied, the instance still gets
 * that record:
 *
 *	probe					trace_event_users_remove()
 *	users = call->users
 *	file = users->file[i]
 *						users->file[i] = NULL
 *	records into file->tr
 *						the file is freed when no probe runs
 *
 * An instance that is removed while a probe runs, and then added in another slot, may get the
 * record of that probe twice.
 *
 * The array is replaced only to grow, and the old one is freed when no probe can have it.
 *
 * An event that has no users any more is not detached from its tracepoint at once, but a moment
 * later, together with others. So a task that switches events off does not wait for that, and
 * events that are switched on again soon may still be attached. Until then the probe finds empty
 * slots. An array of one slot is kept, empty, for the next user.
 *
 * A module's events are detached at once: its exit function may free what a function uses that the
 * tracepoint calls then, see TRACE_EVENT_FN(). So is the event of markers, which is not
 * registered: the worker would not find it.
 */
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "events.h"

static struct trace_event_users *event_users(const struct trace_event_call *call)
{
	return rcu_dereference_protected(call->users, lockdep_is_held(&trace_event_mutex));
}

static_assert(!offsetof(struct trace_event_users, rcu));
static_assert(!offsetof(struct trace_event_file, rcu));

static void event_free_last(struct rcu_head *rcu)
{
	kfree(rcu);
}

static void event_free_next(struct rcu_head *rcu)
{
	call_srcu(&tracepoint_srcu, rcu, event_free_last);
}

/**
 * trace_event_free - free memory when no probe can use it any more, without waiting
 * @memory: from kmalloc(); begins with a struct rcu_head. NULL does nothing
 *
 * Context: any but NMI.
 */
void trace_event_free(void *memory)
{
	if (memory)
		call_rcu(memory, event_free_next);
}

static int event_attach(struct trace_event_call *call)
{
	const struct trace_event_class_ops *ops = call->class->ops;

	call->flags |= TRACE_EVENT_FL_WAS_ON;
	if (ops && ops->attach)
		return ops->attach(call);
	return tracepoint_probe_register(call->tp, call->class->probe, call);
}

static void event_detach(struct trace_event_call *call)
{
	const struct trace_event_class_ops *ops = call->class->ops;

	if (ops && ops->detach)
		ops->detach(call);
	else
		tracepoint_probe_unregister(call->tp, call->class->probe, call);
}

/* The slot that has @file; -1 if none has. */
static int event_users_slot(const struct trace_event_users *users,
			    const struct trace_event_file *file)
{
	int i;

	for (i = 0; users && i < users->nr; i++) {
		if (users->file[i] == file)
			return i;
	}
	return -1;
}

/* Is there more to do than to record in one instance? */
static void event_users_update(struct trace_event_users *users)
{
	bool triggers = false;
	unsigned int i;

	for (i = 0; i < users->nr; i++)
		triggers |= users->file[i] &&
			    users->file[i]->flags & BIT(TRACE_EVENT_FILE_TRIGGERS);
	WRITE_ONCE(users->triggers, triggers);
	WRITE_ONCE(users->many, triggers || users->nr > 1 || users->perf);
}

/*
 * Replace the users by an array with one more slot, empty. A probe uses the array that it found
 * first until it ends: it does not see users that are added meanwhile, and may still see one that
 * is removed. Arrays and users are freed after such probes.
 *
 *	CPU 0, the event occurs			CPU 1, here
 *
 *	users = READ_ONCE(call->users)
 *						call->users = new
 *	users->file[]: all but new ones
 *						call_rcu(): free old after CPU 0's probe
 */
static int event_users_grow(struct trace_event_call *call)
{
	struct trace_event_users *old = event_users(call), *new;
	unsigned int nr = old ? old->nr : 0;

	new = kzalloc(struct_size(new, file, nr + 1), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	new->nr = nr + 1;
	if (old) {
		new->perf = old->perf;
		new->triggers = old->triggers;
		new->attached = old->attached;
		new->many = true;
		memcpy(new->file, old->file, nr * sizeof(*old->file));
	}
	rcu_assign_pointer(call->users, new);
	trace_event_free(old);
	return 0;
}

static bool event_users_none(const struct trace_event_users *users)
{
	unsigned int i;

	if (users->perf)
		return false;
	for (i = 0; i < users->nr; i++) {
		if (users->file[i])
			return false;
	}
	return true;
}

/**
 * trace_event_users_end - forget that an event had users: detach it from its tracepoint
 * @call: the event, which has no users. Its probe may still run for a while
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_users_end(struct trace_event_call *call)
{
	struct trace_event_users *users = event_users(call);

	if (!users)
		return;
	if (users->attached)
		event_detach(call);
	RCU_INIT_POINTER(call->users, NULL);
	trace_event_free(users);
}

/* Attach the event to its tracepoint, unless it is. It has an array, which may be empty. */
static int event_users_attach(struct trace_event_call *call)
{
	struct trace_event_users *users = event_users(call);
	int err = users->attached ? 0 : event_attach(call);

	if (!err)
		users->attached = true;
	else if (event_users_none(users))
		trace_event_users_end(call);
	return err;
}

/*
 * When the event is switched on again, there is memory for one user, the usual case. System calls
 * share a probe, which skips events without users.
 */
static void event_users_detach(struct trace_event_call *call)
{
	const struct trace_event_class_ops *ops = call->class->ops;
	struct trace_event_users *users = event_users(call);

	if (users->nr > 1 || (ops && ops->detach)) {
		trace_event_users_end(call);
		return;
	}
	event_detach(call);
	users->attached = false;
}

/* Limit of events per run of the worker: other tasks wait for trace_event_mutex meanwhile. */
#define EVENT_USERS_END_AT_ONCE	32

static void event_users_end_unused(struct work_struct *work)
{
	unsigned int left = EVENT_USERS_END_AT_ONCE;
	struct trace_event_users *users;
	struct trace_event_call *call;

	guard(mutex)(&trace_event_mutex);
	static_keys_begin();
	list_for_each_entry(call, &trace_event_calls, list) {
		users = event_users(call);
		if (!users || !users->attached || !event_users_none(users))
			continue;
		if (!left--) {
			queue_delayed_work(system_unbound_wq, to_delayed_work(work), 0);
			break;
		}
		event_users_detach(call);
	}
	static_keys_end();
}

static DECLARE_DELAYED_WORK(event_users_work, event_users_end_unused);

/* A user was removed. If it was the last one, detach the event, after at most this many jiffies. */
#define EVENT_USERS_UNUSED_FOR	(HZ / 10)

static void event_users_removed(struct trace_event_call *call)
{
	/*
	 * Timers do not work yet if one boot parameter switches off an event that another one
	 * switched on.
	 */
	if (!event_users_none(event_users(call)) || system_state < SYSTEM_SCHEDULING)
		return;
	if (call->module || !trace_event_by_number(call->event.type))
		trace_event_users_end(call);
	else
		queue_delayed_work(system_unbound_wq, &event_users_work, EVENT_USERS_UNUSED_FOR);
}

/**
 * trace_event_users_add - let an instance take the records of an event
 * @call: the event
 * @file: the event in the instance, which does not take them yet
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: 0; -ENOMEM; or what attaching to the tracepoint returned.
 */
int trace_event_users_add(struct trace_event_call *call, struct trace_event_file *file)
{
	int slot = event_users_slot(event_users(call), NULL), err;

	if (slot < 0) {
		slot = event_users(call) ? event_users(call)->nr : 0;
		err = event_users_grow(call);
		if (err)
			return err;
	}
	err = event_users_attach(call);
	if (err)
		return err;
	/*
	 *	CPU 0, the event occurs			CPU 1, here
	 *
	 *						fill in *file
	 *						smp_store_release(&users->file[slot], file)
	 *	file = READ_ONCE(users->file[slot])
	 *	read *file: depends on the address
	 */
	smp_store_release(&event_users(call)->file[slot], file);
	return 0;
}

/**
 * trace_event_users_remove - undo trace_event_users_add()
 * @call: the event
 * @file: the event in the instance. Probes may still use it for a while
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_users_remove(struct trace_event_call *call, struct trace_event_file *file)
{
	struct trace_event_users *users = event_users(call);
	int slot = event_users_slot(users, file);

	if (WARN_ON_ONCE(slot < 0))
		return;
	WRITE_ONCE(users->file[slot], NULL);
	event_users_removed(call);
}

/**
 * trace_event_users_add_perf - let perf take the records of an event
 * @call: the event, of which perf takes none yet
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: as trace_event_users_add().
 */
int trace_event_users_add_perf(struct trace_event_call *call)
{
	struct trace_event_users *users;
	int err = event_users(call) ? 0 : event_users_grow(call);

	err = err ?: event_users_attach(call);
	if (err)
		return err;
	users = event_users(call);
	WRITE_ONCE(users->perf, true);
	event_users_update(users);
	return 0;
}

/**
 * trace_event_users_remove_perf - undo trace_event_users_add_perf()
 * @call: the event. Probes may still use its perf events for a while
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_users_remove_perf(struct trace_event_call *call)
{
	struct trace_event_users *users = event_users(call);

	WRITE_ONCE(users->perf, false);
	event_users_update(users);
	event_users_removed(call);
}

/**
 * trace_event_users_triggers - update the users after a trigger was set or removed
 * @call: the event; TRACE_EVENT_FILE_TRIGGERS of one of its users has changed
 *
 * Context: trace_event_mutex held.
 */
void trace_event_users_triggers(struct trace_event_call *call)
{
	if (event_users(call))
		event_users_update(event_users(call));
}
