/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing: callbacks at the entry of kernel functions.
 *
 * This header is for code that wants callbacks: it has struct ftrace_ops and its functions. It
 * includes the headers of call sites (<linux/ftrace_sites.h>), of function graph
 * (<linux/ftrace_graph.h>) and of the scheduler's hooks (<linux/trace_preempt.h>), with stubs where
 * tracing is not built. <linux/ftrace_patch.h> describes the functions that architectures provide.
 *
 * A call site is the place in a function that the compiler left free for the tracer. Its address,
 * called "ip" everywhere below, is the one that ftrace_location() returns.
 */
#ifndef _LINUX_FTRACE_H
#define _LINUX_FTRACE_H

#include <linux/trace_recursion.h>
#include <linux/trace_preempt.h>
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
#include <linux/ftrace_sites.h>

struct ctl_table;
struct ftrace_filter;
struct ftrace_ops;
struct module;

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
 * It must not rely on anything that is traced itself unless it is protected
 * against recursion, by FTRACE_OPS_FL_RECURSION or by
 * ftrace_test_recursion_trylock().
 *
 * Context: that of the traced function: any, NMI and idle included; preemption
 * off. Must not sleep.
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

/**
 * enum ftrace_ops_cmd - requests to the owner of an ops with a direct call
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF: share a site with an ops that is registered already
 *	and changes the instruction pointer
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER: share a site with such an ops that is about to be
 *	registered
 * @FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER: that ops was unregistered, or registering it failed
 *
 * The trampoline of an owner that agrees goes on at the address that it was given, and does not
 * call the function itself. The first request comes with the locks of function tracing held. The
 * others come without ftrace_lock, so that the owner can call modify_ftrace_direct_nolock(). An
 * owner returns 0, or an error: the function that registers the ops, or changes its filter, returns
 * it. Owners must not change filters.
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
 * @FTRACE_OPS_FL_DYNAMIC: may be freed after it was unregistered (set by the tracer for every ops
 *	that is not part of the kernel image)
 * @FTRACE_OPS_FL_SAVE_REGS: needs a full struct pt_regs; if the architecture cannot provide it,
 *	registering fails with EINVAL
 * @FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED: uses a full struct pt_regs if there is one
 * @FTRACE_OPS_FL_RECURSION: the callback needs protection against recursion
 * @FTRACE_OPS_FL_IPMODIFY: may change the instruction pointer; at most one such ops for each site
 * @FTRACE_OPS_FL_PID: wants only the tasks of the top instance's pid lists
 * @FTRACE_OPS_FL_RCU: the callback uses RCU, so it is not called while RCU is not watching
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
 * @private: data of the owner
 * @ops_func: handles requests to share sites of a direct call; or NULL
 * @filter: the sites; allocated when they are set first; NULL: all sites
 * @list: in the list of registered ops
 * @direct_call: the trampoline, if the ops is that of a direct call
 *
 * All members but @func may be zero; register_ftrace_direct() sets @func, too. The owner provides
 * the memory, and may free it after unregister_ftrace_function() and ftrace_free_filter().
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

/*
 * For kexec on architectures without function tracing, whose code calls these before it leaves the
 * kernel.
 */
static inline int __ftrace_enabled_save(void)
{
	return 0;
}

static inline void __ftrace_enabled_restore(int enabled) { }

#endif /* CONFIG_FUNCTION_TRACER */

/*
 * Direct calls: a site calls a trampoline of an ops' owner.
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

/*
 * For architectures; see also <linux/ftrace_patch.h>
 */
#ifdef CONFIG_DYNAMIC_FTRACE

/* The target of sites that are on: it saves registers, and calls the site's ops. */
void ftrace_caller(void);

#ifndef FTRACE_ADDR
#define FTRACE_ADDR	((unsigned long)ftrace_caller)
#endif

#endif /* CONFIG_DYNAMIC_FTRACE */

/* This header needs struct ftrace_ops. */
#include <linux/ftrace_graph.h>

#endif /* _LINUX_FTRACE_H */
