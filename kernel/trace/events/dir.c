// SPDX-License-Identifier: GPL-2.0
/*
 * The directory events/ of an instance: files for all events, a directory for each system, and in
 * it one for each event. The directories of a system's events are made at the first look-up in the
 * system's directory.
 */
#include <linux/err.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/tracefs.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "events.h"
#include "files.h"
#include "match.h"

static int event_header_print(struct seq_file *m, int (*print)(struct trace_buffer *buffer,
							       struct trace_seq *s),
			      struct trace_buffer *buffer)
{
	struct trace_seq *s __free(kfree) = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	trace_seq_init(s);
	print(buffer, s);
	trace_print_seq(m, s);
	return 0;
}

static int event_header_page_show(struct seq_file *m, struct trace_scope *scope)
{
	return event_header_print(m, ring_buffer_print_page_header, scope->tr->array_buffer.buffer);
}

static struct trace_control event_header_page = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= event_header_page_show,
};

static int event_print_entry_header(struct trace_buffer *unused, struct trace_seq *s)
{
	return ring_buffer_print_entry_header(s);
}

static int event_header_event_show(struct seq_file *m, struct trace_scope *scope)
{
	return event_header_print(m, event_print_entry_header, NULL);
}

static struct trace_control event_header_event = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= event_header_event_show,
};

/*
 * Files. tracefs calls the functions *_describe(), with its locks held, when a file is looked up.
 */

#define DESCRIBE(file, file_mode, control)						\
static int file##_describe(const char *name, umode_t *mode, void **data,		\
			   const struct file_operations **fops)				\
{											\
	*mode = file_mode;								\
	*fops = &(control).fops;							\
	return 1;									\
}

DESCRIBE(all_enable, TRACE_MODE_WRITE, trace_event_enable_all)
DESCRIBE(all_header_page, TRACE_MODE_READ, event_header_page)
DESCRIBE(all_header_event, TRACE_MODE_READ, event_header_event)
DESCRIBE(event_enable, TRACE_MODE_WRITE, trace_event_enable)
DESCRIBE(event_filter, TRACE_MODE_WRITE, trace_event_filter)
DESCRIBE(event_trigger, TRACE_MODE_WRITE, trace_event_trigger)
DESCRIBE(event_format, TRACE_MODE_READ, trace_event_format)
#ifdef CONFIG_PERF_EVENTS
DESCRIBE(event_id, TRACE_MODE_READ, trace_event_id)
#endif
#ifdef CONFIG_TRACE_EVENT_INJECT
DESCRIBE(event_inject, 0200, trace_event_inject)
#endif

static const struct eventfs_entry event_all_files[] = {
	{ .name = "enable", .callback = all_enable_describe },
	{ .name = "header_page", .callback = all_header_page_describe },
	{ .name = "header_event", .callback = all_header_event_describe },
};

static const struct eventfs_entry event_files[] = {
	{ .name = "enable", .callback = event_enable_describe },
	{ .name = "filter", .callback = event_filter_describe },
	{ .name = "format", .callback = event_format_describe },
	{ .name = "trigger", .callback = event_trigger_describe },
#ifdef CONFIG_PERF_EVENTS
	{ .name = "id", .callback = event_id_describe },
#endif
#ifdef CONFIG_TRACE_EVENT_INJECT
	{ .name = "inject", .callback = event_inject_describe },
#endif
};

/**
 * struct event_system_dir - the directory of a system in an instance
 * @list: in trace_event_instance::systems
 * @system: the system
 * @tr: the instance; NULL after the directory was removed
 * @dir: its directory
 * @filled: the directories of its events are there
 */
struct event_system_dir {
	struct list_head		list;
	struct trace_event_system	*system;
	struct trace_array		*tr;
	struct eventfs_inode		*dir;
	bool				filled;
};

#define DESCRIBE_OF_SYSTEM(file, file_mode, control)					\
static int file##_describe(const char *name, umode_t *mode, void **data,		\
			   const struct file_operations **fops)				\
{											\
	const struct event_system_dir *system = *data;					\
											\
	*mode = file_mode;								\
	*fops = &(control).fops;							\
	*data = system->system;								\
	return 1;									\
}

DESCRIBE_OF_SYSTEM(system_enable, TRACE_MODE_WRITE, trace_event_enable_system)
DESCRIBE_OF_SYSTEM(system_filter, TRACE_MODE_WRITE, trace_event_filter_system)

/* tracefs calls this when the last reference to the directory is dropped. */
static void system_dir_release(const char *name, void *data)
{
	kfree(data);
}

static const struct eventfs_entry event_system_files[] = {
	{
		.name		= "enable",
		.callback	= system_enable_describe,
		.release	= system_dir_release,
	},
	{ .name = "filter", .callback = system_filter_describe },
};

static int event_dir_create(struct event_system_dir *system, struct trace_event_call *call)
{
	struct xarray *dirs = &system->tr->events->dirs;
	unsigned long number = call->event.type;
	struct eventfs_inode *dir;
	int err;

	if (xa_load(dirs, number))
		return 0;
	dir = eventfs_create_dir(trace_event_name(call), system->dir, event_files,
				 ARRAY_SIZE(event_files), (void *)number);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	err = xa_err(xa_store(dirs, number, dir, GFP_KERNEL));
	if (err)
		eventfs_remove_dir(dir);
	return err;
}

/* tracefs calls this at the first look-up in the directory. */
static int system_dir_fill(struct eventfs_inode *dir, void *data)
{
	struct event_system_dir *system = data;
	struct trace_event_call *call;
	int err;

	guard(mutex)(&trace_event_mutex);
	if (!system->tr)
		return -ENOENT;
	list_for_each_entry(call, &trace_event_calls, list) {
		if (strcmp(call->class->system, system->system->name))
			continue;
		err = event_dir_create(system, call);
		if (err)
			return err;
	}
	system->filled = true;
	return 0;
}

