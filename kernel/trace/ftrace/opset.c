// SPDX-License-Identifier: GPL-2.0
/*
 * Who wants a call site.
 *
 * An enabled site carries one pointer to an ftrace_ops, whose function the
 * trampoline calls. If a single ops wants the site, and looks after itself, that
 * is the ops. Otherwise it is an ops set: a frozen array of ops with an
 * ftrace_ops of its own in front, whose function calls them all. Sets are
 * interned: all sites that the same ops want share one. So what a call costs
 * depends on who wants this site, not on how many ops there are.
 *
 * A set that no site points to any more is taken out of the table, and freed when
 * nobody can be looking at it any more: synchronize.c.
 */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "dispatch.h"
#include "graph.h"
#include "patch.h"
#include "shadow_stack.h"
#include "sites.h"
#include "state.h"
#include "update.h"

/**
 * struct ftrace_opset - some ops that sites want together
 * @ops: what those sites point to, with the flags of members that a site shows
 * @hash: by the members
 * @idle: in idle_sets while no site points here
 * @sites: how many sites point here
 * @nr: how many members
 * @plain: how many of them come before those of function graph, or a direct call
 * @member: the ops, latest registered first, but those of function graph behind others,
 *	and a direct call last; never changed
 */
struct ftrace_opset {
	struct ftrace_ops ops;
	struct hlist_node hash;
	struct list_head idle;
	unsigned long sites;
	unsigned int nr;
	unsigned int plain;
	struct ftrace_ops *member[] __counted_by(nr);
};

static DEFINE_HASHTABLE(opsets, 6);
static LIST_HEAD(idle_sets);

/* How many sets have been allocated and not freed. */
static atomic_t nr_opsets;

static struct ftrace_opset *opset_alloc(unsigned int nr, gfp_t gfp)
{
	struct ftrace_opset *set = kzalloc(struct_size(set, member, nr), gfp);

	if (set) {
		set->nr = nr;
		atomic_inc(&nr_opsets);
	}
	return set;
}

static void opset_free(struct ftrace_opset *set)
{
	atomic_dec(&nr_opsets);
	kfree(set);
}

/**
 * ftrace_nr_opsets - how many sets there are; for tests
 *
 * Context: any.
 * Return: that, with those that wait to be freed.
 */
unsigned int ftrace_nr_opsets(void)
{
	return atomic_read(&nr_opsets);
}

/*
 * The members that change where the function returns to and goes on: the callbacks before
 * them see its registers. A call has one frame of function graph, whoever wants it.
 */
static noinline void call_changing(const struct ftrace_opset *set, unsigned long ip,
				   unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct ftrace_ops *graph[FTRACE_GRAPH_USERS];
	unsigned int i, nr = 0;

	for (i = set->plain; i < set->nr && set->member[i]->flags & FTRACE_OPS_FL_GRAPH; i++)
		if (ftrace_ops_wants_call(set->member[i]))
			graph[nr++] = set->member[i];
	if (nr)
		ftrace_graph_enter(ip, parent_ip, graph, nr, fregs);
	if (i < set->nr && ftrace_ops_wants_call(set->member[i]))
		set->member[i]->func(ip, parent_ip, set->member[i], fregs);
}

/**
 * arch_ftrace_ops_list_func - the callback of sites that several ops want
 * @ip: the site
 * @parent_ip: where its function was called from
 * @caller: the ops in front of the set
 * @fregs: registers at the function's entry
 *
 * Also of those that one ops wants which needs looking after. The linker script knows it by
 * this name, and as ftrace_ops_list_func.
 * Context: a callback of the site, preemption off: any, NMI included.
 */
void notrace arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
				       struct ftrace_ops *caller, struct ftrace_regs *fregs)
{
	struct ftrace_opset *set = container_of(caller, struct ftrace_opset, ops);
	unsigned int i;
	int bit;

