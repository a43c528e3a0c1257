// SPDX-License-Identifier: GPL-2.0
/*
 * set_graph_function and set_graph_notrace: calls of which functions are recorded with all
 * that they call, and of which neither they nor what they call.
 *
 * Unlike other sets these are looked at when functions are called, since what counts is
 * who the callers are. The files are those of an ops that is never registered, and who
 * calls looks at copies of its sets, which are replaced as a whole.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "internal.h"

struct ftrace_ops ftrace_graph_select_ops;

/* The copies, by enum ftrace_filter_side. Written with ftrace_lock held. */
struct ftrace_set *ftrace_graph_sets[2] __read_mostly;

static int copy_set(const struct ftrace_set *set, struct ftrace_set **copy)
{
	struct ftrace_set_builder b = {};
	int err;

	*copy = NULL;
	if (!set)
		return 0;
	err = ftrace_set_builder_load(&b, set);
	if (!err)
		*copy = ftrace_set_freeze(&b);
	ftrace_set_builder_free(&b);
	return *copy ? 0 : -ENOMEM;
}

static int replace_set(enum ftrace_filter_side side, struct ftrace_set **old)
{
	struct ftrace_filter *filter = ftrace_graph_select_ops.filter;
	struct ftrace_set *copy;
	int err;

	err = copy_set(filter ? *ftrace_filter_set(filter, side) : NULL, &copy);
	if (err)
		return err;
	*old = ftrace_graph_sets[side];
	/* What the set holds is there before it can be found. */
	smp_store_release(&ftrace_graph_sets[side], copy);
	return 0;
}

/**
 * ftrace_graph_select - what the files hold comes into force
 *
 * Context: process context, may sleep; early boot.
 * Return: 0, or -ENOMEM with some sets as they were.
 */
int ftrace_graph_select(void)
{
	struct ftrace_set *old[2] = {};
	int err;

	scoped_guard(mutex, &ftrace_lock)
		err = replace_set(FTRACE_FILTER, &old[0]) ?: replace_set(FTRACE_NOTRACE, &old[1]);
	if (old[0] || old[1])
		ftrace_synchronize();
	ftrace_set_free(old[0]);
	ftrace_set_free(old[1]);
	return err;
}

static char boot_function[COMMAND_LINE_SIZE] __initdata;
static char boot_notrace[COMMAND_LINE_SIZE] __initdata;

static int __init set_boot_function(char *text)
{
	strscpy(boot_function, text, sizeof(boot_function));
	return 1;
}
__setup("ftrace_graph_filter=", set_boot_function);

static int __init set_boot_notrace(char *text)
{
	strscpy(boot_notrace, text, sizeof(boot_notrace));
	return 1;
}
__setup("ftrace_graph_notrace=", set_boot_notrace);

/* What the boot parameters select. Context: early boot after ftrace_init(). */
void __init ftrace_graph_boot_select(void)
{
	if (*boot_function)
		ftrace_set_early_filter(&ftrace_graph_select_ops, boot_function, true);
	if (*boot_notrace)
		ftrace_set_early_filter(&ftrace_graph_select_ops, boot_notrace, false);
	if (ftrace_graph_select())
		pr_warn("ftrace: no memory for the boot parameters of function graph\n");
}
