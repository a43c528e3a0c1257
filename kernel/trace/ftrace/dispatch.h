/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ops that a site calls: opset.c, or oplist.c if sites hold no pointer. Waiting until no CPU
 * still loads or calls an ops that was replaced: synchronize.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_DISPATCH_H
#define _KERNEL_TRACE_FTRACE_DISPATCH_H

#include <linux/ftrace.h>
#include <linux/ftrace_patch.h>
#include <linux/rcupdate.h>

#include "ftrace.h"
#include "set.h"

struct dyn_ftrace;
struct ftrace_change;
struct ftrace_group;
struct ftrace_patch;

/* The ops of a direct call. */
#define FTRACE_OPS_FL_DIRECT	FTRACE_OPS_FL_PRIVATE

/* Flags that enabled_functions shows. */
#define FTRACE_OPS_FL_VISIBLE \
	(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)

/* The ops of a user of function graph: graph.c. */
#define FTRACE_OPS_FL_GRAPH	(FTRACE_OPS_FL_PRIVATE << 1)

/* An ops with one of these flags may change the effect of a function. */
#define FTRACE_OPS_FL_MODIFIES	(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)

/* Does an ops rely on arch_ftrace_ops_list_func() for some checks? */
static inline bool ftrace_ops_needs_list(const struct ftrace_ops *ops)
{
	return ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_PID);
}

static inline bool ftrace_task_is_wanted(void)
{
	struct task_struct *wanted = raw_cpu_read(ftrace_pid_task);

	return !wanted || wanted == current;
}

/* May an ops be called for this call? Checks all but recursion. Preemption is off. */
static __always_inline bool ftrace_ops_wants_call(const struct ftrace_ops *ops)
{
	if (likely(!(ops->flags & (FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_PID))))
		return true;
	return (!(ops->flags & FTRACE_OPS_FL_RCU) || rcu_is_watching()) &&
	       (!(ops->flags & FTRACE_OPS_FL_PID) || ftrace_task_is_wanted());
}

void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *caller, struct ftrace_regs *fregs);
int ftrace_opset_plan(struct ftrace_change *c, struct ftrace_group *only);
bool ftrace_opset_step(struct ftrace_change *c, struct dyn_ftrace *site, bool joins,
		       struct ftrace_patch *patch);
void ftrace_opset_drain(void);
void ftrace_opset_reap(void);
void ftrace_opset_abandon(void);
unsigned long ftrace_site_ops_flags(unsigned long ip, const struct dyn_ftrace *site);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

void ftrace_opset_end(struct ftrace_change *c);
void ftrace_opset_site_gone(unsigned long ip, const struct dyn_ftrace *site);
bool ftrace_is_opset(const struct ftrace_ops *caller);
unsigned int ftrace_nr_opsets(void);
const struct ftrace_ops *ftrace_opset_direct(const struct ftrace_ops *caller);

static inline void ftrace_opset_refresh(const struct ftrace_filter *filter) { }

/* Only holders of ftrace_lock look into sets, so a set can be freed at once. */
static inline void ftrace_set_retire(struct ftrace_set *set)
{
	ftrace_set_free(set);
}

#else

void ftrace_oplist_change(struct ftrace_ops *ops, const struct ftrace_filter *filter);
void ftrace_opset_refresh(const struct ftrace_filter *filter);
void ftrace_set_retire(struct ftrace_set *set);

static inline void ftrace_opset_end(struct ftrace_change *c) { }
static inline void ftrace_opset_site_gone(unsigned long ip, const struct dyn_ftrace *site) { }
static inline bool ftrace_is_opset(const struct ftrace_ops *caller) { return true; }

static inline const struct ftrace_ops *ftrace_opset_direct(const struct ftrace_ops *caller)
{
	return NULL;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */

void ftrace_synchronize(void);

#endif /* _KERNEL_TRACE_FTRACE_DISPATCH_H */
