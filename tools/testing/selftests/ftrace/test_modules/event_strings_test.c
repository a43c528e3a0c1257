// SPDX-License-Identifier: GPL-2.0
/*
 * A module that records addresses of strings each time something is written to its parameter "hit":
 * the address of a constant of the module, of a constant of the kernel, of memory that is freed at
 * once, and NULL. For selftests/ftrace/test.d/events/strings.tc.
 *
 * A number that is written to its parameter "length" is the length of a string in one record. For
 * selftests/ftrace/test.d/events/perf_padding.tc.
 */
#include <linux/hex.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

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

static int event_strings_length(const char *text, const struct kernel_param *param)
{
	unsigned int length;
	char *string;
	int err = kstrtouint(text, 10, &length);

	if (err)
		return err;
	if (length > SZ_16K)
		return -E2BIG;
	string = kzalloc(length + 1, GFP_KERNEL);
	if (!string)
		return -ENOMEM;
	memset(string, 'x', length);
	trace_event_string(string, NULL);
	kfree(string);
	return 0;
}

static const struct kernel_param_ops event_strings_length_ops = { .set = event_strings_length };
module_param_cb(length, &event_strings_length_ops, NULL, 0200);

MODULE_DESCRIPTION("Test of trace events that keep the address of a string");
MODULE_LICENSE("GPL");
