// SPDX-License-Identifier: GPL-2.0
/*
 * Which ops may want the same site.
 *
 * Most may. But where a function goes on can be changed by one ops only
 * (FTRACE_OPS_FL_IPMODIFY). Such an ops names its sites one by one: it has a list,
 * and no exceptions.
 */
#include "internal.h"

/* Of each of these kinds a site has one ops at most. */
#define ALONE	FTRACE_OPS_FL_IPMODIFY

/* Do both want a site that is there? @list is a list of sites. */
static bool overlap(const struct ftrace_filter *list, const struct ftrace_filter *other)
{
	unsigned long i;

	for (i = 0; i < list->only->nr; i++) {
		unsigned long ip = list->only->ip[i];

		if (ftrace_filter_wants(list, ip) && ftrace_filter_wants(other, ip) &&
		    ftrace_location_range(ip, ip))
			return true;
	}
	return false;
}

/**
 * ftrace_may_share - can an ops have these sites beside those who are registered?
 * @ops: the ops
 * @now: the sites that it is to have
 *
 * Context: process context, ftrace_lock held.
 * Return: 0; -EINVAL if such an ops cannot have such a filter; -EBUSY if it wants a
 * site for itself that is another one's.
 */
int ftrace_may_share(const struct ftrace_ops *ops, const struct ftrace_filter *now)
{
	const struct ftrace_ops *other;

	if (!(ops->flags & ALONE))
		return 0;
	if (!now->only || now->except)
		return -EINVAL;
	list_for_each_entry(other, &ftrace_ops_list, list)
		if (other != ops && (other->flags & ops->flags & ALONE) &&
		    overlap(now, ftrace_ops_filter(other)))
			return -EBUSY;
	return 0;
}
