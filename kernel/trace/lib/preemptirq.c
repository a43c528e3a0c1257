// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks where interrupts and preemption are switched off and on.
 *
 * The macros of <linux/irqflags.h> and the entry code call trace_hardirqs_*() with interrupts off:
 * before they switch interrupts on, or after they have switched them off. The listeners are
 * lockdep, the probes of the tracepoints irq_enable and irq_disable, and latency tracers. Lockdep
 * must be told where RCU is not watching. So the entry code tells lockdep itself, and calls the
 * _prepare and _finish forms, for the other listeners, where RCU is watching. Lockdep does not
 * listen to preemption.
 *
 * Each hook tests one static key, which counts probes and latency tracers. For preemption, the
 * caller of __trace_preempt_*() tests the key. Without such listeners a hook is only a NOP: its
 * arguments, above all the caller's caller, are computed only if the key is on.
 *
 * Interrupts are often "switched" to the state that they are in already: by local_irq_enable(), or
 * by an exception in a section with interrupts off. So that probes see only real transitions, each
 * CPU has a mark: the state that this file has reported to the probes last. The mark is kept up to
 * date only while there are listeners. If the last listener was removed between off and on, the
 * next listener misses the first off on that CPU. NMIs are no transition and may interrupt any
 * function of this file, so they do not change the mark. Latency tracers do not use the mark: they
 * know whether a section is under way, and when idling ends, interrupts are off although no hook
 * was called.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/tracepoint.h>

#include "preemptirq.h"

DEFINE_STATIC_KEY_FALSE(trace_irq_listeners);
DEFINE_STATIC_KEY_FALSE(trace_preempt_listeners);

/* The static key that counts the probes of each tracepoint. */
#define LISTENERS_irq_disable		trace_irq_listeners
#define LISTENERS_irq_enable		trace_irq_listeners
#define LISTENERS_preempt_disable	trace_preempt_listeners
#define LISTENERS_preempt_enable	trace_preempt_listeners

