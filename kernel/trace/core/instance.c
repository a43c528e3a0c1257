// SPDX-License-Identifier: GPL-2.0
/*
 * Instances: a buffer, and the settings of all that records into it. This file has the code that
 * all users of instances need; instance_dir.c makes and removes them.
 *
 * Nothing in the recording path takes a reference: an instance is freed only after all code that
 * records into it was unregistered, which waits for code that is running.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/slab.h>

#include "instance.h"
#include "internal.h"
#include "tracer.h"

/* The outermost lock of tracing, except for the locks of open files: see instance.h. */
DEFINE_MUTEX(trace_registry_lock);
LIST_HEAD(trace_arrays);
struct trace_array *trace_top __read_mostly;

/**
 * trace_synchronize - wait until all recording that has begun before has ended
 *
 * RCU watches wherever functions can be traced: supported architectures require that
 * (ARCH_WANTS_NO_INSTR). Only a CPU that comes up runs traced functions before it tells RCU, and a
 * CPU that goes down runs some after that; cpus_read_lock() waits for these.
 *
 * Context: may sleep; the CPU hotplug lock is inside of the locks that may be held.
 */
void trace_synchronize(void)
{
	/* In early boot there is no other task, and waiting is not possible yet. */
	if (system_state <= SYSTEM_BOOTING)
		return;
	guard(cpus_read_lock)();
	synchronize_rcu();
}

/* A file can be opened while its instance is being removed: does the scope still exist? */
static bool trace_scope_exists(const struct trace_scope *scope)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &trace_arrays, list) {
		if (scope >= tr->scopes && scope <= tr->scopes + nr_cpu_ids)
			return true;
	}
	return false;
}

/**
 * trace_scope_get - begin to use the instance that a control file refers to
 * @scope: inode->i_private of the file
 *
 * Context: may sleep.
 * Return: 0, with a reference to the instance that trace_scope_put() drops; -EPERM if the kernel is
 * locked down; -ENODEV if the instance was removed.
 */
int trace_scope_get(struct trace_scope *scope)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	if (err)
		return err;
	guard(mutex)(&trace_registry_lock);
	if (!trace_scope_exists(scope))
		return -ENODEV;
	scope->tr->ref++;
	return 0;
}

/**
 * trace_scope_put - undo trace_scope_get()
 * @scope: the scope
 *
 * Context: may sleep.
 */
void trace_scope_put(struct trace_scope *scope)
{
	guard(mutex)(&trace_registry_lock);
	WARN_ON_ONCE(!scope->tr->ref);
	scope->tr->ref--;
}

/**
 * trace_scope_open - the open() of control files that need no more than their scope
 * @inode: inode of the file
 * @file: trace_file_scope(@file) can be used until it is released
 *
 * Context: process context, may sleep.
 * Return: 0 or negative errno, see trace_scope_get().
 */
int trace_scope_open(struct inode *inode, struct file *file)
{
	return trace_scope_get(inode->i_private);
}

/**
 * trace_scope_release - the release() that belongs to trace_scope_open()
 * @inode: inode of the file
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int trace_scope_release(struct inode *inode, struct file *file)
{
	trace_scope_put(inode->i_private);
	return 0;
}

/**
 * trace_array_reset - clear the buffer of an instance
 * @tr: the instance
 *
 * Context: may sleep. Recording continues afterwards.
 */
void trace_array_reset(struct trace_array *tr)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;

	ring_buffer_reset(buffer);
	tr->array_buffer.view.time_start = ring_buffer_time_stamp(buffer);
}

/**
 * trace_array_reset_cpu - clear one CPU's part of the buffer of an instance
 * @tr: the instance
 * @cpu: the CPU; RING_BUFFER_ALL_CPUS: all parts
 *
 * Context: may sleep.
 */
void trace_array_reset_cpu(struct trace_array *tr, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		trace_array_reset(tr);
	else
		ring_buffer_reset_cpu(tr->array_buffer.buffer, cpu);
}

/**
 * trace_array_set_on - set tracing_on of an instance
 * @tr: the instance
 * @on: the new value
 *
 * Context: may sleep; tr->lock held.
 */
void trace_array_set_on(struct trace_array *tr, bool on)
{
	struct tracer *tracer = trace_array_tracer(tr);
	struct trace_buffer *buffer = tr->array_buffer.buffer;

	lockdep_assert_held(&tr->lock);
	if (on == trace_array_is_on(tr))
		return;
	if (on) {
		ring_buffer_record_on(buffer);
		if (tracer->start)
			tracer->start(tr);
	} else {
		ring_buffer_record_off(buffer);
		if (tracer->stop)
			tracer->stop(tr);
		/*
		 * Readers of a mapped buffer stop waiting, which could last long. Others wait on.
		 */
		ring_buffer_wake_waiters(buffer, RING_BUFFER_ALL_CPUS);
	}
}
