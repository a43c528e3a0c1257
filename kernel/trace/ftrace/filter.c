// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of ops: the sites that an ops wants.
 *
 * Most ops have a filter of their own. Ops that follow set_ftrace_filter share the global filter,
 * and change with it.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../lib/boot.h"
#include "dispatch.h"
#include "filter.h"
#include "ftrace.h"
#include "match.h"
#include "registry.h"
#include "set.h"
#include "state.h"
#include "update.h"

/* The filter of set_ftrace_filter, and the list that begins with it. */
static struct ftrace_filter global_filter;
static struct list_head all_filters = { &global_filter.list, &global_filter.list };
static struct ftrace_filter global_filter = { .list = { &all_filters, &all_filters } };

struct ftrace_ops ftrace_global_ops = {
	.filter = &global_filter,
};

/* The filter of @ops, allocated if it has none. */
static struct ftrace_filter *own_filter(struct ftrace_ops *ops)
{
	if (!ops->filter) {
		ops->filter = kzalloc(sizeof(*ops->filter), GFP_KERNEL);
		if (ops->filter)
			list_add(&ops->filter->list, &all_filters);
	}
	return ops->filter;
}

static int check_users(const struct ftrace_filter *filter, const struct ftrace_filter *was,
		       const struct ftrace_filter *now)
{
	struct ftrace_ops *ops;
	int err = 0;

	list_for_each_entry(ops, &ftrace_ops_list, list) {
		if (ops->filter == filter)
			err = err ?: ftrace_may_share(ops, was, now, false);
	}
	return err;
}

/* Patch sites for all users of @filter. If that fails for one, restore the others. */
static int update_users(const struct ftrace_filter *filter, const struct ftrace_filter *was,
			const struct ftrace_filter *now)
{
	struct ftrace_ops *ops;
	int err;

	/* Update ops in the order of registration, as the last one is called first. */
	list_for_each_entry_reverse(ops, &ftrace_ops_list, list) {
		if (ops->filter != filter)
			continue;
		err = ftrace_update(ops, was, now);
		if (err)
			goto put_back;
	}
	return 0;

put_back:
	list_for_each_entry_continue(ops, &ftrace_ops_list, list)
		if (ops->filter == filter)
			ftrace_update_back(ops, now, was);
	return err;
}

/**
 * ftrace_ops_change_set - replace a set of an ops by the contents of a builder
 * @ops: the ops, registered or not
 * @side: the set to replace
 * @b: the builder, which keeps its contents
 *
 * Context: process context, may sleep, ftrace_lock held.
 * Return: 0, or an error with nothing changed.
 */
int ftrace_ops_change_set(struct ftrace_ops *ops, enum ftrace_filter_side side,
			  struct ftrace_set_builder *b)
{
	struct ftrace_filter *filter, was, now;
	struct ftrace_set *set = NULL;
	int err;

	if (!ftrace_set_builder_no_choice(b)) {
		set = ftrace_set_freeze(b);
		if (!set)
			return -ENOMEM;
	}
	filter = own_filter(ops);
	if (!filter) {
		ftrace_set_retire(set);
		return -ENOMEM;
	}
	was = now = *filter;
	*ftrace_filter_set(&now, side) = set;
	err = check_users(filter, &was, &now) ?: update_users(filter, &was, &now);
	if (!err)
		*filter = now;
	ftrace_set_retire(*ftrace_filter_set(err ? &now : &was, side));
	ftrace_opset_reap();
	return err;
}

/* Replace a set by a set without the sites of freed text. No site has to be patched for that. */
static void filter_replace_set(struct ftrace_filter *filter, struct ftrace_set **place,
			struct ftrace_set *set)
{
	struct ftrace_set *old = *place;

	*place = set;
	ftrace_opset_refresh(filter);
	ftrace_set_retire(old);
}

static void set_forget(struct ftrace_filter *filter, struct ftrace_set **place,
		       unsigned long start, unsigned long end)
{
	struct ftrace_set *set = *place;

	if (!set || ftrace_set_from(set, start) == ftrace_set_from(set, end))
		return;
	filter_replace_set(filter, place, ftrace_set_without(set, start, end));
}

/**
 * ftrace_forget_text - remove sites of text that is about to be freed from all filters
 * @start: first address of the text
 * @end: one past its last address
 *
 * Context: process context, may sleep, ftrace_lock held.
 */
