/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording an entry: code that is common to all writers into an instance's buffer.
 *
 * All of it is part of the hot path: it runs in any context, NMI and idle included, takes no
 * lock, allocates no memory, and calls no function that is traced.
 */
#ifndef _TRACE_CORE_RECORD_H
#define _TRACE_CORE_RECORD_H

#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/trace_events.h>
#include <linux/trace_recursion.h>

#include "entries.h"
#include "instance.h"
#include "tracer.h"

/* The depths of preempt_disable() and of migrate_disable() take 4 bits each. */
#define TRACE_DEPTH_MAX		15
#define TRACE_MIGRATE_SHIFT	4

/*
 * A bit of task_struct.trace_recursion, which otherwise has the bits of callbacks. It says that
 * the task has recorded something since it was scheduled in: saved_cmdlines.c has to store its
 * name when it leaves the CPU. If an interrupt sets the bit while the interrupted code changes
 * the word, the bit may get lost. The interrupted code is a callback then, which most likely
 * records, too, and sets the bit again.
 */
#define TRACE_TASK_RECORDED	BIT(TRACE_RECURSION_LAST)

/*
 * The flags for interrupts and softirqs. Most contexts have none of them, and do not call this.
 */
static inline unsigned int trace_context_interrupts(unsigned int count)
{
	return (count & NMI_MASK ? TRACE_FLAG_NMI : 0) |
	       (count & HARDIRQ_MASK ? TRACE_FLAG_HARDIRQ : 0) |
	       (count & SOFTIRQ_OFFSET ? TRACE_FLAG_SOFTIRQ : 0) |
	       ((count & SOFTIRQ_MASK) >= SOFTIRQ_DISABLE_OFFSET ? TRACE_FLAG_BH_OFF : 0);
}

static __always_inline unsigned int trace_migrate_depth(void)
{
#ifdef CONFIG_SMP
	return min_t(unsigned int, current->migration_disabled, TRACE_DEPTH_MAX);
#else
	return 0;
#endif
}

/**
 * trace_context - get the flags and depths that an entry stores
 * @count: preempt_count() before the tracer changed it
 *
 * Context: any.
 * Return: trace_entry::flags, and above them trace_entry::preempt_count.
 */
static __always_inline unsigned int trace_context(unsigned int count)
{
	unsigned int depth = min_t(unsigned int, count & PREEMPT_MASK, TRACE_DEPTH_MAX);
	unsigned int flags = raw_irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0;

	/* With PREEMPT_RT the softirq count is the task's, and not part of preempt_count(). */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		count |= softirq_count();
	if (unlikely(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)))
		flags |= trace_context_interrupts(count);
	if (tif_need_resched())
		flags |= TRACE_FLAG_NEED_RESCHED;
	if (test_preempt_need_resched())
		flags |= TRACE_FLAG_PREEMPT_RESCHED;
	depth |= trace_migrate_depth() << TRACE_MIGRATE_SHIFT;
	return flags | depth << 8;
}

/* Fill in flags and depths. @context: from trace_context() */
static __always_inline void trace_entry_set_context(struct trace_entry *ent, unsigned int context)
{
	ent->flags = context;
	ent->preempt_count = context >> 8;
}

/* Fill in the fields that all records have. */
static __always_inline void trace_entry_init(struct trace_entry *ent, unsigned short type,
					     unsigned int context)
{
	ent->type = type;
	trace_entry_set_context(ent, context);
	ent->pid = current->pid;
}

/* Like trace_reserve(), but return the event; ring_buffer_event_data() is the record. */
static inline struct ring_buffer_event *
trace_reserve_event(struct trace_array *tr, unsigned short type, size_t len, unsigned int context)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(tr->array_buffer.buffer, len);
	if (event)
		trace_entry_init(ring_buffer_event_data(event), type, context);
	return event;
}

/**
 * trace_reserve - reserve space for a record, and fill in its header
 * @tr: the instance
 * @type: enum trace_entry_number
 * @len: length of the whole record, in bytes
 * @context: from trace_context()
 *
 * ring_buffer_lock_reserve() disables preemption, and trace_commit() enables it again. If this
 * returns NULL, preemption is as it was before. The hottest paths use the inline functions of
 * ring_buffer/reserve.h instead.
 *
 * Context: any.
 * Return: the record; NULL if recording is off or the buffer is full.
 */
static inline void *trace_reserve(struct trace_array *tr, unsigned short type, size_t len,
				  unsigned int context)
{
	struct ring_buffer_event *event = trace_reserve_event(tr, type, len, context);

	return event ? ring_buffer_event_data(event) : NULL;
}

/* Commit the record that trace_reserve() returned. */
static inline void trace_commit(struct trace_array *tr)
{
	current->trace_recursion |= TRACE_TASK_RECORDED;
	ring_buffer_unlock_commit(tr->array_buffer.buffer);
}

/* The kinds of entries that export.c copies. The values are bit numbers of trace_export::flags. */
enum trace_export_kind {
	TRACE_EXPORT_KIND_FUNCTION,
	TRACE_EXPORT_KIND_EVENT,
	TRACE_EXPORT_KIND_MARKER,
	TRACE_EXPORT_KINDS
};

/* kernel.tracepoint_printk is on: trace events go to the console, too. */
extern struct static_key_false trace_console_wanted;

extern struct static_key_false trace_export_wanted[TRACE_EXPORT_KINDS];

void trace_export_entry(const void *entry, unsigned int size, enum trace_export_kind kind);

/* Copy an entry to its exporters: after it is complete, before it is committed. */
static __always_inline void trace_export(const void *entry, unsigned int size,
					 enum trace_export_kind kind)
{
	if (static_branch_unlikely(&trace_export_wanted[kind]))
		trace_export_entry(entry, size, kind);
}

/* Per-CPU memory for text or addresses that are copied into a record later: scratch.c. */
#define TRACE_SCRATCH_SIZE	1024

void *trace_scratch_get(void);
void trace_scratch_put(void);

/* @skip: number of innermost functions to leave out, trace_record_stack() itself included. */
void trace_record_stack(struct trace_array *tr, unsigned int context, int skip);
void trace_record_stack_from(struct trace_array *tr, unsigned int context, unsigned long from,
			     unsigned int size);

void trace_record_user_stack(struct trace_array *tr, unsigned int context);

/* Record the stacks that the options of @tr ask for. Called after a record is committed. */
static inline void trace_record_stack_option(struct trace_array *tr, unsigned int context)
{
	if (unlikely(trace_option(tr, TRACE_OPT_STACKTRACE)))
		trace_record_stack(tr, context, 1);
	if (unlikely(trace_option(tr, TRACE_OPT_USERSTACKTRACE)))
		trace_record_user_stack(tr, context);
}

#endif /* _TRACE_CORE_RECORD_H */
