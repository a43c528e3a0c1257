/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events. <trace/trace_events.h> makes these structures from TRACE_EVENT() and its relatives;
 * kernel/trace/events/ reads them.
 */
#ifndef _LINUX_TRACE_EVENT_H
#define _LINUX_TRACE_EVENT_H

#include <linux/ring_buffer.h>
#include <linux/trace_entry.h>
#include <linux/trace_events_perf.h>
#include <linux/percpu.h>
#include <linux/hardirq.h>
#include <linux/tracepoint.h>

struct bpf_prog_array;
struct module;
struct pt_regs;
struct seq_file;
struct trace_event_call;
struct trace_event_class;
struct trace_event_file;
struct trace_event_users;

/* The text for a string that does not exist. */
#define EVENT_NULL_STR		"(null)"

/* Longest string that an event's filter compares with. */
#define MAX_FILTER_STR_VAL	256U

/**
 * enum trace_field_kind - how filters and printers treat a field
 * @FILTER_OTHER: a number, or bytes. If a definition gives this kind, trace_event_field_kind()
 *	derives the kind from the type
 * @FILTER_STATIC_STRING: an array of characters in the record
 * @FILTER_DYN_STRING: a string in the variable part of the record; the field has its offset from
 *	the start of the record
 * @FILTER_RDYN_STRING: a string in the variable part; the field has its offset from the end of the
 *	field
 * @FILTER_PTR_STRING: the address of a string
 * @FILTER_TRACE_FN: the address of a function
 * @FILTER_CPUMASK: a mask of CPUs in the variable part; the field has its offset from the start of
 *	the record
 * @FILTER_COMM: the name of the current task; no field of a record
 * @FILTER_CPU: the current CPU; no field of a record
 * @FILTER_STACKTRACE: the stack; no field of a record
 *
 * The variable part of a record comes after the members that all records of the event have.
 */
enum trace_field_kind {
	FILTER_OTHER,
	FILTER_STATIC_STRING,
	FILTER_DYN_STRING,
	FILTER_RDYN_STRING,
	FILTER_PTR_STRING,
	FILTER_TRACE_FN,
	FILTER_CPUMASK,
	FILTER_COMM,
	FILTER_CPU,
	FILTER_STACKTRACE,
};

/**
 * struct trace_event_field - a field of a record
 * @type: its type as C writes it; NULL ends a list. "__data_loc T[]" and "__rel_loc T[]" are data
 *	in the variable part of the record: the field has their offset in its lower 16 bits, and
 *	their size in bytes in the upper ones
 * @name: its name
 * @offset: offset in the record, in bytes
 * @size: bytes in the record; 0: up to the end of the record
 * @count: number of elements of an array; 0: not an array
 * @is_signed: a signed number, or an array of such
 * @kind: enum trace_field_kind
 */
struct trace_event_field {
	const char	*type;
	const char	*name;
	unsigned short	offset;
	unsigned short	size;
	unsigned short	count;
	unsigned char	is_signed;
	unsigned char	kind;
};

/**
 * struct trace_event_class_ops - functions in place of those for classes of tracepoints
 * @prepare: called before the event is registered; may sleep. Return: 0 or negative errno, -ENOSYS
 *	to leave it out
 * @attach: begin to record the event; may sleep. Return: 0 or negative errno
 * @detach: stop recording the event; may sleep
 * @field: get field @nr of the event, without the common ones. Return: false if it has fewer
 * @print_fmt: write the print format
 * @of_program: the events are about an instruction of the program that runs: perf gets the
 *	program's registers, filters read strings in the program's memory, and the option fields
 *	prints addresses of strings only
 *
 * Each function may be NULL; @attach and @detach are either both NULL or both set.
 */
struct trace_event_class_ops {
	int	(*prepare)(struct trace_event_call *call);
	int	(*attach)(struct trace_event_call *call);
	void	(*detach)(struct trace_event_call *call);
	bool	(*field)(const struct trace_event_call *call, unsigned int nr,
			 struct trace_event_field *field);
	void	(*print_fmt)(const struct trace_event_call *call, struct seq_file *m);
	bool	of_program;
};

/**
 * struct trace_event_class - the common part of events with the same record
 * @system: name of the system. Names of enums belong to events of the same string
 * @probe: the function that is attached to their tracepoints
 * @fields: returns the fields, without the common ones
 * @ops: NULL for a class of tracepoints
 */
struct trace_event_class {
	const char				*system;
	void					*probe;
	const struct trace_event_field		*(*fields)(void);
	const struct trace_event_class_ops	*ops;
};

