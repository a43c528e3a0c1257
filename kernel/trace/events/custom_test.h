/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A custom event for definitions_test.c, at the tracepoint of one of definitions_test.h.
 */
#if !defined(_CUSTOM_TEST_H) || defined(TRACE_CUSTOM_MULTI_READ)
#define _CUSTOM_TEST_H

#include <linux/trace_events.h>

TRACE_CUSTOM_EVENT(definitions_plain,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(short, twice)
		__string(text, "forty-two")
	),

	TP_fast_assign(
		__entry->twice = 2 * number;
		__assign_str(text);
	),

	TP_printk("twice %d = %s", __entry->twice, __get_str(text))
)

#endif /* _CUSTOM_TEST_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE custom_test
#include <trace/define_custom_trace.h>
