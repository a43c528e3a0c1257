// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of pids: set_ftrace_pid and its like, one struct trace_pid_file each.
 *
 * A write adds all pids of its text. If the text has an error, it adds none.
 */
#include <linux/kstrtox.h>
#include <linux/seq_file.h>

#include "../lib/parser.h"
#include "../lib/pid_set.h"
#include "instance.h"

/* Size of the longest word. All numbers that the files accept are shorter. */
#define PID_WORD_MAX	128

static const struct trace_pid_file *pid_file(const struct file *file)
{
	return container_of(file->f_op, struct trace_pid_file, fops);
}

/* The pids of @tr that the file shows, or NULL */
static struct trace_pids *file_pids(const struct file *file, struct trace_array *tr)
{
	return pid_file(file)->pids(tr);
}

static struct trace_array *seq_array(const struct seq_file *m)
{
	return ((struct trace_scope *)m->private)->tr;
}

static struct trace_pid_set *seq_set(const struct seq_file *m)
{
	struct trace_array *tr = seq_array(m);

	return trace_pids_set(tr, file_pids(m->file, tr), pid_file(m->file)->side);
}

/* The position is the pid. If there is no set, position 0 is the text for that. */
static void *pids_find(struct seq_file *m, loff_t *pos)
{
	struct trace_pid_set *set = seq_set(m);
	int pid = -1;

	if (!set)
		return *pos ? NULL : SEQ_START_TOKEN;
	if (*pos <= TRACE_PID_MAX)
		pid = trace_pid_set_next(set, *pos);
	if (pid < 0)
		return NULL;
	*pos = pid;
	return pos;
}

static void *pids_seq_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&seq_array(m)->lock);
	return pids_find(m, pos);
}

static void *pids_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return pids_find(m, pos);
}

static void pids_seq_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&seq_array(m)->lock);
}

static int pids_seq_show(struct seq_file *m, void *v)
{
	if (v == SEQ_START_TOKEN)
		seq_puts(m, pid_file(m->file)->empty);
	else
		seq_printf(m, "%lld\n", *(loff_t *)v);
	return 0;
}

static const struct seq_operations pids_seq_ops = {
	.start	= pids_seq_start,
	.next	= pids_seq_next,
	.stop	= pids_seq_stop,
	.show	= pids_seq_show,
};

/**
 * trace_pids_open - open() of a struct trace_pid_file
 * @inode: inode of the file; its i_private is a struct trace_scope
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0 or negative errno, see trace_scope_get(); -ENODEV if the instance has no such pids.
 */
int trace_pids_open(struct inode *inode, struct file *file)
{
	int err = trace_scope_open(inode, file);

	if (err)
		return err;
	if (!file_pids(file, trace_file_scope(file)->tr))
		err = -ENODEV;
	else if (file->f_mode & FMODE_READ)
		err = seq_open(file, &pids_seq_ops);
	if (err) {
		trace_scope_release(inode, file);
		return err;
	}
	if (file->f_mode & FMODE_READ)
		((struct seq_file *)file->private_data)->private = inode->i_private;
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC) {
		struct trace_array *tr = trace_file_scope(file)->tr;

		guard(mutex)(&tr->lock);
		trace_pids_clear(tr, file_pids(file, tr), pid_file(file)->side);
	}
	return 0;
}

/**
 * trace_pids_release - release() of a struct trace_pid_file
 * @inode: inode of the file
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int trace_pids_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_READ)
		seq_release(inode, file);
	return trace_scope_release(inode, file);
}

/* The pids of one write, and the errno if its text has an error. */
struct new_pids {
	struct trace_pid_set	*set;
	int			err;
};

static int pids_accept(void *data, char *word)
{
	struct new_pids *new = data;
	unsigned long pid;

	if (kstrtoul(word, 0, &pid))
		new->err = -EINVAL;
	else if (pid > TRACE_PID_MAX)
		new->err = -EPERM;
	else if (trace_pid_set_make_room(new->set, pid))
		new->err = -ENOMEM;
	else
		trace_pid_set_add(new->set, pid);
	return new->err;
}

/* Add all pids of a text to @set. Return: 0 or -errno. */
static int pids_parse(struct trace_pid_set *set, const char __user *ubuf, size_t count)
{
	struct new_pids new = { .set = set };
	struct trace_words words;
	ssize_t taken;
	int err = trace_words_init(&words, PID_WORD_MAX, pids_accept, &new);

	if (err)
		return err;
	taken = trace_words_write(&words, ubuf, count);
	err = taken < 0 ? taken : new.err;
	if (!err)
		err = taken < count ? -EINVAL : trace_words_end(&words);
	trace_words_free(&words);
	return err;
}

/**
 * trace_pids_write - write() of a struct trace_pid_file
 * @file: the file
 * @ubuf: text with the pids to add
 * @count: length of the text
 * @ppos: position in the file
 *
 * Context: process context, may sleep.
 * Return: @count; or, with nothing added, -EINVAL if a word is not a number, -EPERM for a number
 * greater than TRACE_PID_MAX, -ENOMEM, or -EFAULT.
 */
ssize_t trace_pids_write(struct file *file, const char __user *ubuf, size_t count,
			 loff_t *ppos)
{
	struct trace_array *tr = trace_file_scope(file)->tr;
	struct trace_pid_set *set = trace_pid_set_alloc();
	int err;

	if (!set)
		return -ENOMEM;
	err = pids_parse(set, ubuf, count);
	if (err || trace_pid_set_next(set, 0) < 0) {
		trace_pid_set_free(set);
		return err ?: count;
	}
	guard(mutex)(&tr->lock);
	err = trace_pids_add(tr, file_pids(file, tr), pid_file(file)->side, set);
	if (err)
		return err;
	*ppos += count;
	return count;
}
