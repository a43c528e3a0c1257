// SPDX-License-Identifier: GPL-2.0
/*
 * Dispatching for call sites that hold no pointer: sites made with -pg, static sites, and sites of
 * functions that have no space for a pointer before them.
 *
 * All these sites call ftrace_trace_ops. It is NULL if no ops is registered. If a single ops is
 * registered, wants all sites and needs no list, ftrace_trace_ops points to this ops. Otherwise it
 * points to a list: a frozen array of ops and of the sites that each ops wants, preceded by the
 * list's own ftrace_ops, whose function walks the array and looks into the sets. So the cost of a
 * call depends on the number of ops.
 *
 * If sites can be patched, all sites that some ops wants are on, and most other sites are off,
 * which saves time. The list alone decides which ops are called, and a new list takes effect at
 * once.
 *
 * Lifetime
 *
 *	change of the list (ftrace_lock)	task that runs a site
 *
 *	1. ftrace_trace_ops = the new one	a. ftrace_call(): load ftrace_trace_ops
 *	2. put the old list, and the set	b. call its function
 *	   that was replaced, into @retired	c. walk the members and their sets
 *	3. wait: ftrace_synchronize()		d. leave ftrace_call()
 *	4. free them
 *
 * (a) loads the old list or the new one, complete: the contents were written before (1), which is
 * a store-release, and (b) and (c) depend on the address that (a) loaded. A list points to sets
 * that are current when it is made, and a set is put into @retired only when the current list does
 * not point to it. So a task that looks into the set did (a) before (1), and (d) before (3)
 * returns.
 *
 * synchronize.c shows that the wait is long enough: ftrace_call() raises preempt_count before (a)
 * and lowers it at (d).
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
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
 * struct ftrace_oplist - the ops to be called
 * @retired: entry in the list of that name; must be first
 * @ops: ftrace_trace_ops points to it
 * @nr: number of members
 * @member: each ops with the sites that it wants, latest change first; never changed
 */
struct ftrace_oplist {
	struct llist_node retired;
	struct ftrace_ops ops;
	unsigned int nr;
	struct ftrace_oplist_member {
		struct ftrace_ops *ops;
		struct ftrace_filter filter;
	} member[] __counted_by(nr);
};

struct ftrace_ops *ftrace_trace_ops __read_mostly;

/* The list of all registered ops, also if ftrace_trace_ops points to the only ops instead. */
static struct ftrace_oplist *current_list;

/*
 * The registers for a callback. Sites made with -pg have only a frame pointer, which callbacks of
 * function graph need, and others do not get.
 */
static __always_inline struct ftrace_regs *callback_regs(const struct ftrace_ops *ops,
							 struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) ||
	       ops->flags & FTRACE_OPS_FL_GRAPH ? fregs : NULL;
}

/**
 * ftrace_call - call the ops that want a site
 * @ip: the site
 * @parent_ip: where its function was called from
 * @fregs: the function's registers; for sites made with -pg, its frame pointer
 *
 * ftrace_caller calls this, or _mcount if sites are always on. For sites made with -pg, they first
 * test ftrace_trace_ops and return if it is NULL.
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

/* The users of function graph that want a call. */
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
 * @caller: the list's own ops
 * @fregs: the function's registers; for sites made with -pg, its frame pointer
 *
 * All users of function graph share one frame for a call. They come last, as they change the
 * return address. The linker script knows this function by this name, and as ftrace_ops_list_func.
 *
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
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) && graph.nr)
		ftrace_graph_enter(ip, parent_ip, graph.user, graph.nr, fregs);
	trace_recursion_leave(bit);
}
NOKPROBE_SYMBOL(arch_ftrace_ops_list_func);

/* The value of ftrace_trace_ops for a list. */
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
 * Copy the current list with @filter for @ops; NULL: without @ops. Does not fail, since removing an
 * ops, and giving it back its old sites after an error, must always succeed.
 */