/* Define the tracepoints so that each one that has probes counts in its key. */
#undef DEFINE_TRACE
#define DEFINE_TRACE(name, proto, args)						\
	static int name##_first(void)						\
	{									\
		static_branch_inc(&LISTENERS_##name);				\
		return 0;							\
	}									\
	static void name##_last(void)						\
	{									\
		static_branch_dec(&LISTENERS_##name);				\
	}									\
	DEFINE_TRACE_FN(name, name##_first, name##_last, PARAMS(proto), PARAMS(args))

#define CREATE_TRACE_POINTS
#include <trace/events/preemptirq.h>

/*
 * Set before a key is switched on, and never set to NULL: a hook may still run when the key is off.
 */
static const struct section_hooks *section_hooks __maybe_unused;

#if defined(CONFIG_IRQSOFF_TRACER) || defined(CONFIG_PREEMPT_TRACER)
DEFINE_STATIC_KEY_FALSE(irq_section_hooked);
DEFINE_STATIC_KEY_FALSE(preempt_section_hooked);

/**
 * sections_hook - call functions when interrupts or preemption are switched on or off
 * @hooks: the functions; must never be freed
 * @kinds: SECTION_IRQS, SECTION_PREEMPT or both: call the functions for these switches
 *
 * Context: process context; cpus_read_lock() held. One caller at a time.
 */
void sections_hook(const struct section_hooks *hooks, unsigned int kinds)
{
	WRITE_ONCE(section_hooks, hooks);
	if (kinds & SECTION_IRQS) {
		static_branch_enable_cpuslocked(&irq_section_hooked);
		static_branch_inc_cpuslocked(&trace_irq_listeners);
	}
	if (kinds & SECTION_PREEMPT) {
		static_branch_enable_cpuslocked(&preempt_section_hooked);
		static_branch_inc_cpuslocked(&trace_preempt_listeners);
	}
}

/**
 * sections_unhook - undo sections_hook()
 * @kinds: as for sections_hook()
 *
 * A hook may still run on some CPU after this.
 *
 * Context: process context, may sleep.
 */
void sections_unhook(unsigned int kinds)
{
	if (kinds & SECTION_IRQS) {
		static_branch_dec(&trace_irq_listeners);
		static_branch_disable(&irq_section_hooked);
	}
	if (kinds & SECTION_PREEMPT) {
		static_branch_dec(&trace_preempt_listeners);
		static_branch_disable(&preempt_section_hooked);
	}
}
#endif

#ifdef CONFIG_TRACE_IRQFLAGS

#ifdef CONFIG_PREEMPTIRQ_TRACEPOINTS

/* The mark: the state reported to the probes last on this CPU; true: interrupts are off. */
static DEFINE_PER_CPU(bool, told_irqs_off);

static noinline void tell(bool off, unsigned long ip, unsigned long parent_ip)
{
	bool told = raw_cpu_read(told_irqs_off);

	if (in_nmi())
		return;
	if (off && irq_sections_run())
		READ_ONCE(section_hooks)->irqs_off(ip, parent_ip);
	raw_cpu_write(told_irqs_off, off);
	if (off && !told)
		trace_irq_disable(ip, parent_ip);
	if (!off && told)
		trace_irq_enable(ip, parent_ip);
	if (!off && irq_sections_run())
		READ_ONCE(section_hooks)->irqs_on(ip, parent_ip);
}
NOKPROBE_SYMBOL(tell);

/* A macro, so that the addresses are those of the callers of the hook that uses it. */
#define TELL(off)							\
	do {								\
		if (static_branch_unlikely(&trace_irq_listeners))	\
			tell(off, CALLER_ADDR0, CALLER_ADDR1);		\
	} while (0)

#else
#define TELL(off)	do { } while (0)
#endif /* CONFIG_PREEMPTIRQ_TRACEPOINTS */

/**
 * trace_hardirqs_on_prepare - report that the entry code is about to switch interrupts on
 *
 * The entry code tells lockdep after this.
 *
 * Context: any, interrupts off, RCU watching.
 */
void __kprobes trace_hardirqs_on_prepare(void)
{
	TELL(false);
}
EXPORT_SYMBOL(trace_hardirqs_on_prepare);

/**
 * trace_hardirqs_on - report that other code is about to switch interrupts on
 *
 * Context: any, interrupts off, RCU watching.
 */
void __kprobes trace_hardirqs_on(void)
{
	TELL(false);
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(CALLER_ADDR0);
}
EXPORT_SYMBOL(trace_hardirqs_on);

/**
 * trace_hardirqs_off_finish - report that the entry code has switched interrupts off
 *
 * The entry code has told lockdep before this.
 *
 * Context: any, interrupts off, RCU watching.
 */
void __kprobes trace_hardirqs_off_finish(void)
{
	TELL(true);
}
EXPORT_SYMBOL(trace_hardirqs_off_finish);

/**
 * trace_hardirqs_off - report that other code has switched interrupts off
 *
 * Context: any, interrupts off, RCU watching.
 */
void __kprobes trace_hardirqs_off(void)
{
	lockdep_hardirqs_off(CALLER_ADDR0);
	TELL(true);
}
EXPORT_SYMBOL(trace_hardirqs_off);

#endif /* CONFIG_TRACE_IRQFLAGS */

#ifdef CONFIG_TRACE_PREEMPT_TOGGLE

/**
 * __trace_preempt_on - report that preemption is about to be switched on
 * @ip: address of the code that switches it
 * @parent_ip: address of the caller of that code
 *
 * preempt_count_sub() and trace_preempt_on() of <linux/ftrace.h> call this, for real transitions
 * and if there are listeners.
 *
 * Context: any.
 */
void __kprobes __trace_preempt_on(unsigned long ip, unsigned long parent_ip)
{
	if (in_nmi())
		return;
	trace_preempt_enable(ip, parent_ip);
	if (preempt_sections_run())
		READ_ONCE(section_hooks)->preempt_on(ip, parent_ip);
}

/**
 * __trace_preempt_off - report that preemption was switched off
 * @ip: address of the code that has switched it
 * @parent_ip: address of the caller of that code
 *
 * preempt_count_add() and trace_preempt_off() of <linux/ftrace.h> call this, for real transitions
 * and if there are listeners.
 *
 * Context: any.
 */
void __kprobes __trace_preempt_off(unsigned long ip, unsigned long parent_ip)
{
	if (in_nmi())
		return;
	if (preempt_sections_run())
		READ_ONCE(section_hooks)->preempt_off(ip, parent_ip);
	trace_preempt_disable(ip, parent_ip);
}

#endif /* CONFIG_TRACE_PREEMPT_TOGGLE */
