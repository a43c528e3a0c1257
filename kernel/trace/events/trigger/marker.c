// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers of ftrace:print: what happens when somebody writes to trace_marker.
 *
 * This is no event of a tracepoint. While there are triggers, core/marker.c makes each record in
 * separate memory and passes it to this file. Triggers see the text as it was written: the newline
 * that the record gets is not there yet.
 */
#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/trace_events.h>

#include "../../core/entries.h"
#include "../../core/instance.h"
#include "../../core/marker.h"
#include "../events.h"
#include "trigger.h"

static const struct trace_event_field *marker_fields(void)
{
	static const struct trace_event_field fields[] = {
		{
			.type	= "unsigned long",
			.name	= "ip",
			.offset	= offsetof(struct print_entry, ip),
			.size	= sizeof(unsigned long),
		}, {
			.type	= "char[]",
			.name	= "buf",
			.offset	= offsetof(struct print_entry, buf),
			.size	= TRACE_MARKER_MAX - offsetof(struct print_entry, buf),
		},
		{}
	};

	return fields;
}

static int marker_attach(struct trace_event_call *call)
{
	return 0;
}

static void marker_detach(struct trace_event_call *call) { }

static const struct trace_event_class_ops marker_ops = {
	.attach	= marker_attach,
	.detach	= marker_detach,
};

static const struct trace_event_class marker_class = {
	.system	= "ftrace",
	.fields	= marker_fields,
	.ops	= &marker_ops,
};

/* This event is not in the registry, so no file can switch it on. */
struct trace_event_call trace_marker_call = {
	.class		= &marker_class,
	.name		= "print",
	.event.type	= TRACE_PRINT,
};

static bool marker_wants(const struct trace_array *tr)
{
	/* Pairs with trace_marker_triggers(). */
	const struct trace_event_file *file = tr->events ? smp_load_acquire(&tr->events->marker) :
							   NULL;

	return file && !list_empty(&file->triggers);
}

/*
 * All triggers act when the marker is recorded, if it is. What they began is complete when this
 * returns, so that the next marker is written after it.
 */
static int marker_take(struct trace_array *tr, struct print_entry *entry, size_t count,
		       unsigned long caller)
{
	struct trace_event_file *file = READ_ONCE(tr->events->marker);
	const struct trace_event_buffer record = {
		.call		= &trace_marker_call,
		.entry		= entry,
		.ip		= caller,
		.context	= entry->ent.flags | entry->ent.preempt_count << 8,
	};
	unsigned long ran;
	int err;

	scoped_guard(preempt) {
		err = trace_marker_record(tr, entry, count);
		if (err)
			return err;
		ran = trace_triggers_after(file, &record, trace_triggers_record(file, &record));
	}
	trace_triggers_wait(tr, ran);
	return 0;
}

static const struct trace_marker_ops marker_trigger_ops = {
	.wants	= marker_wants,
	.take	= marker_take,
};

/**
 * trace_marker_triggers - let triggers see markers from now on, if one was set
 * @file: the event in the instance; does nothing if it is not the event of markers
 *
 * Context: trace_event_mutex held.
 */
void trace_marker_triggers(struct trace_event_file *file)
{
	if (file->call != &trace_marker_call)
		return;
	/* @file exists as long as the instance. marker_wants() finds its list initialized. */
	smp_store_release(&file->tr->events->marker, file);
	trace_marker_set_ops(&marker_trigger_ops);
}
