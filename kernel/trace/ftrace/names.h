/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From sites to names: names.c, init_names.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_NAMES_H
#define _KERNEL_TRACE_FTRACE_NAMES_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include "sites.h"

/**
 * struct ftrace_names - where one who asks for the names of sites has got to
 * @kernel: at the symbol of the latest site of the kernel's
 * @group: text of a module whose names are in @text; NULL: none
 * @gone: ftrace_text_gone when they were put there
 * @at: for each site of @group, where in @text its name begins; 0: it has none
 * @text: names, each with its NUL, behind two bytes that say how far it is to the site
 * @used: bytes used of @text
 * @room: and its size
 * @name: the latest name, if it is not in @text
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
