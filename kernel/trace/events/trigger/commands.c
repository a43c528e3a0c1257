// SPDX-License-Identifier: GPL-2.0
/*
 * The table of triggers.
 */
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "../../core/instance.h"
#include "../../core/record.h"
#include "../../core/snapshot.h"
#include "../events.h"
#include "../match.h"
#include "trigger.h"

static bool trigger_trace_is_on(struct trace_array *tr, void *data)
{
	return trace_array_is_on(tr);
}

static bool trigger_trace_is_off(struct trace_array *tr, void *data)
{
	return !trace_array_is_on(tr);
}

static void trigger_traceon(struct trace_array *tr, void *data,
			    const struct trace_event_buffer *record)
{
	ring_buffer_record_on(tr->array_buffer.buffer);
}

static void trigger_traceoff(struct trace_array *tr, void *data,
			     const struct trace_event_buffer *record)
{
	ring_buffer_record_off(tr->array_buffer.buffer);
}

static int __maybe_unused trigger_snapshot_begin(struct trace_array *tr, void *data)
{
	return trace_snapshot_arm(tr);
}

static void __maybe_unused trigger_snapshot_end(struct trace_array *tr, void *data)
{
	trace_snapshot_disarm(tr);
}

/*
 * A probe may still run a trigger that is being removed. If memory for snapshots were freed right
 * after that, this trigger would report that there is none, and switch tracing off. This question
 * leaves a window of a few instructions only.
 */
static bool __maybe_unused trigger_snapshot_is_armed(struct trace_array *tr, void *data)
{
	return trace_snapshot_is_armed(tr);
}

static void __maybe_unused trigger_snapshot(struct trace_array *tr, void *data,
					    const struct trace_event_buffer *record)
{
	tracing_snapshot_cond(tr, NULL);
}

static int __maybe_unused trigger_stack_begin(struct trace_array *tr, void *data)
{
	return trace_array_use(tr);
}

static void __maybe_unused trigger_stack(struct trace_array *tr, void *data,
					 const struct trace_event_buffer *record)
{
	trace_record_stack_from(tr, record->context, record->ip, 0);
}

/*
 * Events: @data is the event in the instance. Its module is not unloaded while the trigger is set.
 */

static bool trigger_event_is_on(struct trace_array *tr, void *data)
{
	return trace_event_file_is_on(data);
}

static bool trigger_event_is_off(struct trace_array *tr, void *data)
{
	return !trace_event_file_is_on(data);
}

static void trigger_event_enable(struct trace_array *tr, void *data,
				 const struct trace_event_buffer *record)
{
	trace_event_file_set_soft(data, true);
}

static void trigger_event_disable(struct trace_array *tr, void *data,
				  const struct trace_event_buffer *record)
{
	trace_event_file_set_soft(data, false);
}

static void trigger_event_free(void *data)
{
	struct trace_event_file *file = data;

	module_put(file->call->module);
}

static void trigger_event_show(struct seq_file *m, const void *data)
{
	const struct trace_event_file *file = data;

	seq_printf(m, ":%s:%s", file->call->class->system, trace_event_name(file->call));
}

static int trigger_event_begin(struct trace_array *tr, void *data)
{
	return trace_event_file_hold(data);
}

static void trigger_event_end(struct trace_array *tr, void *data)
{
	trace_event_file_release(data);
}

#define OF_EVENTS							\
	.kind = "event", .before = true, .parse = trace_event_file_parse,	\
	.free = trigger_event_free, .show = trigger_event_show,		\
	.begin = trigger_event_begin, .end = trigger_event_end

const struct trace_trigger_command trace_trigger_commands[] = {
	{ .name = "traceon", .kind = "trace", .before = true, .useful = trigger_trace_is_off,
	  .run = trigger_traceon },
	{ .name = "traceoff", .kind = "trace", .after = true, .useful = trigger_trace_is_on,
	  .run = trigger_traceoff },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ .name = "snapshot", .kind = "snapshot", .before = true, .after = true,
	  .begin = trigger_snapshot_begin, .end = trigger_snapshot_end,
	  .useful = trigger_snapshot_is_armed, .run = trigger_snapshot,
	  .wait = trace_snapshot_wait },
#endif
#ifdef CONFIG_STACKTRACE
	{ .name = "stacktrace", .kind = "stacktrace", .after = true, .begin = trigger_stack_begin,
	  .run = trigger_stack },
#endif
	{ .name = "enable_event", .useful = trigger_event_is_off, .run = trigger_event_enable,
	  OF_EVENTS },
	{ .name = "disable_event", .useful = trigger_event_is_on, .run = trigger_event_disable,
	  OF_EVENTS },
	{}
};
