/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event of a module whose init function fails.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM event_fails

#if !defined(_EVENT_FAILS_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _EVENT_FAILS_TEST_H

#include <linux/tracepoint.h>

TRACE_EVENT(event_fails_soon,

	TP_PROTO(int left),

	TP_ARGS(left),

	TP_STRUCT__entry(
		__field(int, left)
	),

	TP_fast_assign(
		__entry->left = left;
	),

	TP_printk("left=%d", __entry->left)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE event_fails_test
#include <trace/define_trace.h>
