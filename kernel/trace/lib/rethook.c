// SPDX-License-Identifier: GPL-2.0
/*
 * Return hooks, see <linux/rethook.h>.
 *
 * rethook_alloc() allocates all nodes of a rethook. A node is either in the pool, or it hooks a
 * call and is on the list of that call's task. Only the task itself changes its list, and an
 * interrupt removes all nodes that it has added before it ends.
 *
 * A rethook can be freed while calls are hooked, so the pool may outlive it:
 *
 *	rethook_free()			a hooked function returns
 *	1. handler = NULL		a. preemption off
 *	2. wait for grace period	b. handler? put the node into the pool
 *	3. count nodes in the pool	c. none: drop the node after a grace period
 *	   and drop them		d. preemption on
 *
 * If (b) puts a node back, it does so before (2) ends, and (3) counts the node. All other nodes are
 * dropped one by one, in (c). The last drop frees the pool.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/panic.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/slab.h>

static int node_init(void *obj, void *rh)
{
	struct rethook_node *node = obj;

	node->rethook = rh;
	return 0;
}

static int pool_release(struct objpool_head *pool, void *rh)
{
	kfree(rh);
	return 0;
}

/**
 * rethook_alloc - make a rethook
 * @data: passed to @handler
 * @handler: function to call at each return
 * @size: bytes of a node, including the structure that the user embeds it in
 * @num: number of nodes, that is, of calls that can be hooked at a time
 *
 * Context: may sleep.
 * Return: the rethook, to be freed with rethook_free(); ERR_PTR(-EINVAL) or ERR_PTR(-ENOMEM).
 */
struct rethook *rethook_alloc(void *data, rethook_handler_t handler, int size, int num)
{
	int err;

	if (!handler || num <= 0 || size < (int)sizeof(struct rethook_node))
		return ERR_PTR(-EINVAL);

	struct rethook *rh __free(kfree) = kzalloc(sizeof(*rh), GFP_KERNEL);

	if (!rh)
		return ERR_PTR(-ENOMEM);

	rh->data = data;
	rh->handler = handler;
	err = objpool_init(&rh->pool, num, size, GFP_KERNEL, rh, node_init, pool_release);
	return err ? ERR_PTR(err) : no_free_ptr(rh);
}

static void free_pool(struct rcu_head *rcu)
{
	objpool_fini(&container_of(rcu, struct rethook, rcu)->pool);
}

/**
 * rethook_free - hook no more calls, and ignore the returns of those that are hooked
 * @rh: the rethook, or NULL; the user must not touch it any more
 *
 * The handler may still be running after this, until the end of an RCU grace period.
 *
 * Context: any but NMI.
 */
void rethook_free(struct rethook *rh)
{
	if (!rh)
		return;
	WRITE_ONCE(rh->handler, NULL);
	call_rcu(&rh->rcu, free_pool);
}

static void drop_node(struct rcu_head *rcu)
{
	struct rethook_node *node = container_of(rcu, struct rethook_node, rcu);

	objpool_drop(node, &node->rethook->pool);
}

/**
 * rethook_recycle - give back a node that hooks no call
 * @node: the node
 *
 * Context: any but NMI, preemption off: neither objpool_push() nor call_rcu() may be interrupted
 * by itself. riscv's entry code counts breakpoints as NMIs, but these may call this: they only
 * interrupt code that has a probe. The pool's code cannot have one, and the functions that
 * call_rcu() calls should not.
 */
void __kprobes rethook_recycle(struct rethook_node *node)
{
	lockdep_assert_preemption_disabled();

	if (likely(READ_ONCE(node->rethook->handler)))
		objpool_push(node, &node->rethook->pool);
	else
		call_rcu(&node->rcu, drop_node);
}

/**
 * rethook_try_get - get a node to hook a call with
 * @rh: the rethook
 *
 * Allocates nothing.
 *
 * Context: that of rethook_recycle(), which gives the node back.
 * Return: a node for rethook_hook() or rethook_recycle(); NULL if all nodes are in use, the
 * rethook was freed, or RCU, which frees nodes, is not watching.
 */
struct rethook_node __kprobes *rethook_try_get(struct rethook *rh)
{
	lockdep_assert_preemption_disabled();

	if (unlikely(!READ_ONCE(rh->handler) || !rcu_is_watching()))
		return NULL;
	return objpool_pop(&rh->pool);
}

