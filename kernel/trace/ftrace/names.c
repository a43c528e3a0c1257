// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites, for who goes through many of them in order.
 *
 * The kernel's symbols are sorted by address, as its sites are: a cursor walks along.
 * Those of a module are not. To find the one before an address is to look at them
 * all, so this is done once for all sites of the module: each symbol is offered to
 * the site behind it, and the nearest stays. The names are copied, since those of a
 * module's init go away with it.
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

/* Without memory for all of them: one by itself. */
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

/* A symbol of the module; of those that are as near to a site the first counts. */
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

static bool knows_module(const struct ftrace_names *n, const struct ftrace_group *group)
{
	return n->group == group && n->gone == ftrace_text_gone;
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
	u32 at;

	if (!group->live)
		return NULL;
	if (!knows_module(n, group) && !learn_module(n, group))
		return name_alone(n, group, site);
	at = n->at[site - group->site];
	return at ? n->text + at : NULL;
}

/* Move the cursor to a site of the kernel's. */
static bool seek_name(struct ftrace_names *n, const struct ftrace_group *group,
		      const struct dyn_ftrace *site)
{
	return kallsyms_seek(&n->kernel, ftrace_site_ip(group, site)) &&
	       ftrace_site_is_of(group, site, n->kernel.start);
}

/**
 * ftrace_name - the name of the function that a site belongs to
 * @n: all zero at first; ftrace_names_free() frees what it holds
 * @group: the site's
 * @site: the site; quickest if it is the next after the one before
 *
 * Some sites have none: those of weak functions that were overridden are still
 * in the text, behind another function.
 *
 * Context: process context with ftrace_lock held, may sleep. Also early boot.
 * Return: the name, until the next call, or NULL.
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
 * ftrace_has_name - does ftrace_name() return one?
 * @n: as there
 * @group: as there
 * @site: as there
 *
 * Less work than to expand it. Context: as ftrace_name().
 * Return: true or false.
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
 * @m: where to
 * @n: as for ftrace_name()
 * @group: as there
 * @site: as there
 *
 * With the module's name, if it is in one. Context: as ftrace_name().
 * Return: false, and nothing is printed, if it has none.
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
	/* Expanded right where it is to be; seq_file makes room if there is none. */
	room = seq_get_buf(m, &buf);
	seq_commit(m, room < KSYM_NAME_LEN ? -1 :
		      (int)kallsyms_cursor_name(&n->kernel, buf, room));
	return true;
}

/**
 * ftrace_show_site - ftrace_show_name() for the site at an address
 * @m: where to
 * @n: as for ftrace_name()
 * @ip: the address
 *
 * Context: as ftrace_name().
 * Return: false, and nothing is printed, if it has no name, or there is no site.
 */
bool ftrace_show_site(struct seq_file *m, struct ftrace_names *n, unsigned long ip)
{
	const struct ftrace_group *group = ftrace_group_of(ip);
	const struct dyn_ftrace *site = group ? ftrace_find_site(group, ip, ip) : NULL;

	return site && ftrace_show_name(m, n, group, site);
}

/**
 * ftrace_names_free - free what it holds
 * @n: as for ftrace_name(); it is empty then, and can be used again
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
