// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers irqsoff, preemptoff and preemptirqsoff: the longest section in which interrupts,
 * preemption, or either of them are off.
 *
 * A section belongs to a CPU. It begins when the first of the states that the tracer measures is
 * switched off, and ends when the last of them is switched on. An idle CPU has no section. The
 * hooks of lib/preemptirq.c, and the idle loop, call this code at each switch.
 *
 * An interrupt may come while preemption is off. So with preemptirqsoff, which measures both, the
 * end of an interrupt ends only a section that the interrupt began:
 *
 *	task			interrupt		count	section
 *
 *	preempt_disable()				1	begins
 *				irqs off, irqs on	1	goes on
 *	preempt_enable()				1	ends
 *				irqs off		1	begins, stores 1
 *				irqs on			1	ends: the count is not above 1
 *	  decrements the count				0
 *	irqs off					0	begins, stores 0
 *	preempt_disable()				1	goes on
 *	irqs on						1	goes on: the count is above 0
 *	preempt_enable()				1	ends
 *
 * An interrupt may also come while a task begins a section. The interrupt finds a section under
 * way, and begins none. It does not end the section either, as the stored count is 0 between
 * sections. If it prints on a console, it does not stop a section that has no start time yet: until
 * then, start is the largest time. The start time is read before the begin is recorded, so the time
 * that recording takes, and an interrupt during it, are part of the section.
 *
 * When a tracer begins, CPUs have to forget sections that are under way: they may be left over from
 * an earlier tracer, or one hook has begun them before the other hook was set. Preemption's hooks
 * run with interrupts on, so a CPU may be told to forget a section that it is about to keep:
 *
 *	sections_begin()			section_end(), on another CPU
 *
 *	sets the hooks				a section is under way,
 *	makes each CPU forget, by interrupt	  longer than the maximum
 *	armed = true				section_keep(): interrupts off
 *						still under way, and armed?
 *
 * If the interrupt comes before the last line, no section is under way then; if it comes later,
 * armed is still false. No CPU may come up meanwhile: it would not get the interrupt, and might
 * have called one hook before the other was set.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "../core/instance.h"
#include "../core/record.h"
#include "../core/tracer.h"
#include "../ftrace/shadow_stack.h"
#include "../lib/preemptirq.h"
#include "../ring_buffer/reserve.h"
#include "latency.h"
#include "tracers.h"

/**
 * struct section - the section of a CPU
 * @under_way: a section is under way
 * @start: buffer time of its begin; S64_MAX before that is known, and without a section
 * @ip: address of the code that switched off
 * @parent_ip: address in the caller of that code
 * @depth: preempt_count() before the begin; 0 without a section
 * @clock: the clock of @start: trace_array::clock
 * @stopped: preempt_count() when stop_critical_timings() ended a section; else NOT_STOPPED
 * @stopped_depth: @depth of that section
 */
struct section {
	bool		under_way;
	u64		start;
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	depth;
	unsigned int	clock;
	unsigned int	stopped;
	unsigned int	stopped_depth;
};

#define NOT_STOPPED	UINT_MAX
#define NO_SECTION	((struct section) { .start = S64_MAX, .stopped = NOT_STOPPED })

static DEFINE_PER_CPU(struct section, sections) = { .start = S64_MAX, .stopped = NOT_STOPPED };

/* One instance runs one of these tracers; the mutex is inside of trace_array::lock. */
static DEFINE_MUTEX(section_lock);
static struct latency_tracer section_tracer = {
	.measures	= &sections.under_way,
	/* A reader makes sections, too. They are not measured while it has the file open. */
	.needs		= LATENCY_TRACER_NEEDS | BIT_ULL(TRACE_OPT_PAUSE_ON_TRACE),
};
static unsigned int section_kinds __read_mostly;

static __always_inline void section_begin(unsigned long ip, unsigned long parent_ip,
					  unsigned int depth)
{
	struct section *section = raw_cpu_ptr(&sections);
	struct trace_array *tr = section_tracer.tr;
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);
	u64 start;

	if (section->under_way || !ring_buffer_fast_is_on_here(buffer))
		return;
	WRITE_ONCE(section->under_way, true);
	barrier();
	/* Store the clock before the time is read: section_holds() detects a change in between. */
	section->clock = READ_ONCE(tr->clock);
	section->ip = ip;
	section->parent_ip = parent_ip;
	section->depth = depth;
	barrier();
	start = ring_buffer_fast_time_stamp(buffer);
	/* Last: an interrupt that finds the start time also finds the other members. */
	WRITE_ONCE(section->start, start);
	latency_record_call(tr, ip, parent_ip, trace_context(preempt_count()), start);
}

/**
 * struct place - the place where a section ends
 * @ip: address of the code that switches on
 * @parent_ip: address in the caller of that code
 * @context: from trace_context()
 * @ts: buffer time
 */
struct place {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	context;
	u64		ts;
};

