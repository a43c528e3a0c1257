// SPDX-License-Identifier: GPL-2.0
/*
 * From what a user writes to call sites.
 *
 * A word is the name of a function, a pattern as glob_match() knows them, or
 * the number of a line of available_filter_functions; a "!" before it takes the
 * sites away instead of adding them.
 *
 * A name is looked up in the symbol table, which costs the same however many
 * sites there are. Only a pattern looks at the name of each site.
 */
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/module.h>

#include "internal.h"

/**
 * ftrace_site_name - the name of the function that a site belongs to
 * @ip: the site
 * @modname: set to its module's name, NULL for the kernel
 * @name: room for KSYM_NAME_LEN bytes
 *
 * Some sites have none: those of weak functions that were overridden are still
 * in the text, behind another function.
 * Context: any but NMI. Return: the name or NULL.
 */
const char *ftrace_site_name(unsigned long ip, char **modname, char *name)
{
	unsigned long size, offset;
	const char *found;

	found = kallsyms_lookup(ip, &size, &offset, modname, name);
	return found && offset <= FTRACE_SITE_MAX_OFFSET ? found : NULL;
}

/**
 * struct literal - a function name that is being looked up
 * @b: where its sites go
 * @name: the name
 */
struct literal {
	struct ftrace_set_builder *b;
	const char *name;
};

/* The symbol must be the one by which the lists know the site, not an alias. */
static int add_symbol(void *data, unsigned long addr)
{
	struct literal *literal = data;
	unsigned long ip = ftrace_site_of_symbol(addr);
	char name[KSYM_NAME_LEN];
	const char *canonical;
	char *modname;

	if (!ip)
		return 0;
	canonical = ftrace_site_name(ip, &modname, name);
	if (!canonical || strcmp(canonical, literal->name))
		return 0;
	return ftrace_set_builder_add(literal->b, ip);
}

static int add_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct literal *literal = data;

	return strcmp(name, literal->name) ? 0 : add_symbol(data, addr);
}

static int match_literal(struct ftrace_set_builder *b, const char *name)
{
	struct literal literal = { b, name };
	int err = kallsyms_on_each_match_symbol(add_symbol, name, &literal);

	if (err && err != -ESRCH)
		return err;
	return module_kallsyms_on_each_symbol(NULL, add_module_symbol, &literal);
}

static int match_pattern(struct ftrace_set_builder *b, const char *pattern)
{
	const struct ftrace_group *group;
	char name[KSYM_NAME_LEN];
	unsigned long ip;
	const char *found;
	unsigned int i;
	char *modname;
	int err = 0;

	list_for_each_entry(group, &ftrace_groups, list) {
		for (i = 0; i < group->nr && !err; i++) {
			ip = ftrace_site_ip(group, group->site + i);
			found = ftrace_site_name(ip, &modname, name);
			if (found && glob_match(pattern, found))
				err = ftrace_set_builder_add(b, ip);
		}
		cond_resched();
	}
	return err;
}

/* Lines are counted from 1, as editors do. */
static int match_line(struct ftrace_set_builder *b, unsigned long line)
{
	const struct ftrace_group *group;
	char name[KSYM_NAME_LEN];
	unsigned int i;
	char *modname;

	list_for_each_entry(group, &ftrace_groups, list) {
		for (i = 0; i < group->nr; i++) {
			unsigned long ip = ftrace_site_ip(group, group->site + i);

			if (ftrace_site_name(ip, &modname, name) && !--line)
				return ftrace_set_builder_add(b, ip);
		}
	}
	return 0;
}

static int match(struct ftrace_set_builder *b, const char *word)
{
	unsigned long line;

	if (strpbrk(word, "*?["))
		return match_pattern(b, word);
	if (isdigit(*word) && !kstrtoul(word, 0, &line))
		return line ? match_line(b, line) : 0;
	return match_literal(b, word);
}

/**
 * ftrace_match_word - add the sites that a word names, or take them away
 * @b: the set under construction
 * @word: the word
 *
 * Context: process context with ftrace_lock held.
 * Return: 0; -EINVAL if it names no site; -ENOMEM. On error @b is as before.
 */
int ftrace_match_word(struct ftrace_set_builder *b, char *word)
{
	struct ftrace_set_builder found = {};
	bool remove = *word == '!';
	unsigned long before = b->nr;
	int err;

	if (!remove) {
		err = match(b, word);
		if (!err && b->nr == before)
			return -EINVAL;
		if (err)
			b->nr = before;
		return err;
	}

	err = match(&found, word + 1);
	if (!err && !found.nr)
		err = -EINVAL;
	if (!err) {
		ftrace_set_builder_sort(&found);
		ftrace_set_builder_remove(b, &found);
	}
	ftrace_set_builder_free(&found);
	return err;
}
