/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the files of ftrace/ work together.
 *
 *	sites.c		where the sites are: groups of records, look-up
 *	set.c		frozen sets of sites, and how they are built
 *	names.c		sites to names
 *	init_names.c	symbols of modules' init text, which is gone
 *	match.c		names and patterns to sites
 *	later.c		names in modules that are not there yet
 *	opset.c		who wants a site: one ops, or an interned set of them
 *	oplist.c	who is called where sites do not hold a pointer to that
 *	grace.c		when nobody is on the way to an ops any more
 *	update.c	from a change of wishes to batches of sites
 *	patch.c		from a batch to patched text; what happens if that fails
 *	ops.c		register_ftrace_function()
 *	filter.c	the filters of an ops
 *	share.c		which ops may want the same site
 *	direct.c	direct calls: trampolines of others
 *	static.c	what is left of all this if sites are always on
 *	graph.c		function graph: entries and returns, and who wants them
 *	shadow_stack.c	what a task's calls return to, and whose data is with them
 *	graph_tasks.c	which tasks have a shadow stack
 *	graph_time.c	time that calls do not run
 *	graph_select.c	set_graph_function and set_graph_notrace
 *	sysctl.c	kernel.ftrace_enabled
 *	files.c		the lists of sites in tracefs
 *	filter_files.c	set_ftrace_filter and set_ftrace_notrace
 *	commands.c	what functions do besides being traced
 *
 * ftrace_lock, a mutex, guards all of it: the groups, the state in the records,
 * the registered ops and their filters. Outside of it nest the lock of direct calls
 * (direct.c) and those of the users of function graph (graph.c) and of function
 * commands, inside of it module_mutex, and the CPU hotplug lock with text_mutex.
 * The traced functions themselves look at nothing of this: a site holds the
 * pointer to whom it calls (see opset.c), or all share one (see oplist.c).
 */
#ifndef _KERNEL_TRACE_FTRACE_INTERNAL_H
#define _KERNEL_TRACE_FTRACE_INTERNAL_H

#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/ftrace_patch.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "ftrace.h"

struct seq_file;

extern struct mutex ftrace_lock;

/*
 * Who registers, unregisters and changes direct calls, and ops that may change where a
 * function goes on; and who adds sites to filters. Owners are asked under it, so that what
 * they were asked about is still so when their answer counts. Taken before ftrace_lock.
 */
extern struct mutex ftrace_direct_lock;

/* Who is registered, the latest first. */
extern struct list_head ftrace_ops_list;

/* kernel.ftrace_enabled; ftrace_lock. */
extern bool ftrace_is_on;

/* Has patching failed? Then nothing is touched any more, for good. */
extern bool ftrace_gave_up;

/* Has ftrace_bug() been called? Any context. */
static inline bool ftrace_dead(void)
{
	return READ_ONCE(ftrace_gave_up);
}

/*
 * Who gives sites to an ops that may be a direct call, or change where functions go on,
 * holds the lock of direct calls, too: while owners are asked, no filter gets a site.
 */
void ftrace_filters_lock(void);
void ftrace_filters_unlock(void);
DEFINE_LOCK_GUARD_0(ftrace_filters, ftrace_filters_lock(), ftrace_filters_unlock())

/* sites.c */

/**
 * struct dyn_ftrace - one call site
 * @offset: from the start of its group's text
 * @flags: DYN_FTRACE_* and, below them, how many ops want the site
 */
struct dyn_ftrace {
	u32 offset;
	u32 flags;
};
static_assert(sizeof(struct dyn_ftrace) == 8);

#define DYN_FTRACE_ENABLED	BIT(31)		/* the site is a call */
#define DYN_FTRACE_TOUCHED	BIT(30)		/* it has been one before */
#define DYN_FTRACE_MODIFIED	BIT(29)		/* somebody could change what the function does */
#define DYN_FTRACE_COUNT	GENMASK(23, 0)	/* ops that want it */

