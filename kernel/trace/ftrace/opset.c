// SPDX-License-Identifier: GPL-2.0
/*
 * The ops that a call site calls.
 *
 * A site that is on has one pointer to an ftrace_ops, whose function the trampoline calls. If a
 * single ops wants the site, and needs no checks by the dispatcher, the pointer is that ops.
 * Otherwise it is an ops set: a frozen array of ops, preceded by the set's own ftrace_ops, whose
 * function calls them all. Sets are interned: all sites that the same ops want share one set. So
 * the cost of a call depends on the ops that want this site, not on the number of registered ops.
 *
 * A set that no site points to is taken out of the table, and freed when no CPU can be on the way
 * to it: synchronize.c.
 */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
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
 * struct ftrace_opset - ops that the same sites call
 * @ops: the ops that those sites point to; has the flags of the members that enabled_functions
 *	shows
 * @hash: entry in the table, by the members
 * @idle: entry in idle_sets while no site points to the set
 * @sites: number of sites that point to the set
 * @nr: number of members
 * @plain: number of members before those of function graph and a direct call
 * @member: the ops, latest registered first, but ops of function graph after these, and a direct
 *	call last; never changed
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

/* Number of sets that are allocated. */
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
 * ftrace_nr_opsets - count ops sets, for tests
 *
 * Context: any.
 * Return: number of sets, including those that wait to be freed.
 */
unsigned int ftrace_nr_opsets(void)
{
	return atomic_read(&nr_opsets);
}

/*
 * Call the members that change where the function returns to or goes on. They come last, so that
 * other callbacks see the original registers. All users of function graph share one frame.
 */
static noinline void call_changing(const struct ftrace_opset *set, unsigned long ip,
				   unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct ftrace_ops *graph[FTRACE_GRAPH_USERS];
	unsigned int i, nr = 0;

	for (i = set->plain; i < set->nr && set->member[i]->flags & FTRACE_OPS_FL_GRAPH; i++)
		if (ftrace_ops_wants_call(set->member[i]))
			graph[nr++] = set->member[i];
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) && nr)
		ftrace_graph_enter(ip, parent_ip, graph, nr, fregs);
	if (i < set->nr && ftrace_ops_wants_call(set->member[i]))
		set->member[i]->func(ip, parent_ip, set->member[i], fregs);
}

/**
 * arch_ftrace_ops_list_func - the callback of an ops set
 * @ip: the site
 * @parent_ip: where its function was called from
 * @caller: the set's own ops
 * @fregs: registers at the function's entry
 *
 * A set with one member is for an ops that needs checks by the dispatcher. The linker script knows
 * this function by this name, and as ftrace_ops_list_func.
 *
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
 * ftrace_is_opset - is an ops a set's own ops?
 * @caller: the ops that a site points to, not NULL
 *
 * Context: ftrace_lock held.
 * Return: true; false if it is a single ops.
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
 * ftrace_site_ops_flags - get the flags of the ops that want a site
 * @ip: the site
 * @site: its record
 *
 * Context: ftrace_lock held.
 * Return: each flag of FTRACE_OPS_FL_VISIBLE that at least one of these ops has.
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

/* Members are called in the order of their rank, and of equal ones the latest first. */
static unsigned int member_rank(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_DIRECT ? 2 : !!(ops->flags & FTRACE_OPS_FL_GRAPH);
}

/* Number of members, which are in order, that have a lower rank. */
static unsigned int members_below(struct ftrace_ops *const *member, unsigned int nr,
				  unsigned int rank)
{
	unsigned int i = 0;

	while (i < nr && member_rank(member[i]) < rank)
		i++;
	return i;
}

/* Find the set with the same members, and free @set; or insert @set. Return: its ops. */
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
 * ftrace_opset_direct - find the direct call among the ops that a site calls
 * @caller: the ops that the site points to
 *
 * Context: ftrace_lock held.
 * Return: the ops of the direct call, or NULL.
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

/* The ops that a site calls after @ops was added, or ERR_PTR(-ENOMEM). */
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

/*
 * The ops that a site calls after @ops was removed: NULL if no ops is left, @caller if @ops was not
 * among its ops. Does not fail, since removing an ops must always succeed.
 */
