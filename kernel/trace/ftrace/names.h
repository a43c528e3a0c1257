/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the names of sites: names.c, init_names.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_NAMES_H
#define _KERNEL_TRACE_FTRACE_NAMES_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include "sites.h"

/**
 * struct ftrace_names - a cursor for the names of sites
 * @kernel: position at the symbol of the kernel's site of the last call
 * @group: sites of a module whose names are in @text; NULL: none
 * @gone: value of ftrace_text_gone when the names were copied
 * @at: for each site of @group, the offset of its name in @text; 0: it has no name
 * @text: names, each with its NUL, after two bytes with the distance to the site
 * @used: number of bytes used of @text
 * @room: size of @text
 * @name: the last name, if it is not in @text
 */
struct ftrace_names {
	struct kallsyms_cursor kernel;
	const struct ftrace_group *group;
	unsigned int gone;
	u32 *at;
	char *text;
	size_t used;
	size_t room;
	char name[KSYM_NAME_LEN];
};

const char *ftrace_name(struct ftrace_names *n, const struct ftrace_group *group,
			const struct dyn_ftrace *site);
bool ftrace_has_name(struct ftrace_names *n, const struct ftrace_group *group,
		     const struct dyn_ftrace *site);
bool ftrace_show_name(struct seq_file *m, struct ftrace_names *n,
		      const struct ftrace_group *group, const struct dyn_ftrace *site);
bool ftrace_show_site(struct seq_file *m, struct ftrace_names *n, unsigned long ip);
void ftrace_names_free(struct ftrace_names *n);

void ftrace_keep_init_names(struct module *mod, unsigned long start, unsigned long end);
void ftrace_forget_init_names(const struct module *mod);

#endif /* _KERNEL_TRACE_FTRACE_NAMES_H */
