/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for record_perf_test.c: one that says what it weighs and whom it is about, and one that
 * perf may count, but not sample.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM definitions_test

#if !defined(_RECORD_PERF_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _RECORD_PERF_TEST_H

#include <linux/sched.h>
#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(record_perf,

	TP_PROTO(struct task_struct *task, u64 weight),

	TP_ARGS(__perf_task(task), __perf_count(weight)),

	TP_STRUCT__entry(
		__field(u64, weight)
	),

	TP_fast_assign(
		__entry->weight = weight;
	),

	TP_printk("%llu", __entry->weight)
);

/* Only a class may say so in its arguments. */
DEFINE_EVENT(record_perf, record_perf,
	     TP_PROTO(struct task_struct *task, u64 weight), TP_ARGS(task, weight));

TRACE_EVENT(record_perm,

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

TRACE_EVENT_PERF_PERM(record_perm,
		      tp_event->class && is_sampling_event(p_event) ? -EPERM : 0);

#endif /* _RECORD_PERF_TEST_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE record_perf_test
#include <trace/define_trace.h>
