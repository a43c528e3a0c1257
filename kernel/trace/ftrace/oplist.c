// SPDX-License-Identifier: GPL-2.0
/*
 * Whom call sites call that hold no pointer: those made with -pg, static ones, and those at
 * the entry of functions with no room for a pointer in front.
 *
 * All of them call the same, ftrace_trace_ops. That is NULL if nobody wants
 * anything; the ops, if there is only one, which wants all sites and looks after
 * itself; otherwise a list: a frozen array of ops and of the sites that each wants,
 * with an ftrace_ops of its own in front, whose function goes through the array
 * and looks into the sets. So what a call costs depends on how many ops there are.
 *
 * Sites are switched on and off, if they can be, so that at least the sites that
 * somebody wants are on while somebody does. That saves time; who is called is up
 * to the list alone, and with it right at any moment.
 *
 * Lifetime
 *
 *	change of the list (ftrace_lock)	task that runs a site
 *	1. ftrace_trace_ops = the new one	a. ftrace_call(): load ftrace_trace_ops
 *	2. old list, set that was replaced:	b. call its function
 *	   to the dead				c. go through the members, their sets
 *	3. wait: ftrace_synchronize()		d. leave ftrace_call()
 *	4. free them
 *
 * (a) gets the old list or the new one, whole: what it points to was written before
 * (1), which is a store-release, and (b) and (c) depend on the address that (a)
 * loaded. A list points to sets that are current when it is made, and a set dies
 * only when the list that is current does not point to it: so whoever looks into
 * it came by (a) before (1), and is gone after (3).
 *
 * Why the wait is long enough: synchronize.c. ftrace_call() raises preempt_count before (a)
 * and lowers it at (d).
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "dispatch.h"
#include "graph.h"
#include "patch.h"
#include "set.h"
#include "shadow_stack.h"
#include "sites.h"
#include "state.h"
#include "update.h"

/**
 * struct ftrace_oplist - who is to be called
 * @dead: among the dead; must be first
 * @ops: what ftrace_trace_ops points to
 * @nr: how many members
 * @member: the ops with the sites that each wants, latest change first; never changed
 */
struct ftrace_oplist {
	struct llist_node dead;
	struct ftrace_ops ops;
	unsigned int nr;
	struct ftrace_oplist_member {
		struct ftrace_ops *ops;
		struct ftrace_filter filter;
	} member[] __counted_by(nr);
};

struct ftrace_ops *ftrace_trace_ops __read_mostly;

/* All who are registered, also if ftrace_trace_ops need not look at it. */
static struct ftrace_oplist *current_list;

/*
 * What a callback gets of what ftrace_call() was given. Behind the prologue that is a frame
 * pointer, of use for function graph only.
 */
static __always_inline struct ftrace_regs *callback_regs(const struct ftrace_ops *ops,
							 struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) ||
	       ops->flags & FTRACE_OPS_FL_GRAPH ? fregs : NULL;
}

/**
 * ftrace_call - call whom sites call
 * @ip: the site
 * @parent_ip: where its function was called from
 * @fregs: its function's registers; behind the prologue, its frame pointer
 *
 * ftrace_caller, or _mcount if sites are always on, comes here. Behind the prologue it does
 * not if ftrace_trace_ops is NULL: that is the short way out.
 *
 * Context: the entry of a traced function: any, NMI included.
 */
