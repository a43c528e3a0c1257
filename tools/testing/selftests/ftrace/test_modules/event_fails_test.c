// SPDX-License-Identifier: GPL-2.0
/*
 * A module whose init function calls its event for some seconds, and then fails. Nothing that has
 * used the event may refer to it afterwards. For selftests/ftrace/test.d/events/module_fails.tc.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "event_fails_test.h"

static int __init event_fails_init(void)
{
	int left;

	for (left = 100; left; left--) {
		trace_event_fails_soon(left);
		msleep(30);
	}
	return -ENODEV;
}
module_init(event_fails_init);

MODULE_DESCRIPTION("Test of trace events of a module whose init function fails");
MODULE_LICENSE("GPL");
