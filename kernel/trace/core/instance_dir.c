// SPDX-License-Identifier: GPL-2.0
/*
 * Instances come and go: by mkdir and rmdir in the directory instances/, from within
 * the kernel, and from the command line (instance_boot.c).
 *
 * Who uses an instance holds a reference: an open file of it, or a caller of
 * trace_array_get_by_name(). One that is referenced is not removed. References are
 * taken under trace_registry_lock and only to instances in the list, and an instance
 * leaves the list under it; so nobody gets hold of one that is being taken apart.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/trace.h>
#include <linux/tracefs.h>

#include "internal.h"

/* NULL as long as there is no tracefs: instances wait for it without files. */
static struct dentry *instances_dir;

static struct trace_array *trace_array_find(const char *name)
{
	struct trace_array *tr;

	lockdep_assert_held(&trace_registry_lock);
	list_for_each_entry(tr, &trace_arrays, list) {
		if (tr->name && !strcmp(tr->name, name))
			return tr;
	}
	return NULL;
}

static int trace_array_create_dir(struct trace_array *tr)
{
	struct dentry *dir = tracefs_create_dir(tr->name, instances_dir);
	int err;

	if (IS_ERR_OR_NULL(dir))
		return -EINVAL;
	tr->scopes[0].dir = dir;
	err = trace_files_create(tr);
	if (err)
		trace_files_remove(tr);
	return err;
}

/**
 * trace_array_create - add an instance
 * @name: its directory in instances/
 *
 * May sleep; the caller holds trace_registry_lock.
 *
 * Return: the instance; -EEXIST if there is one of that name, -EINVAL if there is no
 * directory of that name, -ENOMEM; -ENODEV if there is no top instance, either.
 */
struct trace_array *trace_array_create(const char *name)
{
	struct trace_array *tr;
	int err;

	lockdep_assert_held(&trace_registry_lock);
	if (!trace_top)
		return ERR_PTR(-ENODEV);
	if (!*name || strchr(name, '/'))
		return ERR_PTR(-EINVAL);
	if (trace_array_find(name))
		return ERR_PTR(-EEXIST);
	tr = trace_array_alloc(name);
	if (!tr)
		return ERR_PTR(-ENOMEM);
	trace_options_inherit(tr);
	err = instances_dir ? trace_array_create_dir(tr) : 0;
	if (err) {
		trace_options_end(tr);
		trace_array_free(tr);
		return ERR_PTR(err);
	}
	list_add_tail_rcu(&tr->list, &trace_arrays);
	return tr;
}

static int trace_array_remove(struct trace_array *tr)
{
	lockdep_assert_held(&trace_registry_lock);
	if (tr->ref)
		return -EBUSY;
	list_del_rcu(&tr->list);
	scoped_guard(mutex, &tr->lock)
		trace_array_end_tracer(tr);
	trace_latency_remove(tr);
	trace_files_remove(tr);
	trace_options_end(tr);
	trace_printk_leave(tr);
	/* A dump may have found it. */
	trace_synchronize();
	trace_array_free(tr);
	return 0;
}

static int instance_mkdir(const char *name)
{
	guard(mutex)(&trace_registry_lock);
	return PTR_ERR_OR_ZERO(trace_array_create(name));
}

static int instance_rmdir(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	tr = trace_array_find(name);
	return tr ? trace_array_remove(tr) : -ENODEV;
}

/**
 * trace_instances_init_dirs - tracefs is there: make instances/ and what is in it
 *
 * Context: boot; may sleep, trace_registry_lock held.
 */
void __init trace_instances_init_dirs(void)
{
	struct trace_array *tr;

	instances_dir = tracefs_create_instance_dir("instances", NULL, instance_mkdir,
						    instance_rmdir);
	if (IS_ERR_OR_NULL(instances_dir)) {
		instances_dir = NULL;
		pr_warn("tracing: cannot create directory instances\n");
		return;
	}
	list_for_each_entry(tr, &trace_arrays, list) {
		if (tr->name && trace_array_create_dir(tr))
			pr_warn("tracing: cannot create directory instances/%s\n", tr->name);
	}
}

/*
 * From within the kernel
 */

/**
 * trace_array_get_by_name - find an instance, or make it
 * @name: its directory in instances/
 * @systems: the trace events that it has, by system and separated by commas; NULL:
 *	all. There are no trace events yet.
 *
 * May sleep.
 *
 * Return: the instance, which stays until trace_array_put(); NULL if there is none
 * and it cannot be made.
 */
struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	tr = trace_array_find(name);
	if (!tr)
		tr = trace_array_create(name);
	if (IS_ERR(tr))
		return NULL;
	tr->ref++;
	return tr;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_put - the opposite of trace_array_get_by_name()
 * @tr: the instance; it stays until it is removed. NULL does nothing.
 *
 * May sleep.
 */
void trace_array_put(struct trace_array *tr)
{
	if (tr)
		trace_scope_put(&tr->scopes[0]);
}
EXPORT_SYMBOL_GPL(trace_array_put);

/**
 * trace_array_destroy - remove an instance
 * @tr: what trace_array_get_by_name() returned, after trace_array_put(); it may be
 *	gone already
 *
 * May sleep.
 *
 * Return: 0; -EINVAL for NULL; -ENODEV if it is gone, or the top instance; -EBUSY
 * while somebody holds a reference or has a file of it open.
 */
int trace_array_destroy(struct trace_array *tr)
{
	struct trace_array *other;

	if (!tr)
		return -EINVAL;
	guard(mutex)(&trace_registry_lock);
	list_for_each_entry(other, &trace_arrays, list) {
		if (other == tr && tr != trace_top)
			return trace_array_remove(tr);
	}
	return -ENODEV;
}
EXPORT_SYMBOL_GPL(trace_array_destroy);

/**
 * trace_array_set_clr_event - switch trace events of an instance
 * @tr: the instance
 * @system: of the event; NULL: any
 * @event: its name; NULL: all of @system
 * @enable: on or off
 *
 * There are no trace events yet.
 *
 * Context: process context.
 * Return: -ENOENT for no instance; -EINVAL, for there is no such event.
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable)
{
	return tr ? -EINVAL : -ENOENT;
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);
