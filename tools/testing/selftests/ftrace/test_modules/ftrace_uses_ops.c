// SPDX-License-Identifier: GPL-2.0
/*
 * An ops: counts the calls of a function, and keeps the largest value that one of its
 * arguments had.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>

static char function[KSYM_NAME_LEN] = "vfs_write";
module_param_string(function, function, sizeof(function), 0400);

static unsigned int argument = 2;
module_param(argument, uint, 0400);

static unsigned long largest;
module_param(largest, ulong, 0400);

static atomic_long_t calls;

static int calls_get(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%ld\n", atomic_long_read(&calls));
}

static const struct kernel_param_ops calls_ops = {
	.get = calls_get,
};
module_param_cb(calls, &calls_ops, NULL, 0400);

/* All functions that it calls are inline, so none is traced, and it needs no protection. */
static void notrace count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned long value = ftrace_regs_get_argument(fregs, argument);
	unsigned long old = READ_ONCE(largest);

	atomic_long_inc(&calls);
	while (value > old && !try_cmpxchg(&largest, &old, value))
		;
}

static struct ftrace_ops ops = {
	.func = count_call,
};

static int __init uses_ops_init(void)
{
	int err = ftrace_set_filter(&ops, function, strlen(function), 1);

	err = err ?: register_ftrace_function(&ops);
	if (err)
		ftrace_free_filter(&ops);
	return err;
}
module_init(uses_ops_init);

static void __exit uses_ops_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}
module_exit(uses_ops_exit);

MODULE_DESCRIPTION("Example of an ops: calls of a function are counted");
MODULE_LICENSE("GPL");
