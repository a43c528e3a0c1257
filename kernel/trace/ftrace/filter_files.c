// SPDX-License-Identifier: GPL-2.0
/*
 * set_ftrace_filter and set_ftrace_notrace: the sites that an ops wants.
 *
 * An open file collects the words that are written into a set of its own. close() replaces the set
 * of the ops by this set, so that a tracer sees either the old selection or the new one. If a word
 * names no function, write() fails, and the words before it stay in the set.
 *
 * A word is a name or pattern as for ftrace_match_words(), or FUNC:mod:MODULE for the functions of
 * a module, which may be loaded later, or FUNC:COMMAND. Commands take effect at once, not at
 * close(). This file also has the code for set_graph_function and set_graph_notrace, which take
 * fewer kinds of words.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../lib/line.h"
#include "../lib/parser.h"
#include "filter.h"
#include "ftrace.h"
#include "match.h"
#include "names.h"
#include "set.h"
#include "sites.h"
#include "state.h"

/**
 * struct filter_file - an open selection file
 * @list: entry in writers, if the file is open for writing
 * @ops: the ops whose sites are selected
 * @side: the set of the ops
 * @lock: serializes writers of the file; taken before ftrace_lock
 * @words: the beginning of a word that was not written completely yet
 * @set: the selection that the words written so far make; under ftrace_lock
 * @names: cursor for the names of the sites that are listed
 * @come: value of ftrace_modules_come when @set was begun
 * @changed: close() has to replace the ops' set by @set
 */
struct filter_file {
	struct list_head list;
	struct ftrace_ops *ops;
	enum ftrace_filter_side side;
	struct mutex lock;
	struct trace_words words;
	struct ftrace_set_builder set;
	struct ftrace_names names;
	unsigned int come;
	bool changed;
};

/* The files that are open for writing; under ftrace_lock. */
static LIST_HEAD(writers);

/* Size of the longest word, with its NUL. */
#define WORD_MAX	(KSYM_NAME_LEN + sizeof("!:mod:!") + MODULE_NAME_LEN)

static const struct ftrace_set *current_set(const struct filter_file *f)
{
	return f->ops->filter ? *ftrace_filter_set(f->ops->filter, f->side) : NULL;
}

/*
 * The contents of the file, in parts; the lines of all parts are numbered. If no site is listed, a
 * line says that all functions are enabled, or none disabled. A filter whose sites were removed
 * with their module does not mean "all", and lists nothing: the base's func_mod_trace.tc expects
 * that.
 */

static unsigned long header_lines(const struct filter_file *f)
{
	const struct ftrace_set *set = current_set(f);

	return !set || (f->side == FTRACE_NOTRACE && !set->nr);
}

static int header_show(struct seq_file *m, struct filter_file *f, unsigned long nr)
{
	seq_puts(m, f->side == FTRACE_FILTER ? "#### all functions enabled ####\n" :
					       "#### no functions disabled ####\n");
	return 0;
}

static unsigned long site_lines(const struct filter_file *f)
{
	const struct ftrace_set *set = current_set(f);

	return set ? set->nr : 0;
}

/* Sites are numbered in the order in which all sites are listed: the kernel's sites come first. */
static unsigned long site_at(const struct ftrace_set *set, unsigned long nr)
{
	const struct ftrace_group *group;

	list_for_each_entry(group, &ftrace_groups, list) {
		unsigned long first = ftrace_set_from(set, group->start);
		unsigned long count = ftrace_set_from(set, group->end) - first;

		if (nr < count)
			return set->ip[first + nr];
		nr -= count;
	}
	return 0;
}

static int site_show(struct seq_file *m, struct filter_file *f, unsigned long nr)
{
	if (!ftrace_show_site(m, &f->names, site_at(current_set(f), nr)))
		return SEQ_SKIP;
	seq_putc(m, '\n');
	return 0;
}

