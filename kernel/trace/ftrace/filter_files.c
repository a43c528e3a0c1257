// SPDX-License-Identifier: GPL-2.0
/*
 * set_ftrace_filter and set_ftrace_notrace: which sites an ops wants.
 *
 * An open file collects words into a set of its own; closing it puts that set in
 * the place of the ops' old one, so that whoever traces sees the old selection
 * or the new. A word that names nothing fails its write, and the words before it
 * stand.
 */
#include <linux/module.h>
#include <linux/seq_file.h>

#include "../core/parser.h"
#include "ftrace.h"
#include "internal.h"

/**
 * struct filter_file - an open selection file
 * @ops: whose sites
 * @side: which of its sets
 * @lock: keeps writers of the file apart; taken before ftrace_lock
 * @words: what was written and is no whole word yet
 * @set: what the words written so far make; under ftrace_lock
 * @names: of the sites that are listed
 * @gone: ftrace_text_gone when @set was begun
 * @changed: closing must put @set in place
 */
struct filter_file {
	struct ftrace_ops *ops;
	enum ftrace_filter_side side;
	struct mutex lock;
	struct trace_words words;
	struct ftrace_set_builder set;
	struct ftrace_names names;
	unsigned int gone;
	bool changed;
};

static const struct ftrace_set *current_set(const struct filter_file *f)
{
	return f->ops->filter ? *ftrace_filter_set(f->ops->filter, f->side) : NULL;
}

/* Position 0 of a file without a set is the line that says so. */
static void *filter_start(struct seq_file *m, loff_t *pos)
{
	const struct ftrace_set *set;

	mutex_lock(&ftrace_lock);
	set = current_set(m->private);
	return *pos < (set ? set->nr : 1) ? pos : NULL;
}

static void *filter_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct ftrace_set *set = current_set(m->private);

	++*pos;
	return set && *pos < set->nr ? pos : NULL;
}

static void filter_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ftrace_lock);
}

static int filter_show(struct seq_file *m, void *v)
{
	struct filter_file *f = m->private;
	const struct ftrace_set *set = current_set(f);
	const struct ftrace_group *group;
	const char *name = NULL;
	unsigned long ip;

	if (!set) {
		seq_puts(m, f->side == FTRACE_FILTER ?
			 "#### all functions enabled ####\n" :
			 "#### no functions disabled ####\n");
		return 0;
	}
	ip = set->ip[*(loff_t *)v];
	group = ftrace_group_of(ip);
	if (group)
		name = ftrace_name(&f->names, group, ftrace_find_site(group, ip, ip));
	if (!name)
		return SEQ_SKIP;
	ftrace_show_name(m, group, name);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations filter_seq_ops = {
	.start	= filter_start,
	.next	= filter_next,
	.stop	= filter_stop,
	.show	= filter_show,
};

static int take_words(void *data, char *text, size_t len, size_t *taken)
{
	struct filter_file *f = data;
	int err;

	guard(mutex)(&ftrace_lock);
	err = ftrace_match_words(&f->set, text, len, taken);
	if (*taken)
		f->changed = true;
	return err;
}

static int begin_writing(struct filter_file *f, bool truncate)
{
	int err;

	mutex_init(&f->lock);
	err = trace_words_init(&f->words, KSYM_NAME_LEN, NULL, f);
	if (err)
		return err;
	f->words.accept_all = take_words;
	f->changed = truncate;
	guard(mutex)(&ftrace_lock);
	f->gone = ftrace_text_gone;
	err = truncate ? 0 : ftrace_set_builder_load(&f->set, current_set(f));
	if (err)
		trace_words_free(&f->words);
	return err;
}

/**
 * ftrace_filter_open - open a file that selects the sites of an ops
 * @ops: the ops, which the caller keeps until ftrace_filter_release()
 * @side: functions to trace, or not to trace
 * @inode: the file's
 * @file: the file; a seq_file afterwards
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM, or -ENODEV after a patching error.
 */
int ftrace_filter_open(struct ftrace_ops *ops, enum ftrace_filter_side side,
		       struct inode *inode, struct file *file)
{
	struct filter_file *f;
	int err = 0;

	if (ftrace_dead())
		return -ENODEV;
	f = __seq_open_private(file, &filter_seq_ops, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->ops = ops;
	f->side = side;
	if (file->f_mode & FMODE_WRITE)
		err = begin_writing(f, file->f_flags & O_TRUNC);
	if (err) {
		ftrace_set_builder_free(&f->set);
		seq_release_private(inode, file);
	}
	return err;
}

/**
 * ftrace_filter_write - write words to it
 * @file: the file
 * @ubuf: text, in which a word may have begun before and may end later
 * @count: its length
 * @ppos: unused
 *
 * Context: process context, may sleep.
 * Return: how much was taken, or negative errno.
 */
ssize_t ftrace_filter_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	struct filter_file *f = ((struct seq_file *)file->private_data)->private;

	guard(mutex)(&f->lock);
	return trace_words_write(&f->words, ubuf, count);
}

/* A module may have gone while the file was open; nothing left is not "all". */
static void drop_gone(const struct filter_file *f, struct ftrace_set *set)
{
	unsigned long from, to = 0;

	if (f->gone == ftrace_text_gone)
		return;
	for (from = 0; from < set->nr; from++)
		if (ftrace_location_range(set->ip[from], set->ip[from]))
			set->ip[to++] = set->ip[from];
	set->nr = to;
}

/* Nobody can be told any more what fails here, so it goes to the log. */
static void end_writing(struct filter_file *f)
{
	struct ftrace_set *set = NULL;
	int err;

	err = trace_words_end(&f->words);
	trace_words_free(&f->words);
	guard(mutex)(&ftrace_lock);
	if (f->changed && f->set.nr) {
		set = ftrace_set_freeze(&f->set);
		if (set)
			drop_gone(f, set);
		else
			err = -ENOMEM;
	}
	if (f->changed && (set || !f->set.nr) &&
	    ftrace_ops_change_set(f->ops, f->side, set)) {
		ftrace_set_free(set);
		err = -ENOMEM;
	}
	if (err)
		pr_warn("ftrace: closing a filter file: error %d\n", err);
	ftrace_set_builder_free(&f->set);
}

/**
 * ftrace_filter_release - close it: what was written comes into force
 * @inode: the file's
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int ftrace_filter_release(struct inode *inode, struct file *file)
{
	struct filter_file *f = ((struct seq_file *)file->private_data)->private;

	if (file->f_mode & FMODE_WRITE)
		end_writing(f);
	ftrace_names_free(&f->names);
	return seq_release_private(inode, file);
}
