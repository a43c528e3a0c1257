/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events whose costs trace_bench measures.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM trace_bench

#if !defined(_TRACE_BENCH_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_BENCH_EVENTS_H

#include <linux/tracepoint.h>

TRACE_EVENT(bench_integers,

	TP_PROTO(int first, int second),

	TP_ARGS(first, second),

	TP_STRUCT__entry(
		__field(int, first)
		__field(int, second)
	),

	TP_fast_assign(
		__entry->first = first;
		__entry->second = second;
	),

	TP_printk("first=%d second=%d", __entry->first, __entry->second)
);

TRACE_EVENT(bench_string,

	TP_PROTO(const char *text, int number),

	TP_ARGS(text, number),

	TP_STRUCT__entry(
		__string(text, text)
		__field(int, number)
	),

	TP_fast_assign(
		__assign_str(text);
		__entry->number = number;
	),

	TP_printk("text=%s number=%d", __get_str(text), __entry->number)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace_bench_events
#include <trace/define_trace.h>
