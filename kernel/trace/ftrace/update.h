/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a change of the sites that an ops wants to patched text: visit.c, update.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_UPDATE_H
#define _KERNEL_TRACE_FTRACE_UPDATE_H

#include <linux/ftrace.h>
#include <linux/gfp_types.h>

#include "set.h"
#include "sites.h"

/**
 * struct ftrace_wanted - the sites that an ops wants, for looking up many sites in ascending order
 * @filter: the filter of the ops; NULL: the ops wants no site
 * @only: index of the last look-up in @filter->only
 * @except: index of the last look-up in @filter->except
 */
struct ftrace_wanted {
	const struct ftrace_filter *filter;
	unsigned long only;
	unsigned long except;
};

/**
 * struct ftrace_change - a change that is being applied
 * @ops: the ops whose sites change
 * @was: the sites that @ops wanted before the change
 * @now: the sites that @ops wants after the change
 * @visit: called for each site that is affected
 * @marks: flags to set in sites that are enabled
 * @joins: the last site visited gets @ops; false: it loses @ops
 * @from: the ops that the last site visited called before the change
 * @to: the ops that this site is to call; most sites have the same @from and @to as the site before
 * @gfp: flags for allocations beside GFP_KERNEL: the second pass must not fail, and does not have
 *	to allocate much
 * @moved: number of sites in a row that went from @from to @to
 * @mod: the module of the sites in the batch
 * @nr: number of sites in the batch
 */
struct ftrace_change {
	struct ftrace_ops *ops;
	struct ftrace_wanted was;
	struct ftrace_wanted now;
	int (*visit)(struct ftrace_change *c, struct ftrace_group *group,
		     struct dyn_ftrace *site, bool joins);
	u32 marks;
	bool joins;
	struct ftrace_ops *from;
	struct ftrace_ops *to;
	gfp_t gfp;
	unsigned long moved;
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