/**
 * rethook_hook - hook the call that is just beginning
 * @node: from rethook_try_get(); goes back to the pool after the return
 * @regs: registers at the function's entry
 * @mcount: true if @regs are as the function tracer sees them, false if as a kprobe does
 *
 * Context: that of the call, preemption off.
 */
void __kprobes rethook_hook(struct rethook_node *node, struct pt_regs *regs, bool mcount)
{
	arch_rethook_prepare(node, regs, mcount);
	__llist_add(&node->llist, &current->rethooks);
}

static nokprobe_inline struct rethook_node *to_node(struct llist_node *entry)
{
	return llist_entry(entry, struct rethook_node, llist);
}

/* The first node from @entry on that has the real return address of its function. */
static nokprobe_inline struct llist_node *oldest_of_call(struct llist_node *entry)
{
	while (entry && is_rethook_trampoline(to_node(entry)->ret_addr))
		entry = entry->next;
	return entry;
}

/**
 * rethook_find_ret_addr - find the return address that the trampoline on a stack replaces
 * @tsk: the task of the stack; current, or a task that is not running
 * @frame: the frame of the call, as arch_rethook_prepare() has put it into the nodes
 * @cur: where the last search ended; points to NULL at the first call
 *
 * Context: any; @tsk does not run meanwhile, unless it is current.
 * Return: the address that the function will return to, or 0 if there is none.
 */
unsigned long __kprobes rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
					      struct llist_node **cur)
{
	struct llist_node *entry;

	if (WARN_ON_ONCE(!cur))
		return 0;
	if (tsk != current && WARN_ON_ONCE(task_is_running(tsk)))
		return 0;

	entry = *cur ? (*cur)->next : tsk->rethooks.first;
	while ((entry = oldest_of_call(entry))) {
		*cur = entry;
		if (to_node(entry)->frame == frame)
			return to_node(entry)->ret_addr;
		entry = entry->next;
	}
	return 0;
}

/* Call the handlers of all nodes up to @last: they hook the call that returns to @ret_addr. */
static nokprobe_inline void call_handlers(struct llist_node *last, struct pt_regs *regs,
					  unsigned long ret_addr, unsigned long frame)
{
	struct llist_node *entry = current->rethooks.first;

	for (;; entry = entry->next) {
		struct rethook_node *node = to_node(entry);
		rethook_handler_t handler = READ_ONCE(node->rethook->handler);

		if (WARN_ON_ONCE(node->frame != frame))
			return;
		if (handler)
			handler(node, node->rethook->data, ret_addr, regs);
		if (entry == last)
			return;
	}
}

/**
 * arch_rethook_fixup_return - put the address to go on at where the trampoline looks for it
 * @regs: registers at the return
 * @ret_addr: the address
 *
 * Called when all handlers have run. What rethook_trampoline_handler() returns is enough for
 * trampolines that go on by a register. Context: as the handlers.
 */
void __weak __kprobes arch_rethook_fixup_return(struct pt_regs *regs, unsigned long ret_addr)
{
}

static nokprobe_inline void recycle_all(struct llist_node *entry)
{
	while (entry) {
		struct rethook_node *node = to_node(entry);

		entry = entry->next;
		rethook_recycle(node);
	}
}

/**
 * rethook_trampoline_handler - handle the return of a hooked function
 * @regs: its registers; sets the instruction pointer for the handlers
 * @frame: the frame that arch_rethook_prepare() has put into the nodes of this call
 *
 * Context: that of the function; called by arch_rethook_trampoline().
 * Return: the address to go on at.
 */
unsigned long __kprobes rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame)
{
	struct llist_node *first, *last = oldest_of_call(current->rethooks.first);
	unsigned long ret_addr;

	if (!last)
		panic("rethook: nowhere to return to");

	ret_addr = to_node(last)->ret_addr;
	instruction_pointer_set(regs, ret_addr);

	/* Keep the nodes listed while the handlers run: code that unwinds the stack needs them. */
	preempt_disable_notrace();
	call_handlers(last, regs, ret_addr, frame);
	arch_rethook_fixup_return(regs, ret_addr);

	first = current->rethooks.first;
	current->rethooks.first = last->next;
	last->next = NULL;
	recycle_all(first);
	preempt_enable_notrace();

	return ret_addr;
}

/**
 * rethook_flush_task - give back the nodes of calls that will never return
 * @tsk: a dead task
 *
 * Context: any but NMI.
 */
void __kprobes rethook_flush_task(struct task_struct *tsk)
{
	preempt_disable_notrace();
	recycle_all(__llist_del_all(&tsk->rethooks));
	preempt_enable_notrace();
}