/**
 * struct ftrace_group - the sites of one stretch of text
 * @list: in ftrace_groups; readers need ftrace_lock or RCU
 * @mod: the module, NULL: the kernel
 * @start: the text's first address
 * @end: one past its last address
 * @live: its text may be patched; until a module is coming, it may not
 * @come: how many modules had come with that, this one included: ftrace_modules_come
 * @nr: how many sites
 * @site: the records, ascending by address; they never move
 * @rcu: frees it when no reader can have it any more
 */
struct ftrace_group {
	struct list_head list;
	struct module *mod;
	unsigned long start;
	unsigned long end;
	bool live;
	unsigned int come;
	unsigned int nr;
	struct dyn_ftrace *site;
	struct rcu_head rcu;
};

extern struct list_head ftrace_groups;

/* How often text went away, and how many modules have come; ftrace_lock. */
extern unsigned int ftrace_text_gone;
extern unsigned int ftrace_modules_come;

static inline unsigned long ftrace_site_ip(const struct ftrace_group *group,
					   const struct dyn_ftrace *site)
{
	return group->start + site->offset;
}

/*
 * Is it the site of the function whose symbol is at @func, no other symbol being
 * between them? If there is one before it, this one is in a function that the linker
 * dropped, without a symbol.
 */
static inline bool ftrace_site_is_of(const struct ftrace_group *group,
				     const struct dyn_ftrace *site, unsigned long func)
{
	if (ftrace_site_ip(group, site) - func > FTRACE_SITE_MAX_OFFSET)
		return false;
	return site == group->site || ftrace_site_ip(group, site - 1) < func;
}

struct ftrace_group *ftrace_group_of(unsigned long ip);
struct dyn_ftrace *ftrace_find_site(const struct ftrace_group *group,
				    unsigned long start, unsigned long end);
struct dyn_ftrace *ftrace_next_site(const struct ftrace_group *group,
				    const struct dyn_ftrace *from, unsigned long ip);
void ftrace_total_info(unsigned long *sites, unsigned long *pages, unsigned long *groups);

/* set.c */

/**
 * struct ftrace_set - some sites, frozen
 * @dead: among the dead; must be first
 * @later: words about modules that are not there yet
 * @nr: how many sites
 * @ip: their addresses, ascending
 */
struct ftrace_set {
	struct llist_node dead;
	struct ftrace_later *later;
	unsigned long nr;
	unsigned long ip[] __counted_by(nr);
};

/**
 * struct ftrace_set_builder - a set that is being put together
 * @nr: addresses so far, repetitions included
 * @room: how many fit into @ip
 * @sorted: the first @sorted of them are ascending and different
 * @ip: the addresses
 * @later: words about modules that are not there yet
 */
struct ftrace_set_builder {
	unsigned long nr;
	unsigned long room;
	unsigned long sorted;
	unsigned long *ip;
	struct ftrace_later *later;
};

/* Without anything in it, it is no set: "all", or no exception. */
static inline bool ftrace_set_builder_empty(const struct ftrace_set_builder *b)
{
	return !b->nr && !b->later;
}

/*
 * For who looks for many keys in order: the first of @nr ascending elements that is not
 * below @key, if that is not before @from, where the last one was. It costs O(log) of how
 * far it is from there, so nothing much where every element is looked for.
 */
