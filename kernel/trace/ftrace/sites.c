// SPDX-License-Identifier: GPL-2.0
/*
 * The table of call sites.
 *
 * Every stretch of text has a group: its bounds, and an array of 8-byte records in address order.
 * A look-up finds the group (there are few) and bisects the array.
 *
 * Groups are added and removed under ftrace_lock. Look-ups from elsewhere, for instance from
 * kprobes, only take RCU; the arrays never move.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/pfn.h>
#include <linux/rculist.h>
#include <linux/string.h>

#include "set.h"
#include "sites.h"
#include "state.h"

LIST_HEAD(ftrace_groups);

unsigned int ftrace_text_gone;
unsigned int ftrace_modules_come;

/**
 * ftrace_group_of - find the group whose text holds an address
 * @ip: the address
 *
 * Context: ftrace_lock held or RCU.
 * Return: the group or NULL.
 */
struct ftrace_group *ftrace_group_of(unsigned long ip)
{
	struct ftrace_group *group;

	list_for_each_entry_rcu(group, &ftrace_groups, list, lockdep_is_held(&ftrace_lock))
		if (ip >= group->start && ip < group->end)
			return group;
	return NULL;
}

static __always_inline bool site_below(const void *group, unsigned long i, unsigned long ip)
{
	return ftrace_site_ip(group, ((const struct ftrace_group *)group)->site + i) < ip;
}

/**
 * ftrace_find_site - find the first site in a range
 * @group: where to look
 * @start: first address of the range
 * @end: last address of the range, inclusive
 *
 * Context: ftrace_lock held or RCU.
 * Return: the site or NULL.
 */
struct dyn_ftrace *ftrace_find_site(const struct ftrace_group *group, unsigned long start,
				    unsigned long end)
{
	unsigned long i = ftrace_search(group, 0, group->nr, start, site_below);

	if (i == group->nr || ftrace_site_ip(group, group->site + i) > end)
		return NULL;
	return (struct dyn_ftrace *)group->site + i;
}

/**
 * ftrace_next_site - find the site at an address, for callers that look up many in ascending order
 * @group: the group whose text the address is in
 * @from: the site that was found last, or the first one of @group
 * @ip: the address, not before @from
 *
 * Context: ftrace_lock held or RCU.
 * Return: the site or NULL.
 */
struct dyn_ftrace *ftrace_next_site(const struct ftrace_group *group,
				    const struct dyn_ftrace *from, unsigned long ip)
{
	unsigned long i = ftrace_search_from(group, group->nr, from - group->site, ip, site_below);

	return i < group->nr && ftrace_site_ip(group, group->site + i) == ip ?
	       (struct dyn_ftrace *)group->site + i : NULL;
}

/**
 * ftrace_location_range - find a call site between two addresses
 * @start: first address
 * @end: last address, inclusive
 *
 * Looks only in the stretch of text that @start is in.
 *
 * Context: any but NMI.
 * Return: address of the first site there; 0 if there is none.
 */
unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	const struct ftrace_group *group;
	const struct dyn_ftrace *site;

	guard(rcu)();
	group = ftrace_group_of(start);
	if (!group)
		return 0;
	site = ftrace_find_site(group, start, end);
	return site ? ftrace_site_ip(group, site) : 0;
}

/**
 * ftrace_location - find the call site at an address, or of the function at that address
 * @ip: a site, or the first byte of a function
 *
 * Context: any but NMI.
 * Return: address of the site; 0 if there is none.
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long site = ftrace_location_range(ip, ip);
	unsigned long size, offset;

	if (site || !kallsyms_lookup_size_offset(ip, &size, &offset) || offset)
		return site;
	return ftrace_location_range(ip, ip + min(size - 1, (unsigned long)FTRACE_SITE_MAX_OFFSET));
}

/* A name that is looked up, and the address of its function. */
struct wanted_function {
	const char *name;
	unsigned long addr;
};

static int take_function(void *data, unsigned long addr)
{
	struct wanted_function *f = data;

	if (!ftrace_location(addr))
		return 0;
	f->addr = addr;
	return 1;
}

static int take_module_function(void *data, const char *name, unsigned long addr)
{
	struct wanted_function *f = data;

	return strcmp(name, f->name) ? 0 : take_function(f, addr);
}

/**
 * ftrace_lookup_symbols - look up functions by name, all of which have to be traceable
 * @sorted_syms: the names
 * @cnt: number of names
 * @addrs: set to the addresses of the functions, in the same order
 *
 * Of several functions with the same name, the first one that can be traced is taken.
 *
 * Context: process context, may sleep.
 * Return: 0; -ESRCH if a name has no such function.
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		struct wanted_function f = { .name = sorted_syms[i] };

		kallsyms_on_each_match_symbol(take_function, f.name, &f);
		if (!f.addr)
			module_kallsyms_on_each_symbol(NULL, take_module_function, &f);
		if (!f.addr)
			return -ESRCH;
		addrs[i] = f.addr;
	}
	return 0;
}

/**
 * is_ftrace_trampoline - is this code that ftrace has generated at run time?
 * @addr: address of the code
 *
 * Context: any.
 * Return: false, since ftrace generates no code.
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	return false;
}

/**
 * ftrace_total_info - count the sites and the memory that they take
 * @sites: set to the number of sites
 * @pages: set to the number of pages that the records take
 * @groups: set to the number of groups
 *
 * Context: process context, may sleep.
 */
void ftrace_total_info(unsigned long *sites, unsigned long *pages, unsigned long *groups)
{
	const struct ftrace_group *group;

	*sites = *pages = *groups = 0;
	guard(mutex)(&ftrace_lock);
	list_for_each_entry(group, &ftrace_groups, list) {
		*sites += group->nr;
		*pages += PFN_UP(group->nr * sizeof(*group->site));
		++*groups;
	}
}

/**
 * ftrace_nr_sites - count the sites
 *
 * Context: process context, may sleep; or early boot. ftrace_lock not held.
 * Return: number of sites, including those of modules.
 */
unsigned long ftrace_nr_sites(void)
{
	unsigned long sites, pages, groups;

	ftrace_total_info(&sites, &pages, &groups);
	return sites;
}