void ftrace_forget_text(unsigned long start, unsigned long end)
{
	struct ftrace_filter *filter;

	list_for_each_entry(filter, &all_filters, list) {
		set_forget(filter, &filter->only, start, end);
		set_forget(filter, &filter->except, start, end);
	}
}

/* Add the sites in a new module that match the set's deferred patterns. */
static void set_module_arrived(struct ftrace_filter *filter, struct ftrace_set **place,
			       struct module *mod)
{
	struct ftrace_set_builder b __free(ftrace_set_builder) = {};
	struct ftrace_set *more = NULL;

	if (!*place || !(*place)->deferred)
		return;
	if (!ftrace_set_builder_load(&b, *place) && !ftrace_deferred_arrived(&b, mod))
		more = ftrace_set_freeze(&b);
	if (!more) {
		pr_warn("ftrace: no memory for the filter of %s\n", module_name(mod));
		return;
	}
	filter_replace_set(filter, place, more);
}

/**
 * ftrace_module_arrived - add the sites in a new module that match deferred patterns of filters
 * @mod: the module, whose sites can be traced, but are off
 *
 * Context: process context, may sleep, ftrace_lock held.
 */
void ftrace_module_arrived(struct module *mod)
{
	struct ftrace_filter *filter;

	list_for_each_entry(filter, &all_filters, list) {
		set_module_arrived(filter, &filter->only, mod);
		set_module_arrived(filter, &filter->except, mod);
	}
}

/* Load the sites that an ops has. */
static int load_set(struct ftrace_set_builder *b, const struct ftrace_ops *ops,
		    enum ftrace_filter_side side)
{
	return ops->filter ? ftrace_set_builder_load(b, *ftrace_filter_set(ops->filter, side)) : 0;
}

static int change_by_word(struct ftrace_ops *ops, enum ftrace_filter_side side,
			  const unsigned char *buf, int len, bool reset)
{
	char *word __free(kfree) = len ? kmemdup_nul(buf, len, GFP_KERNEL) : NULL;
	struct ftrace_set_builder b __free(ftrace_set_builder) = {};
	int err;

	if (len && !word)
		return -ENOMEM;
	guard(ftrace_filters)();
	err = reset ? 0 : load_set(&b, ops, side);
	if (!err && word)
		err = ftrace_match_word(&b, word);
	return err ?: ftrace_ops_change_set(ops, side, &b);
}

/**
 * ftrace_set_filter - select functions of an ops
 * @ops: the ops, registered or not
 * @buf: a name or a pattern to add; with a leading "!", to remove
 * @len: length of @buf; 0: only do what @reset asks for
 * @reset: not 0: first drop the old selection
 *
 * Context: process context, may sleep.
 * Return: 0, or an error, after which nothing has changed: -EINVAL if nothing matches; -ENOMEM; if
 * @ops is registered and may change the effect of functions (FTRACE_OPS_FL_IPMODIFY or
 * FTRACE_OPS_FL_DIRECT), -EBUSY or an error of its ops_func. Or -ENODEV after ftrace_bug().
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return change_by_word(ops, FTRACE_FILTER, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter);

/**
 * ftrace_set_notrace - exclude functions of an ops
 * @ops: the ops, registered or not
 * @buf: a name or a pattern to add to the exceptions; with a leading "!", to remove
 * @len: length of @buf; 0: only do what @reset asks for
 * @reset: not 0: first drop the old exceptions
 *
 * Context: as ftrace_set_filter().
 * Return: as ftrace_set_filter().
 */
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return change_by_word(ops, FTRACE_NOTRACE, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_notrace);

