/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return hooks: a function is called when another one returns.
 *
 * At the entry of a function its return address is exchanged for that of
 * arch_rethook_trampoline, and kept in a node, which goes on a list of the task
 * until the function returns. Kretprobes are built on this where the architecture
 * has it (HAVE_RETHOOK).
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
 * @node: what rethook_hook() was given
 * @data: of the rethook
 * @ret_addr: where the function returns to
 * @regs: registers at the return; what is changed takes effect
 *
 * Runs in the context of the function, preemption off; must not sleep.
 */
typedef void (*rethook_handler_t)(struct rethook_node *node, void *data,
				  unsigned long ret_addr, struct pt_regs *regs);

/**
 * struct rethook - one user of return hooks
 * @data: the user's; never changes
 * @handler: NULL once rethook_free() was called
 * @pool: nodes that hook nothing
 * @rcu: to free it
 */
struct rethook {
	void			*data;
	rethook_handler_t	handler;
	struct objpool_head	pool;
	struct rcu_head		rcu;
};

/**
 * struct rethook_node - one hooked call; users embed it, as first member
 * @rcu: to free it
 * @llist: in the task's list of nodes, youngest first
 * @rethook: whose it is
 * @ret_addr: the return address that was there: the function's, or the trampoline
 *	if the call was hooked already
 * @frame: tells the call from others of the task: for the architecture to choose
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

/* The architecture's: the first one calls rethook_trampoline_handler(). */
void arch_rethook_trampoline(void);
void arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount);
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame);

/**
 * is_rethook_trampoline - is a return address not the function's own?
 * @addr: the address
 */
static inline bool is_rethook_trampoline(unsigned long addr)
{
	return addr == (unsigned long)arch_rethook_trampoline;
}

#else

static inline void rethook_flush_task(struct task_struct *tsk) { }

#endif /* CONFIG_RETHOOK */
#endif /* _LINUX_RETHOOK_H */
