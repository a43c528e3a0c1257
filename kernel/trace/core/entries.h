/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records that tracing itself writes: their numbers, and the structs that are
 * filled in and printed. The layout is ABI: tools read it from
 * events/ftrace/NAME/format, or know it.
 */
#ifndef _TRACE_CORE_ENTRIES_H
#define _TRACE_CORE_ENTRIES_H

#include <linux/bitops.h>
#include <linux/trace_events.h>

/**
 * enum trace_flag_type - trace_entry::flags
 * @TRACE_FLAG_IRQS_OFF: interrupts are off
 * @TRACE_FLAG_NEED_RESCHED_LAZY: a switch is wanted at the next occasion
 * @TRACE_FLAG_NEED_RESCHED: a switch is wanted: the task's flag
 * @TRACE_FLAG_HARDIRQ: in an interrupt
 * @TRACE_FLAG_SOFTIRQ: in a softirq
 * @TRACE_FLAG_PREEMPT_RESCHED: a switch is wanted: preempt_count()'s flag
 * @TRACE_FLAG_NMI: in an NMI
 * @TRACE_FLAG_BH_OFF: softirqs are off
 */
enum trace_flag_type {
	TRACE_FLAG_IRQS_OFF		= BIT(0),
	TRACE_FLAG_NEED_RESCHED_LAZY	= BIT(1),
	TRACE_FLAG_NEED_RESCHED		= BIT(2),
	TRACE_FLAG_HARDIRQ		= BIT(3),
	TRACE_FLAG_SOFTIRQ		= BIT(4),
	TRACE_FLAG_PREEMPT_RESCHED	= BIT(5),
	TRACE_FLAG_NMI			= BIT(6),
	TRACE_FLAG_BH_OFF		= BIT(7),
};

/**
 * enum trace_entry_number - trace_entry::type
 * @TRACE_FN: a function was called
 * @TRACE_CTX: a CPU switches to another task
 * @TRACE_WAKE: a task was woken
 * @TRACE_STACK: the kernel stack
 * @TRACE_PRINT: text
 * @TRACE_BPRINT: a format and its arguments in binary
 * @TRACE_GRAPH_RETADDR_ENT: as @TRACE_GRAPH_ENT, with the caller. Newer kernels number it
 *	otherwise, which would shift those behind it; this one has been x86's
 * @TRACE_GRAPH_RET: a function returned
 * @TRACE_GRAPH_ENT: a function was called, and its return may follow
 * @TRACE_USER_STACK: the stack of the user's program
 * @TRACE_BPUTS: a constant string
 * @TRACE_HWLAT: hardware or firmware took time
 * @TRACE_RAW_DATA: what user space wrote to trace_marker_raw
 * @TRACE_FUNC_REPEATS: a function was called again
 * @TRACE_FIRST_EVENT_TYPE: trace events begin here
 */
enum trace_entry_number {
	TRACE_FN		= 1,
	TRACE_CTX		= 2,
	TRACE_WAKE		= 3,
	TRACE_STACK		= 4,
	TRACE_PRINT		= 5,
	TRACE_BPRINT		= 6,
	TRACE_GRAPH_RETADDR_ENT	= 7,
	TRACE_GRAPH_RET		= 10,
	TRACE_GRAPH_ENT		= 11,
	TRACE_USER_STACK	= 12,
	TRACE_BPUTS		= 14,
	TRACE_HWLAT		= 15,
	TRACE_RAW_DATA		= 18,
	TRACE_FUNC_REPEATS	= 19,
	TRACE_FIRST_EVENT_TYPE	= 20,
};

/**
 * struct function_entry - a function was called
 * @ent: what all have
 * @ip: its call site
 * @parent_ip: where it was called from
 */
struct function_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
};

/**
 * struct graph_call_entry - a function was called, and its return may follow
 * @ent: what all have
 * @func: its call site
 * @depth: how many calls of the task that are recorded are under way
 */
struct graph_call_entry {
	struct trace_entry	ent;
	unsigned long		func;
	int			depth;
} __packed __aligned(4);

/**
 * enum graph_part - what else there may be in a call's entry, in this order
 * @GRAPH_PART_RETADDR: where it returns to: in all of TRACE_GRAPH_RETADDR_ENT, and only there
 * @GRAPH_PART_TIME: when the function was called, as the entry was recorded later
 * @GRAPH_PART_ARGS: GRAPH_NR_ARGS argument registers, whatever the function makes of them
 */
enum graph_part {
	GRAPH_PART_RETADDR	= BIT(0),
	GRAPH_PART_TIME		= BIT(1),
	GRAPH_PART_ARGS		= BIT(2),
};

#define GRAPH_NR_ARGS		6

/* All parts have so many words. */
#define GRAPH_WORDS_MAX		(2 + GRAPH_NR_ARGS)

