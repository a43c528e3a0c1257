// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the kernel stack, and that of the user's program.
 */
#include <linux/export.h>
#include <linux/stacktrace.h>

#include "record.h"

#define STACK_MAX	(TRACE_SCRATCH_SIZE / sizeof(unsigned long))

static void record_stack(struct trace_array *tr, unsigned int context,
			 const unsigned long *caller, unsigned int nr)
{
	struct ring_buffer_event *event;
	struct stack_entry *entry;

	event = trace_reserve(tr, TRACE_STACK, struct_size(entry, caller, nr), context);
	if (!event)
		return;
	entry = ring_buffer_event_data(event);
	entry->size = nr;
	memcpy(entry->caller, caller, nr * sizeof(*caller));
	trace_commit(tr);
}

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
	unsigned long *caller;
	unsigned int nr;

	guard(preempt_notrace)();
	caller = trace_scratch_get();
	if (!caller)
		return;
	nr = stack_trace_save(caller, STACK_MAX, skip + 1);
	record_stack(tr, context, caller, nr);
	trace_scratch_put();
}

/**
 * trace_record_stack_from - record who called, from a certain caller on
 * @tr: where
 * @context: from trace_context()
 * @from: a place in the text; if nothing returns to there, all of the stack is recorded
 * @size: the return address may be further on, by up to so many bytes
 *
 * For who does not know how many functions there are before that one. Any context.
 */
noinline void trace_record_stack_from(struct trace_array *tr, unsigned int context,
				      unsigned long from, unsigned int size)
{
	unsigned long *caller;
	unsigned int nr, skip;

	guard(preempt_notrace)();
	caller = trace_scratch_get();
	if (!caller)
		return;
	nr = stack_trace_save(caller, STACK_MAX, 1);
	for (skip = 0; skip < nr && caller[skip] - from > size; )
		skip++;
	skip %= max(nr, 1U);
	record_stack(tr, context, caller + skip, nr - skip);
	trace_scratch_put();
}

/*
 * Its memory may have to be read, which may fault and be traced in turn: not in an
 * NMI, not by a task without user memory, and not within itself.
 */
static bool user_stack_can_be_read(void)
{
	return IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) && !in_nmi() && current->mm &&
	       !(current->flags & PF_KTHREAD);
}

static DEFINE_PER_CPU(bool, in_user_stack);

/**
 * trace_record_user_stack - record where the user's program is
 * @tr: where
 * @context: from trace_context()
 *
 * Any context; records nothing where there is no such program.
 */
noinline void trace_record_user_stack(struct trace_array *tr, unsigned int context)
{
	struct ring_buffer_event *event;
	struct user_stack_entry *entry;

	if (!user_stack_can_be_read())
		return;
	guard(preempt_notrace)();
	if (__this_cpu_read(in_user_stack))
		return;
	__this_cpu_write(in_user_stack, true);
	event = trace_reserve(tr, TRACE_USER_STACK, sizeof(*entry), context);
	if (event) {
		entry = ring_buffer_event_data(event);
		entry->tgid = current->tgid;
		memset(entry->caller, 0, sizeof(entry->caller));
		stack_trace_save_user(entry->caller, TRACE_USER_STACK_MAX);
		trace_commit(tr);
	}
	__this_cpu_write(in_user_stack, false);
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
