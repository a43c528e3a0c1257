/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events: what a definition, TRACE_EVENT() or its relatives, leaves in the object that
 * defines CREATE_TRACE_POINTS. <trace/define_trace.h> includes this, and this reads the header of
 * the definitions five times, with other meanings of their macros:
 *
 *	1. struct trace_event_raw_CLASS		the record
 *	   trace_raw_output_CLASS()		its printer
 *	2. struct trace_event_data_offsets_CLASS	where data of variable size go
 *	3. trace_event_get_offsets_CLASS()	works that out
 *	4. trace_event_raw_event_CLASS()	the probe: makes a record, for whoever takes it
 *	5. event_class_CLASS, event_EVENT	what kernel/trace/events/ has to know
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
 * In all readings: an event that is a class of its own, and the forms that differ only in their
 * tracepoints
 */
#undef TRACE_EVENT
#undef TRACE_EVENT_CONDITION
#undef TRACE_EVENT_FN
#undef TRACE_EVENT_FN_COND
#undef TRACE_EVENT_NOP
#undef DECLARE_EVENT_CLASS_NOP
#undef DEFINE_EVENT_NOP
#undef DEFINE_EVENT_CONDITION
#undef DEFINE_EVENT_FN
#undef DECLARE_TRACE
#undef DECLARE_TRACE_CONDITION
#undef TRACE_EVENT_FLAGS
#undef TRACE_EVENT_PERF_PERM
#undef TRACE_DEFINE_ENUM
#undef TRACE_DEFINE_SIZEOF
#undef TP_STRUCT__entry
#undef TP_fast_assign

#define TRACE_EVENT(name, proto, args, tstruct, assign, print)			\
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
			    PARAMS(assign), PARAMS(print))			\
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign, print)	\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
		    PARAMS(assign), PARAMS(print))
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg)	\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
		    PARAMS(assign), PARAMS(print))
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign, print, reg, unreg) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
		    PARAMS(assign), PARAMS(print))
#define DEFINE_EVENT_CONDITION(class, event, proto, args, cond)			\
	DEFINE_EVENT(class, event, PARAMS(proto), PARAMS(args))
#define DEFINE_EVENT_FN(class, event, proto, args, reg, unreg)			\
	DEFINE_EVENT(class, event, PARAMS(proto), PARAMS(args))

#define TRACE_EVENT_NOP(...)
#define DECLARE_EVENT_CLASS_NOP(...)
#define DEFINE_EVENT_NOP(...)
#define DECLARE_TRACE(...)
#define DECLARE_TRACE_CONDITION(...)
#define TRACE_EVENT_FLAGS(...)
#define TRACE_EVENT_PERF_PERM(...)
#define TRACE_DEFINE_ENUM(...)
#define TRACE_DEFINE_SIZEOF(...)

#define TP_STRUCT__entry(args...)	args
#define TP_fast_assign(args...)		args

/* In all readings: fields that are special cases of others */
#undef __field
#undef __field_struct
#undef __string
#undef __cpumask
#undef __sockaddr
#undef __rel_string
#undef __rel_cpumask
#undef __rel_sockaddr

#define __field(type, item)		__field_ext(type, item, FILTER_OTHER)
#define __field_struct(type, item)	__field_struct_ext(type, item, FILTER_OTHER)
#define __sockaddr(item, len)		__dynamic_array(u8, item, len)
#define __rel_sockaddr(item, len)	__rel_dynamic_array(u8, item, len)

/*
 * 1. The record and its printer
 */
#undef DECLARE_EVENT_CLASS
#undef DEFINE_EVENT
#undef DEFINE_EVENT_PRINT
#undef TP_printk
#undef __entry

#undef __field_ext
#undef __field_struct_ext
#undef __array
#undef __dynamic_array
#undef __string_len
#undef __vstring
#undef __bitmask
#undef __rel_dynamic_array
#undef __rel_string_len
#undef __rel_bitmask

