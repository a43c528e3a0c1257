// SPDX-License-Identifier: GPL-2.0
/*
 * What record.c and users.c call, for the test of recording: filters, triggers, perf, exports and
 * the console. Each of them notes in the event that is in progress that it was called, and checks
 * the record that it is given.
 */
#include "records.h"

struct mutex trace_event_mutex;	/* events.h has the comment */
struct list_head trace_event_calls = { &trace_event_calls, &trace_event_calls };
struct static_key_false trace_console_wanted = { true };
struct static_key_false trace_export_wanted[TRACE_EXPORT_KINDS] = {
	[TRACE_EXPORT_KIND_EVENT] = { true },
};

/* Add an instance to a mask, or if it is there, to those that have come again. */
static void note(unsigned int *mask, unsigned int *again, const struct trace_array *tr)
{
	unsigned int bit = BIT(instance_of(tr));

	if (*mask & bit) {
		CHECK(!(*again & bit), "instance %u three times", instance_of(tr));
		*again |= bit;
	}
	*mask |= bit;
}

struct trace_event_call *trace_event_by_number(unsigned int number)
{
	return number == events[MARKER_EVENT].call.event.type ? NULL :
	       &events[number - TRACE_FIRST_EVENT_TYPE].call;
}

bool trace_filter_run(const struct trace_filter_step *step, const void *record)
{
	const struct frame *frame = current_frame();
	const struct event_filter *filter;

	if (!(step->cpus >> shim_this_cpu & 1))
		return false;
	if (!record)
		return true;
	/* It is the first step of the whole program. */
	filter = (const void *)step - offsetof(struct event_filter, program);
	if (filter->reads_context)
		check_frame(frame, record);
	else
		check_unflagged(frame, record);
	return frame->number % step->mod == step->rest;
}

bool trace_pids_want(const struct trace_pids *pids, int pid)
{
	const struct instance *instance = container_of(pids, struct instance, events.pids);

	return pid_in(__atomic_load_n(&instance->common.pids, __ATOMIC_RELAXED), pid);
}

void trace_triggers_before(struct trace_event_file *file)
{
	struct frame *frame = current_frame();

	CHECK(!frame->made && !frame->published);
	note(&frame->before, &frame->again, file->tr);
}

unsigned long trace_triggers_record(struct trace_event_file *file,
				    const struct trace_event_buffer *record)
{
	struct frame *frame = current_frame();

	check_frame(frame, record->entry);
	note(&frame->recorded, &frame->again, file->tr);
	return frame->plan.later;
}

unsigned long trace_triggers_after(struct trace_event_file *file,
				   const struct trace_event_buffer *record, unsigned long which)
{
	struct frame *frame = current_frame();

	CHECK(frame->recorded & BIT(instance_of(file->tr)));
	CHECK(which == frame->plan.later);
	note(&frame->after, &frame->again, file->tr);
	return which;
}

/* A record of its own: ASan sees who touches it later. */
void *trace_event_perf_reserve(struct trace_event_buffer *record)
{
	struct trace_entry *entry;

	if (record->size > PERF_MAX_TRACE_SIZE)
		return NULL;
	entry = malloc(record->size);
	CHECK(entry);
	trace_entry_init(entry, record->call->event.type, record->context);
	record->regs = (struct pt_regs *)entry;
	return entry;
}

void trace_event_perf_submit(struct trace_event_buffer *record)
{
	struct frame *frame = current_frame();

	check_frame(frame, record->entry);
	frame->perfs++;
	if (record->regs) {
		CHECK(record->regs == record->entry);
		free(record->regs);
	}
}

void trace_export_entry(const void *entry, unsigned int size, enum trace_export_kind kind)
{
	struct frame *frame = current_frame();

	CHECK(kind == TRACE_EXPORT_KIND_EVENT && size == frame->plan.size);
	check_frame(frame, entry);
	frame->exports++;
}

void trace_event_console(const struct trace_event_buffer *record)
{
	struct frame *frame = current_frame();

	check_frame(frame, record->entry);
	frame->prints++;
}

/* All instances have the option stacktrace: so this is called once for each published record. */
void trace_record_stack_from(struct trace_array *tr, unsigned int context, unsigned long from,
			     unsigned int size)
{
	struct frame *frame = current_frame();

	CHECK((context & 0xff) == frame->flags && context >> 8 == frame->preempt_count);
	frame->late |= frame->after & BIT(instance_of(tr));
	note(&frame->published, &frame->published_again, tr);
}

void trace_record_user_stack(struct trace_array *tr, unsigned int context)
{
	CHECK(false, "no instance has this option");
}

void trace_record_stack(struct trace_array *tr, unsigned int context, int skip)
{
	CHECK(false, "for other entries only");
}
