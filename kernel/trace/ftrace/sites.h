/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of call sites: sites.c.
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
 * @offset: offset from the start of its group's text, in bytes
 * @flags: DYN_FTRACE_* and, below them, the number of ops that want the site
 */
struct dyn_ftrace {
	u32 offset;
	u32 flags;
};
static_assert(sizeof(struct dyn_ftrace) == 8);

#define DYN_FTRACE_ENABLED	BIT(31)		/* the site is a call */
#define DYN_FTRACE_TOUCHED	BIT(30)		/* the site has been a call before */
#define DYN_FTRACE_MODIFIED	BIT(29)		/* its ops could change the function's effect */
#define DYN_FTRACE_COUNT	GENMASK(23, 0)	/* number of ops that want the site */

/**
 * struct ftrace_group - the sites of one stretch of text
 * @list: in ftrace_groups; readers need ftrace_lock or RCU
 * @mod: the module; NULL: the kernel
 * @start: the text's first address
 * @end: one past its last address
 * @live: the text may be patched; for a module, false until ftrace_module_enable()
 * @come: value of ftrace_modules_come after the module was loaded and counted
 * @rcu: frees the group after a grace period
 * @nr: number of sites
 * @site: the records, ascending by address; they never move
 */
struct ftrace_group {
	struct list_head list;
	struct module *mod;
	unsigned long start;
	unsigned long end;
	bool live;
	unsigned int come;
	struct rcu_head rcu;
	unsigned int nr;
	struct dyn_ftrace site[] __counted_by(nr);
};

extern struct list_head ftrace_groups;

/* How often text was freed, and how many modules were loaded. Under ftrace_lock. */
extern unsigned int ftrace_text_gone;
extern unsigned int ftrace_modules_come;

static inline unsigned long ftrace_site_ip(const struct ftrace_group *group,
					   const struct dyn_ftrace *site)
{
	return group->start + site->offset;
}

/*
 * Is @site the site of the function whose symbol is at @func, with no other symbol in between? If
 * another site is between them, @site is in a function that the linker dropped, with its symbol.
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

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

/* The ops that a site calls, if it is enabled; otherwise the pointer means nothing. */
static inline struct ftrace_ops *ftrace_site_points_to(unsigned long ip)
{
	return READ_ONCE(*ftrace_site_ops(ip));
}

/* The ops that a site calls; NULL if it calls none. */
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

/* Sites have no ops of their own. */
static inline struct ftrace_ops *ftrace_site_caller(unsigned long ip,
						    const struct dyn_ftrace *site)
{
	return NULL;
}

#endif

#endif /* _KERNEL_TRACE_FTRACE_SITES_H */
