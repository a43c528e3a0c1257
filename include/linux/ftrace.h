/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing: callbacks at the entry of kernel functions.
 *
 * For those who want to be called: struct ftrace_ops and its functions. For the
 * core kernel: what boot, module loader, symbol lookup and lock debugging call,
 * with stubs where tracing is not built. What architectures provide is described
 * in <linux/ftrace_patch.h>.
 *
 * A call site is the place in a function that the compiler left free for the
 * tracer; its address, "ip" everywhere below, is what ftrace_location() returns.
 */
#ifndef _LINUX_FTRACE_H
#define _LINUX_FTRACE_H

#include <linux/trace_recursion.h>
#include <linux/trace_clock.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/linkage.h>
#include <linux/bitops.h>
#include <linux/ptrace.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/init.h>
#include <linux/fs.h>

#include <asm/ftrace.h>
#include <linux/ftrace_regs.h>

struct ctl_table;
struct ftrace_filter;
struct ftrace_ops;
struct module;

/* Return address of the function that uses it, and of its callers. */
#define CALLER_ADDR0	((unsigned long)__builtin_return_address(0))
#ifdef ftrace_return_address
#define ftrace_caller_addr(n)	((unsigned long)ftrace_return_address(n))
#else
static inline unsigned long ftrace_caller_addr(unsigned int n)
{
	return 0;
}
#endif
#ifdef ftrace_parent_address
#define CALLER_ADDR1	ftrace_parent_address()
#else
#define CALLER_ADDR1	ftrace_caller_addr(1)
#endif
#define CALLER_ADDR2	ftrace_caller_addr(2)
#define CALLER_ADDR3	ftrace_caller_addr(3)
#define CALLER_ADDR4	ftrace_caller_addr(4)
#define CALLER_ADDR5	ftrace_caller_addr(5)
#define CALLER_ADDR6	ftrace_caller_addr(6)

/* Not for function graph: what returns on another task's stack than it was called on. */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#define __notrace_funcgraph	notrace
#else
#define __notrace_funcgraph
#endif

/*
 * Callbacks
 */

/**
 * typedef ftrace_func_t - callback at the entry of a function
 * @ip: the call site
 * @parent_ip: where the function was called from
 * @op: the ops whose callback this is
 * @fregs: registers at the entry, see <linux/ftrace_regs.h>; NULL where the
 *	architecture saves none
 *
 * Runs in the context of the traced function, which may be any, NMI and idle
 * included, but with preemption off. Must not sleep. It must not rely on
 * anything that is traced itself unless it is protected against recursion, by
 * FTRACE_OPS_FL_RECURSION or by ftrace_test_recursion_trylock().
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

/**
 * enum ftrace_ops_cmd - what is asked of the owner of an ops with a direct call
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF: share a site with an ops that is
 *	registered already and changes the instruction pointer
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER: share a site with such an ops that is
 *	about to be registered
 * @FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER: that ops is gone, or did not come
 *
 * A trampoline that agrees goes back to where it was told to, and does not call the
 * function itself. The first is asked with the locks of function tracing held, the
 * others so that modify_ftrace_direct_nolock() can be called. They answer 0, or with
 * the error that whoever would have to share gets. They must not change filters.
 */
enum ftrace_ops_cmd {
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF,
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER,
	FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER,
};

typedef int (*ftrace_ops_func_t)(struct ftrace_ops *op, enum ftrace_ops_cmd cmd);

/**
 * enum ftrace_ops_flags - struct ftrace_ops.flags
 * @FTRACE_OPS_FL_ENABLED: is registered (set and cleared by the tracer)
 * @FTRACE_OPS_FL_DYNAMIC: may be freed after it was unregistered (set by the
 *	tracer for every ops that is not part of the kernel image)
 * @FTRACE_OPS_FL_SAVE_REGS: needs a full struct pt_regs; registering fails with
 *	EINVAL where the architecture cannot give it
 * @FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED: would take it where it can
 * @FTRACE_OPS_FL_RECURSION: the callback needs protection against recursion
 * @FTRACE_OPS_FL_IPMODIFY: may change the instruction pointer; at most one such
 *	ops for each site
 * @FTRACE_OPS_FL_PID: wants only the tasks of the top instance's pid lists
 * @FTRACE_OPS_FL_RCU: the callback uses RCU, so not where RCU is not watching
 * @FTRACE_OPS_FL_PERMANENT: kernel.ftrace_enabled must not switch it off
 * @FTRACE_OPS_FL_PRIVATE: this bit and those above belong to kernel/trace/ftrace
 */
