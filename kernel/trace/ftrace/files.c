// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of call sites in tracefs: all sites, enabled sites, and sites that have ever been enabled.
 *
 * One iterator walks the site table. A struct site_list says which sites a file shows, and how.
 */
#include <linux/security.h>
#include <linux/seq_file.h>

#include "dispatch.h"
#include "ftrace.h"
#include "names.h"
#include "registry.h"
#include "sites.h"
#include "state.h"

/**
 * struct site_list - a file that lists sites
 * @mask: shows sites with one of these flags; 0: all sites
 * @addresses: prints the address before the name
 * @details: prints the text after the name; or NULL
 */
struct site_list {
	u32 mask;
	bool addresses;
	void (*details)(struct seq_file *m, unsigned long ip, const struct dyn_ftrace *site);
};

/**
 * struct site_cursor - position of a reader
 * @list: the file
 * @group: group of the current site
 * @index: index of the site in its group
 * @pos: number of the site in the list
 * @gone: value of ftrace_text_gone when the position was valid
 * @names: cursor for the names of sites
 */
struct site_cursor {
	const struct site_list *list;
	struct ftrace_group *group;
	unsigned int index;
	loff_t pos;
	unsigned int gone;
	struct ftrace_names names;
};

static struct dyn_ftrace *cursor_site(struct site_cursor *c)
{
	return c->group->site + c->index;
}

/* Move to the first site of the list that is not before the cursor. */
static bool cursor_settle(struct site_cursor *c)
{
	u32 mask = c->list->mask;

	while (!list_entry_is_head(c->group, &ftrace_groups, list)) {
		for (; c->index < c->group->nr; c->index++)
			if (!mask || (cursor_site(c)->flags & mask))
				return true;
		c->group = list_next_entry(c->group, list);
		c->index = 0;
	}
	return false;
}

static bool cursor_advance(struct site_cursor *c)
{
	c->pos++;
	c->index++;
	return cursor_settle(c);
}

static void cursor_rewind(struct site_cursor *c)
{
	c->group = list_first_entry(&ftrace_groups, struct ftrace_group, list);
	c->index = 0;
	c->pos = 0;
	c->gone = ftrace_text_gone;
}

/* In most cases, the cursor is at @pos already. */
static void *sites_start(struct seq_file *m, loff_t *pos)
{
	struct site_cursor *c = m->private;
	bool found;

	mutex_lock(&ftrace_lock);
	if (!c->group || c->gone != ftrace_text_gone || c->pos > *pos)
		cursor_rewind(c);
	for (found = cursor_settle(c); found && c->pos < *pos; )
		found = cursor_advance(c);
	return found ? c : NULL;
}

static void *sites_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return cursor_advance(v) ? v : NULL;
}

static void sites_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ftrace_lock);
}

static int sites_show(struct seq_file *m, void *v)
{
	struct site_cursor *c = v;
	const struct dyn_ftrace *site = cursor_site(c);
	unsigned long ip = ftrace_site_ip(c->group, site);

	if (c->list->addresses)
		seq_printf(m, "%lx ", ip);
	if (!ftrace_show_name(m, &c->names, c->group, site))
		return SEQ_SKIP;
	if (c->list->details)
		c->list->details(m, ip, site);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations sites_seq_ops = {
	.start	= sites_start,
	.next	= sites_next,
	.stop	= sites_stop,
	.show	= sites_show,
};

static int release_list(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct site_cursor *c = m->private;

	ftrace_names_free(&c->names);
	return seq_release_private(inode, file);
}

static int open_list(struct file *file, const struct site_list *list)
{
	struct site_cursor *c;
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	if (err)
		return err;
	/* After a patching error, no function can be traced. */
	if (!list->mask && ftrace_dead())
		return -ENODEV;
	c = __seq_open_private(file, &sites_seq_ops, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->list = list;
	return 0;
}

/* Print the callbacks: of a single ops, and the trampoline of a direct call. */
static void site_callbacks(struct seq_file *m, const struct ftrace_ops *caller)
{
	const struct ftrace_ops *direct = ftrace_opset_direct(caller);

	if (!ftrace_is_opset(caller)) {
		if (direct)
			seq_printf(m, "\ttramp: %pS (%pS)", (void *)FTRACE_ADDR, caller->func);
		seq_printf(m, "\tops: %pS (%pS)", caller, caller->func);
	}
	if (direct)
		seq_printf(m, "\n\tdirect-->%pS", (void *)ftrace_direct_call(direct));
}

/*
 * Print the number of ops that want the site, and flags. R: an ops would like to have all
 * registers. I: an ops may change where the function goes on. D: a direct call. O: the single ops
 * is called without a dispatcher. M: some ops could change the effect of the function, now or
 * before.
 */
static void site_details(struct seq_file *m, unsigned long ip, const struct dyn_ftrace *site)
{
	const struct ftrace_ops *caller = ftrace_site_caller(ip, site);
	unsigned long flags = ftrace_site_ops_flags(ip, site);

	seq_printf(m, " (%lu) %c %c %c %c %c ", site->flags & DYN_FTRACE_COUNT,
		   flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED ? 'R' : ' ',
		   flags & FTRACE_OPS_FL_IPMODIFY ? 'I' : ' ',
		   flags & FTRACE_OPS_FL_DIRECT ? 'D' : ' ',
		   caller && !ftrace_is_opset(caller) ? 'O' : ' ',
		   site->flags & DYN_FTRACE_MODIFIED ? 'M' : ' ');
	if (caller)
		site_callbacks(m, caller);
}

static const struct site_list all_list = {};
static const struct site_list address_list = { .addresses = true };
static const struct site_list enabled_list = {
	.mask = DYN_FTRACE_ENABLED, .details = site_details,
};
static const struct site_list touched_list = {
	.mask = DYN_FTRACE_TOUCHED, .details = site_details,
};

#define SITE_LIST_FOPS(name, sites)						\
static int name##_open(struct inode *inode, struct file *file)			\
{										\
	return open_list(file, &(sites));					\
}										\
const struct file_operations name##_fops = {					\
	.open		= name##_open,						\
	.read		= seq_read,						\
	.llseek		= seq_lseek,						\
	.release	= release_list,						\
}

SITE_LIST_FOPS(ftrace_avail, all_list);
SITE_LIST_FOPS(ftrace_avail_addrs, address_list);
SITE_LIST_FOPS(ftrace_enabled, enabled_list);
SITE_LIST_FOPS(ftrace_touched, touched_list);
