// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers irqsoff, preemptoff and preemptirqsoff: the longest section in which
 * interrupts, preemption, or either of them are off.
 *
 * A section is of the CPU that it is on. It begins where the first of what the tracer is
 * about is switched off, and ends where the last is switched on; idling is no section.
 * What switches tells us, from lib/preemptirq.c, and from the idle loop.
 *
 * An interrupt may come while preemption is off. So with preemptirqsoff, where both
 * matter, an interrupt's own end is no section's, unless it began it:
 *
 *	task			interrupt		count	section
 *
 *	preempt_disable()				1	begins
 *				irqs off, irqs on	1	goes on
 *	preempt_enable()				1	ends, it is told
 *				irqs off		1	begins, remembers 1
 *				irqs on			1	ends: no more than that
 *	  counts down					0
 *	irqs off					0	begins, remembers 0
 *	preempt_disable()				1	goes on
 *	irqs on						1	goes on: more than 0
 *	preempt_enable()				1	ends
 *
 * An interrupt may also come while a task begins a section. It sees that there is one,
 * so it begins none; and it does not end it, as nothing is remembered between sections
 * but 0. If it prints on a console, it leaves alone a section that has no time yet, which began
 * at the end of time. A section is measured from the first thing that is known of it, so the
 * time that it takes to record the beginning counts, and so does an interrupt meanwhile.
 *
 * A tracer that begins forgets what is under way: it may be left of the tracer before, or
 * was begun by one hook before the other was there. Preemption's hooks run with interrupts
 * on, so a CPU may be told to forget what it is about to keep:
 *
 *	sections_begin()			section_end(), on another CPU
 *
 *	sets the hooks				there is a section, since then;
 *	has each CPU forget, in an interrupt	  that is longer than all before
 *	armed = true				section_keep(): interrupts off
 *						there is a section, since then, and armed?
 *
 * If the interrupt comes before the last line, there is no section; if it comes later, it
 * is not armed yet. No CPU comes up meanwhile: it would not be interrupted, and might have
 * found one of the hooks but not yet the other.
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
 * struct section - what is known of a section under way
 * @under_way: there is one
 * @start: buffer time when it began; S64_MAX if that is not known yet, or there is none
 * @ip: who switched off
 * @parent_ip: who called that
 * @depth: preempt_count() before it began, 0 if there is none
 * @clock: of @start: trace_array::clock
 * @stopped: preempt_count() where stop_critical_timings() has ended one, else NOT_STOPPED
 * @stopped_depth: @depth of that one
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

/* One instance runs one of the tracers; the mutex is inside of trace_array::lock. */
static DEFINE_MUTEX(section_lock);
static struct latency_tracer section_tracer = { .measures = &sections.under_way };
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
	/* Before the time: if that is another clock's, it is known in the end. */
	section->clock = READ_ONCE(tr->clock);
	section->ip = ip;
	section->parent_ip = parent_ip;
	section->depth = depth;
	barrier();
	start = ring_buffer_fast_time_stamp(buffer);
	/* Last: an interrupt that finds the time finds all of it. */
	WRITE_ONCE(section->start, start);
	latency_record_call(tr, ip, parent_ip, trace_context(preempt_count()), start);
}

/**
 * struct place - where a section ends
 * @ip: who switches on
 * @parent_ip: who called that
 * @context: from trace_context()
 * @ts: when, in buffer time
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

/* An interrupt that comes first may end it itself; one that comes later, a section of its own. */
static __always_inline void section_is_over(struct section *section)
{
	WRITE_ONCE(section->under_way, false);
	barrier();
	section->depth = 0;
	section->start = S64_MAX;
}

/* A function that takes a lock switches for its caller. */
static unsigned long who_switched(unsigned long ip, unsigned long parent_ip)
{
	return parent_ip && in_lock_functions(ip) ? parent_ip : ip;
}

/* All CPUs have forgotten what they began before all hooks were there. */
static bool sections_armed;

/* With interrupts off: see the top of this file. */
static bool section_holds(const struct section *section)
{
	return section->under_way && READ_ONCE(sections_armed) &&
	       section->clock == READ_ONCE(section_tracer.tr->clock);
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * The graph may trace who switches, and then what that finds for its return address is the
 * graph's. It is the newest call; a lock function that called it is the one before, if that
 * is traced, too. Where a section begins there is no time for this.
 */
static void find_real_callers(struct place *place)
{
	const struct ftrace_ret_stack *call = ftrace_graph_get_ret_stack(current, 0);
	const struct shadow_stack *stack = task_shadow_stack(current);

	if (place->ip != (unsigned long)return_to_handler || !call)
		return;
	place->ip = shadow_stack_caller(stack, call) ?: place->ip;
	place->parent_ip = place->ip;
	/* Those that jumped to it are of the same call. */
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

	/* No interrupt keeps a section of its own, and takes with it where this one began. */
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
	/* A breakpoint that was met meanwhile has begun another, which nobody ends. */
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
/* A breakpoint's exception begins a section itself, before kprobes look at it. */
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
	/* A section is under way, or stop_critical_timings() has said that it is none. */
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

static const struct section_hooks section_hooks = {
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
 * stop_critical_timings - what comes is no latency: the CPU idles, or prints on a console
 *
 * Context: any; interrupts are off. Until start_critical_timings() on the same CPU. An
 * interrupt that comes meanwhile may do the same; if it ended a section of its own, the one
 * that was ended first does not begin anew. One that came while a section was beginning
 * ends nothing: there is no time yet that it could be measured from. All of it counts then.
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
 * start_critical_timings - that is over; what was under way before begins anew
 *
 * If nothing was, nobody would end it. An interrupt's end begins nothing for whom it came to.
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

/* But not what is just beginning: that will have both hooks, and is to know since when. */
static void section_forget(void *unused)
{
	struct section *section = raw_cpu_ptr(&sections);

	if (!section->under_way || section->start != S64_MAX)
		*section = NO_SECTION;
	else
		section->stopped = NOT_STOPPED;
}

/* What was under way when the CPU went down is not, when it comes back. */
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
	sections_hook(&section_hooks, section_kinds);
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

static int __maybe_unused irqsoff_init(struct trace_array *tr)
{
	return sections_begin(tr, SECTION_IRQS);
}

static int __maybe_unused preemptoff_init(struct trace_array *tr)
{
	return sections_begin(tr, SECTION_PREEMPT);
}

static int __maybe_unused preemptirqsoff_init(struct trace_array *tr)
{
	return sections_begin(tr, SECTION_IRQS | SECTION_PREEMPT);
}

static int sections_functions(struct trace_array *tr, bool functions, bool graph)
{
	guard(mutex)(&section_lock);
	return latency_tracer_functions(&section_tracer, functions, graph);
}

#define SECTION_TRACER(what)				\
	struct tracer what##_tracer = {			\
		.name		= #what,		\
		.latency	= true,			\
		.init		= what##_init,		\
		.reset		= sections_end,		\
		.functions	= sections_functions,	\
		LATENCY_TRACER_READERS,			\
	}

#ifdef CONFIG_IRQSOFF_TRACER
SECTION_TRACER(irqsoff);
#endif
#ifdef CONFIG_PREEMPT_TRACER
SECTION_TRACER(preemptoff);
#endif
#if defined(CONFIG_IRQSOFF_TRACER) && defined(CONFIG_PREEMPT_TRACER)
SECTION_TRACER(preemptirqsoff);
#endif

/**
 * section_tracers_setup - have CPUs that come begin without a section
 *
 * Once, for all three tracers.
 *
 * Context: an initcall, before one of them is registered.
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
