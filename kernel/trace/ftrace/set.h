/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of sites, and filters made of them: set.c; filter patterns for modules that are not loaded
 * yet: deferred.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_SET_H
#define _KERNEL_TRACE_FTRACE_SET_H

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/minmax.h>

#include "ftrace.h"

/**
 * struct ftrace_deferred - a filter pattern "func:mod:module" for a module that is not loaded yet
 * @next: the next pattern in the list
 * @module: the modules, as in struct ftrace_scope
 * @func: name or pattern of the functions in these modules; empty: all functions
 */
struct ftrace_deferred {
	struct ftrace_deferred *next;
	const char *module;
	char func[];
};

int ftrace_deferred_add(struct ftrace_deferred **list, const char *func, const char *module);
bool ftrace_deferred_remove(struct ftrace_deferred **list, const char *func, const char *module);
int ftrace_deferred_copy(struct ftrace_deferred **to, const struct ftrace_deferred *from);
void ftrace_deferred_free(struct ftrace_deferred *deferred);
bool ftrace_deferred_possible(const char *module);

/**
 * struct ftrace_set - a set of sites, frozen
 * @retired: in the list of retired sets; must be first
 * @deferred: filter patterns for modules that are not loaded yet
 * @nr: number of sites
 * @ip: addresses of the sites, ascending
 */
struct ftrace_set {
	struct llist_node retired;
	struct ftrace_deferred *deferred;
	unsigned long nr;
	unsigned long ip[] __counted_by(nr);
};

/**
 * struct ftrace_set_builder - a set that is being built
 * @nr: number of addresses so far, including repetitions
 * @room: number of addresses that fit into @ip
 * @sorted: the first @sorted addresses are ascending and have no repetitions
 * @ip: the addresses
 * @deferred: filter patterns for modules that are not loaded yet
 * @lost: sites were removed because their module was unloaded, or a pattern in @deferred was
 *	dropped because its module was loaded
 *
 * A builder with addresses or patterns selects these functions. An empty builder with @lost selects
 * no function. An empty builder without @lost has no selection: that is, all functions in a filter,
 * and no exception in a notrace set.
 */
struct ftrace_set_builder {
	unsigned long nr;
	unsigned long room;
	unsigned long sorted;
	unsigned long *ip;
	struct ftrace_deferred *deferred;
	bool lost;
};

/* Is there no selection, so that the builder makes no set? */
static inline bool ftrace_set_builder_no_choice(const struct ftrace_set_builder *b)
{
	return !b->nr && !b->deferred && !b->lost;
}

/* Find the first of ascending elements from @low on that is not below @key; @high if all are. */
static __always_inline unsigned long
ftrace_search(const void *table, unsigned long low, unsigned long high, unsigned long key,
	      bool (*below)(const void *table, unsigned long i, unsigned long key))
{
	unsigned long mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (below(table, mid, key))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * For callers that look up many keys in ascending order: find the first of @nr ascending elements
 * that is not below @key, beginning at @from, where the last look-up ended. No element before @from
 * may be the result. The cost is O(log distance from @from), little if every element is looked up.
 */
static __always_inline unsigned long
ftrace_search_from(const void *table, unsigned long nr, unsigned long from, unsigned long key,
		   bool (*below)(const void *table, unsigned long i, unsigned long key))
{
	unsigned long low = from, high = from, step = 1;

	for (; high < nr && below(table, high, key); high += step, step *= 2)
		low = high + 1;
	return ftrace_search(table, low, min(high, nr), key, below);
}

static __always_inline bool ftrace_ip_below(const void *table, unsigned long i, unsigned long ip)
{
	return ((const unsigned long *)table)[i] < ip;
}

int ftrace_compare_ips(const void *a, const void *b);

int ftrace_set_builder_load(struct ftrace_set_builder *b, const struct ftrace_set *set);
int ftrace_set_builder_add(struct ftrace_set_builder *b, unsigned long ip);
int ftrace_set_builder_append(struct ftrace_set_builder *b, const unsigned long *ip,
			      unsigned long more);
void ftrace_set_builder_remove(struct ftrace_set_builder *b,
			       const struct ftrace_set_builder *gone);
void ftrace_set_builder_forget(struct ftrace_set_builder *b, unsigned long start,
			       unsigned long end);
void ftrace_set_builder_sort(struct ftrace_set_builder *b);
void ftrace_set_builder_free(struct ftrace_set_builder *b);
DEFINE_FREE(ftrace_set_builder, struct ftrace_set_builder, ftrace_set_builder_free(&_T))
struct ftrace_set *ftrace_set_freeze(struct ftrace_set_builder *b);
void ftrace_set_free(struct ftrace_set *set);
struct ftrace_set *ftrace_set_without(struct ftrace_set *set, unsigned long start,
				      unsigned long end);
bool ftrace_set_has_next(const struct ftrace_set *set, unsigned long *at, unsigned long ip);
unsigned long ftrace_set_from(const struct ftrace_set *set, unsigned long ip);

#ifdef CONFIG_DYNAMIC_FTRACE
bool ftrace_set_has(const struct ftrace_set *set, unsigned long ip);
#else
/* Without dynamic sites there are no sets. */
static inline bool ftrace_set_has(const struct ftrace_set *set, unsigned long ip) { return true; }
#endif

/**
 * struct ftrace_filter - the sites that an ops wants
 * @list: in the list of all filters, so that sites of freed text can be removed from each filter
 * @only: only these sites; NULL: all
 * @except: but not these sites; NULL: no exception
 *
 * When a module is unloaded, a set may lose all its sites. The pointer to the empty set stays: with
 * NULL in its place, the filter would select all functions, or would have no exceptions. Several
 * ops may share one filter (ftrace_ops_set_global_filter()).
 */
struct ftrace_filter {
	struct list_head list;
	struct ftrace_set *only;
	struct ftrace_set *except;
};

static inline struct ftrace_set **ftrace_filter_set(struct ftrace_filter *filter,
						    enum ftrace_filter_side side)
{
	return side == FTRACE_FILTER ? &filter->only : &filter->except;
}

static inline bool ftrace_filter_wants_all(const struct ftrace_filter *filter)
{
	return !filter->only && !filter->except;
}

/* Does an ops with this filter want the site? If @filter is NULL it wants none. */
static inline bool ftrace_filter_wants(const struct ftrace_filter *filter, unsigned long ip)
{
	if (!filter)
		return false;
	if (filter->only && !ftrace_set_has(filter->only, ip))
		return false;
	return !filter->except || !ftrace_set_has(filter->except, ip);
}

extern const struct ftrace_filter ftrace_all_sites;

/* The filter of an ops, or the filter of all sites; never NULL. The caller holds ftrace_lock. */
static inline const struct ftrace_filter *ftrace_ops_filter(const struct ftrace_ops *ops)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	return ops->filter ?: &ftrace_all_sites;
#else
	return &ftrace_all_sites;
#endif
}

#endif /* _KERNEL_TRACE_FTRACE_SET_H */
