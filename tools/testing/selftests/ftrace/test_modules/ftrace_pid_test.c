// SPDX-License-Identifier: GPL-2.0
/*
 * A callback that follows set_ftrace_pid: FTRACE_OPS_FL_PID. While the module is loaded, it counts
 * the calls of "function": "calls" counts those by task "pid", "others" those by all other tasks.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *function = "";
static int pid;
static atomic_t calls = ATOMIC_INIT(0);
static atomic_t others = ATOMIC_INIT(0);

static void notrace count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	atomic_inc(current->pid == READ_ONCE(pid) ? &calls : &others);
}

static struct ftrace_ops ops = {
	.func	= count_call,
	.flags	= FTRACE_OPS_FL_PID,
};

static int count_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%d\n", atomic_read(kp->arg));
}

static int count_set(const char *text, const struct kernel_param *kp)
{
	atomic_set(kp->arg, 0);
	return 0;
}

static const struct kernel_param_ops count_ops = { .get = count_get, .set = count_set };

module_param(function, charp, 0400);
module_param(pid, int, 0600);
module_param_cb(calls, &count_ops, &calls, 0600);
module_param_cb(others, &count_ops, &others, 0600);

static int __init ftrace_pid_test_init(void)
{
	int err = ftrace_set_filter(&ops, function, strlen(function), 1);

	err = err ?: register_ftrace_function(&ops);
	if (err)
		ftrace_free_filter(&ops);
	return err;
}
module_init(ftrace_pid_test_init);

static void __exit ftrace_pid_test_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}
module_exit(ftrace_pid_test_exit);

MODULE_DESCRIPTION("A callback that follows set_ftrace_pid, for tests");
MODULE_LICENSE("GPL");
