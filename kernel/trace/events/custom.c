// SPDX-License-Identifier: GPL-2.0
/*
 * Custom events: events that a module defines at tracepoints of the kernel, besides the kernel's
 * own events there. A custom event has the name of its tracepoint; its module looks up the
 * tracepoint.
 */
#include <linux/export.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "events.h"

static int custom_attach(struct trace_event_call *call)
{
	if (!trace_event_has_tracepoint(call))
		return -ENODEV;
	return tracepoint_probe_register(call->data, call->class->probe, call);
}

static void custom_detach(struct trace_event_call *call)
{
	tracepoint_probe_unregister(call->data, call->class->probe, call);
}

const struct trace_event_class_ops trace_custom_event_ops = {
	.attach	= custom_attach,
	.detach	= custom_detach,
};
EXPORT_SYMBOL_GPL(trace_custom_event_ops);

/**
 * trace_custom_event_update - give a custom event its tracepoint
 * @call: the event, which cannot be switched on before
 * @tp: a tracepoint; if it does not have the event's name, nothing is done
 *
 * For callbacks of for_each_kernel_tracepoint().
 *
 * Context: may sleep.
 * Return: 1 if this is the event's tracepoint; else 0.
 */
int trace_custom_event_update(struct trace_event_call *call, struct tracepoint *tp)
{
	if (strcmp(call->name, tp->name))
		return 0;
	guard(mutex)(&trace_event_mutex);
	WRITE_ONCE(call->data, tp);
	return 1;
}
EXPORT_SYMBOL_GPL(trace_custom_event_update);