enum ftrace_ops_flags {
	FTRACE_OPS_FL_ENABLED			= BIT(0),
	FTRACE_OPS_FL_DYNAMIC			= BIT(1),
	FTRACE_OPS_FL_SAVE_REGS			= BIT(2),
	FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED	= BIT(3),
	FTRACE_OPS_FL_RECURSION			= BIT(4),
	FTRACE_OPS_FL_IPMODIFY			= BIT(5),
	FTRACE_OPS_FL_PID			= BIT(6),
	FTRACE_OPS_FL_RCU			= BIT(7),
	FTRACE_OPS_FL_PERMANENT			= BIT(8),
	FTRACE_OPS_FL_PRIVATE			= BIT(16),
};

#ifdef CONFIG_FUNCTION_TRACER

/**
 * struct ftrace_ops - one user of function tracing
 * @func: callback; must not change while the ops is registered
 * @flags: enum ftrace_ops_flags
 * @private: the owner's
 * @ops_func: how to ask the owner to share its sites, or NULL
 * @filter: which sites; allocated when first set, NULL: all of them
 * @list: among the registered
 * @direct_call: the trampoline, if the ops is that of a direct call
 *
 * All zero but for @func is valid; register_ftrace_direct() sets that, too. The owner
 * provides the memory, and may free it after unregister_ftrace_function() and
 * ftrace_free_filter().
 */
struct ftrace_ops {
	ftrace_func_t		func;
	unsigned long		flags;
	void			*private;
	ftrace_ops_func_t	ops_func;
	struct ftrace_filter	*filter;
	struct list_head	list;
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
	unsigned long		direct_call;
#endif
};

int register_ftrace_function(struct ftrace_ops *ops);
int unregister_ftrace_function(struct ftrace_ops *ops);
void ftrace_ops_set_global_filter(struct ftrace_ops *ops);

#else /* !CONFIG_FUNCTION_TRACER */

static inline int register_ftrace_function(struct ftrace_ops *ops)
{
	return -ENODEV;
}

static inline int unregister_ftrace_function(struct ftrace_ops *ops)
{
	return -ENODEV;
}

static inline void ftrace_ops_set_global_filter(struct ftrace_ops *ops) { }

#endif /* CONFIG_FUNCTION_TRACER */

/*
 * Call sites: which there are, which of them an ops wants, who comes and goes
 */
#ifdef CONFIG_DYNAMIC_FTRACE

int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset);
void ftrace_set_early_filter(struct ftrace_ops *ops, char *buf, int enable);
void ftrace_free_filter(struct ftrace_ops *ops);

unsigned long ftrace_location(unsigned long ip);
unsigned long ftrace_location_range(unsigned long start, unsigned long end);
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs);
bool is_ftrace_trampoline(unsigned long addr);

void ftrace_free_init_mem(void);
void ftrace_module_init(struct module *mod);
void ftrace_module_enable(struct module *mod);
void ftrace_release_mod(struct module *mod);
void ftrace_free_mem(struct module *mod, void *start, void *end);

#else /* !CONFIG_DYNAMIC_FTRACE */

static inline unsigned long ftrace_location(unsigned long ip)
{
	return 0;
}

static inline unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	return 0;
}

static inline int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
					unsigned long *addrs)
{
	return -EOPNOTSUPP;
}

static inline bool is_ftrace_trampoline(unsigned long addr)
{
	return false;
}

static inline int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len,
				    int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len,
				     int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip,
				       int remove, int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
					unsigned int cnt, int remove, int reset)
{
	return -ENODEV;
}

static inline void ftrace_free_filter(struct ftrace_ops *ops) { }
static inline void ftrace_module_init(struct module *mod) { }
static inline void ftrace_module_enable(struct module *mod) { }
static inline void ftrace_release_mod(struct module *mod) { }
static inline void ftrace_free_mem(struct module *mod, void *start, void *end) { }
static inline void ftrace_free_init_mem(void) { }

#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_FTRACE_MCOUNT_RECORD

/* The section in which the compiler or recordmcount lists a module's sites. */
#ifdef CC_USING_PATCHABLE_FUNCTION_ENTRY
#define FTRACE_CALLSITE_SECTION	"__patchable_function_entries"
#else
#define FTRACE_CALLSITE_SECTION	"__mcount_loc"
#endif

void ftrace_init(void);

#else

static inline void ftrace_init(void) { }

