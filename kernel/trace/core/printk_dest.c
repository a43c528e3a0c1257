// SPDX-License-Identifier: GPL-2.0
/*
 * Where trace_printk() records: option trace_printk_dest
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
 * Any context.
 *
 * Return: true, or false if in another one.
 */
bool trace_printk_goes_to(const struct trace_array *tr)
{
	return tr == trace_printk_dest_array();
}

/**
 * trace_printk_leave - have trace_printk() not record in an instance
 * @tr: the instance; if it was the destination, the top one is that afterwards
 *
 * May sleep.
 */
void trace_printk_leave(struct trace_array *tr)
{
	if (cmpxchg(&trace_printk_dest, tr, NULL) == tr)
		trace_synchronize();
}

/**
 * option_printk_dest - the change() of option trace_printk_dest
 * @tr: the instance
 * @on: trace_printk() is to record there; else in the top one
 *
 * It has to be on somewhere.
 *
 * Context: may sleep, tr->lock held.
 * Return: 0; -EINVAL to switch it off in the top instance; -ENOMEM or -EBUSY if the buffer
 * cannot have the size that it is to have in use.
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
 * trace_array_init_printk - get ready for trace_array_printk()
 * @tr: the instance; its buffer gets the size that it is to have in use
 *
 * From now on the names of tasks that record are remembered. May sleep.
 *
 * Return: 0; -ENOENT for no instance; -EINVAL for the top one; -ENOMEM; -EBUSY while its
 * buffer is mapped or read, and cannot get its size.
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