/**
 * struct graph_long_entry - a call with more about it
 * @call: what tools know; they pass over the rest
 * @parts: what there is: enum graph_part
 * @word: that
 */
struct graph_long_entry {
	struct graph_call_entry	call;
	u32			parts;
	u64			word[];
};

/**
 * graph_part - find a part of a call's entry
 * @entry: of either type
 * @size: of the entry. A short one may end behind padding, a long one has a word at least
 * @part: which
 *
 * Return: its first word, NULL: it is not there.
 */
static inline const u64 *graph_part(const void *entry, unsigned int size, enum graph_part part)
{
	const struct graph_long_entry *call = entry;

	if (size <= sizeof(*call) || !(call->parts & part))
		return NULL;
	return call->word + hweight32(call->parts & (part - 1));
}

/**
 * struct graph_return_entry - a function returned
 * @ent: what all have
 * @func: its call site
 * @retval: what its first return register held
 * @depth: as it was recorded for its call
 * @overrun: how many calls of the task could not be seen, as it was too deep in others
 * @calltime: when the function was called
 * @rettime: when it returned
 */
struct graph_return_entry {
	struct trace_entry	ent;
	unsigned long		func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	unsigned long		retval;
#endif
	int			depth;
	unsigned int		overrun;
	unsigned long long	calltime;
	unsigned long long	rettime;
};

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
static inline unsigned long graph_return_value(const struct graph_return_entry *entry)
{
	return entry->retval;
}
#else
static inline unsigned long graph_return_value(const struct graph_return_entry *entry)
{
	return 0;
}
#endif

/**
 * struct sched_entry - from one task to another: a switch, or a wake-up
 * @ent: what all have
 * @prev_pid: who ran, or woke
 * @next_pid: who is to run, or was woken
 * @next_cpu: where
 * @prev_prio: how urgent it was; 0 is most
 * @prev_state: what it does from now on, as task_index_to_char() has it
 * @next_prio: of the other
 * @next_state: of the other
 */
struct sched_entry {
	struct trace_entry	ent;
	unsigned int		prev_pid;
	unsigned int		next_pid;
	unsigned int		next_cpu;
	unsigned char		prev_prio;
	unsigned char		prev_state;
	unsigned char		next_prio;
	unsigned char		next_state;
};

/**
 * struct stack_entry - the kernel stack
 * @ent: what all have
 * @size: number of callers
 * @caller: return addresses, the innermost first
 */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

/* As many callers as a user_stack_entry has. */
#define TRACE_USER_STACK_MAX	8

/**
 * struct user_stack_entry - the stack of the user's program
 * @ent: what all have
 * @tgid: whose addresses these are
 * @caller: addresses, the innermost first; 0 where there are no more
 */
struct user_stack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[TRACE_USER_STACK_MAX];
};

/**
 * struct print_entry - text
 * @ent: what all have
 * @ip: who wrote it
 * @buf: the text, with its NUL
 */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/**
 * struct bprint_entry - a format and its arguments
 * @ent: what all have
 * @ip: who wrote it
 * @fmt: the format
 * @buf: the arguments, as vbin_printf() makes them
 */
struct bprint_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*fmt;
	u32			buf[];
};

/**
 * struct bputs_entry - a constant string
 * @ent: what all have
 * @ip: who wrote it
 * @str: the string
 */
struct bputs_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*str;
};

/**
 * struct raw_data_entry - what user space wrote to trace_marker_raw
 * @ent: what all have
 * @id: the first four bytes
 * @buf: and the others
 */
struct raw_data_entry {
	struct trace_entry	ent;
	unsigned int		id;
	char			buf[];
};

/**
 * struct hwlat_entry - hardware or firmware took time
 * @ent: what all have
 * @duration: longest time between two readings of the clock, in us
 * @outer_duration: longest time between two such pairs, in us
 * @nmi_total_ts: how long NMIs took meanwhile, in us
 * @tv_sec: when it was for the first time: seconds
 * @tv_nsec: and nanoseconds
 * @nmi_count: how many NMIs there were
 * @seqnum: number of the record
 * @count: how often it was
 */
struct hwlat_entry {
	struct trace_entry	ent;
	u64			duration;
	u64			outer_duration;
	u64			nmi_total_ts;
	s64			tv_sec;
	long			tv_nsec;
	unsigned int		nmi_count;
	unsigned int		seqnum;
	unsigned int		count;
};

/**
 * struct func_repeats_entry - a function was called again, by the same caller
 * @ent: what all have
 * @ip: its call site
 * @parent_ip: where it was called from
 * @count: how often
 * @top_delta_ts: how long before this record the last of these calls was: high bits
 * @bottom_delta_ts: low bits
 */
struct func_repeats_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u16			count;
	u16			top_delta_ts;
	u32			bottom_delta_ts;
};

#endif /* _TRACE_CORE_ENTRIES_H */
