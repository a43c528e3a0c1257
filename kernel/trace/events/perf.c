// SPDX-License-Identifier: GPL-2.0
/*
 * perf events at trace events: perf_event_open() with type PERF_TYPE_TRACEPOINT and the event's
 * number.
 *
 * An event has a list of perf events for each CPU while there is at least one. A record is copied
 * to perf's memory of this CPU and context, and handed to all perf events in the list.
 *
 * perf may drop its last reference to a perf event, and so destroy it, while it holds the mmap lock
 * of a process. trace_event_mutex is outside of locks that are held while user space is accessed.
 * So a worker does the rest.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched/task_stack.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "../core/entries.h"
#include "../core/record.h"
#include "events.h"
#include "fields.h"
#include "filter/filter.h"
#include "match.h"
#include "perf.h"

/*
 * Recording
 */

static struct hlist_head *perf_list(const struct trace_event_buffer *record)
{
	struct hlist_head __percpu *events;

	/* Pairs with perf_attach(): whoever finds the lists finds the memory for records, too. */
	events = smp_load_acquire(&record->call->perf_events);
	return events ? this_cpu_ptr(events) : NULL;
}

/* Is the record wanted? The task that it is about may have perf events of its own. */
static bool perf_is_wanted(const struct trace_event_buffer *record)
{
	struct hlist_head *head = perf_list(record);

	return head && (!hlist_empty(head) || record->task);
}

/* Get memory for a record. Context: any, with preemption off until it is submitted. */
static void *perf_buffer(struct trace_event_buffer *record)
{
	void *memory = trace_perf_memory_get(record->size, &record->perf_context);

	if (memory)
		record->regs = this_cpu_ptr(&__perf_regs[record->perf_context]);
	return memory;
}

/*
 * Return the registers of a sample: the program's registers, or the registers in the probe, where
 * the call chain begins. The architecture's macro would take the frame of this function, so the
 * builtin is replaced.
 */
static struct pt_regs *perf_sample_regs(const struct trace_event_buffer *record)
{
	struct pt_regs *regs = record->regs;

	if (trace_event_is_of_program(record->call))
		return task_pt_regs(current);
#define __builtin_frame_address(...)	record->frame
	perf_arch_fetch_caller_regs(regs, record->ip);
#undef __builtin_frame_address
	return regs;
}

static void perf_submit(struct trace_event_buffer *record, void *entry)
{
	perf_trace_run_bpf_submit(entry, trace_perf_size(record->size), record->perf_context,
				  record->call, record->count, perf_sample_regs(record),
				  perf_list(record), record->task);
}

/**
 * trace_event_perf_reserve - begin a record that only perf takes
 * @record: the record
 *
 * Context: any, NMI and idle included; preemption off.
 * Return: the record, for trace_event_perf_submit(); NULL if perf does not take it.
 */
void *trace_event_perf_reserve(struct trace_event_buffer *record)
{
	struct trace_entry *entry = perf_is_wanted(record) ? perf_buffer(record) : NULL;

	if (entry)
		trace_entry_init(entry, record->call->event.type, record->context);
	return entry;
}

/**
 * trace_event_perf_submit - give a complete record to perf
 * @record: the record: from trace_event_perf_reserve(), or made elsewhere
 *
 * Context: any, NMI and idle included; preemption off.
 */
void trace_event_perf_submit(struct trace_event_buffer *record)
{
	void *entry = record->entry;

	if (!record->regs) {
		entry = perf_is_wanted(record) ? perf_buffer(record) : NULL;
		if (!entry)
			return;
		memcpy(entry, record->entry, record->size);
	}
	perf_submit(record, entry);
}

/**
 * perf_trace_buf_update - fill in the header of a record
 * @record: the record, whose header a BPF program's context may have overwritten
 * @type: number of the event
 *
 * Context: any, NMI and idle included; preemption off.
 */
void perf_trace_buf_update(void *record, u16 type)
{
	/* Do not count the preempt_disable() of the tracepoint. */
	trace_entry_init(record, type, trace_context(preempt_count() - PREEMPT_DISABLE_OFFSET));
}

/*
 * Opening and closing
 */

