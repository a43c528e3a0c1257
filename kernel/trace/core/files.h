/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control files: tables of them, and those of short text
 */
#ifndef _TRACE_CORE_FILES_H
#define _TRACE_CORE_FILES_H

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/types.h>

struct dentry;
struct seq_file;
struct trace_array;
struct trace_scope;

/**
 * enum trace_file_where - the directories that a control file is in
 * @TRACE_FILE_TOP: that of the top instance only
 * @TRACE_FILE_INSTANCE: that of every instance
 * @TRACE_FILE_CPU: per_cpu/cpuN of every instance
 */
enum trace_file_where {
	TRACE_FILE_TOP,
	TRACE_FILE_INSTANCE,
	TRACE_FILE_CPU,
};

/**
 * struct trace_file - a row of a table of control files
 * @name: of the file
 * @mode: TRACE_MODE_READ, TRACE_MODE_WRITE or another
 * @where: see there
 * @fops: what it does
 * @made: told of the file, which stays until the instance goes; NULL: nobody is. Not for
 *	TRACE_FILE_CPU
 */
struct trace_file {
	const char			*name;
	umode_t				mode;
	enum trace_file_where		where;
	const struct file_operations	*fops;
	void				(*made)(struct trace_array *tr, struct dentry *file);
};

#define TRACE_MODE_READ		0440
#define TRACE_MODE_WRITE	0640

/**
 * struct trace_file_table - a table of control files
 * @rows: one for each file
 * @nr: how many
 * @dir: a directory of their own in that of the top instance, or NULL
 * @list: the registry's
 */
struct trace_file_table {
	const struct trace_file	*rows;
	unsigned int		nr;
	const char		*dir;
	struct list_head	list;
};

#define TRACE_FILE_TABLE(table_name, table_dir, table_rows)		\
	struct trace_file_table table_name = {				\
		.rows	= table_rows,					\
		.nr	= ARRAY_SIZE(table_rows),			\
		.dir	= table_dir,					\
	}

void trace_files_register(struct trace_file_table *table);

/* For tables that are there from boot on. */
#define TRACE_FILES(table_rows)	TRACE_FILES_IN(NULL, table_rows)

/* In a directory below the top one; all of them are TRACE_FILE_TOP. */
#define TRACE_FILES_IN(dir, table_rows)					\
	static TRACE_FILE_TABLE(table_rows##_table, dir, table_rows);	\
	static int __init table_rows##_register(void)			\
	{								\
		trace_files_register(&table_rows##_table);		\
		return 0;						\
	}								\
	core_initcall(table_rows##_register)

/**
 * struct trace_control - a control file of short text
 * @fops: TRACE_CONTROL_FOPS
 * @show: prints the whole of it
 * @store: takes what was written in one write, with a NUL put behind it; may change
 *	the text. Returns 0, or -errno for the writer. NULL: it cannot be written.
 * @max: shortest write that is refused with -EINVAL unseen
 *
 * Both are called with a reference to the instance, without locks, and may sleep.
 *
 *	static struct trace_control tracing_on = {
 *		.fops = TRACE_CONTROL_FOPS, .show = ..., .store = ...,
 *	};
 *	... { "tracing_on", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &tracing_on.fops },
 */
struct trace_control {
	const struct file_operations fops;
	int	(*show)(struct seq_file *m, struct trace_scope *scope);
	int	(*store)(struct trace_scope *scope, char *text);
	size_t	max;
};

#define TRACE_CONTROL_FOPS {						\
	.open		= trace_control_open,				\
	.read		= seq_read,					\
	.write		= trace_control_write,				\
	.llseek		= trace_file_lseek,				\
	.release	= trace_control_release,			\
}

loff_t trace_file_lseek(struct file *file, loff_t offset, int whence);
ssize_t trace_write_ignored(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int trace_control_open(struct inode *inode, struct file *file);
ssize_t trace_control_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int trace_control_release(struct inode *inode, struct file *file);

/* Prints the names of function commands for README. Set at boot; NULL: there are none. */
extern void (*trace_readme_commands)(struct seq_file *m);

#endif /* _TRACE_CORE_FILES_H */
