// SPDX-License-Identifier: GPL-2.0
/*
 * struct ftrace_ops: who is registered.
 */
#include <linux/module.h>

#include <asm/sections.h>

#include "internal.h"

DEFINE_MUTEX(ftrace_lock);
LIST_HEAD(ftrace_ops_list);

DEFINE_PER_CPU(struct task_struct *, ftrace_pid_task);

/*
 * Neither architecture that we know saves a full pt_regs at a function's entry, and behind
 * the prologue there are no registers to be changed at all.
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
 * ftrace_may_register - could an ops be registered as things are?
 * @ops: the ops; if it may change where functions go on, the owners of trampolines that
 *	its sites call are taken to agree
 *
 * Context: process context, may sleep, ftrace_lock held.
 * Return: 0, or why not, as register_ftrace_function(). Memory and patching are another matter.
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
 * ftrace_register - register_ftrace_function(), for any ops
 * @ops: the ops; owners of trampolines have been asked, if it matters to them
 *
 * Context: process context, may sleep; or early boot. ftrace_lock not held.
 * Return: as register_ftrace_function().
 */
int ftrace_register(struct ftrace_ops *ops)
{
	int err;

	scoped_guard(mutex, &ftrace_lock)
		err = register_ops(ops);
	/* Where patching failed, sites before that one may have called it. */
	if (err && ftrace_dead())
		ftrace_opset_drain();
	return err;
}

/**
 * register_ftrace_function - have a callback called at the entry of functions
 * @ops: callback, flags, and (see ftrace_set_filter()) which functions
 *
 * Context: process context, may sleep; or early boot after ftrace_init().
 * Return: 0; -EBUSY if it is registered, must not share a site that somebody else
 * has, or must not be switched off while kernel.ftrace_enabled is 0; -EINVAL if it
 * wants what the architecture cannot give, or to change all functions; what the owner of
 * a direct call said that is to share a site with it; -ENOMEM; -ENODEV after a patching error.
 */
int register_ftrace_function(struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_IPMODIFY ? ftrace_register_modifier(ops) :
						     ftrace_register(ops);
}
EXPORT_SYMBOL_GPL(register_ftrace_function);

/**
 * ftrace_unregister - unregister_ftrace_function(), for any ops
 * @ops: the ops; to tell owners of trampolines is up to the caller
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

/**
 * unregister_ftrace_function - stop calling a callback
 * @ops: what was registered
 *
 * Nobody runs its callback any more when this returns, nor is on the way to where that
 * has sent it. The filter stays; see ftrace_free_filter().
 * Context: process context, may sleep.
 * Return: 0; -EBUSY if it is not registered; -ENODEV after a patching error.
 */
int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (!(ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return ftrace_unregister(ops);
	err = ftrace_unregister_modifier(ops);
	if (IS_ENABLED(CONFIG_PREEMPTION) && err != -EBUSY)
		synchronize_rcu_tasks();
	return err;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_function);

/**
 * ftrace_ops_set_func - give an ops another callback
 * @ops: registered or not; its flags suit both callbacks
 * @func: the callback
 *
 * The trampoline looks into the ops at each call, so that no call is missed. The new
 * callback sees what was stored before, and nobody runs the old one any more when this
 * returns.
 * Context: process context, may sleep; or early boot. Callers keep out of the way of
 * each other, and of those who register the ops.
 */
void ftrace_ops_set_func(struct ftrace_ops *ops, ftrace_func_t func)
{
	bool registered = ops->flags & FTRACE_OPS_FL_ENABLED;

	if (ops->func == func)
		return;
	if (registered)
		ftrace_synchronize();
	WRITE_ONCE(ops->func, func);
	if (registered)
		ftrace_synchronize();
}
