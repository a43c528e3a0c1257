// SPDX-License-Identifier: GPL-2.0
/*
 * Instances that the command line asks for, one for each
 *
 *	trace_instance=NAME[^FLAG...][@...][,EVENT...]
 */
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "instance.h"
#include "internal.h"

/* All trace_instance= parameters, each followed by a tab: a parameter contains no tab. */
static char boot_instances[COMMAND_LINE_SIZE] __initdata;

static int __init boot_instance_setup(char *text)
{
	size_t used = strlen(boot_instances), room = sizeof(boot_instances) - used;

	if (snprintf(boot_instances + used, room, "%s\t", text) >= room) {
		boot_instances[used] = '\0';
		pr_warn("tracing: trace_instance=%s: no room for so many\n", text);
	}
	return 1;
}
__setup("trace_instance=", boot_instance_setup);

static void __init boot_flag_apply(struct trace_array *tr, const char *flag)
{
	guard(mutex)(&tr->lock);
	if (!strcmp(flag, "traceoff"))
		trace_array_set_on(tr, false);
	else if (!strcmp(flag, "traceprintk") || !strcmp(flag, "trace_printk") ||
		 !strcmp(flag, "printk"))
		option_printk_dest(tr, true);
	else
		pr_warn("tracing: trace_instance=%s: there is no flag \"%s\"\n", tr->name, flag);
}

/* Names of events that wait until there are events. */
struct boot_words {
	struct list_head	list;
	struct trace_array	*tr;
	char			*words;
};

static LIST_HEAD(boot_words);

static void __init boot_words_keep(struct trace_array *tr, char *text)
{
	struct boot_words *words = kmalloc(sizeof(*words), GFP_KERNEL);

	if (!words) {
		pr_warn("tracing: trace_instance=%s: no memory for \"%s\"\n", tr->name, text);
		return;
	}
	words->tr = tr;
	words->words = text;
	list_add_tail(&words->list, &boot_words);
}

/**
 * trace_instance_boot_events - switch on the events that trace_instance= names
 * @set: called for each instance, with words separated by commas
 *
 * Context: boot, once.
 */
void __init trace_instance_boot_events(void (*set)(struct trace_array *tr, char *words))
{
	struct boot_words *words, *next;

	list_for_each_entry_safe(words, next, &boot_words, list) {
		set(words->tr, words->words);
		kfree(words);
	}
}

static void __init boot_instance_create(char *events)
{
	char *flags = strsep(&events, ",");
	char *name, *flag;
	struct trace_array *tr;

	/* Memory that outlives the kernel is not built. */
	if (strchr(flags, '@')) {
		pr_warn("tracing: trace_instance=%s: buffers at an address of their own are not supported\n",
			flags);
		return;
	}
	name = strsep(&flags, "^");
	tr = trace_array_create(name, NULL);
	if (IS_ERR(tr)) {
		pr_warn("tracing: trace_instance=%s: error %ld\n", name, PTR_ERR(tr));
		return;
	}
	while ((flag = strsep(&flags, "^")))
		boot_flag_apply(tr, flag);
	if (events)
		boot_words_keep(tr, events);
}

/**
 * trace_instance_boot - make the instances that the command line asks for
 *
 * Context: early boot, after the options of the top instance were set.
 */
void __init trace_instance_boot(void)
{
	char *rest = boot_instances, *text;

	guard(mutex)(&trace_registry_lock);
	while ((text = strsep(&rest, "\t"))) {
		if (*text)
			boot_instance_create(text);
	}
}
