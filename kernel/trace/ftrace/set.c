// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of call sites.
 *
 * A set is an array of addresses in ascending order, which does not change once it is made. It is
 * built in a builder, which takes addresses in any order at a cost of O(1) each, and sorts them
 * only when the order is needed: at the end, or before some are removed again. So thousands of
 * names in one write cost one sort.
 *
 * Sets decide which sites are patched. If sites hold no pointer, traced functions look into sets,
 * too (oplist.c). Such a set must not be freed while a CPU may look into it: it is retired.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "dispatch.h"
#include "set.h"

/* For sort(): compare two unsigned longs. */
int ftrace_compare_ips(const void *a, const void *b)
{
	const unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/**
 * ftrace_set_builder_add - add a site
 * @b: the builder
 * @ip: address of the site, which may be in the builder already
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM with nothing changed.
 */
int ftrace_set_builder_add(struct ftrace_set_builder *b, unsigned long ip)
{
	unsigned long room = max(64UL, 2 * b->room), *p;

	if (b->nr == b->room) {
		p = kvrealloc(b->ip, array_size(room, sizeof(*p)), GFP_KERNEL);
		if (!p)
			return -ENOMEM;
		b->ip = p;
		b->room = room;
	}
	b->ip[b->nr++] = ip;
	return 0;
}

/**
 * ftrace_set_builder_append - add many sites
 * @b: the builder
 * @ip: their addresses
 * @more: number of sites
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM, with nothing changed.
 */
int ftrace_set_builder_append(struct ftrace_set_builder *b, const unsigned long *ip,
			      unsigned long more)
{
	unsigned long i, nr = b->nr;
	int err = 0;

	for (i = 0; i < more && !err; i++)
		err = ftrace_set_builder_add(b, ip[i]);
	if (err)
		b->nr = nr;
	return err;
}

/**
 * ftrace_set_builder_load - add the sites and patterns of a set to a builder
 * @b: the builder
 * @set: the set; NULL: add nothing. If the set is empty, it has lost its sites, and @b->lost is set
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM with sites or patterns of @set missing.
 */
int ftrace_set_builder_load(struct ftrace_set_builder *b, const struct ftrace_set *set)
{
	if (!set)
		return 0;
	b->lost |= !set->nr && !set->deferred;
	return ftrace_set_builder_append(b, set->ip, set->nr) ?:
	       ftrace_deferred_copy(&b->deferred, set->deferred);
}

/**
 * ftrace_set_builder_sort - sort the sites of a builder, and remove repetitions
 * @b: the builder
 *
 * Context: may sleep.
 */
void ftrace_set_builder_sort(struct ftrace_set_builder *b)
{
	unsigned long from, to = 0;

	if (b->sorted == b->nr)
		return;
	sort(b->ip, b->nr, sizeof(*b->ip), ftrace_compare_ips, NULL);
	for (from = 0; from < b->nr; from++)
		if (!to || b->ip[to - 1] != b->ip[from])
			b->ip[to++] = b->ip[from];
	b->nr = b->sorted = to;
}

/**
 * ftrace_set_builder_remove - remove sites
 * @b: the builder; its sites are sorted after this
 * @gone: the sites to remove, sorted
 *
 * Context: may sleep.
 */
void ftrace_set_builder_remove(struct ftrace_set_builder *b,
			       const struct ftrace_set_builder *gone)
{
	unsigned long from, to = 0, g = 0;

	ftrace_set_builder_sort(b);
	for (from = 0; from < b->nr; from++) {
		while (g < gone->nr && gone->ip[g] < b->ip[from])
			g++;
		if (g == gone->nr || gone->ip[g] != b->ip[from])
			b->ip[to++] = b->ip[from];
	}
	b->nr = b->sorted = to;
}

/**
 * ftrace_set_builder_forget - remove the sites of text that is about to be freed
 * @b: the builder
 * @start: first address of the text
 * @end: one past its last address
 *
 * Context: any.
 */
void ftrace_set_builder_forget(struct ftrace_set_builder *b, unsigned long start,
			       unsigned long end)
{
	unsigned long from, to = 0, nr = b->nr, sorted = b->sorted;

	for (from = 0; from < nr; from++) {
		if (b->ip[from] < start || b->ip[from] >= end)
			b->ip[to++] = b->ip[from];
		else if (from < sorted)
			b->sorted--;
	}
	b->nr = to;
	if (to < nr)
		b->lost = true;
}

/**
 * ftrace_set_builder_free - free the memory of a builder
 * @b: the builder, which is empty after this and can be used again
 *
 * Context: may sleep.
 */
void ftrace_set_builder_free(struct ftrace_set_builder *b)
{
	kvfree(b->ip);
	ftrace_deferred_free(b->deferred);
	*b = (struct ftrace_set_builder){};
}

/**
 * ftrace_set_freeze - make a set of the contents of a builder
 * @b: the builder, which keeps its contents
 *
 * Context: may sleep.
 * Return: the set, to be freed with ftrace_set_free(); or, once a filter has had it, with
 * ftrace_set_retire(). NULL if memory is short.
 */
struct ftrace_set *ftrace_set_freeze(struct ftrace_set_builder *b)
{
	struct ftrace_set *set;

	ftrace_set_builder_sort(b);
	set = kvmalloc(struct_size(set, ip, b->nr), GFP_KERNEL);
	if (!set)
		return NULL;
	set->nr = b->nr;
	set->deferred = NULL;
	memcpy(set->ip, b->ip, b->nr * sizeof(*set->ip));
	if (ftrace_deferred_copy(&set->deferred, b->deferred)) {
		ftrace_set_free(set);
		return NULL;
	}
	return set;
}

/**
 * ftrace_set_free - free a set that no CPU looks into
 * @set: the set, or NULL
 *
 * Context: may sleep.
 */
void ftrace_set_free(struct ftrace_set *set)
{
	if (set)
		ftrace_deferred_free(set->deferred);
	kvfree(set);
}

/**
 * ftrace_set_from - find the place of an address in a set
 * @set: the set
 * @ip: the address
 *
 * Context: any.
 * Return: the index of the first address that is not below @ip; @set->nr if there is none.
 */
unsigned long ftrace_set_from(const struct ftrace_set *set, unsigned long ip)
{
	unsigned long low = 0, high = set->nr, mid;

	/* As ftrace_search(), with two instructions less: traced functions may call this. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (set->ip[mid] < ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * ftrace_set_has - is a site in a set?
 * @set: the set
 * @ip: address of the site
 *
 * Context: any.
 * Return: true if it is in the set.
 */
bool ftrace_set_has(const struct ftrace_set *set, unsigned long ip)
{
	unsigned long i = ftrace_set_from(set, ip);

	return i < set->nr && set->ip[i] == ip;
}

/**
 * ftrace_set_has_next - ftrace_set_has(), for callers that look up many sites in ascending order
 * @set: the set
 * @at: index where the last look-up ended, which is updated; 0 at first
 * @ip: address of the site
 *
 * Works in any order, but begins anew at a site that is before the last one.
 *
 * Context: any.
 * Return: true if it is in the set.
 */
bool ftrace_set_has_next(const struct ftrace_set *set, unsigned long *at, unsigned long ip)
{
	if (*at && set->ip[*at - 1] >= ip)
		*at = 0;
	*at = ftrace_search_from(set->ip, set->nr, *at, ip, ftrace_ip_below);
	return *at < set->nr && set->ip[*at] == ip;
}

/**
 * ftrace_set_without - make a copy of a set without the sites in a range
 * @set: the set; its patterns for modules that are not loaded move to the copy
 * @start: first address to leave out
 * @end: one past the last address to leave out
 *
 * For text that is about to be freed. Does not fail if memory is short.
 *
 * Context: may sleep.
 * Return: the copy. It is for a filter, so it is freed with ftrace_set_retire().
 */
struct ftrace_set *ftrace_set_without(struct ftrace_set *set, unsigned long start,
				      unsigned long end)
{
	unsigned long first = ftrace_set_from(set, start), last = ftrace_set_from(set, end);
	unsigned long nr = set->nr - (last - first);
	struct ftrace_set *less;

	less = kvmalloc(struct_size(less, ip, nr), GFP_KERNEL | __GFP_NOFAIL);
	less->nr = nr;
	less->deferred = set->deferred;
	set->deferred = NULL;
	memcpy(less->ip, set->ip, first * sizeof(*set->ip));
	memcpy(less->ip + first, set->ip + last, (set->nr - last) * sizeof(*set->ip));
	return less;
}
