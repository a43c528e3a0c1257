/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registered ops, and the rules for registering: registry.c, ipmodify.c, direct.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_REGISTRY_H
#define _KERNEL_TRACE_FTRACE_REGISTRY_H

#include <linux/ftrace.h>

#include "set.h"

int ftrace_may_register(struct ftrace_ops *ops);
int ftrace_register(struct ftrace_ops *ops);
int ftrace_unregister(struct ftrace_ops *ops);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

bool ftrace_share_site(const struct ftrace_ops *ops, const struct ftrace_filter *was,
		       const struct ftrace_filter *now, const struct ftrace_ops *other);
int ftrace_may_share(struct ftrace_ops *ops, const struct ftrace_filter *was,
		     const struct ftrace_filter *now, bool asked);

#else

/* No ops can change the effect of a function, so all can share sites. */
static inline int ftrace_may_share(struct ftrace_ops *ops, const struct ftrace_filter *was,
				   const struct ftrace_filter *now, bool asked)
{
	return 0;
}

#endif

/* Defined only with CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS. */
int ftrace_register_modifier(struct ftrace_ops *ops);
int ftrace_unregister_modifier(struct ftrace_ops *ops);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

static inline unsigned long ftrace_direct_call(const struct ftrace_ops *ops)
{
	return READ_ONCE(ops->direct_call);
}

#else

static inline unsigned long ftrace_direct_call(const struct ftrace_ops *ops)
{
	return 0;
}

#endif

#endif /* _KERNEL_TRACE_FTRACE_REGISTRY_H */
