/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batches of sites: patch.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_PATCH_H
#define _KERNEL_TRACE_FTRACE_PATCH_H

#include <linux/ftrace_patch.h>

/**
 * struct ftrace_patch - one call site in a batch
 * @ip: the site
 * @from: the ops that it calls now; NULL: the site is off
 * @to: the ops that it is to call; NULL: switch the site off
 */
struct ftrace_patch {
	unsigned long ip;
	struct ftrace_ops *from;
	struct ftrace_ops *to;
};

int ftrace_prepare_sites(struct module *mod, const unsigned long *ip, unsigned int nr,
			 struct ftrace_fault *fault);
int ftrace_patch_sites(struct module *mod, const struct ftrace_patch *patch,
		       unsigned int nr, struct ftrace_fault *fault);
void ftrace_bug(const struct ftrace_fault *fault, const char *what);

#endif /* _KERNEL_TRACE_FTRACE_PATCH_H */
