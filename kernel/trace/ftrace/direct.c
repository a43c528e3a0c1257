// SPDX-License-Identifier: GPL-2.0
/*
 * Direct calls: trampolines of others, which know what the function's arguments are.
 *
 * Where only such an ops wants a site, the site calls the trampoline, if the
 * architecture's call reaches that far. Otherwise it calls ftrace_caller, as for
 * every ops, and this ops' callback, which is called after all others, tells that to
 * go on at the trampoline.
 *
 * The trampoline finds the registers as if the site had called it, and goes on in the
 * function. It is no business of synchronize.c: a task can be preempted, or sleep, in
 * there. But for who sleeps, nobody is left in a trampoline that no site calls any more
 * when each task has switched of its own accord, or been in user space: tasks RCU.
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
 * Tells the owners of trampolines which sites of @ops call that it comes or goes: all,
 * or those before @end. If one does not agree that it comes, returns that error, and in @end
 * where that was; that it goes is told to all, whatever one says. The list
 * may change meanwhile, but not who is to be asked: whoever becomes a direct call, or gets
 * another site, needs ftrace_direct_lock for that.
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
 * Context and return as register_ftrace_function(); or what the owner of a trampoline
 * that its sites call said, and then those who agreed know that it does not come.
 */
int ftrace_register_modifier(struct ftrace_ops *ops)
{
	struct ftrace_ops *end = NULL;
	int err;

	guard(mutex)(&ftrace_direct_lock);
	/* Owners do not count: to be told that it does not come would end what they share. */
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
 * The owners of trampolines that its sites call know afterwards that it is gone.
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

/* What a direct call cannot be: there already, or diverted by itself. */
#define NOT_DIRECT	(FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_IPMODIFY)

/**
 * register_ftrace_direct - have functions call a trampoline
 * @ops: whose sites, listed by ftrace_set_filter() and the like; without @func
 * @addr: the trampoline, which the caller provides
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if there is no trampoline, or @ops is in use, has a callback, no list
 * of sites, or may itself change where functions go on; -EBUSY if one of the sites calls
 * another trampoline, or has an ops that may change where the function goes on, and @ops
 * has no ops_func to agree with that; what that function said; -ENOMEM; -ENODEV after a
 * patching error.
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
	 * Where patching failed, sites before that one may have called the trampoline. Where
	 * nobody is preempted in there, ftrace_register() has waited for all.
	 */
	if (err && ftrace_dead() && IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();
	return err;
}
EXPORT_SYMBOL_GPL(register_ftrace_direct);

/* Is there such a direct call? Context: ftrace_direct_lock held. */
static bool is_direct(const struct ftrace_ops *ops)
{
	return (ops->flags & FTRACE_OPS_FL_DIRECT) && (ops->flags & FTRACE_OPS_FL_ENABLED);
}

/**
 * unregister_ftrace_direct - undo register_ftrace_direct()
 * @ops: the ops
 * @addr: the trampoline
 * @free_filters: the list of sites goes, too
 *
 * Nobody is in the trampoline any more when this returns, but for who sleeps there.
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if there is no such direct call; -ENODEV after a patching error.
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
	/* Where nobody is preempted in there, ftrace_unregister() has waited for all. */
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
 * @addr: the new trampoline
 *
 * No call is missed: each goes to the old trampoline or to the new one. When this
 * returns, no new call goes to the old one, which can be in use as long as tasks RCU
 * says. For owners who are being asked to share a site (ftrace_ops.ops_func).
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if there is no such direct call, or no trampoline; -ENODEV after a
 * patching error: then both trampolines may have been called, and be in use as long.
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
 * modify_ftrace_direct - modify_ftrace_direct_nolock(), for who is not being asked
 * @ops: the ops of a direct call
 * @addr: the new trampoline
 *
 * Context: process context, may sleep; takes the lock of direct calls.
 * Return: as modify_ftrace_direct_nolock().
 */
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	guard(mutex)(&ftrace_direct_lock);
	return modify_ftrace_direct_nolock(ops, addr);
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct);
