// SPDX-License-Identifier: GPL-2.0
/*
 * Instances: a buffer, and the state of everything that records into it. How they
 * come and go is in instance_dir.c.
 *
 * Nothing in the recording path takes a reference: an instance is taken apart only
 * after all that record into it were unregistered, which waits for those that run.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/trace_clock.h>

#include "internal.h"

/* Outside of the other locks of tracing, but for those of open files: see core.h. */
DEFINE_MUTEX(trace_registry_lock);
LIST_HEAD(trace_arrays);
struct trace_array *trace_top __read_mostly;

#define SIZE_DEFAULT		1441792UL	/* 16384 records of 88 bytes */

/* How full a buffer gets before those are woken who wait for much. */
#define BUFFER_PERCENT_DEFAULT	50

unsigned long trace_buffer_size = SIZE_DEFAULT;

static void trace_array_init_scopes(struct trace_array *tr)
{
	int i;

	for (i = 0; i <= nr_cpu_ids; i++)
		tr->scopes[i] = (struct trace_scope) {
			.tr	= tr,
			.cpu	= i ? i - 1 : RING_BUFFER_ALL_CPUS,
		};
}

/**
 * trace_array_free - free an instance
 * @tr: not in the list, nothing records into it, its tracer is nop; or NULL
 *
 * May sleep.
 */
void trace_array_free(struct trace_array *tr)
{
	if (!tr)
		return;
	trace_array_detach_tracers(tr);
	trace_snapshot_free(tr);
	trace_errors_free(tr);
	if (tr->array_buffer.buffer)
		ring_buffer_free(tr->array_buffer.buffer);
	free_cpumask_var(tr->cpumask);
	kfree(tr->name);
	kfree(tr);
}

DEFINE_FREE(trace_array, struct trace_array *, trace_array_free(_T))

/**
 * trace_array_alloc - make an instance as it is at first
 * @name: its directory, copied; NULL for the top instance
 *
 * May sleep; the caller holds trace_registry_lock, unless it is alone, and puts it
 * into the list.
 *
 * Return: the instance, or NULL if there is no memory.
 */
struct trace_array *trace_array_alloc(const char *name)
{
	struct trace_array *tr __free(trace_array) =
		kzalloc(struct_size(tr, scopes, nr_cpu_ids + 1), GFP_KERNEL);
	int err;

	if (!tr)
		return NULL;
	INIT_LIST_HEAD(&tr->list);
	INIT_LIST_HEAD(&tr->tracers);
	mutex_init(&tr->lock);
	init_waitqueue_head(&tr->snapshot_queue);
	trace_latency_init(tr);
	trace_array_init_scopes(tr);
	if (name) {
		tr->name = kstrdup(name, GFP_KERNEL);
		if (!tr->name)
			return NULL;
	}
	tr->options = trace_options_default();
	tr->size = trace_buffer_size;
	tr->buffer_percent = BUFFER_PERCENT_DEFAULT;
	tr->array_buffer.tr = tr;
	tr->array_buffer.cpu = RING_BUFFER_ALL_CPUS;
	if (!alloc_cpumask_var(&tr->cpumask, GFP_KERNEL))
		return NULL;
	cpumask_copy(tr->cpumask, cpu_possible_mask);

	tr->array_buffer.buffer = ring_buffer_alloc(SIZE_BEFORE_USE, RB_FL_OVERWRITE);
	if (!tr->array_buffer.buffer)
		return NULL;
	err = trace_array_attach_tracers(tr);
	if (err)
		return NULL;
	return_ptr(tr);
}

/**
 * trace_array_init_top - make the instance that is always there
 *
 * Context: early boot, before there is anybody else.
 * Return: 0 or -ENOMEM.
 */
int __init trace_array_init_top(void)
{
	struct trace_array *tr = trace_array_alloc(NULL);

	if (!tr)
		return -ENOMEM;
	list_add(&tr->list, &trace_arrays);
	WRITE_ONCE(trace_top, tr);
	return 0;
}

