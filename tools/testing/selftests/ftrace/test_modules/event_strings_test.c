// SPDX-License-Identifier: GPL-2.0
/*
 * A module that records addresses of strings each time something is written to its parameter "hit":
 * the address of a constant of the module, of a constant of the kernel, of memory that is freed at
 * once, and NULL. For selftests/ftrace/test.d/events/strings.tc.
 */
#include <linux/hex.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#define CREATE_TRACE_POINTS
#include "event_strings_test.h"

static int event_strings_hit(const char *text, const struct kernel_param *param)
{
	char *copy = kstrdup("of a moment", GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	trace_event_string("module", "of the module");
	trace_event_string("kernel", hex_asc);
	trace_event_string("freed", copy);
	trace_event_string("none", NULL);
	kfree(copy);
	return 0;
}

static const struct kernel_param_ops event_strings_ops = { .set = event_strings_hit };
module_param_cb(hit, &event_strings_ops, NULL, 0200);

MODULE_DESCRIPTION("Test of trace events that keep the address of a string");
MODULE_LICENSE("GPL");
