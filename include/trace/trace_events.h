/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events: the definition of an event, by TRACE_EVENT() or its relatives, makes the following
 * in the object that defines CREATE_TRACE_POINTS. <trace/define_trace.h> includes this header, and
 * this header reads the header with the definitions five times, each time with the meanings that a
 * header in readings/ gives to a few macros:
 *
 *	record.h	struct trace_event_raw_CLASS: the record; trace_raw_output_CLASS(): its
 *			printer
 *	offsets.h	struct trace_event_data_offsets_CLASS: where data of variable size go
 *	sizes.h		trace_event_get_offsets_CLASS(): works that out
 *	probe.h		trace_event_raw_event_CLASS(): makes a record for the users of the event
 *	tables.h	event_class_CLASS, event_EVENT: tables for kernel/trace/events/
 *
 * <trace/define_custom_trace.h> includes this for custom events: their names begin with
 * trace_custom_event_, or contain custom_.
 *
 * The macros:
 *
 *	__TRACE_EVENT_CLASS(id, raw, class_ops, proto, args, tstruct, assign, print)
 *		a class; @id: the end of its names; @raw: the tag of its record
 *	__TRACE_EVENT_DEFINE(class, printer, id, event, init)
 *		an event of a class; @init: initializes its name or tracepoint
 *	__TRACE_EVENT_PRINT(id, raw, print)
 *		a printer, of a class or of an event's own
 *	__field_ext(type, item, kind), __field_struct_ext(type, item, kind),
 *	__array(type, item, len)
 *		fields with a place of their own
 *	__loc(where, type, item, bytes), __loc_string(where, item, src, bytes),
 *	__loc_cpumask(where, item)
 *		fields that say where their data are; @where: data, from the beginning of the
 *		record, or rel, from the end of the field
 *
 * A probe sees the parameters of TP_PROTO(), which may have any name. So all its other variables
 * begin with two underscores, but for the record: it is __entry, and some headers call it entry. A
 * printer has p, the trace_seq of its pieces.
 *
 * There is no include guard: one object may create the events of many headers.
 */
#include <linux/args.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/instruction_pointer.h>
#include <linux/math64.h>
#include <linux/trace_events.h>

#ifndef _TRACE_EVENTS_ONCE
#define _TRACE_EVENTS_ONCE

/* The string for a NULL: TP_printk() must not print it as a pointer. */
static inline const char *__trace_event_string(const char *text)
{
	return text ?: EVENT_NULL_STR;
}

/* Bytes of a string of up to @max characters with its NUL. */
static inline unsigned int __trace_event_string_size(const char *text, unsigned int max)
{
	return (text ? max : min_t(unsigned int, max, sizeof(EVENT_NULL_STR) - 1)) + 1;
}

/* Copy a string into the @size bytes that were reserved for it. It may have changed meanwhile. */
static __always_inline void __trace_event_copy_string(char *to, const char *from, unsigned int size)
{
	memcpy(to, from, size - 1);
	to[size - 1] = '\0';
}

/* The longest formatted string, with its NUL. */
#define __TRACE_EVENT_VSTRING_MAX	512

static inline __printf(3, 0)
unsigned int __trace_event_format(char *to, unsigned int size, const char *fmt, va_list *args)
{
	va_list copy;
	int len;

	va_copy(copy, *args);
	len = vsnprintf(to, size, fmt, copy);
	va_end(copy);
	return clamp(len, 0, __TRACE_EVENT_VSTRING_MAX - 1) + 1;
}

/* Bytes of a bitmask in a record. */
#define __trace_event_bitmask_size(bits)	(BITS_TO_LONGS(bits) * sizeof(long))

#endif /* _TRACE_EVENTS_ONCE */

/* A header may say how its system is spelled in names of C: one with a '-' must. */
#ifndef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR TRACE_SYSTEM
#endif

#define __trace_system_name	CONCATENATE(__trace_system_, TRACE_SYSTEM_VAR)

static const char __trace_system_name[] __used = __stringify(TRACE_SYSTEM);

/*
 * Classes and events
 */
#include <trace/readings/undef_forms.h>
#undef TP_STRUCT__entry
#undef TP_fast_assign

#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)			\
	__TRACE_EVENT_CLASS(name, trace_event_raw_##name, NULL, PARAMS(proto),		\
			    PARAMS(args), PARAMS(tstruct), PARAMS(assign), PARAMS(print))