static __always_inline unsigned long
ftrace_search_from(const void *table, unsigned long nr, unsigned long from, unsigned long key,
		   bool (*below)(const void *table, unsigned long i, unsigned long key))
{
	unsigned long low = from, high = from, step = 1, mid;

	for (; high < nr && below(table, high, key); high += step, step *= 2)
		low = high + 1;
	high = min(high, nr);
	while (low < high) {
		mid = low + (high - low) / 2;
		if (below(table, mid, key))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int ftrace_set_builder_load(struct ftrace_set_builder *b, const struct ftrace_set *set);
int ftrace_set_builder_add(struct ftrace_set_builder *b, unsigned long ip);
void ftrace_set_builder_remove(struct ftrace_set_builder *b,
			       const struct ftrace_set_builder *gone);
bool ftrace_set_builder_forget(struct ftrace_set_builder *b, unsigned long start,
			       unsigned long end);
void ftrace_set_builder_sort(struct ftrace_set_builder *b);
void ftrace_set_builder_free(struct ftrace_set_builder *b);
struct ftrace_set *ftrace_set_freeze(struct ftrace_set_builder *b);
void ftrace_set_free(struct ftrace_set *set);
struct ftrace_set *ftrace_set_without(struct ftrace_set *set, unsigned long start,
				      unsigned long end);
bool ftrace_set_has_next(const struct ftrace_set *set, unsigned long *at, unsigned long ip);
unsigned long ftrace_set_from(const struct ftrace_set *set, unsigned long ip);

#ifdef CONFIG_DYNAMIC_FTRACE
bool ftrace_set_has(const struct ftrace_set *set, unsigned long ip);
#else
/* There are no sets. */
static inline bool ftrace_set_has(const struct ftrace_set *set, unsigned long ip) { return true; }
#endif

/**
 * struct ftrace_filter - the sites that an ops is about
 * @list: all filters, so that text that goes away can be taken out of each
 * @only: only these; NULL: all
 * @except: but not these; NULL: no exception
 *
 * A set with no site left, because the module went away, is not NULL: it does
 * not turn into its opposite. Several ops may share one filter
 * (ftrace_ops_set_global_filter()).
 */
struct ftrace_filter {
	struct list_head list;
	struct ftrace_set *only;
	struct ftrace_set *except;
};

static inline struct ftrace_set **ftrace_filter_set(struct ftrace_filter *filter,
						    enum ftrace_filter_side side)
{
	return side == FTRACE_FILTER ? &filter->only : &filter->except;
}

static inline bool ftrace_filter_wants_all(const struct ftrace_filter *filter)
{
	return !filter->only && !filter->except;
}

/* Does an ops with this filter want the site? Without a filter it wants none. */
static inline bool ftrace_filter_wants(const struct ftrace_filter *filter, unsigned long ip)
{
	if (!filter)
		return false;
	if (filter->only && !ftrace_set_has(filter->only, ip))
		return false;
	return !filter->except || !ftrace_set_has(filter->except, ip);
}

extern const struct ftrace_filter ftrace_all_sites;

/* The sites that an ops wants: its filter, or that of all sites; never NULL. ftrace_lock held. */
static inline const struct ftrace_filter *ftrace_ops_filter(const struct ftrace_ops *ops)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	return ops->filter ?: &ftrace_all_sites;
#else
	return &ftrace_all_sites;
#endif
}

/* names.c */

/**
 * struct ftrace_names - where one who asks for the names of sites has got to
 * @kernel: at the symbol of the latest site of the kernel's
 * @group: text of a module whose names are in @text; NULL: none
 * @gone: ftrace_text_gone when they were put there
 * @at: for each site of @group, where in @text its name begins; 0: it has none
 * @text: names, each with its NUL, behind two bytes that say how far it is to the site
 * @used: bytes used of @text
 * @room: and its size
 * @name: the latest name, if it is not in @text
 */
struct ftrace_names {
	struct kallsyms_cursor kernel;
	const struct ftrace_group *group;
	unsigned int gone;
	u32 *at;
	char *text;
	size_t used;
	size_t room;
	char name[KSYM_NAME_LEN];
};

const char *ftrace_name(struct ftrace_names *n, const struct ftrace_group *group,
			const struct dyn_ftrace *site);
bool ftrace_has_name(struct ftrace_names *n, const struct ftrace_group *group,
		     const struct dyn_ftrace *site);
bool ftrace_show_name(struct seq_file *m, struct ftrace_names *n,
		      const struct ftrace_group *group, const struct dyn_ftrace *site);
bool ftrace_show_site(struct seq_file *m, struct ftrace_names *n, unsigned long ip);
void ftrace_names_free(struct ftrace_names *n);

/* init_names.c */
void ftrace_keep_init_names(struct module *mod, unsigned long start, unsigned long end);
void ftrace_forget_init_names(const struct module *mod);

/* filter_files.c */
void ftrace_filter_files_forget(unsigned long start, unsigned long end);

/* commands.c */
int ftrace_do_command(void *instance, const char *func, const char *name, char *params,
		      bool remove);
void ftrace_end_empty_commands(void);
unsigned long ftrace_command_lines(const void *instance);
void ftrace_show_command(struct seq_file *m, struct ftrace_names *names, const void *instance,
			 unsigned long nr);

/* later.c */

/**
 * struct ftrace_later - a word about a module that is not there yet
 * @next: another one
 * @module: which modules it is about, as in struct ftrace_scope
 * @func: which of their functions; empty: all
 */
struct ftrace_later {
	struct ftrace_later *next;
	const char *module;
	char func[];
};

int ftrace_later_add(struct ftrace_later **list, const char *func, const char *module);
bool ftrace_later_remove(struct ftrace_later **list, const char *func, const char *module);
int ftrace_later_copy(struct ftrace_later **to, const struct ftrace_later *from);
void ftrace_later_free(struct ftrace_later *later);
bool ftrace_later_possible(const char *module);

/* match.c */

/**
 * struct ftrace_scope - some modules
 * @module: pattern of their names; empty: all modules; with "!" before it: all but
 *	those, and the kernel
 * @only: none but this one of them; NULL: all
 */
struct ftrace_scope {
	const char *module;
	struct module *only;
};

/* Is a word compared with the names of all sites? */
static inline bool ftrace_is_pattern(const char *word)
{
	return strpbrk(word, "*?[\\");
}

bool ftrace_in_scope(const struct ftrace_scope *scope, struct module *mod);
int ftrace_match_scope(struct ftrace_set_builder *b, const char *func,
		       const struct ftrace_scope *scope, bool remove);
int ftrace_match_words(struct ftrace_set_builder *b, const char *text, size_t len,
		       size_t *taken);
int ftrace_later_arrived(struct ftrace_set_builder *b, struct module *mod);

/* ftrace_match_words() for one word. */
static inline int ftrace_match_word(struct ftrace_set_builder *b, const char *word)
{
	size_t taken;

	return ftrace_match_words(b, word, strlen(word) + 1, &taken);
}

/* update.c */

/**
 * struct ftrace_wish - which sites are wanted, for who asks about many in order
 * @filter: these; NULL: none
 * @only: where in @filter->only the last one was
 * @except: where in @filter->except
 */
struct ftrace_wish {
	const struct ftrace_filter *filter;
	unsigned long only;
	unsigned long except;
};

/**
 * struct ftrace_change - a change on its way
 * @ops: whose wishes change
 * @was: which sites it wanted
 * @now: which it wants
 * @visit: what to do with each site that is affected
 * @marks: flags that sites get which are enabled
 * @joins: the last site visited gets @ops; otherwise it loses it
 * @from: whom the last site visited called
 * @to: whom such a site is to call; most sites are as the one before
 * @gfp: how to allocate, beside GFP_KERNEL: the second pass must not fail, and need not
 *	allocate much
 * @run: how many sites in a row went from @from to @to
 * @mod: whose sites are in the batch
 * @nr: how many there are
 */
struct ftrace_change {
	struct ftrace_ops *ops;
	struct ftrace_wish was;
	struct ftrace_wish now;
	int (*visit)(struct ftrace_change *c, struct ftrace_group *group,
		     struct dyn_ftrace *site, bool joins);
	u32 marks;
	bool joins;
	struct ftrace_ops *from;
	struct ftrace_ops *to;
	gfp_t gfp;
	unsigned long run;
	struct module *mod;
	unsigned int nr;
};

int ftrace_visit_sites(struct ftrace_change *c, struct ftrace_group *only);
int ftrace_update(struct ftrace_ops *ops, const struct ftrace_filter *was,
		  const struct ftrace_filter *now);
void ftrace_update_back(struct ftrace_ops *ops, const struct ftrace_filter *now,
			const struct ftrace_filter *was);
int ftrace_update_group(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			struct ftrace_group *group);
int ftrace_update_direct(struct ftrace_ops *ops, unsigned long addr);

/* opset.c; oplist.c, where sites hold no pointer */
struct ftrace_patch;

/* The ops is that of a direct call. */
#define FTRACE_OPS_FL_DIRECT	FTRACE_OPS_FL_PRIVATE

/* What enabled_functions says about the ops of a site. */
#define FTRACE_OPS_FL_VISIBLE \
	(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)

/* The ops is that of a user of function graph: graph.c. */
#define FTRACE_OPS_FL_GRAPH	(FTRACE_OPS_FL_PRIVATE << 1)

/* With these, what a function does may change. */
#define FTRACE_OPS_FL_MODIFIES	(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)

/* What arch_ftrace_ops_list_func() checks for those who do not check it themselves. */
static inline bool ftrace_ops_needs_list(const struct ftrace_ops *ops)
{
	return ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_PID);
}