/**
 * trace_synchronize - wait until nobody records any more who began before
 *
 * RCU watches wherever something can be traced: architectures that we have want that
 * (ARCH_WANTS_NO_INSTR). Only a CPU that comes up runs traced functions before it tells
 * RCU, and one that goes down after that; for these cpus_read_lock() waits.
 *
 * May sleep; the CPU hotplug lock is inside of the locks that may be held.
 */
void trace_synchronize(void)
{
	/* There is nobody else at boot, and nothing to wait with. */
	if (system_state <= SYSTEM_BOOTING)
		return;
	guard(cpus_read_lock)();
	synchronize_rcu();
}

/* A file can be opened while its instance goes away: is the scope still there? */
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
 * trace_scope_get - begin to use what a control file is about
 * @scope: its inode->i_private
 *
 * May sleep.
 *
 * Return: 0, and the instance stays until trace_scope_put(); -EPERM if the kernel
 * is locked down; -ENODEV if the instance is gone.
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
 * trace_scope_put - the opposite of trace_scope_get()
 * @scope: the same
 *
 * May sleep.
 */
void trace_scope_put(struct trace_scope *scope)
{
	guard(mutex)(&trace_registry_lock);
	WARN_ON_ONCE(!scope->tr->ref);
	scope->tr->ref--;
}

/**
 * trace_scope_open - the open() of control files that need no more than their scope
 * @inode: the file's
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
 * @inode: the file's
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
 * trace_array_reset - forget what was recorded
 * @tr: the instance
 *
 * May sleep. Recording goes on afterwards.
 */
void trace_array_reset(struct trace_array *tr)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;

	ring_buffer_reset(buffer);
	tr->array_buffer.time_start = ring_buffer_time_stamp(buffer);
}

/**
 * trace_array_reset_cpu - forget what one CPU recorded
 * @tr: the instance
 * @cpu: or RING_BUFFER_ALL_CPUS
 *
 * May sleep.
 */
void trace_array_reset_cpu(struct trace_array *tr, int cpu)
{
	if (cpu == RING_BUFFER_ALL_CPUS)
		trace_array_reset(tr);
	else
		ring_buffer_reset_cpu(tr->array_buffer.buffer, cpu);
}

/**
 * trace_shown_get - begin to read what `trace` shows of an instance
 * @tr: the instance
 *
 * May sleep.
 *
 * Return: its buffer, or the one that its latency tracer keeps; to be given to
 * trace_shown_put().
 */
struct array_buffer *trace_shown_get(struct trace_array *tr)
{
	struct array_buffer *kept = trace_latency_active(tr) ? trace_latency_get(tr) : NULL;

	return kept ?: &tr->array_buffer;
}

/**
 * trace_shown_put - the opposite
 * @array: from trace_shown_get()
 *
 * May sleep.
 */
void trace_shown_put(struct array_buffer *array)
{
	if (array != &array->tr->array_buffer)
		trace_latency_put(array);
}

/**
 * trace_shown_reset - clear what `trace` shows
 * @tr: the instance
 * @cpu: of this CPU, or RING_BUFFER_ALL_CPUS
 *
 * May sleep.
 */
void trace_shown_reset(struct trace_array *tr, int cpu)
{
	struct array_buffer *array = trace_shown_get(tr);

	if (array == &tr->array_buffer) {
		/* What a snapshot was asked for is there until that is taken. */
		trace_snapshot_put(trace_snapshot_get(tr));
		trace_array_reset_cpu(tr, cpu);
	} else if (cpu == RING_BUFFER_ALL_CPUS) {
		ring_buffer_reset(array->buffer);
		trace_latency_forget(array);
	} else {
		ring_buffer_reset_cpu(array->buffer, cpu);
	}
	trace_shown_put(array);
}

/**
 * trace_array_set_on - tracing_on
 * @tr: the instance
 * @on: what it is to be
 *
 * May sleep; the caller holds tr->lock.
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
		/* Who waits for what is mapped is told that it may be long; the others go on. */
		ring_buffer_wake_waiters(buffer, RING_BUFFER_ALL_CPUS);
	}
}
