// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events that never occur, with many names of enums.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "event_enums_test.h"

static int __init event_enums_init(void)
{
	return 0;
}
module_init(event_enums_init);

static void __exit event_enums_exit(void)
{
}
module_exit(event_enums_exit);

MODULE_DESCRIPTION("Many enums of trace events, to see what a module costs that has them");
MODULE_LICENSE("GPL");
