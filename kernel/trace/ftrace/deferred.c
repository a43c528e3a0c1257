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

#include "set.h"

static struct ftrace_deferred *new_deferred(const char *func, const char *module)
{
	size_t len = strlen(func) + 1;
	struct ftrace_deferred *deferred;

	deferred = kzalloc(struct_size(deferred, func, len + strlen(module) + 1), GFP_KERNEL);
	if (deferred) {
		strcpy(deferred->func, func);
		deferred->module = strcpy(deferred->func + len, module);
	}
	return deferred;
}

/**
 * ftrace_deferred_add - remember a word
 * @list: where; words about the same module stay together, the latest comes first
 * @func: the functions that it names; empty: all
 * @module: and the module
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int ftrace_deferred_add(struct ftrace_deferred **list, const char *func, const char *module)
{
	struct ftrace_deferred *deferred = new_deferred(func, module), **at = list;

	if (!deferred)
		return -ENOMEM;
	while (*at && strcmp((*at)->module, module))
		at = &(*at)->next;
	if (!*at)
		at = list;
	deferred->next = *at;
	*at = deferred;
	return 0;
}

/**
 * ftrace_deferred_remove - forget words about a module
 * @list: from here
 * @func: as they were given to ftrace_deferred_add(), or "*" for any
 * @module: as it was given there
 *
 * Context: may sleep.
 * Return: were there any?
 */
bool ftrace_deferred_remove(struct ftrace_deferred **list, const char *func, const char *module)
{
	bool any = !strcmp(func, "*"), found = false;
	struct ftrace_deferred *deferred;

	while ((deferred = *list)) {
		if (strcmp(deferred->module, module) || !(any || !strcmp(deferred->func, func))) {
			list = &deferred->next;
			continue;
		}
		*list = deferred->next;
		kfree(deferred);
		found = true;
	}
	return found;
}

/**
 * ftrace_deferred_copy - append copies
 * @to: to these words
 * @from: of these
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM, with some of them copied.
 */
int ftrace_deferred_copy(struct ftrace_deferred **to, const struct ftrace_deferred *from)
{
	while (*to)
		to = &(*to)->next;
	for (; from; from = from->next) {
		*to = new_deferred(from->func, from->module);
		if (!*to)
			return -ENOMEM;
		to = &(*to)->next;
	}
	return 0;
}

/**
 * ftrace_deferred_free - free words
 * @deferred: the first of a list, all of which go; or NULL
 *
 * Context: may sleep.
 */
void ftrace_deferred_free(struct ftrace_deferred *deferred)
{
	struct ftrace_deferred *next;

	for (; deferred; deferred = next) {
		next = deferred->next;
		kfree(deferred);
	}
}

/**
 * ftrace_deferred_possible - may a module still come?
 * @module: its name
 *
 * Context: ftrace_lock held.
 * Return: false if it is there, or none ever comes.
 */
bool ftrace_deferred_possible(const char *module)
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
