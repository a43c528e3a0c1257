// SPDX-License-Identifier: GPL-2.0
/*
 * Finding the call sites that a user names.
 *
 * A word is the name of a function, a pattern of glob_match(), or the number of a line of
 * available_filter_functions. With a leading "!", it removes sites instead of adding them.
 *
 * Consecutive words that do the same are looked up together. A name is looked up in the symbol
 * table, at a cost that does not depend on the number of sites. Patterns, numbers and very many
 * names share one walk over all sites, which costs less for them.
 */
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stringhash.h>

#include "match.h"
#include "names.h"
#include "set.h"
#include "sites.h"

/* Looking up a name takes as long as passing this many sites in a walk. */
#define SITES_PER_NAME	32

/* Comparing a name with this many words takes less time than hashing it. */
#define FEW_WORDS	4

/**
 * struct word - a word that was written
 * @next: next word of the bucket, or next pattern
 * @text: the word, without a leading "!"
 * @line: number of a line; 0: it is a name or a pattern
 * @found: the word names a site
 */
struct word {
	struct word *next;
	const char *text;
	unsigned long line;
	bool found;
};

/**
 * struct lookup - words that are looked up together, and the sites that they name
 * @scope: the modules to look in; NULL: everywhere
 * @word: the words, in the order in which they were written
 * @nr: number of words
 * @nr_names: number of words that are names
 * @nr_lines: number of words that are numbers
 * @patterns: words that are patterns
 * @bucket: names and numbers by their hash
 * @bits: log2 of the number of buckets; 0: there are few words, and one bucket
 * @names: cursor for the names of sites
 * @symbols: addresses of symbols that have one of the names
 * @sites: sites that the words name
 */
struct lookup {
	const struct ftrace_scope *scope;
	struct word *word;
	unsigned int nr;
	unsigned int nr_names;
	unsigned int nr_lines;
	struct word *patterns;
	struct word **bucket;
	unsigned int bits;
	struct ftrace_names names;
	struct ftrace_set_builder symbols;
	struct ftrace_set_builder sites;
};

/*
 * Words, and which of them name a site
 */

static struct word **name_bucket(const struct lookup *l, const char *name)
{
	if (!l->bits)
		return l->bucket;
	return &l->bucket[hash_32(hashlen_hash(hashlen_string(NULL, name)), l->bits)];
}

static struct word **line_bucket(const struct lookup *l, unsigned long line)
{
	if (!l->bits)
		return l->bucket;
	return &l->bucket[hash_long(line, l->bits)];
}

static const char *first_word(const char *text, const char *end)
{
	while (text < end && !*text)
		text++;
	return text;
}

static const char *next_word(const char *word, const char *end)
{
	return first_word(word + strlen(word), end);
}

/* Split a text into words, and skip the first @skip characters of each. */
static int split_words(struct lookup *l, const char *text, const char *end, unsigned int skip)
{
	const char *word;

	l->nr = 0;
	for (word = first_word(text, end); word < end; word = next_word(word, end))
		l->nr++;
	l->bits = l->nr > FEW_WORDS ? ilog2(l->nr) + 1 : 0;
	l->word = kvcalloc(l->nr, sizeof(*l->word), GFP_KERNEL);
	l->bucket = kvcalloc(1 << l->bits, sizeof(*l->bucket), GFP_KERNEL);
	if (!l->word || !l->bucket)
		return -ENOMEM;
	l->nr = 0;
	for (word = first_word(text, end); word < end; word = next_word(word, end))
		l->word[l->nr++].text = word + skip;
	return 0;
}

/* Put a word where want() looks for it. A "0" counts as a name, which no function has. */
static void file_word(struct lookup *l, struct word *w)
{
	struct word **list;

	if (isdigit(*w->text) && !kstrtoul(w->text, 0, &w->line) && w->line) {
		l->nr_lines++;
		list = line_bucket(l, w->line);
	} else if (ftrace_is_pattern(w->text)) {
		list = &l->patterns;
	} else {
		l->nr_names++;
		list = name_bucket(l, w->text);
	}
	w->next = *list;
	*list = w;
}

static void file_words(struct lookup *l)
{
	unsigned int i;

	l->nr_names = 0;
	l->nr_lines = 0;
	l->patterns = NULL;
	memset(l->bucket, 0, sizeof(*l->bucket) << l->bits);
	for (i = 0; i < l->nr; i++)
		file_word(l, &l->word[i]);
}

static unsigned int first_unknown(const struct lookup *l)
{
	unsigned int i = 0;

	while (i < l->nr && l->word[i].found)
		i++;
	return i;
}

/* The first word from @w on that is this name. */
static struct word *find_name(struct word *w, const char *name)
{
	while (w && (w->line || strcmp(w->text, name)))
		w = w->next;
	return w;
}

static bool want_name(const struct lookup *l, const char *name)
{
	struct word *first = find_name(*name_bucket(l, name), name), *w;

	for (w = first; w; w = find_name(w->next, name))
		w->found = true;
	return first;
}

