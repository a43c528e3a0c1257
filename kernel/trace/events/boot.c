// SPDX-License-Identifier: GPL-2.0
/*
 * Early boot: make the kernel's events known, and switch those on that the command line asks for:
 * trace_event=WORD,... and trace_instance=NAME,WORD,...
 */
#include <linux/cache.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "../core/instance.h"
#include "../lib/hide.h"
#include "events.h"

/* All trace_event= parameters, joined by commas. */
static char boot_events[COMMAND_LINE_SIZE] __initdata;

static int __init boot_events_setup(char *text)
{
	size_t used = strlen(boot_events), room = sizeof(boot_events) - used;

	if (snprintf(boot_events + used, room, "%s%s", used ? "," : "", text) >= room) {
		boot_events[used] = '\0';
		pr_warn("tracing: trace_event=%s: no room for so many\n", text);
	}
	return 1;
}
__setup("trace_event=", boot_events_setup);

static void __init boot_events_set(struct trace_array *tr, char *words)
{
	char *word, *copy;

	while ((word = strsep(&words, ","))) {
		if (!*word)
			continue;
		/* A word is modified when it is parsed. */
		copy = kstrdup(word, GFP_KERNEL);
		if (!copy || trace_events_set_word(tr, word))
			pr_warn("Failed to enable trace event: %s\n", copy ?: word);
		kfree(copy);
	}
}

/**
 * trace_init - begin to record trace events
 *
 * Context: boot, when the scheduler and RCU work, before all initcalls.
 */
void __init trace_init(void)
{
	unsigned long hidden;

	if (!trace_top || trace_event_instances_init())
		return;
	/* Interrupts are off. A trace of the boot is not to be full of what is called here. */
	hidden = trace_recursion_hide();
	trace_events_register();
	trace_recursion_show(hidden);
	boot_events_set(trace_top, boot_events);
	trace_instance_boot_events(boot_events_set);
}
