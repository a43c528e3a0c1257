// SPDX-License-Identifier: GPL-2.0
/*
 * Making and removing instances: by mkdir and rmdir in the directory instances/, by calls in the
 * kernel, and by the command line (instance_boot.c).
 *
 * A user of an instance holds a reference: an open file, or a caller of trace_array_get_by_name().
 * An instance with references is not removed. References are taken under trace_registry_lock and
 * only to instances in the list, and an instance leaves the list under that lock. So no user can
 * get a reference to an instance that is being removed.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/trace.h>
#include <linux/tracefs.h>

#include "error_log.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"

/* Default of buffer_percent: the percentage that must be full before blocked readers are woken. */
#define BUFFER_PERCENT_DEFAULT	50

/* NULL before tracefs exists: trace_instances_dir_create() makes the files of older instances. */
static struct dentry *instances_dir;

/* Free @tr, if not NULL. It is not in the list, its tracer is nop, and nothing records into it. */
static void trace_array_free(struct trace_array *tr)
{
	if (!tr)
		return;
	trace_array_detach_tracers(tr);
	trace_snapshots_free(tr);
	trace_latency_free(tr);
	trace_errors_free(tr);
	if (tr->array_buffer.buffer)
		ring_buffer_free(tr->array_buffer.buffer);
	free_cpumask_var(tr->cpumask);
	kfree(tr->systems);
	kfree(tr->name);
	kfree(tr);
}

DEFINE_FREE(trace_array, struct trace_array *, trace_array_free(_T))

/* Allocate an instance in its initial state. The caller adds it to the list. */
static struct trace_array *trace_array_alloc(const char *name, const char *systems)
{
	struct trace_array *tr __free(trace_array) =
		kzalloc(struct_size(tr, scopes, nr_cpu_ids + 1), GFP_KERNEL);
	int i;

	if (!tr)
		return NULL;
	INIT_LIST_HEAD(&tr->list);
	INIT_LIST_HEAD(&tr->tracers);
	mutex_init(&tr->lock);
	trace_mapping_init(&tr->mapping);
	for (i = 0; i <= nr_cpu_ids; i++) {
		tr->scopes[i].tr = tr;
		tr->scopes[i].cpu = i ? i - 1 : RING_BUFFER_ALL_CPUS;
	}
	if (trace_snapshots_init(tr) || trace_latency_init(tr))
		return NULL;
	tr->name = kstrdup(name, GFP_KERNEL);
	tr->systems = kstrdup(systems, GFP_KERNEL);
	if ((name && !tr->name) || (systems && !tr->systems))
		return NULL;
	tr->options = trace_options_default(NULL);
	tr->size = trace_buffer_size;
	tr->buffer_percent = BUFFER_PERCENT_DEFAULT;
	tr->array_buffer.tr = tr;
	tr->array_buffer.view.cpu = RING_BUFFER_ALL_CPUS;
	if (!alloc_cpumask_var(&tr->cpumask, GFP_KERNEL))
		return NULL;
	cpumask_copy(tr->cpumask, cpu_possible_mask);

	tr->array_buffer.buffer = ring_buffer_alloc(SIZE_BEFORE_USE, RB_FL_OVERWRITE);
	if (!tr->array_buffer.buffer || trace_array_attach_tracers(tr))
		return NULL;
	return_ptr(tr);
}

/**
 * trace_array_init_top - make the instance that is always there
 *
 * Context: early boot, before there is a second task.
 * Return: 0 or -ENOMEM.
 */
int __init trace_array_init_top(void)
{
	struct trace_array *tr = trace_array_alloc(NULL, NULL);

	if (!tr)
		return -ENOMEM;
	list_add(&tr->list, &trace_arrays);
	WRITE_ONCE(trace_top, tr);
	return 0;
}

/*
 * Callbacks of subsystems that keep data for each instance
 */

static LIST_HEAD(instance_ops);

/**
 * trace_instance_register - register callbacks for instances that are created or removed
 * @ops: the callbacks; must never be freed
 *
 * Calls create() for all existing instances before it returns, or until one fails.
 *
 * Context: initcalls up to core_initcall(): before an instance has a directory.
 * Return: 0; or -errno of a create(), and then @ops is not registered, and destroy() was called for
 * all existing instances, also for those that create() was not called for.
 */
int __init trace_instance_register(struct trace_instance_ops *ops)
{
	struct trace_array *tr;
	int err = 0;

	guard(mutex)(&trace_registry_lock);
	list_for_each_entry(tr, &trace_arrays, list) {
		if (!err && ops->create)
			err = ops->create(tr);
	}
	if (!err) {
		list_add_tail(&ops->list, &instance_ops);
		return 0;
	}
	list_for_each_entry(tr, &trace_arrays, list) {
		if (ops->destroy)
			ops->destroy(tr);
	}
	return err;
}

static int instance_call_create(struct trace_array *tr)
{
	struct trace_instance_ops *ops;
	int err = 0;

	list_for_each_entry(ops, &instance_ops, list) {
		if (!err && ops->create)
			err = ops->create(tr);
	}
	return err;
}

/* Make all files of @tr. After an error, go on with the next file, as trace_files_create() does. */
static int instance_create_files(struct trace_array *tr)
{
	struct trace_instance_ops *ops;
	int err = trace_files_create(tr);

	err = trace_options_create(tr) ?: err;
	list_for_each_entry(ops, &instance_ops, list) {
		if (ops->create_files)
			err = ops->create_files(tr) ?: err;
	}
	return err;
}

