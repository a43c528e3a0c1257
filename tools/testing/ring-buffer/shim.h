/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the kernel that the ring buffer uses, in user space. All <linux/...> and <asm/...>
 * headers that it includes are generated files that include this one.
 *
 * A CPU is a thread that has called cpu_start(). It is interrupted in two ways. Signals stand for
 * inter-processor interrupts and devices. And wherever the code reads or writes shared memory,
 * interrupt_here() calls the test's handler at random, so that windows of a single instruction
 * are hit, too.
 */
#ifndef _RB_SHIM_H
#define _RB_SHIM_H

#include "shim_atomic.h"
#include "shim_cpu.h"
#include "shim_mm.h"
#include "shim_types.h"
#include "shim_wait.h"

#define current				NULL
#define set_cpus_allowed_ptr(task, mask)	0
#define fatal_signal_pending(task)	false

/* Time. */
u64 sched_clock_noinstr(void);
u64 trace_clock_local(void);

struct trace_seq;

#define pr_warn_once(...)	fprintf(stderr, __VA_ARGS__)

/* Nothing is traced here, so kernel/trace/lib/recursion.h is left out. */
#define _TRACE_LIB_RECURSION_H

static inline unsigned long trace_recursion_block(void)
{
	return 0;
}

static inline void trace_recursion_unblock(unsigned long taken)
{
}

#endif /* _RB_SHIM_H */
