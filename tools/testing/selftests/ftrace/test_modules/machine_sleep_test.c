// SPDX-License-Identifier: GPL-2.0
/*
 * A machine that can sleep, and wakes up by itself: from "freeze" by a timer that is started when
 * the last devices are suspended; from "mem", which QEMU does not provide, by a platform that
 * returns after some time, with the other CPUs offline.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/platform_device.h>
#include <linux/pm.h>
#include <linux/suspend.h>
#include <linux/timer.h>

static unsigned int ms = 1000;
module_param(ms, uint, 0444);
MODULE_PARM_DESC(ms, "how long the machine sleeps");

static struct platform_device *sleep_device;

static void wake_machine(struct timer_list *unused)
{
	pm_system_wakeup();
}

static DEFINE_TIMER(wake_timer, wake_machine);

static int sleep_suspend(struct device *dev)
{
	if (pm_suspend_target_state == PM_SUSPEND_TO_IDLE)
		mod_timer(&wake_timer, jiffies + msecs_to_jiffies(ms));
	return 0;
}

static int sleep_resume(struct device *dev)
{
	timer_delete_sync(&wake_timer);
	return 0;
}

static const struct dev_pm_ops sleep_pm_ops = {
	NOIRQ_SYSTEM_SLEEP_PM_OPS(sleep_suspend, sleep_resume)
};

static struct platform_driver sleep_driver = {
	.driver = {
		.name = KBUILD_MODNAME,
		.pm = pm_sleep_ptr(&sleep_pm_ops),
	},
};

static int sleep_enter(suspend_state_t state)
{
	mdelay(ms);
	return 0;
}

static const struct platform_suspend_ops sleep_platform = {
	.valid = suspend_valid_only_mem,
	.enter = sleep_enter,
};

static int __init sleep_init(void)
{
	int err = platform_driver_register(&sleep_driver);

	if (err)
		return err;
	sleep_device = platform_device_register_simple(KBUILD_MODNAME, PLATFORM_DEVID_NONE,
						       NULL, 0);
	if (IS_ERR(sleep_device)) {
		platform_driver_unregister(&sleep_driver);
		return PTR_ERR(sleep_device);
	}
	suspend_set_ops(&sleep_platform);
	return 0;
}

static void __exit sleep_exit(void)
{
	suspend_set_ops(NULL);
	platform_device_unregister(sleep_device);
	platform_driver_unregister(&sleep_driver);
}

module_init(sleep_init);
module_exit(sleep_exit);
MODULE_DESCRIPTION("the machine sleeps, and wakes up by itself");
MODULE_LICENSE("GPL");
