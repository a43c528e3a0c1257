/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeping the tracer from tracing itself without end.
 *
 * A callback that runs a traced function would be called again from there. Each
 * user of this protection has a group of bits in current->trace_recursion, one
 * for each context that can interrupt another, and enters a context only once:
 * while a callback runs in task context, its own functions are passed over, and
 * an interrupt on top of it is still traced.
 *
 * The context is read from preempt_count(), which an interrupt raises only after
 * its first functions have run. Those find the bit of the context that they
 * interrupted; the group's fifth bit lets in one such caller.
 *
 * The word belongs to the running task. An interrupt that gets between the load
 * and the store of the word gives back all the bits that it took before it
 * returns, so neither needs to be atomic. Nothing here takes a lock or is itself
 * traced; all of it may be used in any context.
 */
#ifndef _LINUX_TRACE_RECURSION_H
#define _LINUX_TRACE_RECURSION_H

#include <linux/bits.h>
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#ifdef CONFIG_TRACING

/* As interrupt_context_level() counts: task, softirq, hardirq, NMI; then the fifth. */
#define TRACE_RECURSION_EARLY	4
#define TRACE_RECURSION_BITS	5

/**
 * enum trace_recursion_first - first bit of each user's group
 * @TRACE_RECURSION_OPS: callbacks of ftrace_ops that protect themselves
 * @TRACE_RECURSION_DISPATCH: the dispatcher on behalf of those that ask for it
 * @TRACE_RECURSION_GRAPH: entry and return hooks of function graph
 * @TRACE_RECURSION_BUFFER: writers of a ring buffer
 * @TRACE_RECURSION_EVENT: probes of trace events
 * @TRACE_RECURSION_LAST: first bit that is nobody's
 */
enum trace_recursion_first {
	TRACE_RECURSION_OPS		= 0 * TRACE_RECURSION_BITS,
	TRACE_RECURSION_DISPATCH	= 1 * TRACE_RECURSION_BITS,
	TRACE_RECURSION_GRAPH		= 2 * TRACE_RECURSION_BITS,
	TRACE_RECURSION_BUFFER		= 3 * TRACE_RECURSION_BITS,
	TRACE_RECURSION_EVENT		= 4 * TRACE_RECURSION_BITS,
	TRACE_RECURSION_LAST		= 5 * TRACE_RECURSION_BITS,
};

/**
 * trace_recursion_enter - enter a group in the context that is running
 * @first: the group's first bit
 *
 * Neither sleeps nor changes preemption. The bit belongs to the task: it may
 * migrate while it holds the group, and must leave before it goes to user space.
 *
 * Return: the bit for trace_recursion_leave(), negative if the group is being
 * held in this context.
 */
static __always_inline int trace_recursion_enter(int first)
{
	unsigned long held = READ_ONCE(current->trace_recursion);
	int bit = first + interrupt_context_level();

	if (unlikely(held & BIT(bit))) {
		bit = first + TRACE_RECURSION_EARLY;
		if (held & BIT(bit))
			return -1;
	}
	WRITE_ONCE(current->trace_recursion, held | BIT(bit));
	barrier();
	return bit;
}

/**
 * trace_recursion_leave - leave what trace_recursion_enter() entered
 * @bit: what it returned, not negative
 */
static __always_inline void trace_recursion_leave(int bit)
{
	barrier();
	WRITE_ONCE(current->trace_recursion, READ_ONCE(current->trace_recursion) & ~BIT(bit));
}

/**
 * ftrace_test_recursion_trylock - begin the part of a callback that may be traced
 * @ip: the traced function, as the callback got it
 * @parent_ip: its caller
 *
 * Also switches preemption off. For callbacks whose ops does not ask for
 * FTRACE_OPS_FL_RECURSION, or which run code outside of it.
 *
 * Return: negative if this callback, or another that protects itself so, is
 * running already in this context: do nothing. Otherwise what to give to
 * ftrace_test_recursion_unlock(). One more is let in, as an interrupt that has only
 * begun looks like what it interrupted.
 */
static __always_inline int
ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip)
{
	int bit = trace_recursion_enter(TRACE_RECURSION_OPS);

	if (likely(bit >= 0))
		preempt_disable_notrace();
	return bit;
}

/**
 * ftrace_test_recursion_unlock - end it; preemption is as it was before
 * @bit: what ftrace_test_recursion_trylock() returned, not negative
 */
static __always_inline void ftrace_test_recursion_unlock(int bit)
{
	/* In this order, so that a preemption from here is traced in full. */
	trace_recursion_leave(bit);
	preempt_enable_notrace();
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_RECURSION_H */
