// SPDX-License-Identifier: GPL-2.0
/*
 * Adding and removing text: the kernel's at boot, modules', and the init text of both.
 *
 * The build lists the address of each site in a section, of the kernel and of each module. New text
 * gets a group in the table of sites (sites.c), and each registered ops gets the new sites that its
 * filter selects. Before text is freed, its sites are removed from the table and from all filters.
 */
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include <asm/sections.h>

#include "dispatch.h"
#include "filter.h"
#include "graph.h"
#include "names.h"
#include "patch.h"
#include "set.h"
#include "sites.h"
#include "state.h"
#include "update.h"

extern unsigned long __start_mcount_loc[];
extern unsigned long __stop_mcount_loc[];

/* vzalloc() rounds up to a page only: the kernel's table is large and never freed. */
static void *alloc_group(size_t size)
{
	return size <= PAGE_SIZE ? kzalloc(size, GFP_KERNEL) : vzalloc(size);
}

/* Make a group of the @nr sorted addresses @ip, all of which are between @start and @end. */
static struct ftrace_group *make_group(struct module *mod, unsigned long start,
				       unsigned long end, const unsigned long *ip,
				       unsigned int nr)
{
	struct ftrace_group *group;
	unsigned int i;

	group = alloc_group(struct_size(group, site, nr));
	if (!group)
		return NULL;
	group->mod = mod;
	group->start = start;
	group->end = end;
	group->live = !mod;
	group->nr = nr;
	for (i = 0; i < nr; i++)
		group->site[i].offset = ip[i] - start;
	return group;
}

/* Turn table entries into ascending addresses of sites. Entries that are no sites come first. */
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
		sort(entry, nr, sizeof(*entry), ftrace_compare_ips, NULL);
}

/*
 * Take the sites between @start and @end out of a sorted table: make them NOPs that can be patched,
 * and make a group of them. If memory is short, they keep the instructions that the compiler has
 * made; this does no harm, but these functions cannot be traced.
 */
static void add_group(struct module *mod, unsigned long start, unsigned long end,
		      const unsigned long *table, unsigned int nr)
{
	unsigned int first = ftrace_search(table, 0, nr, start, ftrace_ip_below);
	unsigned int count = ftrace_search(table, 0, nr, end, ftrace_ip_below) - first;
	struct ftrace_fault fault;
	struct ftrace_group *group;
	int err;

	/* After a patching error, text is left alone. */
	if (!count || ftrace_dead())
		return;
	group = make_group(mod, start, end, table + first, count);
	if (!group) {
		pr_warn("ftrace: no memory for %u sites of %s\n", count, module_name(mod));
		return;
	}
	scoped_guard(mutex, &text_mutex)
		err = ftrace_prepare_sites(mod, table + first, count, &fault);
	if (err) {
		/* Name the module, since its functions cannot be looked up by name yet. */
		pr_warn("ftrace: a call site of %s cannot be used\n", module_name(mod));
		ftrace_bug(&fault, "preparing");
		kvfree(group);
		return;
	}
	list_add_tail_rcu(&group->list, &ftrace_groups);
}

/* Forget the sites of @group. No CPU executes its text any more, or soon none will. */
static void drop_group(struct ftrace_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		ftrace_opset_site_gone(ftrace_site_ip(group, group->site + i), group->site + i);
	ftrace_text_gone++;
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		ftrace_graph_forget(group->start, group->end);
	ftrace_filter_files_forget(group->start, group->end);
	ftrace_forget_text(group->start, group->end);
	list_del_rcu(&group->list);
	kvfree_rcu(group, rcu);
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
 * ftrace_init - add the kernel's call sites
 *
 * Context: early boot, one CPU, interrupts off; memory can be allocated.
 */
void __init ftrace_init(void)
{
	unsigned long nr = __stop_mcount_loc - __start_mcount_loc;
	unsigned long from = min((unsigned long)_stext, (unsigned long)_sinittext);
	unsigned long to = max((unsigned long)_etext, (unsigned long)_einittext);

	scoped_guard(mutex, &ftrace_lock) {
		adjust_table(__start_mcount_loc, nr, from, to);
		add_group(NULL, (unsigned long)_stext, (unsigned long)_etext,
			  __start_mcount_loc, nr);
		add_group(NULL, (unsigned long)_sinittext, (unsigned long)_einittext,
			  __start_mcount_loc, nr);
	}
	pr_info("ftrace: %lu call sites\n", ftrace_nr_sites());
	ftrace_boot_filters();
}

/**
 * ftrace_free_init_mem - forget the sites of the kernel's init text, which is about to be freed
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
 * @mod: the module; its text is in place, but no CPU runs it
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
	ftrace_modules_come++;
	ftrace_module_arrived(mod);
	list_for_each_entry(group, &ftrace_groups, list) {
		if (group->mod != mod)
			continue;
		group->come = ftrace_modules_come;
		/* Update ops in the order of registration, as they are called in this order. */
		list_for_each_entry_reverse(ops, &ftrace_ops_list, list)
			if (ftrace_update_group(ops, ftrace_ops_filter(ops), group))
				pr_warn("ftrace: %s is not traced for all who asked\n", mod->name);
	}
	ftrace_opset_reap();
}

/**
 * ftrace_release_mod - forget the sites of a module that is being unloaded, or failed to load
 * @mod: the module, which does not run any more or never did
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
 * ftrace_free_mem - forget the sites of a module's init text, which is about to be freed
 * @mod: the module
 * @start: the text's first byte
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
