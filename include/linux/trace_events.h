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
struct bpf_raw_event_map;
struct bpf_raw_tp_link;
union bpf_attr;
struct trace_array;
struct trace_event;
struct trace_event_call;
struct trace_event_class;
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
 * @ent_size: size of the entry
 * @cpu: where it was recorded
 * @ts: when it was recorded
 * @idx: number of entries before it
 * @seq: the text that the printers make
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
 *
 * NULL: in a form that fits all entries, which register_trace_event() fills in.
 */
struct trace_event_functions {
	trace_print_func	trace;
	trace_print_func	raw;
	trace_print_func	hex;
	trace_print_func	binary;
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

/* Of kernel/events/core.c */
#ifdef CONFIG_PERF_EVENTS
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);
#endif

/*
 * BPF programs at events, tracepoints and probes: there are none to attach to.
 */
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