struct irqsoff_end {
	struct latency_end	end;
	const struct place	*place;
};

static void section_record_end(struct trace_array *tr, const struct latency_end *end)
{
	const struct place *place = container_of(end, struct irqsoff_end, end)->place;

	latency_record_call(tr, place->ip, place->parent_ip, place->context, place->ts);
	trace_record_stack_from(tr, place->context, place->ip, 0);
}

/*
 * The barrier is for interrupts: one that comes before it may end the section itself; one that
 * comes after it may begin and end a section of its own.
 */
static __always_inline void section_is_over(struct section *section)
{
	WRITE_ONCE(section->under_way, false);
	barrier();
	section->depth = 0;
	section->start = S64_MAX;
}

/* The address to report. A lock function switches on behalf of its caller. */
static unsigned long who_switched(unsigned long ip, unsigned long parent_ip)
{
	return parent_ip && in_lock_functions(ip) ? parent_ip : ip;
}

/* All CPUs have forgotten the sections that began before all hooks were set. */
static bool sections_armed;

/* Is the section valid? Called with interrupts off: see the top of this file. */
static bool section_holds(const struct section *section)
{
	return section->under_way && READ_ONCE(sections_armed) &&
	       section->clock == READ_ONCE(section_tracer.tr->clock);
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * function_graph may trace the function that switches interrupts or preemption. The return address
 * of that function is then return_to_handler(), and its caller is found in the shadow stack. If a
 * lock function was called by another traced lock function, the caller is that of the older call.
 * The begin of a section does not call this, as it would take too long there.
 */
static void find_real_callers(struct place *place)
{
	const struct ftrace_ret_stack *call = ftrace_graph_get_ret_stack(current, 0);
	const struct shadow_stack *stack = task_shadow_stack(current);

	if (place->ip != (unsigned long)return_to_handler || !call)
		return;
	place->ip = shadow_stack_caller(stack, call) ?: place->ip;
	place->parent_ip = place->ip;
	/* Skip frames of functions that were reached by a jump: they belong to the same call. */
	for (unsigned long fp = call->fp; call && call->fp == fp;)
		call = shadow_stack_older(stack, call);
	if (call && in_lock_functions(place->ip) && in_lock_functions(call->func))
		place->parent_ip = shadow_stack_caller(stack, call) ?: place->ip;
}
#else
static void find_real_callers(struct place *place) { }
#endif

static noinline void section_keep(struct section *section, struct place *place)
{
	struct irqsoff_end end = {
		.end.task	= current,
		.end.record	= section_record_end,
		.place		= place,
	};
	struct latency_report *report = &end.end.report;
	struct latency_irqs irqs;
	bool holds;

	/* With interrupts off, no interrupt keeps a section of its own and clears this one. */
	irqs = latency_irqs_off();
	holds = section_holds(section);
	report->cpu = raw_smp_processor_id();
	report->start = section->start;
	report->ns = place->ts - report->start;
	report->begun_at = who_switched(section->ip, section->parent_ip);
	section_is_over(section);
	if (holds) {
		find_real_callers(place);
		report->ended_at = who_switched(place->ip, place->parent_ip);
		trace_latency_keep(section_tracer.tr, &end.end);
	}
	/* The exception of a breakpoint may have begun a section, which nothing would end. */
	section_is_over(section);
	latency_irqs_restore(irqs);
}
NOKPROBE_SYMBOL(section_keep);

static __always_inline void section_end(unsigned long ip, unsigned long parent_ip)
{
	struct section *section = raw_cpu_ptr(&sections);
	struct trace_array *tr = section_tracer.tr;
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);
	u64 ts;

	if (!section->under_way)
		return;
	ts = ring_buffer_fast_time_stamp(buffer);
	if (unlikely(trace_latency_counts(tr->latency, ts - section->start)) &&
	    ring_buffer_fast_is_on_here(buffer))
		section_keep(section,
			     &(struct place) { ip, parent_ip, trace_context(preempt_count()), ts });
	else
		section_is_over(section);
}

static void section_irqs_off(unsigned long ip, unsigned long parent_ip)
{
	section_begin(ip, parent_ip, preempt_count());
}
/* No kprobe: the exception of its breakpoint would begin a section before kprobes handle it. */
NOKPROBE_SYMBOL(section_irqs_off);

static void section_irqs_on(unsigned long ip, unsigned long parent_ip)
{
	if (section_kinds & SECTION_PREEMPT &&
	    preempt_count() > raw_cpu_ptr(&sections)->depth)
		return;
	section_end(ip, parent_ip);
}
NOKPROBE_SYMBOL(section_irqs_on);

static void section_preempt_off(unsigned long ip, unsigned long parent_ip)
{
	/* A section is under way, or stop_critical_timings() has ended it. */
	if (section_kinds & SECTION_IRQS && raw_irqs_disabled())
		return;
	section_begin(ip, parent_ip, 0);
}
NOKPROBE_SYMBOL(section_preempt_off);

