// SPDX-License-Identifier: GPL-2.0
/*
 * open(), read() and write() of control files below events/: struct event_control.
 *
 * All instances have the same directories for events and systems. So a file does not refer to its
 * instance; open() finds it by the directory that events/ is in.
 */
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../core/entries.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "events.h"
#include "files.h"

static const struct event_control *event_file_control(const struct file *file)
{
	return container_of(file->f_op, struct event_control, fops);
}

/* The target of an open file, which a seq_file keeps if the file can be read. */
static struct event_target *event_file_target(const struct file *file)
{
	if (!(file->f_mode & FMODE_READ))
		return file->private_data;
	return ((struct seq_file *)file->private_data)->private;
}

/* The directory of the instance that @file belongs to: the one that has events/. */
static struct dentry *event_file_dir(const struct file *file)
{
	static const unsigned int depths[] = {
		[EVENT_FILE_ALL]	= 1,
		[EVENT_FILE_SYSTEM]	= 2,
		[EVENT_FILE_EVENT]	= 3,
		[EVENT_FILE_ENTRY]	= 3,
	};
	struct dentry *dir = file->f_path.dentry->d_parent;
	unsigned int depth = depths[event_file_control(file)->level];

	while (depth--)
		dir = dir->d_parent;
	return dir;
}

static struct trace_array *event_file_instance(const struct file *file)
{
	const struct dentry *dir = event_file_dir(file);
	struct trace_array *tr;

	lockdep_assert_held(&trace_registry_lock);
	list_for_each_entry(tr, &trace_arrays, list) {
		if (tr->name ? tr->scopes[0].dir == dir : IS_ROOT(dir))
			return tr;
	}
	return NULL;
}

static int event_target_get_instance(struct event_target *target, const struct file *file)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	if (err)
		return err;
	guard(mutex)(&trace_registry_lock);
	target->tr = event_file_instance(file);
	if (!target->tr)
		return -ENODEV;
	target->tr->ref++;
	return 0;
}

static void event_target_put(struct event_target *target)
{
	if (target->tr)
		trace_scope_put(&target->tr->scopes[0]);
	kfree(target);
}

/* Markers are the only type of entries that has files of an event. */
static struct trace_event_call *event_target_call(unsigned int number)
{
	return number == TRACE_PRINT ? &trace_marker_call : trace_event_by_number(number);
}

/* Find the event or the system of a file. Return: 0; -ENODEV if it was removed. */
static int event_target_find(struct event_target *target, enum event_file_level level)
{
	lockdep_assert_held(&trace_event_mutex);
	if (level == EVENT_FILE_SYSTEM)
		return target->system->events ? 0 : -ENODEV;
	if (level == EVENT_FILE_EVENT) {
		target->call = event_target_call(target->number);
		return target->call ? 0 : -ENODEV;
	}
	return 0;
}

/* Is the instance of an open file still there? Return: 0 or -ENODEV. */
static int event_target_has_instance(const struct event_target *target, const struct file *file)
{
	if (target->tr)
		return 0;
	guard(mutex)(&trace_registry_lock);
	return event_file_instance(file) ? 0 : -ENODEV;
}

static int event_control_show(struct seq_file *m, void *unused)
{
	const struct event_control *control = event_file_control(m->file);
	struct event_target *target = m->private;
	int err = event_target_has_instance(target, m->file);

	if (err)
		return err;
	guard(mutex)(&trace_event_mutex);
	err = event_target_find(target, control->level);
	return err ?: control->show(m, target);
}

static int event_target_open(struct event_target *target, struct inode *inode, struct file *file)
{
	const struct event_control *control = event_file_control(file);
	int err = 0;

	if (control->level == EVENT_FILE_SYSTEM)
		target->system = inode->i_private;
	else if (control->level >= EVENT_FILE_EVENT)
		target->number = (unsigned long)inode->i_private;
	scoped_guard(mutex, &trace_event_mutex)
		err = event_target_find(target, control->level);
	if (!err && !control->shared)
		err = event_target_get_instance(target, file);
	if (err)
		return err;
	if (file->f_mode & FMODE_READ)
		return single_open(file, event_control_show, target);
	file->private_data = target;
	return 0;
}

/**
 * trace_event_control_open - open() of a struct event_control
 * @inode: inode of the file
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0; -ENODEV if the event or system of the file was removed; -EPERM if the kernel is locked
 * down; -ENOMEM.
 */
int trace_event_control_open(struct inode *inode, struct file *file)
{
	struct event_target *target = kzalloc(sizeof(*target), GFP_KERNEL);
	int err;

	if (!target)
		return -ENOMEM;
	err = event_target_open(target, inode, file);
	if (err)
		event_target_put(target);
	return err;
}

/**
 * trace_event_control_release - release() of a struct event_control
 * @inode: inode of the file
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int trace_event_control_release(struct inode *inode, struct file *file)
{
	event_target_put(event_file_target(file));
	return file->f_mode & FMODE_READ ? single_release(inode, file) : 0;
}

/**
 * trace_event_control_write - write() of a struct event_control
 * @file: the file
 * @ubuf: the text in user space
 * @count: length of the text in bytes
 * @ppos: position in the file, which is advanced
 *
 * Context: process context, may sleep.
 * Return: @count, or negative errno: -EINVAL if the text is too long or the file cannot be written,
 * -ENODEV if the event or system of the file was removed, -EFAULT, -ENOMEM, or store()'s errno.
 */
ssize_t trace_event_control_write(struct file *file, const char __user *ubuf, size_t count,
				  loff_t *ppos)
{
	const struct event_control *control = event_file_control(file);
	struct event_target *target = event_file_target(file);
	int err;

	if (!control->store || count >= PAGE_SIZE)
		return -EINVAL;

	char *text __free(kfree) = memdup_user_nul(ubuf, count);

	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));
	scoped_guard(mutex, &trace_event_mutex)
		err = event_target_find(target, control->level) ?: control->store(target, text);
	if (err)
		return err;
	*ppos += count;
	return count;
}

TRACE_README(events_readme, 600,
	"Trace events\n"
	"  available_events	all that there are, as SYSTEM:EVENT\n"
	"  set_event		those that are on: SYSTEM:EVENT, SYSTEM: or NAME; ! switches off\n"
	"			Can enable module events via: :mod:<module>\n"
	"  events/SYSTEM/EVENT/	enable: 1 or 0; format: the fields of its records\n"
	"			filter: which records, as in FIELD == 1 && NAME ~ \"a*\"\n"
	"			trigger: COMMAND[:SYSTEM:EVENT][:COUNT][ if FILTER];\n"
	"			!COMMAND removes it; it lists the commands\n"
	"  show_event_filters	all filters\n"
	"  show_event_triggers	all triggers, also those of markers: events/ftrace/print\n"
	"  set_event_pid		events of these tasks only\n"
	"  set_event_notrace_pid	never of these\n"
	"			option event-fork: and of their children\n");