static struct ftrace_oplist *list_with(struct ftrace_ops *ops,
				       const struct ftrace_filter *filter)
{
	unsigned int old = current_list ? current_list->nr : 0, i;
	struct ftrace_oplist *list;

	list = kvzalloc(struct_size(list, member, old + 1), GFP_KERNEL | __GFP_NOFAIL);
	list->ops.func = arch_ftrace_ops_list_func;
	/* The list passes the registers on to function graph. */
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

/* Lists and sets that are not current, to be freed. Each begins with its list node. */
static LLIST_HEAD(retired);

/**
 * ftrace_opset_drain - wait until no task is on the way to an old list, set or ops
 *
 * When this returns, an ops that wants no site is not in use, and lists and sets are freed that
 * were not current when it began.
 *
 * Context: process context, may sleep.
 */
void ftrace_opset_drain(void)
{
	struct llist_node *node = llist_del_all(&retired), *next;

	ftrace_synchronize();
	llist_for_each_safe(node, next, node)
		kvfree(node);
}

static void drain_lists(struct work_struct *work)
{
	ftrace_opset_drain();
}

static DECLARE_WORK(drain_work, drain_lists);

/**
 * ftrace_opset_reap - queue a work that frees lists and sets that are not current
 *
 * Callers that do not wait themselves use this. In early boot, before there are workqueues, the
 * lists and sets are kept until the next call.
 *
 * Context: any that may take locks.
 */
void ftrace_opset_reap(void)
{
	if (!llist_empty(&retired) && system_wq)
		schedule_work(&drain_work);
}

#ifdef CONFIG_DYNAMIC_FTRACE
/**
 * ftrace_set_retire - free a set when no list points to it and no task uses it
 * @set: the set, which no filter has any more; or NULL
 *
 * Context: may sleep. ftrace_lock need not be held.
 */
void ftrace_set_retire(struct ftrace_set *set)
{
	if (!set)
		return;
	ftrace_deferred_free(set->deferred);
	llist_add(&set->retired, &retired);
	ftrace_opset_reap();
}
#endif

static void set_list(struct ftrace_oplist *list)
{
	struct ftrace_oplist *old = current_list;

	current_list = list;
	/* The release publishes the contents of the list; readers depend on the pointer. */
	smp_store_release(&ftrace_trace_ops, list_caller(list));
	if (old)
		llist_add(&old->retired, &retired);
}

/**
 * ftrace_oplist_change - add an ops, remove it, or change its sites
 * @ops: the ops
 * @filter: the sites that it wants from now on; NULL: remove it
 *
 * The caller keeps the sets of @filter until another change has replaced them, and then gives them
 * to ftrace_set_retire().
 *
 * Context: process context or early boot, ftrace_lock held.
 */
void ftrace_oplist_change(struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	set_list(list_with(ops, filter));
}

/**
 * ftrace_opset_abandon - call no ops any more, as patching has failed
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
 * ftrace_opset_refresh - use new sets that have the same sites as the old ones
 * @filter: the filter that has the new sets
 *
 * Context: ftrace_lock held.
 */
void ftrace_opset_refresh(const struct ftrace_filter *filter)
{
	struct ftrace_ops *ops;

	if (!ftrace_is_on || ftrace_dead())
		return;
	/* Each change moves an ops to the front, so go in the order of registration. */
	list_for_each_entry_reverse(ops, &ftrace_ops_list, list)
		if (ops->filter == filter)
			ftrace_oplist_change(ops, filter);
}

/**
 * ftrace_opset_plan - prepare a change: update the list
 * @c: the change
 * @only: the group whose sites change, for an ops that is in the list; NULL: all
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
 * ftrace_site_ops_flags - get the flags of the ops that want a site
 * @ip: the site
 * @site: its record
 *
 * Context: ftrace_lock held.
 * Return: each flag of FTRACE_OPS_FL_VISIBLE that at least one of these ops has.
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
