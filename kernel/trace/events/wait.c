// SPDX-License-Identifier: GPL-2.0
/*
 * Words with :mod: that selected nothing when they were written to set_event: they wait for the
 * module, and switch its events on when it is loaded.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../core/instance.h"
#include "events.h"
#include "match.h"

/**
 * struct event_wait - a word that waits
 * @list: in trace_event_instance::modules
 * @match: the events that it selects; refers to @word
 * @word: the word
 */
struct event_wait {
	struct list_head		list;
	struct trace_event_match	match;
	char				word[];
};

static bool wait_same(const struct trace_span *a, const struct trace_span *b)
{
	return !a->text == !b->text && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static struct event_wait *wait_find(struct trace_array *tr, const struct trace_event_match *match)
{
	struct event_wait *wait;

	list_for_each_entry(wait, &tr->events->modules, list) {
		if (wait->match.either == match->either &&
		    wait_same(&wait->match.system, &match->system) &&
		    wait_same(&wait->match.event, &match->event) &&
		    wait_same(&wait->match.module, &match->module))
			return wait;
	}
	return NULL;
}

/**
 * trace_event_wait_add - keep a word until its module is loaded
 * @tr: the instance
 * @word: the word, which has a module; it is copied
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: 0; -EINVAL if the name of the module is empty; -ENOMEM.
 */
int trace_event_wait_add(struct trace_array *tr, const char *word)
{
	size_t size = strlen(word) + 1;
	struct event_wait *wait = kmalloc(struct_size(wait, word, size), GFP_KERNEL);
	int err = 0;

	lockdep_assert_held(&trace_event_mutex);
	if (!wait)
		return -ENOMEM;
	memcpy(wait->word, word, size);
	trace_event_match_parse(&wait->match, wait->word);
	if (wait->match.module.len && !wait_find(tr, &wait->match)) {
		list_add_tail(&wait->list, &tr->events->modules);
		return 0;
	}
	if (!wait->match.module.len)
		err = -EINVAL;
	kfree(wait);
	return err;
}

/**
 * trace_event_wait_remove - forget a word that waits
 * @tr: the instance
 * @match: the word
 *
 * Context: trace_event_mutex held.
 * Return: false if it did not wait.
 */
bool trace_event_wait_remove(struct trace_array *tr, const struct trace_event_match *match)
{
	struct event_wait *wait = wait_find(tr, match);

	lockdep_assert_held(&trace_event_mutex);
	if (!wait)
		return false;
	list_del(&wait->list);
	kfree(wait);
	return true;
}

/**
 * trace_event_wait_clear - forget all words that wait
 * @tr: the instance
 *
 * Context: trace_event_mutex held.
 */
void trace_event_wait_clear(struct trace_array *tr)
{
	struct event_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &tr->events->modules, list)
		kfree(wait);
	INIT_LIST_HEAD(&tr->events->modules);
}

static void wait_puts(struct seq_file *m, const struct trace_span *name)
{
	if (name->text)
		seq_write(m, name->text, name->len);
	else
		seq_putc(m, '*');
}

/**
 * trace_event_wait_show - print the words that wait, as set_event takes them
 * @m: output
 * @tr: the instance
 *
 * Context: trace_event_mutex held.
 */
void trace_event_wait_show(struct seq_file *m, struct trace_array *tr)
{
	const struct trace_event_match *match;
	struct event_wait *wait;

	list_for_each_entry(wait, &tr->events->modules, list) {
		match = &wait->match;
		wait_puts(m, &match->system);
		if (!match->either) {
			seq_putc(m, ':');
			wait_puts(m, &match->event);
		}
		seq_printf(m, ":mod:%s\n", match->module.text);
	}
}

/**
 * trace_event_wait_end - switch on the events of words that wait for a module
 * @tr: the instance
 * @mod: the module that is being loaded; its words do not wait any more
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_wait_end(struct trace_array *tr, struct module *mod)
{
	struct event_wait *wait, *next;
	int err;

	lockdep_assert_held(&trace_event_mutex);
	list_for_each_entry_safe(wait, next, &tr->events->modules, list) {
		if (!trace_span_is(&wait->match.module, module_name(mod)))
			continue;
		err = trace_events_set(tr, &wait->match, true);
		if (err == -EINVAL)
			pr_info("tracing: set_event: module %s has no such event\n",
				module_name(mod));
		else if (err)
			pr_warn("tracing: set_event: not all events of module %s are on\n",
				module_name(mod));
		list_del(&wait->list);
		kfree(wait);
	}
}
