// SPDX-License-Identifier: GPL-2.0
/*
 * Running the triggers of an event. record.c calls this in any context, marker.c in the write() of
 * a task; both have preemption off.
 *
 * TRACE_EVENT_FILE_RECORD_TRIGGERS says whether triggers run before the record is made or when it
 * is complete. It is read at both times, and may change in between. This is a known flaw: triggers
 * of this record act twice then, or not at all.
 *
 *	CPU 0, the event occurs			CPU 1, a trigger is added or removed
 *
 *	clear: run traceoff:1
 *						the first with a filter: set the flag
 *	set: run traceoff:1 again
 *
 *	set: run nothing
 *						the last with a filter: clear the flag
 *	clear: run nothing
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/rculist.h>
#include <linux/trace_events.h>

#include "../events.h"
#include "../filter/filter.h"
#include "trigger.h"

/*
 * Run a trigger, unless it would change nothing, or has run COUNT times. Return true if it has run.
 */
static bool trigger_run(const struct trace_event_file *file, struct trace_trigger *trigger,
			const struct trace_event_buffer *record)
{
	const struct trace_trigger_command *command = trigger->command;

	if (command->useful && !command->useful(file->tr, trigger->data))
		return false;
	if (atomic_long_read(&trigger->count) != TRACE_TRIGGER_UNLIMITED &&
	    atomic_long_dec_if_positive(&trigger->count) < 0)
		return false;
	command->run(file->tr, trigger->data, record);
	return true;
}

/**
 * trace_triggers_before - run triggers that do not need the record
 * @file: the event in the instance
 *
 * Context: any, NMI and idle included; preemption off.
 */
void trace_triggers_before(struct trace_event_file *file)
{
	struct trace_trigger *trigger;

	list_for_each_entry_rcu(trigger, &file->triggers, list, true) {
		/* The flags may be older than a trigger that was just added or removed. */
		if (!trigger->filter && trigger->command->before)
			trigger_run(file, trigger, NULL);
	}
}

/**
 * trace_triggers_record - run triggers with a complete record
 * @file: the event in the instance
 * @record: the record
 *
 * Context: any, NMI and idle included; preemption off.
 * Return: the triggers that act after the record was recorded: a bit for each command, for
 * trace_triggers_after(). An event has one trigger of each of these.
 */
unsigned long trace_triggers_record(struct trace_event_file *file,
				    const struct trace_event_buffer *record)
{
	struct trace_trigger *trigger;
	unsigned long after = 0;

	list_for_each_entry_rcu(trigger, &file->triggers, list, true) {
		if (trigger->filter && !trace_filter_allows(trigger->filter, record->entry))
			continue;
		if (trigger->command->after)
			after |= BIT(trigger->command - trace_trigger_commands);
		else
			trigger_run(file, trigger, record);
	}
	return after;
}

/**
 * trace_triggers_after - run triggers that act after a record was recorded
 * @file: the event in the instance
 * @record: the record; its data may be overwritten already
 * @which: from trace_triggers_record()
 *
 * Context: any, NMI and idle included; preemption off.
 * Return: the bits of @which whose triggers have acted, for trace_triggers_wait().
 */
unsigned long trace_triggers_after(struct trace_event_file *file,
				   const struct trace_event_buffer *record, unsigned long which)
{
	struct trace_trigger *trigger;
	unsigned long bit, ran = 0;

	list_for_each_entry_rcu(trigger, &file->triggers, list, true) {
		bit = BIT(trigger->command - trace_trigger_commands);
		if (which & bit && trigger_run(file, trigger, record))
			ran |= bit;
	}
	return ran;
}

/**
 * trace_triggers_wait - wait for the completion of triggers
 * @tr: the instance
 * @which: from trace_triggers_after()
 *
 * Context: may sleep.
 */
void trace_triggers_wait(struct trace_array *tr, unsigned long which)
{
	unsigned int nr;

	for_each_set_bit(nr, &which, BITS_PER_LONG) {
		if (trace_trigger_commands[nr].wait)
			trace_trigger_commands[nr].wait(tr);
	}
}
