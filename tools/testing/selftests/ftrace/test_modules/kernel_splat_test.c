// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of the kernel about bugs, on demand. Writing a word to the parameter "splat" causes one:
 *
 *	warn		a warning
 *	oops		a task reads at address NULL and is killed; the write returns afterwards
 */
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched/task.h>
#include <linux/string.h>

static DECLARE_COMPLETION(dying);

static int take_from_null(void *unused)
{
	int *null = NULL;
	int taken;

	OPTIMIZER_HIDE_VAR(null);
	complete(&dying);
	taken = READ_ONCE(*null);
	/*
	 * The CPU does not get here. But as a call follows, the function has a stack frame before.
	 */
	complete(&dying);
	return taken;
}

/* Another task does it: the task that writes holds locks here, and could not release them. */
static int make_oops(void)
{
	struct task_struct *task = kthread_create(take_from_null, NULL, "splat_test");

	if (IS_ERR(task))
		return PTR_ERR(task);
	get_task_struct(task);
	wake_up_process(task);
	wait_for_completion(&dying);
	kthread_stop_put(task);
	return 0;
}

static int splat_set(const char *text, const struct kernel_param *unused)
{
	if (sysfs_streq(text, "oops"))
		return make_oops();
	if (!sysfs_streq(text, "warn"))
		return -EINVAL;
	WARN(1, "splat_test: as it was told\n");
	return 0;
}

static const struct kernel_param_ops splat_ops = {
	.set = splat_set,
};

module_param_cb(splat, &splat_ops, NULL, 0200);

MODULE_DESCRIPTION("a warning or an oops when told so");
MODULE_LICENSE("GPL");