	bit = trace_recursion_enter(TRACE_RECURSION_DISPATCH);
	if (bit < 0)
		return;
	for (i = 0; i < set->plain; i++) {
		struct ftrace_ops *ops = set->member[i];

		if (ftrace_ops_wants_call(ops))
			ops->func(ip, parent_ip, ops, fregs);
	}
	if (i < set->nr)
		call_changing(set, ip, parent_ip, fregs);
	trace_recursion_leave(bit);
}

/**
 * ftrace_is_opset - does a site that points to this call a set?
 * @caller: what it points to, not NULL
 *
 * Context: ftrace_lock held.
 * Return: true, or false if it is an ops by itself.
 */
bool ftrace_is_opset(const struct ftrace_ops *caller)
{
	return caller->func == arch_ftrace_ops_list_func;
}

static struct ftrace_opset *opset_of(struct ftrace_ops *caller)
{
	if (!caller || !ftrace_is_opset(caller))
		return NULL;
	return container_of(caller, struct ftrace_opset, ops);
}

/**
 * ftrace_site_ops_flags - what is special about the ops that want a site
 * @ip: the site
 * @site: its record
 *
 * Context: ftrace_lock held.
 * Return: those of FTRACE_OPS_FL_VISIBLE that any of them has.
 */
unsigned long ftrace_site_ops_flags(unsigned long ip, const struct dyn_ftrace *site)
{
	const struct ftrace_ops *caller = ftrace_site_caller(ip, site);

	return caller ? caller->flags & FTRACE_OPS_FL_VISIBLE : 0;
}

static u32 opset_hash(struct ftrace_ops *const *member, unsigned int nr)
{
	return jhash(member, nr * sizeof(*member), 0);
}

static struct ftrace_opset *opset_lookup(struct ftrace_ops *const *member, unsigned int nr)
{
	struct ftrace_opset *set;

	hash_for_each_possible(opsets, set, hash, opset_hash(member, nr))
		if (set->nr == nr && !memcmp(set->member, member, nr * sizeof(*member)))
			return set;
	return NULL;
}

/* In which order members are called: by this, and of equals the latest first. */
static unsigned int member_rank(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_DIRECT ? 2 : !!(ops->flags & FTRACE_OPS_FL_GRAPH);
}

/* How many of some members, which are in order, are of a lower rank. */
static unsigned int members_below(struct ftrace_ops *const *member, unsigned int nr,
				  unsigned int rank)
{
	unsigned int i = 0;

	while (i < nr && member_rank(member[i]) < rank)
		i++;
	return i;
}

/* The ops that sites with these members point to; @set is used or freed. */
static struct ftrace_ops *opset_intern(struct ftrace_opset *set)
{
	struct ftrace_opset *same;
	unsigned int i;

	if (set->nr == 1 && !ftrace_ops_needs_list(set->member[0])) {
		struct ftrace_ops *ops = set->member[0];

		opset_free(set);
		return ops;
	}
	same = opset_lookup(set->member, set->nr);
	if (same) {
		opset_free(set);
		return &same->ops;
	}
	set->ops.func = arch_ftrace_ops_list_func;
	set->plain = members_below(set->member, set->nr, 1);
	for (i = 0; i < set->nr; i++)
		set->ops.flags |= set->member[i]->flags & FTRACE_OPS_FL_VISIBLE;
	hash_add(opsets, &set->hash, opset_hash(set->member, set->nr));
	list_add(&set->idle, &idle_sets);
	return &set->ops;
}

static unsigned int members(struct ftrace_ops **caller, struct ftrace_ops *const **member)
{
	struct ftrace_opset *set = opset_of(*caller);

	*member = set ? set->member : caller;
	return set ? set->nr : !!*caller;
}

/**
 * ftrace_opset_direct - the direct call among those who are called
 * @caller: what a site points to
 *
 * Context: ftrace_lock held.
 * Return: its ops, or NULL.
 */