#endif /* CONFIG_FTRACE_MCOUNT_RECORD */

/*
 * Direct calls: a site calls a trampoline of somebody's own.
 */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr);
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr, bool free_filters);
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr);
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr);

#else /* !CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

static inline int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	return -EOPNOTSUPP;
}

static inline int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr,
					   bool free_filters)
{
	return -EOPNOTSUPP;
}

static inline int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	return -EOPNOTSUPP;
}

static inline int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr)
{
	return -EOPNOTSUPP;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

/*
 * Symbols of modules' init text that was freed while somebody was registered
 */
#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_MODULES)

int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size, unsigned long *off,
			      char **modname, const unsigned char **modbuildid, char *sym);
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value, char *type, char *name,
			   char *module_name, int *exported);

#else

static inline int
ftrace_mod_address_lookup(unsigned long addr, unsigned long *size, unsigned long *off,
			  char **modname, const unsigned char **modbuildid, char *sym)
{
	return 0;
}

static inline int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value,
					 char *type, char *name,
					 char *module_name, int *exported)
{
	return -ERANGE;
}

#endif

/*
 * Function graph: callbacks at the entry of functions and at their return
 *
 * An entry that somebody accepts makes the function return to return_to_handler, which
 * calls who accepted it and goes on to where the function should have returned. Where that
 * is, the task's shadow stack remembers: kernel/trace/ftrace/graph.c.
 */

struct fgraph_ops;
struct ftrace_graph_ent;
struct ftrace_graph_ret;

/* What is called at the entry, and whether it accepts; what is called at the return. */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);

/**
 * struct ftrace_graph_ent - a function is entered
 * @func: its call site
 * @depth: how many calls of the task that somebody accepted are under way
 */
struct ftrace_graph_ent {
	unsigned long		func;
	int			depth;
};

/**
 * struct ftrace_graph_ret - a function returns
 * @func: its call site
 * @retval: what its first return register holds, whether it returns anything or not
 * @depth: as at the entry
 * @overrun: how many calls of the task have not been seen, as it was too deep in others
 * @calltime: when its entry had been accepted, in ns of trace_clock_local()
 * @rettime: when it returned
 */
struct ftrace_graph_ret {
	unsigned long		func;
	unsigned long		retval;
	int			depth;
	unsigned int		overrun;
	unsigned long long	calltime;
	unsigned long long	rettime;
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * struct fgraph_ops - one user of function graph
 * @entryfunc: called at the entry of functions; says if it wants the return
 * @retfunc: called at the return of the calls for which @entryfunc did not say 0
 * @ops: which functions: see ftrace_set_filter()
 * @private: the owner's
 * @saved_func: the owner's
 * @idx: for fgraph_reserve_data() and fgraph_retrieve_data(); set when it is registered
 * @born: which users are older; set when it is registered
 *
 * Both functions run in the context of the traced function, which may be any, NMI and idle
 * included, but with preemption off. What they call may be traced: they are called for
 * it, but not for what they call then.
 */
struct fgraph_ops {
	trace_func_graph_ent_t	entryfunc;
	trace_func_graph_ret_t	retfunc;
	struct ftrace_ops	ops;
	void			*private;
	trace_func_graph_ent_t	saved_func;
	int			idx;
	u32			born;
};

/**
 * struct ftrace_ret_stack - a call whose return is waited for
 * @ret: where it was called from, and will return to
 * @func: its call site
 * @fp: of the task's calls under way, this one; the architecture says how
 * @calltime: as in struct ftrace_graph_ret
 * @born: of the youngest of its users
 * @below: where in the shadow stack the next older call is; 0: nowhere
 * @depth: as in struct ftrace_graph_ent
 * @users: who accepted it, a bit for each fgraph_ops::idx; 0 from when these are told of the return
 * @size: of this, with the users' data that follows
 * @unused: so that what follows is aligned
 */
struct ftrace_ret_stack {
	unsigned long		ret;
	unsigned long		func;
	unsigned long		fp;
	unsigned long long	calltime;
	u32			born;
	u16			below;
	u16			depth;
	u16			users;
	u16			size;
	u32			unused;
};

int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
void ftrace_graph_stop(void);
bool ftrace_graph_is_dead(void);
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);

void *fgraph_reserve_data(int idx, int size_bytes);
void *fgraph_retrieve_data(int idx, int *size_bytes);
void *fgraph_retrieve_parent_data(int idx, int *size_bytes, int depth);
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops);

struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int skip);
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp);

