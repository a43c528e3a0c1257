/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of a trace: their header, how they are printed, and what perf and BPF
 * want of trace events.
 */
#ifndef _LINUX_TRACE_EVENT_H
#define _LINUX_TRACE_EVENT_H

#include <linux/ring_buffer.h>
#include <linux/trace_seq.h>
#include <linux/percpu.h>
#include <linux/hardirq.h>
#include <linux/perf_event.h>
#include <linux/tracepoint.h>

struct array_buffer;
struct bpf_prog;
struct bpf_prog_array;
struct bpf_raw_event_map;
struct bpf_raw_tp_link;
union bpf_attr;
struct event_filter;
struct module;
struct pt_regs;
struct seq_file;
struct trace_array;
struct trace_event;
struct trace_event_call;
struct trace_event_class;
struct trace_event_file;
struct trace_event_users;
struct trace_merge;
struct tracer;

/* What stands for a string that is not there. */
#define EVENT_NULL_STR		"(null)"

/* Longest string that an event's filter compares with. */
#define MAX_FILTER_STR_VAL	256U

/**
 * struct trace_entry - what each entry begins with; user space reads it, too
 * @type: which struct trace_event it is
 * @flags: state of interrupts and scheduling
 * @preempt_count: depth of preempt_disable(), and above it of migrate_disable()
 * @pid: of the task
 */
struct trace_entry {
	unsigned short	type;
	unsigned char	flags;
	unsigned char	preempt_count;
	int		pid;
};

/**
 * enum print_line_t - what became of a line
 * @TRACE_TYPE_PARTIAL_LINE: it did not fit: print it again into an empty string
 * @TRACE_TYPE_HANDLED: it was printed
 * @TRACE_TYPE_UNHANDLED: it was left to somebody else
 * @TRACE_TYPE_NO_CONSUME: it was printed, but its entry must stay in the buffer
 */
enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE	= 0,
	TRACE_TYPE_HANDLED	= 1,
	TRACE_TYPE_UNHANDLED	= 2,
	TRACE_TYPE_NO_CONSUME	= 3,
};

/* Bits of struct trace_iterator.iter_flags */
enum trace_file_flags {
	TRACE_FILE_LAT_FMT	= BIT(0),	/* latency format */
	TRACE_FILE_ANNOTATE	= BIT(1),	/* say where a CPU's entries begin */
	TRACE_FILE_TIME_IN_NS	= BIT(2),	/* the clock counts nanoseconds */
};

/**
 * struct trace_iterator - a reader of a trace, at one entry
 * @tr: the instance
 * @trace: its tracer when the reader began
 * @private: the tracer's
 * @array_buffer: which buffer of the instance: its own or the snapshot
 * @cpu_file: the one CPU that is read, or RING_BUFFER_ALL_CPUS
 * @iter_flags: enum trace_file_flags
 * @merge: for kernel/trace/output/ alone; NULL if there is but this entry
 * @ent: the entry
 * @lost_events: number of entries lost right before it
 * @ent_size: size of the entry in bytes: printers read no further
 * @cpu: where it was recorded
 * @ts: when it was recorded
 * @idx: number of entries before it
 * @seq: the text that the printers make
 * @tmp_seq: pieces of the line, for printers of trace events
 *
 * One that is all zero but for @ent can be printed from.
 */
struct trace_iterator {
	struct trace_array	*tr;
	struct tracer		*trace;
	void			*private;
	struct array_buffer	*array_buffer;
	int			cpu_file;
	unsigned long		iter_flags;
	struct trace_merge	*merge;

	struct trace_entry	*ent;
	unsigned long		lost_events;
	int			ent_size;
	int			cpu;
	u64			ts;
	long			idx;

	struct trace_seq	seq;
	struct trace_seq	tmp_seq;
};

/**
 * typedef trace_print_func - print an entry
 * @iter: where to, and the entry: @iter->ent
 * @flags: options of the instance
 * @event: its type
 *
 * May be called in any context: ftrace_dump() prints from an oops. It must not register or
 * unregister printers.
 */
typedef enum print_line_t (*trace_print_func)(struct trace_iterator *iter, int flags,
					      struct trace_event *event);