static const struct ftrace_deferred *first_deferred(const struct filter_file *f)
{
	const struct ftrace_set *set = current_set(f);

	return set ? set->deferred : NULL;
}

static unsigned long later_lines(const struct filter_file *f)
{
	const struct ftrace_deferred *deferred;
	unsigned long nr = 0;

	for (deferred = first_deferred(f); deferred; deferred = deferred->next)
		nr++;
	return nr;
}

static int later_show(struct seq_file *m, struct filter_file *f, unsigned long nr)
{
	const struct ftrace_deferred *deferred = first_deferred(f);

	while (nr--)
		deferred = deferred->next;
	seq_printf(m, "%s:mod:%s\n", deferred->func, deferred->module);
	return 0;
}

/* Files of function graph have no instance: they take names only. */
static struct trace_array *filter_instance(const struct filter_file *f)
{
	return f->ops->private;
}

static unsigned long command_lines(const struct filter_file *f)
{
	return f->side == FTRACE_FILTER ? ftrace_command_lines(filter_instance(f)) : 0;
}

static int command_show(struct seq_file *m, struct filter_file *f, unsigned long nr)
{
	ftrace_show_command(m, &f->names, filter_instance(f), nr);
	return 0;
}

static const struct filter_part {
	unsigned long (*lines)(const struct filter_file *f);
	int (*show)(struct seq_file *m, struct filter_file *f, unsigned long nr);
} parts[] = {
	{ header_lines,		header_show },
	{ site_lines,		site_show },
	{ later_lines,		later_show },
	{ command_lines,	command_show },
};

/* The part that has line @nr, or NULL; @nr becomes the number of the line in that part. */
static const struct filter_part *find_part(const struct filter_file *f, loff_t *nr)
{
	const struct filter_part *part;

	for (part = parts; part < parts + ARRAY_SIZE(parts); part++) {
		unsigned long lines = part->lines(f);

		if (*nr < lines)
			return part;
		*nr -= lines;
	}
	return NULL;
}

static void *filter_at(struct seq_file *m, loff_t *pos)
{
	loff_t nr = *pos;

	return find_part(m->private, &nr) ? pos : NULL;
}

static void *filter_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&ftrace_lock);
	return filter_at(m, pos);
}

static void *filter_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return filter_at(m, pos);
}

static void filter_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ftrace_lock);
}

static int filter_show(struct seq_file *m, void *v)
{
	loff_t nr = *(loff_t *)v;
	const struct filter_part *part = find_part(m->private, &nr);

	return part->show(m, m->private, nr);
}

static const struct seq_operations filter_seq_ops = {
	.start	= filter_start,
	.next	= filter_next,
	.stop	= filter_stop,
	.show	= filter_show,
};

/* Take a word of a graph file. It must not be a line number; "!" must remove selected functions. */
static int take_graph_name(struct ftrace_set_builder *b, const char *word)
{
	bool remove = *word == '!';
	unsigned long before;
	int err;

	if (isdigit(word[remove]))
		return -EINVAL;
	/* Without repetitions, the number of addresses tells whether some were removed. */
	if (remove)
		ftrace_set_builder_sort(b);
	before = b->nr;
	err = ftrace_match_word(b, word);
	if (!err && remove && b->nr == before)
		err = -EINVAL;
	return err;
}

