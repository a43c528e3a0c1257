// SPDX-License-Identifier: GPL-2.0
/*
 * Function tracing with call sites that are always on: nothing is patched, and functions cannot be
 * selected.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "dispatch.h"
#include "ftrace.h"
#include "set.h"
#include "state.h"
#include "update.h"

struct ftrace_ops ftrace_global_ops;

/**
 * ftrace_update - begin or stop calling an ops
 * @ops: the ops
 * @was: not NULL if it was called before
 * @now: not NULL if it is to be called
 *
 * Context: process context or early boot, ftrace_lock held.
 * Return: 0.
 */
int ftrace_update(struct ftrace_ops *ops, const struct ftrace_filter *was,
		  const struct ftrace_filter *now)
{
	/* While ftrace is off, do nothing: switching it on adds all registered ops. */
	if (ftrace_is_on)
		ftrace_oplist_change(ops, now);
	return 0;
}

static int count_text(void *nr, const char *name, unsigned long addr)
{
	*(unsigned long *)nr += core_kernel_text(addr);
	return 0;
}

/**
 * ftrace_nr_sites - count call sites, at most
 *
 * There is no list of them, but each belongs to a symbol, and symbols are counted.
 *
 * Context: process context, may sleep.
 * Return: an upper bound of the number of sites in the kernel; modules do not count.
 */
unsigned long ftrace_nr_sites(void)
{
	unsigned long nr = 0;

	kallsyms_on_each_symbol(count_text, &nr);
	return nr;
}

/**
 * ftrace_ops_set_global_filter - do nothing: without filters, every ops gets all functions
 * @ops: the ops
 *
 * Context: any.
 */
void ftrace_ops_set_global_filter(struct ftrace_ops *ops)
{
}
EXPORT_SYMBOL_GPL(ftrace_ops_set_global_filter);
