/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From names and patterns to sites: match.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_MATCH_H
#define _KERNEL_TRACE_FTRACE_MATCH_H

#include <linux/string.h>

#include "set.h"

/**
 * struct ftrace_scope - a set of modules
 * @module: name or pattern of the modules; empty: all modules; with a leading "!": all modules that
 *	do not match, and the kernel
 * @only: if not NULL, only this module, provided that @module has it
 */
struct ftrace_scope {
	const char *module;
	struct module *only;
};

/* Is a word a pattern, to be compared with the names of all sites? */
static inline bool ftrace_is_pattern(const char *word)
{
	return strpbrk(word, "*?[\\");
}

bool ftrace_in_scope(const struct ftrace_scope *scope, struct module *mod);
int ftrace_match_scope(struct ftrace_set_builder *b, const char *func,
		       const struct ftrace_scope *scope, bool remove);
int ftrace_match_words(struct ftrace_set_builder *b, const char *text, size_t len,
		       size_t *taken);
int ftrace_deferred_arrived(struct ftrace_set_builder *b, struct module *mod);

/* ftrace_match_words() for one word. */
static inline int ftrace_match_word(struct ftrace_set_builder *b, const char *word)
{
	size_t taken;

	return ftrace_match_words(b, word, strlen(word) + 1, &taken);
}

#endif /* _KERNEL_TRACE_FTRACE_MATCH_H */
