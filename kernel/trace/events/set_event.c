// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of events: set_event, with those that are on, which also switches them by words;
 * available_events; and show_event_filters, with those that have a filter.
 */
#include <linux/init.h>
#include <linux/seq_file.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../lib/parser.h"
#include "events.h"
#include "filter/filter.h"

/* The longest word, with its NUL. */
#define EVENT_WORD_MAX	128

static void *event_list_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&trace_event_mutex);
	return seq_list_start_head(&trace_event_calls, *pos);
}

static void *event_list_next(struct seq_file *m, void *item, loff_t *pos)
{
	return seq_list_next(item, &trace_event_calls, pos);
}

static void event_list_stop(struct seq_file *m, void *item)
{
	mutex_unlock(&trace_event_mutex);
}

static void event_puts(struct seq_file *m, const struct trace_event_call *call)
{
	seq_puts(m, call->class->system);
	seq_putc(m, ':');
	seq_puts(m, trace_event_name(call));
	seq_putc(m, '\n');
}

static int available_show(struct seq_file *m, void *item)
{
	if (item != &trace_event_calls)
		event_puts(m, list_entry(item, struct trace_event_call, list));
	return 0;
}

static const struct seq_operations available_seq_ops = {
	.start	= event_list_start,
	.next	= event_list_next,
	.stop	= event_list_stop,
	.show	= available_show,
};

static struct trace_array *set_event_instance(const struct seq_file *m)
{
	return ((struct trace_scope *)m->private)->tr;
}

/* The head of the list stands for the words that wait for modules. */
static int set_event_show(struct seq_file *m, void *item)
{
	struct trace_array *tr = set_event_instance(m);
	struct trace_event_file *file;

	if (item == &trace_event_calls) {
		trace_event_wait_show(m, tr);
		return 0;
	}
	file = trace_event_file_find(tr, list_entry(item, struct trace_event_call, list));
	if (file && file->attached)
		event_puts(m, file->call);
	return 0;
}

static const struct seq_operations set_event_seq_ops = {
	.start	= event_list_start,
	.next	= event_list_next,
	.stop	= event_list_stop,
	.show	= set_event_show,
};

static int filters_show(struct seq_file *m, void *item)
{
	const struct trace_event_call *call = list_entry(item, struct trace_event_call, list);
	const struct event_filter *filter;
	struct trace_event_file *file;

	if (item == &trace_event_calls)
		return 0;
	file = trace_event_file_find(set_event_instance(m), call);
	filter = file ? trace_event_file_filter(file) : NULL;
	if (filter)
		seq_printf(m, "%s:%s\t%s\n", call->class->system, trace_event_name(call),
			   filter->text);
	return 0;
}

static const struct seq_operations filters_seq_ops = {
	.start	= event_list_start,
	.next	= event_list_next,
	.stop	= event_list_stop,
	.show	= filters_show,
};

/* Also for a file that is only written: the seq_file is not used then. */
static int event_list_open(struct inode *inode, struct file *file,
			   const struct seq_operations *ops)
{
	int err = trace_scope_open(inode, file);

	if (err)
		return err;
	/* Without memory for them at boot, no instance has events. */
	err = trace_file_scope(file)->tr->events ? seq_open(file, ops) : -ENODEV;
	if (err) {
		trace_scope_release(inode, file);
		return err;
	}
	((struct seq_file *)file->private_data)->private = inode->i_private;
	return 0;
}

static int event_list_release(struct inode *inode, struct file *file)
{
	seq_release(inode, file);
	return trace_scope_release(inode, file);
}

static int available_open(struct inode *inode, struct file *file)
{
	return event_list_open(inode, file, &available_seq_ops);
}

static int filters_open(struct inode *inode, struct file *file)
{
	return event_list_open(inode, file, &filters_seq_ops);
}

static void set_event_clear(struct trace_array *tr)
{
	guard(mutex)(&trace_event_mutex);
	trace_event_wait_clear(tr);
	trace_event_files_off(tr);
}

static int set_event_open(struct inode *inode, struct file *file)
{
	int err = event_list_open(inode, file, &set_event_seq_ops);

	if (!err && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		set_event_clear(trace_file_scope(file)->tr);
	return err;
}

static int set_event_accept(void *tr, char *word)
{
	return trace_events_set_word(tr, word);
}

static ssize_t set_event_write(struct file *file, const char __user *ubuf, size_t count,
			       loff_t *ppos)
{
	struct trace_words words;
	ssize_t taken;
	int err = trace_words_init(&words, EVENT_WORD_MAX, set_event_accept,
				   trace_file_scope(file)->tr);

	if (err)
		return err;
	taken = trace_words_write(&words, ubuf, count);
	/* A word may end with the text. */
	if (taken == count)
		err = trace_words_end(&words);
	trace_words_free(&words);
	if (err)
		return err;
	if (taken > 0)
		*ppos += taken;
	return taken;
}

static const struct file_operations available_fops = {
	.open		= available_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= event_list_release,
};

static const struct file_operations set_event_fops = {
	.open		= set_event_open,
	.read		= seq_read,
	.write		= set_event_write,
	.llseek		= seq_lseek,
	.release	= event_list_release,
};

static const struct file_operations filters_fops = {
	.open		= filters_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= event_list_release,
};

static const struct trace_file event_list_files[] = {
	{ "available_events", TRACE_MODE_READ, TRACE_FILE_TOP, &available_fops },
	{ "set_event", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &set_event_fops },
	{ "show_event_filters", TRACE_MODE_READ, TRACE_FILE_INSTANCE, &filters_fops },
};

TRACE_FILES(event_list_files);
