/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 700 enums whose names print formats may have, and 20 events of their system:
 * guest/tests/bench_events.c loads and removes the module.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM event_enums_test

#if !defined(_EVENT_ENUMS_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _EVENT_ENUMS_TEST_H

#include <linux/tracepoint.h>

#define TEN_ENUMS(digits)						\
	ONE_ENUM(digits##0) ONE_ENUM(digits##1) ONE_ENUM(digits##2) ONE_ENUM(digits##3) \
	ONE_ENUM(digits##4) ONE_ENUM(digits##5) ONE_ENUM(digits##6) ONE_ENUM(digits##7) \
	ONE_ENUM(digits##8) ONE_ENUM(digits##9)

#define HUNDRED_ENUMS(digit)						\
	TEN_ENUMS(digit##0) TEN_ENUMS(digit##1) TEN_ENUMS(digit##2) TEN_ENUMS(digit##3) \
	TEN_ENUMS(digit##4) TEN_ENUMS(digit##5) TEN_ENUMS(digit##6) TEN_ENUMS(digit##7) \
	TEN_ENUMS(digit##8) TEN_ENUMS(digit##9)

#define ALL_ENUMS							\
	HUNDRED_ENUMS(0) HUNDRED_ENUMS(1) HUNDRED_ENUMS(2) HUNDRED_ENUMS(3) \
	HUNDRED_ENUMS(4) HUNDRED_ENUMS(5) HUNDRED_ENUMS(6)

#undef ONE_ENUM

#ifndef _EVENT_ENUMS_TEST_ONCE
#define _EVENT_ENUMS_TEST_ONCE

#define ONE_ENUM(digits)	ENUM_##digits,
enum event_enum_test { ALL_ENUMS };
#undef ONE_ENUM

#endif /* _EVENT_ENUMS_TEST_ONCE */

#define ONE_ENUM(digits)	TRACE_DEFINE_ENUM(ENUM_##digits);
ALL_ENUMS

DECLARE_EVENT_CLASS(event_enums,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(int, number)
	),

	TP_fast_assign(
		__entry->number = number;
	),

	TP_printk("number=%s", __print_symbolic(__entry->number, { ENUM_000, "first" },
						{ ENUM_350, "middle" }, { ENUM_699, "last" }))
);

#define ENUMS_EVENT(digits)						\
	DEFINE_EVENT(event_enums, event_enums_event##digits, TP_PROTO(int number), TP_ARGS(number))

#define TEN_ENUMS_EVENTS(digit)						\
	ENUMS_EVENT(digit##0);						\
	ENUMS_EVENT(digit##1);						\
	ENUMS_EVENT(digit##2);						\
	ENUMS_EVENT(digit##3);						\
	ENUMS_EVENT(digit##4);						\
	ENUMS_EVENT(digit##5);						\
	ENUMS_EVENT(digit##6);						\
	ENUMS_EVENT(digit##7);						\
	ENUMS_EVENT(digit##8);						\
	ENUMS_EVENT(digit##9)

TEN_ENUMS_EVENTS(0);
TEN_ENUMS_EVENTS(1);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE event_enums_test
#include <trace/define_trace.h>
