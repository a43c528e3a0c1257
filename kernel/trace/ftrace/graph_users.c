// SPDX-License-Identifier: GPL-2.0
/*
 * Users of function graph come and go: see graph.c, whose steps the numbers are.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>

#include "dispatch.h"
#include "ftrace.h"
#include "graph.h"
#include "shadow_stack.h"

static DEFINE_MUTEX(graph_mutex);

static unsigned int nr_users;
static u32 newest;

/**
 * ftrace_graph_forget_calls - a user is not told of the returns of calls under way
 * @gops: the user, whose entryfunc accepts nothing
 *
 * After that its functions can be exchanged for others that keep other data. Its words
 * of fgraph_get_task_var() are 0 again, as it does not learn when what they are about ends.
 * Context: process context, may sleep.
 */
void ftrace_graph_forget_calls(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_mutex);
	/* Who has accepted, or will have. */
	ftrace_synchronize();
	WRITE_ONCE(gops->born, ++newest);
	/* Who has looked at the old @born. */
	ftrace_synchronize();
	/* Nobody is in its functions now but those who accept nothing. */
	ftrace_graph_clear_vars(gops->idx);
}

/**
 * ftrace_graph_entry_stub - the entryfunc of who wants no call
 * @trace: the call
 * @gops: the user
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

/* No site calls it any more. */
static void forget_user(int idx)
{
	WRITE_ONCE(ftrace_graph_users[idx], NULL);			/* 2. */
	/* 3., for calls that it has accepted. */
	ftrace_synchronize();
	if (!--nr_users)
		ftrace_graph_no_stacks();
}

static int start_user(struct fgraph_ops *gops, int idx)
{
	int err;

	gops->ops.func = ftrace_graph_enter_one;
	/* Users are protected without that. */
	gops->ops.flags &= ~FTRACE_OPS_FL_RECURSION;
	gops->ops.flags |= FTRACE_OPS_FL_GRAPH;
	/* Its owner may be exchanging what is there: nothing is written over that. */
	if (!READ_ONCE(gops->entryfunc))
		WRITE_ONCE(gops->entryfunc, ftrace_graph_entry_stub);
	if (!READ_ONCE(gops->retfunc))
		WRITE_ONCE(gops->retfunc, graph_return_stub);
	gops->idx = idx;
	WRITE_ONCE(gops->born, ++newest);
	smp_store_release(&ftrace_graph_users[idx], gops);		/* 6., behind 5. */
	nr_users++;
	/* Either ftrace_graph_stop() sees the user, or it is seen here. */
	smp_mb();
	err = ftrace_graph_is_dead() ? -ENODEV : ftrace_graph_want_stacks(idx);
	err = err ?: register_ftrace_function(&gops->ops);
	/* Some of its sites may have called it, and some of these have returned. */
	if (err)
		forget_user(idx);
	return err;
}

/**
 * register_ftrace_graph - have functions called at the entry and the return of others
 * @gops: the functions to call, and which others
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
 * unregister_ftrace_graph - end that
 * @gops: what was registered; otherwise nothing is done
 *
 * Nobody runs its functions any more when this returns. It is not told of calls that have
 * not returned.
 * Context: process context, may sleep.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_mutex);
	if (!(gops->ops.flags & FTRACE_OPS_FL_ENABLED))
		return;
	/* 1., which waits for those who are on the way to it. */
	unregister_ftrace_function(&gops->ops);
	forget_user(gops->idx);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);