#define __TRACE_EVENT_TRACEPOINT(event)							\
	{ .tp = &__tracepoint_##event }, .flags = TRACE_EVENT_FL_TRACEPOINT
#define DEFINE_EVENT(class, event, proto, args)						\
	__TRACE_EVENT_DEFINE(class, class, event, event,				\
			     PARAMS(__TRACE_EVENT_TRACEPOINT(event)))
#define DEFINE_EVENT_PRINT(class, event, proto, args, print)				\
	__TRACE_EVENT_PRINT(event, trace_event_raw_##class, PARAMS(print))		\
	__TRACE_EVENT_DEFINE(class, event, event, event,				\
			     PARAMS(__TRACE_EVENT_TRACEPOINT(event)))

#define DEFINE_EVENT_CONDITION(class, event, proto, args, cond)				\
	DEFINE_EVENT(class, event, PARAMS(proto), PARAMS(args))
#define DEFINE_EVENT_FN(class, event, proto, args, reg, unreg)				\
	DEFINE_EVENT(class, event, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)				\
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
			    PARAMS(assign), PARAMS(print))				\
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign, print)		\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),			\
		    PARAMS(assign), PARAMS(print))
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg)		\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),			\
		    PARAMS(assign), PARAMS(print))
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign, print, reg, unreg) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),			\
		    PARAMS(assign), PARAMS(print))

#define TRACE_EVENT_NOP(...)
#define DECLARE_EVENT_CLASS_NOP(...)
#define DEFINE_EVENT_NOP(...)
#define DECLARE_TRACE(...)
#define DECLARE_TRACE_CONDITION(...)

/* Custom events, whose tracepoints are found at run time */
#undef DECLARE_CUSTOM_EVENT_CLASS
#undef DEFINE_CUSTOM_EVENT
#undef TRACE_CUSTOM_EVENT

#define DECLARE_CUSTOM_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
	__TRACE_EVENT_CLASS(custom_##name, trace_custom_event_raw_##name,		\
			    &trace_custom_event_ops, PARAMS(proto), PARAMS(args),	\
			    PARAMS(tstruct), PARAMS(assign), PARAMS(print))
#define DEFINE_CUSTOM_EVENT(class, event, proto, args)					\
	__TRACE_EVENT_DEFINE(custom_##class, custom_##class, custom_##event, event,	\
			     { .name = #event })					\
	__TRACE_EVENT_UPDATE(event)
#define TRACE_CUSTOM_EVENT(name, proto, args, tstruct, assign, print)			\
	DECLARE_CUSTOM_EVENT_CLASS(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
				   PARAMS(assign), PARAMS(print))			\
	DEFINE_CUSTOM_EVENT(name, name, PARAMS(proto), PARAMS(args))

#define TP_STRUCT__entry(args...)	args
#define TP_fast_assign(args...)		args

/*
 * Fields
 */
#undef __field
#undef __field_struct
#undef __dynamic_array
#undef __string
#undef __string_len
#undef __vstring
#undef __bitmask
#undef __cpumask
#undef __sockaddr
#undef __rel_dynamic_array
#undef __rel_string
#undef __rel_string_len
#undef __rel_bitmask
#undef __rel_cpumask
#undef __rel_sockaddr

#define __field(type, item)			__field_ext(type, item, FILTER_OTHER)
#define __field_struct(type, item)		__field_struct_ext(type, item, FILTER_OTHER)

#define __dynamic_array(type, item, len)	__loc(data, type, item, (len) * sizeof(type))
#define __rel_dynamic_array(type, item, len)	__loc(rel, type, item, (len) * sizeof(type))
#define __sockaddr(item, len)			__dynamic_array(u8, item, len)
#define __rel_sockaddr(item, len)		__rel_dynamic_array(u8, item, len)

/* In sizes.h, __src is the source of the string; NULL has been replaced in the offsets. */
#define __string(item, src)								\
	__loc_string(data, item, src, strlen(__offsets->__##item) + 1)
#define __rel_string(item, src)								\
	__loc_string(rel, item, src, strlen(__offsets->__##item) + 1)
#define __string_len(item, src, len)							\
	__loc_string(data, item, src, __trace_event_string_size(__src, len))
#define __rel_string_len(item, src, len)						\
	__loc_string(rel, item, src, __trace_event_string_size(__src, len))
#define __vstring(item, fmt, args)							\
	__loc(data, char, item, __trace_event_format(NULL, 0, fmt, args))

#define __bitmask(item, bits)								\
	__loc(data, unsigned long, item, __trace_event_bitmask_size(bits))
#define __rel_bitmask(item, bits)							\
	__loc(rel, unsigned long, item, __trace_event_bitmask_size(bits))
#define __cpumask(item)				__loc_cpumask(data, item)
#define __rel_cpumask(item)			__loc_cpumask(rel, item)

#include <trace/readings/record.h>
#include TRACE_INCLUDE
#include <trace/readings/offsets.h>
#include TRACE_INCLUDE
#include <trace/readings/sizes.h>
#include TRACE_INCLUDE
#include <trace/readings/probe.h>
#include TRACE_INCLUDE
#include <trace/readings/tables.h>
#include TRACE_INCLUDE

#include <trace/readings/undef.h>
#undef __TRACE_EVENT_TRACEPOINT
#undef __trace_system_name

/* <linux/trace_events.h> has the same definitions. */
#undef DECLARE_CUSTOM_EVENT_CLASS
#undef DEFINE_CUSTOM_EVENT
#undef TRACE_CUSTOM_EVENT
#define DECLARE_CUSTOM_EVENT_CLASS(...)
#define DEFINE_CUSTOM_EVENT(...)
#define TRACE_CUSTOM_EVENT(...)
