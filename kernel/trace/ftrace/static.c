// SPDX-License-Identifier: GPL-2.0
/*
 * Function tracing with call sites that are always on: there is nothing to patch,
 * and no choice of functions.
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
 * ftrace_update - have an ops called, or not called any more
 * @ops: the ops
 * @was: was it called? NULL: no
 * @now: shall it be called? NULL: no
 *
 * Context: process context or early boot, ftrace_lock held.
 * Return: 0.
 */
int ftrace_update(struct ftrace_ops *ops, const struct ftrace_filter *was,
		  const struct ftrace_filter *now)
{
	/* Switching on brings all of them back. */
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
 * ftrace_nr_sites - how many sites there are, at most
 *
 * Nobody has listed them, but none is without a symbol.
 * Context: process context, may sleep.
 * Return: that, without those of modules.
 */
unsigned long ftrace_nr_sites(void)
{
	unsigned long nr = 0;

	kallsyms_on_each_symbol(count_text, &nr);
	return nr;
}

/**
 * ftrace_ops_set_global_filter - nothing: all functions are traced for every ops
 * @ops: the ops
 *
 * Context: any.
 */
void ftrace_ops_set_global_filter(struct ftrace_ops *ops)
{
}
EXPORT_SYMBOL_GPL(ftrace_ops_set_global_filter);
