/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Triggers: actions of an event in an instance when it occurs.
 *
 * If no trigger of an event needs the record, the triggers run before the record is made, and
 * settings that they switch apply to this record. Otherwise all of them run when the record is
 * complete. Some act after it was recorded, if it is.
 */
#ifndef _TRACE_EVENTS_TRIGGER_H
#define _TRACE_EVENTS_TRIGGER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct event_filter;
struct seq_file;
struct trace_array;
struct trace_line;
struct trace_event_buffer;
struct trace_event_file;

/**
 * struct trace_trigger_command - a kind of trigger
 * @name: its name
 * @kind: an event has one trigger of each kind; of those with @parse, one for the same data
 * @before: it can run without the record
 * @after: if it runs with the record, it acts after that was recorded
 * @parse: takes its arguments, and makes data of them; may sleep. Returns the data or ERR_PTR(),
 *	with an error in the line if the line is wrong. NULL: there are no arguments
 * @free: frees the data. NULL: nothing to free
 * @show: prints the data as they are written. NULL: nothing to print
 * @begin: called before the trigger is set; may sleep. NULL: nothing to prepare
 * @end: undoes @begin; may sleep. The trigger may still run for a while
 * @useful: would running it change anything? If not, it is not run, and its count does not change.
 *	Any context, NMI included, with preemption off. NULL: always
 * @run: runs it; any context, NMI included, with preemption off. @record: NULL before it is made
 * @wait: waits for the completion of @run; may sleep. NULL: it is complete when @run returns
 *
 * All but @useful, @run and @wait are called with trace_event_mutex held.
 */
struct trace_trigger_command {
	const char	*name;
	const char	*kind;
	bool		before;
	bool		after;
	void	*(*parse)(struct trace_array *tr, struct trace_line *line);
	void	(*free)(void *data);
	void	(*show)(struct seq_file *m, const void *data);
	int	(*begin)(struct trace_array *tr, void *data);
	void	(*end)(struct trace_array *tr, void *data);
	bool	(*useful)(struct trace_array *tr, void *data);
	void	(*run)(struct trace_array *tr, void *data,
		       const struct trace_event_buffer *record);
	void	(*wait)(struct trace_array *tr);
};

/* commands.c */
extern const struct trace_trigger_command trace_trigger_commands[];

/* struct trace_trigger.count */
#define TRACE_TRIGGER_UNLIMITED	(-1L)

/**
 * struct trace_trigger - a trigger of an event in an instance
 * @rcu: to free it; the first member
 * @list: in trace_event_file::triggers
 * @command: its command
 * @filter: selects the records that it acts on; NULL: all
 * @count: number of times that it will still run; or TRACE_TRIGGER_UNLIMITED
 * @data: from @command->parse()
 */
struct trace_trigger {
	struct rcu_head				rcu;
	struct list_head			list;
	const struct trace_trigger_command	*command;
	struct event_filter			*filter;
	atomic_long_t				count;
	void					*data;
};

static_assert(!offsetof(struct trace_trigger, rcu));	/* for trace_event_free() */

/* files.c */
void trace_trigger_show(struct seq_file *m, const struct trace_trigger *trigger);

/* run.c */
void trace_triggers_before(struct trace_event_file *file);
unsigned long trace_triggers_record(struct trace_event_file *file,
				    const struct trace_event_buffer *record);
unsigned long trace_triggers_after(struct trace_event_file *file,
				   const struct trace_event_buffer *record, unsigned long which);
void trace_triggers_wait(struct trace_array *tr, unsigned long which);

/* marker.c */
void trace_marker_triggers(struct trace_event_file *file);

#endif /* _TRACE_EVENTS_TRIGGER_H */
