// SPDX-License-Identifier: GPL-2.0
/*
 * Each event is tried once after boot: CONFIG_EVENT_TRACE_STARTUP_TEST.
 *
 * In an instance of its own, the test switches on each event, each system, all events, and all
 * events together with the function tracer. Whenever sched_switch is on, it has to be recorded. The
 * log has the result of each, and a WARN if one failed.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "../core/instance.h"
#include "../core/tracer.h"
#include "events.h"
#include "match.h"

static unsigned int failed __initdata;

static void __init startup_result(const char *what, const char *name, bool ok)
{
	pr_info("Testing %s%s: %s\n", what, name, ok ? "OK" : "FAILED");
	failed += !ok;
}

/* Take all records out of the buffer. Return: how many are of this type. */
static unsigned int __init startup_records(struct trace_array *tr, unsigned int type)
{
	struct ring_buffer_event *event;
	const struct trace_entry *entry;
	unsigned int nr = 0;
	int cpu;

	for_each_online_cpu(cpu) {
		while ((event = ring_buffer_consume(tr->array_buffer.buffer, cpu, NULL, NULL))) {
			entry = ring_buffer_event_data(event);
			nr += entry->type == type;
		}
	}
	return nr;
}

static bool __init startup_switch_event(struct trace_array *tr, struct trace_event_call *call,
					bool on)
{
	struct trace_event_file *file;

	guard(mutex)(&trace_event_mutex);
	file = trace_event_file_get(tr, call);
	return !IS_ERR(file) && !trace_event_file_set(file, on) &&
	       trace_event_file_is_on(file) == on;
}

/* A system may have no other events than custom ones, which have no tracepoint yet. */
static bool __init startup_switch(struct trace_array *tr, const char *system, bool on)
{
	int err = trace_array_set_clr_event(tr, system, NULL, on);

	return !err || err == -ENODEV;
}

/* Is an event that sleeping causes recorded only while the events of the system are on? */
static bool __init startup_record(struct trace_array *tr, const struct trace_event_call *call,
				  const char *system)
{
	bool ok = startup_switch(tr, system, true);

	msleep(20);
	ok &= startup_switch(tr, system, false);
	/* A probe that was running may have recorded the event. */
	msleep(20);
	ok &= startup_records(tr, call->event.type) > 0;
	msleep(20);
	return ok && !startup_records(tr, call->event.type);
}

/* No module is loaded yet, so the lists need no lock. */
static void __init startup_try_events(struct trace_array *tr)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (trace_event_has_tracepoint(call))
			startup_result("event ", trace_event_name(call),
				       startup_switch_event(tr, call, true) &
				       startup_switch_event(tr, call, false));
		else
			pr_info("Testing event %s: NOT NOW\n", trace_event_name(call));
	}
}

static void __init startup_try_systems(struct trace_array *tr, const struct trace_event_call *call)
{
	struct trace_event_system *system;
	bool ok;

	list_for_each_entry(system, &trace_event_systems, list) {
		if (!strcmp(system->name, call->class->system))
			ok = startup_record(tr, call, system->name);
		else
			ok = startup_switch(tr, system->name, true) &
			     startup_switch(tr, system->name, false);
		startup_result("event system ", system->name, ok);
	}
}

static void __init startup_try_all(struct trace_array *tr, const struct trace_event_call *call)
{
	startup_result("all events", "", startup_record(tr, call, NULL));
	/* The function tracer may be running in another instance since early boot. */
	if (trace_array_set_tracer(tr, "function"))
		return;
	startup_result("all events, with functions", "", startup_record(tr, call, NULL));
	trace_array_set_tracer(tr, "nop");
}

static int __init startup_test_events(void)
{
	struct trace_array *tr = trace_array_get_by_name("startup-test-events", NULL);
	struct trace_event_call *call;

	if (!tr)
		return -ENOMEM;
	scoped_guard(mutex, &trace_event_mutex)
		call = trace_event_find("sched", "sched_switch");
	if (!WARN_ON(IS_ERR(call))) {
		startup_try_events(tr);
		startup_try_systems(tr, call);
		startup_try_all(tr, call);
	}
	WARN(failed, "tracing: %u events, systems or groups of them do not work\n", failed);
	trace_array_put(tr);
	return trace_array_destroy(tr);
}
late_initcall_sync(startup_test_events);