const struct ftrace_ops *ftrace_opset_direct(const struct ftrace_ops *caller)
{
	struct ftrace_ops *const *member, *ops = (struct ftrace_ops *)caller;
	unsigned int nr = members(&ops, &member);

	while (nr--)
		if (member[nr]->flags & FTRACE_OPS_FL_DIRECT)
			return member[nr];
	return NULL;
}

/* Whom a site calls when one more ops wants it, or ERR_PTR(-ENOMEM). */
static struct ftrace_ops *opset_with(struct ftrace_ops *caller, struct ftrace_ops *ops,
				     gfp_t gfp)
{
	struct ftrace_ops *const *old;
	unsigned int nr = members(&caller, &old);
	struct ftrace_opset *set = opset_alloc(nr + 1, gfp);
	unsigned int at = members_below(old, nr, member_rank(ops));

	if (!set)
		return ERR_PTR(-ENOMEM);
	memcpy(set->member, old, at * sizeof(*old));
	set->member[at] = ops;
	memcpy(set->member + at + 1, old + at, (nr - at) * sizeof(*old));
	return opset_intern(set);
}

static bool is_member(struct ftrace_ops *const *member, unsigned int nr,
		      const struct ftrace_ops *ops)
{
	while (nr--)
		if (member[nr] == ops)
			return true;
	return false;
}

/*
 * Whom a site calls when @ops does not want it any more: NULL if nobody does,
 * @caller if @ops was not among those who do. Does not fail: an ops must always be
 * able to leave.
 */
static struct ftrace_ops *opset_without(struct ftrace_ops *caller, struct ftrace_ops *ops)
{
	struct ftrace_ops *const *old;
	unsigned int nr = members(&caller, &old), from, to = 0;
	struct ftrace_opset *set;

	if (!is_member(old, nr, ops))
		return caller;
	if (nr == 1)
		return NULL;
	set = opset_alloc(nr - 1, GFP_KERNEL | __GFP_NOFAIL);
	for (from = 0; from < nr; from++)
		if (old[from] != ops)
			set->member[to++] = old[from];
	return opset_intern(set);
}

/* Accounts that @nr sites call somebody else; NULL: nobody. */
static void opset_moved(struct ftrace_ops *from, struct ftrace_ops *to, unsigned long nr)
{
	struct ftrace_opset *set = opset_of(to);

	if (set) {
		if (!set->sites)
			list_del(&set->idle);
		set->sites += nr;
	}
	set = opset_of(from);
	if (set) {
		set->sites -= nr;
		if (!set->sites)
			list_add(&set->idle, &idle_sets);
	}
}

/**
 * ftrace_opset_end - account the last of the sites that went the same way together
 * @c: the change, all sites of which have been visited
 *
 * Context: ftrace_lock held.
 */
void ftrace_opset_end(struct ftrace_change *c)
{
	if (c->run)
		opset_moved(c->from, c->to, c->run);
	c->run = 0;
}

static struct ftrace_ops *new_caller(struct ftrace_change *c, struct ftrace_ops *from, bool joins)
{
	ftrace_opset_end(c);
	c->from = from;
	c->joins = joins;
	c->to = joins ? opset_with(from, c->ops, c->gfp) :
			opset_without(from, c->ops);
	return c->to;
}

/*
 * Whom a site that calls @from shall call. At first all is 0: nobody leaves a site
 * that calls nobody, so that is right, too.
 */
static struct ftrace_ops *change_caller(struct ftrace_change *c, struct ftrace_ops *from,
					bool joins)
{
	if (likely(from == c->from && joins == c->joins))
		return c->to;
	return new_caller(c, from, joins);
}

static int plan_site(struct ftrace_change *c, struct ftrace_group *group,
		     struct dyn_ftrace *site, bool joins)
{
	struct ftrace_ops *from = ftrace_site_caller(ftrace_site_ip(group, site), site);
	struct ftrace_ops *to = change_caller(c, from, joins);