#define __field_ext(type, item, kind)		type item;
#define __field_struct_ext(type, item, kind)	type item;
#define __array(type, item, len)		type item[len];
#define __dynamic_array(type, item, len)	u32 __data_loc_##item;
#define __string(item, src)			u32 __data_loc_##item;
#define __string_len(item, src, len)		u32 __data_loc_##item;
#define __vstring(item, fmt, args)		u32 __data_loc_##item;
#define __bitmask(item, bits)			u32 __data_loc_##item;
#define __cpumask(item)				u32 __data_loc_##item;
#define __rel_dynamic_array(type, item, len)	u32 __rel_loc_##item;
#define __rel_string(item, src)			u32 __rel_loc_##item;
#define __rel_string_len(item, src, len)	u32 __rel_loc_##item;
#define __rel_bitmask(item, bits)		u32 __rel_loc_##item;
#define __rel_cpumask(item)			u32 __rel_loc_##item;

/* Where data are: for printers, and for probes too. */
#undef __get_dynamic_array
#undef __get_dynamic_array_len
#undef __get_str
#undef __get_sockaddr
#undef __get_rel_dynamic_array
#undef __get_rel_dynamic_array_len
#undef __get_rel_str
#undef __get_rel_sockaddr

#define __get_dynamic_array(item)						\
	((void *)__entry + (__entry->__data_loc_##item & 0xffff))
#define __get_dynamic_array_len(item)	(__entry->__data_loc_##item >> 16)
#define __get_str(item)			((char *)__get_dynamic_array(item))
#define __get_sockaddr(item)		((struct sockaddr *)__get_dynamic_array(item))
#define __get_rel_dynamic_array(item)						\
	((void *)(&__entry->__rel_loc_##item + 1) + (__entry->__rel_loc_##item & 0xffff))
#define __get_rel_dynamic_array_len(item)	(__entry->__rel_loc_##item >> 16)
#define __get_rel_str(item)		((char *)__get_rel_dynamic_array(item))
#define __get_rel_sockaddr(item)	((struct sockaddr *)__get_rel_dynamic_array(item))

/* For printers: pieces of text */
#undef __get_bitmask
#undef __get_cpumask
#undef __get_rel_bitmask
#undef __get_rel_cpumask
#undef __get_buf
#undef __print_flags
#undef __print_symbolic
#undef __print_flags_u64
#undef __print_symbolic_u64
#undef __print_hex
#undef __print_hex_str
#undef __print_array
#undef __print_dynamic_array
#undef __print_hex_dump
#undef __print_ns_to_secs
#undef __print_ns_without_secs

#define __get_bitmask(item)							\
	trace_print_bitmask_seq(p, __get_dynamic_array(item), __get_dynamic_array_len(item))
#define __get_cpumask(item)		__get_bitmask(item)
#define __get_rel_bitmask(item)							\
	trace_print_bitmask_seq(p, __get_rel_dynamic_array(item),		\
				__get_rel_dynamic_array_len(item))
#define __get_rel_cpumask(item)		__get_rel_bitmask(item)
#define __get_buf(len)			trace_seq_acquire(p, (len))

#define __print_flags(flags, delim, rows...)					\
	({									\
		static const struct trace_print_flags __rows[] = {		\
			rows, { -1, NULL }					\
		};								\
		trace_print_flags_seq(p, delim, flags, __rows);			\
	})
#define __print_symbolic(value, rows...)					\
	({									\
		static const struct trace_print_flags __rows[] = {		\
			rows, { -1, NULL }					\
		};								\
		trace_print_symbols_seq(p, value, __rows);			\
	})
#if BITS_PER_LONG == 32
#define __print_flags_u64(flags, delim, rows...)				\
	({									\
		static const struct trace_print_flags_u64 __rows[] = {		\
			rows, { -1, NULL }					\
		};								\
		trace_print_flags_seq_u64(p, delim, flags, __rows);		\
	})
#define __print_symbolic_u64(value, rows...)					\
	({									\
		static const struct trace_print_flags_u64 __rows[] = {		\
			rows, { -1, NULL }					\
		};								\
		trace_print_symbols_seq_u64(p, value, __rows);			\
	})
#else
#define __print_flags_u64(flags, delim, rows...)	__print_flags(flags, delim, rows)
#define __print_symbolic_u64(value, rows...)		__print_symbolic(value, rows)
#endif

#define __print_hex(buf, len)		trace_print_hex_seq(p, buf, len, false)
#define __print_hex_str(buf, len)	trace_print_hex_seq(p, buf, len, true)
#define __print_array(buf, count, size)						\
	({									\
		BUILD_BUG_ON((size) != 1 && (size) != 2 && (size) != 4 && (size) != 8); \
		trace_print_array_seq(p, buf, count, size);			\
	})
#define __print_dynamic_array(item, size)					\
	__print_array(__get_dynamic_array(item), __get_dynamic_array_len(item) / (size), size)
#define __print_hex_dump(prefix, type, row, group, buf, len, ascii)		\
	trace_print_hex_dump_seq(p, prefix, type, row, group, buf, len, ascii)
#define __print_ns_to_secs(value)	div_u64((u64)(value), NSEC_PER_SEC)
#define __print_ns_without_secs(value)						\
	({									\
		u32 __rest;							\
		div_u64_rem((u64)(value), NSEC_PER_SEC, &__rest);		\
		__rest;								\
	})

#define TP_printk(fmt, args...)	fmt "\n", args

#define __TRACE_EVENT_PRINTER(class, name, print)				\
static notrace enum print_line_t						\
trace_raw_output_##name(struct trace_iterator *iter, int flags, struct trace_event *event) \
{										\
	struct trace_event_raw_##class *__entry __maybe_unused = (void *)iter->ent; \
	struct trace_seq *p __maybe_unused = &iter->tmp_seq;			\
										\
	if (trace_raw_output_prep(iter, event, sizeof(*__entry)))		\
		trace_event_printf(iter, print);				\
	return trace_handle_return(&iter->seq);					\
}

#define DECLARE_EVENT_CLASS(class, proto, args, tstruct, assign, print)		\
struct trace_event_raw_##class {						\
	struct trace_entry ent;							\
	tstruct									\
	char __data[];								\
};										\
__TRACE_EVENT_PRINTER(class, class, PARAMS(print))

#define DEFINE_EVENT(class, event, proto, args)
#define DEFINE_EVENT_PRINT(class, event, proto, args, print)			\
	__TRACE_EVENT_PRINTER(class, event, PARAMS(print))

#include TRACE_INCLUDE

/*
 * 2. Where data of variable size go: their offset and size, and what is copied there
 */
#undef DECLARE_EVENT_CLASS
#undef DEFINE_EVENT_PRINT

#undef __field_ext
#undef __field_struct_ext
#undef __array
#undef __dynamic_array
#undef __string
#undef __string_len
#undef __vstring
#undef __bitmask
#undef __cpumask
#undef __rel_dynamic_array
#undef __rel_string
#undef __rel_string_len
#undef __rel_bitmask
#undef __rel_cpumask

#define __field_ext(type, item, kind)
#define __field_struct_ext(type, item, kind)
#define __array(type, item, len)
#define __dynamic_array(type, item, len)	u32 item;
#define __string(item, src)			u32 item; const char *__##item;
#define __string_len(item, src, len)		u32 item; const char *__##item;
#define __vstring(item, fmt, args)		u32 item;
#define __bitmask(item, bits)			u32 item;
#define __cpumask(item)				u32 item;
#define __rel_dynamic_array(type, item, len)	u32 item;
#define __rel_string(item, src)			u32 item; const char *__##item;
#define __rel_string_len(item, src, len)	u32 item; const char *__##item;
#define __rel_bitmask(item, bits)		u32 item;
#define __rel_cpumask(item)			u32 item;

#define DECLARE_EVENT_CLASS(class, proto, args, tstruct, assign, print)		\
struct trace_event_data_offsets_##class {					\
	tstruct									\
};

#define DEFINE_EVENT_PRINT(class, event, proto, args, print)

#include TRACE_INCLUDE

/*
 * 3. Working that out. The fields that have a fixed place are looked at only here: their name must
 * be a name, and not "name[3]".
 */
#undef DECLARE_EVENT_CLASS

#undef __field_ext
#undef __field_struct_ext
#undef __dynamic_array
#undef __string
#undef __string_len
#undef __vstring
#undef __bitmask
#undef __cpumask
#undef __rel_dynamic_array
#undef __rel_string
#undef __rel_string_len
#undef __rel_bitmask
#undef __rel_cpumask

#define __field_ext(type, item, kind)		enum { __is_a_name_##item };
#define __field_struct_ext(type, item, kind)	enum { __is_a_name_##item };

#define __trace_event_data(item, bytes, base)					\
	{									\
		const unsigned int __bytes = (bytes);				\
										\
		__offsets->item = (__size + offsetof(typeof(*__record), __data) - (base)) | \
				  __bytes << 16;				\
		__size += __bytes;						\
	}
#define __trace_event_loc(item, bytes)		__trace_event_data(item, bytes, 0)
#define __trace_event_rel(item, bytes)						\
	__trace_event_data(item, bytes, offsetofend(typeof(*__record), __rel_loc_##item))

#define __trace_event_src(item, src, bytes, place)				\
	{									\
		const char *__src = (src);					\
										\
		__offsets->__##item = __trace_event_string(__src);		\
		place(item, bytes)						\
	}

#define __dynamic_array(type, item, len)	__trace_event_loc(item, (len) * sizeof(type))
#define __string(item, src)							\
	__trace_event_src(item, src, strlen(__offsets->__##item) + 1, __trace_event_loc)
#define __string_len(item, src, len)						\
	__trace_event_src(item, src, __trace_event_string_size(__src, len), __trace_event_loc)
#define __vstring(item, fmt, args)						\
	__trace_event_loc(item, __trace_event_format(NULL, 0, fmt, args))
#define __bitmask(item, bits)	__trace_event_loc(item, __trace_event_bitmask_size(bits))
#define __cpumask(item)		__bitmask(item, nr_cpumask_bits)
#define __rel_dynamic_array(type, item, len)	__trace_event_rel(item, (len) * sizeof(type))
#define __rel_string(item, src)							\
	__trace_event_src(item, src, strlen(__offsets->__##item) + 1, __trace_event_rel)
#define __rel_string_len(item, src, len)					\
	__trace_event_src(item, src, __trace_event_string_size(__src, len), __trace_event_rel)
#define __rel_bitmask(item, bits)	__trace_event_rel(item, __trace_event_bitmask_size(bits))
#define __rel_cpumask(item)		__rel_bitmask(item, nr_cpumask_bits)

#define DECLARE_EVENT_CLASS(class, proto, args, tstruct, assign, print)		\
static __always_inline notrace unsigned int					\
trace_event_get_offsets_##class(struct trace_event_data_offsets_##class *__offsets, proto) \
{										\
	struct trace_event_raw_##class *__record __maybe_unused;		\
	unsigned int __size = 0;						\
										\
	tstruct									\
	return __size;								\
}

#include TRACE_INCLUDE

#undef __trace_event_data
#undef __trace_event_loc
#undef __trace_event_rel
#undef __trace_event_src

/*
 * 4. The probe. TP_ARGS() is evaluated once, before the record is begun: it may name the task and
 * the weight for perf.
 */
#undef DECLARE_EVENT_CLASS
#undef DEFINE_EVENT

#undef __field_ext
#undef __field_struct_ext
#undef __dynamic_array
#undef __string
#undef __string_len
#undef __vstring
#undef __bitmask
#undef __cpumask
#undef __rel_dynamic_array
#undef __rel_string
#undef __rel_string_len
#undef __rel_bitmask
#undef __rel_cpumask

#define __field_ext(type, item, kind)
#define __field_struct_ext(type, item, kind)
#define __dynamic_array(type, item, len)	__entry->__data_loc_##item = __offsets.item;
#define __string(item, src)			__entry->__data_loc_##item = __offsets.item;
#define __string_len(item, src, len)		__entry->__data_loc_##item = __offsets.item;
#define __vstring(item, fmt, args)		__entry->__data_loc_##item = __offsets.item;
#define __bitmask(item, bits)			__entry->__data_loc_##item = __offsets.item;
#define __cpumask(item)				__entry->__data_loc_##item = __offsets.item;
#define __rel_dynamic_array(type, item, len)	__entry->__rel_loc_##item = __offsets.item;
#define __rel_string(item, src)			__entry->__rel_loc_##item = __offsets.item;
#define __rel_string_len(item, src, len)	__entry->__rel_loc_##item = __offsets.item;
#define __rel_bitmask(item, bits)		__entry->__rel_loc_##item = __offsets.item;
#define __rel_cpumask(item)			__entry->__rel_loc_##item = __offsets.item;

#undef __get_bitmask
#undef __get_cpumask
#undef __get_rel_bitmask
#undef __get_rel_cpumask
#define __get_bitmask(item)		((char *)__get_dynamic_array(item))
#define __get_cpumask(item)		((char *)__get_dynamic_array(item))
#define __get_rel_bitmask(item)		((char *)__get_rel_dynamic_array(item))
#define __get_rel_cpumask(item)		((char *)__get_rel_dynamic_array(item))

#undef __assign_str
#undef __assign_vstr
#undef __assign_bitmask
#undef __assign_cpumask
#undef __assign_sockaddr
#undef __assign_rel_str
#undef __assign_rel_bitmask
#undef __assign_rel_cpumask
#undef __assign_rel_sockaddr

#define __assign_str(item)							\
	__trace_event_copy_string(__get_str(item), __offsets.__##item,		\
				  __offsets.item >> 16)
#define __assign_vstr(item, fmt, args)						\
	__trace_event_format(__get_str(item), __offsets.item >> 16, fmt, args)
#define __assign_bitmask(item, src, bits)					\
	memcpy(__get_bitmask(item), (src), __trace_event_bitmask_size(bits))
#define __assign_cpumask(item, src)						\
	memcpy(__get_cpumask(item), (src), __trace_event_bitmask_size(nr_cpumask_bits))
#define __assign_sockaddr(item, src, len)					\
	memcpy(__get_dynamic_array(item), (src), len)
#define __assign_rel_str(item)							\
	__trace_event_copy_string(__get_rel_str(item), __offsets.__##item,	\
				  __offsets.item >> 16)
#define __assign_rel_bitmask(item, src, bits)					\
	memcpy(__get_rel_bitmask(item), (src), __trace_event_bitmask_size(bits))
#define __assign_rel_cpumask(item, src)						\
	memcpy(__get_rel_cpumask(item), (src), __trace_event_bitmask_size(nr_cpumask_bits))
#define __assign_rel_sockaddr(item, src, len)					\
	memcpy(__get_rel_dynamic_array(item), (src), len)

#define __entry			entry

#undef __perf_task
#undef __perf_count
#define __perf_task(who)	(__record.task = (who))
#define __perf_count(weight)	(__record.count = (weight))

#define DECLARE_EVENT_CLASS(class, protos, args, tstruct, assign, print)	\
static notrace void trace_event_raw_event_##class(void *__data, protos)		\
{										\
	struct trace_event_data_offsets_##class __offsets __maybe_unused;	\
	struct trace_event_raw_##class *__entry;				\
	struct trace_event_buffer __record;					\
	unsigned int __size;							\
										\
	__record.call = __data;							\
	__record.task = NULL;							\
	__record.count = 1;							\
	__record.ip = _RET_IP_;							\
	if (sizeof(__offsets) && !trace_event_buffer_wanted(__record.call))	\
		return;								\
	__size = trace_event_get_offsets_##class(&__offsets, args);		\
	__entry = trace_event_buffer_reserve(&__record, sizeof(*__entry) + __size); \
	if (!__entry)								\
		return;								\
	tstruct									\
	{ assign; }								\
	trace_event_buffer_commit(&__record);					\
}

/* A class whose parameters are not those of the event's tracepoint does not compile. */
#define DEFINE_EVENT(class, event, proto, args)					\
static inline void __trace_event_check_##event(void)				\
{										\
	check_trace_callback_type_##event(trace_event_raw_event_##class);	\
}
#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(class, event, proto, args, print)			\
	DEFINE_EVENT(class, event, PARAMS(proto), PARAMS(args))

#include TRACE_INCLUDE

#undef __perf_task
#undef __perf_count
#define __perf_task(who)	(who)
#define __perf_count(weight)	(weight)

/*
 * 5. Tables. What printers call stays text here, and their record is named REC.
 */
#undef DECLARE_EVENT_CLASS
#undef DEFINE_EVENT
#undef DEFINE_EVENT_PRINT
#undef TP_printk
#undef __entry
#undef TRACE_EVENT_FLAGS
#undef TRACE_EVENT_PERF_PERM
#undef TRACE_DEFINE_ENUM
#undef TRACE_DEFINE_SIZEOF

#undef __field_ext
#undef __field_struct_ext
#undef __array
#undef __dynamic_array
#undef __string
#undef __string_len
#undef __vstring
#undef __bitmask
#undef __cpumask
#undef __rel_dynamic_array
#undef __rel_string
#undef __rel_string_len
#undef __rel_bitmask
#undef __rel_cpumask

#define __trace_event_field(text, item, member, bytes, elements, sign, field_kind)	\
	{									\
		.type		= text,						\
		.name		= #item,					\
		.offset		= offsetof(typeof(*__record), member),		\
		.size		= bytes,					\
		.count		= elements,					\
		.is_signed	= sign,						\
		.kind		= field_kind,					\
	},

#define __field_ext(type, item, kind)						\
	__trace_event_field(#type, item, item, sizeof(type), 0, is_signed_type(type), kind)
#define __field_struct_ext(type, item, kind)					\
	__trace_event_field(#type, item, item, sizeof(type), 0, 0, kind)
#define __array(type, item, len)						\
	__trace_event_field(#type, item, item, sizeof(type[len]), len,		\
			    is_signed_type(type), FILTER_OTHER)
#define __dynamic_array(type, item, len)					\
	__trace_event_field("__data_loc " #type "[]", item, __data_loc_##item, 4, 0,	\
			    is_signed_type(type), FILTER_OTHER)
#define __string(item, src)			__dynamic_array(char, item, -1)
#define __string_len(item, src, len)		__dynamic_array(char, item, -1)
#define __vstring(item, fmt, args)		__dynamic_array(char, item, -1)
#define __bitmask(item, bits)			__dynamic_array(unsigned long, item, -1)
#define __cpumask(item)								\
	__trace_event_field("__data_loc cpumask_t", item, __data_loc_##item, 4, 0, 0,	\
			    FILTER_OTHER)
#define __rel_dynamic_array(type, item, len)					\
	__trace_event_field("__rel_loc " #type "[]", item, __rel_loc_##item, 4, 0,	\
			    is_signed_type(type), FILTER_OTHER)
#define __rel_string(item, src)			__rel_dynamic_array(char, item, -1)
#define __rel_string_len(item, src, len)	__rel_dynamic_array(char, item, -1)
#define __rel_bitmask(item, bits)		__rel_dynamic_array(unsigned long, item, -1)
#define __rel_cpumask(item)							\
	__trace_event_field("__rel_loc cpumask_t", item, __rel_loc_##item, 4, 0, 0,	\
			    FILTER_OTHER)

#undef __get_dynamic_array
#undef __get_dynamic_array_len
#undef __get_str
#undef __get_sockaddr
#undef __get_rel_dynamic_array
#undef __get_rel_dynamic_array_len
#undef __get_rel_str
#undef __get_rel_sockaddr
#undef __get_bitmask
#undef __get_cpumask
#undef __get_rel_bitmask
#undef __get_rel_cpumask
#undef __get_buf
#undef __print_flags
#undef __print_symbolic
#undef __print_hex
#undef __print_hex_str
#undef __print_array
#undef __print_dynamic_array
#undef __print_hex_dump
#undef __print_ns_to_secs
#undef __print_ns_without_secs
#define __print_ns_to_secs(value)	(value) / 1000000000UL
#define __print_ns_without_secs(value)	(value) % 1000000000UL

#define __entry			REC
#define TP_printk(fmt, args...)	"\"" fmt "\", " __stringify(args)

#define __TRACE_EVENT_PRINT(name, print)					\
static const char print_fmt_##name[] = print;					\
static struct trace_event_functions trace_event_type_funcs_##name = {		\
	.trace	= trace_raw_output_##name,					\
};

#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
__TRACE_EVENT_PRINT(name, print)						\
static const struct trace_event_field *trace_event_fields_##name(void)		\
{										\
	struct trace_event_raw_##name *__record __maybe_unused;			\
	static const struct trace_event_field __fields[] = { tstruct {} };	\
										\
	return __fields;							\
}										\
static const struct trace_event_class event_class_##name __used = {		\
	.system	= __trace_system_name,						\
	.probe	= trace_event_raw_event_##name,					\
	.fields	= trace_event_fields_##name,					\
};

#define __TRACE_EVENT_CALL(event_class, name, printer)				\
static struct trace_event_call event_##name = {					\
	.class		= &event_class_##event_class,				\
	{									\
		.tp	= &__tracepoint_##name,					\
	},									\
	.event.funcs	= &trace_event_type_funcs_##printer,			\
	.print_fmt	= print_fmt_##printer,					\
	.flags		= TRACE_EVENT_FL_TRACEPOINT,				\
};										\
static struct trace_event_call *__event_##name __used				\
	__section("_ftrace_events") = &event_##name;

#define DEFINE_EVENT(class, event, proto, args)					\
	__TRACE_EVENT_CALL(class, event, class)
#define DEFINE_EVENT_PRINT(class, event, proto, args, print)			\
	__TRACE_EVENT_PRINT(event, print)					\
	__TRACE_EVENT_CALL(class, event, event)

/* Of the kernel only: before any user's program runs */
#define TRACE_EVENT_FLAGS(event, value)						\
static int __init __trace_event_flags_##event(void)				\
{										\
	event_##event.flags |= (value);						\
	return 0;								\
}										\
early_initcall(__trace_event_flags_##event);

#ifdef CONFIG_PERF_EVENTS
#define TRACE_EVENT_PERF_PERM(event, expr...)					\
static int __trace_event_may_##event(struct trace_event_call *tp_event,		\
				     struct perf_event *p_event)		\
{										\
	return ({ expr; });							\
}										\
static int __init __trace_event_perm_##event(void)				\
{										\
	event_##event.perf_perm = __trace_event_may_##event;			\
	return 0;								\
}										\
early_initcall(__trace_event_perm_##event);
#else
#define TRACE_EVENT_PERF_PERM(event, expr...)
#endif

#define __TRACE_EVENT_EVAL(id, text, number)					\
static struct trace_eval_map id = {						\
	.system		= __trace_system_name,					\
	.eval_string	= text,							\
	.eval_value	= number,						\
};										\
static struct trace_eval_map *CONCATENATE(id, _p) __used			\
	__section("_ftrace_eval_map") = &id;

#define TRACE_DEFINE_ENUM(name)							\
	__TRACE_EVENT_EVAL(__UNIQUE_ID(trace_eval), #name, name)
#define TRACE_DEFINE_SIZEOF(type)						\
	__TRACE_EVENT_EVAL(__UNIQUE_ID(trace_eval), "sizeof(" #type ")", sizeof(type))

#include TRACE_INCLUDE

#undef __TRACE_EVENT_PRINT
#undef __TRACE_EVENT_PRINTER
#undef __TRACE_EVENT_CALL
#undef __TRACE_EVENT_EVAL
#undef __trace_event_field
#undef __trace_system_name
#undef __entry

/* What headers and their users may still see */
#undef TRACE_EVENT_FLAGS
#undef TRACE_EVENT_PERF_PERM
#undef TRACE_DEFINE_ENUM
#undef TRACE_DEFINE_SIZEOF
#define TRACE_EVENT_FLAGS(event, flag)
#define TRACE_EVENT_PERF_PERM(event, expr...)
#define TRACE_DEFINE_ENUM(name)
#define TRACE_DEFINE_SIZEOF(type)
