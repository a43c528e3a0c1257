// SPDX-License-Identifier: GPL-2.0
/*
 * set_graph_function: functions whose calls are recorded with all calls inside of them.
 * set_graph_notrace: functions whose calls are not recorded, nor the calls inside of them.
 *
 * Function graph looks into these sets at each call, since the result depends on the callers, too.
 * The files belong to an ops that is never registered. The callbacks look into copies of its sets,
 * and a change replaces a whole copy.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../lib/boot.h"
#include "dispatch.h"
#include "graph.h"
#include "set.h"
#include "state.h"

struct ftrace_ops ftrace_graph_select_ops;

/* The copies, indexed by enum ftrace_filter_side. Written with ftrace_lock held. */
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

static int graph_replace_set(enum ftrace_filter_side side, struct ftrace_graph_set **old)
{
	struct ftrace_filter *filter = ftrace_graph_select_ops.filter;
	struct ftrace_graph_set *copy;
	int err;

	err = copy_set(filter ? *ftrace_filter_set(filter, side) : NULL, &copy);
	if (err)
		return err;
	*old = ftrace_graph_sets[side];
	/* The release publishes the contents of the set. */
	smp_store_release(&ftrace_graph_sets[side], copy);
	return 0;
}

/*
 * Make the addresses in a range equal to their predecessor, first to last: so the array is
 * ascending at any moment, and a concurrent search for any other address gives the same result.
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
 * ftrace_graph_forget - remove functions of text that is about to be freed from both copies
 * @start: first address of the text
 * @end: one past its last address
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
 * ftrace_graph_select - make the files' contents take effect
 *
 * Context: process context, may sleep; early boot.
 * Return: 0; -ENOMEM, and then some sets are the old ones.
 */
int ftrace_graph_select(void)
{
	struct ftrace_graph_set *old[2] = {};
	int err;

	scoped_guard(mutex, &ftrace_lock)
		err = graph_replace_set(FTRACE_FILTER, &old[0]) ?:
		      graph_replace_set(FTRACE_NOTRACE, &old[1]);
	if (old[0] || old[1])
		ftrace_synchronize();
	kvfree(old[0]);
	kvfree(old[1]);
	return err;
}

TRACE_BOOT_TEXT("ftrace_graph_filter=", boot_graph_filter);
TRACE_BOOT_TEXT("ftrace_graph_notrace=", boot_graph_notrace);

/**
 * ftrace_graph_boot_select - select the functions that boot parameters name
 *
 * Context: early boot after ftrace_init().
 */
void __init ftrace_graph_boot_select(void)
{
	ftrace_set_early_filter(&ftrace_graph_select_ops, boot_graph_filter, true);
	ftrace_set_early_filter(&ftrace_graph_select_ops, boot_graph_notrace, false);
	if (ftrace_graph_select())
		pr_warn("ftrace: no memory for the boot parameters of function graph\n");
}
