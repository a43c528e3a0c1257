// SPDX-License-Identifier: GPL-2.0
/*
 * Visiting the sites that a change may affect, in order.
 *
 * If the ops wanted a list of sites before and wants a list now, only the sites on the lists are
 * visited. So a change of one function costs nothing for each site of the kernel.
 */
#include <linux/minmax.h>
#include <linux/sched.h>

#include "set.h"
#include "sites.h"
#include "update.h"

/* After this many sites, let other tasks run. */
#define SITES_AT_ONCE	1024

/* As ftrace_filter_wants(), with a look-up that goes on where the last one ended. */
static __always_inline bool is_wanted(struct ftrace_wanted *wanted, unsigned long ip)
{
	const struct ftrace_filter *filter = wanted->filter;

	if (!filter)
		return false;
	if (filter->only && !ftrace_set_has_next(filter->only, &wanted->only, ip))
		return false;
	return !filter->except || !ftrace_set_has_next(filter->except, &wanted->except, ip);
}

static __always_inline int visit_site(struct ftrace_change *c, struct ftrace_group *group,
				      struct dyn_ftrace *site)
{
	unsigned long ip = ftrace_site_ip(group, site);
	bool joins = is_wanted(&c->now, ip);

	if (is_wanted(&c->was, ip) == joins)
		return 0;
	return c->visit(c, group, site, joins);
}

static int visit_group(struct ftrace_change *c, struct ftrace_group *group)
{
	unsigned int i;
	int err = 0;

	if (!group->live)
		return 0;
	for (i = 0; i < group->nr && !err; i++) {
		err = visit_site(c, group, group->site + i);
		if (!(i % SITES_AT_ONCE))
			cond_resched();
	}
	return err;
}

/* Where a walk over a list is in the table of sites: the last site, and its group. */
struct ftrace_place {
	struct ftrace_group *group;
	struct dyn_ftrace *site;
};

/* Visit an address of a list. It is likely in the same group as the address before. */
static int visit_ip(struct ftrace_change *c, struct ftrace_place *at, unsigned long ip)
{
	struct dyn_ftrace *site;

	if (!at->group || ip < at->group->start || ip >= at->group->end) {
		at->group = ftrace_group_of(ip);
		at->site = at->group ? at->group->site : NULL;
	}
	if (!at->group || !at->group->live)
		return 0;
	site = ftrace_next_site(at->group, at->site, ip);
	if (!site)
		return 0;
	at->site = site;
	return visit_site(c, at->group, site);
}

/* The list of addresses that @wanted consists of; NULL if it is not a list. */
static const struct ftrace_set *wanted_list(const struct ftrace_wanted *wanted)
{
	static const struct ftrace_set none;

	return wanted->filter ? wanted->filter->only : &none;
}

/* Walk both lists in step, so that a site on both is visited once, and all are visited in order. */
static int visit_lists(struct ftrace_change *c)
{
	const struct ftrace_set *a = wanted_list(&c->was), *b = wanted_list(&c->now);
	struct ftrace_place at = { NULL };
	unsigned long i = 0, j = 0, ip;
	int err = 0;

	while (!err && (i < a->nr || j < b->nr)) {
		ip = min(i < a->nr ? a->ip[i] : ULONG_MAX, j < b->nr ? b->ip[j] : ULONG_MAX);
		i += i < a->nr && a->ip[i] == ip;
		j += j < b->nr && b->ip[j] == ip;
		err = visit_ip(c, &at, ip);
	}
	return err;
}

/**
 * ftrace_visit_sites - visit the sites that a change affects
 * @c: the change; calls its @visit for each of them
 * @only: the group to look at; NULL: all
 *
 * Context: ftrace_lock held.
 * Return: 0, or what @visit returned.
 */
int ftrace_visit_sites(struct ftrace_change *c, struct ftrace_group *only)
{
	struct ftrace_group *group;
	int err = 0;

	if (only)
		return visit_group(c, only);
	if (wanted_list(&c->was) && wanted_list(&c->now))
		return visit_lists(c);
	list_for_each_entry(group, &ftrace_groups, list) {
		err = visit_group(c, group);
		if (err)
			break;
	}
	return err;
}
