// SPDX-License-Identifier: GPL-2.0
/*
 * register_ftrace_function() and unregister_ftrace_function().
 */
#include <linux/export.h>
#include <linux/rcupdate.h>

#include "dispatch.h"
#include "registry.h"

/**
 * register_ftrace_function - have a callback called at the entry of functions
 * @ops: the callback, its flags, and (see ftrace_set_filter()) the functions
 *
 * Context: process context, may sleep; or early boot after ftrace_init().
 * Return: 0; -EBUSY if @ops is registered, or cannot share a site with another ops, or is permanent
 * while kernel.ftrace_enabled is 0; -EINVAL if the architecture does not support its flags, or if
 * it may change where functions go on and has no list of sites; the error of an owner
 * of a direct call that does not share a site with it; -ENOMEM; -ENODEV after a patching error.
 */
int register_ftrace_function(struct ftrace_ops *ops)
{
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) &&
	    ops->flags & FTRACE_OPS_FL_IPMODIFY)
		return ftrace_register_modifier(ops);
	return ftrace_register(ops);
}
EXPORT_SYMBOL_GPL(register_ftrace_function);

/**
 * unregister_ftrace_function - stop calling a callback
 * @ops: the ops, which was registered
 *
 * When this returns, no CPU runs the callback, and no task is in code to which the callback has
 * diverted a function. The filter is kept; see ftrace_free_filter().
 *
 * Context: process context, may sleep.
 * Return: 0; -EBUSY if it is not registered; -ENODEV after a patching error.
 */
int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (!(ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return ftrace_unregister(ops);
	err = IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) ?
	      ftrace_unregister_modifier(ops) : ftrace_unregister(ops);
	if (IS_ENABLED(CONFIG_PREEMPTION) && err != -EBUSY)
		synchronize_rcu_tasks();
	return err;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_function);

/**
 * ftrace_ops_set_func - replace the callback of an ops
 * @ops: the ops, registered or not; its flags suit both callbacks
 * @func: the new callback
 *
 * The trampoline loads the callback from the ops at each call, so no call is missed. The new
 * callback sees what was stored before this call. When this returns, no CPU runs the old one.
 *
 * Context: process context, may sleep; or early boot. The caller excludes other callers, and
 * registration of the ops.
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
