// SPDX-License-Identifier: GPL-2.0
/*
 * Gives modules that are loaded after it a taint, before tracing looks at them: the taint whose
 * number is in the parameter "taint". Only these modules have it, not the kernel: a real taint
 * would switch lockdep off. For selftests/ftrace/test.d/events/module_taint.tc.
 */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>

static int taint_number = -1;
module_param_named(taint, taint_number, int, 0644);
MODULE_PARM_DESC(taint, "TAINT_* of modules that are loaded; less than 0: none");

static int taint_notify(struct notifier_block *self, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_COMING && mod != THIS_MODULE && taint_number >= 0)
		set_bit(taint_number, &mod->taints);
	return NOTIFY_OK;
}

/* Before all others */
static struct notifier_block taint_block = {
	.notifier_call	= taint_notify,
	.priority	= INT_MAX,
};

static int __init event_taint_init(void)
{
	return register_module_notifier(&taint_block);
}
module_init(event_taint_init);

static void __exit event_taint_exit(void)
{
	unregister_module_notifier(&taint_block);
}
module_exit(event_taint_exit);

MODULE_DESCRIPTION("Test of trace events of modules with a taint");
MODULE_LICENSE("GPL");