static bool want_line(const struct lookup *l, unsigned long line)
{
	bool wanted = false;
	struct word *w;

	for (w = *line_bucket(l, line); w; w = w->next)
		if (w->line == line)
			w->found = wanted = true;
	return wanted;
}

static bool want_match(const struct lookup *l, const char *name)
{
	bool wanted = false;
	struct word *w;

	for (w = l->patterns; w; w = w->next)
		if (!(wanted && w->found) && glob_match(w->text, name))
			w->found = wanted = true;
	return wanted;
}

/* Does any word name the site? All words that do are marked as found. */
static bool want(const struct lookup *l, const char *name, unsigned long line)
{
	bool wanted = l->nr_lines && want_line(l, line);

	if (l->nr_names)
		wanted |= want_name(l, name);
	return wanted | want_match(l, name);
}

/*
 * Walking over all sites
 */

/**
 * ftrace_in_scope - is a module in a scope?
 * @scope: the scope
 * @mod: the module; NULL: the kernel
 *
 * Context: any.
 * Return: true if it is.
 */
bool ftrace_in_scope(const struct ftrace_scope *scope, struct module *mod)
{
	const char *pattern = scope->module;
	bool others = *pattern == '!';

	if (scope->only && scope->only != mod)
		return false;
	pattern += others;
	return others != (mod && (!*pattern || glob_match(pattern, module_name(mod))));
}

/*
 * Lines are counted from 1, and only lines that are listed count. They are lines of the whole list,
 * whatever the scope; but for a module that was just loaded, other modules' sites are not added.
 */
static int walk_group(struct lookup *l, const struct ftrace_group *group, unsigned long *line)
{
	bool here = !l->scope || !l->scope->only || l->scope->only == group->mod;
	bool by_name = l->nr_names || l->patterns;
	const struct dyn_ftrace *site;
	const char *name;
	int err = 0;

	for (site = group->site; site < group->site + group->nr && !err; site++) {
		if (by_name)
			name = ftrace_name(&l->names, group, site);
		else
			name = ftrace_has_name(&l->names, group, site) ? "" : NULL;
		if (name && want(l, name, ++*line) && here)
			err = ftrace_set_builder_add(&l->sites, ftrace_site_ip(group, site));
		if (!((site - group->site) % 1024))
			cond_resched();
	}
	return err;
}

