/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rest of the events of event_prints_test.c: texts, addresses and pointers. TRACE_SYSTEM_VAR is
 * not the one of event_prints_test.h, as the same source file includes both.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM event_prints
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR event_prints_texts

#if !defined(_EVENT_PRINTS_TEXTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _EVENT_PRINTS_TEXTS_H

#include <linux/socket.h>
#include <linux/stdarg.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

TRACE_EVENT(prints_addresses,

	TP_PROTO(const struct sockaddr *address, unsigned int len),

	TP_ARGS(address, len),

	TP_STRUCT__entry(
		__sockaddr(address, len)
		__rel_sockaddr(rel_address, len)
		__array(u8, mac, 6)
		__array(u8, four, 4)
		__array(u8, six, 16)
	),

	TP_fast_assign(
		int i;

		__assign_sockaddr(address, address, len);
		__assign_rel_sockaddr(rel_address, address, len);
		for (i = 0; i < 6; i++)
			__entry->mac[i] = 0xa0 + i;
		for (i = 0; i < 4; i++)
			__entry->four[i] = i + 1;
		for (i = 0; i < 16; i++)
			__entry->six[i] = i < 12 ? 0 : i;
	),

	TP_printk("%pIS %pISp %pISc %pISpc %pISpc %pM %pm %pI4 %pi4 %pI6 %pI6c %pUb",
		  __get_sockaddr(address), __get_sockaddr(address), __get_sockaddr(address),
		  __get_sockaddr(address), __get_rel_sockaddr(rel_address), __entry->mac,
		  __entry->mac, __entry->four, __entry->four, __entry->six, __entry->six,
		  __entry->six)
);

TRACE_EVENT(prints_texts,

	TP_PROTO(const char *text, const char *fmt, va_list *args),

	TP_ARGS(text, fmt, args),

	TP_STRUCT__entry(
		__string(text, text)
		__string_len(part, text, text ? strnlen(text, 3) : 0)
		__vstring(formatted, fmt, args)
		__rel_string(rel_text, text)
		__rel_string_len(rel_part, text, text ? strnlen(text, 3) : 0)
		__array(char, full, 4)
		__array(char, ended, 8)
	),

	TP_fast_assign(
		__assign_str(text);
		__assign_str(part);
		__assign_vstr(formatted, fmt, args);
		__assign_rel_str(rel_text);
		__assign_rel_str(rel_part);
		memcpy(__entry->full, "full", 4);
		strscpy(__entry->ended, "ended", 8);
	),

	TP_printk("[%s] [%s] [%s] [%s] [%s] [%.4s] [%s] [%-8s] [%8.3s]", __get_str(text),
		  __get_str(part), __get_str(formatted), __get_rel_str(rel_text),
		  __get_rel_str(rel_part), __entry->full, __entry->ended, __entry->ended,
		  __entry->ended)
);

TRACE_EVENT(prints_pointer,

	TP_PROTO(const void *pointer),

	TP_ARGS(pointer),

	TP_STRUCT__entry(
		__field(const void *, pointer)
	),

	TP_fast_assign(
		__entry->pointer = pointer;
	),

	TP_printk("%p, [%20p] [%-20p] %p/%p; %px %%p %%%p", __entry->pointer, __entry->pointer,
		  __entry->pointer, __entry->pointer, __entry->pointer, __entry->pointer,
		  __entry->pointer)
);

DECLARE_EVENT_CLASS(prints_string_class,

	TP_PROTO(const char *where, const char *string),

	TP_ARGS(where, string),

	TP_STRUCT__entry(
		__string(where, where)
		__field(const char *, string)
	),

	TP_fast_assign(
		__assign_str(where);
		__entry->string = string;
	),

	TP_printk("%s: [%s] [%-12s] [%.3s]", __get_str(where), __entry->string, __entry->string,
		  __entry->string)
);

DEFINE_EVENT(prints_string_class, prints_string,
	     TP_PROTO(const char *where, const char *string), TP_ARGS(where, string));

DEFINE_EVENT(prints_string_class, prints_null,
	     TP_PROTO(const char *where, const char *string), TP_ARGS(where, string));

#endif /* _EVENT_PRINTS_TEXTS_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE event_prints_texts
#include <trace/define_trace.h>
