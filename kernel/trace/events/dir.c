// SPDX-License-Identifier: GPL-2.0
/*
 * The directory events/ of an instance, with files for all events: the layout of the buffer
 * (header_page, header_event), and a switch for all events together. There are no trace events
 * yet, so it switches none.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/trace.h>
#include <linux/tracefs.h>
#include <linux/trace_seq.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "internal.h"

static int enable_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_puts(m, "0\n");
	return 0;
}

static int enable_store(struct trace_scope *scope, char *text)
{
	unsigned long on;
	int err = kstrtoul(text, 10, &on);

	if (err)
		return err;
	return on > 1 ? -EINVAL : 0;
}

static struct trace_control events_enable = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= enable_show,
	.store	= enable_store,
};

static int seq_show(struct seq_file *m, int (*print)(struct trace_buffer *buffer,
						     struct trace_seq *s),
		    struct trace_buffer *buffer)
{
	struct trace_seq *s __free(kfree) = kmalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	trace_seq_init(s);
	print(buffer, s);
	trace_print_seq(m, s);
	return 0;
}

static int header_page_show(struct seq_file *m, struct trace_scope *scope)
{
	return seq_show(m, ring_buffer_print_page_header, scope->tr->array_buffer.buffer);
}

static struct trace_control header_page = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= header_page_show,
};

static int print_entry_header(struct trace_buffer *unused, struct trace_seq *s)
{
	return ring_buffer_print_entry_header(s);
}

static int header_event_show(struct seq_file *m, struct trace_scope *scope)
{
	return seq_show(m, print_entry_header, NULL);
}

static struct trace_control header_event = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= header_event_show,
};

static const struct event_file {
	const char		*name;
	umode_t			mode;
	struct trace_control	*control;
} event_files[] = {
	{ "enable", TRACE_MODE_WRITE, &events_enable },
	{ "header_page", TRACE_MODE_READ, &header_page },
	{ "header_event", TRACE_MODE_READ, &header_event },
};

/* Describe a file. tracefs calls this, with its locks held, when the file is looked up. */
static int event_file_describe(const char *name, umode_t *mode, void **data,
			       const struct file_operations **fops)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(event_files); i++) {
		if (strcmp(event_files[i].name, name))
			continue;
		*mode = event_files[i].mode;
		*fops = &event_files[i].control->fops;
		return 1;
	}
	return 0;
}

static const struct eventfs_entry event_entries[] = {
	{ .name = "enable", .callback = event_file_describe },
	{ .name = "header_page", .callback = event_file_describe },
	{ .name = "header_event", .callback = event_file_describe },
};

static int events_opened(struct trace_array *tr)
{
	struct eventfs_inode *dir;

	dir = eventfs_create_events_dir("events", tr->scopes[0].dir, event_entries,
					ARRAY_SIZE(event_entries), &tr->scopes[0]);
	if (IS_ERR_OR_NULL(dir)) {
		pr_warn("tracing: cannot create directory events\n");
		return -ENOMEM;
	}
	tr->events_dir = dir;
	return trace_entry_formats_create(dir);
}

static void events_go(struct trace_array *tr)
{
	if (tr->events_dir)
		eventfs_remove_events_dir(tr->events_dir);
	tr->events_dir = NULL;
}

static struct trace_instance_ops events_ops = {
	.opened	= events_opened,
	.goes	= events_go,
};

static int __init events_init(void)
{
	return trace_instance_subscribe(&events_ops);
}
core_initcall(events_init);

/**
 * trace_array_set_clr_event - switch trace events of an instance
 * @tr: the instance
 * @system: system of the event; NULL: any system
 * @event: name of the event; NULL: all events of @system
 * @enable: true: switch on; false: off
 *
 * There are no trace events yet.
 *
 * Context: process context.
 * Return: -ENOENT if @tr is NULL; else -EINVAL, as there is no such event.
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable)
{
	return tr ? -EINVAL : -ENOENT;
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);