/* A subsystem may use subsystems that were registered before it, so the last is called first. */
static void instance_call_destroy(struct trace_array *tr)
{
	struct trace_instance_ops *ops;

	list_for_each_entry_reverse(ops, &instance_ops, list) {
		if (ops->destroy)
			ops->destroy(tr);
	}
	trace_files_remove(tr);
	trace_options_end(tr);
}

/**
 * trace_array_find - find an instance
 * @name: its directory in instances/
 *
 * Context: trace_registry_lock held, or an RCU reader.
 * Return: the instance, or NULL.
 */
struct trace_array *trace_array_find(const char *name)
{
	struct trace_array *tr;

	list_for_each_entry_rcu(tr, &trace_arrays, list, lockdep_is_held(&trace_registry_lock)) {
		if (tr->name && !strcmp(tr->name, name))
			return tr;
	}
	return NULL;
}

static int trace_array_create_dir(struct trace_array *tr)
{
	struct dentry *dir = tracefs_create_dir(tr->name, instances_dir);

	if (IS_ERR_OR_NULL(dir))
		return -EINVAL;
	tr->scopes[0].dir = dir;
	return instance_create_files(tr);
}

/**
 * trace_array_create - add an instance
 * @name: its directory in instances/
 * @systems: systems whose trace events it has; NULL: all
 *
 * Context: may sleep; trace_registry_lock held.
 * Return: the instance; -EEXIST if an instance has this name; -EINVAL if no directory can have this
 * name, or if the directory cannot be made; -ENOMEM; -ENODEV if there is no top instance.
 */
struct trace_array *trace_array_create(const char *name, const char *systems)
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
	tr = trace_array_alloc(name, systems);
	if (!tr)
		return ERR_PTR(-ENOMEM);
	trace_options_inherit(tr);
	err = instance_call_create(tr);
	if (!err && instances_dir)
		err = trace_array_create_dir(tr);
	if (err) {
		instance_call_destroy(tr);
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
	instance_call_destroy(tr);
	trace_printk_leave(tr);
	/* A dump may have found the instance before it left the list. */
	trace_synchronize();
	trace_array_free(tr);
	return 0;
}

static int instance_mkdir(const char *name)
{
	guard(mutex)(&trace_registry_lock);
	return PTR_ERR_OR_ZERO(trace_array_create(name, NULL));
}

static int instance_rmdir(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	tr = trace_array_find(name);
	return tr ? trace_array_remove(tr) : -ENODEV;
}

static void __init trace_instances_dir_create(void)
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

/* Called when tracefs exists. The code that makes a file prints a warning if it fails. */
static int __init trace_instances_open(void)
{
	if (!tracefs_initialized() || !trace_top)
		return 0;
	guard(mutex)(&trace_registry_lock);
	trace_files_begin();
	instance_create_files(trace_top);
	trace_instances_dir_create();
	return 0;
}
fs_initcall(trace_instances_open);

/*
 * From within the kernel
 */

/**
 * trace_array_get_by_name - find an instance, or make it
 * @name: its directory in instances/
 * @systems: used only if the instance is created: names of the event systems that it gets,
 *	separated by commas or blanks; NULL: all systems
 *
 * Context: may sleep.
 * Return: the instance, with a reference that trace_array_put() drops; NULL if there is none and it
 * cannot be made.
 */
struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	tr = trace_array_find(name);
	if (!tr)
		tr = trace_array_create(name, systems);
	if (IS_ERR(tr))
		return NULL;
	tr->ref++;
	return tr;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_find_get - find an instance, and take a reference
 * @name: its directory in instances/; NULL: the top instance
 *
 * Context: may sleep.
 * Return: the instance, with a reference that trace_array_put() drops; NULL if there is none.
 */
struct trace_array *trace_array_find_get(const char *name)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	tr = name ? trace_array_find(name) : trace_top;
	if (tr)
		tr->ref++;
	return tr;
}

/**
 * trace_array_has_system - does an instance have the trace events of a system?
 * @tr: the instance
 * @system: name of the system
 *
 * Context: any.
 * Return: true if it does.
 */
bool trace_array_has_system(const struct trace_array *tr, const char *system)
{
	static const char separators[] = ", \t\n";
	const char *word = tr->systems;
	size_t len;

	if (!word)
		return true;
	for (; *word; word += len) {
		word += strspn(word, separators);
		len = strcspn(word, separators);
		if (len == strlen(system) && !strncmp(word, system, len))
			return true;
	}
	return false;
}

/**
 * trace_array_put - the opposite of trace_array_get_by_name()
 * @tr: the instance, which is not removed by this. NULL does nothing.
 *
 * Context: may sleep.
 */
void trace_array_put(struct trace_array *tr)
{
	if (tr)
		trace_scope_put(&tr->scopes[0]);
}
EXPORT_SYMBOL_GPL(trace_array_put);

/**
 * trace_array_destroy - remove an instance
 * @tr: from trace_array_get_by_name(), after trace_array_put(); it may have been removed already
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for NULL; -ENODEV if it was removed already, or is the top instance; -EBUSY
 * while it has references or open files.
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
