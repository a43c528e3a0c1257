/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 100 events of one class. guest/tests/growth_events.c loads copies of their module with another
 * number in place of the "00" in the names of the module, the system and the events.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM many_00

#if !defined(_TRACE_MANY_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_MANY_EVENTS_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(many_00,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(int, number)
	),

	TP_fast_assign(
		__entry->number = number;
	),

	TP_printk("number=%d", __entry->number)
);

#define MANY_EVENT(digits)						\
	DEFINE_EVENT(many_00, many_00_event##digits, TP_PROTO(int number), TP_ARGS(number))

#define TEN_EVENTS(digit)						\
	MANY_EVENT(digit##0);						\
	MANY_EVENT(digit##1);						\
	MANY_EVENT(digit##2);						\
	MANY_EVENT(digit##3);						\
	MANY_EVENT(digit##4);						\
	MANY_EVENT(digit##5);						\
	MANY_EVENT(digit##6);						\
	MANY_EVENT(digit##7);						\
	MANY_EVENT(digit##8);						\
	MANY_EVENT(digit##9)

TEN_EVENTS(0);
TEN_EVENTS(1);
TEN_EVENTS(2);
TEN_EVENTS(3);
TEN_EVENTS(4);
TEN_EVENTS(5);
TEN_EVENTS(6);
TEN_EVENTS(7);
TEN_EVENTS(8);
TEN_EVENTS(9);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace_many_events
#include <trace/define_trace.h>
