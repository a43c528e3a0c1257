// SPDX-License-Identifier: GPL-2.0
/*
 * Control files: one registry of tables, from which every instance's directory is
 * made, and the open, read and write that the files of short text share.
 *
 * Files appear when tracefs does; tables registered before wait for that, those
 * registered later get their files at once. Nothing here knows what a file does.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/mount.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>

#include "internal.h"

static LIST_HEAD(tables);
static bool tracefs_is_up;

/*
 * What creates files goes on behind one that could not be created, for the top
 * instance has to do without; and says so in the end, for others need not be.
 */
static int trace_file_create_in(const struct trace_file *file, struct trace_scope *scope,
				struct dentry *dir)
{
	bool has_dir = dir || scope->cpu == RING_BUFFER_ALL_CPUS;
	struct dentry *dentry = NULL;

	if (has_dir)
		dentry = tracefs_create_file(file->name, file->mode, dir, scope, file->fops);
	if (IS_ERR_OR_NULL(dentry)) {
		pr_warn("tracing: cannot create file %s\n", file->name);
		return -ENOMEM;
	}
	if (file->made)
		file->made(scope->tr, dentry);
	return 0;
}

static int trace_file_create(const struct trace_file *file, struct trace_scope *scope)
{
	return trace_file_create_in(file, scope, scope->dir);
}

static int trace_row_create(const struct trace_file *file, struct trace_array *tr)
{
	int cpu, err = 0;

	if (file->where == TRACE_FILE_TOP && tr->name)
		return 0;
	if (file->where != TRACE_FILE_CPU)
		return trace_file_create(file, &tr->scopes[0]);
	for_each_possible_cpu(cpu)
		err = trace_file_create(file, &tr->scopes[1 + cpu]) ?: err;
	return err;
}

static struct dentry *trace_dir_create(const char *name, struct dentry *parent)
{
	struct dentry *dir = tracefs_create_dir(name, parent);

	if (!IS_ERR_OR_NULL(dir))
		return dir;
	pr_warn("tracing: cannot create directory %s\n", name);
	return NULL;
}

/* A table with a directory of its own, of the top instance's. */
static int trace_table_create_dir(const struct trace_file_table *table, struct trace_array *tr)
{
	struct dentry *dir;
	unsigned int i;
	int err = 0;

	if (tr->name)
		return 0;
	dir = trace_dir_create(table->dir, tr->scopes[0].dir);
	if (!dir)
		return -ENOMEM;
	for (i = 0; i < table->nr; i++)
		err = trace_file_create_in(&table->rows[i], &tr->scopes[0], dir) ?: err;
	return err;
}

static int trace_table_create(const struct trace_file_table *table, struct trace_array *tr)
{
	unsigned int i;
	int err = 0;

	if (table->dir)
		return trace_table_create_dir(table, tr);
	for (i = 0; i < table->nr; i++)
		err = trace_row_create(&table->rows[i], tr) ?: err;
	return err;
}

static int trace_cpu_dirs_create(struct trace_array *tr)
{
	struct dentry *dir = trace_dir_create("per_cpu", tr->scopes[0].dir);
	int cpu, err = 0;
	char name[16];

	if (!dir)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%d", cpu);
		tr->scopes[1 + cpu].dir = trace_dir_create(name, dir);
		if (!tr->scopes[1 + cpu].dir)
			err = -ENOMEM;
	}
	return err;
}

/**
 * trace_files_create - make all files of an instance
 * @tr: the instance; scopes[0].dir is where
 *
 * May sleep; the caller holds trace_registry_lock.
 *
 * Return: 0, or -ENOMEM if some could not be made.
 */
int trace_files_create(struct trace_array *tr)
{
	struct trace_file_table *table;
	int err;

	err = trace_cpu_dirs_create(tr);
	tr->options_dir = trace_dir_create("options", tr->scopes[0].dir);
	err = trace_options_create(tr) ?: err;
	err = trace_event_dir_create(tr) ?: err;
	list_for_each_entry(table, &tables, list)
		err = trace_table_create(table, tr) ?: err;
	return err;
}

/**
 * trace_files_register - add control files to all instances
 * @table: stays for good
 *
 * Boot; may sleep. There is nothing to be done about a file that cannot be created
 * but to say so, which this does.
 */