static int take_graph_names(struct ftrace_set_builder *b, const char *text, size_t len,
			    size_t *taken)
{
	int err;

	for (*taken = 0; *taken < len; *taken += strlen(text + *taken) + 1) {
		err = text[*taken] ? take_graph_name(b, text + *taken) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Take names and patterns, without colons. */
static int take_names(struct filter_file *f, const char *text, size_t len, size_t *taken)
{
	guard(mutex)(&ftrace_lock);
	if (!filter_instance(f))
		return take_graph_names(&f->set, text, len, taken);
	return ftrace_match_words(&f->set, text, len, taken);
}

/* Take FUNC:mod:MODULE. With "!", remove the sites, or a deferred pattern. */
static int take_module(struct filter_file *f, const char *func, const char *module, bool remove)
{
	struct ftrace_scope scope = { .module = module };
	int err;

	if (!module && !*func)
		return -EINVAL;
	guard(mutex)(&ftrace_lock);
	err = ftrace_match_scope(&f->set, func, module ? &scope : NULL, remove);
	if (err != -EINVAL || !module)
		return err;
	if (remove)
		return ftrace_deferred_remove(&f->set.deferred, func, module) ? 0 : -EINVAL;
	if (!ftrace_deferred_possible(module))
		return err;
	return ftrace_deferred_add(&f->set.deferred, func, module);
}

void (*ftrace_command_refused)(struct trace_array *tr, const struct trace_line *line);

/* FUNC:mod[:MODULE]? Then *@module is MODULE, or NULL. @line: the text after "FUNC:" */
static bool is_module_word(const struct trace_line *line, const char **module)
{
	struct trace_line ahead = *line;
	struct trace_span name = trace_line_until(&ahead, ":");

	*module = *ahead.rest ? ahead.rest + 1 : NULL;
	return trace_span_is(&name, "mod");
}

static int take_command(struct filter_file *f, struct trace_line *line)
{
	bool remove = trace_line_take(line, "!");
	struct trace_span word = trace_line_until(line, ":");
	const char *func __free(kfree) = kmemdup_nul(word.text, word.len, GFP_KERNEL);
	const char *module;
	int err;

	if (!func)
		return -ENOMEM;
	trace_line_take(line, ":");
	if (is_module_word(line, &module)) {
		err = take_module(f, func, module, remove);
		if (err == -EINVAL)
			trace_line_fail(line, err, "No such function of such a module", word.text);
		return err;
	}
	if (f->side != FTRACE_FILTER)
		return trace_line_fail(line, -EINVAL, "No commands here", line->rest);
	if (remove)
		return ftrace_remove_command(filter_instance(f), func, line);
	return ftrace_add_command(filter_instance(f), func, line);
}

/* Take FUNC:COMMAND[:PARAMETERS], or FUNC:mod:MODULE. */
static int take_with_colon(struct filter_file *f, const char *word, size_t *taken)
{
	struct trace_array *tr = filter_instance(f);
	struct trace_line line;
	int err;

	trace_line_init(&line, word);
	err = tr ? take_command(f, &line) : -EINVAL;
	if (line.error && ftrace_command_refused)
		ftrace_command_refused(tr, &line);
	*taken = err ? 0 : strlen(word) + 1;
	return err;
}

/* Number of patterns that one walk over all sites compares, before it releases ftrace_lock. */
#define PATTERNS_AT_ONCE	64

/* Length of the text to look up at once: up to the next command, or PATTERNS_AT_ONCE. */
static size_t names_at_once(const char *text, size_t len)
{
	unsigned int patterns = 0;
	const char *word;

	for (word = text; word < text + len && !strchr(word, ':'); word += strlen(word) + 1) {
		patterns += ftrace_is_pattern(word);
		if (patterns > PATTERNS_AT_ONCE)
			break;
	}
	return word - text;
}

static int take_words(void *data, char *text, size_t len, size_t *taken)
{
	struct filter_file *f = data;
	size_t names, done;
	int err = 0;

	for (*taken = 0; *taken < len && !err; *taken += done) {
		names = names_at_once(text + *taken, len - *taken);
		done = 0;
		/* The first words of a call, as at close(), are taken in spite of a signal. */
		if (*taken && fatal_signal_pending(current))
			err = -EINTR;
		else if (names)
			err = take_names(f, text + *taken, names, &done);
		else
			err = take_with_colon(f, text + *taken, &done);
	}
	if (*taken)
		f->changed = true;
	return err;
}

static int begin_writing(struct filter_file *f, bool truncate)
{
	int err;

	mutex_init(&f->lock);
	err = trace_words_init(&f->words, WORD_MAX, NULL, f);
	if (err)
		return err;
	f->words.accept_all = take_words;
	f->changed = truncate;
	guard(mutex)(&ftrace_lock);
	f->come = ftrace_modules_come;
	err = truncate ? 0 : ftrace_set_builder_load(&f->set, current_set(f));
	if (err)
		trace_words_free(&f->words);
	else
		list_add(&f->list, &writers);
	return err;
}

/**
 * ftrace_filter_open - open a file that selects the sites of an ops
 * @ops: the ops, which the caller keeps until ftrace_filter_release()
 * @side: select functions to trace, or not to trace
 * @inode: inode of the file
 * @file: the file; becomes a seq_file
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM, or -ENODEV after a patching error.
 */
int ftrace_filter_open(struct ftrace_ops *ops, enum ftrace_filter_side side,
		       struct inode *inode, struct file *file)
{
	struct filter_file *f;
	int err = 0;

	if (ftrace_dead())
		return -ENODEV;
	f = __seq_open_private(file, &filter_seq_ops, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->ops = ops;
	f->side = side;
	if (file->f_mode & FMODE_WRITE)
		err = begin_writing(f, file->f_flags & O_TRUNC);
	if (err) {
		ftrace_set_builder_free(&f->set);
		seq_release_private(inode, file);
	}
	return err;
}

/**
 * ftrace_filter_write - write words to a file that selects the sites of an ops
 * @file: the file
 * @ubuf: text; its first word may have begun in an earlier call, its last one may end in a later
 * @count: length of the text
 * @ppos: unused
 *
 * Context: process context, may sleep.
 * Return: number of bytes taken, or -errno.
 */
ssize_t ftrace_filter_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	struct filter_file *f = ((struct seq_file *)file->private_data)->private;

	guard(mutex)(&f->lock);
	return trace_words_write(&f->words, ubuf, count);
}

/**
 * ftrace_filter_files_forget - remove sites of text that is about to be freed from open files
 * @start: first address of the text
 * @end: one past its last address
 *
 * Without this, close() could select functions of another module at the same addresses.
 *
 * Context: process context, ftrace_lock held.
 */
void ftrace_filter_files_forget(unsigned long start, unsigned long end)
{
	struct filter_file *f;

	list_for_each_entry(f, &writers, list)
		ftrace_set_builder_forget(&f->set, start, end);
}

/* Add sites of modules that were loaded while the file was open. */
static int add_come(struct filter_file *f)
{
	const struct ftrace_group *group;
	int err = 0;

	if (f->come == ftrace_modules_come)
		return 0;
	list_for_each_entry(group, &ftrace_groups, list)
		if (group->mod && group->live && (int)(group->come - f->come) > 0 && !err)
			err = ftrace_deferred_arrived(&f->set, group->mod);
	return err;
}

/* close() ignores what release() returns, so log errors. */
static void end_writing(struct filter_file *f)
{
	int err;

	err = trace_words_end(&f->words);
	trace_words_free(&f->words);
	guard(ftrace_filters)();
	list_del(&f->list);
	if (f->changed)
		err = add_come(f) ?: ftrace_ops_change_set(f->ops, f->side, &f->set) ?: err;
	if (err)
		pr_warn_ratelimited("ftrace: closing a filter file: error %d\n", err);
	ftrace_set_builder_free(&f->set);
}

/**
 * ftrace_filter_release - close a file: the selection that was written takes effect
 * @inode: inode of the file
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int ftrace_filter_release(struct inode *inode, struct file *file)
{
	struct filter_file *f = ((struct seq_file *)file->private_data)->private;

	if (file->f_mode & FMODE_WRITE)
		end_writing(f);
	ftrace_names_free(&f->names);
	return seq_release_private(inode, file);
}
