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

#include "internal.h"

/* As many sites are passed in a walk in the time that it takes to look up a name. */
#define SITES_PER_NAME	32

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
 * @wish: the words, in the order in which they were written
 * @nr: how many
 * @nr_names: how many of them are names
 * @nr_lines: how many are numbers
 * @patterns: those that are patterns
 * @bucket: names and numbers by their hash
 * @bits: log2 of the number of buckets
 * @names: how the sites are called
 */
struct batch {
	struct ftrace_set_builder *to;
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
	return &batch->bucket[hash_32(hashlen_hash(hashlen_string(NULL, name)), batch->bits)];
}

static struct wish **line_bucket(const struct batch *batch, unsigned long line)
{
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

/* Lines are counted from 1, as editors do, and only those that there are. */
static int walk_group(struct batch *batch, const struct ftrace_group *group,
		      unsigned long *line)
{
	bool by_name = batch->nr_names || batch->patterns;
	const struct dyn_ftrace *site;
	const char *name;
	int err = 0;

	for (site = group->site; site < group->site + group->nr && !err; site++) {
		if (by_name)
			name = ftrace_name(&batch->names, group, site);
		else
			name = ftrace_has_name(&batch->names, group, site) ? "" : NULL;
		if (name && want(batch, name, ++*line))
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

	if (batch->patterns || batch->nr_lines)
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
		if (strpbrk(word, "*?[\\")) {
			list = &batch->patterns;
		} else {
			batch->nr_names++;
			list = name_bucket(batch, word);
		}
	}
	w->next = *list;
	*list = w;
}

static bool removes(const char *word)
{
	return *word == '!';
}

/* The words of a text are separated by any number of NULs, at least one. */
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

static int make_batch(struct batch *batch, const char *text, const char *end)
{
	unsigned int nr = 0;
	const char *word;

	for (word = text; word < end; word = next_word(word, end))
		nr++;
	batch->bits = ilog2(nr) + 1;
	batch->wish = kvcalloc(nr, sizeof(*batch->wish), GFP_KERNEL);
	batch->bucket = kvcalloc(1 << batch->bits, sizeof(*batch->bucket), GFP_KERNEL);
	if (!batch->wish || !batch->bucket)
		return -ENOMEM;
	for (word = text; word < end; word = next_word(word, end))
		add_wish(batch, word + removes(word));
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

/* The first word of a batch that names no site, or @end. */
static const char *first_unknown(const struct batch *batch, const char *text, const char *end)
{
	const struct wish *w;

	for (w = batch->wish; w < batch->wish + batch->nr && w->found; w++)
		text = next_word(text, end);
	return text;
}

/*
 * Add what the words from @text on name. The first of them that names no site is left in
 * @unknown, or else @end; then what is added is of no use.
 */
static int look_up(struct ftrace_set_builder *to, const char *text, const char *end,
		   const char **unknown)
{
	struct batch *batch __free(free_batch) = kzalloc(sizeof(*batch), GFP_KERNEL);
	int err;

	if (!batch)
		return -ENOMEM;
	batch->to = to;
	err = make_batch(batch, text, end);
	if (!err)
		err = walk_is_better(batch) ? walk_sites(batch) : look_up_names(batch);
	*unknown = first_unknown(batch, text, end);
	return err;
}

/* The words before the first that is unknown count; that one is left in @stop. */
static int look_up_known(struct ftrace_set_builder *to, const char *text, const char *end,
			 const char **stop)
{
	unsigned long before = to->nr;
	int err;

	*stop = text;
	err = look_up(to, text, end, stop);
	if (!err && *stop == end)
		return 0;
	to->nr = before;
	if (!err && *stop > text)
		err = look_up(to, text, *stop, &end);
	if (err) {
		to->nr = before;
		*stop = text;
	}
	return err ?: -EINVAL;
}

static int remove_words(struct ftrace_set_builder *b, const char *text, const char *end,
			const char **stop)
{
	struct ftrace_set_builder gone = {};
	int err = look_up_known(&gone, text, end, stop);

	if (gone.nr) {
		ftrace_set_builder_sort(&gone);
		ftrace_set_builder_remove(b, &gone);
	}
	ftrace_set_builder_free(&gone);
	return err;
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
	const char *end = text + len, *word = first_word(text, end), *next, *stop;
	int err;

	for (; word < end; word = next) {
		bool remove = removes(word);

		for (next = word; next < end && removes(next) == remove; )
			next = next_word(next, end);
		err = remove ? remove_words(b, word, next, &stop) :
			       look_up_known(b, word, next, &stop);
		if (err) {
			*taken = stop - text;
			return err;
		}
	}
	*taken = len;
	return 0;
}
