// SPDX-License-Identifier: GPL-2.0
/*
 * A module with an event that occurs in an NMI while the same CPU is recording it.
 *
 * Writing a number to the parameter "hit" lets the event occur with that number. Filling in its
 * record waits until an NMI has come to this CPU: somebody else has to send one, the interrupt by
 * which a CPU is asked for its stack. In it, the event occurs again, with the number plus 1000.
 * The parameter "missed" counts waits that ended without an NMI. For guest/tests/nmi.
 */
#include <linux/ftrace.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#define CREATE_TRACE_POINTS
#include "event_nmi_test.h"

#define HANDLER		"ipi_handler"
#define IN_NMI		1000	/* added to the number */
#define PATIENCE	(5 * NSEC_PER_SEC)

/* The number of the event that waits on this CPU; 0: none does. The NMI clears it. */
static DEFINE_PER_CPU(int, event_nmi_number);
static unsigned int event_nmi_missed;
module_param_named(missed, event_nmi_missed, uint, 0400);

void event_nmi_wait(void)
{
	u64 end = ktime_get_mono_fast_ns() + PATIENCE;

	while (!in_nmi() && this_cpu_read(event_nmi_number)) {
		if (ktime_get_mono_fast_ns() > end) {
			this_cpu_write(event_nmi_number, 0);
			event_nmi_missed++;
		}
		cpu_relax();
	}
}

/* Interrupts and NMIs call HANDLER. */
static void notrace event_nmi_came(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int number = this_cpu_read(event_nmi_number);

	if (!in_nmi() || !number)
		return;
	trace_event_nmi(number + IN_NMI);
	this_cpu_write(event_nmi_number, 0);
}

static struct ftrace_ops event_nmi_handler = { .func = event_nmi_came };

static int event_nmi_hit(const char *text, const struct kernel_param *param)
{
	int number, err = kstrtoint(text, 0, &number);

	if (err)
		return err;
	preempt_disable();
	this_cpu_write(event_nmi_number, number);
	trace_event_nmi(number);
	this_cpu_write(event_nmi_number, 0);
	preempt_enable();
	return 0;
}

static const struct kernel_param_ops event_nmi_ops = { .set = event_nmi_hit };
module_param_cb(hit, &event_nmi_ops, NULL, 0200);

static int __init event_nmi_init(void)
{
	char name[] = HANDLER;
	int err = ftrace_set_filter(&event_nmi_handler, name, strlen(name), 0);

	return err ?: register_ftrace_function(&event_nmi_handler);
}

static void __exit event_nmi_exit(void)
{
	unregister_ftrace_function(&event_nmi_handler);
}

module_init(event_nmi_init);
module_exit(event_nmi_exit);

MODULE_DESCRIPTION("Test of a trace event that an NMI hits while it is recorded");
MODULE_LICENSE("GPL");
