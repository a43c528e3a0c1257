// SPDX-License-Identifier: GPL-2.0
/*
 * register_ftrace_function() and its opposite.
 */
#include <linux/export.h>
#include <linux/rcupdate.h>

#include "dispatch.h"
#include "registry.h"

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
