/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks of NMIs: the entry code calls them with RCU watching, right after it has entered an NMI and
 * right before it leaves it.
 */
#ifndef _LINUX_FTRACE_IRQ_H
#define _LINUX_FTRACE_IRQ_H

#ifdef CONFIG_HWLAT_TRACER
#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(trace_hwlat_nmi);

void trace_hwlat_nmi_event(bool enter);

static __always_inline void ftrace_nmi_enter(void)
{
	if (static_branch_unlikely(&trace_hwlat_nmi))
		trace_hwlat_nmi_event(true);
}

static __always_inline void ftrace_nmi_exit(void)
{
	if (static_branch_unlikely(&trace_hwlat_nmi))
		trace_hwlat_nmi_event(false);
}

#else
static inline void ftrace_nmi_enter(void) { }
static inline void ftrace_nmi_exit(void) { }
#endif

#endif /* _LINUX_FTRACE_IRQ_H */