/**
 * ftrace_set_filter_ips - select functions of an ops by address
 * @ops: the ops, registered or not
 * @ips: addresses of sites, or of the first bytes of functions
 * @cnt: number of addresses
 * @remove: not 0: remove them instead of adding them
 * @reset: not 0: first drop the old selection
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if an address is no call site; -ENOENT if an address to be removed was not
 * selected; or an error of ftrace_set_filter(). Nothing has changed after an error.
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int cnt,
			  int remove, int reset)
{
	struct ftrace_set_builder b __free(ftrace_set_builder) = {};
	struct ftrace_set_builder gone __free(ftrace_set_builder) = {};
	struct ftrace_set_builder *to = remove ? &gone : &b;
	unsigned long had;
	unsigned int i;
	int err;

	guard(ftrace_filters)();
	err = reset ? 0 : load_set(&b, ops, FTRACE_FILTER);
	for (i = 0; i < cnt && !err; i++) {
		unsigned long ip = ftrace_location(ips[i]);

		err = ip ? ftrace_set_builder_add(to, ip) : -EINVAL;
	}
	if (!err && remove) {
		ftrace_set_builder_sort(&b);
		ftrace_set_builder_sort(&gone);
		had = b.nr;
		ftrace_set_builder_remove(&b, &gone);
		if (had - b.nr != gone.nr)
			err = -ENOENT;
	}
	return err ?: ftrace_ops_change_set(ops, FTRACE_FILTER, &b);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ips);

/**
 * ftrace_set_filter_ip - ftrace_set_filter_ips() for one address
 * @ops: the ops, registered or not
 * @ip: address of the site, or of the first byte of a function
 * @remove: not 0: remove it instead of adding it
 * @reset: not 0: first drop the old selection
 *
 * Context: process context, may sleep.
 * Return: as ftrace_set_filter_ips().
 */
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset)
{
	return ftrace_set_filter_ips(ops, &ip, 1, remove, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ip);

/**
 * ftrace_free_filter - free what the ftrace_set_*() functions have allocated for an ops
 * @ops: an ops that is not registered
 *
 * Context: process context, may sleep.
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);
	if (WARN_ON(ops->flags & FTRACE_OPS_FL_ENABLED) || !ops->filter)
		return;
	if (ops->filter != &global_filter) {
		list_del(&ops->filter->list);
		ftrace_set_retire(ops->filter->only);
		ftrace_set_retire(ops->filter->except);
		kfree(ops->filter);
	}
	ops->filter = NULL;
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);

/**
 * ftrace_ops_set_global_filter - make an ops follow set_ftrace_filter
 * @ops: an ops that is not registered and has no filter yet
 *
 * Context: any.
 */
void ftrace_ops_set_global_filter(struct ftrace_ops *ops)
{
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED) && !ops->filter)
		ops->filter = &global_filter;
}
EXPORT_SYMBOL_GPL(ftrace_ops_set_global_filter);

/**
 * ftrace_ops_share_filter - make an ops use the filter of another ops, also when it changes
 * @ops: an ops that is not registered; it has no filter, or has the filter of @other already
 * @other: the other ops, which exists as long as @ops, and frees the filter; NULL: at boot, no
 *	memory could be allocated for the other ops
 *
 * Context: process context, may sleep; early boot.
 * Return: 0 or -ENOMEM.
 */
int ftrace_ops_share_filter(struct ftrace_ops *ops, struct ftrace_ops *other)
{
	if (!other)
		return -ENOMEM;
	guard(mutex)(&ftrace_lock);
	ops->filter = own_filter(other);
	return ops->filter ? 0 : -ENOMEM;
}

/**
 * ftrace_set_early_filter - select functions that a boot parameter names
 * @ops: the ops
 * @buf: words separated by commas; modified. NULL: none
 * @enable: true: functions to trace; false: functions not to trace
 *
 * Context: early boot after ftrace_init(), or process context.
 */
void ftrace_set_early_filter(struct ftrace_ops *ops, char *buf, int enable)
{
	char *word;

	while ((word = strsep(&buf, ","))) {
		enum ftrace_filter_side side = enable ? FTRACE_FILTER : FTRACE_NOTRACE;
		int err = change_by_word(ops, side, word, strlen(word), false);

		if (err)
			pr_warn("ftrace: \"%s\" in a boot filter: error %d\n", word, err);
	}
}

TRACE_BOOT_TEXT("ftrace_filter=", boot_filter);
TRACE_BOOT_TEXT("ftrace_notrace=", boot_filter_notrace);

/**
 * ftrace_boot_filters - apply boot parameters to the global filter
 *
 * Context: early boot, when the kernel's sites are known; ftrace_lock not held.
 */
void __init ftrace_boot_filters(void)
{
	ftrace_set_early_filter(&ftrace_global_ops, boot_filter, true);
	ftrace_set_early_filter(&ftrace_global_ops, boot_filter_notrace, false);
}
