// SPDX-License-Identifier: GPL-2.0
/*
 * From what a user writes to call sites.
 *
 * A word is the name of a function, a pattern as glob_match() knows them, or
 * the number of a line of available_filter_functions; a "!" before it takes the
 * sites away instead of adding them.
 *
 * Words that follow each other and do the same are looked up together. A name is
 * looked up in the symbol table, which costs the same however many sites there are.
 * Patterns, numbers and very many names are better off with one walk over all sites,
 * which they share.
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

/* As many sites are passed in a walk in the time that it takes to look up a name. */
#define SITES_PER_NAME	32

/* To compare a name with as many words takes less time than to hash it. */
#define FEW_WORDS	4

/**
 * struct wish - a word
 * @next: another of its kind
 * @text: a name or a pattern, NULL for a number
 * @line: the number
 * @found: it names a site
 */
struct wish {
	struct wish *next;
	const char *text;
	unsigned long line;
	bool found;
};

/**
 * struct batch - words that are looked up together
 * @to: what they name goes here
 * @scope: where they look; NULL: everywhere
 * @only: nothing but what is in this module is added; NULL: all
 * @wish: the words, in the order in which they were written
 * @nr: how many
 * @nr_names: how many of them are names
 * @nr_lines: how many are numbers
 * @patterns: those that are patterns
 * @bucket: names and numbers by their hash
 * @bits: log2 of the number of buckets; 0: few words are all in one, and nothing is hashed
 * @names: how the sites are called
 */
struct batch {
	struct ftrace_set_builder *to;
	const struct ftrace_scope *scope;
	const struct module *only;
	struct wish *wish;
	unsigned int nr;
	unsigned int nr_names;
	unsigned int nr_lines;
	struct wish *patterns;
	struct wish **bucket;
	unsigned int bits;
	struct ftrace_names names;
};

static struct wish **name_bucket(const struct batch *batch, const char *name)
{
	if (!batch->bits)
		return batch->bucket;
	return &batch->bucket[hash_32(hashlen_hash(hashlen_string(NULL, name)), batch->bits)];
}

static struct wish **line_bucket(const struct batch *batch, unsigned long line)
{
	if (!batch->bits)
		return batch->bucket;
	return &batch->bucket[hash_long(line, batch->bits)];
}

/* The next wish for a name, from @w on. */
static struct wish *find_name(struct wish *w, const char *name)
{
	while (w && !(w->text && !strcmp(w->text, name)))
		w = w->next;
	return w;
}

static bool want_name(const struct batch *batch, const char *name)
{
	struct wish *first = find_name(*name_bucket(batch, name), name), *w;

	for (w = first; w; w = find_name(w->next, name))
		w->found = true;
	return first;
}

static bool want_line(const struct batch *batch, unsigned long line)
{
	bool wanted = false;
	struct wish *w;

	for (w = *line_bucket(batch, line); w; w = w->next)
		if (!w->text && w->line == line)
			w->found = wanted = true;
	return wanted;
}

static bool want_match(const struct batch *batch, const char *name)
{
	bool wanted = false;
	struct wish *w;

	for (w = batch->patterns; w; w = w->next)
		if (!(wanted && w->found) && glob_match(w->text, name))
			w->found = wanted = true;
	return wanted;
}

/* Each kind of wish is asked: all that are fulfilled have to know. */
static bool want(const struct batch *batch, const char *name, unsigned long line)
{
	bool wanted = batch->nr_lines && want_line(batch, line);

	if (batch->nr_names)
		wanted |= want_name(batch, name);
	return wanted | want_match(batch, name);
}

/**
 * ftrace_in_scope - is this one of the modules that are meant?
 * @scope: those
 * @mod: a module, NULL: the kernel
 *
 * Context: any.
 * Return: true or false.
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

/* Lines are counted from 1, as editors do, and only those that there are. */
static int walk_group(struct batch *batch, const struct ftrace_group *group,
		      unsigned long *line)
{
	bool by_name = batch->nr_names || batch->patterns;
	bool here = !batch->only || batch->only == group->mod;
	const struct dyn_ftrace *site;
	const char *name;
	int err = 0;

	for (site = group->site; site < group->site + group->nr && !err; site++) {
		if (by_name)
			name = ftrace_name(&batch->names, group, site);
		else
			name = ftrace_has_name(&batch->names, group, site) ? "" : NULL;
		if (name && want(batch, name, ++*line) && here)
			err = ftrace_set_builder_add(batch->to, ftrace_site_ip(group, site));
		if (!((site - group->site) % 1024))
			cond_resched();
	}
	return err;
}

