// SPDX-License-Identifier: GPL-2.0
/*
 * Direct calls: a site calls a trampoline that another subsystem, such as BPF, has made for the
 * arguments of the traced function.
 *
 * If only an ops with a direct call wants a site, the site calls the trampoline, provided that the
 * architecture's call reaches that far. Otherwise the site calls ftrace_caller, as for every ops.
 * The callback of this ops is called after all others, and makes ftrace_caller go on at the
 * trampoline.
 *
 * The trampoline finds the registers as if the site had called it, and goes on in the function. A
 * task can be preempted or sleep in a trampoline, so synchronize.c cannot wait for it. Tasks RCU
 * can: when each task has been switched voluntarily or has been in user space, no task is left in a
 * trampoline that no site calls any more, except for tasks that sleep there.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "dispatch.h"
#include "registry.h"
#include "set.h"
#include "state.h"
#include "update.h"

static void notrace call_direct_funcs(unsigned long ip, unsigned long parent_ip,
				      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	arch_ftrace_set_direct_caller(fregs, READ_ONCE(ops->direct_call));
}

/*
 * Some sites of @ops call trampolines. Tell the owners of these trampolines that @ops is going to
 * be registered, or was unregistered: all owners, or the owners before @end in the list. If an
 * owner does not agree to a registration, return its error, and set @end to this owner's ops. All
 * owners are told of an unregistration, even if one returns an error. The list may change while the
 * lock is released, but not the owners to be told: an ops that becomes a direct call or gets
 * another site needs ftrace_direct_lock.
 */
static int tell_owners(struct ftrace_ops *ops, enum ftrace_ops_cmd cmd, struct ftrace_ops **end)
{
	struct ftrace_ops *other;
	int err;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry(other, &ftrace_ops_list, list) {
		const struct ftrace_filter *filter = ftrace_ops_filter(ops);

		if (other == *end)
			break;
		if (!(other->flags & FTRACE_OPS_FL_DIRECT) || !filter->only ||
		    !ftrace_share_site(ops, NULL, filter, other))
			continue;
		mutex_unlock(&ftrace_lock);
		err = other->ops_func ? other->ops_func(other, cmd) : -EBUSY;
		mutex_lock(&ftrace_lock);
		if (err && cmd == FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER) {
			*end = other;
			return err;
		}
	}
	return 0;
}

/**
 * ftrace_register_modifier - register an ops that may change where functions go on
 * @ops: the ops
 *
 * Context: as register_ftrace_function().
 * Return: as register_ftrace_function(); or the error of an owner of a trampoline that a site of
 * @ops calls. After such an error, the owners that had agreed are told that @ops is not registered.
 */
int ftrace_register_modifier(struct ftrace_ops *ops)
{
	struct ftrace_ops *end = NULL;
	int err;

	guard(mutex)(&ftrace_direct_lock);
	/*
	 * First check everything else. If a check failed after owners had agreed, they would have
	 * to be told that the ops is not registered, and would end sharing for other ops, too.
	 */
	scoped_guard(mutex, &ftrace_lock)
		err = ftrace_may_register(ops);
	if (err)
		return err;
	err = tell_owners(ops, FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER, &end);
	err = err ?: ftrace_register(ops);
	if (err)
		tell_owners(ops, FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER, &end);
	return err;
}

/**
 * ftrace_unregister_modifier - undo ftrace_register_modifier()
 * @ops: the ops
 *
 * After that, tells the owners of trampolines that sites of @ops call.
 *
 * Context: process context, may sleep; ftrace_lock not held.
 * Return: as unregister_ftrace_function().
 */
int ftrace_unregister_modifier(struct ftrace_ops *ops)
{
	struct ftrace_ops *end = NULL;
	int err;

	guard(mutex)(&ftrace_direct_lock);
	err = ftrace_unregister(ops);
	if (err != -EBUSY)
		tell_owners(ops, FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER, &end);
	return err;
}

static bool has_list(const struct ftrace_ops *ops)
{
	const struct ftrace_filter *filter;

	guard(mutex)(&ftrace_lock);
	filter = ftrace_ops_filter(ops);
	return filter->only && filter->only->nr;
}

