// SPDX-License-Identifier: GPL-2.0
/*
 * Recording an event: the first user that takes it has the record made in its buffer. Others get
 * copies of it before it is published.
 *
 * This is the hot path: it runs in any context, NMI and idle included, with preemption off, takes
 * no lock and allocates nothing. users.c says why the users that it finds are there.
 *
 * An event may occur while another one is being recorded, in what recording calls: the wake-up of
 * a reader sends an interrupt, for example. One such event is recorded, those inside of it are not:
 * TRACE_RECURSION_EVENT.
 */
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/string.h>

#include "../core/record.h"
#include "../ring_buffer/reserve.h"
#include "events.h"

/*
 * Does an instance take records now, if a bit of @ask is set? For an event about two tasks,
 * file_takes_tasks() compares the pids when the record is complete.
 */
static noinline bool file_asks(const struct trace_event_file *file, unsigned long ask)
{
	if (ask & BIT(TRACE_EVENT_ASK_SILENT))
		return false;
	return file->call->flags & TRACE_EVENT_FL_TWO_TASKS ||
	       trace_pids_allow(&file->tr->event_pids);
}

/* Does an instance take records now? */
static __always_inline bool file_takes(const struct trace_event_file *file)
{
	unsigned long ask;

	if (!file || !ring_buffer_fast_is_on_here(file->tr->array_buffer.buffer))
		return false;
	ask = READ_ONCE(file->ask);
	return likely(!ask) || file_asks(file, ask);
}

/* Does an instance take this record, which is complete? */
static bool file_takes_tasks(const struct trace_event_file *file, const void *entry)
{
	const struct trace_pids *pids = &file->tr->event_pids;

	return trace_pids_want(pids, current->pid) ||
	       trace_pids_want(pids, *(const int *)(entry + file->call->other_pid));
}

static __always_inline bool file_takes_entry(const struct trace_event_file *file,
					     const void *entry)
{
	if (likely(!(READ_ONCE(file->ask) & BIT(TRACE_EVENT_ASK_PIDS))) ||
	    !(file->call->flags & TRACE_EVENT_FL_TWO_TASKS))
		return true;
	return file_takes_tasks(file, entry);
}

/**
 * trace_event_buffer_wanted - does anybody take records of an event now?
 * @call: the event
 *
 * For probes that have to work out the size of a record.
 *
 * Context: that of a probe.
 * Return: false if a record would not be taken.
 */
notrace bool trace_event_buffer_wanted(const struct trace_event_call *call)
{
	struct trace_event_users *users = rcu_dereference_raw(call->users);
	unsigned int i;

	if (!users)
		return false;
	for (i = 0; i < users->nr; i++) {
		if (file_takes(READ_ONCE(users->file[i])))
			return true;
	}
	return READ_ONCE(users->perf);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_wanted);

/* Find the first instance that takes the record, and reserve it there. */
static __always_inline void *reserve_in_instance(struct trace_event_buffer *record)
{
	struct trace_event_users *users = record->users;
	struct trace_event_file *file;
	unsigned int i;

	for (i = 0; i < users->nr; i++) {
		file = READ_ONCE(users->file[i]);
		if (!file_takes(file))
			continue;
		record->event = trace_reserve_event(file->tr, record->call->event.type,
						    record->size, record->context);
		if (likely(record->event)) {
			record->file = file;
			record->taker = i;
			return ring_buffer_event_data(record->event);
		}
	}
	return NULL;
}

/**
 * trace_event_buffer_reserve - begin a record
 * @record: with its first members set
 * @size: bytes of the whole record
 *
 * Context: that of a probe.
 * Return: the record with its header filled in, to be completed and passed to
 * trace_event_buffer_commit(); NULL if nobody takes it.
 */
notrace void *trace_event_buffer_reserve(struct trace_event_buffer *record, unsigned int size)
{
	struct trace_event_users *users = rcu_dereference_raw(record->call->users);

	/* The places of data in a record are words of 16 bits. */
	if (unlikely(!users || size > U16_MAX))
		return NULL;
	record->recursion = trace_recursion_enter(TRACE_RECURSION_EVENT);
	if (unlikely(record->recursion < 0))
		return NULL;
	record->users = users;
	record->file = NULL;
	record->size = size;
	/* Without the preempt_disable() of the tracepoint. */
	record->context = trace_context(preempt_count() - PREEMPT_DISABLE_OFFSET);
	record->entry = reserve_in_instance(record);
	if (!record->entry && READ_ONCE(users->perf))
		record->entry = trace_event_perf_reserve(record);
	if (!record->entry)
		trace_recursion_leave(record->recursion);
	return record->entry;
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve);

static __always_inline void record_stacks(struct trace_array *tr,
					  const struct trace_event_buffer *record)
{
	if (unlikely(trace_option(tr, TRACE_OPT_STACKTRACE)))
		trace_record_stack_from(tr, record->context, record->ip, 0);
	if (unlikely(trace_option(tr, TRACE_OPT_USERSTACKTRACE)))
		trace_record_user_stack(tr, record->context);
}

static void record_copy(const struct trace_event_buffer *record, struct trace_event_file *file)
{
	struct ring_buffer_event *event;
	void *entry;

	event = ring_buffer_lock_reserve(file->tr->array_buffer.buffer, record->size);
	if (!event)
		return;
	entry = ring_buffer_event_data(event);
	memcpy(entry, record->entry, record->size);
	trace_export(entry, record->size, TRACE_EXPORT_KIND_EVENT);
	trace_commit(file->tr);
	record_stacks(file->tr, record);
}

/* Give copies to the other users. */
static void record_copies(struct trace_event_buffer *record)
{
	struct trace_event_users *users = record->users;
	struct trace_event_file *file;
	unsigned int i;

	for (i = record->taker + 1; i < users->nr; i++) {
		file = READ_ONCE(users->file[i]);
		if (file_takes(file) && file_takes_entry(file, record->entry))
			record_copy(record, file);
	}
	if (READ_ONCE(users->perf))
		trace_event_perf_submit(record);
}

/* Publish the record in the buffer where it was made. */
static __always_inline void record_publish(struct trace_event_buffer *record)
{
	struct trace_array *tr = record->file->tr;

	if (unlikely(!file_takes_entry(record->file, record->entry))) {
		ring_buffer_discard_commit(tr->array_buffer.buffer, record->event);
		return;
	}
	if (static_branch_unlikely(&trace_console_wanted))
		trace_event_console(record);
	trace_export(record->entry, record->size, TRACE_EXPORT_KIND_EVENT);
	trace_commit(tr);
	record_stacks(tr, record);
}

/**
 * trace_event_buffer_commit - give a record to all that take it
 * @record: from trace_event_buffer_reserve(), complete
 *
 * Context: that of a probe, on the same CPU as trace_event_buffer_reserve().
 */
notrace void trace_event_buffer_commit(struct trace_event_buffer *record)
{
	struct trace_event_users *users = record->users;

	if (unlikely(!record->file)) {
		trace_event_perf_submit(record);
	} else {
		if (unlikely(record->taker + 1 < users->nr || READ_ONCE(users->perf)))
			record_copies(record);
		record_publish(record);
	}
	trace_recursion_leave(record->recursion);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_commit);
