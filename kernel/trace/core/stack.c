// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the kernel stack, and the stack of the user's program.
 */
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/minmax.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>

#include "instance.h"
#include "record.h"

#define STACK_MAX	(TRACE_SCRATCH_SIZE / sizeof(unsigned long))

static void record_stack(struct trace_array *tr, unsigned int context,
			 const unsigned long *caller, unsigned int nr)
{
	struct stack_entry *entry;

	entry = trace_reserve(tr, TRACE_STACK, struct_size(entry, caller, nr), context);
	if (!entry)
		return;
	entry->size = nr;
	memcpy(entry->caller, caller, nr * sizeof(*caller));
	trace_commit(tr);
}

/*
 * Architectures begin a walk at different functions; riscv's includes functions that do the walk.
 * So leave out all functions before the one whose return address is at most @size bytes after
 * @from, and then @skip functions more.
 */
static void record_stack_from(struct trace_array *tr, unsigned int context,
			      unsigned long from, unsigned int size, unsigned int skip)
{
	unsigned long *caller;
	unsigned int nr, first;

	guard(preempt_notrace)();
	caller = trace_scratch_get();
	if (!caller)
		return;
	nr = stack_trace_save(caller, STACK_MAX, 1);
	for (first = 0; first < nr && caller[first] - from > size; )
		first++;
	first = min(first % max(nr, 1U) + skip, nr);
	record_stack(tr, context, caller + first, nr - first);
	trace_scratch_put();
}

/**
 * trace_record_stack - record the stack
 * @tr: the instance to record in
 * @context: from trace_context()
 * @skip: number of innermost functions to leave out; 0: begin with the caller
 *
 * Context: any.
 */
noinline void trace_record_stack(struct trace_array *tr, unsigned int context, int skip)
{
	record_stack_from(tr, context, _RET_IP_, 0, skip);
}

/**
 * trace_record_stack_from - record the stack from a certain caller on
 * @tr: the instance to record in
 * @context: from trace_context()
 * @from: address in the text; if the stack does not return to there, all of it is recorded
 * @size: the return address may be up to this many bytes after @from
 *
 * Callers use this if they do not know how many functions to leave out.
 *
 * Context: any.
 */
noinline void trace_record_stack_from(struct trace_array *tr, unsigned int context,
				      unsigned long from, unsigned int size)
{
	record_stack_from(tr, context, from, size, 0);
}

static DEFINE_PER_CPU(bool, in_user_stack);

/**
 * trace_record_user_stack - record the stack of the user's program
 * @tr: the instance to record in
 * @context: from trace_context()
 *
 * Records nothing if there is no user's program.
 *
 * Context: any.
 */
noinline void trace_record_user_stack(struct trace_array *tr, unsigned int context)
{
	struct user_stack_entry *entry;

	/*
	 * Reading the user's stack may fault, and the fault may be traced in turn. So do not read
	 * it in an NMI, for a task without user memory, or while it is being read.
	 */
	if (!IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) || in_nmi() || !current->mm ||
	    current->flags & PF_KTHREAD)
		return;
	guard(preempt_notrace)();
	if (__this_cpu_read(in_user_stack))
		return;
	__this_cpu_write(in_user_stack, true);
	entry = trace_reserve(tr, TRACE_USER_STACK, sizeof(*entry), context);
	if (entry) {
		entry->tgid = current->tgid;
		memset(entry->caller, 0, sizeof(entry->caller));
		/* Not all architectures keep page faults from being handled here. */
		pagefault_disable();
		stack_trace_save_user(entry->caller, TRACE_USER_STACK_MAX);
		pagefault_enable();
		trace_commit(tr);
	}
	__this_cpu_write(in_user_stack, false);
}

/**
 * trace_dump_stack - record the caller's stack in the top instance
 * @skip: number of its innermost functions to leave out
 *
 * Context: any.
 */
void trace_dump_stack(int skip)
{
	if (trace_top)
		trace_record_stack(trace_top, trace_context(preempt_count()), skip + 1);
}
EXPORT_SYMBOL_GPL(trace_dump_stack);