static struct event_system_dir *system_dir_find(const struct trace_array *tr,
						const struct trace_event_system *system)
{
	struct event_system_dir *dir;

	list_for_each_entry(dir, &tr->events->systems, list) {
		if (dir->system == system)
			return dir;
	}
	return NULL;
}

static int system_dir_create(struct trace_array *tr, struct trace_event_system *system)
{
	struct event_system_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int err;

	if (!dir)
		return -ENOMEM;
	dir->system = system;
	dir->tr = tr;
	dir->dir = eventfs_create_lazy_dir(system->name, tr->events->dir, event_system_files,
					   ARRAY_SIZE(event_system_files), dir, system_dir_fill);
	if (IS_ERR(dir->dir)) {
		err = PTR_ERR(dir->dir);
		kfree(dir);
		return err;
	}
	list_add(&dir->list, &tr->events->systems);
	return 0;
}

static void system_dir_remove(struct event_system_dir *system)
{
	list_del(&system->list);
	system->tr = NULL;
	eventfs_remove_dir(system->dir);
}

/* Make the directory of an event in an instance that has it and has directories. */
static int event_dir_add(struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_system *system = trace_event_system_find(call->class->system);
	struct event_system_dir *dir;

	if (!tr->events->dir || !trace_array_has_event(tr, call))
		return 0;
	dir = system_dir_find(tr, system);
	if (!dir)
		return system_dir_create(tr, system);
	return dir->filled ? event_dir_create(dir, call) : 0;
}

/**
 * trace_event_dirs_add - make the directories of an event in all instances
 * @call: the event, which is registered
 *
 * Context: may sleep; trace_registry_lock and trace_event_mutex held.
 */
void trace_event_dirs_add(struct trace_event_call *call)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &trace_arrays, list) {
		if (event_dir_add(tr, call))
			pr_warn("tracing: cannot create directory events/%s/%s\n",
				call->class->system, trace_event_name(call));
	}
}

/**
 * trace_event_dirs_remove - remove the directories of a module's event in all instances
 * @call: the event, which is still registered
 *
 * Context: may sleep; trace_registry_lock and trace_event_mutex held.
 */
void trace_event_dirs_remove(struct trace_event_call *call)
{
	struct trace_event_system *system = trace_event_system_find(call->class->system);
	struct event_system_dir *dir;
	struct trace_array *tr;

	list_for_each_entry(tr, &trace_arrays, list) {
		eventfs_remove_dir(xa_erase(&tr->events->dirs, call->event.type));
		/* Its last event? */
		dir = system->events == 1 ? system_dir_find(tr, system) : NULL;
		if (dir)
			system_dir_remove(dir);
	}
}

/*
 * Instances
 */

static int events_create(struct trace_array *tr)
{
	struct trace_event_instance *events = kzalloc(sizeof(*events), GFP_KERNEL);

	if (!events || trace_event_pids_create(tr, events)) {
		kfree(events);
		return -ENOMEM;
	}
	events->syscall_user_size = CONFIG_TRACE_SYSCALL_BUF_SIZE_DEFAULT;
	xa_init(&events->files);
	xa_init(&events->dirs);
	INIT_LIST_HEAD(&events->systems);
	INIT_LIST_HEAD(&events->modules);
	tr->events = events;
	return 0;
}

static int events_create_dirs(struct trace_array *tr)
{
	struct trace_event_system *system;
	struct eventfs_inode *dir;
	int err;

	dir = eventfs_create_events_dir("events", tr->scopes[0].dir, event_all_files,
					ARRAY_SIZE(event_all_files), &tr->scopes[0]);
	if (IS_ERR_OR_NULL(dir)) {
		pr_warn("tracing: cannot create directory events\n");
		return -ENOMEM;
	}
	guard(mutex)(&trace_event_mutex);
	tr->events->dir = dir;
	err = trace_array_has_system(tr, "ftrace") ? trace_entry_formats_create(dir) : 0;
	list_for_each_entry(system, &trace_event_systems, list) {
		if (system->events && trace_array_has_system(tr, system->name))
			err = system_dir_create(tr, system) ?: err;
	}
	if (err)
		pr_warn("tracing: cannot create all directories of events\n");
	return err;
}

static void events_remove_dirs(struct trace_event_instance *events)
{
	struct event_system_dir *dir, *next;

	list_for_each_entry_safe(dir, next, &events->systems, list)
		system_dir_remove(dir);
	if (events->dir)
		eventfs_remove_events_dir(events->dir);
	xa_destroy(&events->dirs);
}

static void events_destroy(struct trace_array *tr)
{
	struct trace_event_instance *events = tr->events;
	struct trace_event_file *file;
	unsigned long number;

	if (!events)
		return;
	guard(mutex)(&trace_event_mutex);
	events_remove_dirs(events);
	trace_event_wait_clear(tr);
	xa_for_each(&events->files, number, file)
		trace_event_file_end_triggers(file);
	trace_event_files_end(tr);
	trace_event_pids_destroy(tr);
	kfree(events);
	tr->events = NULL;
}

static struct trace_instance_ops events_ops = {
	.create		= events_create,
	.create_files	= events_create_dirs,
	.destroy	= events_destroy,
};

/**
 * trace_event_instances_init - keep the state of events in instances, from now on
 *
 * Context: boot, from trace_init().
 * Return: 0; -ENOMEM, and then there are no events.
 */
int __init trace_event_instances_init(void)
{
	int err = trace_instance_register(&events_ops);

	if (err)
		pr_err("tracing: no memory for trace events\n");
	return err;
}
