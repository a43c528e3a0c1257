/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of each header of trace events. Where CREATE_TRACE_POINTS is defined,
 * once in the kernel for each of those headers, it is read again here, with other
 * meanings of its macros: <trace/trace_events.h> makes trace events of them. Then,
 * instead of declaring tracepoints, they define them, by DEFINE_TRACE() and
 * DEFINE_TRACE_FN() of <linux/tracepoint.h>.
 *
 * Macros that a header can rely on:
 *
 *	TRACE_SYSTEM		names it, unless TRACE_INCLUDE_FILE does
 *	TRACE_INCLUDE_PATH	where it is: a directory relative to this one, or to
 *				one that the compiler searches; without it: events/
 *	TRACE_HEADER_MULTI_READ	is defined during these readings
 *	CREATE_TRACE_POINTS	is not: it is for helpers that must be there once;
 *				but again afterwards, for the headers that follow
 *
 * After that <linux/tracepoint.h> gives the macros back their first meaning when
 * the next header includes it.
 *
 * A header's own TRACE_INCLUDE_FILE and TRACE_INCLUDE_PATH stay defined. Many headers
 * define them below their include guard. If such a header was read before by way of
 * another one, and now with CREATE_TRACE_POINTS, only the line that includes this file
 * is left of it: the macros that it defined the first time tell its place. So each header that
 * needs them first removes those of the header before.
 */
#if defined(CREATE_TRACE_POINTS) && defined(TRACEPOINTS_ENABLED)

#include <linux/stringify.h>

#undef CREATE_TRACE_POINTS
#define TRACE_HEADER_MULTI_READ

#ifndef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE TRACE_SYSTEM
#define TRACE_INCLUDE_FILE_BY_SYSTEM
#endif
#ifdef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_NAME(path, file) __stringify(path/file.h)
#define TRACE_INCLUDE TRACE_INCLUDE_NAME(TRACE_INCLUDE_PATH, TRACE_INCLUDE_FILE)
#else
#define TRACE_INCLUDE_NAME(file) __stringify(events/file.h)
#define TRACE_INCLUDE TRACE_INCLUDE_NAME(TRACE_INCLUDE_FILE)
#endif

#ifdef CONFIG_EVENT_TRACING
#include <trace/trace_events.h>
#endif

#include <trace/readings/undef_forms.h>

/* Those that make no tracepoint. */
#define DECLARE_EVENT_CLASS(...)
#define DECLARE_EVENT_CLASS_NOP(...)
#define DEFINE_EVENT_NOP(...)
#define TRACE_EVENT_NOP(...)

/* A tracepoint without an event; its condition is tested by its trace_*() function. */
#define DECLARE_TRACE(point, proto, args) \
	DEFINE_TRACE(point, PARAMS(proto), PARAMS(args))
#define DECLARE_TRACE_CONDITION(point, proto, args, ...) \
	DEFINE_TRACE(point, PARAMS(proto), PARAMS(args))

/* An event of a class. */
#define DEFINE_EVENT(class, event, proto, args) \
	DEFINE_TRACE(event, PARAMS(proto), PARAMS(args))
#define DEFINE_EVENT_CONDITION(class, event, proto, args, ...) \
	DEFINE_TRACE(event, PARAMS(proto), PARAMS(args))
#define DEFINE_EVENT_FN(class, event, proto, args, reg, unreg) \
	DEFINE_TRACE_FN(event, reg, unreg, PARAMS(proto), PARAMS(args))
#define DEFINE_EVENT_PRINT(class, event, proto, args, ...) \
	DEFINE_TRACE(event, PARAMS(proto), PARAMS(args))

/* An event that is a class of its own. */
#define TRACE_EVENT(event, proto, args, ...) \
	DEFINE_TRACE(event, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_CONDITION(event, proto, args, ...) \
	DEFINE_TRACE(event, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_FN(event, proto, args, fields, assign, print, reg, unreg) \
	DEFINE_TRACE_FN(event, reg, unreg, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_FN_COND(event, proto, args, cond, fields, assign, print, reg, unreg) \
	DEFINE_TRACE_FN(event, reg, unreg, PARAMS(proto), PARAMS(args))

#include TRACE_INCLUDE

#undef TRACE_INCLUDE
#undef TRACE_INCLUDE_NAME
#ifdef TRACE_INCLUDE_FILE_BY_SYSTEM
#undef TRACE_INCLUDE_FILE
#undef TRACE_INCLUDE_FILE_BY_SYSTEM
#endif

#include <trace/readings/undef_forms.h>

#undef TRACE_HEADER_MULTI_READ
#define CREATE_TRACE_POINTS

#endif /* CREATE_TRACE_POINTS && TRACEPOINTS_ENABLED */