/**
 * struct trace_event_functions - the forms that an entry can be printed in
 * @trace: text
 * @raw: numbers
 * @hex: bytes in hexadecimal
 * @binary: bytes
 * @fields: each field with its name, for option fields
 *
 * NULL: in a form that fits all entries, which register_trace_event() fills in.
 */
struct trace_event_functions {
	trace_print_func	trace;
	trace_print_func	raw;
	trace_print_func	hex;
	trace_print_func	binary;
	trace_print_func	fields;
};

/**
 * struct trace_event - a type of entries
 * @type: the number that entries carry, up to 65535; 0: register_trace_event() gives it one
 * @funcs: how to print them
 */
struct trace_event {
	int				type;
	struct trace_event_functions	*funcs;
};

int register_trace_event(struct trace_event *event);
int unregister_trace_event(struct trace_event *event);

/**
 * trace_handle_return - what a printer returns
 * @s: what it printed to
 */
static inline enum print_line_t trace_handle_return(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE : TRACE_TYPE_HANDLED;
}

/*
 * Trace events. <trace/trace_events.h> makes these structures from TRACE_EVENT() and its
 * relatives; kernel/trace/events/ reads them.
 */

/**
 * enum trace_field_kind - how filters and printers treat a field
 * @FILTER_OTHER: a number, or bytes. Also what a definition says that leaves it to the type's text
 * @FILTER_STATIC_STRING: an array of characters in the record
 * @FILTER_DYN_STRING: a string behind the record, found by its offset from the record's begin
 * @FILTER_RDYN_STRING: such a string, found by its offset from the end of the field
 * @FILTER_PTR_STRING: the address of a string
 * @FILTER_TRACE_FN: the address of a function
 * @FILTER_CPUMASK: a mask of CPUs behind the record
 * @FILTER_COMM: the name of the current task; no field of a record
 * @FILTER_CPU: the current CPU; no field of a record
 * @FILTER_STACKTRACE: the stack; no field of a record
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
 *	behind the record: the field has their offset in its lower 16 bits, and their size in bytes
 *	in the upper ones
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
 * struct trace_event_class_ops - what a class does otherwise than a class of tracepoints
 * @prepare: called before the event is made known; may sleep. Return: 0 or negative errno, -ENOSYS
 *	to leave it out
 * @attach: begin to record the event; may sleep. Return: 0 or negative errno
 * @detach: stop that; may sleep
 * @field: get field @nr of the event, without the common ones. Return: false if it has fewer
 * @print_fmt: write the print format
 *
 * Each may be NULL; @attach and @detach only together.
 */
struct trace_event_class_ops {
	int	(*prepare)(struct trace_event_call *call);
	int	(*attach)(struct trace_event_call *call);
	void	(*detach)(struct trace_event_call *call);
	bool	(*field)(const struct trace_event_call *call, unsigned int nr,
			 struct trace_event_field *field);
	void	(*print_fmt)(const struct trace_event_call *call, struct seq_file *m);
};

/**
 * struct trace_event_class - what events with the same record share
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
	TRACE_EVENT_FL_CAP_ANY		= BIT(0),	/* perf: for own tasks of any user */
	TRACE_EVENT_FL_TRACEPOINT	= BIT(1),	/* @tp is valid, not @name */
	TRACE_EVENT_FL_KPROBE		= BIT(2),
	TRACE_EVENT_FL_UPROBE		= BIT(3),
	TRACE_EVENT_FL_DYNAMIC		= BIT(4),	/* made at run time */
	TRACE_EVENT_FL_TWO_TASKS	= BIT(5),	/* it is about another task, too: pids.c */
	TRACE_EVENT_FL_WAS_ON		= BIT(6),	/* a buffer may have its records */
};

/**
 * struct trace_event_call - a trace event
 * @class: its class
 * @name: its name
 * @tp: its tracepoint, which has the name
 * @event: number and printers
 * @print_fmt: print format and arguments, as text; names of enums are replaced when it is read
 * @data: the class's own
 * @flags: enum trace_event_flag
 * @other_pid: with TRACE_EVENT_FL_TWO_TASKS: offset of the other task's pid in the record
 * @module: the module that defines it; NULL: the kernel
 * @list: in the registry
 * @users: who takes its records; NULL: nobody
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
 * @users: who takes it; NULL: that instance, whatever the record has
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

/* For printers: the begin of a line, and its text. */
bool trace_raw_output_prep(struct trace_iterator *iter, struct trace_event *event,
			   unsigned int size);
