// SPDX-License-Identifier: GPL-2.0
/*
 * Option trace_printk_dest: the instance that trace_printk() records in.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/trace.h>

#include "instance.h"
#include "internal.h"
#include "saved_cmdlines.h"

/**
 * trace_printk_goes_to - does trace_printk() record in this instance?
 * @tr: the instance
 *
 * Context: any.
 * Return: true if it does.
 */
bool trace_printk_goes_to(const struct trace_array *tr)
{
	return tr == trace_printk_dest_array();
}

/**
 * trace_printk_leave - keep trace_printk() from recording in an instance
 * @tr: the instance; if trace_printk() records in it, it records in the top one after this
 *
 * Context: may sleep.
 */
void trace_printk_leave(struct trace_array *tr)
{
	if (cmpxchg(&trace_printk_dest, tr, NULL) == tr)
		trace_synchronize();
}

/**
 * option_printk_dest - the change() of the option trace_printk_dest
 * @tr: the instance
 * @on: true: trace_printk() records in @tr; false: it records in the top instance
 *
 * Context: may sleep, tr->lock held.
 * Return: 0; -EINVAL for false in the top instance; -ENOMEM or -EBUSY if the buffer cannot be
 * expanded.
 */
int option_printk_dest(struct trace_array *tr, bool on)
{
	int err = 0;

	if (on) {
		if (tr != trace_top)
			err = trace_array_expand(tr);
		if (!err && xchg(&trace_printk_dest, tr == trace_top ? NULL : tr))
			trace_synchronize();
		return err;
	}
	if (tr == trace_top)
		return -EINVAL;
	trace_printk_leave(tr);
	return 0;
}

/**
 * trace_array_init_printk - prepare an instance for trace_array_printk()
 * @tr: the instance, whose buffer is expanded
 *
 * From now on the names of tasks that record are remembered.
 *
 * Context: may sleep.
 * Return: 0; -ENOENT if @tr is NULL; -EINVAL for the top instance; -ENOMEM; -EBUSY if the buffer
 * cannot be expanded because it is mapped or being read.
 */
int trace_array_init_printk(struct trace_array *tr)
{
	static bool names;

	if (!tr)
		return -ENOENT;
	if (tr == trace_top)
		return -EINVAL;
	if (!xchg(&names, true))
		trace_comm_record_start();
	guard(mutex)(&tr->lock);
	return trace_array_expand(tr);
}
EXPORT_SYMBOL_GPL(trace_array_init_printk);
