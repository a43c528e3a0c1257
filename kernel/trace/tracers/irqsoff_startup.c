// SPDX-License-Identifier: GPL-2.0
/*
 * The startup tests of irqsoff, preemptoff and preemptirqsoff
 *
 * The sections are not __init: see startup_test_spin().
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>

#include "startup.h"

#define SECTION_TEST(name, in)			\
	STARTUP_TEST(name) = {			\
		.act		= in,		\
		.saw		= SAW_SECTION,	\
		.section	= in,		\
		.latency	= true,		\
	}

#ifdef CONFIG_IRQSOFF_TRACER
static noinline void irqs_section(void)
{
	local_irq_disable();
	startup_test_spin();
	local_irq_enable();
}

SECTION_TEST(irqsoff, irqs_section);
#endif

#ifdef CONFIG_PREEMPT_TRACER
static noinline void preempt_section(void)
{
	preempt_disable();
	startup_test_spin();
	preempt_enable();
}

SECTION_TEST(preemptoff, preempt_section);
#endif

#if defined(CONFIG_IRQSOFF_TRACER) && defined(CONFIG_PREEMPT_TRACER)
SECTION_TEST(preemptirqsoff, irqs_section);
#endif