static struct ftrace_ops *opset_without(struct ftrace_ops *caller, struct ftrace_ops *ops)
{
	struct ftrace_ops *const *old;
	unsigned int nr = members(&caller, &old), at = 0;
	struct ftrace_opset *set;

	while (at < nr && old[at] != ops)
		at++;
	if (at == nr)
		return caller;
	if (nr == 1)
		return NULL;
	set = opset_alloc(nr - 1, GFP_KERNEL | __GFP_NOFAIL);
	memcpy(set->member, old, at * sizeof(*old));
	memcpy(set->member + at, old + at + 1, (nr - 1 - at) * sizeof(*old));
	return opset_intern(set);
}

/* Count that @nr sites call @to instead of @from; either may be NULL: none. */
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
 * ftrace_opset_end - count the last sites of a change, which went to the same ops
 * @c: the change, all sites of which were visited
 *
 * Context: ftrace_lock held.
 */
void ftrace_opset_end(struct ftrace_change *c)
{
	if (c->moved)
		opset_moved(c->from, c->to, c->moved);
	c->moved = 0;
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
 * The ops that a site which calls @from is to call. The last answer is cached in @c. Before the
 * first one, @c says that a site without ops that loses @c->ops still calls no ops, which is true.
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
 * After a failure, take idle sets out of the table. They may contain the ops that could not be
 * added. This ops may be freed, and another ops be allocated at its address, before the sets are
 * freed.
 */
static void hide_idle_sets(void)
{
	struct ftrace_opset *set;

	list_for_each_entry(set, &idle_sets, idle)
		hash_del(&set->hash);
}

/**
 * ftrace_opset_plan - compute the ops that sites will call, and allocate memory for them
 * @c: the change
 * @only: the group whose sites change; NULL: all
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
 * ftrace_opset_step - compute how one site changes
 * @c: the change, which was planned
 * @site: the site; its record is changed now
 * @joins: true: the site gets @c->ops; false: it loses @c->ops
 * @patch: filled in, except its @ip
 *
 * Context: ftrace_lock held.
 * Return: true if the site has to be patched.
 */
bool ftrace_opset_step(struct ftrace_change *c, struct dyn_ftrace *site, bool joins,
		       struct ftrace_patch *patch)
{
	patch->from = ftrace_site_caller(patch->ip, site);
	patch->to = change_caller(c, patch->from, joins);

	/* Memory was short when @c->ops was added for this site, so there is nothing to remove. */
	if (unlikely(patch->to == patch->from))
		return false;
	c->moved++;
	site->flags += joins ? 1 : -1;
	if (patch->to)
		site->flags |= c->marks;
	else
		site->flags &= ~DYN_FTRACE_ENABLED;
	return true;
}

/**
 * ftrace_opset_site_gone - count a site that is removed with its text
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
 * ftrace_opset_drain - wait until no CPU is on the way to an ops that has lost its sites
 *
 * When this returns, an ops that wants no site is not in use, and sets are freed that had no site
 * when it began.
 *
 * Context: process context, may sleep; takes ftrace_lock.
 */
void ftrace_opset_drain(void)
{
	struct ftrace_opset *set, *next;
	LIST_HEAD(unused);

	scoped_guard(mutex, &ftrace_lock) {
		list_splice_init(&idle_sets, &unused);
		list_for_each_entry(set, &unused, idle)
			hash_del(&set->hash);
	}
	ftrace_synchronize();
	list_for_each_entry_safe(set, next, &unused, idle)
		opset_free(set);
}

static void drain_sets(struct work_struct *work)
{
	ftrace_opset_drain();
}

static DECLARE_WORK(drain_work, drain_sets);

/**
 * ftrace_opset_reap - queue a work that frees the sets that no site points to
 *
 * For callers that do not wait themselves. In early boot, before there are workqueues, the sets
 * stay until the next call.
 *
 * Context: ftrace_lock held.
 */
void ftrace_opset_reap(void)
{
	if (!list_empty(&idle_sets) && system_wq)
		schedule_work(&drain_work);
}

/**
 * ftrace_opset_abandon - note that no site points to any set any more
 *
 * Called after patching has failed and all sites were silenced.
 *
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
