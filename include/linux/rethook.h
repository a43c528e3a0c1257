/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return hooks: call a function when another one returns.
 *
 * At the entry of the function, its return address is replaced by arch_rethook_trampoline and kept
 * in a node. The node is on a list of the task until the function returns. Kretprobes are built on
 * this where the architecture has it (HAVE_RETHOOK).
 */
#ifndef _LINUX_RETHOOK_H
#define _LINUX_RETHOOK_H

#include <linux/compiler.h>
#include <linux/objpool.h>
#include <linux/kallsyms.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>

struct pt_regs;
struct rethook_node;
struct task_struct;

/**
 * typedef rethook_handler_t - called when a hooked function returns
 * @node: the node that rethook_hook() was given
 * @data: the rethook's data
 * @ret_addr: the address that the function returns to
 * @regs: registers at the return; changes take effect
 *
 * Context: that of the function, with preemption off; must not sleep.
 */
typedef void (*rethook_handler_t)(struct rethook_node *node, void *data,
				  unsigned long ret_addr, struct pt_regs *regs);

/**
 * struct rethook - one user of return hooks
 * @data: the user's; never changes
 * @handler: NULL once rethook_free() was called
 * @pool: nodes that hook no call
 * @rcu: to free the rethook with
 */
struct rethook {
	void			*data;
	rethook_handler_t	handler;
	struct objpool_head	pool;
	struct rcu_head		rcu;
};

/**
 * struct rethook_node - one hooked call; users embed it as the first member
 * @rcu: to free the node with
 * @llist: in the task's list of nodes, newest first
 * @rethook: the rethook that the node belongs to
 * @ret_addr: the return address that was replaced: the function's, or the trampoline
 *	if the call was hooked already
 * @frame: set by the architecture; differs from that of other calls of the task
 */
struct rethook_node {
	struct rcu_head		rcu;
	struct llist_node	llist;
	struct rethook		*rethook;
	unsigned long		ret_addr;
	unsigned long		frame;
};

#ifdef CONFIG_RETHOOK

struct rethook *rethook_alloc(void *data, rethook_handler_t handler, int size, int num);
void rethook_free(struct rethook *rh);
struct rethook_node *rethook_try_get(struct rethook *rh);
void rethook_recycle(struct rethook_node *node);
void rethook_hook(struct rethook_node *node, struct pt_regs *regs, bool mcount);
unsigned long rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
				    struct llist_node **cur);
void rethook_flush_task(struct task_struct *tsk);

/*
 * Functions that the architecture provides, and the function that arch_rethook_trampoline() calls.
 * arch_rethook_fixup_return() is for a trampoline that goes on at an address in memory; other
 * architectures need not have it.
 */
void arch_rethook_trampoline(void);
void arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount);
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long ret_addr);
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame);

/**
 * is_rethook_trampoline - is an address that of the trampoline?
 * @addr: the address
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool is_rethook_trampoline(unsigned long addr)
{
	return addr == (unsigned long)arch_rethook_trampoline;
}

#else

static inline void rethook_flush_task(struct task_struct *tsk) { }

#endif /* CONFIG_RETHOOK */
#endif /* _LINUX_RETHOOK_H */