__printf(2, 3) void trace_event_printf(struct trace_iterator *iter, const char *fmt, ...);
__printf(3, 4) enum print_line_t trace_output_call(struct trace_iterator *iter, const char *name,
						   const char *fmt, ...);

/* For printers: pieces of a line. They append to @p, and return where that begins. */
const char *trace_print_flags_seq(struct trace_seq *p, const char *delim, unsigned long flags,
				  const struct trace_print_flags *rows);
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long value,
				    const struct trace_print_flags *rows);
#if BITS_PER_LONG == 32
const char *trace_print_flags_seq_u64(struct trace_seq *p, const char *delim,
				      unsigned long long flags,
				      const struct trace_print_flags_u64 *rows);
const char *trace_print_symbols_seq_u64(struct trace_seq *p, unsigned long long value,
					const struct trace_print_flags_u64 *rows);
#endif
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool together);
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count, size_t size);
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix, int prefix_type,
				     int rowsize, int groupsize, const void *buf, size_t len,
				     bool ascii);

/* Likewise, to the pieces of @iter's line, as the options of its instance say. */
const char *trace_print_bitmask_seq(struct trace_iterator *iter, void *bitmask,
				    unsigned int size);

#ifdef CONFIG_EVENT_TRACING
int trace_set_clr_event(const char *system, const char *event, int set);
struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event);
void trace_put_event_file(struct trace_event_file *file);
#endif

#ifdef CONFIG_PERF_EVENTS
/* The largest record for perf, with its size before it. */
#define PERF_MAX_TRACE_SIZE	8192

/* Perf events at trace events: for kernel/events/core.c. */
int perf_trace_init(struct perf_event *event);
void perf_trace_destroy(struct perf_event *event);
int perf_trace_add(struct perf_event *event, int flags);
void perf_trace_del(struct perf_event *event, int flags);
void perf_trace_buf_update(void *record, u16 type);
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str);
void ftrace_profile_free_filter(struct perf_event *event);
int filter_match_preds(struct event_filter *filter, void *record);
int trace_event_get_offsets(struct trace_event_call *call);

/* Of kernel/events/core.c */
void perf_trace_run_bpf_submit(void *record, int size, int perf_context,
			       struct trace_event_call *call, u64 count, struct pt_regs *regs,
			       struct hlist_head *head, struct task_struct *task);
void perf_tp_event(u16 event_type, u64 count, void *record, int entry_size, struct pt_regs *regs,
		   struct hlist_head *head, int perf_context, struct task_struct *task);
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);
#endif

/*
 * BPF programs at events, tracepoints and probes: they cannot be attached yet.
 */
static inline bool bpf_prog_array_valid(const struct trace_event_call *call)
{
	return false;
}

static inline unsigned int trace_call_bpf(struct trace_event_call *call, void *context)
{
	return 1;
}

static inline int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog,
					     u64 bpf_cookie)
{
	return -EOPNOTSUPP;
}

static inline void perf_event_detach_bpf_prog(struct perf_event *event) { }

static inline int perf_event_query_prog_array(struct perf_event *event, void __user *info)
{
	return -EOPNOTSUPP;
}

static inline struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return NULL;
}

static inline void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp) { }

static inline int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id,
					  u32 *fd_type, const char **buf, u64 *probe_offset,
					  u64 *probe_addr, unsigned long *missed)
{
	return -EOPNOTSUPP;
}

static inline int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}

static inline int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}

#endif /* _LINUX_TRACE_EVENT_H */

/* For headers of custom events, where <trace/define_custom_trace.h> does not read them */
#ifndef TRACE_CUSTOM_EVENT
#define DECLARE_CUSTOM_EVENT_CLASS(...)
#define DEFINE_CUSTOM_EVENT(...)
#define TRACE_CUSTOM_EVENT(...)
#endif
