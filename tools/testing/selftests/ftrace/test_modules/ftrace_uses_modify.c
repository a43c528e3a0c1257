// SPDX-License-Identifier: GPL-2.0
/*
 * An ops that changes where a function goes on: for one task, the function returns an error at
 * once. The function must return an int, and its callers must have nothing to undo after an error.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>

static char function[KSYM_NAME_LEN] = "vfs_mkdir";
module_param_string(function, function, sizeof(function), 0400);

static int error = -ENOSPC;
module_param(error, int, 0400);

static int pid;
module_param(pid, int, 0600);

static void notrace fail_call(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (current->pid != READ_ONCE(pid))
		return;
	ftrace_regs_set_return_value(fregs, error);
	ftrace_override_function_with_return(fregs);
}

static struct ftrace_ops ops = {
	.func	= fail_call,
	.flags	= FTRACE_OPS_FL_IPMODIFY,
};

static int __init uses_modify_init(void)
{
	int err = ftrace_set_filter(&ops, function, strlen(function), 1);

	err = err ?: register_ftrace_function(&ops);
	if (err)
		ftrace_free_filter(&ops);
	return err;
}
module_init(uses_modify_init);

static void __exit uses_modify_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}
module_exit(uses_modify_exit);

MODULE_DESCRIPTION("Example of an ops that changes what functions do: calls of one fail");
MODULE_LICENSE("GPL");
