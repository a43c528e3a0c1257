/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control files below events/.
 */
#ifndef _TRACE_EVENTS_FILES_H
#define _TRACE_EVENTS_FILES_H

#include <linux/fs.h>
#include <linux/types.h>

#include "../core/files.h"

struct seq_file;
struct trace_array;
struct trace_event_call;
struct trace_event_system;

/**
 * struct event_target - the event, or the events, of a file below events/
 * @tr: the instance; NULL if the file does not need one
 * @system: the system, for a file of a system
 * @call: the event, for a file of an event; set while the file is read or written
 * @number: number of the event, or of the type of entries, for a file of one of these
 */
struct event_target {
	struct trace_array		*tr;
	struct trace_event_system	*system;
	struct trace_event_call		*call;
	unsigned int			number;
};

/**
 * enum event_file_level - where a file is
 * @EVENT_FILE_ALL: in events/
 * @EVENT_FILE_SYSTEM: in events/SYSTEM/
 * @EVENT_FILE_EVENT: in events/SYSTEM/EVENT/
 * @EVENT_FILE_ENTRY: in events/ftrace/TYPE/, of a type of entries that is not an event
 */
enum event_file_level {
	EVENT_FILE_ALL,
	EVENT_FILE_SYSTEM,
	EVENT_FILE_EVENT,
	EVENT_FILE_ENTRY,
};

/**
 * struct event_control - a file below events/ with a short text
 * @fops: EVENT_CONTROL_FOPS
 * @level: directory of the file. The file's i_private is a struct trace_scope, a struct
 *	trace_event_system or the number of an event or of a type of entries
 * @shared: the text is the same in all instances: an open file does not keep the instance, but
 *	cannot be read after it; and it may be read while the kernel is locked down
 * @show: prints the whole text
 * @store: called with the text of one write, which ends with a NUL and may be changed. NULL: the
 *	file cannot be written
 *
 * @show and @store are called with trace_event_mutex held, and return 0 or negative errno.
 */
struct event_control {
	const struct file_operations	fops;
	enum event_file_level		level;
	bool				shared;
	int	(*show)(struct seq_file *m, struct event_target *target);
	int	(*store)(struct event_target *target, char *text);
};

#define EVENT_CONTROL_FOPS {						\
	.open		= trace_event_control_open,			\
	.read		= seq_read,					\
	.write		= trace_event_control_write,			\
	.llseek		= trace_file_lseek,				\
	.release	= trace_event_control_release,			\
}

int trace_event_control_open(struct inode *inode, struct file *file);
ssize_t trace_event_control_write(struct file *file, const char __user *ubuf, size_t count,
				  loff_t *ppos);
int trace_event_control_release(struct inode *inode, struct file *file);

/* enable.c */
extern struct event_control trace_event_enable_all;
extern struct event_control trace_event_enable_system;
extern struct event_control trace_event_enable;

/* filter_files.c */
extern struct event_control trace_event_filter_system;
extern struct event_control trace_event_filter;

/* trigger/files.c */
extern struct event_control trace_event_trigger;

/* format.c */
extern struct event_control trace_event_format;
extern struct event_control trace_event_id;
int trace_event_id_show(struct seq_file *m, struct event_target *target);

/* inject.c */
extern struct event_control trace_event_inject;

#endif /* _TRACE_EVENTS_FILES_H */