static int walk_sites(struct batch *batch)
{
	const struct ftrace_group *group;
	unsigned long line = 0;
	int err;

	list_for_each_entry(group, &ftrace_groups, list) {
		if (batch->scope && !ftrace_in_scope(batch->scope, group->mod))
			continue;
		err = walk_group(batch, group, &line);
		if (err)
			return err;
	}
	return 0;
}

/* Addresses of symbols that have one of the names. */
struct candidates {
	const struct batch *batch;
	struct ftrace_set_builder addrs;
};

static int note_symbol(void *data, unsigned long addr)
{
	struct candidates *c = data;

	return ftrace_set_builder_add(&c->addrs, addr);
}

static int note_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct candidates *c = data;

	return find_name(*name_bucket(c->batch, name), name) ? note_symbol(c, addr) : 0;
}

static int find_candidates(struct candidates *c)
{
	const struct batch *batch = c->batch;
	const struct wish *w;
	int err;

	for (w = batch->wish; w < batch->wish + batch->nr; w++) {
		err = kallsyms_on_each_match_symbol(note_symbol, w->text, c);
		if (err && err != -ESRCH)
			return err;
	}
	if (!IS_ENABLED(CONFIG_MODULES))
		return 0;
	return module_kallsyms_on_each_symbol(NULL, note_module_symbol, c);
}

/* The symbol must be the one by which the lists know the site, not an alias. */
static int add_candidate(struct batch *batch, unsigned long addr)
{
	const struct ftrace_group *group = ftrace_group_of(addr);
	const struct dyn_ftrace *site;
	const char *name;

	site = group ? ftrace_find_site(group, addr, addr + FTRACE_SITE_MAX_OFFSET) : NULL;
	name = site ? ftrace_name(&batch->names, group, site) : NULL;
	if (!name || !want_name(batch, name))
		return 0;
	return ftrace_set_builder_add(batch->to, ftrace_site_ip(group, site));
}

static int look_up_names(struct batch *batch)
{
	struct candidates c = { batch };
	unsigned long i;
	int err = find_candidates(&c);

	ftrace_set_builder_sort(&c.addrs);
	for (i = 0; i < c.addrs.nr && !err; i++)
		err = add_candidate(batch, c.addrs.ip[i]);
	ftrace_set_builder_free(&c.addrs);
	return err;
}

static bool walk_is_better(const struct batch *batch)
{
	const struct ftrace_group *group;
	unsigned long nr = 0;

	if (batch->scope || batch->patterns || batch->nr_lines)
		return true;
	list_for_each_entry(group, &ftrace_groups, list)
		nr += group->nr;
	return batch->nr_names > nr / SITES_PER_NAME;
}

static void add_wish(struct batch *batch, const char *word)
{
	struct wish *w = &batch->wish[batch->nr++], **list;

	if (isdigit(*word) && !kstrtoul(word, 0, &w->line)) {
		batch->nr_lines++;
		list = line_bucket(batch, w->line);
	} else {
		w->text = word;
		if (ftrace_is_pattern(word)) {
			list = &batch->patterns;
		} else {
			batch->nr_names++;
			list = name_bucket(batch, word);
		}
	}
	w->next = *list;
	*list = w;
}

/**
 * struct run - words that do the same
 * @text: they, separated by any number of NULs, at least one
 * @end: of that
 * @sign: length of what stands before each: "!", or nothing
 * @scope: where they look; NULL: everywhere
 */
struct run {
	const char *text;
	const char *end;
	unsigned int sign;
	const struct ftrace_scope *scope;
};

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

#define for_each_word(word, run)						\
	for (word = first_word((run)->text, (run)->end); word < (run)->end;	\
	     word = next_word(word, (run)->end))

static int make_batch(struct batch *batch, const struct run *run)
{
	unsigned int nr = 0;
	const char *word;

	for_each_word(word, run)
		nr++;
	batch->bits = nr > FEW_WORDS ? ilog2(nr) + 1 : 0;
	batch->wish = kvcalloc(nr, sizeof(*batch->wish), GFP_KERNEL);
	batch->bucket = kvcalloc(1 << batch->bits, sizeof(*batch->bucket), GFP_KERNEL);
	if (!batch->wish || !batch->bucket)
		return -ENOMEM;
	for_each_word(word, run)
		add_wish(batch, word + run->sign);
	/* Lines are lines of the whole list, but a module that comes adds nothing of others. */
	batch->scope = batch->nr_lines ? NULL : run->scope;
	batch->only = run->scope ? run->scope->only : NULL;
	return 0;
}

