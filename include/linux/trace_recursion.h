/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeping the tracer from tracing itself without end.
 *
 * If a callback calls a traced function, that function calls the callback again. Each user of this
 * protection has a group of bits in current->trace_recursion, one for each context that can
 * interrupt another, and enters each context only once. While a callback runs in task context, the
 * functions that it calls are not traced, but an interrupt on top of it is.
 *
 * The context is read from preempt_count(), which an interrupt raises only after its first
 * functions have run. These functions find the bit of the context that they have interrupted; the
 * group's fifth bit lets one such caller in.
 *
 * The word belongs to the running task. An interrupt between the load and the store of the word
 * gives back all bits that it has taken before it returns, so neither needs to be atomic. Nothing
 * here takes a lock or is traced; all of it may be used in any context.
 */
#ifndef _LINUX_TRACE_RECURSION_H
#define _LINUX_TRACE_RECURSION_H

#include <linux/bits.h>
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#ifdef CONFIG_TRACING

/* In the order of interrupt_context_level(): task, softirq, hardirq, NMI; then the fifth bit. */
#define TRACE_RECURSION_EARLY	4
#define TRACE_RECURSION_BITS	5

/**
 * enum trace_recursion_first - first bit of each user's group
 * @TRACE_RECURSION_OPS: callbacks of ftrace_ops that protect themselves
 * @TRACE_RECURSION_DISPATCH: the dispatcher, for callbacks that ask it to protect them
 * @TRACE_RECURSION_GRAPH: entry and return hooks of function graph
 * @TRACE_RECURSION_BUFFER: writers of a ring buffer
 * @TRACE_RECURSION_EVENT: probes of trace events
 * @TRACE_RECURSION_LAST: first bit that is not in use
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
 * Neither sleeps nor changes preemption. The bit belongs to the task: it may migrate while it holds
 * the bit, and must leave before it returns to user space.
 *
 * Context: any.
 * Return: the bit for trace_recursion_leave(); negative if this context is in the group already.
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
 * trace_recursion_leave - undo trace_recursion_enter()
 * @bit: the return value of trace_recursion_enter(), not negative
 *
 * Context: that of trace_recursion_enter().
 */
static __always_inline void trace_recursion_leave(int bit)
{
	barrier();
	WRITE_ONCE(current->trace_recursion, READ_ONCE(current->trace_recursion) & ~BIT(bit));
}

/**
 * ftrace_test_recursion_trylock - keep a callback from being called by functions that it calls
 * @ip: the traced function, as passed to the callback
 * @parent_ip: its caller
 *
 * Also switches preemption off. For callbacks whose ops does not set FTRACE_OPS_FL_RECURSION, and
 * for code that this flag does not protect.
 *
 * An interrupt that has only begun looks like the context that it interrupted. So one more call is
 * let in per context.
 *
 * Context: any.
 * Return: a value for ftrace_test_recursion_unlock(); negative if this callback, or another one
 * that uses this function, is running already in this context, and should do nothing.
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
 * ftrace_test_recursion_unlock - undo ftrace_test_recursion_trylock(), and restore preemption
 * @bit: the return value of ftrace_test_recursion_trylock(), not negative
 *
 * Context: that of ftrace_test_recursion_trylock().
 */
static __always_inline void ftrace_test_recursion_unlock(int bit)
{
	/* Leave first, so that all of a preemption that happens here is traced. */
	trace_recursion_leave(bit);
	preempt_enable_notrace();
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_RECURSION_H */
