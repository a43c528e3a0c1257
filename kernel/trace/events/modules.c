// SPDX-License-Identifier: GPL-2.0
/*
 * The events of modules: they come before the module's init function runs, in all instances and
 * switched off, and go after its exit function.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/tracepoint.h>

#include "../core/instance.h"
#include "events.h"
#include "match.h"

static void event_module_coming(struct module *mod)
{
	struct trace_array *tr;
	unsigned int i;

	/* Words go on waiting: the next one of this name may have its events. */
	if (mod->num_trace_events && trace_module_has_bad_taint(mod)) {
		pr_err("%s: module has bad taint, not creating trace events\n", mod->name);
		return;
	}
	guard(mutex)(&trace_registry_lock);
	guard(mutex)(&trace_event_mutex);
	for (i = 0; i < mod->num_trace_events; i++) {
		struct trace_event_call *call = mod->trace_events[i];

		call->module = mod;
		if (!trace_event_add(call))
			trace_event_dirs_add(call);
	}
	list_for_each_entry(tr, &trace_arrays, list)
		trace_event_wait_end(tr, mod);
}

/* Switch an event off in all instances, and forget it. */
static void event_module_end_event(struct trace_event_call *call)
{
	struct trace_array *tr;
	struct trace_event_file *file;

	trace_event_dirs_remove(call);
	list_for_each_entry(tr, &trace_arrays, list) {
		file = trace_event_file_find(tr, call);
		if (!file)
			continue;
		trace_event_file_end_triggers(file);
		trace_event_file_end(file);
	}
	trace_event_users_end(call);
	trace_event_remove(call);
}

static void event_module_going(struct module *mod)
{
	struct trace_event_call *call, *next;
	bool was_on = false;

	guard(mutex)(&trace_registry_lock);
	guard(mutex)(&trace_event_mutex);
	list_for_each_entry_safe(call, next, &trace_event_calls, list) {
		if (call->module != mod)
			continue;
		was_on |= call->flags & TRACE_EVENT_FL_WAS_ON;
		event_module_end_event(call);
	}
	/* A custom event's probe may still run: its tracepoint is not the module's. */
	if (was_on)
		tracepoint_synchronize_unregister();
}

static int event_module_notify(struct notifier_block *self, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_COMING)
		event_module_coming(mod);
	else if (state == MODULE_STATE_GOING && mod->num_trace_events)
		event_module_going(mod);
	return NOTIFY_OK;
}

/*
 * This notifier runs after the notifier of jump labels, which has priority 1: if it ran before, an
 * event that is switched on would not be patched on. It runs before the notifier of tracepoints,
 * which is registered later, and which warns if a module that is being unloaded has a tracepoint
 * with a probe.
 */
static struct notifier_block event_module_block = {
	.notifier_call	= event_module_notify,
};

static int __init event_modules_init(void)
{
	/* NULL: see trace_array::events. */
	if (!trace_top || !trace_top->events)
		return 0;
	return register_module_notifier(&event_module_block);
}
early_initcall(event_modules_init);