static void free_batch(struct batch *batch)
{
	ftrace_names_free(&batch->names);
	kvfree(batch->wish);
	kvfree(batch->bucket);
	kfree(batch);
}

DEFINE_FREE(free_batch, struct batch *, if (_T) free_batch(_T))

/* The first word that names no site, or the end. */
static const char *first_unknown(const struct batch *batch, const struct run *run)
{
	const struct wish *w = batch->wish;
	const char *word;

	for_each_word(word, run)
		if (!w++->found)
			break;
	return word;
}

/* What all words of the run name; @unknown: the first that names nothing, or their end. */
static int look_up(struct ftrace_set_builder *to, const struct run *run, const char **unknown)
{
	struct batch *batch __free(free_batch) = kzalloc(sizeof(*batch), GFP_KERNEL);
	int err;

	if (!batch)
		return -ENOMEM;
	batch->to = to;
	err = make_batch(batch, run);
	if (!err)
		err = walk_is_better(batch) ? walk_sites(batch) : look_up_names(batch);
	if (!err)
		*unknown = first_unknown(batch, run);
	return err;
}

/* What the words before the first unknown one name; that is where the run ends then. */
static int look_up_known(struct ftrace_set_builder *to, struct run *run)
{
	unsigned long before = to->nr;
	const char *end = run->end;
	int err;

	err = look_up(to, run, &run->end);
	if (!err && run->end < end) {
		to->nr = before;
		if (run->end > run->text)
			err = look_up(to, run, &end);
		err = err ?: -EINVAL;
	}
	if (err && err != -EINVAL) {
		to->nr = before;
		run->end = run->text;
	}
	return err;
}

/* So many sites that may be in a builder twice are no trouble. */
#define MANY_SITES	4096

/* Add or remove. On error, the run is cut to what of it has been done. */
static int apply(struct ftrace_set_builder *b, struct run *run, bool remove)
{
	struct ftrace_set_builder gone = {};
	int err;

	if (!remove) {
		err = look_up_known(b, run);
		/* The same words may come as often as somebody likes. */
		if (b->nr > 2 * b->sorted + MANY_SITES)
			ftrace_set_builder_sort(b);
		return err;
	}
	err = look_up_known(&gone, run);
	if (gone.nr) {
		ftrace_set_builder_sort(&gone);
		ftrace_set_builder_remove(b, &gone);
	}
	ftrace_set_builder_free(&gone);
	return err;
}

static bool removes(const char *word)
{
	return *word == '!';
}

/**
 * ftrace_match_words - add the sites that words name, or take them away
 * @b: the set under construction
 * @text: words, each with its NUL
 * @len: of all that
 * @taken: set to where the word begins that was refused; if none was, to @len
 *
 * Context: process context with ftrace_lock held; early boot.
 * Return: 0; -EINVAL for a word that names no site; -ENOMEM. The words before @taken
 * have done their work, those behind have not.
 */
int ftrace_match_words(struct ftrace_set_builder *b, const char *text, size_t len,
		       size_t *taken)
{
	const char *end = text + len, *next;
	struct run run;
	bool remove;
	int err;

	*taken = len;
	for (text = first_word(text, end); text < end; text = next) {
		remove = removes(text);
		for (next = text; next < end && removes(next) == remove; )
			next = next_word(next, end);
		run = (struct run){ .text = text, .end = next, .sign = remove };
		err = apply(b, &run, remove);
		if (err) {
			*taken = len - (end - run.end);
			return err;
		}
	}
	return 0;
}

/**
 * ftrace_match_scope - add the sites that a word names in some modules, or take them away
 * @b: the set under construction
 * @func: a name or pattern; empty: all
 * @scope: which modules
 * @remove: take them away
 *
 * Context: process context with ftrace_lock held.
 * Return: 0; -EINVAL if there is no such site; -ENOMEM. On error @b is as before.
 */
int ftrace_match_scope(struct ftrace_set_builder *b, const char *func,
		       const struct ftrace_scope *scope, bool remove)
{
	struct run run = { .scope = scope };

	run.text = *func ? func : "*";
	run.end = run.text + strlen(run.text) + 1;
	return apply(b, &run, remove);
}

/**
 * ftrace_deferred_arrived - add what words name in a module that has come
 * @b: a set that is put together, with its words
 * @mod: the module
 *
 * Context: process context with ftrace_lock held; the module's sites are live.
 * Return: 0, with these words done with; -ENOMEM, with some of them.
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