void notrace ftrace_call(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct ftrace_ops *ops;

	preempt_disable_notrace();
	ops = READ_ONCE(ftrace_trace_ops);
	if (ops)
		ops->func(ip, parent_ip, ops, callback_regs(ops, fregs));
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(ftrace_call);

/* Who of the users of function graph wants a call. */
struct graph_call {
	unsigned int nr;
	struct ftrace_ops *user[FTRACE_GRAPH_USERS];
};

static __always_inline void call_member(const struct ftrace_oplist_member *m, unsigned long ip,
					unsigned long parent_ip, struct ftrace_regs *fregs,
					struct graph_call *graph)
{
	if (!ftrace_filter_wants(&m->filter, ip) || !ftrace_ops_wants_call(m->ops))
		return;
	if (m->ops->flags & FTRACE_OPS_FL_GRAPH)
		graph->user[graph->nr++] = m->ops;
	else
		m->ops->func(ip, parent_ip, m->ops, callback_regs(m->ops, fregs));
}

/**
 * arch_ftrace_ops_list_func - the callback of a list
 * @ip: the site
 * @parent_ip: where its function was called from
 * @caller: the ops in front of the list
 * @fregs: its function's registers; behind the prologue, its frame pointer
 *
 * A call has one frame of function graph, whoever wants it. Graph comes last, as it changes
 * where the function returns to. The linker script knows it by this name, and as
 * ftrace_ops_list_func.
 * Context: a callback of the site, preemption off: any, NMI included.
 */
void notrace arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
				       struct ftrace_ops *caller, struct ftrace_regs *fregs)
{
	struct ftrace_oplist *list = container_of(caller, struct ftrace_oplist, ops);
	const struct ftrace_oplist_member *m;
	struct graph_call graph __uninitialized;
	int bit;

	bit = trace_recursion_enter(TRACE_RECURSION_DISPATCH);
	if (bit < 0)
		return;
	graph.nr = 0;
	for (m = list->member; m < list->member + list->nr; m++)
		call_member(m, ip, parent_ip, fregs, &graph);
	if (graph.nr)
		ftrace_graph_enter(ip, parent_ip, graph.user, graph.nr, fregs);
	trace_recursion_leave(bit);
}
NOKPROBE_SYMBOL(arch_ftrace_ops_list_func);

/* Whom a list comes to. */
static struct ftrace_ops *list_caller(struct ftrace_oplist *list)
{
	const struct ftrace_oplist_member *m;

	if (!list)
		return NULL;
	m = list->member;
	if (list->nr == 1 && ftrace_filter_wants_all(&m->filter) &&
	    !ftrace_ops_needs_list(m->ops))
		return m->ops;
	return &list->ops;
}

static void add_member(struct ftrace_oplist *list, struct ftrace_ops *ops,
		       const struct ftrace_filter *filter)
{
	list->nr++;
	list->member[list->nr - 1] = (struct ftrace_oplist_member){
		.ops = ops, .filter = *filter,
	};
}

/*
 * The current list, but that @ops wants what @filter says; NULL: it leaves. Does not
 * fail: an ops must be able to leave, and to get back what it had.
 */
static struct ftrace_oplist *list_with(struct ftrace_ops *ops,
				       const struct ftrace_filter *filter)
{
	unsigned int old = current_list ? current_list->nr : 0, i;
	struct ftrace_oplist *list;

	list = kvzalloc(struct_size(list, member, old + 1), GFP_KERNEL | __GFP_NOFAIL);
	list->ops.func = arch_ftrace_ops_list_func;
	/* It is given what function graph needs. */
	list->ops.flags = FTRACE_OPS_FL_GRAPH;
	if (filter)
		add_member(list, ops, filter);
	for (i = 0; i < old; i++)
		if (current_list->member[i].ops != ops)
			add_member(list, current_list->member[i].ops,
				   &current_list->member[i].filter);
	if (list->nr)
		return list;
	kvfree(list);
	return NULL;
}

/* Lists and sets that are not current any more. Each begins with its node. */
static LLIST_HEAD(dead);

/**
 * ftrace_opset_drain - wait until nobody is on the way to what was there before
 *
 * Ops that do not want any site are nobody's after that, and lists and sets that are
 * not current any more are freed.
 * Context: process context, may sleep.
 */
void ftrace_opset_drain(void)
{
	struct llist_node *node = llist_del_all(&dead), *next;

	ftrace_synchronize();
	llist_for_each_safe(node, next, node)
		kvfree(node);
}

