// SPDX-License-Identifier: GPL-2.0
/*
 * Files that list events: set_event lists events that are on, and takes words that switch events;
 * available_events lists all events; show_event_filters and show_event_triggers list events that
 * have a filter or triggers.
 */
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/init.h>
#include <linux/seq_file.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../lib/parser.h"
#include "events.h"
#include "filter/filter.h"
#include "match.h"
#include "trigger/trigger.h"

/* The longest word, with its NUL. */
#define EVENT_WORD_MAX	128

/**
 * struct event_list - a file that lists events
 * @fops: its operations
 * @seq_ops: operations that make the list
 */
struct event_list {
	const struct file_operations	fops;
	const struct seq_operations	seq_ops;
};

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

/* Used also if the file is only open for writing: then the seq_file is not used. */
static int event_list_open(struct inode *inode, struct file *file)
{
	const struct event_list *list = container_of(file->f_op, struct event_list, fops);
	int err = trace_scope_open(inode, file);

	if (err)
		return err;
	/* NULL: see trace_array::events. */
	err = trace_file_scope(file)->tr->events ? seq_open(file, &list->seq_ops) : -ENODEV;
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

#define EVENT_LIST_SEQ_OPS(show_one) {				\
	.start	= event_list_start,				\
	.next	= event_list_next,				\
	.stop	= event_list_stop,				\
	.show	= show_one,					\
}

#define EVENT_LIST(show_one) {					\
	.fops = {						\
		.open		= event_list_open,		\
		.read		= seq_read,			\
		.llseek		= seq_lseek,			\
		.release	= event_list_release,		\
	},							\
	.seq_ops = EVENT_LIST_SEQ_OPS(show_one),		\
}

static struct trace_array *event_list_instance(const struct seq_file *m)
{
	return ((struct trace_scope *)m->private)->tr;
}

/* NULL: the head of the list, which is the first item, or an event that was not used yet. */
static struct trace_event_file *event_list_file(const struct seq_file *m, void *item)
{
	if (item == &trace_event_calls)
		return NULL;
	return trace_event_file_find(event_list_instance(m),
				     list_entry(item, struct trace_event_call, list));
}

static void event_puts(struct seq_file *m, const struct trace_event_call *call)
{
	seq_puts(m, call->class->system);
	seq_putc(m, ':');
	seq_puts(m, trace_event_name(call));
}

static int available_show(struct seq_file *m, void *item)
{
	if (item == &trace_event_calls)
		return 0;
	event_puts(m, list_entry(item, struct trace_event_call, list));
	seq_putc(m, '\n');
	return 0;
}

static int filters_show(struct seq_file *m, void *item)
{
	const struct trace_event_file *file = event_list_file(m, item);
	const struct event_filter *filter = file ? trace_event_file_filter(file) : NULL;

	if (filter) {
		event_puts(m, file->call);
		seq_printf(m, "\t%s\n", filter->text);
	}
	return 0;
}

static void triggers_show_file(struct seq_file *m, const struct trace_event_file *file)
{
	const struct trace_trigger *trigger;

	list_for_each_entry(trigger, &file->triggers, list) {
		event_puts(m, file->call);
		seq_putc(m, '\t');
		trace_trigger_show(m, trigger);
	}
}

/* Markers are in no list; the head of the list stands for them. */
static int triggers_show(struct seq_file *m, void *item)
{
	const struct trace_event_file *file = item == &trace_event_calls ?
		event_list_instance(m)->events->marker : event_list_file(m, item);

	if (file)
		triggers_show_file(m, file);
	return 0;
}

/* The head of the list stands for the words that wait for modules. */
static int set_event_show(struct seq_file *m, void *item)
{
	const struct trace_event_file *file = event_list_file(m, item);

	if (item == &trace_event_calls)
		trace_event_wait_show(m, event_list_instance(m));
	if (file && file->attached) {
		event_puts(m, file->call);
		seq_putc(m, '\n');
	}
	return 0;
}

static void set_event_clear(struct trace_array *tr)
{
	guard(mutex)(&trace_event_mutex);
	trace_event_wait_clear(tr);
	trace_event_files_off(tr);
}

static int set_event_open(struct inode *inode, struct file *file)
{
	int err = event_list_open(inode, file);

	if (!err && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		set_event_clear(trace_file_scope(file)->tr);
	return err;
}

/**
 * struct set_event_words - a write to set_event
 * @tr: the instance
 * @fails: the write fails if the next word is refused. If not, it ends before that word, and the
 *	next write, which begins with it, fails
 */
struct set_event_words {
	struct trace_array	*tr;
	bool			fails;
};

static int set_event_accept(void *data, char *word)
{
	struct set_event_words *write = data;
	int err = trace_events_set_word(write->tr, word, write->fails);

	write->fails = false;
	return err;
}

static ssize_t set_event_write(struct file *file, const char __user *ubuf, size_t count,
			       loff_t *ppos)
{
	struct set_event_words write = { .tr = trace_file_scope(file)->tr, .fails = true };
	struct trace_words words;
	unsigned int last;
	ssize_t taken;
	bool first;
	int err = trace_words_init(&words, EVENT_WORD_MAX, set_event_accept, &write);

	if (err)
		return err;
	taken = trace_words_write(&words, ubuf, count);
	if (taken == count) {
		/* A word may end with the text. */
		first = write.fails;
		last = words.len;
		err = trace_words_end(&words);
		if (err && !first) {
			taken -= last;
			err = 0;
		}
	}
	trace_words_free(&words);
	if (err)
		return err;
	if (taken > 0)
		*ppos += taken;
	return taken;
}

static struct event_list available_list = EVENT_LIST(available_show);
static struct event_list filters_list = EVENT_LIST(filters_show);
static struct event_list triggers_list = EVENT_LIST(triggers_show);

static struct event_list set_event_list = {
	.fops = {
		.open		= set_event_open,
		.read		= seq_read,
		.write		= set_event_write,
		.llseek		= trace_file_lseek,
		.release	= event_list_release,
	},
	.seq_ops = EVENT_LIST_SEQ_OPS(set_event_show),
};

TRACE_FILES(event_list_files,
	{ "available_events", TRACE_MODE_READ, TRACE_FILE_TOP, &available_list.fops },
	{ "set_event", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &set_event_list.fops },
	{ "show_event_filters", TRACE_MODE_READ, TRACE_FILE_INSTANCE, &filters_list.fops },
	{ "show_event_triggers", TRACE_MODE_READ, TRACE_FILE_INSTANCE, &triggers_list.fops });
