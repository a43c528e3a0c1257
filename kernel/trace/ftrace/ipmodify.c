// SPDX-License-Identifier: GPL-2.0
/*
 * The rules about ops that want the same site.
 *
 * Most ops may. But a site has at most one trampoline that is called directly, and at most one ops
 * that may change where the function goes on (FTRACE_OPS_FL_IPMODIFY). For a site to have both, the
 * owner of the trampoline must agree: ftrace_ops.ops_func().
 *
 * An ops of either kind must have a list of sites: its filter cannot select all functions.
 */
#include "dispatch.h"
#include "registry.h"
#include "set.h"
#include "state.h"

/**
 * ftrace_share_site - would an ops get a site that another ops wants?
 * @ops: the ops
 * @was: the sites that it has; NULL: none
 * @now: the sites that it is to have; a list
 * @other: the other ops
 *
 * Context: process context, ftrace_lock held.
 * Return: true if there is such a site and it can be traced.
 */
bool ftrace_share_site(const struct ftrace_ops *ops, const struct ftrace_filter *was,
		       const struct ftrace_filter *now, const struct ftrace_ops *other)
{
	/* An ops that shares the filter gets the new sites, too. */
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
	/* A module that is loaded later would add sites, and no owner would be asked. */
	if (!now->only || now->only->deferred)
		return -EINVAL;
	if ((ops->flags & FTRACE_OPS_FL_IPMODIFY) && now->except)
		return -EINVAL;
	return 0;
}

/* May @ops have a site that @other wants? Both have a flag of FTRACE_OPS_FL_MODIFIES. */
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
 * ftrace_may_share - may an ops have these sites beside the ops that are registered?
 * @ops: the ops
 * @was: the sites that it has, for which no owner is asked again; NULL: none
 * @now: the sites that it is to have
 * @asked: the owners of the trampolines that these sites call have agreed
 *
 * Context: process context, ftrace_lock held.
 * Return: 0; -EINVAL if an ops of this kind cannot have such a filter; -EBUSY if another ops does
 * not share a site; or what the owner of a trampoline returned.
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
