/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for record_test.c: one in whose assignments others occur, and forms of definitions that
 * headers of the kernel use on some architectures or with some options only.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM definitions_test

#if !defined(_RECORD_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _RECORD_TEST_H

#include <linux/tracepoint.h>

#ifndef _RECORD_TEST_ONCE
#define _RECORD_TEST_ONCE

#include <linux/string.h>

#define RECORD_BYTES	32

int record_switched_on(void);
void record_switched_off(void);

#endif /* _RECORD_TEST_ONCE */

TRACE_EVENT(record_nested,

	TP_PROTO(int number, void (*inside)(int number)),

	TP_ARGS(number, inside),

	TP_STRUCT__entry(
		__field(int, number)
		__array(u8, before, RECORD_BYTES)
		__array(u8, after, RECORD_BYTES)
	),

	TP_fast_assign(
		__entry->number = number;
		memset(__entry->before, number, RECORD_BYTES);
		inside(number);
		memset(__entry->after, number, RECORD_BYTES);
	),

	TP_printk("%d", __entry->number)
);

/* It is switched by functions, and has a condition. */
TRACE_EVENT_FN_COND(record_fn_cond,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_CONDITION(number & 1),

	TP_STRUCT__entry(
		__field(int, number)
	),

	TP_fast_assign(
		__entry->number = number;
	),

	TP_printk("%d", __entry->number),

	record_switched_on, record_switched_off
);

/* Events that there are not */
TRACE_EVENT_NOP(record_nop,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(int, number)
	),

	TP_fast_assign(
		__entry->number = number;
	),

	TP_printk("%d", __entry->number)
);

DECLARE_EVENT_CLASS_NOP(record_class_nop,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(int, number)
	),

	TP_fast_assign(
		__entry->number = number;
	),

	TP_printk("%d", __entry->number)
);

DEFINE_EVENT_NOP(record_class_nop, record_of_class_nop,
		 TP_PROTO(int number), TP_ARGS(number));

/* Tracepoints without an event */
DECLARE_TRACE(record_bare, TP_PROTO(int number), TP_ARGS(number));

DECLARE_TRACE_CONDITION(record_bare_cond,
			TP_PROTO(int number), TP_ARGS(number), TP_CONDITION(number & 1));

#endif /* _RECORD_TEST_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE record_test
#include <trace/define_trace.h>
