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
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "dispatch.h"
#include "graph.h"
#include "set.h"
#include "state.h"

struct ftrace_ops ftrace_graph_select_ops;

/* The copies, by enum ftrace_filter_side. Written with ftrace_lock held. */
struct ftrace_graph_set *ftrace_graph_sets[2] __read_mostly;

static int copy_set(const struct ftrace_set *set, struct ftrace_graph_set **copy)
{
	*copy = NULL;
	if (!set)
		return 0;
	*copy = kvmalloc(struct_size(*copy, ip, set->nr), GFP_KERNEL);
	if (!*copy)
		return -ENOMEM;
	(*copy)->first = set->nr ? set->ip[0] : 0;
	(*copy)->last = set->nr ? set->ip[set->nr - 1] : 0;
	(*copy)->nr = set->nr;
	memcpy((*copy)->ip, set->ip, array_size(set->nr, sizeof(*set->ip)));
	return 0;
}

static int replace_set(enum ftrace_filter_side side, struct ftrace_graph_set **old)
{
	struct ftrace_filter *filter = ftrace_graph_select_ops.filter;
	struct ftrace_graph_set *copy;
	int err;

	err = copy_set(filter ? *ftrace_filter_set(filter, side) : NULL, &copy);
	if (err)
		return err;
	*old = ftrace_graph_sets[side];
	/* What the set holds is there before it can be found. */
	smp_store_release(&ftrace_graph_sets[side], copy);
	return 0;
}

/*
 * Who searches meanwhile finds other addresses as before: those in the set only become
 * smaller, the first ones first, so it is in order all the time.
 */
static void forget_range(struct ftrace_graph_set *set, unsigned long start, unsigned long end)
{
	unsigned long i, before = 0;

	for (i = 0; i < set->nr && set->ip[i] < end; i++) {
		if (set->ip[i] >= start)
			WRITE_ONCE(set->ip[i], before);
		before = set->ip[i];
	}
}

/**
 * ftrace_graph_forget - text goes away, with what the files hold of it
 * @start: its first address
 * @end: the first address behind it
 *
 * Context: ftrace_lock held.
 */
void ftrace_graph_forget(unsigned long start, unsigned long end)
{
	int side;

	for (side = 0; side < ARRAY_SIZE(ftrace_graph_sets); side++)
		if (ftrace_graph_sets[side])
			forget_range(ftrace_graph_sets[side], start, end);
}

/**
 * ftrace_graph_select - what the files hold comes into force
 *
 * Context: process context, may sleep; early boot.
 * Return: 0, or -ENOMEM with some sets as they were.
 */
int ftrace_graph_select(void)
{
	struct ftrace_graph_set *old[2] = {};
	int err;

	scoped_guard(mutex, &ftrace_lock)
		err = replace_set(FTRACE_FILTER, &old[0]) ?: replace_set(FTRACE_NOTRACE, &old[1]);
	if (old[0] || old[1])
		ftrace_synchronize();
	kvfree(old[0]);
	kvfree(old[1]);
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

/**
 * ftrace_graph_boot_select - select what the boot parameters say
 *
 * Context: early boot after ftrace_init().
 */
void __init ftrace_graph_boot_select(void)
{
	if (*boot_function)
		ftrace_set_early_filter(&ftrace_graph_select_ops, boot_function, true);
	if (*boot_notrace)
		ftrace_set_early_filter(&ftrace_graph_select_ops, boot_notrace, false);
	if (ftrace_graph_select())
		pr_warn("ftrace: no memory for the boot parameters of function graph\n");
}