static inline bool ftrace_task_is_wanted(void)
{
	struct task_struct *wanted = raw_cpu_read(ftrace_pid_task);

	return !wanted || wanted == current;
}

/* Its part of it, for one call of an ops. Preemption is off. */
static __always_inline bool ftrace_ops_wants_call(const struct ftrace_ops *ops)
{
	if (likely(!(ops->flags & (FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_PID))))
		return true;
	return (!(ops->flags & FTRACE_OPS_FL_RCU) || rcu_is_watching()) &&
	       (!(ops->flags & FTRACE_OPS_FL_PID) || ftrace_task_is_wanted());
}

void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *caller, struct ftrace_regs *fregs);
int ftrace_opset_plan(struct ftrace_change *c, struct ftrace_group *only);
bool ftrace_opset_step(struct ftrace_change *c, struct dyn_ftrace *site, bool joins,
		       struct ftrace_patch *patch);
void ftrace_opset_drain(void);
void ftrace_opset_reap(void);
void ftrace_opset_abandon(void);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

void ftrace_opset_end(struct ftrace_change *c);
void ftrace_opset_site_gone(unsigned long ip, const struct dyn_ftrace *site);
bool ftrace_is_opset(const struct ftrace_ops *caller);
unsigned int ftrace_nr_opsets(void);
const struct ftrace_ops *ftrace_opset_direct(const struct ftrace_ops *caller);