void ftrace_graph_init_task(struct task_struct *t);
void ftrace_graph_exit_task(struct task_struct *t);

/* Forked like others, but for the first one; see kernel/trace/ftrace/graph_tasks.c. */
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }

/* Between these, entries of functions by this task are not seen; returns are. */
static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

static inline void unpause_graph_tracing(void)
{
	atomic_dec(&current->tracing_graph_pause);
}

/* For architectures: where diverted functions return to, and what that calls. */
void return_to_handler(void);
unsigned long ftrace_return_to_handler(struct ftrace_regs *fregs);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

static inline void ftrace_graph_init_task(struct task_struct *t) { }
static inline void ftrace_graph_exit_task(struct task_struct *t) { }
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }
static inline void ftrace_graph_stop(void) { }
static inline void pause_graph_tracing(void) { }
static inline void unpause_graph_tracing(void) { }

static inline unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
						  unsigned long ret, unsigned long *retp)
{
	return ret;
}

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

/*
 * The trace buffer: boot, oops and sysctl. See <linux/kernel.h> for the rest.
 */
#ifdef CONFIG_TRACING

#define MAX_TRACER_SIZE		100

/* kernel.ftrace_dump_on_oops, kernel.traceoff_on_warning, kernel.tracepoint_printk */
extern char ftrace_dump_on_oops[MAX_TRACER_SIZE];
extern int __disable_trace_on_warning;
extern int tracepoint_printk;
int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos);

void early_trace_init(void);
void trace_init(void);
void disable_trace_on_warning(void);

#else

static inline void early_trace_init(void) { }
static inline void trace_init(void) { }
static inline void disable_trace_on_warning(void) { }

#endif /* CONFIG_TRACING */

/* Who wants to know of interrupts, and of preemption, being switched. */
DECLARE_STATIC_KEY_FALSE(trace_irq_listeners);
DECLARE_STATIC_KEY_FALSE(trace_preempt_listeners);

/* Who took the lock that switched preemption: the nearest address outside of the lock functions. */
static __always_inline unsigned long ftrace_lock_parent_address(void)
{
	unsigned long ip = CALLER_ADDR0;

	if (!in_lock_functions(ip))
		return ip;
	ip = CALLER_ADDR1;
	return in_lock_functions(ip) ? CALLER_ADDR2 : ip;
}

/**
 * get_lock_parent_ip - who took the lock that switched preemption
 *
 * The answer may cost a walk of the stack, and the scheduler asks at every switch. Those
 * who trace it look for it on their own, when somebody listens.
 *
 * Return: the nearest return address outside of the lock functions; 0 where preemption
 * is not debugged.
 */
static __always_inline unsigned long get_lock_parent_ip(void)
{
	return IS_ENABLED(CONFIG_DEBUG_PREEMPT) ? ftrace_lock_parent_address() : 0;
}

/*
 * Preemption being switched. The scheduler says so at every switch, and mostly nobody
 * wants to know: that is a NOP. Macros, as the addresses are those of the caller.
 */
#ifdef CONFIG_TRACE_PREEMPT_TOGGLE

void __trace_preempt_on(unsigned long ip, unsigned long parent_ip);
void __trace_preempt_off(unsigned long ip, unsigned long parent_ip);

#define trace_preempt_on(ip, parent_ip)						\
	do {									\
		if (static_branch_unlikely(&trace_preempt_listeners))		\
			__trace_preempt_on(ip, (parent_ip) ?: ftrace_lock_parent_address()); \
	} while (0)

#define trace_preempt_off(ip, parent_ip)					\
	do {									\
		if (static_branch_unlikely(&trace_preempt_listeners))		\
			__trace_preempt_off(ip, (parent_ip) ?: ftrace_lock_parent_address()); \
	} while (0)

#else

/* Macros, so that nobody works out what to pass. */
#define trace_preempt_on(...)	do { } while (0)
#define trace_preempt_off(...)	do { } while (0)

#endif /* CONFIG_TRACE_PREEMPT_TOGGLE */

/*
 * For architectures; see also <linux/ftrace_patch.h>
 */
#ifdef CONFIG_DYNAMIC_FTRACE

/* Where an enabled site goes: saves registers, calls the site's ops. */
void ftrace_caller(void);

#ifndef FTRACE_ADDR
#define FTRACE_ADDR	((unsigned long)ftrace_caller)
#endif

#endif /* CONFIG_DYNAMIC_FTRACE */
#endif /* _LINUX_FTRACE_H */
