/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return addresses of the code that switches preemption, and the hooks of the scheduler at
 * switches.
 */
#ifndef _LINUX_TRACE_PREEMPT_H
#define _LINUX_TRACE_PREEMPT_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/spinlock.h>
#include <asm/ftrace.h>

/* Return address of the function that uses it, and of its callers. */
#define CALLER_ADDR0	((unsigned long)__builtin_return_address(0))
#ifdef ftrace_return_address
#define ftrace_caller_addr(n)	((unsigned long)ftrace_return_address(n))
#else
static inline unsigned long ftrace_caller_addr(unsigned int n)
{
	return 0;
}
#endif
#ifdef ftrace_parent_address
#define CALLER_ADDR1	ftrace_parent_address()
#else
#define CALLER_ADDR1	ftrace_caller_addr(1)
#endif
#define CALLER_ADDR2	ftrace_caller_addr(2)
#define CALLER_ADDR3	ftrace_caller_addr(3)
#define CALLER_ADDR4	ftrace_caller_addr(4)
#define CALLER_ADDR5	ftrace_caller_addr(5)
#define CALLER_ADDR6	ftrace_caller_addr(6)

/* On while there are listeners to switches of interrupts, and of preemption. */
DECLARE_STATIC_KEY_FALSE(trace_irq_listeners);
DECLARE_STATIC_KEY_FALSE(trace_preempt_listeners);

/* The address that took the lock: the nearest one outside of the lock functions. */
static __always_inline unsigned long ftrace_lock_parent_address(void)
{
	unsigned long ip = CALLER_ADDR0;

	if (!in_lock_functions(ip))
		return ip;
	ip = CALLER_ADDR1;
	return in_lock_functions(ip) ? CALLER_ADDR2 : ip;
}

/**
 * get_lock_parent_ip - find the code that took the lock which switches preemption
 *
 * This may walk the stack, and the scheduler calls it at each switch. So it returns 0 unless
 * preemption is debugged; trace_preempt_on() and trace_preempt_off() look up the address if there
 * are listeners.
 *
 * Context: any.
 * Return: the nearest return address outside of the lock functions; 0 without CONFIG_DEBUG_PREEMPT.
 */
static __always_inline unsigned long get_lock_parent_ip(void)
{
	return IS_ENABLED(CONFIG_DEBUG_PREEMPT) ? ftrace_lock_parent_address() : 0;
}

/*
 * The scheduler calls these at each switch of preemption. Without listeners they are a NOP. They
 * are macros, so that the addresses are those of the caller.
 */
#ifdef CONFIG_TRACE_PREEMPT_TOGGLE

void __trace_preempt_on(unsigned long ip, unsigned long parent_ip);
void __trace_preempt_off(unsigned long ip, unsigned long parent_ip);

#define trace_preempt_on(ip, parent_ip)						\
	do {									\
		if (static_branch_unlikely(&trace_preempt_listeners))		\
			__trace_preempt_on(ip, (parent_ip) ?: ftrace_lock_parent_address()); \
	} while (0)

#define trace_preempt_off(ip, parent_ip)					\
	do {									\
		if (static_branch_unlikely(&trace_preempt_listeners))		\
			__trace_preempt_off(ip, (parent_ip) ?: ftrace_lock_parent_address()); \
	} while (0)

#else

/* Macros, so that their arguments are not computed. */
#define trace_preempt_on(...)	do { } while (0)
#define trace_preempt_off(...)	do { } while (0)

#endif /* CONFIG_TRACE_PREEMPT_TOGGLE */

#endif /* _LINUX_TRACE_PREEMPT_H */
