/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of each header of custom events. Where CREATE_CUSTOM_TRACE_EVENTS is defined, the header
 * is read again here, and <trace/trace_events.h> makes the events. TRACE_CUSTOM_MULTI_READ is
 * defined during these readings.
 *
 * The header has to define TRACE_INCLUDE_FILE and TRACE_INCLUDE_PATH, as the TRACE_SYSTEM is not
 * its own: the system of all custom events is "custom".
 */
#if defined(CREATE_CUSTOM_TRACE_EVENTS) && defined(CONFIG_EVENT_TRACING)

#include <linux/args.h>
#include <linux/stringify.h>

#undef CREATE_CUSTOM_TRACE_EVENTS
#define TRACE_CUSTOM_MULTI_READ

#undef TRACE_SYSTEM
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM		custom
#define TRACE_SYSTEM_VAR	CONCATENATE(custom_, TRACE_INCLUDE_FILE)

#ifdef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_NAME(path, file) __stringify(path/file.h)
#define TRACE_INCLUDE TRACE_INCLUDE_NAME(TRACE_INCLUDE_PATH, TRACE_INCLUDE_FILE)
#else
#define TRACE_INCLUDE_NAME(file) __stringify(events/file.h)
#define TRACE_INCLUDE TRACE_INCLUDE_NAME(TRACE_INCLUDE_FILE)
#endif

#include <trace/trace_events.h>

#undef TRACE_INCLUDE
#undef TRACE_INCLUDE_NAME

/* Let <linux/tracepoint.h> give the other macros their first meaning again. */
#include <trace/readings/undef_forms.h>

#undef TRACE_CUSTOM_MULTI_READ
#define CREATE_CUSTOM_TRACE_EVENTS

#endif /* CREATE_CUSTOM_TRACE_EVENTS && CONFIG_EVENT_TRACING */
