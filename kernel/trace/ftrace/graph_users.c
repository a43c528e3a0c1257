// SPDX-License-Identifier: GPL-2.0
/*
 * Registering users of function graph. The numbers are the steps at the top of graph.c.
 */
#include <linux/export.h>
#include <linux/mutex.h>

#include "dispatch.h"
#include "ftrace.h"
#include "graph.h"
#include "shadow_stack.h"

static DEFINE_MUTEX(graph_mutex);

static unsigned int nr_users;
static u32 newest;

/**
 * ftrace_graph_forget_calls - do not tell a user of the returns of calls that are under way
 * @gops: the user, whose entryfunc accepts no call
 *
 * When this returns, the user's functions can be replaced by functions that keep other data. The
 * user's words of fgraph_get_task_var() are 0 again: they may refer to calls of whose returns the
 * user is not told any more.
 *
 * Context: process context, may sleep.
 */
void ftrace_graph_forget_calls(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_mutex);
	/* Wait for CPUs in the old entryfunc: calls that it accepts have an older @serial. */
	ftrace_synchronize();
	WRITE_ONCE(gops->serial, ++newest);
	/* Wait for CPUs that have compared with the old @serial. */
	ftrace_synchronize();
	/* Only the new entryfunc may be running now, which accepts no call and uses no words. */
	ftrace_graph_clear_vars(gops->idx);
}

/**
 * ftrace_graph_entry_stub - an entryfunc that accepts no call
 * @trace: unused
 * @gops: unused
 *
 * Context: fgraph_ops::entryfunc.
 * Return: 0: not accepted.
 */
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 0;
}

static void graph_return_stub(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

static int free_number(void)
{
	int idx;

	for (idx = 0; idx < FTRACE_GRAPH_USERS; idx++)
		if (!ftrace_graph_users[idx])
			return idx;
	return -ENOSPC;
}

/* Called when no site calls the user any more. */
static void forget_user(int idx)
{
	WRITE_ONCE(ftrace_graph_users[idx], NULL);			/* 2. */
	/* 3., for returns of calls that the user has accepted. */
	ftrace_synchronize();
	if (!--nr_users)
		ftrace_graph_no_stacks();
}

static int start_user(struct fgraph_ops *gops, int idx)
{
	int err;

	gops->ops.func = ftrace_graph_enter_one;
	/* enter_interrupt() protects users, so a dispatcher need not. */
	gops->ops.flags &= ~FTRACE_OPS_FL_RECURSION;
	gops->ops.flags |= FTRACE_OPS_FL_GRAPH;
	/* The owner may be replacing the functions at this moment: do not overwrite them. */
	if (!READ_ONCE(gops->entryfunc))
		WRITE_ONCE(gops->entryfunc, ftrace_graph_entry_stub);
	if (!READ_ONCE(gops->retfunc))
		WRITE_ONCE(gops->retfunc, graph_return_stub);
	gops->idx = idx;
	WRITE_ONCE(gops->serial, ++newest);
	smp_store_release(&ftrace_graph_users[idx], gops);		/* 6., after 5. */
	nr_users++;
	/* Either ftrace_graph_stop() sees the user, or this function sees graph_dead. */
	smp_mb();
	err = ftrace_graph_is_dead() ? -ENODEV : ftrace_graph_want_stacks(idx);
	err = err ?: register_ftrace_function(&gops->ops);
	/* After an error, some sites may have called the user, and some of their calls returned. */
	if (err)
		forget_user(idx);
	return err;
}

/**
 * register_ftrace_graph - have callbacks called at the entry and the return of functions
 * @gops: the callbacks, and a filter for the functions
 *
 * Context: process context, may sleep.
 * Return: 0; -EBUSY if it is registered; -ENOSPC if there are 16 users; -ENOMEM;
 * -ENODEV after ftrace_graph_stop() or a patching error.
 */
int register_ftrace_graph(struct fgraph_ops *gops)
{
	int idx;

	guard(mutex)(&graph_mutex);
	if (gops->ops.flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	if (ftrace_graph_is_dead())
		return -ENODEV;
	idx = free_number();
	return idx < 0 ? idx : start_user(gops, idx);
}
EXPORT_SYMBOL_GPL(register_ftrace_graph);

/**
 * unregister_ftrace_graph - undo register_ftrace_graph()
 * @gops: the user; nothing is done if it is not registered
 *
 * When this returns, no CPU runs its callbacks. The user is not told of calls that have not
 * returned.
 *
 * Context: process context, may sleep.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_mutex);
	if (!(gops->ops.flags & FTRACE_OPS_FL_ENABLED))
		return;
	/* 1. This also waits for CPUs that are on the way to the user. */
	unregister_ftrace_function(&gops->ops);
	forget_user(gops->idx);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);
