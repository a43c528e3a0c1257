// SPDX-License-Identifier: GPL-2.0
/*
 * The table of call sites.
 *
 * The build leaves the address of each site in a section, of the kernel and of
 * each module. At boot, and when a module is loaded, every stretch of text gets
 * a group: its bounds and an array of 8-byte records in address order. To find
 * a site is to find the group (there are few) and to bisect the array.
 *
 * Groups are added and removed under ftrace_lock. Look-ups from elsewhere, for
 * kprobes say, take RCU only; the arrays never move.
 */
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched/task_stack.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include <asm/sections.h>

#include "internal.h"

LIST_HEAD(ftrace_groups);

extern unsigned long __start_mcount_loc[];
extern unsigned long __stop_mcount_loc[];

/* Exact to the page: the kernel's table is large and stays. */
static void *alloc_records(size_t size)
{
	return size <= PAGE_SIZE ? kzalloc(size, GFP_KERNEL) : vzalloc(size);
}

static void free_group(struct ftrace_group *group)
{
	kvfree(group->site);
	kfree(group);
}

static void free_group_rcu(struct rcu_head *rcu)
{
	free_group(container_of(rcu, struct ftrace_group, rcu));
}

/* A group for those of the sorted addresses @ip that lie between @start and @end. */
static struct ftrace_group *make_group(struct module *mod, unsigned long start,
				       unsigned long end, const unsigned long *ip,
				       unsigned int nr)
{
	struct ftrace_group *group;
	unsigned int i;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return NULL;
	group->site = alloc_records(array_size(nr, sizeof(*group->site)));
	if (!group->site) {
		kfree(group);
		return NULL;
	}
	group->mod = mod;
	group->start = start;
	group->end = end;
	group->nr = nr;
	for (i = 0; i < nr; i++)
		group->site[i].offset = ip[i] - start;
	return group;
}

