/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event that keeps the address of a string, and not the string.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM event_strings

#if !defined(_EVENT_STRINGS_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _EVENT_STRINGS_TEST_H

#include <linux/tracepoint.h>

TRACE_EVENT(event_string,

	TP_PROTO(const char *where, const char *string),

	TP_ARGS(where, string),

	TP_STRUCT__entry(
		__string(where, where)
		__field(const char *, string)
	),

	TP_fast_assign(
		__assign_str(where);
		__entry->string = string;
	),

	TP_printk("where=%s string=%s", __get_str(where), __entry->string)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE event_strings_test
#include <trace/define_trace.h>
