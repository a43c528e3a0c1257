// SPDX-License-Identifier: GPL-2.0
/*
 * kernel.ftrace_enabled: with 0, no site calls any ops, and an ops that is registered is not called
 * yet; with 1, all registered ops are called again.
 */
#include <linux/init.h>
#include <linux/sysctl.h>

#include "dispatch.h"
#include "set.h"
#include "state.h"
#include "update.h"

static int switch_ops(struct ftrace_ops *ops, bool on)
{
	const struct ftrace_filter *filter = ftrace_ops_filter(ops);

	return ftrace_update(ops, on ? NULL : filter, on ? filter : NULL);
}

static bool must_stay_on(void)
{
	struct ftrace_ops *ops;

	list_for_each_entry(ops, &ftrace_ops_list, list) {
		if (ops->flags & FTRACE_OPS_FL_PERMANENT)
			return true;
	}
	return false;
}

/* Switch all ops, or none if one fails. Updates patch sites only while ftrace_is_on is true. */
static int switch_all(bool on)
{
	struct ftrace_ops *ops;
	int err;

	if (!on && must_stay_on())
		return -EBUSY;
	ftrace_is_on = true;
	/* Switch ops in the order of registration, as the last one is called first. */
	list_for_each_entry_reverse(ops, &ftrace_ops_list, list) {
		err = switch_ops(ops, on);
		if (err)
			goto put_back;
	}
	ftrace_is_on = on;
	ftrace_opset_reap();
	return 0;

put_back:
	list_for_each_entry_continue(ops, &ftrace_ops_list, list)
		switch_ops(ops, !on);
	ftrace_is_on = !on;
	ftrace_opset_reap();
	return err;
}

static int enabled_handler(const struct ctl_table *table, int write, void *buffer,
			   size_t *lenp, loff_t *ppos)
{
	static int enabled = 1;	/* the number that was written; any but 0 means on */
	int value, err;
	struct ctl_table number = { .data = &value, .maxlen = sizeof(value) };

	guard(mutex)(&ftrace_lock);
	if (ftrace_dead())
		return -ENODEV;
	value = enabled;
	err = proc_dointvec(&number, write, buffer, lenp, ppos);
	if (!err && write && !value == ftrace_is_on)
		err = switch_all(value);
	if (!err)
		enabled = value;
	return err;
}

static struct ctl_table ftrace_sysctls[] = {
	{
		.procname	= "ftrace_enabled",
		.maxlen		= sizeof(int),
		.mode		= 0644,
		.proc_handler	= enabled_handler,
	},
};

static int __init ftrace_sysctl_init(void)
{
	register_sysctl_init("kernel", ftrace_sysctls);
	return 0;
}
late_initcall(ftrace_sysctl_init);
