/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event that compiles, and two mistakes that must not: guest/tracepoints builds all three.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM refused

#if !defined(_TRACE_REFUSED_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_REFUSED_H

#include <linux/tracepoint.h>

#ifdef REFUSED_ARRAY
#define NUMBER	number[3]
#else
#define NUMBER	number
#endif

DECLARE_EVENT_CLASS(refused_class,
	TP_PROTO(int number),
	TP_ARGS(number),
	TP_STRUCT__entry(
		__field(int, NUMBER)
	),
	TP_fast_assign(
		(void)__entry;
	),
	TP_printk("%p", __entry)
);

#ifdef REFUSED_CLASS
DEFINE_EVENT(refused_class, refused,
	TP_PROTO(const char *name),
	TP_ARGS(name)
);
#else
DEFINE_EVENT(refused_class, refused,
	TP_PROTO(int number),
	TP_ARGS(number)
);
#endif

#endif /* _TRACE_REFUSED_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE refused
#include <trace/define_trace.h>
