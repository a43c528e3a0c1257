/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The first reading: the record of a class, and its printer.
 */
#include <trace/readings/undef.h>

#undef __field_ext
#undef __field_struct_ext
#undef __array
#define __field_ext(type, item, kind)		type item;
#define __field_struct_ext(type, item, kind)	type item;
#define __array(type, item, len)		type item[len];
#define __loc(where, type, item, bytes)		u32 __##where##_loc_##item;
#define __loc_string(where, item, src, bytes)	u32 __##where##_loc_##item;
#define __loc_cpumask(where, item)		u32 __##where##_loc_##item;

#include <trace/readings/get.h>

#define __get_bitmask(item)								\
	trace_print_bitmask_seq(iter, __get_dynamic_array(item),			\
				__get_dynamic_array_len(item))
#define __get_cpumask(item)		__get_bitmask(item)
#define __get_rel_bitmask(item)								\
	trace_print_bitmask_seq(iter, __get_rel_dynamic_array(item),			\
				__get_rel_dynamic_array_len(item))
#define __get_rel_cpumask(item)		__get_rel_bitmask(item)
#define __get_buf(len)			trace_seq_acquire(p, (len))

#define __print_flags(flags, delim, rows...)						\
	({										\
		static const struct trace_print_flags __rows[] = {			\
			rows, { -1, NULL }						\
		};									\
		trace_print_flags_seq(p, delim, flags, __rows);				\
	})
#define __print_symbolic(value, rows...)						\
	({										\
		static const struct trace_print_flags __rows[] = {			\
			rows, { -1, NULL }						\
		};									\
		trace_print_symbols_seq(p, value, __rows);				\
	})
#if BITS_PER_LONG == 32
#define __print_flags_u64(flags, delim, rows...)					\
	({										\
		static const struct trace_print_flags_u64 __rows[] = {			\
			rows, { -1, NULL }						\
		};									\
		trace_print_flags_seq_u64(p, delim, flags, __rows);			\
	})
#define __print_symbolic_u64(value, rows...)						\
	({										\
		static const struct trace_print_flags_u64 __rows[] = {			\
			rows, { -1, NULL }						\
		};									\
		trace_print_symbols_seq_u64(p, value, __rows);				\
	})
#else
#define __print_flags_u64(flags, delim, rows...)	__print_flags(flags, delim, rows)
#define __print_symbolic_u64(value, rows...)		__print_symbolic(value, rows)
#endif

#define __print_hex(buf, len)								\
	trace_print_hex_seq(p, buf, trace_entry_part(iter, buf, len), false)
#define __print_hex_str(buf, len)							\
	trace_print_hex_seq(p, buf, trace_entry_part(iter, buf, len), true)
#define __print_array(buf, count, size)							\
	({										\
		BUILD_BUG_ON((size) != 1 && (size) != 2 && (size) != 4 && (size) != 8);	\
		trace_print_array_seq(p, buf,						\
				      trace_entry_part(iter, buf, (count) * (size)) / (size), \
				      size);						\
	})
#define __print_dynamic_array(item, size)						\
	__print_array(__get_dynamic_array(item), __get_dynamic_array_len(item) / (size), size)
#define __print_hex_dump(prefix, type, row, group, buf, len, ascii)			\
	trace_print_hex_dump_seq(p, prefix, type, row, group, buf,			\
				 trace_entry_part(iter, buf, len), ascii)
#define __print_ns_to_secs(value)	div_u64((u64)(value), NSEC_PER_SEC)
#define __print_ns_without_secs(value)							\
	({										\
		u32 __rest;								\
		div_u64_rem((u64)(value), NSEC_PER_SEC, &__rest);			\
		__rest;									\
	})

#define TP_printk(fmt, args...)	fmt "\n", args

#undef __TRACE_EVENT_PRINT
#define __TRACE_EVENT_PRINT(id, raw, print)						\
static notrace enum print_line_t							\
trace_raw_output_##id(struct trace_iterator *iter, int flags, struct trace_event *event) \
{											\
	struct raw *__entry __maybe_unused = (void *)iter->ent;				\
	struct trace_seq *p __maybe_unused = &iter->tmp_seq;				\
											\
	if (trace_raw_output_prep(iter, event, sizeof(*__entry)))			\
		trace_event_printf(iter, print);					\
	return trace_handle_return(&iter->seq);						\
}

#define __TRACE_EVENT_CLASS(id, raw, class_ops, proto, args, tstruct, assign, print)	\
struct raw {										\
	struct trace_entry ent;								\
	tstruct										\
	char __data[];									\
};											\
__TRACE_EVENT_PRINT(id, raw, PARAMS(print))
