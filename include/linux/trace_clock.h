/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks for time stamps of traces. Their guarantees between CPUs differ, and so does the cost of
 * these. They may be read in any context, NMI included, and are not traced.
 */
#ifndef _LINUX_TRACE_CLOCK_H
#define _LINUX_TRACE_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <asm/trace_clock.h>

u64 notrace trace_clock_local(void);
u64 notrace trace_clock(void);
u64 notrace trace_clock_jiffies(void);
u64 notrace trace_clock_global(void);
u64 notrace trace_clock_counter(void);

#endif /* _LINUX_TRACE_CLOCK_H */