static inline void ftrace_opset_refresh(const struct ftrace_filter *filter) { }

/* Only who holds ftrace_lock looks into sets. */
static inline void ftrace_set_retire(struct ftrace_set *set)
{
	ftrace_set_free(set);
}

#else

void ftrace_oplist_change(struct ftrace_ops *ops, const struct ftrace_filter *filter);
void ftrace_opset_refresh(const struct ftrace_filter *filter);
void ftrace_set_retire(struct ftrace_set *set);

static inline void ftrace_opset_end(struct ftrace_change *c) { }
static inline void ftrace_opset_site_gone(unsigned long ip, const struct dyn_ftrace *site) { }
static inline bool ftrace_is_opset(const struct ftrace_ops *caller) { return true; }

static inline const struct ftrace_ops *ftrace_opset_direct(const struct ftrace_ops *caller)
{
	return NULL;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */

/* grace.c */
void ftrace_synchronize(void);

/* graph.c */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void ftrace_graph_enter_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs);
void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *const *ops,
			unsigned int nr, struct ftrace_regs *fregs);

/* graph_tasks.c */
void ftrace_graph_each_task(void (*work)(struct task_struct *task, void *data), void *data);
void ftrace_graph_ask_for_stack(void);
int ftrace_graph_want_stacks(int idx);
void ftrace_graph_clear_vars(int idx);
void ftrace_graph_no_stacks(void);
#else
static inline void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip,
				      struct ftrace_ops *const *ops, unsigned int nr,
				      struct ftrace_regs *fregs) { }
