// SPDX-License-Identifier: GPL-2.0
/*
 * Control files: a registry of tables, from which the directory of each instance is made.
 *
 * Tables that are registered before tracefs works get their files when it does, later ones get
 * their files at once. This file does not know what a control file does.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/mount.h>
#include <linux/tracefs.h>

#include "files.h"
#include "instance.h"
#include "internal.h"

static LIST_HEAD(tables);
static bool tracefs_is_up;

/*
 * If a file cannot be created, the functions below go on with the others: the top instance has to
 * work without the file. They return an error at the end, since other instances are then not made.
 */
static int trace_file_create(const struct trace_file *file, struct trace_scope *scope,
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
	if (file->created)
		file->created(scope->tr, dentry);
	return 0;
}

/* @dir: the table's directory; per_cpu/ is not in it */
static int trace_row_create(const struct trace_file *file, struct trace_array *tr,
			    struct dentry *dir)
{
	struct trace_scope *scope = tr->scopes;
	int cpu, err = 0;

	if (file->where == TRACE_FILE_TOP && tr->name)
		return 0;
	if (file->where != TRACE_FILE_CPU)
		return trace_file_create(file, scope, dir);
	for_each_possible_cpu(cpu)
		err = trace_file_create(file, &scope[1 + cpu], scope[1 + cpu].dir) ?: err;
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

static int trace_table_create(const struct trace_file_table *table, struct trace_array *tr)
{
	struct dentry *dir = tr->scopes[0].dir;
	unsigned int i;
	int err = 0;

	/* Only the top instance has tables with a directory of their own. */
	if (table->dir && tr->name)
		return 0;
	if (table->dir) {
		dir = trace_dir_create(table->dir, dir);
		if (!dir)
			return -ENOMEM;
	}
	for (i = 0; i < table->nr; i++)
		err = trace_row_create(&table->rows[i], tr, dir) ?: err;
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
 * @tr: the instance; scopes[0].dir is its directory
 *
 * Context: may sleep, trace_registry_lock held.
 * Return: 0, or -ENOMEM if a file could not be made.
 */
int trace_files_create(struct trace_array *tr)
{
	struct trace_file_table *table;
	int err;

	err = trace_cpu_dirs_create(tr);
	tr->options_dir = trace_dir_create("options", tr->scopes[0].dir);
	list_for_each_entry(table, &tables, list)
		err = trace_table_create(table, tr) ?: err;
	return err;
}

/**
 * trace_files_register - add control files to all instances
 * @table: the table of the files; must never be freed
 *
 * If a file cannot be created, this prints a warning.
 *
 * Context: boot; may sleep.
 */
void __init trace_files_register(struct trace_file_table *table)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	list_add_tail(&table->list, &tables);
	if (!tracefs_is_up)
		return;
	list_for_each_entry(tr, &trace_arrays, list) {
		/* Only the top instance has files without a directory of its own. */
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
 * trace_files_remove - remove all files of an instance, and its directory
 * @tr: the instance, which has no users
 *
 * Context: may sleep, trace_registry_lock held.
 */
void trace_files_remove(struct trace_array *tr)
{
	unsigned int i;

	tracefs_remove(tr->scopes[0].dir);
	tr->options_dir = NULL;
	for (i = 0; i <= nr_cpu_ids; i++)
		tr->scopes[i].dir = NULL;
}

/**
 * trace_files_begin - let tables get their files at once, since tracefs works now
 *
 * Context: boot; trace_registry_lock held.
 */
void __init trace_files_begin(void)
{
	/* The old place of tracefs, from before it had a mount point of its own. */
	debugfs_create_automount("tracing", NULL, trace_automount, NULL);
	tracefs_is_up = true;
}
