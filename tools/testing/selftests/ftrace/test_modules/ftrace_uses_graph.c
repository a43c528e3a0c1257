// SPDX-License-Identifier: GPL-2.0
/*
 * A user of function graph: the longest time that a function took, and the number of its calls that
 * lost the CPU, because they slept or were preempted.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/sysfs.h>

static char function[KSYM_NAME_LEN] = "hrtimer_nanosleep";
module_param_string(function, function, sizeof(function), 0400);

static unsigned long longest;		/* ns */
module_param(longest, ulong, 0400);

static atomic_long_t calls, switched;

static int calls_get(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%ld, switched %ld\n", atomic_long_read(&calls),
			  atomic_long_read(&switched));
}

static const struct kernel_param_ops calls_ops = {
	.get = calls_get,
};
module_param_cb(calls, &calls_ops, NULL, 0400);

static unsigned long notrace switches(void)
{
	return current->nvcsw + current->nivcsw;
}

/* Returns 0 if the return of this call does not matter. */
static int notrace on_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	unsigned long *before = fgraph_reserve_data(gops->idx, sizeof(*before));

	if (!before)
		return 0;
	*before = switches();
	return 1;
}

static void notrace on_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	int size;
	unsigned long *before = fgraph_retrieve_data(gops->idx, &size);
	unsigned long took = trace->rettime - trace->calltime;
	unsigned long old = READ_ONCE(longest);

	atomic_long_inc(&calls);
	if (*before != switches())
		atomic_long_inc(&switched);
	while (took > old && !try_cmpxchg(&longest, &old, took))
		;
}

static struct fgraph_ops user = {
	.entryfunc	= on_entry,
	.retfunc	= on_return,
};

static int __init uses_graph_init(void)
{
	int err = ftrace_set_filter(&user.ops, function, strlen(function), 1);

	err = err ?: register_ftrace_graph(&user);
	if (err)
		ftrace_free_filter(&user.ops);
	return err;
}
module_init(uses_graph_init);

static void __exit uses_graph_exit(void)
{
	unregister_ftrace_graph(&user);
	ftrace_free_filter(&user.ops);
}
module_exit(uses_graph_exit);

MODULE_DESCRIPTION("Example of function graph: how long a function takes");
MODULE_LICENSE("GPL");