#endif

/* graph_select.c */
#if defined(CONFIG_FUNCTION_GRAPH_TRACER) && defined(CONFIG_DYNAMIC_FTRACE)
void ftrace_graph_forget(unsigned long start, unsigned long end);
#else
static inline void ftrace_graph_forget(unsigned long start, unsigned long end) { }
#endif

/* patch.c */

/**
 * struct ftrace_patch - one call site in a batch
 * @ip: the site
 * @from: whom it calls now; NULL: nobody, the site is off
 * @to: whom it is to call
 */
struct ftrace_patch {
	unsigned long ip;
	struct ftrace_ops *from;
	struct ftrace_ops *to;
};

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

/* Whom a site calls while it is enabled; otherwise that means nothing. */
static inline struct ftrace_ops *ftrace_site_points_to(unsigned long ip)
{
	return READ_ONCE(*ftrace_site_ops(ip));
}

/* Whom a site calls, NULL: nobody. */
static inline struct ftrace_ops *ftrace_site_caller(unsigned long ip,
						    const struct dyn_ftrace *site)
{
	return site->flags & DYN_FTRACE_ENABLED ? ftrace_site_points_to(ip) : NULL;
}

#else

static inline struct ftrace_ops *ftrace_site_points_to(unsigned long ip)
{
	return READ_ONCE(ftrace_trace_ops);
}

/* No site calls anybody of its own. */
static inline struct ftrace_ops *ftrace_site_caller(unsigned long ip,
						    const struct dyn_ftrace *site)
{
	return NULL;
}

#endif

int ftrace_prepare_sites(struct module *mod, const unsigned long *ip, unsigned int nr,
			 struct ftrace_fault *fault);
int ftrace_patch_sites(struct module *mod, const struct ftrace_patch *patch,
		       unsigned int nr, struct ftrace_fault *fault);
void ftrace_bug(const struct ftrace_fault *fault, const char *what);

/* registry.c */
int ftrace_may_register(struct ftrace_ops *ops);
int ftrace_register(struct ftrace_ops *ops);
int ftrace_unregister(struct ftrace_ops *ops);

/* filter.c */
int ftrace_ops_change_set(struct ftrace_ops *ops, enum ftrace_filter_side side,
			  struct ftrace_set *set);
void ftrace_module_arrived(struct module *mod);
void ftrace_forget_text(unsigned long start, unsigned long end);
void ftrace_boot_filters(void);

/* share.c */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

bool ftrace_share_site(const struct ftrace_ops *ops, const struct ftrace_filter *was,
		       const struct ftrace_filter *now, const struct ftrace_ops *other);
int ftrace_may_share(struct ftrace_ops *ops, const struct ftrace_filter *was,
		     const struct ftrace_filter *now, bool asked);

#else

/* Nobody can change anything. */
static inline int ftrace_may_share(struct ftrace_ops *ops, const struct ftrace_filter *was,
				   const struct ftrace_filter *now, bool asked)
{
	return 0;
}

#endif

/* direct.c */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

int ftrace_register_modifier(struct ftrace_ops *ops);
int ftrace_unregister_modifier(struct ftrace_ops *ops);

static inline unsigned long ftrace_direct_call(const struct ftrace_ops *ops)
{
	return READ_ONCE(ops->direct_call);
}

#else

static inline int ftrace_register_modifier(struct ftrace_ops *ops)
{
	return ftrace_register(ops);
}

static inline int ftrace_unregister_modifier(struct ftrace_ops *ops)
{
	return ftrace_unregister(ops);
}

static inline unsigned long ftrace_direct_call(const struct ftrace_ops *ops)
{
	return 0;
}

#endif

#endif /* _KERNEL_TRACE_FTRACE_INTERNAL_H */
