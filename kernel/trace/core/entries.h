/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entries that tracing itself records: the numbers of their types and their structs, which
 * are made from entry_list.h, and data that may follow a struct in the entry.
 */
#ifndef _TRACE_CORE_ENTRIES_H
#define _TRACE_CORE_ENTRIES_H

#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/trace_events.h>

/**
 * enum trace_flag_type - trace_entry::flags
 * @TRACE_FLAG_IRQS_OFF: interrupts are off
 * @TRACE_FLAG_NEED_RESCHED_LAZY: lazy preemption was requested; this kernel never sets it
 * @TRACE_FLAG_NEED_RESCHED: the task's TIF_NEED_RESCHED is set
 * @TRACE_FLAG_HARDIRQ: in an interrupt
 * @TRACE_FLAG_SOFTIRQ: in a softirq
 * @TRACE_FLAG_PREEMPT_RESCHED: preempt_count() says that a task switch is needed
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

/* trace_entry::type */
enum trace_entry_number {
#define ENTRY_TYPE(symbol, number, ...)	symbol = number,
#include "entry_list.h"
	TRACE_FIRST_EVENT_TYPE		/* trace events begin here */
};

#define FIELD(type, name)	type name;
#define ARRAY(type, name, n)	type name[n];
#define TAIL(type, name)	type name[];
#define TAIL_OF(type, name, n)	type name[];
#define HIDDEN(type, name)	type name;
#define ENTRY_STRUCT(entry, fields, ...)	\
struct entry {					\
	struct trace_entry ent;			\
	fields					\
} __VA_ARGS__;
#include "entry_list.h"

/* The number of callers in a user_stack_entry. */
#define TRACE_USER_STACK_MAX	ARRAY_SIZE(((struct user_stack_entry *)NULL)->caller)

/**
 * enum graph_part - optional parts of a call's entry, in the order in which they are stored
 * @GRAPH_PART_RETADDR: return address of the call; every TRACE_GRAPH_RETADDR_ENT has it, and no
 *	TRACE_GRAPH_ENT
 * @GRAPH_PART_TIME: time of the call; in entries that are recorded later than the call
 * @GRAPH_PART_ARGS: GRAPH_NR_ARGS argument registers, also if the function has fewer arguments
 */
enum graph_part {
	GRAPH_PART_RETADDR	= BIT(0),
	GRAPH_PART_TIME		= BIT(1),
	GRAPH_PART_ARGS		= BIT(2),
};

#define GRAPH_NR_ARGS		6

/* Number of words of all parts together. */
#define GRAPH_WORDS_MAX		(2 + GRAPH_NR_ARGS)

/**
 * struct graph_long_entry - the entry of a call, with optional parts
 * @call: the members that tools know; tools skip the other members
 * @parts: mask of the parts in the entry: enum graph_part
 * @word: the parts
 */
struct graph_long_entry {
	struct graph_call_entry	call;
	u32			parts;
	u64			word[];
};

/* Where tools expect the first part of a TRACE_GRAPH_RETADDR_ENT. */
static_assert(offsetof(struct graph_long_entry, word) ==
	      offsetof(struct graph_retaddr_entry, retaddr));

/**
 * graph_part - find a part of a call's entry
 * @entry: an entry of type TRACE_GRAPH_ENT or TRACE_GRAPH_RETADDR_ENT
 * @size: bytes of the entry. An entry without parts may have padding up to the size of struct
 *	graph_long_entry; an entry with parts is larger
 * @part: the part to find
 *
 * Context: any.
 * Return: the first word of the part; NULL if the entry does not have the part.
 */
static inline const u64 *graph_part(const void *entry, unsigned int size, enum graph_part part)
{
	const struct graph_long_entry *call = entry;

	if (size <= sizeof(*call) || !(call->parts & part))
		return NULL;
	return call->word + hweight32(call->parts & (part - 1));
}

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
/* The value that a function returned, where that is recorded. */
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

#endif /* _TRACE_CORE_ENTRIES_H */