void __init trace_files_register(struct trace_file_table *table)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	list_add_tail(&table->list, &tables);
	if (!tracefs_is_up)
		return;
	list_for_each_entry(tr, &trace_arrays, list) {
		/* One without a directory has no files. */
		if (!tr->name || tr->scopes[0].dir)
			trace_table_create(table, tr);
	}
}

static struct vfsmount *trace_automount(struct dentry *mountpoint, void *unused)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *mnt;

	if (!type)
		return NULL;
	mnt = vfs_submount(mountpoint, type, "tracefs", NULL);
	put_filesystem(type);
	if (IS_ERR(mnt))
		return NULL;
	mntget(mnt);
	return mnt;
}

/**
 * trace_files_remove - the opposite of trace_files_create()
 * @tr: the instance, which nobody uses; with its directory
 *
 * May sleep; the caller holds trace_registry_lock.
 */
void trace_files_remove(struct trace_array *tr)
{
	unsigned int i;

	trace_event_dir_remove(tr);
	tracefs_remove(tr->scopes[0].dir);
	tr->options_dir = NULL;
	for (i = 0; i <= nr_cpu_ids; i++)
		tr->scopes[i].dir = NULL;
}

static int __init trace_files_init(void)
{
	if (!tracefs_initialized() || !trace_top)
		return 0;
	/* Where it was before it had a mount point of its own. */
	debugfs_create_automount("tracing", NULL, trace_automount, NULL);

	guard(mutex)(&trace_registry_lock);
	tracefs_is_up = true;
	trace_files_create(trace_top);
	trace_instances_init_dirs();
	return 0;
}
fs_initcall(trace_files_init);

/*
 * Files of short text
 */

static const struct trace_control *file_control(const struct file *file)
{
	return container_of(file->f_op, struct trace_control, fops);
}

static int trace_control_show(struct seq_file *m, void *unused)
{
	return file_control(m->file)->show(m, m->private);
}

/**
 * trace_control_open - open() of a struct trace_control
 * @inode: the file's, whose i_private is a struct trace_scope
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0 or negative errno, see trace_scope_get().
 */
int trace_control_open(struct inode *inode, struct file *file)
{
	int err = trace_scope_get(inode->i_private);

	if (err)
		return err;
	if (!(file->f_mode & FMODE_READ))
		return 0;
	err = single_open(file, trace_control_show, inode->i_private);
	if (err)
		trace_scope_put(inode->i_private);
	return err;
}

/**
 * trace_file_lseek - llseek() of files that are a seq_file only for readers
 * @file: the file
 * @offset: see seq_lseek()
 * @whence: see seq_lseek()
 *
 * Context: process context, may sleep.
 * Return: the new position, or -EINVAL as seq_lseek() says; always 0 if the file is open for
 * writing alone.
 */
loff_t trace_file_lseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	file->f_pos = 0;
	return 0;
}

/**
 * trace_write_ignored - write() of files that opening has cleared already
 * @file: the file
 * @ubuf: not looked at, as in echo > trace
 * @count: its length
 * @ppos: stays
 *
 * Context: process context.
 * Return: @count.
 */
ssize_t trace_write_ignored(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	return count;
}

/**
 * trace_control_release - release() of a struct trace_control
 * @inode: the file's
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int trace_control_release(struct inode *inode, struct file *file)
{
	trace_scope_put(inode->i_private);
	return file->f_mode & FMODE_READ ? single_release(inode, file) : 0;
}

/**
 * trace_control_write - write() of a struct trace_control
 * @file: the file
 * @ubuf: the text
 * @count: its length
 * @ppos: of the file
 *
 * Context: process context, may sleep.
 * Return: @count, or negative errno, the store()'s among them.
 */
ssize_t trace_control_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	const struct trace_control *control = file_control(file);
	int err;

	if (!control->store || count >= (control->max ?: PAGE_SIZE))
		return -EINVAL;

	char *text __free(kfree) = memdup_user_nul(ubuf, count);

	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));
	err = control->store(trace_file_scope(file), text);
	if (err)
		return err;
	*ppos += count;
	return count;
}
