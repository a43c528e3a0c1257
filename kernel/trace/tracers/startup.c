// SPDX-License-Identifier: GPL-2.0
/*
 * Each tracer is tested once after boot: CONFIG_FTRACE_STARTUP_TEST.
 *
 * The test uses an instance of its own, as the top instance may be tracing since early boot. It
 * switches the tracer on, does something that the tracer has to record, and checks what was
 * recorded. The log has the result of each test, and a WARN if one failed. A row of table.c has
 * the test of a tracer.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/processor.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace.h>
#include <linux/trace_clock.h>

#include "../core/entries.h"
#include "../core/instance.h"
#include "../core/snapshot.h"
#include "../core/tracer.h"
#include "startup.h"
#include "tracers.h"

#define TRIES		10

/* Length of a section. Each try doubles it: on a slow machine, other sections are long, too. */
static unsigned int section_ms;

/**
 * startup_test_call - call the function that each tracer of functions has to record: msleep()
 *
 * Context: may sleep.
 */
void __init startup_test_call(void)
{
	msleep(20);
}

/**
 * startup_test_spin - be busy for the length of a section
 *
 * This uses the clock of the tracers: on UML, mdelay() is too short if its calibration was
 * interrupted. Functions that call this are not __init: on UML, kallsyms does not have the code
 * before _stext.
 *
 * Context: any.
 */
void startup_test_spin(void)
{
	u64 end = trace_clock_local() + section_ms * NSEC_PER_MSEC;

	while (trace_clock_local() < end)
		cpu_relax();
}

static bool __init is_in(unsigned long ip, const void *function)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(ip, &size, &offset) &&
	       ip - offset == (unsigned long)function;
}

/* Each tracer of functions has to record the call of msleep(). */
static unsigned int __init entry_is(const struct trace_entry *entry)
{
	switch (entry->type) {
	case TRACE_FN:
		return is_in(container_of(entry, struct function_entry, ent)->ip, msleep) ?
		       SAW_CALL : 0;
	case TRACE_GRAPH_ENT:
	case TRACE_GRAPH_RETADDR_ENT:
		return is_in(container_of(entry, struct graph_call_entry, ent)->func, msleep) ?
		       SAW_ENTRY : 0;
	case TRACE_GRAPH_RET:
		return is_in(container_of(entry, struct graph_return_entry, ent)->func, msleep) ?
		       SAW_RETURN : 0;
	case TRACE_WAKE:
		return SAW_WAKEUP;
	case TRACE_CTX:
		return SAW_SWITCH;
	case TRACE_HWLAT:
		return SAW_HWLAT;
	}
	return 0;
}

static unsigned int __init entries_of(struct trace_buffer *buffer)
{
	struct ring_buffer_event *event;
	unsigned int saw = 0;
	int cpu;

	for_each_online_cpu(cpu) {
		while ((event = ring_buffer_consume(buffer, cpu, NULL, NULL)))
			saw |= entry_is(ring_buffer_event_data(event));
	}
	return saw;
}

static bool __init is_longest(struct array_buffer *kept, void (*section)(void))
{
	struct latency_view view;

	trace_latency_view(kept, &view);
	return view.report.ns && (!section ||
				  (view.report.ns >= section_ms * NSEC_PER_MSEC &&
				   is_in(view.report.begun_at, section) &&
				   is_in(view.report.ended_at, section)));
}

static unsigned int __init seen(struct trace_array *tr, const struct startup_test *test)
{
	struct array_buffer *kept;
	unsigned int saw = 0;

	if (!test->latency)
		return entries_of(tr->array_buffer.buffer);
	kept = trace_snapshot_get(tr);
	if (kept && is_longest(kept, test->section))
		saw = SAW_SECTION | entries_of(kept->buffer);
	trace_snapshot_put(kept);
	/* The section may have entries of other kinds, which do not matter. */
	return saw & test->saw;
}

static void __init set_on(struct trace_array *tr, bool on)
{
	guard(mutex)(&tr->lock);
	trace_array_set_on(tr, on);
}

/* Other code of the kernel may have a longer section, so try again with a longer one. */
static bool __init found(struct trace_array *tr, const char *tracer,
			 const struct startup_test *test)
{
	unsigned int try, saw;

	for (try = 0; try < TRIES; try++) {
		section_ms = 2 << try;
		set_on(tr, true);
		test->act();
		set_on(tr, false);
		saw = seen(tr, test);
		if (saw == test->saw)
			return true;
		scoped_guard(mutex, &tr->lock) {
			if (IS_ENABLED(CONFIG_LATENCY_TRACERS) && test->latency)
				trace_latency_restart(tr);
			else
				trace_array_reset(tr);
		}
	}
	pr_warn("tracing: %s: saw %#x, not %#x\n", tracer, saw, test->saw);
	return false;
}

/* Could boot parameters, which apply to all instances, leave out the functions of the test? */
static bool __init may_be_left_out(const struct startup_test *test)
{
	if (test->saw & SAW_ENTRY && graph_selects_functions())
		return true;
	return READ_ONCE(tracing_thresh) && (test->latency || test->saw & SAW_RETURN);
}

static const char *__init try_tracer(struct trace_array *tr, const char *tracer)
{
	static const struct startup_test nop_test __initconst = { .act = startup_test_call };
	const struct startup_test *test = strcmp(tracer, "nop") ? tracer_startup_test(tracer) :
								  &nop_test;
	int err;

	if (!test)
		return "NO TEST";
	if (may_be_left_out(test))
		return NULL;
	err = trace_array_set_tracer(tr, tracer);
	/* A tracer of the same kind is running since early boot. */
	if (err == -EBUSY)
		return NULL;
	if (err)
		return "NOT STARTED";
	if (!found(tr, tracer, test))
		return "FAILED";
	return trace_array_set_tracer(tr, "nop") ? "NOT ENDED" : "PASSED";
}

static int __init startup_test(void)
{
	struct trace_array *tr = trace_array_get_by_name("startup-test", NULL);
	struct tracer_state *state;
	unsigned int failed = 0;
	const char *result;

	if (!tr)
		return -ENOMEM;
	/* No tracer is registered after this, so the list needs no lock. */
	list_for_each_entry(state, &tr->tracers, list) {
		result = try_tracer(tr, state->tracer->name);
		pr_info("Testing tracer %s: %s\n", state->tracer->name, result ?: "NOT NOW");
		failed += result && strcmp(result, "PASSED");
	}
	WARN(failed, "tracing: %u tracers do not work\n", failed);
	trace_array_put(tr);
	return trace_array_destroy(tr);
}
late_initcall_sync(startup_test);
