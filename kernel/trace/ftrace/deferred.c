// SPDX-License-Identifier: GPL-2.0
/*
 * Filter patterns for modules that are not loaded yet: "func:mod:module".
 *
 * A set of sites keeps these patterns beside its sites. When a module is loaded whose name matches
 * a pattern, the module's sites that match it are added to the set. The pattern is then dropped,
 * even if no site matched.
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
 * ftrace_deferred_add - add a pattern to a list
 * @list: the list; patterns for the same module stay together, the latest comes first
 * @func: name or pattern of functions; empty: all
 * @module: the modules, as in struct ftrace_scope
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
 * ftrace_deferred_remove - remove patterns for a module from a list
 * @list: the list
 * @func: functions as they were given to ftrace_deferred_add(); "*" for any
 * @module: module as it was given to ftrace_deferred_add()
 *
 * Context: may sleep.
 * Return: true if there were such patterns.
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
 * ftrace_deferred_copy - append copies of patterns to a list
 * @to: the list
 * @from: the patterns to copy
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, with some of them copied.
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
 * ftrace_deferred_free - free a list of patterns
 * @deferred: the first pattern; or NULL
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
 * ftrace_deferred_possible - may a module be loaded later?
 * @module: name of the module
 *
 * Context: ftrace_lock held.
 * Return: false if the module is loaded, or if the kernel has no modules.
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
