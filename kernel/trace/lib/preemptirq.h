/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks for a latency tracer that measures sections with interrupts or preemption off.
 */
#ifndef _TRACE_LIB_PREEMPTIRQ_H
#define _TRACE_LIB_PREEMPTIRQ_H

#include <linux/bits.h>
#include <linux/jump_label.h>

/* The states that are off in a section; a mask. */
enum section_kind {
	SECTION_IRQS	= BIT(0),
	SECTION_PREEMPT	= BIT(1),
};

/**
 * struct section_hooks - functions to call when interrupts or preemption are switched
 * @irqs_off: interrupts were switched off
 * @irqs_on: interrupts are about to be switched on
 * @preempt_off: preemption was switched off
 * @preempt_on: preemption is about to be switched on
 *
 * @ip is the address of the code that switches, @parent_ip the address of its caller. They are
 * called in any context but NMI, with interrupts or preemption off, and must not be probed.
 */
struct section_hooks {
	void (*irqs_off)(unsigned long ip, unsigned long parent_ip);
	void (*irqs_on)(unsigned long ip, unsigned long parent_ip);
	void (*preempt_off)(unsigned long ip, unsigned long parent_ip);
	void (*preempt_on)(unsigned long ip, unsigned long parent_ip);
};

#if defined(CONFIG_IRQSOFF_TRACER) || defined(CONFIG_PREEMPT_TRACER)
DECLARE_STATIC_KEY_FALSE(irq_section_hooked);
DECLARE_STATIC_KEY_FALSE(preempt_section_hooked);

#define irq_sections_run()	static_branch_unlikely(&irq_section_hooked)
#define preempt_sections_run()	static_branch_unlikely(&preempt_section_hooked)

void sections_hook(const struct section_hooks *hooks, unsigned int kinds);
void sections_unhook(unsigned int kinds);
#else
#define irq_sections_run()	false
#define preempt_sections_run()	false
#endif

#endif /* _TRACE_LIB_PREEMPTIRQ_H */
