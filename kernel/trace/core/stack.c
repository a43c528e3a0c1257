// SPDX-License-Identifier: GPL-2.0
/*
 * Recording the kernel stack, and that of the user's program.
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
 * Where the walk begins is up to the architecture: riscv's tells of functions that walk.
 * So what comes before @from is left out, which is found by its return address, and then
 * @skip functions more.
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
 * trace_record_stack - record who called
 * @tr: where
 * @context: from trace_context()
 * @skip: how many of the innermost functions to leave out; 0 begins with the caller
 *
 * Any context.
 */
noinline void trace_record_stack(struct trace_array *tr, unsigned int context, int skip)
{
	record_stack_from(tr, context, _RET_IP_, 0, skip);
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
	record_stack_from(tr, context, from, size, 0);
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
	struct user_stack_entry *entry;

	if (!user_stack_can_be_read())
		return;
	guard(preempt_notrace)();
	if (__this_cpu_read(in_user_stack))
		return;
	__this_cpu_write(in_user_stack, true);
	entry = trace_reserve(tr, TRACE_USER_STACK, sizeof(*entry), context);
	if (entry) {
		entry->tgid = current->tgid;
		memset(entry->caller, 0, sizeof(entry->caller));
		/* Not all architectures see to it that what is not there stays away. */
		pagefault_disable();
		stack_trace_save_user(entry->caller, TRACE_USER_STACK_MAX);
		pagefault_enable();
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
