/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tracer wants to know of NMIs: the entry code calls these with RCU
 * watching, right after it entered an NMI and right before it leaves it.
 */
#ifndef _LINUX_FTRACE_IRQ_H
#define _LINUX_FTRACE_IRQ_H

/* No tracer asks yet. */
static inline void ftrace_nmi_enter(void) { }
static inline void ftrace_nmi_exit(void) { }

#endif /* _LINUX_FTRACE_IRQ_H */