static void drain(struct work_struct *work)
{
	ftrace_opset_drain();
}

static DECLARE_WORK(drain_work, drain);

/**
 * ftrace_opset_reap - let go of what is not current any more
 *
 * For those who do not want to wait themselves. Before there are workers (early
 * boot) it stays until the next time.
 * Context: any that may take locks.
 */
void ftrace_opset_reap(void)
{
	if (!llist_empty(&dead) && system_wq)
		schedule_work(&drain_work);
}

#ifdef CONFIG_DYNAMIC_FTRACE
/**
 * ftrace_set_retire - free a set that lists may have pointed to, later
 * @set: the set, which no filter has any more; or NULL
 *
 * Context: may sleep. ftrace_lock need not be held.
 */
void ftrace_set_retire(struct ftrace_set *set)
{
	if (!set)
		return;
	ftrace_deferred_free(set->deferred);
	llist_add(&set->dead, &dead);
	ftrace_opset_reap();
}
#endif

static void set_list(struct ftrace_oplist *list)
{
	struct ftrace_oplist *old = current_list;

	current_list = list;
	/* The list is filled in; who calls depends on the pointer for that. */
	smp_store_release(&ftrace_trace_ops, list_caller(list));
	if (old)
		llist_add(&old->dead, &dead);
}

/**
 * ftrace_oplist_change - an ops comes, leaves, or wants other sites than before
 * @ops: the ops
 * @filter: what it wants from now on; NULL: nothing, it leaves
 *
 * The sets of @filter must stay until another change has replaced them, and be
 * retired then.
 *
 * Context: process context or early boot, ftrace_lock held.
 */
void ftrace_oplist_change(struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	set_list(list_with(ops, filter));
}

/**
 * ftrace_opset_abandon - patching has failed: nobody is called any more
 *
 * Context: process context or early boot, ftrace_lock held.
 */
void ftrace_opset_abandon(void)
{
	set_list(NULL);
	ftrace_opset_reap();
}

#ifdef CONFIG_DYNAMIC_FTRACE

/**
 * ftrace_opset_refresh - look into other sets with the same sites
 * @filter: has got them
 *
 * Context: ftrace_lock held.
 */
void ftrace_opset_refresh(const struct ftrace_filter *filter)
{
	struct ftrace_ops *ops;

	if (!ftrace_is_on || ftrace_dead())
		return;
	/* Each comes to the front: as they were registered. */
	list_for_each_entry_reverse(ops, &ftrace_ops_list, list)
		if (ops->filter == filter)
			ftrace_oplist_change(ops, filter);
}

/**
 * ftrace_opset_plan - say whom sites will call
 * @c: the change
 * @only: the group of which sites change, for an ops that is there; NULL: all
 *
 * Context: ftrace_lock held.
 * Return: 0.
 */
int ftrace_opset_plan(struct ftrace_change *c, struct ftrace_group *only)
{
	if (!only)
		ftrace_oplist_change(c->ops, c->now.filter);
	return 0;
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
	bool was_on = site->flags & DYN_FTRACE_ENABLED, is_on;

	site->flags += joins ? 1 : -1;
	is_on = site->flags & DYN_FTRACE_COUNT;
	if (joins)
		site->flags |= c->marks;
	else if (!is_on)
		site->flags &= ~DYN_FTRACE_ENABLED;
	if (was_on == is_on)
		return false;
	patch->from = was_on ? c->ops : NULL;
	patch->to = was_on ? NULL : c->ops;
	return true;
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
	unsigned int i, nr = current_list ? current_list->nr : 0;
	unsigned long flags = 0;

	for (i = 0; i < nr; i++)
		if (ftrace_filter_wants(&current_list->member[i].filter, ip))
			flags |= current_list->member[i].ops->flags;
	return flags & FTRACE_OPS_FL_VISIBLE;
}

#endif /* CONFIG_DYNAMIC_FTRACE */
