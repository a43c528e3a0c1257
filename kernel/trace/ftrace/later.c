// SPDX-License-Identifier: GPL-2.0
/*
 * Words about modules that are not there yet: "func:mod:module".
 *
 * A set of sites remembers them, beside the sites that it has. When a module comes
 * that a word is about, the sites that it names there are added, and the word is
 * done with, whether or not there were any.
 */
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

static struct ftrace_later *new_later(const char *func, const char *module)
{
	size_t len = strlen(func) + 1;
	struct ftrace_later *later;

	later = kzalloc(struct_size(later, func, len + strlen(module) + 1), GFP_KERNEL);
	if (later) {
		strcpy(later->func, func);
		later->module = strcpy(later->func + len, module);
	}
	return later;
}

/**
 * ftrace_later_add - remember a word
 * @list: where; words about the same module stay together, the latest comes first
 * @func: the functions that it names; empty: all
 * @module: and the module
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int ftrace_later_add(struct ftrace_later **list, const char *func, const char *module)
{
	struct ftrace_later *later = new_later(func, module), **at = list;

	if (!later)
		return -ENOMEM;
	while (*at && strcmp((*at)->module, module))
		at = &(*at)->next;
	if (!*at)
		at = list;
	later->next = *at;
	*at = later;
	return 0;
}

/**
 * ftrace_later_remove - forget words about a module
 * @list: from here
 * @func: as they were given to ftrace_later_add(), or "*" for any
 * @module: as it was given there
 *
 * Context: may sleep.
 * Return: were there any?
 */
bool ftrace_later_remove(struct ftrace_later **list, const char *func, const char *module)
{
	bool any = !strcmp(func, "*"), found = false;
	struct ftrace_later *later;

	while ((later = *list)) {
		if (strcmp(later->module, module) || !(any || !strcmp(later->func, func))) {
			list = &later->next;
			continue;
		}
		*list = later->next;
		kfree(later);
		found = true;
	}
	return found;
}

/**
 * ftrace_later_copy - append copies
 * @to: to these words
 * @from: of these
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM, with some of them copied.
 */
int ftrace_later_copy(struct ftrace_later **to, const struct ftrace_later *from)
{
	while (*to)
		to = &(*to)->next;
	for (; from; from = from->next) {
		*to = new_later(from->func, from->module);
		if (!*to)
			return -ENOMEM;
		to = &(*to)->next;
	}
	return 0;
}

/**
 * ftrace_later_free - free words
 * @later: the first of a list, all of which go; or NULL
 *
 * Context: may sleep.
 */
void ftrace_later_free(struct ftrace_later *later)
{
	struct ftrace_later *next;

	for (; later; later = next) {
		next = later->next;
		kfree(later);
	}
}

/**
 * ftrace_later_possible - may a module still come?
 * @module: its name
 *
 * Context: ftrace_lock held.
 * Return: false if it is there, or none ever comes.
 */
bool ftrace_later_possible(const char *module)
{
#ifdef CONFIG_MODULES
	struct module *mod;

	guard(preempt)();
	mod = find_module(module);
	return !mod || module_is_coming(mod);
#else
	return false;
#endif
}
