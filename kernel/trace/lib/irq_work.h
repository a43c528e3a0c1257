/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_IRQ_WORK_H
#define _TRACE_IRQ_WORK_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "recursion.h"

/**
 * trace_irq_work_queue - irq_work_queue(), also on a CPU that goes down
 * @work: the work, which any CPU may do
 *
 * A CPU that goes down still calls traced functions after it has run its irq_works for the last
 * time. If the work were queued on such a CPU, it would not run before the CPU is up again, and a
 * task that waits for the work would wait as long. So the work is queued on another CPU. An NMI may
 * not do that, and queues the work on its own CPU.
 *
 * The functions called here are not traced. Recording queues the work in the middle of a traced
 * call, and the trace would show these functions as if the traced function had called them.
 *
 * Context: any, with preemption off.
 */
static inline void trace_irq_work_queue(struct irq_work *work)
{
	unsigned long taken = trace_recursion_block();

	if (likely(cpu_online(raw_smp_processor_id())) || in_nmi())
		irq_work_queue(work);
	else
		irq_work_queue_on(work, cpumask_any(cpu_online_mask));
	trace_recursion_unblock(taken);
}

#endif /* _TRACE_IRQ_WORK_H */