/* May the caller have records of tasks, or only count? */
static int perf_check_sampling(const struct trace_event_call *call, const struct perf_event *event)
{
	if (!(event->attr.sample_type & PERF_SAMPLE_RAW))
		return 0;
	if (event->attach_state == PERF_ATTACH_TASK && call->flags & TRACE_EVENT_FL_CAP_ANY)
		return 0;
	return perf_allow_tracepoint();
}

static int perf_check_permission(struct trace_event_call *call, struct perf_event *event)
{
	int err = call->perf_perm ? call->perf_perm(call, event) : 0;

	if (err)
		return err;
	/* Children of a perf event that was allowed are allowed. */
	return event->parent ? 0 : perf_check_sampling(call, event);
}

static int perf_attach(struct trace_event_call *call)
{
	struct hlist_head __percpu *events;
	int cpu, err = trace_perf_memory_alloc();

	if (err)
		return err;
	events = alloc_percpu(struct hlist_head);
	if (!events)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		INIT_HLIST_HEAD(per_cpu_ptr(events, cpu));
	/* Pairs with perf_list(). */
	smp_store_release(&call->perf_events, events);
	err = trace_event_users_add_perf(call);
	if (err) {
		WRITE_ONCE(call->perf_events, NULL);
		free_percpu(events);
	}
	return err;
}

static int perf_open(struct trace_event_call *call, struct perf_event *event)
{
	int err = perf_check_permission(call, event);

	if (!err && !call->perf_users)
		err = perf_attach(call);
	if (err)
		return err;
	call->perf_users++;
	event->tp_event = call;
	return 0;
}

/* perf lists ftrace:print, which has a file "id", and so may open it. It never gets a record. */
static int perf_marker_open(struct perf_event *event)
{
	event->tp_event = &trace_marker_call;
	return perf_check_permission(event->tp_event, event);
}

/**
 * perf_trace_init - attach a perf event to the event whose number is in its attributes
 * @event: the perf event
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if there is no such event, or its module is being loaded or unloaded; -EPERM
 * or -EACCES if the caller may not; -ENOMEM; for ftrace:function what trace_perf_function_open()
 * returns.
 */
int perf_trace_init(struct perf_event *event)
{
	struct trace_event_call *call;
	int err;

	if (event->attr.config > U16_MAX)
		return -EINVAL;
	if (event->attr.config == TRACE_FN)
		return trace_perf_function_open(event);
	if (event->attr.config == TRACE_PRINT)
		return perf_marker_open(event);
	guard(mutex)(&trace_event_mutex);
	call = trace_event_by_number(event->attr.config);
	if (!call || !trace_event_keep(call))
		return -EINVAL;
	err = perf_open(call, event);
	if (err)
		module_put(call->module);
	return err;
}

/*
 * Account for the perf events that were closed. Their module may go afterwards. Return true if
 * these were the last ones: then no probe begins to use the lists any more.
 */
static bool perf_close(struct trace_event_call *call)
{
	int closed = atomic_xchg(&call->perf_closed, 0), nr;

	if (!closed)
		return false;
	call->perf_users -= closed;
	if (!call->perf_users)
		trace_event_users_remove_perf(call);
	for (nr = 0; nr < closed; nr++)
		module_put(call->module);
	return !call->perf_users;
}

static void perf_free_lists(struct trace_event_call *call)
{
	struct hlist_head __percpu *events = call->perf_events;

	WRITE_ONCE(call->perf_events, NULL);
	free_percpu(events);
}

/* All events whose last perf event was closed wait for probes together. */
static void perf_close_work(struct work_struct *work)
{
	struct trace_event_call *call;
	bool unused = false;

	guard(mutex)(&trace_event_mutex);
	list_for_each_entry(call, &trace_event_calls, list)
		unused |= perf_close(call);
	if (!unused)
		return;
	tracepoint_synchronize_unregister();
	list_for_each_entry(call, &trace_event_calls, list) {
		if (!call->perf_users && call->perf_events)
			perf_free_lists(call);
	}
}

static DECLARE_WORK(perf_closing_work, perf_close_work);

/**
 * perf_trace_destroy - detach a perf event from its event
 * @event: the perf event, which is in no list
 *
 * A module stays in use until the worker has processed this.
 *
 * Context: may sleep.
 */