static void section_preempt_on(unsigned long ip, unsigned long parent_ip)
{
	if (section_kinds & SECTION_IRQS && raw_irqs_disabled())
		return;
	section_end(ip, parent_ip);
}
NOKPROBE_SYMBOL(section_preempt_on);

static const struct section_hooks irqsoff_hooks = {
	.irqs_off	= section_irqs_off,
	.irqs_on	= section_irqs_on,
	.preempt_off	= section_preempt_off,
	.preempt_on	= section_preempt_on,
};

static bool sections_run(void)
{
	return irq_sections_run() || preempt_sections_run();
}

/**
 * stop_critical_timings - end a section, as the CPU idles or prints on a console
 *
 * The time until start_critical_timings() on the same CPU does not count as a latency. An interrupt
 * in this time may call both functions, too; if it ended a section of its own, the section that
 * this call ended does not begin again. If an interrupt comes while a section is beginning, and
 * calls this, it ends nothing, as that section has no start time yet: then the whole section
 * counts.
 *
 * Context: any, with interrupts off.
 */
void stop_critical_timings(void)
{
	struct section *section = raw_cpu_ptr(&sections);
	unsigned int depth = section->depth;

	if (!sections_run() || in_nmi() || !section->under_way || section->start == S64_MAX)
		return;
	section_end(CALLER_ADDR0, CALLER_ADDR1);
	section->stopped_depth = depth;
	section->stopped = preempt_count();
}
EXPORT_SYMBOL_GPL(stop_critical_timings);
NOKPROBE_SYMBOL(stop_critical_timings);

/**
 * start_critical_timings - begin the section again that stop_critical_timings() has ended
 *
 * If no section was ended, this begins none, as nothing would end it. The call of an interrupt
 * does not begin a section of the code that it interrupted.
 *
 * Context: any, with interrupts off.
 */
void start_critical_timings(void)
{
	struct section *section = raw_cpu_ptr(&sections);

	if (!sections_run() || in_nmi() || section->stopped != preempt_count())
		return;
	section->stopped = NOT_STOPPED;
	section_begin(CALLER_ADDR0, CALLER_ADDR1, section->stopped_depth);
}
EXPORT_SYMBOL_GPL(start_critical_timings);
NOKPROBE_SYMBOL(start_critical_timings);

/*
 * The tracers
 */

/*
 * Forget the section of this CPU. A section that is just beginning stays: both hooks are set now,
 * and section_begin() is about to write its start time.
 */
static void section_forget(void *unused)
{
	struct section *section = raw_cpu_ptr(&sections);

	if (!section->under_way || section->start != S64_MAX)
		*section = NO_SECTION;
	else
		section->stopped = NOT_STOPPED;
}

/* Forget the section that was under way when the CPU went down. */
static int section_prepare_cpu(unsigned int cpu)
{
	per_cpu(sections, cpu) = NO_SECTION;
	return 0;
}

static int sections_begin(struct trace_array *tr, unsigned int kinds)
{
	int err;

	guard(mutex)(&section_lock);
	if (section_kinds)
		return -EBUSY;
	err = latency_tracer_begin(&section_tracer, tr);
	if (err)
		return err;
	section_kinds = kinds;
	/* See the top of this file. */
	guard(cpus_read_lock)();
	sections_hook(&irqsoff_hooks, section_kinds);
	on_each_cpu(section_forget, NULL, true);
	WRITE_ONCE(sections_armed, true);
	return 0;
}

static void sections_end(struct trace_array *tr)
{
	guard(mutex)(&section_lock);
	WRITE_ONCE(sections_armed, false);
	sections_unhook(section_kinds);
	latency_tracer_end(&section_tracer);
	section_kinds = 0;
}

static int sections_functions(struct trace_array *tr, bool functions, bool graph)
{
	guard(mutex)(&section_lock);
	return latency_tracer_functions(&section_tracer, functions, graph);
}

#ifdef CONFIG_IRQSOFF_TRACER
LATENCY_TRACER(irqsoff, sections, SECTION_IRQS);
#endif
#ifdef CONFIG_PREEMPT_TRACER
LATENCY_TRACER(preemptoff, sections, SECTION_PREEMPT);
#endif
#if defined(CONFIG_IRQSOFF_TRACER) && defined(CONFIG_PREEMPT_TRACER)
LATENCY_TRACER(preemptirqsoff, sections, SECTION_IRQS | SECTION_PREEMPT);
#endif

/**
 * section_tracers_setup - let each CPU that comes up begin without a section
 *
 * Each of the three tracers calls this before it is registered; only the first call has an effect.
 *
 * Context: an initcall.
 * Return: 0 or -errno.
 */
int __init section_tracers_setup(void)
{
	static int state __initdata;

	if (!state)
		state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/sections:prepare",
						  section_prepare_cpu, NULL);
	return min(state, 0);
}
