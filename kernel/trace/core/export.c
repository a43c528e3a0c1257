// SPDX-License-Identifier: GPL-2.0
/*
 * Exports: entries go to the buffer, and also to users that have registered for them, such as a
 * trace port of the hardware.
 *
 * While no user is registered, recording only passes a NOP: see trace_export() in record.h. The
 * list is walked wherever entries are recorded. A user that unregisters waits for the walks with
 * trace_synchronize().
 */
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/trace.h>

#include "internal.h"
#include "record.h"

DEFINE_STATIC_KEY_ARRAY_FALSE(trace_export_wanted, TRACE_EXPORT_KINDS);

static DEFINE_MUTEX(exports_lock);
static struct trace_export __rcu *exports;

/**
 * trace_export_entry - give an entry to all users that have registered for it
 * @entry: the entry, which is only valid during the call
 * @size: its size in bytes
 * @kind: number of the bit in the flags of struct trace_export
 *
 * Context: any, with preemption off.
 */
void trace_export_entry(const void *entry, unsigned int size, enum trace_export_kind kind)
{
	struct trace_export *export = rcu_dereference_raw_check(exports);

	for (; export; export = rcu_dereference_raw_check(export->next)) {
		if (export->flags & BIT(kind))
			export->write(export, entry, size);
	}
}

static void exports_want(int flags, bool on)
{
	int kind;

	for (kind = 0; kind < TRACE_EXPORT_KINDS; kind++) {
		if (!(flags & BIT(kind)))
			continue;
		if (on)
			static_branch_inc(&trace_export_wanted[kind]);
		else
			static_branch_dec(&trace_export_wanted[kind]);
	}
}

/* The link that points to @export; the last link of the list if @export is not in it. */
static struct trace_export __rcu **export_find(struct trace_export *export)
{
	struct trace_export __rcu **link = &exports;
	struct trace_export *other;

	for (;;) {
		other = rcu_dereference_protected(*link, lockdep_is_held(&exports_lock));
		if (!other || other == export)
			return link;
		link = &other->next;
	}
}

/**
 * register_ftrace_export - have entries written to a second destination
 * @export: has write() and flags; must not be freed before it is unregistered
 *
 * Context: may sleep.
 * Return: 0; -EINVAL without a write(); -EBUSY if it is registered already.
 */
int register_ftrace_export(struct trace_export *export)
{
	struct trace_export __rcu **link;

	if (WARN_ON_ONCE(!export->write))
		return -EINVAL;
	guard(mutex)(&exports_lock);
	link = export_find(export);
	if (rcu_access_pointer(*link))
		return -EBUSY;
	RCU_INIT_POINTER(export->next, NULL);
	rcu_assign_pointer(*link, export);
	exports_want(export->flags, true);
	return 0;
}
EXPORT_SYMBOL_GPL(register_ftrace_export);

/**
 * unregister_ftrace_export - undo register_ftrace_export()
 * @export: the export; its write() is not called any more when this returns
 *
 * Context: may sleep.
 * Return: 0; -EPERM if it is not registered.
 */
int unregister_ftrace_export(struct trace_export *export)
{
	struct trace_export __rcu **link;

	scoped_guard(mutex, &exports_lock) {
		link = export_find(export);
		if (!rcu_access_pointer(*link))
			return -EPERM;
		exports_want(export->flags, false);
		/* A walk that is at @export still finds the next one. */
		rcu_assign_pointer(*link, rcu_dereference_protected(export->next, true));
	}
	trace_synchronize();
	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_export);