/* struct trace_event_call.flags */
enum trace_event_flag {
	TRACE_EVENT_FL_CAP_ANY		= BIT(0),	/* perf: any user may trace own tasks */
	TRACE_EVENT_FL_TRACEPOINT	= BIT(1),	/* @tp is valid, not @name */
	TRACE_EVENT_FL_KPROBE		= BIT(2),
	TRACE_EVENT_FL_UPROBE		= BIT(3),
	TRACE_EVENT_FL_DYNAMIC		= BIT(4),	/* made at run time */
	TRACE_EVENT_FL_TWO_TASKS	= BIT(5),	/* records name another task: pids.c */
	TRACE_EVENT_FL_WAS_ON		= BIT(6),	/* a buffer may have its records */
};

/**
 * struct trace_event_call - a trace event
 * @class: its class
 * @name: its name
 * @tp: its tracepoint, which has the name
 * @event: number and printers
 * @print_fmt: print format and arguments, as text; names of enums are replaced when it is read
 * @data: data of the class
 * @flags: enum trace_event_flag
 * @other_pid: with TRACE_EVENT_FL_TWO_TASKS: offset of the other task's pid in the record
 * @module: the module that defines it; NULL: the kernel
 * @list: in the registry
 * @users: instances and perf, which get its records; NULL: none
 * @perf_perm: refuses a perf event by an errno; NULL: refuses none
 * @perf_events: perf events of each CPU
 * @perf_users: number of perf events
 * @perf_closed: number of these that were destroyed, until a worker has noticed
 *
 * The first members are in the order in which <linux/syscalls.h> initializes them.
 */
struct trace_event_call {
	const struct trace_event_class	*class;
	union {
		const char		*name;
		struct tracepoint	*tp;
	};
	struct trace_event		event;
	const char			*print_fmt;
	void				*data;
	int				flags;
	unsigned short			other_pid;
	struct module			*module;
	struct list_head		list;
	struct trace_event_users __rcu	*users;
#ifdef CONFIG_PERF_EVENTS
	int				(*perf_perm)(struct trace_event_call *call,
						     struct perf_event *event);
	struct hlist_head __percpu	*perf_events;
	int				perf_users;
	atomic_t			perf_closed;
#endif
};

/* Custom events: the operations of their classes */
extern const struct trace_event_class_ops trace_custom_event_ops;
int trace_custom_event_update(struct trace_event_call *call, struct tracepoint *tp);

/* The name of an event. Any context. */
static inline const char *trace_event_name(const struct trace_event_call *call)
{
	return call->flags & TRACE_EVENT_FL_TRACEPOINT ? call->tp->name : call->name;
}

/*
 * Is it an event of a program, such as a system call? The program chooses the addresses in its
 * records: reading them in the kernel's memory would tell what is there. Any context.
 */
static inline bool trace_event_is_of_program(const struct trace_event_call *call)
{
	return call->class->ops && call->class->ops->of_program;
}

/**
 * struct trace_event_buffer - a record that is being made
 * @call: the event
 * @task: perf's events of this task get the record, too: __perf_task()
 * @count: weight of the event for perf: __perf_count()
 * @ip: where the probe returns to: stacks begin there
 * @frame: the probe's frame: call chains of perf begin there
 * @entry: the record
 * @file: the instance in whose buffer it is; NULL: in perf's buffer
 * @claim: its event in that buffer
 * @users: the users that get it; NULL: only that instance, whatever the record has
 * @regs: in perf's buffer: registers of the caller; otherwise NULL, with @users
 * @perf_context: with perf: recursion context
 * @size: bytes of the record
 * @context: from trace_context()
 * @taker: index of @file in @users
 * @recursion: from trace_recursion_enter()
 *
 * A probe sets the first five, and knows no others.
 */
struct trace_event_buffer {
	struct trace_event_call		*call;
	struct task_struct		*task;
	u64				count;
	unsigned long			ip;
	void				*frame;
	void				*entry;
	struct trace_event_file		*file;
	struct ring_buffer_claim	claim;
	struct trace_event_users	*users;
	struct pt_regs			*regs;
	int				perf_context;
	unsigned int			size;
	unsigned int			context;
	unsigned int			taker;
	int				recursion;
};

bool trace_event_buffer_wanted(const struct trace_event_call *call);
void *trace_event_buffer_reserve(struct trace_event_buffer *record, unsigned int size);
void trace_event_buffer_commit(struct trace_event_buffer *record);

#ifdef CONFIG_EVENT_TRACING
int trace_set_clr_event(const char *system, const char *event, int set);
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event);
void trace_put_event_file(struct trace_event_file *file);
#endif

#endif /* _LINUX_TRACE_EVENT_H */

/* Headers of custom events need these where <trace/define_custom_trace.h> does not read them. */
#ifndef TRACE_CUSTOM_EVENT
#define DECLARE_CUSTOM_EVENT_CLASS(...)
#define DEFINE_CUSTOM_EVENT(...)
#define TRACE_CUSTOM_EVENT(...)
#endif
