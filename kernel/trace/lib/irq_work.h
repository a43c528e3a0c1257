/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_IRQ_WORK_H
#define _TRACE_IRQ_WORK_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "hide.h"

/**
 * trace_irq_work_queue - irq_work_queue(), on a CPU that goes down, too
 * @work: the work, which may be done on any CPU
 *
 * When a CPU does so for the last time before it is down, it has still functions to call that
 * are traced. What these queue there is not done before it is up again, and whoever waits
 * for that does so meanwhile. Only an NMI, which may not ask another CPU, leaves it there.
 *
 * What this calls is not traced: it is recording that asks for the work, in the middle of a call
 * that is traced, and would show as if that call had done it.
 *
 * Context: any, with preemption off.
 */
static inline void trace_irq_work_queue(struct irq_work *work)
{
	unsigned long taken = trace_recursion_hide();

	if (likely(cpu_online(raw_smp_processor_id())) || in_nmi())
		irq_work_queue(work);
	else
		irq_work_queue_on(work, cpumask_any(cpu_online_mask));
	trace_recursion_show(taken);
}

#endif /* _TRACE_IRQ_WORK_H */
