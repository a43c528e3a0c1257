// SPDX-License-Identifier: GPL-2.0
/*
 * A module whose init function calls its event for some seconds, and then fails. Nothing that has
 * used the event may refer to it afterwards. For selftests/ftrace/test.d/events/module_fails.tc.
 *
 * The parameter "calls" says how often it calls the event, every 30 ms; it may change.
 * The parameter "got" says what trace_get_event_file() returned for the event: 0, or the error.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/trace_events.h>

#define CREATE_TRACE_POINTS
#include "event_fails_test.h"

static int event_fails_got = 1;
module_param_named(got, event_fails_got, int, 0400);

static int event_fails_calls = 100;
module_param_named(calls, event_fails_calls, int, 0600);

static void __init event_fails_get(void)
{
	struct trace_event_file *file;

	file = trace_get_event_file(NULL, "event_fails", "event_fails_soon");
	event_fails_got = PTR_ERR_OR_ZERO(file);
	if (!IS_ERR(file))
		trace_put_event_file(file);
}

static int __init event_fails_init(void)
{
	int nr, left;

	event_fails_get();
	for (nr = 0; (left = READ_ONCE(event_fails_calls) - nr) > 0; nr++) {
		trace_event_fails_soon(left);
		msleep(30);
	}
	return -ENODEV;
}
module_init(event_fails_init);

MODULE_DESCRIPTION("Test of trace events of a module whose init function fails");
MODULE_LICENSE("GPL");
