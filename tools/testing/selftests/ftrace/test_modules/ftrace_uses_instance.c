// SPDX-License-Identifier: GPL-2.0
/*
 * An instance of the module's own: callers of a function, as text, in instances/ftrace_uses.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/trace.h>

static char function[KSYM_NAME_LEN] = "vfs_mkdir";
module_param_string(function, function, sizeof(function), 0400);

static struct trace_array *instance;

/* It calls functions that may be traced, and so could be called from itself. */
static void notrace log_call(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit < 0)
		return;
	trace_array_printk(instance, ip, "called from %pS\n", (void *)parent_ip);
	ftrace_test_recursion_unlock(bit);
}

static struct ftrace_ops ops = {
	.func = log_call,
};

/* If a file of the trace is open, the instance stays, and rmdir can remove it later. */
static void drop_instance(void)
{
	trace_array_put(instance);
	trace_array_destroy(instance);
}

static int __init uses_instance_init(void)
{
	int err;

	instance = trace_array_get_by_name("ftrace_uses", NULL);
	if (!instance)
		return -ENOMEM;
	err = trace_array_init_printk(instance);
	err = err ?: ftrace_set_filter(&ops, function, strlen(function), 1);
	err = err ?: register_ftrace_function(&ops);
	if (err) {
		ftrace_free_filter(&ops);
		drop_instance();
	}
	return err;
}
module_init(uses_instance_init);

static void __exit uses_instance_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
	drop_instance();
}
module_exit(uses_instance_exit);

MODULE_DESCRIPTION("Example of a trace instance of a module's own");
MODULE_LICENSE("GPL");
