/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fifth reading: tables. Expressions that printers evaluate stay text here, and their record is
 * named REC.
 */
#include <trace/readings/undef.h>

#define __trace_event_field(text, item, member, bytes, elements, sign, field_kind)	\
	{										\
		.type		= text,							\
		.name		= #item,						\
		.offset		= offsetof(typeof(*__record), member),			\
		.size		= bytes,						\
		.count		= elements,						\
		.is_signed	= sign,							\
		.kind		= field_kind,						\
	},

#undef __field_ext
#undef __field_struct_ext
#undef __array
#define __field_ext(type, item, kind)							\
	__trace_event_field(#type, item, item, sizeof(type), 0, is_signed_type(type), kind)
#define __field_struct_ext(type, item, kind)						\
	__trace_event_field(#type, item, item, sizeof(type), 0, 0, kind)
#define __array(type, item, len)							\
	__trace_event_field(#type, item, item, sizeof(type[len]), len,			\
			    is_signed_type(type), FILTER_OTHER)
#define __loc(where, type, item, bytes)							\
	__trace_event_field("__" #where "_loc " #type "[]", item, __##where##_loc_##item, \
			    4, 0, is_signed_type(type), FILTER_OTHER)
#define __loc_string(where, item, src, bytes)	__loc(where, char, item, bytes)
#define __loc_cpumask(where, item)							\
	__trace_event_field("__" #where "_loc cpumask_t", item, __##where##_loc_##item,	\
			    4, 0, 0, FILTER_OTHER)

#define __print_ns_to_secs(value)	(value) / 1000000000UL
#define __print_ns_without_secs(value)	(value) % 1000000000UL

/* On 64 bit these are the same, and programs that read formats know only the names without _u64. */
#if BITS_PER_LONG == 64
#define __print_flags_u64(flags, delim, rows...)	__print_flags(flags, delim, rows)
#define __print_symbolic_u64(value, rows...)		__print_symbolic(value, rows)
#endif

#define __entry			REC
#define TP_printk(fmt, args...)	"\"" fmt "\", " __stringify(args)

#undef __TRACE_EVENT_PRINT
#define __TRACE_EVENT_PRINT(id, raw, print)						\
static const char print_fmt_##id[] = print;						\
static struct trace_event_functions trace_event_type_funcs_##id = {			\
	.trace	= trace_raw_output_##id,						\
};

#define __TRACE_EVENT_CLASS(id, raw, class_ops, proto, args, tstruct, assign, print)	\
__TRACE_EVENT_PRINT(id, raw, PARAMS(print))						\
static const struct trace_event_field *trace_event_fields_##id(void)			\
{											\
	struct raw *__record __maybe_unused;						\
	static const struct trace_event_field __fields[] = { tstruct {} };		\
											\
	return __fields;								\
}											\
static const struct trace_event_class event_class_##id __used = {			\
	.system	= __trace_system_name,							\
	.probe	= trace_event_raw_event_##id,						\
	.fields	= trace_event_fields_##id,						\
	.ops	= class_ops,								\
};

#undef __TRACE_EVENT_DEFINE
#define __TRACE_EVENT_DEFINE(class_id, printer, id, event_name, init)			\
static struct trace_event_call event_##id = {						\
	.class		= &event_class_##class_id,					\
	init,										\
	.event.funcs	= &trace_event_type_funcs_##printer,				\
	.print_fmt	= print_fmt_##printer,						\
};											\
static struct trace_event_call *__event_##id __used					\
	__section("_ftrace_events") = &event_##id;

#undef __TRACE_EVENT_UPDATE
#define __TRACE_EVENT_UPDATE(event)							\
static inline int trace_custom_event_##event##_update(struct tracepoint *tp)		\
{											\
	return trace_custom_event_update(&event_custom_##event, tp);			\
}

/* The kernel's own events only: set before any program of a user runs. */
#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(event, value)							\
static int __init __trace_event_flags_##event(void)					\
{											\
	event_##event.flags |= (value);							\
	return 0;									\
}											\
early_initcall(__trace_event_flags_##event);

#ifdef CONFIG_PERF_EVENTS
#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(event, expr...)						\
static int __trace_event_may_##event(struct trace_event_call *tp_event,			\
				     struct perf_event *p_event)			\
{											\
	return ({ expr; });								\
}											\
static int __init __trace_event_perm_##event(void)					\
{											\
	event_##event.perf_perm = __trace_event_may_##event;				\
	return 0;									\
}											\
early_initcall(__trace_event_perm_##event);
#endif

#define __TRACE_EVENT_EVAL(id, text, number)						\
static struct trace_eval_map id = {							\
	.system		= __trace_system_name,						\
	.eval_string	= text,								\
	.eval_value	= number,							\
};											\
static struct trace_eval_map *CONCATENATE(id, _p) __used				\
	__section("_ftrace_eval_map") = &id;

#undef TRACE_DEFINE_ENUM
#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_ENUM(name)								\
	__TRACE_EVENT_EVAL(__UNIQUE_ID(trace_eval), #name, name)
#define TRACE_DEFINE_SIZEOF(type)							\
	__TRACE_EVENT_EVAL(__UNIQUE_ID(trace_eval), "sizeof(" #type ")", sizeof(type))
