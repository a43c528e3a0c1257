/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Example of trace events: jobs that begin and end.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftrace_uses

#if !defined(_FTRACE_USES_EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FTRACE_USES_EVENT_H

#include <linux/tracepoint.h>

#ifndef _FTRACE_USES_EVENT_ONCE
#define _FTRACE_USES_EVENT_ONCE
enum job_kind {
	JOB_SMALL,
	JOB_LARGE,
};
#endif

/* Tools do not know the values of enums: the print format gets numbers. */
TRACE_DEFINE_ENUM(JOB_SMALL);
TRACE_DEFINE_ENUM(JOB_LARGE);

/* An event that is a class of its own. */
TRACE_EVENT(job_begin,

	TP_PROTO(const char *name, enum job_kind kind),

	TP_ARGS(name, kind),

	TP_STRUCT__entry(
		__string(name, name)
		__field(enum job_kind, kind)
	),

	TP_fast_assign(
		__assign_str(name);
		__entry->kind = kind;
	),

	TP_printk("%s: a %s job", __get_str(name),
		  __print_symbolic(__entry->kind,
				   { JOB_SMALL, "small" },
				   { JOB_LARGE, "large" }))
);

/* Two events with the same record. */
DECLARE_EVENT_CLASS(job_result,

	TP_PROTO(const char *name, const u32 *steps, unsigned int nr),

	TP_ARGS(name, steps, nr),

	TP_STRUCT__entry(
		__string(name, name)
		__dynamic_array(u32, steps, nr)
	),

	TP_fast_assign(
		__assign_str(name);
		memcpy(__get_dynamic_array(steps), steps, nr * sizeof(*steps));
	),

	TP_printk("%s: %s", __get_str(name), __print_dynamic_array(steps, sizeof(u32)))
);

DEFINE_EVENT(job_result, job_end,
	TP_PROTO(const char *name, const u32 *steps, unsigned int nr),
	TP_ARGS(name, steps, nr));

/* Each job calls it, but it is recorded only if the condition is true. */
DEFINE_EVENT_CONDITION(job_result, job_idle,
	TP_PROTO(const char *name, const u32 *steps, unsigned int nr),
	TP_ARGS(name, steps, nr),
	TP_CONDITION(!nr));

#endif

/* The path of this header: define_trace.h includes it again. */
#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE ftrace_uses_event
#include <trace/define_trace.h>
