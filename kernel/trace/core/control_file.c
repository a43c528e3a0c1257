// SPDX-License-Identifier: GPL-2.0
/*
 * open(), read() and write() of control files with a short text: struct trace_control.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "files.h"
#include "instance.h"

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
 * @inode: inode of the file; its i_private is a struct trace_scope
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0, or negative errno as trace_scope_get().
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
 * trace_file_lseek - llseek() of files that are a seq_file only if open for reading
 * @file: the file
 * @offset: as for seq_lseek()
 * @whence: as for seq_lseek()
 *
 * Context: process context, may sleep.
 * Return: the new position, or -EINVAL as seq_lseek(); always 0 if the file is open only for
 * writing.
 */
loff_t trace_file_lseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	file->f_pos = 0;
	return 0;
}

/**
 * trace_write_ignored - write() of files that open() clears, as in echo > trace
 * @file: the file
 * @ubuf: the text, which is ignored
 * @count: length of the text in bytes
 * @ppos: position in the file, which is not changed
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
 * @inode: inode of the file
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
 * @ubuf: the text in user space
 * @count: length of the text in bytes
 * @ppos: position in the file, which is advanced
 *
 * Context: process context, may sleep.
 * Return: @count, or negative errno: -EINVAL if the text is too long or the file cannot be
 * written; -EINVAL or -ERANGE if the control takes a number and the text is none; or the errno of
 * the control.
 */
ssize_t trace_control_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	const struct trace_control *control = file_control(file);
	unsigned long number;
	int err;

	if (!(control->store || control->store_number) || count >= (control->max ?: PAGE_SIZE))
		return -EINVAL;

	char *text __free(kfree) = memdup_user_nul(ubuf, count);

	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));
	if (control->store) {
		err = control->store(trace_file_scope(file), text);
	} else {
		err = kstrtoul(text, 10, &number);
		err = err ?: control->store_number(trace_file_scope(file), number);
	}
	if (err)
		return err;
	*ppos += count;
	return count;
}
