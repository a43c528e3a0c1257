// SPDX-License-Identifier: GPL-2.0
/*
 * Which ops may want the same site.
 *
 * Most may. But a site has one trampoline at most that is called directly, and one
 * ops at most that may change where the function goes on (FTRACE_OPS_FL_IPMODIFY). If
 * it is to have both, then the owner of the trampoline must agree: ftrace_ops.ops_func().
 *
 * Ops of either kind name their sites one by one: they have a list of them.
 */
#include "dispatch.h"
#include "registry.h"
#include "set.h"
#include "state.h"

/**
 * ftrace_share_site - would an ops come to a site that another one wants?
 * @ops: the ops
 * @was: the sites that it has; NULL: none
 * @now: those that it is to have; a list
 * @other: the other one
 *
 * Context: process context, ftrace_lock held.
 * Return: true if there is such a site that can be traced.
 */
bool ftrace_share_site(const struct ftrace_ops *ops, const struct ftrace_filter *was,
		       const struct ftrace_filter *now, const struct ftrace_ops *other)
{
	/* Who shares the filter comes along. */
	const struct ftrace_filter *theirs = other->filter == ops->filter ? now :
					     ftrace_ops_filter(other);
	unsigned long i;

	for (i = 0; i < now->only->nr; i++) {
		unsigned long ip = now->only->ip[i];

		if (ftrace_filter_wants(now, ip) && !ftrace_filter_wants(was, ip) &&
		    ftrace_filter_wants(theirs, ip) && ftrace_location_range(ip, ip))
			return true;
	}
	return false;
}

static int check_filter(const struct ftrace_ops *ops, const struct ftrace_filter *now)
{
	/* Nobody would be asked about what a module brings. */
	if (!now->only || now->only->deferred)
		return -EINVAL;
	if ((ops->flags & FTRACE_OPS_FL_IPMODIFY) && now->except)
		return -EINVAL;
	return 0;
}

/* May @ops have a site of @other's? Both are of those kinds. */
static int check_pair(struct ftrace_ops *ops, const struct ftrace_ops *other, bool asked)
{
	if (ops->flags & other->flags & FTRACE_OPS_FL_MODIFIES)
		return -EBUSY;
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY)
		return asked ? 0 : -EBUSY;
	if (!ops->ops_func)
		return -EBUSY;
	return ops->ops_func(ops, FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF);
}

/**
 * ftrace_may_share - can an ops have these sites beside those who are registered?
 * @ops: the ops
 * @was: the sites that it has, about which nobody needs to be asked again; NULL: none
 * @now: those that it is to have
 * @asked: the owners of trampolines that these sites call have agreed
 *
 * Context: process context, ftrace_lock held.
 * Return: 0; -EINVAL if such an ops cannot have such a filter; -EBUSY if a site is
 * somebody else's alone; or what the owner of a trampoline said.
 */
int ftrace_may_share(struct ftrace_ops *ops, const struct ftrace_filter *was,
		     const struct ftrace_filter *now, bool asked)
{
	const struct ftrace_ops *other;
	int err;

	if (!(ops->flags & FTRACE_OPS_FL_MODIFIES))
		return 0;
	err = check_filter(ops, now);
	if (err)
		return err;
	list_for_each_entry(other, &ftrace_ops_list, list) {
		if (other == ops || !(other->flags & FTRACE_OPS_FL_MODIFIES))
			continue;
		if (!ftrace_share_site(ops, was, now, other))
			continue;
		err = check_pair(ops, other, asked);
		if (err)
			return err;
	}
	return 0;
}
