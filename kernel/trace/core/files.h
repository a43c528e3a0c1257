/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control files: tables of them, and files with a short text.
 */
#ifndef _TRACE_CORE_FILES_H
#define _TRACE_CORE_FILES_H

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/types.h>

struct dentry;
struct seq_file;
struct trace_array;
struct trace_scope;

/**
 * enum trace_file_where - the directories that a control file is in
 * @TRACE_FILE_TOP: the directory of the top instance
 * @TRACE_FILE_INSTANCE: the directories of all instances
 * @TRACE_FILE_CPU: per_cpu/cpuN of all instances
 */
enum trace_file_where {
	TRACE_FILE_TOP,
	TRACE_FILE_INSTANCE,
	TRACE_FILE_CPU,
};

/**
 * struct trace_file - a row of a table of control files
 * @name: name of the file
 * @mode: TRACE_MODE_READ, TRACE_MODE_WRITE or another mode
 * @where: the directories that the file is in
 * @fops: the operations of the file
 * @created: called when the file was created, which exists as long as the instance; may be NULL.
 *	Not for TRACE_FILE_CPU
 */
struct trace_file {
	const char			*name;
	umode_t				mode;
	enum trace_file_where		where;
	const struct file_operations	*fops;
	void				(*created)(struct trace_array *tr, struct dentry *file);
};

#define TRACE_MODE_READ		0440
#define TRACE_MODE_WRITE	0640

/**
 * struct trace_file_table - a table of control files
 * @rows: a row for each file
 * @nr: number of rows
 * @dir: name of a subdirectory for the files in the top instance's directory; NULL: none
 * @list: in the registry
 */
struct trace_file_table {
	const struct trace_file	*rows;
	unsigned int		nr;
	const char		*dir;
	struct list_head	list;
};

void trace_files_register(struct trace_file_table *table);

/* Define a table with these rows, and register it at boot. */
#define TRACE_FILES(name, ...)	TRACE_FILES_IN(NULL, name, __VA_ARGS__)

/* The same for TRACE_FILE_TOP files in a directory of their own, below the top one. */
#define TRACE_FILES_IN(its_dir, name, ...)				\
	static const struct trace_file name[] = { __VA_ARGS__ };	\
	static struct trace_file_table name##_table = {			\
		.rows	= name,						\
		.nr	= ARRAY_SIZE(name),				\
		.dir	= its_dir,					\
	};								\
	static int __init name##_register(void)				\
	{								\
		trace_files_register(&name##_table);			\
		return 0;						\
	}								\
	core_initcall(name##_register)

/**
 * struct trace_control - a control file with a short text
 * @fops: TRACE_CONTROL_FOPS
 * @show: prints the whole text
 * @store: called with the text of one write, which ends with a NUL and may be changed. Returns 0 or
 *	a negative errno for the writer
 * @store_number: the same for files that take a decimal number. Without it and store(), the file
 *	cannot be written
 * @max: writes of this many bytes or more fail with -EINVAL; 0: PAGE_SIZE
 *
 * The functions are called with a reference to the instance, without locks, and may sleep.
 *
 *	TRACE_CONTROL(tracing_on, .show = ..., .store_number = ...);
 *	... { "tracing_on", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &tracing_on.fops },
 */
struct trace_control {
	const struct file_operations fops;
	int	(*show)(struct seq_file *m, struct trace_scope *scope);
	int	(*store)(struct trace_scope *scope, char *text);
	int	(*store_number)(struct trace_scope *scope, unsigned long number);
	size_t	max;
};

#define TRACE_CONTROL_FOPS {						\
	.open		= trace_control_open,				\
	.read		= seq_read,					\
	.write		= trace_control_write,				\
	.llseek		= trace_file_lseek,				\
	.release	= trace_control_release,			\
}

/* Define a struct trace_control with these members. */
#define TRACE_CONTROL(name, ...)					\
	static struct trace_control name = { .fops = TRACE_CONTROL_FOPS, __VA_ARGS__ }

loff_t trace_file_lseek(struct file *file, loff_t offset, int whence);
ssize_t trace_write_ignored(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int trace_control_open(struct inode *inode, struct file *file);
ssize_t trace_control_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int trace_control_release(struct inode *inode, struct file *file);

#endif /* _TRACE_CORE_FILES_H */
