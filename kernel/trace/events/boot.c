// SPDX-License-Identifier: GPL-2.0
/*
 * Early boot: register the kernel's events, and switch on the events that the command line names:
 * trace_event=WORD,... and trace_instance=NAME,WORD,... Set triggers of the top instance:
 * trace_trigger=EVENT.TRIGGER,...
 */
#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "../core/instance.h"
#include "../lib/recursion.h"
#include "events.h"
#include "match.h"

/* All parameters of a name, joined by commas */
static char boot_events[COMMAND_LINE_SIZE] __initdata;
static char boot_triggers[COMMAND_LINE_SIZE] __initdata;

static int __init boot_list_add(char *list, const char *name, const char *text)
{
	size_t used = strlen(list), room = COMMAND_LINE_SIZE - used;

	if (snprintf(list + used, room, "%s%s", used ? "," : "", text) >= room) {
		list[used] = '\0';
		pr_warn("tracing: %s=%s: too long\n", name, text);
	}
	return 1;
}

static int __init boot_events_setup(char *text)
{
	return boot_list_add(boot_events, "trace_event", text);
}
__setup("trace_event=", boot_events_setup);

static int __init boot_triggers_setup(char *text)
{
	return boot_list_add(boot_triggers, "trace_trigger", text);
}
__setup("trace_trigger=", boot_triggers_setup);

static void __init boot_events_set(struct trace_array *tr, char *words)
{
	char *word;

	while ((word = strsep(&words, ","))) {
		if (*word && trace_events_set_word(tr, word, true))
			pr_warn("Failed to enable trace event: %s\n", word);
	}
}

static int __init boot_trigger_set_one(struct trace_event_call *call, const char *trigger)
{
	struct trace_event_file *file = trace_event_file_get(trace_top, call);
	char *copy __free(kfree) = kstrdup(trigger, GFP_KERNEL);

	if (IS_ERR(file))
		return PTR_ERR(file);
	return copy ? trace_event_file_do_trigger(file, copy) : -ENOMEM;
}

/* Set a trigger of all events of a name. Several systems may have one. */
static void __init boot_trigger_set(const char *event, const char *trigger)
{
	struct trace_event_call *call;
	bool found = false;

	guard(mutex)(&trace_event_mutex);
	list_for_each_entry(call, &trace_event_calls, list) {
		if (strcmp(trace_event_name(call), event))
			continue;
		found = true;
		if (boot_trigger_set_one(call, trigger))
			pr_warn("Failed to register trigger '%s' on event %s\n", trigger, event);
	}
	if (!found)
		pr_warn("tracing: trace_trigger=%s.%s: no such event\n", event, trigger);
}

static void __init boot_triggers_set(char *list)
{
	char *trigger, *event;

	while ((trigger = strsep(&list, ","))) {
		event = strsep(&trigger, ".");
		if (trigger)
			boot_trigger_set(event, trigger);
		else if (*event)
			pr_warn("tracing: trace_trigger=%s: no trigger\n", event);
	}
}

/**
 * trace_init - begin to record trace events
 *
 * Context: boot, when the scheduler and RCU work, before all initcalls.
 */
void __init trace_init(void)
{
	unsigned long taken;

	if (!trace_top || trace_event_instances_init())
		return;
	/*
	 * Interrupts are off. A trace of the boot need not show the functions that are called here.
	 */
	taken = trace_recursion_block();
	trace_events_register();
	trace_recursion_unblock(taken);
	boot_events_set(trace_top, boot_events);
	boot_triggers_set(boot_triggers);
	trace_instance_boot_events(boot_events_set);
}
