/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event whose recording waits for an NMI.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM event_nmi

#if !defined(_EVENT_NMI_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _EVENT_NMI_TEST_H

#include <linux/preempt.h>
#include <linux/tracepoint.h>

#ifndef _EVENT_NMI_TEST_WAIT
#define _EVENT_NMI_TEST_WAIT
void event_nmi_wait(void);
#endif

TRACE_EVENT(event_nmi,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(int, number)
		__field(bool, nmi)
		__field(int, again)
	),

	TP_fast_assign(
		__entry->number = number;
		__entry->nmi = !!in_nmi();
		event_nmi_wait();
		__entry->again = number;
	),

	TP_printk("number=%d nmi=%d again=%d", __entry->number, __entry->nmi, __entry->again)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE event_nmi_test
#include <trace/define_trace.h>
