/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recursion: keeping functions that recording itself calls from being traced.
 */
#ifndef _TRACE_LIB_RECURSION_H
#define _TRACE_LIB_RECURSION_H

#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/trace_recursion.h>

/* The bits of one context, in all groups. */
#define TRACE_RECURSION_IN_ALL(context)						\
	(BIT(TRACE_RECURSION_OPS + (context)) | BIT(TRACE_RECURSION_DISPATCH + (context)) | \
	 BIT(TRACE_RECURSION_GRAPH + (context)) | BIT(TRACE_RECURSION_BUFFER + (context)) | \
	 BIT(TRACE_RECURSION_EVENT + (context)))

/**
 * trace_recursion_block - trace no function that is called from here on
 *
 * For functions that recording itself has to call. No group can be entered in this context, nor
 * by the first functions of an interrupt, which look like the context that it interrupted. The
 * interrupt is traced as soon as preempt_count() shows it.
 *
 * Context: any, with preemption off. Nests.
 * Return: a value for trace_recursion_unblock().
 */
static __always_inline unsigned long trace_recursion_block(void)
{
	unsigned long held = READ_ONCE(current->trace_recursion);
	unsigned long taken = ~held & (TRACE_RECURSION_IN_ALL(interrupt_context_level()) |
				       TRACE_RECURSION_IN_ALL(TRACE_RECURSION_EARLY));

	WRITE_ONCE(current->trace_recursion, held | taken);
	barrier();
	return taken;
}

/**
 * trace_recursion_unblock - end trace_recursion_block()
 * @taken: the return value of trace_recursion_block()
 *
 * Context: that of trace_recursion_block().
 */
static __always_inline void trace_recursion_unblock(unsigned long taken)
{
	barrier();
	WRITE_ONCE(current->trace_recursion, READ_ONCE(current->trace_recursion) & ~taken);
}

/* Take a lock whose functions are not traced: recording takes it, or holds it while it records. */
static inline void trace_hidden_lock(raw_spinlock_t *lock)
{
	unsigned long taken = trace_recursion_block();

	raw_spin_lock(lock);
	__release(lock); /* Hidden from sparse, too, which does not know guards. */
	trace_recursion_unblock(taken);
}

static inline void trace_hidden_unlock(raw_spinlock_t *lock)
{
	unsigned long taken = trace_recursion_block();

	__acquire(lock);
	raw_spin_unlock(lock);
	trace_recursion_unblock(taken);
}

DEFINE_LOCK_GUARD_1(trace_hidden, raw_spinlock_t, trace_hidden_lock(_T->lock),
		    trace_hidden_unlock(_T->lock))

#endif /* _TRACE_LIB_RECURSION_H */
