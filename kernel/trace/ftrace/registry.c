// SPDX-License-Identifier: GPL-2.0
/*
 * Adding an ops to the registered ones, and removing it. ops.c and direct.c ask owners of
 * trampolines before.
 */
#include <asm/sections.h>

#include "dispatch.h"
#include "registry.h"
#include "set.h"
#include "state.h"
#include "update.h"

/*
 * Refuse flags that cannot be provided: no supported architecture saves a full pt_regs at a
 * function's entry, and sites made with -pg have no registers that can be changed.
 */
static int check_flags(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	if ((ops->flags & FTRACE_OPS_FL_SAVE_REGS) &&
	    !(ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED))
		return -EINVAL;
	if ((ops->flags & FTRACE_OPS_FL_IPMODIFY) && !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS))
		return -EINVAL;
	if ((ops->flags & FTRACE_OPS_FL_PERMANENT) && !ftrace_is_on)
		return -EBUSY;
	return ops->func ? 0 : -EINVAL;
}

/**
 * ftrace_may_register - could an ops be registered now?
 * @ops: the ops. If it may change where functions go on, the owners of trampolines that its sites
 *	call are assumed to agree
 *
 * Context: process context, may sleep, ftrace_lock held.
 * Return: 0, or an error of register_ftrace_function(). Memory and patching may still fail.
 */
int ftrace_may_register(struct ftrace_ops *ops)
{
	return check_flags(ops) ?: ftrace_may_share(ops, NULL, ftrace_ops_filter(ops), true);
}

static int register_ops(struct ftrace_ops *ops)
{
	int err = ftrace_may_register(ops);

	if (err)
		return err;
	if (!is_kernel_core_data((unsigned long)ops))
		ops->flags |= FTRACE_OPS_FL_DYNAMIC;
	err = ftrace_update(ops, NULL, ftrace_ops_filter(ops));
	if (!err) {
		ops->flags |= FTRACE_OPS_FL_ENABLED;
		list_add(&ops->list, &ftrace_ops_list);
	}
	ftrace_opset_reap();
	return err;
}

/**
 * ftrace_register - register_ftrace_function(), for any kind of ops
 * @ops: the ops; owners of trampolines have agreed, if @ops needs that
 *
 * Context: process context, may sleep; or early boot. ftrace_lock not held.
 * Return: as register_ftrace_function().
 */
int ftrace_register(struct ftrace_ops *ops)
{
	int err;

	scoped_guard(mutex, &ftrace_lock)
		err = register_ops(ops);
	/* If patching failed, sites that were patched before may have called the ops. */
	if (err && ftrace_dead())
		ftrace_opset_drain();
	return err;
}

/**
 * ftrace_unregister - unregister_ftrace_function(), for any kind of ops
 * @ops: the ops; the caller tells owners of trampolines
 *
 * Context: process context, may sleep; ftrace_lock not held.
 * Return: as unregister_ftrace_function().
 */
int ftrace_unregister(struct ftrace_ops *ops)
{
	int err;

	scoped_guard(mutex, &ftrace_lock) {
		if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
			return -EBUSY;
		err = ftrace_update(ops, ftrace_ops_filter(ops), NULL);
		ops->flags &= ~FTRACE_OPS_FL_ENABLED;
		list_del(&ops->list);
	}
	ftrace_opset_drain();
	return err;
}
