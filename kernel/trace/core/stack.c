// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the kernel stack.
 */
#include <linux/export.h>
#include <linux/stacktrace.h>

#include "record.h"

#define STACK_MAX	(TRACE_SCRATCH_SIZE / sizeof(unsigned long))

/**
 * trace_record_stack - record who called
 * @tr: where
 * @context: from trace_context()
 * @skip: how many of the innermost functions to leave out; 0 begins with the caller
 *
 * Any context.
 */
noinline void trace_record_stack(struct trace_array *tr, unsigned int context, int skip)
{
	struct ring_buffer_event *event;
	struct stack_entry *entry;
	unsigned long *caller;
	unsigned int nr;

	guard(preempt_notrace)();
	caller = trace_scratch_get();
	if (!caller)
		return;
	nr = stack_trace_save(caller, STACK_MAX, skip + 1);
	event = trace_reserve(tr, TRACE_STACK, struct_size(entry, caller, nr), context);
	if (event) {
		entry = ring_buffer_event_data(event);
		entry->size = nr;
		memcpy(entry->caller, caller, nr * sizeof(*caller));
		trace_commit(tr);
	}
	trace_scratch_put();
}

/**
 * trace_dump_stack - record the caller's stack in the top instance
 * @skip: how many of its innermost functions to leave out
 *
 * Any context.
 */
void trace_dump_stack(int skip)
{
	if (trace_top)
		trace_record_stack(trace_top, trace_context(preempt_count()), skip + 1);
}
EXPORT_SYMBOL_GPL(trace_dump_stack);
