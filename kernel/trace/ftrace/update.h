/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a change of wishes to patched text: visit.c, update.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_UPDATE_H
#define _KERNEL_TRACE_FTRACE_UPDATE_H

#include <linux/ftrace.h>
#include <linux/gfp_types.h>

#include "set.h"
#include "sites.h"

/**
 * struct ftrace_wish - which sites are wanted, for who asks about many in order
 * @filter: these; NULL: none
 * @only: where in @filter->only the last one was
 * @except: where in @filter->except
 */
struct ftrace_wish {
	const struct ftrace_filter *filter;
	unsigned long only;
	unsigned long except;
};

/**
 * struct ftrace_change - a change on its way
 * @ops: whose wishes change
 * @was: which sites it wanted
 * @now: which it wants
 * @visit: what to do with each site that is affected
 * @marks: flags that sites get which are enabled
 * @joins: the last site visited gets @ops; otherwise it loses it
 * @from: whom the last site visited called
 * @to: whom such a site is to call; most sites are as the one before
 * @gfp: how to allocate, beside GFP_KERNEL: the second pass must not fail, and need not
 *	allocate much
 * @run: how many sites in a row went from @from to @to
 * @mod: whose sites are in the batch
 * @nr: how many there are
 */
struct ftrace_change {
	struct ftrace_ops *ops;
	struct ftrace_wish was;
	struct ftrace_wish now;
	int (*visit)(struct ftrace_change *c, struct ftrace_group *group,
		     struct dyn_ftrace *site, bool joins);
	u32 marks;
	bool joins;
	struct ftrace_ops *from;
	struct ftrace_ops *to;
	gfp_t gfp;
	unsigned long run;
	struct module *mod;
	unsigned int nr;
};

int ftrace_visit_sites(struct ftrace_change *c, struct ftrace_group *only);
int ftrace_update(struct ftrace_ops *ops, const struct ftrace_filter *was,
		  const struct ftrace_filter *now);
void ftrace_update_back(struct ftrace_ops *ops, const struct ftrace_filter *now,
			const struct ftrace_filter *was);
int ftrace_update_group(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			struct ftrace_group *group);
int ftrace_update_direct(struct ftrace_ops *ops, unsigned long addr);

#endif /* _KERNEL_TRACE_FTRACE_UPDATE_H */
