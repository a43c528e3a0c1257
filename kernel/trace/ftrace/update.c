// SPDX-License-Identifier: GPL-2.0
/*
 * From a change of the sites that an ops wants to patched text.
 *
 * A change consists of an ops, the sites that it wanted before, and the sites that it wants now. It
 * is applied in two passes over the sites that may differ. The first pass computes what each site
 * will call, and allocates the memory for that, which may fail. The second pass collects the sites
 * into batches and gives these to patch.c; the ops sets that it needs exist already. So a change
 * happens as a whole or not at all.
 */
#include <linux/cpu.h>
#include <linux/memory.h>

#include "dispatch.h"
#include "patch.h"
#include "set.h"
#include "sites.h"
#include "state.h"
#include "update.h"

/* Sites in a batch, which takes some 24 KB; a kernel's sites take a few dozen batches. */
#define BATCH_SITES	1024

/* The only batch; under ftrace_lock. */
static struct ftrace_patch batch[BATCH_SITES];

/* No CPU may come up during this: only CPUs that are up are told of the new instructions. */
static int flush_batch(struct ftrace_change *c)
{
	struct ftrace_fault fault;
	int err;

	if (!c->nr)
		return 0;
	scoped_guard(cpus_read_lock) {
		guard(mutex)(&text_mutex);
		err = ftrace_patch_sites(c->mod, batch, c->nr, &fault);
	}
	c->nr = 0;
	if (!err)
		return 0;
	ftrace_bug(&fault, "patching");
	return -ENODEV;
}

/* Context: ftrace_lock held. */
static __always_inline int add_to_batch(struct ftrace_change *c, struct module *mod,
					const struct ftrace_patch *patch)
{
	int err;

	if (c->nr == BATCH_SITES || c->mod != mod) {
		err = flush_batch(c);
		if (err)
			return err;
	}
	c->mod = mod;
	batch[c->nr++] = *patch;
	return 0;
}

static int apply_site(struct ftrace_change *c, struct ftrace_group *group,
		      struct dyn_ftrace *site, bool joins)
{
	struct ftrace_patch patch = { .ip = ftrace_site_ip(group, site) };

	if (!ftrace_opset_step(c, site, joins, &patch))
		return 0;
	return add_to_batch(c, group->mod, &patch);
}

static int run_change(struct ftrace_change *c, struct ftrace_group *only)
{
	int err;

	if (ftrace_dead())
		return -ENODEV;
	/* When ftrace is switched on, all sites get what their ops want then. */
	if (!ftrace_is_on)
		return 0;
	c->marks = DYN_FTRACE_ENABLED | DYN_FTRACE_TOUCHED;
	if (c->ops->flags & FTRACE_OPS_FL_MODIFIES)
		c->marks |= DYN_FTRACE_MODIFIED;
	err = ftrace_opset_plan(c, only);
	if (err)
		return err;
	c->visit = apply_site;
	err = ftrace_visit_sites(c, only) ?: flush_batch(c);
	if (!err)
		ftrace_opset_end(c);
	return err;
}

/**
 * ftrace_update - patch the sites that an ops begins to want, or ceases to want
 * @ops: the ops
 * @was: the sites that it wanted; NULL: none
 * @now: the sites that it wants; NULL: none
 *
 * The caller has to call ftrace_opset_reap() at the end.
 *
 * Context: process context or early boot, ftrace_lock held.
 * Return: 0; -ENOMEM with nothing changed; -ENODEV if patching failed, now or before.
 */
int ftrace_update(struct ftrace_ops *ops, const struct ftrace_filter *was,
		  const struct ftrace_filter *now)
{
	struct ftrace_change c = { .ops = ops, .was.filter = was, .now.filter = now };

	return run_change(&c, NULL);
}

/**
 * ftrace_update_back - undo ftrace_update()
 * @ops: the ops
 * @now: the sites that it wants
 * @was: the sites that it wanted before, and gets back
 *
 * Does not fail if memory is short, but may wait for memory for a long time.
 *
 * Context: as ftrace_update().
 */
void ftrace_update_back(struct ftrace_ops *ops, const struct ftrace_filter *now,
			const struct ftrace_filter *was)
{
	struct ftrace_change c = {
		.ops = ops, .was.filter = now, .now.filter = was, .gfp = __GFP_NOFAIL,
	};

	run_change(&c, NULL);
}

/**
 * ftrace_update_group - give new text to an ops that is registered already
 * @ops: the ops
 * @filter: the sites that it wants
 * @group: the new sites
 *
 * Context: as ftrace_update().
 * Return: as ftrace_update().
 */
int ftrace_update_group(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			struct ftrace_group *group)
{
	struct ftrace_change c = { .ops = ops, .now.filter = filter };

	return run_change(&c, group);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

/* A site that other ops want, too, calls ftrace_caller, with any trampoline: leave it alone. */
static int redirect_site(struct ftrace_change *c, struct ftrace_group *group,
			 struct dyn_ftrace *site, bool joins)
{
	struct ftrace_patch patch = {
		.ip = ftrace_site_ip(group, site), .from = c->from, .to = c->to,
	};

	if (ftrace_site_caller(patch.ip, site) != c->ops)
		return 0;
	return add_to_batch(c, group->mod, &patch);
}

/**
 * ftrace_update_direct - give a direct call another trampoline
 * @ops: the ops, registered
 * @addr: address of the trampoline
 *
 * Context: process context, ftrace_lock held.
 * Return: 0; -ENODEV if patching failed, now or before.
 */
int ftrace_update_direct(struct ftrace_ops *ops, unsigned long addr)
{
	/* The ops that the sites called until now, for patch.c. */
	struct ftrace_ops was = { .direct_call = ops->direct_call };
	struct ftrace_change c = {
		.ops = ops, .now.filter = ftrace_ops_filter(ops), .visit = redirect_site,
		.from = &was, .to = ops,
	};

	if (ftrace_dead())
		return -ENODEV;
	WRITE_ONCE(ops->direct_call, addr);
	return ftrace_visit_sites(&c, NULL) ?: flush_batch(&c);
}

#endif
