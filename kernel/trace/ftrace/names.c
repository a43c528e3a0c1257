// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites, for callers that go through many sites in order.
 *
 * The kernel's symbols are sorted by address, as its sites are: a cursor advances in both. Symbols
 * of a module are not sorted. Finding the symbol before one site would mean looking at all symbols,
 * so this is done once for all sites of the module: each symbol is offered to the site after it,
 * and the nearest one is kept. The names are copied, as names of a module's init text are freed.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "names.h"
#include "sites.h"

static_assert(FTRACE_SITE_MAX_OFFSET <= U16_MAX);

/* Name a single site, if memory is short for the names of all sites of the module. */
static const char *name_alone(struct ftrace_names *n, const struct ftrace_group *group,
			      const struct dyn_ftrace *site)
{
	unsigned long ip = ftrace_site_ip(group, site), size, offset;
	char *modname;

	if (!kallsyms_lookup(ip, &size, &offset, &modname, n->name))
		return NULL;
	return ftrace_site_is_of(group, site, ip - offset) ? n->name : NULL;
}

static int make_room(struct ftrace_names *n, size_t len)
{
	size_t room = max(2 * n->room, PAGE_SIZE);
	char *text;

	if (n->used + len <= n->room)
		return 0;
	text = kvrealloc(n->text, room, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	n->text = text;
	n->room = room;
	return 0;
}

/* Offer a symbol of the module to its site. Of symbols at the same address, the first counts. */
static int offer_symbol(void *data, const char *name, unsigned long addr)
{
	const struct ftrace_group *group;
	struct ftrace_names *n = data;
	const struct dyn_ftrace *site;
	u16 distance;
	size_t size;
	u32 *at;

	group = n->group;
	if (addr < group->start || addr >= group->end || !*name || is_mapping_symbol(name))
		return 0;
	site = ftrace_find_site(group, addr, addr + FTRACE_SITE_MAX_OFFSET);
	if (!site)
		return 0;
	at = n->at + (site - group->site);
	distance = ftrace_site_ip(group, site) - addr;
	if (*at && get_unaligned((u16 *)(n->text + *at) - 1) <= distance)
		return 0;
	size = strlen(name) + 1;
	if (make_room(n, sizeof(distance) + size))
		return -ENOMEM;
	put_unaligned(distance, (u16 *)(n->text + n->used));
	*at = n->used + sizeof(distance);
	memcpy(n->text + *at, name, size);
	n->used = *at + size;
	return 0;
}

static void forget_module(struct ftrace_names *n)
{
	kvfree(n->at);
	n->at = NULL;
	n->used = 0;
	n->group = NULL;
}

static bool learn_module(struct ftrace_names *n, const struct ftrace_group *group)
{
	forget_module(n);
	n->at = kvcalloc(group->nr, sizeof(*n->at), GFP_KERNEL);
	if (!n->at)
		return false;
	n->group = group;
	n->gone = ftrace_text_gone;
	if (module_kallsyms_on_each_symbol(module_name(group->mod), offer_symbol, n)) {
		forget_module(n);
		return false;
	}
	return true;
}

static const char *name_in_module(struct ftrace_names *n, const struct ftrace_group *group,
				  const struct dyn_ftrace *site)
{
	bool known = n->group == group && n->gone == ftrace_text_gone;
	u32 at;

	if (!group->live)
		return NULL;
	if (!known && !learn_module(n, group))
		return name_alone(n, group, site);
	at = n->at[site - group->site];
	return at ? n->text + at : NULL;
}

/* Move the cursor to the symbol of a site of the kernel. */
static bool seek_name(struct ftrace_names *n, const struct ftrace_group *group,
		      const struct dyn_ftrace *site)
{
	return kallsyms_seek(&n->kernel, ftrace_site_ip(group, site)) &&
	       ftrace_site_is_of(group, site, n->kernel.start);
}

/**
 * ftrace_name - get the name of the function that a site belongs to
 * @n: the cursor, all zero at first; ftrace_names_free() frees its memory
 * @group: group of the site
 * @site: the site; fastest if it follows the one of the last call
 *
 * Some sites have no name: weak functions that were overridden are still in the text, after
 * another function.
 *
 * Context: process context with ftrace_lock held, may sleep; or early boot.
 * Return: the name, valid until the next call; or NULL.
 */
const char *ftrace_name(struct ftrace_names *n, const struct ftrace_group *group,
			const struct dyn_ftrace *site)
{
	if (group->mod)
		return name_in_module(n, group, site);
	if (!seek_name(n, group, site))
		return NULL;
	kallsyms_cursor_name(&n->kernel, n->name, sizeof(n->name));
	return n->name;
}

/**
 * ftrace_has_name - does ftrace_name() return a name?
 * @n: as for ftrace_name()
 * @group: as for ftrace_name()
 * @site: as for ftrace_name()
 *
 * Takes less time than ftrace_name(), which expands the name.
 *
 * Context: as ftrace_name().
 * Return: true if the site has a name.
 */
bool ftrace_has_name(struct ftrace_names *n, const struct ftrace_group *group,
		     const struct dyn_ftrace *site)
{
	if (group->mod)
		return name_in_module(n, group, site);
	return seek_name(n, group, site);
}

static void show_module_name(struct seq_file *m, const char *name, struct module *mod)
{
	seq_puts(m, name);
	seq_puts(m, " [");
	seq_puts(m, module_name(mod));
	seq_putc(m, ']');
}

/**
 * ftrace_show_name - print the name of the function that a site belongs to
 * @m: output
 * @n: as for ftrace_name()
 * @group: as for ftrace_name()
 * @site: as for ftrace_name()
 *
 * Also prints the name of the module that the site is in.
 *
 * Context: as ftrace_name().
 * Return: true; false if the site has no name, and then nothing is printed.
 */
bool ftrace_show_name(struct seq_file *m, struct ftrace_names *n,
		      const struct ftrace_group *group, const struct dyn_ftrace *site)
{
	const char *name;
	size_t room;
	char *buf;

	if (group->mod) {
		name = name_in_module(n, group, site);
		if (name)
			show_module_name(m, name, group->mod);
		return name;
	}
	if (!seek_name(n, group, site))
		return false;
	/* Expand the name directly into the output. seq_file retries with more space if needed. */
	room = seq_get_buf(m, &buf);
	seq_commit(m, room < KSYM_NAME_LEN ? -1 :
		      (int)kallsyms_cursor_name(&n->kernel, buf, room));
	return true;
}

/**
 * ftrace_show_site - ftrace_show_name() for the site at an address
 * @m: output
 * @n: as for ftrace_name()
 * @ip: the address
 *
 * Context: as ftrace_name().
 * Return: true; false if there is no site, or it has no name, and then nothing is printed.
 */
bool ftrace_show_site(struct seq_file *m, struct ftrace_names *n, unsigned long ip)
{
	const struct ftrace_group *group = ftrace_group_of(ip);
	const struct dyn_ftrace *site = group ? ftrace_find_site(group, ip, ip) : NULL;

	return site && ftrace_show_name(m, n, group, site);
}

/**
 * ftrace_names_free - free the memory of a cursor
 * @n: the cursor, which is empty then, and can be used again
 *
 * Context: may sleep.
 */
void ftrace_names_free(struct ftrace_names *n)
{
	forget_module(n);
	kvfree(n->text);
	n->text = NULL;
	n->room = 0;
}