	return IS_ERR(to) ? PTR_ERR(to) : 0;
}

/*
 * They may name an ops that did not get in, and can be gone, with another one in its place,
 * before they are freed: nobody may find them.
 */
static void hide_idle_sets(void)
{
	struct ftrace_opset *set;

	list_for_each_entry(set, &idle_sets, idle)
		hash_del(&set->hash);
}

/**
 * ftrace_opset_plan - work out whom sites will call, and do what may fail
 * @c: the change
 * @only: the group of which sites change; NULL: all
 *
 * Context: ftrace_lock held.
 * Return: 0, or -ENOMEM.
 */
int ftrace_opset_plan(struct ftrace_change *c, struct ftrace_group *only)
{
	int err;

	c->visit = plan_site;
	c->gfp |= GFP_KERNEL;
	err = ftrace_visit_sites(c, only);
	c->gfp |= __GFP_NOFAIL;
	if (err)
		hide_idle_sets();
	return err;
}

/**
 * ftrace_opset_step - how one site changes
 * @c: the change, which was planned
 * @site: the site; its record is changed at once
 * @joins: it gets @c->ops; otherwise it loses it
 * @patch: filled in but for its @ip
 *
 * Context: ftrace_lock held.
 * Return: must it be patched?
 */
bool ftrace_opset_step(struct ftrace_change *c, struct dyn_ftrace *site, bool joins,
		       struct ftrace_patch *patch)
{
	patch->from = ftrace_site_caller(patch->ip, site);
	patch->to = change_caller(c, patch->from, joins);

	/* It came without memory for this site, and leaves without it. */
	if (unlikely(patch->to == patch->from))
		return false;
	c->run++;
	site->flags += joins ? 1 : -1;
	if (patch->to)
		site->flags |= c->marks;
	else
		site->flags &= ~DYN_FTRACE_ENABLED;
	return true;
}

/**
 * ftrace_opset_site_gone - a site goes away with its text
 * @ip: the site
 * @site: its record
 *
 * Context: ftrace_lock held.
 */
void ftrace_opset_site_gone(unsigned long ip, const struct dyn_ftrace *site)
{
	opset_moved(ftrace_site_caller(ip, site), NULL, 1);
}

/**
 * ftrace_opset_drain - wait until nobody is on the way to what left its sites
 *
 * Ops that do not want any site are nobody's after that, and sets without a site
 * are freed.
 * Context: process context, may sleep; takes ftrace_lock.
 */
void ftrace_opset_drain(void)
{
	struct ftrace_opset *set, *next;
	LIST_HEAD(dead);

	scoped_guard(mutex, &ftrace_lock) {
		list_splice_init(&idle_sets, &dead);
		list_for_each_entry(set, &dead, idle)
			hash_del(&set->hash);
	}
	ftrace_synchronize();
	list_for_each_entry_safe(set, next, &dead, idle)
		opset_free(set);
}

static void drain(struct work_struct *work)
{
	ftrace_opset_drain();
}

static DECLARE_WORK(drain_work, drain);

/**
 * ftrace_opset_reap - let go of the sets that no site points to
 *
 * For those who do not want to wait themselves. Before there are workers (early
 * boot) the sets stay until the next time.
 * Context: ftrace_lock held.
 */
void ftrace_opset_reap(void)
{
	if (!list_empty(&idle_sets) && system_wq)
		schedule_work(&drain_work);
}

/**
 * ftrace_opset_abandon - no site points to any set any more
 *
 * Patching has failed, and all sites call nobody.
 * Context: ftrace_lock held.
 */
void ftrace_opset_abandon(void)
{
	struct ftrace_opset *set;
	unsigned int bucket;

	hash_for_each(opsets, bucket, set, hash) {
		if (set->sites)
			list_add(&set->idle, &idle_sets);
		set->sites = 0;
	}
	ftrace_opset_reap();
}
