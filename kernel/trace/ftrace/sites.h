/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the sites are: sites.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_SITES_H
#define _KERNEL_TRACE_FTRACE_SITES_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/ftrace_patch.h>
#include <linux/list.h>
#include <linux/rcupdate.h>

/**
 * struct dyn_ftrace - one call site
 * @offset: from the start of its group's text
 * @flags: DYN_FTRACE_* and, below them, how many ops want the site
 */
struct dyn_ftrace {
	u32 offset;
	u32 flags;
};
static_assert(sizeof(struct dyn_ftrace) == 8);

#define DYN_FTRACE_ENABLED	BIT(31)		/* the site is a call */
#define DYN_FTRACE_TOUCHED	BIT(30)		/* it has been one before */
#define DYN_FTRACE_MODIFIED	BIT(29)		/* somebody could change what the function does */
#define DYN_FTRACE_COUNT	GENMASK(23, 0)	/* ops that want it */

/**
 * struct ftrace_group - the sites of one stretch of text
 * @list: in ftrace_groups; readers need ftrace_lock or RCU
 * @mod: the module, NULL: the kernel
 * @start: the text's first address
 * @end: one past its last address
 * @live: its text may be patched; until a module is coming, it may not
 * @come: how many modules had come with that, this one included: ftrace_modules_come
 * @nr: how many sites
 * @site: the records, ascending by address; they never move
 * @rcu: frees it when no reader can have it any more
 */
struct ftrace_group {
	struct list_head list;
	struct module *mod;
	unsigned long start;
	unsigned long end;
	bool live;
	unsigned int come;
	unsigned int nr;
	struct dyn_ftrace *site;
	struct rcu_head rcu;
};

extern struct list_head ftrace_groups;

/* How often text went away, and how many modules have come; ftrace_lock. */
extern unsigned int ftrace_text_gone;
extern unsigned int ftrace_modules_come;

static inline unsigned long ftrace_site_ip(const struct ftrace_group *group,
					   const struct dyn_ftrace *site)
{
	return group->start + site->offset;
}

/*
 * Is it the site of the function whose symbol is at @func, no other symbol being
 * between them? If there is one before it, this one is in a function that the linker
 * dropped, without a symbol.
 */
static inline bool ftrace_site_is_of(const struct ftrace_group *group,
				     const struct dyn_ftrace *site, unsigned long func)
{
	if (ftrace_site_ip(group, site) - func > FTRACE_SITE_MAX_OFFSET)
		return false;
	return site == group->site || ftrace_site_ip(group, site - 1) < func;
}

struct ftrace_group *ftrace_group_of(unsigned long ip);
struct dyn_ftrace *ftrace_find_site(const struct ftrace_group *group,
				    unsigned long start, unsigned long end);
struct dyn_ftrace *ftrace_next_site(const struct ftrace_group *group,
				    const struct dyn_ftrace *from, unsigned long ip);
void ftrace_total_info(unsigned long *sites, unsigned long *pages, unsigned long *groups);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

/* Whom a site calls while it is enabled; otherwise that means nothing. */
static inline struct ftrace_ops *ftrace_site_points_to(unsigned long ip)
{
	return READ_ONCE(*ftrace_site_ops(ip));
}

/* Whom a site calls, NULL: nobody. */
static inline struct ftrace_ops *ftrace_site_caller(unsigned long ip,
						    const struct dyn_ftrace *site)
{
	return site->flags & DYN_FTRACE_ENABLED ? ftrace_site_points_to(ip) : NULL;
}

#else

static inline struct ftrace_ops *ftrace_site_points_to(unsigned long ip)
{
	return READ_ONCE(ftrace_trace_ops);
}

/* No site calls anybody of its own. */
static inline struct ftrace_ops *ftrace_site_caller(unsigned long ip,
						    const struct dyn_ftrace *site)
{
	return NULL;
}

#endif

#endif /* _KERNEL_TRACE_FTRACE_SITES_H */
