// SPDX-License-Identifier: GPL-2.0
/*
 * A hundred trace events that never occur.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "trace_many_events.h"

static int __init trace_many_init(void)
{
	return 0;
}
module_init(trace_many_init);

static void __exit trace_many_exit(void)
{
}
module_exit(trace_many_exit);

MODULE_DESCRIPTION("Many trace events, to see how costs grow");
MODULE_LICENSE("GPL");
