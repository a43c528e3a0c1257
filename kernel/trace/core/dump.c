// SPDX-License-Identifier: GPL-2.0
/*
 * Dumping the trace to the console when the kernel is in trouble: when it is done, and for which
 * buffers. output/ prints.
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "dump.h"
#include "instance.h"
#include "internal.h"

/*
 * kernel.ftrace_dump_on_oops: a list, separated by commas, of
 *
 *	0		nothing
 *	1, 2, orig_cpu	the top instance: all of it, or only what this CPU recorded
 *	NAME, NAME=2	the same for another instance
 */
char ftrace_dump_on_oops[MAX_TRACER_SIZE] = "0";

void (*trace_dump_hook)(struct trace_array *tr, int cpu);

/*
 * Recording is switched off first, so that the entries that led to the trouble are not overwritten.
 * Others may switch it on again meanwhile. Recording is also stopped: otherwise printing would be
 * recorded, too, and never end.
 */
static void dump_array(struct trace_array *tr, bool this_cpu)
{
	if (!tr || !trace_dump_hook)
		return;
	ring_buffer_record_off(tr->array_buffer.buffer);
	trace_array_stop(tr);
	trace_dump_hook(tr, this_cpu ? raw_smp_processor_id() : RING_BUFFER_ALL_CPUS);
	trace_array_start(tr);
}

static bool means_this_cpu(const char *text)
{
	return text && (!strcmp(text, "2") || !strcmp(text, "orig_cpu"));
}

static void dump_word(char *word)
{
	char *name = strsep(&word, "=");

	if (!strcmp(name, "0") || !*name)
		return;
	if (!strcmp(name, "1") || means_this_cpu(name))
		dump_array(trace_top, means_this_cpu(name));
	else
		dump_array(trace_array_find(name), means_this_cpu(word));
}

static void dump_words(void)
{
	char text[sizeof(ftrace_dump_on_oops)], *rest = text, *word;

	/* Do not take trace_registry_lock: its owner may never release it. */
	guard(rcu)();
	strscpy(text, ftrace_dump_on_oops, sizeof(text));
	while ((word = strsep(&rest, ",")))
		dump_word(word);
}

/**
 * ftrace_dump - print the trace to the console
 * @mode: all of the top instance's buffer, only the entries of this CPU, or the buffers that
 *	kernel.ftrace_dump_on_oops lists
 *
 * Switches recording in the printed buffers off for good. If it is switched on again meanwhile,
 * recording continues when printing has ended. While one CPU prints, other CPUs return at once.
 *
 * Context: any.
 */
void ftrace_dump(enum ftrace_dump_mode mode)
{
	static atomic_t busy;

	if (atomic_xchg(&busy, 1))
		return;
	if (mode == DUMP_PARAM)
		dump_words();
	else if (mode != DUMP_NONE)
		dump_array(trace_top, mode == DUMP_ORIG);
	atomic_set(&busy, 0);
}
EXPORT_SYMBOL_GPL(ftrace_dump);

static int dump_on_panic(struct notifier_block *self, unsigned long event, void *data)
{
	if (strcmp(ftrace_dump_on_oops, "0"))
		ftrace_dump(DUMP_PARAM);
	return NOTIFY_DONE;
}

static int dump_on_die(struct notifier_block *self, unsigned long event, void *data)
{
	return event == DIE_OOPS ? dump_on_panic(self, event, data) : NOTIFY_DONE;
}

/* Run before other notifiers, which may reboot. */
static struct notifier_block dump_panic_block = {
	.notifier_call	= dump_on_panic,
	.priority	= INT_MAX - 1,
};

static struct notifier_block dump_die_block = {
	.notifier_call	= dump_on_die,
	.priority	= INT_MAX - 1,
};

/* The parameter alone, or followed by a comma, means all of the top instance. */
static int __init dump_setup(char *text)
{
	if (*text && *text != '=' && *text != ',')
		return 0;
	if (*text == '=')
		strscpy(ftrace_dump_on_oops, text + 1, sizeof(ftrace_dump_on_oops));
	else
		snprintf(ftrace_dump_on_oops, sizeof(ftrace_dump_on_oops), "1%s", text);
	return 1;
}
__setup("ftrace_dump_on_oops", dump_setup);

static int __init dump_init(void)
{
	atomic_notifier_chain_register(&panic_notifier_list, &dump_panic_block);
	return register_die_notifier(&dump_die_block);
}
early_initcall(dump_init);
