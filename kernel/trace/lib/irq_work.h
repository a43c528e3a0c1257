/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_IRQ_WORK_H
#define _TRACE_IRQ_WORK_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "hide.h"

/**
 * trace_irq_work_queue - irq_work_queue(), also on a CPU that goes down
 * @work: the work, which any CPU may do
 *
 * A CPU that goes down still calls traced functions after it has done its irq_works for the last
 * time. A work that is queued there then is not done before the CPU is up again, and a task that
 * waits for it waits as long. So another CPU is asked. An NMI may not do that, and leaves the work
 * on this CPU.
 *
 * The functions called here are not traced. Recording asks for the work in the middle of a traced
 * call, and the trace would show them as if that call had called them.
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