static int walk_sites(struct lookup *l)
{
	const struct ftrace_group *group;
	unsigned long line = 0;
	int err;

	list_for_each_entry(group, &ftrace_groups, list) {
		if (l->scope && !l->nr_lines && !ftrace_in_scope(l->scope, group->mod))
			continue;
		err = walk_group(l, group, &line);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Looking names up in the symbol table
 */

static int note_symbol(void *data, unsigned long addr)
{
	struct lookup *l = data;

	return ftrace_set_builder_add(&l->symbols, addr);
}

static int note_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct lookup *l = data;

	return find_name(*name_bucket(l, name), name) ? note_symbol(l, addr) : 0;
}

static int find_symbols(struct lookup *l)
{
	unsigned int i;
	int err;

	for (i = 0; i < l->nr; i++) {
		err = kallsyms_on_each_match_symbol(note_symbol, l->word[i].text, l);
		if (err && err != -ESRCH)
			return err;
	}
	if (!IS_ENABLED(CONFIG_MODULES))
		return 0;
	return module_kallsyms_on_each_symbol(NULL, note_module_symbol, l);
}

/* The symbol has to be the one by which the site is listed, not an alias. */
static int add_site_of(struct lookup *l, unsigned long addr)
{
	const struct ftrace_group *group = ftrace_group_of(addr);
	const struct dyn_ftrace *site;
	const char *name;

	site = group ? ftrace_find_site(group, addr, addr + FTRACE_SITE_MAX_OFFSET) : NULL;
	name = site ? ftrace_name(&l->names, group, site) : NULL;
	if (!name || !want_name(l, name))
		return 0;
	return ftrace_set_builder_add(&l->sites, ftrace_site_ip(group, site));
}

static int look_up_symbols(struct lookup *l)
{
	unsigned long i;
	int err = find_symbols(l);

	ftrace_set_builder_sort(&l->symbols);
	for (i = 0; i < l->symbols.nr && !err; i++)
		err = add_site_of(l, l->symbols.ip[i]);
	return err;
}

static bool walk_is_better(const struct lookup *l)
{
	const struct ftrace_group *group;
	unsigned long nr = 0;

	if (l->scope || l->patterns || l->nr_lines)
		return true;
	list_for_each_entry(group, &ftrace_groups, list)
		nr += group->nr;
	return l->nr_names > nr / SITES_PER_NAME;
}

static int look_up_all(struct lookup *l)
{
	file_words(l);
	return walk_is_better(l) ? walk_sites(l) : look_up_symbols(l);
}

/*
 * Find the sites that the words name. If a word names none, find those of the l->nr words before
 * it, and return -EINVAL. This needs a second look-up, as l->sites does not tell which word named a
 * site. Without it, texts_match of match_test.c fails at "vfs_rea[d] nosuch* vfs_write", which
 * would add vfs_write, too.
 */
static int look_up(struct lookup *l)
{
	unsigned int nr = l->nr;
	int err = look_up_all(l);

	if (err)
		return err;
	l->nr = first_unknown(l);
	if (l->nr == nr)
		return 0;
	ftrace_set_builder_free(&l->symbols);
	ftrace_set_builder_free(&l->sites);
	return (l->nr ? look_up_all(l) : 0) ?: -EINVAL;
}

static void end_lookup(struct lookup *l)
{
	kvfree(l->word);
	kvfree(l->bucket);
	l->word = NULL;
	l->bucket = NULL;
	ftrace_set_builder_free(&l->symbols);
	ftrace_set_builder_free(&l->sites);
}

static void free_lookup(struct lookup *l)
{
	end_lookup(l);
	ftrace_names_free(&l->names);
	kfree(l);
}

DEFINE_FREE(free_lookup, struct lookup *, if (_T) free_lookup(_T))

/* Sort a builder when it has at least this many sites that may be repetitions. */
#define MANY_SITES	4096

static int add_sites(struct ftrace_set_builder *b, const struct lookup *l)
{
	int err = ftrace_set_builder_append(b, l->sites.ip, l->sites.nr);

	/* User space may write the same words any number of times. */
	if (b->nr > 2 * b->sorted + MANY_SITES)
		ftrace_set_builder_sort(b);
	return err;
}

static void remove_sites(struct ftrace_set_builder *b, struct lookup *l)
{
	ftrace_set_builder_sort(&l->sites);
	ftrace_set_builder_remove(b, &l->sites);
}

/*
 * Add or remove the sites that the words name. If a word names no site, do so for the l->nr words
 * before it, and return -EINVAL.
 */
static int change(struct ftrace_set_builder *b, struct lookup *l, bool remove)
{
	int err = look_up(l);

	if (err && err != -EINVAL)
		return err;
	if (remove)
		remove_sites(b, l);
	else
		err = add_sites(b, l) ?: err;
	return err;
}

/**
 * ftrace_match_words - add the sites that words name, or remove them
 * @b: the set under construction
 * @text: words, each with its NUL
 * @len: length of @text
 * @taken: set to the offset of the word that was refused; @len if none was
 *
 * Context: process context with ftrace_lock held; early boot.
 * Return: 0; -EINVAL for a word that names no site; -ENOMEM. Words before @taken have changed @b,
 * later words have not.
 */
int ftrace_match_words(struct ftrace_set_builder *b, const char *text, size_t len,
		       size_t *taken)
{
	struct lookup *l __free(free_lookup) = kzalloc(sizeof(*l), GFP_KERNEL);
	const char *end = text + len, *word, *next;
	int err = l ? 0 : -ENOMEM;

	for (word = first_word(text, end); word < end && !err; word = next) {
		bool remove = *word == '!';

		for (next = word; next < end && (*next == '!') == remove; )
			next = next_word(next, end);
		err = split_words(l, word, next, remove) ?: change(b, l, remove);
		if (err == -EINVAL)
			next = l->word[l->nr].text - remove;
		else if (err)
			next = word;
		end_lookup(l);
	}
	*taken = word - text;
	return err;
}

/**
 * ftrace_match_scope - add the sites that a word names in some modules, or remove them
 * @b: the set under construction
 * @func: a name or pattern; empty: all
 * @scope: the modules
 * @remove: true: remove the sites
 *
 * Context: process context with ftrace_lock held.
 * Return: 0; -EINVAL if there is no such site; -ENOMEM. After an error, @b is unchanged.
 */
int ftrace_match_scope(struct ftrace_set_builder *b, const char *func,
		       const struct ftrace_scope *scope, bool remove)
{
	struct lookup *l __free(free_lookup) = kzalloc(sizeof(*l), GFP_KERNEL);

	if (!l)
		return -ENOMEM;
	l->scope = scope;
	if (!*func)
		func = "*";
	return split_words(l, func, func + strlen(func) + 1, 0) ?: change(b, l, remove);
}

/**
 * ftrace_deferred_arrived - add the sites in a new module that match deferred patterns
 * @b: a set under construction, with its patterns; patterns that match the module are dropped
 * @mod: the module
 *
 * Context: process context with ftrace_lock held; the module's sites are live.
 * Return: 0; -ENOMEM, and then some of the patterns were dropped.
 */
int ftrace_deferred_arrived(struct ftrace_set_builder *b, struct module *mod)
{
	struct ftrace_deferred *deferred, **list = &b->deferred;
	struct ftrace_scope scope = { .only = mod };

	while ((deferred = *list)) {
		scope.module = deferred->module;
		if (!ftrace_in_scope(&scope, mod)) {
			list = &deferred->next;
			continue;
		}
		if (ftrace_match_scope(b, deferred->func, &scope, false) == -ENOMEM)
			return -ENOMEM;
		*list = deferred->next;
		kfree(deferred);
		b->lost = true;
	}
	return 0;
}