void perf_trace_destroy(struct perf_event *event)
{
	if (event->attr.config == TRACE_FN) {
		trace_perf_function_close(event);
		return;
	}
	if (event->attr.config == TRACE_PRINT)
		return;
	/*
	 *	CPU 0, here				CPU 1, the worker
	 *
	 *	perf_closed++
	 *	queue the work: full barrier
	 *						clear the work's pending bit
	 *						perf_closed = 0: sees the ++
	 *
	 * If the bit is still set when the work is queued, CPU 1 clears it later, and sees the ++
	 * as well.
	 */
	atomic_inc(&event->tp_event->perf_closed);
	schedule_work(&perf_closing_work);
}

/**
 * perf_trace_add - schedule a perf event in on this CPU
 * @event: the perf event
 * @flags: PERF_EF_*
 *
 * ftrace:function has no lists: its callbacks know their perf events. Nor has ftrace:print.
 *
 * Context: interrupts off.
 * Return: 0.
 */
int perf_trace_add(struct perf_event *event, int flags)
{
	struct hlist_head __percpu *events = event->tp_event->perf_events;
	struct hw_perf_event *hw = &event->hw;

	if (is_sampling_event(event)) {
		hw->last_period = hw->sample_period;
		perf_swevent_set_period(event);
	}
	if (!(flags & PERF_EF_START))
		hw->state = PERF_HES_STOPPED;
	if (events)
		hlist_add_head_rcu(&event->hlist_entry, this_cpu_ptr(events));
	else if (event->attr.config == TRACE_FN)
		trace_perf_function_set_cpu(event, smp_processor_id());
	return 0;
}

/**
 * perf_trace_del - schedule a perf event out
 * @event: the perf event
 * @flags: PERF_EF_*
 *
 * Context: interrupts off, on the CPU of perf_trace_add().
 */
void perf_trace_del(struct perf_event *event, int flags)
{
	if (event->tp_event->perf_events)
		hlist_del_rcu(&event->hlist_entry);
	else if (event->attr.config == TRACE_FN)
		trace_perf_function_set_cpu(event, -1);
}

/**
 * ftrace_profile_set_filter - set the filter of a perf event
 * @event: the perf event
 * @event_id: number of its event
 * @filter_str: the filter
 *
 * Context: may sleep.
 * Return: 0; -EEXIST if it has a filter; -EINVAL for ftrace:print; or the errno of
 * trace_filter_compile_unprivileged() or trace_perf_function_filter().
 */
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str)
{
	struct trace_filter_error error;
	struct trace_event_call *call;
	struct event_filter *filter;

	if (event_id == TRACE_FN)
		return trace_perf_function_filter(event, filter_str);
	guard(mutex)(&trace_event_mutex);
	if (event->filter)
		return -EEXIST;
	call = trace_event_by_number(event_id);
	if (!call)
		return -EINVAL;
	if (kallsyms_show_value(current_cred()))
		filter = trace_filter_compile(call, filter_str, &error);
	else
		filter = trace_filter_compile_unprivileged(call, filter_str, &error);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	/*
	 * The perf event may be counting: a CPU that sees the filter must also see its contents.
	 * Pairs with the address dependency of perf_tp_filter_match() and filter_match_preds().
	 */
	smp_store_release(&event->filter, filter);
	return 0;
}

/**
 * ftrace_profile_free_filter - free the filter of a perf event
 * @event: the perf event
 *
 * Context: any but NMI; no probe uses the perf event any more.
 */
void ftrace_profile_free_filter(struct perf_event *event)
{
	kfree(event->filter);
	event->filter = NULL;
}

/**
 * trace_event_get_offsets - find out how far BPF programs may read in records of an event
 * @call: the event
 *
 * Context: any; the caller keeps the event from being unregistered.
 * Return: offset of the end of the last field, in bytes.
 */
int trace_event_get_offsets(struct trace_event_call *call)
{
	struct trace_event_field field;
	unsigned int nr, end = 0;

	for (nr = 0; trace_event_get_field(call, nr, &field); nr++)
		end = field.offset + field.size;
	return end;
}
