/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording an entry: what all that write into an instance's buffer share.
 *
 * Everything here is part of the hot path: any context, NMI and idle included,
 * no lock, no allocation, nothing that is traced.
 */
#ifndef _TRACE_CORE_RECORD_H
#define _TRACE_CORE_RECORD_H

#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/trace_events.h>
#include <linux/trace_recursion.h>

#include "entries.h"
#include "instance.h"
#include "tracer.h"

/* The depth of preempt_disable() and that of migrate_disable() have 4 bits each. */
#define TRACE_DEPTH_MAX		15
#define TRACE_MIGRATE_SHIFT	4

/*
 * In task_struct.trace_recursion, beside the bits that it has for callbacks: the
 * task recorded something since it began to run, so its name is to be remembered
 * when it leaves the CPU (saved_cmdlines.c). An interrupt that records while its victim
 * changes the word is in danger of being forgotten here; but then the victim is a
 * callback, which most likely records, too.
 */
#define TRACE_TASK_RECORDED	BIT(TRACE_RECURSION_LAST)

/* Interrupt bits of the context: rarely needed, so not in the way. */
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
 * trace_context - the state that an entry remembers
 * @count: preempt_count() as it was before the tracer changed it
 *
 * Return: trace_entry::flags, and above them trace_entry::preempt_count.
 */
static __always_inline unsigned int trace_context(unsigned int count)
{
	unsigned int depth = min_t(unsigned int, count & PREEMPT_MASK, TRACE_DEPTH_MAX);
	unsigned int flags = raw_irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0;

	/* There softirqs are tasks', and counted with these. */
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

/* Fill in what is the same in all records. */
static __always_inline void trace_entry_init(struct trace_entry *ent, unsigned short type,
					     unsigned int context)
{
	ent->type = type;
	ent->flags = context;
	ent->preempt_count = context >> 8;
	ent->pid = current->pid;
}

/**
 * trace_reserve - make room for a record and begin it
 * @tr: the instance
 * @type: enum trace_entry_number
 * @len: of the whole record
 * @context: from trace_context()
 *
 * Preemption is off from here to trace_commit(). For records of fixed size on the
 * hottest paths there is ring_buffer/reserve.h.
 *
 * Return: the record, or NULL if nothing is being recorded or there is no room.
 */
static inline void *trace_reserve(struct trace_array *tr, unsigned short type, size_t len,
				  unsigned int context)
{
	struct ring_buffer_event *event;
	struct trace_entry *record;

	event = ring_buffer_lock_reserve(tr->array_buffer.buffer, len);
	if (!event)
		return NULL;
	record = ring_buffer_event_data(event);
	trace_entry_init(record, type, context);
	return record;
}

/* The same for who has to know the event: its record is ring_buffer_event_data(). */
static inline struct ring_buffer_event *
trace_reserve_event(struct trace_array *tr, unsigned short type, size_t len, unsigned int context)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(tr->array_buffer.buffer, len);
	if (event)
		trace_entry_init(ring_buffer_event_data(event), type, context);
	return event;
}

/* The record from trace_reserve() is complete. */
static inline void trace_commit(struct trace_array *tr)
{
	current->trace_recursion |= TRACE_TASK_RECORDED;
	ring_buffer_unlock_commit(tr->array_buffer.buffer);
}

/*
 * Copies of entries for others: export.c. Numbers of the flags of struct trace_export.
 */
enum trace_export_kind {
	TRACE_EXPORT_KIND_FUNCTION,
	TRACE_EXPORT_KIND_EVENT,
	TRACE_EXPORT_KIND_MARKER,
	TRACE_EXPORT_KINDS
};

extern struct static_key_false trace_export_wanted[TRACE_EXPORT_KINDS];

void trace_export_entry(const void *entry, unsigned int size, enum trace_export_kind kind);

/* After an entry was filled in and before it is committed. */
static __always_inline void trace_export(const void *entry, unsigned int size,
					 enum trace_export_kind kind)
{
	if (static_branch_unlikely(&trace_export_wanted[kind]))
		trace_export_entry(entry, size, kind);
}

/* Room for text or addresses until they can be copied into a record: scratch.c. */
#define TRACE_SCRATCH_SIZE	1024

void *trace_scratch_get(void);
void trace_scratch_put(void);

/*
 * @skip functions nearest to the caller are left out, itself included.
 */
void trace_record_stack(struct trace_array *tr, unsigned int context, int skip);
void trace_record_stack_from(struct trace_array *tr, unsigned int context, unsigned long from,
			     unsigned int size);

void trace_record_user_stack(struct trace_array *tr, unsigned int context);

/* After a record that options want stacks for. */
static inline void trace_record_stack_option(struct trace_array *tr, unsigned int context)
{
	if (unlikely(trace_option(tr, TRACE_OPT_STACKTRACE)))
		trace_record_stack(tr, context, 1);
	if (unlikely(trace_option(tr, TRACE_OPT_USERSTACKTRACE)))
		trace_record_user_stack(tr, context);
}

#endif /* _TRACE_CORE_RECORD_H */
