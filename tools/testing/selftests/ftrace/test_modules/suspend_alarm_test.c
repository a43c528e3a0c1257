// SPDX-License-Identifier: GPL-2.0
/*
 * What wakes the machine up: as it goes to sleep, with the last devices that do, a timer is
 * started, at whose end the sleep is over.
 */
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

static struct platform_device *wake_device;

static void wake_machine(struct timer_list *unused)
{
	pm_system_wakeup();
}

static DEFINE_TIMER(wake_timer, wake_machine);

static int wake_suspend(struct device *dev)
{
	mod_timer(&wake_timer, jiffies + msecs_to_jiffies(ms));
	return 0;
}

static int wake_resume(struct device *dev)
{
	timer_delete_sync(&wake_timer);
	return 0;
}

static const struct dev_pm_ops wake_pm_ops = {
	NOIRQ_SYSTEM_SLEEP_PM_OPS(wake_suspend, wake_resume)
};

static struct platform_driver wake_driver = {
	.driver = {
		.name = KBUILD_MODNAME,
		.pm = pm_sleep_ptr(&wake_pm_ops),
	},
};

static int __init wake_init(void)
{
	int err = platform_driver_register(&wake_driver);

	if (err)
		return err;
	wake_device = platform_device_register_simple(KBUILD_MODNAME, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(wake_device)) {
		platform_driver_unregister(&wake_driver);
		return PTR_ERR(wake_device);
	}
	return 0;
}

static void __exit wake_exit(void)
{
	platform_device_unregister(wake_device);
	platform_driver_unregister(&wake_driver);
}

module_init(wake_init);
module_exit(wake_exit);
MODULE_DESCRIPTION("ends a sleep of the machine");
MODULE_LICENSE("GPL");