static int compare_ips(const void *a, const void *b)
{
	const unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/* Turns table entries into ascending site addresses, those that are none first. */
static void adjust_table(unsigned long *entry, unsigned long nr, unsigned long start,
			 unsigned long end)
{
	bool sorted = true;
	unsigned long i;

	for (i = 0; i < nr; i++) {
		if (entry[i] >= start && entry[i] < end)
			entry[i] = ftrace_call_adjust(entry[i]);
		else
			entry[i] = 0;
		if (i && entry[i] < entry[i - 1])
			sorted = false;
	}
	if (!sorted)
		sort(entry, nr, sizeof(*entry), compare_ips, NULL);
}

/* How many of the first @nr ascending addresses are below @bound. */
static unsigned int count_below(const unsigned long *ip, unsigned int nr, unsigned long bound)
{
	unsigned int low = 0, mid;

	while (low < nr) {
		mid = low + (nr - low) / 2;
		if (ip[mid] < bound)
			low = mid + 1;
		else
			nr = mid;
	}
	return low;
}

/*
 * Takes the sites between @start and @end out of a sorted table: makes them
 * NOPs that can be patched, and a group of them. Without memory they stay what
 * the compiler made them, which is harmless, and cannot be traced.
 */
static struct ftrace_group *add_group(struct module *mod, unsigned long start,
				      unsigned long end, const unsigned long *table,
				      unsigned int nr)
{
	unsigned int first = count_below(table, nr, start);
	unsigned int count = count_below(table, nr, end) - first;
	struct ftrace_fault fault;
	struct ftrace_group *group;
	int err;

	/* Once something was wrong with text, it is left alone. */
	if (!count || ftrace_dead())
		return NULL;
	group = make_group(mod, start, end, table + first, count);
	if (!group) {
		pr_warn("ftrace: no memory for %u sites of %s\n", count, module_name(mod));
		return NULL;
	}
	mutex_lock(&text_mutex);
	err = ftrace_prepare_sites(mod, table + first, count, &fault);
	mutex_unlock(&text_mutex);
	if (err) {
		/* The module's functions have no names yet. */
		pr_warn("ftrace: a call site of %s cannot be used\n", module_name(mod));
		ftrace_bug(&fault, "preparing");
		free_group(group);
		return NULL;
	}
	list_add_tail_rcu(&group->list, &ftrace_groups);
	return group;
}

/* Nobody runs the text of @group any more, or will soon: forget its sites. */
static void drop_group(struct ftrace_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		ftrace_opset_site_gone(ftrace_site_ip(group, group->site + i), group->site + i);
	ftrace_forget_text(group->start, group->end);
	list_del_rcu(&group->list);
	call_rcu(&group->rcu, free_group_rcu);
}

static void drop_groups(struct module *mod, unsigned long start, unsigned long end)
{
	struct ftrace_group *group, *next;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry_safe(group, next, &ftrace_groups, list)
		if (group->mod == mod && group->start >= start && group->end <= end)
			drop_group(group);
	ftrace_opset_reap();
	ftrace_end_empty_commands();
}

/**
 * ftrace_init - take over the kernel's call sites
 *
 * Context: early boot, one CPU, interrupts off; memory can be allocated.
 */
void __init ftrace_init(void)
{
	unsigned long nr = __stop_mcount_loc - __start_mcount_loc;
	unsigned long from = min((unsigned long)_stext, (unsigned long)_sinittext);
	unsigned long to = max((unsigned long)_etext, (unsigned long)_einittext);
	struct ftrace_group *group;

	mutex_lock(&ftrace_lock);
	adjust_table(__start_mcount_loc, nr, from, to);
	group = add_group(NULL, (unsigned long)_stext, (unsigned long)_etext,
			  __start_mcount_loc, nr);
	if (group)
		group->live = true;
	group = add_group(NULL, (unsigned long)_sinittext, (unsigned long)_einittext,
			  __start_mcount_loc, nr);
	if (group)
		group->live = true;
	mutex_unlock(&ftrace_lock);

	pr_info("ftrace: %lu call sites\n", ftrace_nr_sites());
	ftrace_boot_filters();
}

/**
 * ftrace_free_init_mem - forget the sites of init text, which is about to go
 *
 * Context: process context, may sleep.
 */
void ftrace_free_init_mem(void)
{
	drop_groups(NULL, (unsigned long)__init_begin, (unsigned long)__init_end);
}

#ifdef CONFIG_MODULES
/**
 * ftrace_module_init - prepare the call sites of a module
 * @mod: the module; its text is in place, but nobody runs it
 *
 * Context: process context, may sleep.
 */
void ftrace_module_init(struct module *mod)
{
	unsigned long *table = mod->ftrace_callsites;
	unsigned int nr = mod->num_ftrace_callsites;

	if (!nr)
		return;
	guard(mutex)(&ftrace_lock);
	adjust_table(table, nr, 1, ULONG_MAX);
	for_class_mod_mem_type(type, text) {
		const struct module_memory *mem = &mod->mem[type];
		unsigned long base = (unsigned long)mem->base;

		if (mem->size)
			add_group(mod, base, base + mem->size, table, nr);
	}
}

/**
 * ftrace_module_enable - trace a module whose code is about to run
 * @mod: the module; all relocations are done and its text is executable
 *
 * Context: process context, may sleep.
 */
void ftrace_module_enable(struct module *mod)
{
	struct ftrace_group *group;
	struct ftrace_ops *ops;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry(group, &ftrace_groups, list)
		group->live |= group->mod == mod;
	ftrace_module_arrived(mod);
	list_for_each_entry(group, &ftrace_groups, list) {
		if (group->mod != mod)
			continue;
		group->come = ftrace_modules_come;
		/* As they were registered: that is the order in which they are called. */
		list_for_each_entry_reverse(ops, &ftrace_ops_list, list)
			if (ftrace_update_group(ops, ftrace_ops_filter(ops), group))
				pr_warn("ftrace: %s is not traced for all who asked\n", mod->name);
	}
	ftrace_opset_reap();
}

/**
 * ftrace_release_mod - forget the sites of a module that goes away
 * @mod: the module; it does not run any more, or never did
 *
 * Context: process context, may sleep.
 */
void ftrace_release_mod(struct module *mod)
{
	drop_groups(mod, 0, ULONG_MAX);
	guard(mutex)(&ftrace_lock);
	ftrace_forget_init_names(mod);
}

/**
 * ftrace_free_mem - forget the sites of a part of a module: its init text
 * @mod: the module
 * @start: the part's first byte
 * @end: one past its last byte
 *
 * Context: process context, may sleep.
 */
void ftrace_free_mem(struct module *mod, void *start, void *end)
{
	scoped_guard(mutex, &ftrace_lock)
		ftrace_keep_init_names(mod, (unsigned long)start, (unsigned long)end);
	drop_groups(mod, (unsigned long)start, (unsigned long)end);
}
#endif /* CONFIG_MODULES */

/**
 * ftrace_group_of - the group whose text holds an address
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

/**
 * ftrace_find_site - the first site in a range
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
	unsigned int low = 0, high = group->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (ftrace_site_ip(group, group->site + mid) < start)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == group->nr || ftrace_site_ip(group, group->site + low) > end)
		return NULL;
	return group->site + low;
}

static __always_inline bool offset_below(const void *table, unsigned long i,
					 unsigned long offset)
{
	return ((const struct dyn_ftrace *)table)[i].offset < offset;
}

/**
 * ftrace_next_site - the site at an address, for who asks for many in order
 * @group: whose text the address is in
 * @from: the site that was found last, or the first one of @group
 * @ip: the address, not before @from
 *
 * Context: ftrace_lock held or RCU.
 * Return: the site or NULL.
 */
struct dyn_ftrace *ftrace_next_site(const struct ftrace_group *group,
				    const struct dyn_ftrace *from, unsigned long ip)
{
	unsigned long i = ftrace_search_from(group->site, group->nr, from - group->site,
					     ip - group->start, offset_below);

	return i < group->nr && group->site[i].offset == ip - group->start ?
	       group->site + i : NULL;
}

/**
 * ftrace_location_range - find a call site between two addresses
 * @start: first address
 * @end: last address, inclusive
 *
 * Context: any but NMI.
 * Return: address of the first site there, 0 if none. It is only looked for in the text that
 * @start is in.
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
 * ftrace_location - the call site at an address or of the function there
 * @ip: a site, or the first byte of a function
 *
 * Context: any but NMI.
 * Return: address of the site, 0 if there is none.
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long site = ftrace_location_range(ip, ip);
	unsigned long size, offset;

	if (site || !kallsyms_lookup_size_offset(ip, &size, &offset) || offset)
		return site;
	return ftrace_location_range(ip, ip + min(size - 1, (unsigned long)FTRACE_SITE_MAX_OFFSET));
}

/* A function that is looked for, and where it is. */
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
 * ftrace_lookup_symbols - the functions of some names, if all of them can be traced
 * @sorted_syms: the names
 * @cnt: how many
 * @addrs: where the addresses of the functions go, in the same order
 *
 * Of functions with the same name the first one that can be traced is taken.
 * Context: process context, may sleep.
 * Return: 0, or -ESRCH if there is none of a name.
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
 * is_ftrace_trampoline - is this code that we made at run time?
 * @addr: the address of the code
 *
 * Context: any.
 * Return: false: there is none.
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	return false;
}

/**
 * ftrace_total_info - how many sites there are and what they take
 * @sites: number of sites
 * @pages: pages of records
 * @groups: number of groups
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
 * ftrace_nr_sites - how many sites there are
 *
 * Context: process context, may sleep; or early boot. ftrace_lock not held.
 * Return: that, with those of modules.
 */
unsigned long ftrace_nr_sites(void)
{
	unsigned long sites, pages, groups;

	ftrace_total_info(&sites, &pages, &groups);
	return sites;
}
