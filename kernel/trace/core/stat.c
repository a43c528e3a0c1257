// SPDX-License-Identifier: GPL-2.0
/*
 * trace_stat/: sorted tables of statistics, see stat.h. Code that counts something registers a
 * struct trace_stat for it.
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/tracefs.h>

#include "files.h"
#include "instance.h"
#include "stat.h"

/**
 * struct stat_table - the table of an open file
 * @stat: the kind of table
 * @nr: number of rows
 * @rows: the rows, sorted
 */
struct stat_table {
	const struct trace_stat	*stat;
	size_t			nr;
	u8			rows[];
};

/* Position 0 is the header; the rows follow, and then the end. */
static void *table_at(struct stat_table *table, loff_t pos)
{
	if (!pos)
		return SEQ_START_TOKEN;
	if (pos <= table->nr + 1)
		return table->rows + (pos - 1) * table->stat->row_size;
	return NULL;
}

static void *stat_start(struct seq_file *m, loff_t *pos)
{
	return table_at(m->private, *pos);
}

static void *stat_next(struct seq_file *m, void *v, loff_t *pos)
{
	return table_at(m->private, ++*pos);
}

static void stat_stop(struct seq_file *m, void *v)
{
}

static int stat_show(struct seq_file *m, void *v)
{
	const struct stat_table *table = m->private;
	const struct trace_stat *stat = table->stat;

	if (v == SEQ_START_TOKEN)
		stat->show_header(m);
	else if (v < (void *)table->rows + table->nr * stat->row_size)
		stat->show_row(m, v);
	else if (stat->show_end)
		stat->show_end(m, stat);
	return 0;
}

static const struct seq_operations stat_seq_ops = {
	.start	= stat_start,
	.next	= stat_next,
	.stop	= stat_stop,
	.show	= stat_show,
};

/* Rows that are added between counting them and collecting them are left out. */
static struct stat_table *table_make(const struct trace_stat *stat)
{
	size_t room = stat->collect(stat, NULL, 0);
	struct stat_table *table;

	table = kvzalloc(size_add(sizeof(*table), size_mul(room, stat->row_size)), GFP_KERNEL);
	if (!table)
		return NULL;
	table->stat = stat;
	table->nr = min(room, stat->collect(stat, table->rows, room));
	sort(table->rows, table->nr, stat->row_size, stat->compare, NULL);
	return table;
}

static int stat_open(struct inode *inode, struct file *file)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	if (err)
		return err;

	struct stat_table *table __free(kvfree) = table_make(inode->i_private);

	if (!table)
		return -ENOMEM;
	err = seq_open(file, &stat_seq_ops);
	if (err)
		return err;
	((struct seq_file *)file->private_data)->private = no_free_ptr(table);
	return 0;
}

static int stat_release(struct inode *inode, struct file *file)
{
	kvfree(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static const struct file_operations stat_fops = {
	.open		= stat_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= stat_release,
};

static struct dentry *stat_dir;

/**
 * trace_stat_register - make a file for statistics
 * @stat: its description; must never be freed
 *
 * Context: boot, with tracefs there; may sleep. One caller at a time.
 * Return: 0; -ENOMEM; -ENODEV, without a message, if there is no top instance.
 */
int __init trace_stat_register(const struct trace_stat *stat)
{
	struct dentry *file = NULL;

	if (!trace_top)
		return -ENODEV;
	if (!stat_dir)
		stat_dir = tracefs_create_dir("trace_stat", NULL);
	if (!IS_ERR_OR_NULL(stat_dir))
		file = tracefs_create_file(stat->name, TRACE_MODE_WRITE, stat_dir,
					   (void *)stat, &stat_fops);
	if (!IS_ERR_OR_NULL(file))
		return 0;
	pr_warn("tracing: cannot create trace_stat/%s\n", stat->name);
	return -ENOMEM;
}