/* Flags of an ops that cannot become a direct call: it is registered, or may divert functions. */
#define NOT_DIRECT	(FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_IPMODIFY)

/**
 * register_ftrace_direct - have functions call a trampoline
 * @ops: has the list of sites, set by ftrace_set_filter() and the like, and no @func
 * @addr: address of the trampoline, which the caller provides
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if there is no trampoline, or if @ops is in use, has a callback, has no list
 * of sites, or may itself change where functions go on; -EBUSY if one of the sites calls another
 * trampoline, or has an ops that may change where the function goes on while @ops has no ops_func
 * to agree with that; what ops_func returned; -ENOMEM; -ENODEV after a patching error.
 */
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	int err;

	guard(mutex)(&ftrace_direct_lock);
	if (!addr || ops->func || (ops->flags & NOT_DIRECT) || !has_list(ops))
		return -EINVAL;
	ops->func = call_direct_funcs;
	ops->direct_call = addr;
	ops->flags |= FTRACE_OPS_FL_DIRECT;
	err = ftrace_register(ops);
	if (err) {
		ops->flags &= ~FTRACE_OPS_FL_DIRECT;
		ops->direct_call = 0;
		ops->func = NULL;
	}
	/*
	 * If patching failed, sites before the one that failed may have called the trampoline.
	 * Without preemption no task is left in it, as ftrace_register() has waited for all CPUs.
	 */
	if (err && ftrace_dead() && IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();
	return err;
}
EXPORT_SYMBOL_GPL(register_ftrace_direct);

/* Is @ops a direct call that is registered? Context: ftrace_direct_lock held. */
static bool is_direct(const struct ftrace_ops *ops)
{
	return (ops->flags & FTRACE_OPS_FL_DIRECT) && (ops->flags & FTRACE_OPS_FL_ENABLED);
}

/**
 * unregister_ftrace_direct - undo register_ftrace_direct()
 * @ops: the ops
 * @addr: address of the trampoline
 * @free_filters: true: also free the list of sites
 *
 * When this returns, no task is in the trampoline any more, except for tasks that sleep there.
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if @ops is not a direct call; -ENODEV after a patching error.
 */
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr, bool free_filters)
{
	int err;

	scoped_guard(mutex, &ftrace_direct_lock) {
		if (!is_direct(ops))
			return -EINVAL;
		err = ftrace_unregister(ops);
		ops->flags &= ~FTRACE_OPS_FL_DIRECT;
		ops->direct_call = 0;
		ops->func = NULL;
	}
	/* Without preemption no task is left there: ftrace_unregister() waited for all CPUs. */
	if (IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();
	if (free_filters)
		ftrace_free_filter(ops);
	return err;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_direct);

/**
 * modify_ftrace_direct_nolock - have functions call another trampoline
 * @ops: the ops of a direct call
 * @addr: address of the new trampoline
 *
 * No call is missed: each goes to the old trampoline or to the new one. When this returns, no new
 * call goes to the old one, but tasks may still be in it until tasks RCU has waited for them. An
 * ops_func that is asked to share a site calls this, as it runs with ftrace_direct_lock held.
 *
 * Context: process context, may sleep; ftrace_direct_lock held.
 * Return: 0; -EINVAL if @ops is not a direct call, or if there is no trampoline; -ENODEV after a
 * patching error, and then sites may have called both trampolines, and tasks may be in both.
 */
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr)
{
	lockdep_assert_held(&ftrace_direct_lock);
	if (!addr || !is_direct(ops))
		return -EINVAL;
	guard(mutex)(&ftrace_lock);
	return ftrace_update_direct(ops, addr);
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct_nolock);

/**
 * modify_ftrace_direct - modify_ftrace_direct_nolock() for callers that do not hold the lock
 * @ops: the ops of a direct call
 * @addr: address of the new trampoline
 *
 * Context: process context, may sleep; takes ftrace_direct_lock.
 * Return: as modify_ftrace_direct_nolock().
 */
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	guard(mutex)(&ftrace_direct_lock);
	return modify_ftrace_direct_nolock(ops, addr);
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct);
