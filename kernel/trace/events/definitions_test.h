/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for definitions_test.c: one with each kind of fields of a fixed size, two with each kind
 * of data in the variable part of the record, one with each helper of TP_printk(), one with numbers
 * of 16 bits, and a class of three.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM definitions_test

#if !defined(_DEFINITIONS_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _DEFINITIONS_TEST_H

#include <linux/tracepoint.h>

#ifndef _DEFINITIONS_TEST_ONCE
#define _DEFINITIONS_TEST_ONCE

#include <linux/cpumask.h>
#include <linux/printk.h>
#include <linux/socket.h>
#include <linux/stdarg.h>

#define DEFINITIONS_TEXT	8
#define DEFINITIONS_BITS	70

enum definitions_number {
	DEFINITIONS_NONE,
	DEFINITIONS_TWO = 2,
};

struct definitions_pair {
	u64	first;
	u8	second;
};

/* Arguments of the events with data after their record. */
struct definitions_data {
	const u16		*numbers;
	unsigned int		nr;
	const char		*text;
	unsigned int		part;	/* characters of @text */
	const unsigned long	*bits;	/* DEFINITIONS_BITS */
	const struct cpumask	*cpus;
	const struct sockaddr	*address;
	unsigned int		address_size;
};

#endif /* _DEFINITIONS_TEST_ONCE */

TRACE_DEFINE_ENUM(DEFINITIONS_TWO);

TRACE_EVENT(definitions_fixed,

	TP_PROTO(u8 byte, s64 number, const char *text, const struct definitions_pair *pair),

	TP_ARGS(byte, number, text, pair),

	TP_STRUCT__entry(
		__field(u8, byte)
		__field(s64, number)
		__field(short, small)
		__field(bool, truth)
		__field_ext(unsigned long, function, FILTER_TRACE_FN)
		__field_struct(struct definitions_pair, pair)
		__array(char, text, DEFINITIONS_TEXT)
		__array(int, list, 1 + DEFINITIONS_TWO)
		__field(enum definitions_number, choice)
		__field(const char *, pointer)
		__field(void __user *, user)
		__field_struct_ext(struct definitions_pair, last, FILTER_OTHER)
	),

	TP_fast_assign(
		int i;

		__entry->byte = byte;
		__entry->number = number;
		__entry->small = -1;
		__entry->truth = number < 0;
		__entry->function = (unsigned long)printk_get_level;
		__entry->pair = *pair;
		strscpy(__entry->text, text, DEFINITIONS_TEXT);
		for (i = 0; i < 1 + DEFINITIONS_TWO; i++)
			__entry->list[i] = i - 1;
		__entry->choice = DEFINITIONS_TWO;
		__entry->pointer = "constant";
		__entry->user = NULL;
		__entry->last = *pair;
	),

	TP_printk("%u %lld %hd %d %s %d %s", __entry->byte, __entry->number, __entry->small,
		  __entry->truth, __entry->text, __entry->list[DEFINITIONS_TWO],
		  __entry->pointer)
);

TRACE_EVENT(definitions_data,

	TP_PROTO(const struct definitions_data *data, const char *fmt, va_list *args),

	TP_ARGS(data, fmt, args),

	TP_STRUCT__entry(
		__dynamic_array(u16, numbers, data->nr)
		__string(text, data->text)
		__string_len(part, data->text, data->part)
		__vstring(formatted, fmt, args)
		__bitmask(bits, DEFINITIONS_BITS)
		__cpumask(cpus)
		__sockaddr(address, data->address_size)
		__field(int, last)
	),

	TP_fast_assign(
		memcpy(__get_dynamic_array(numbers), data->numbers, data->nr * sizeof(u16));
		__assign_str(text);
		__assign_str(part);
		__assign_vstr(formatted, fmt, args);
		__assign_bitmask(bits, data->bits, DEFINITIONS_BITS);
		__assign_cpumask(cpus, cpumask_bits(data->cpus));
		__assign_sockaddr(address, data->address, data->address_size);
		__entry->last = -2;
	),

	TP_printk("%s %s %s %s %s %s %s %d", __print_dynamic_array(numbers, sizeof(u16)),
		  __get_str(text), __get_str(part), __get_str(formatted), __get_bitmask(bits),
		  __get_cpumask(cpus),
		  __print_hex((u8 *)__get_sockaddr(address),
			      __get_dynamic_array_len(address)),
		  __entry->last)
);

TRACE_EVENT(definitions_relative,

	TP_PROTO(const struct definitions_data *data),

	TP_ARGS(data),

	TP_STRUCT__entry(
		__rel_dynamic_array(u16, numbers, data->nr)
		__rel_string(text, data->text)
		__rel_string_len(part, data->text, data->part)
		__rel_bitmask(bits, DEFINITIONS_BITS)
		__rel_cpumask(cpus)
		__rel_sockaddr(address, data->address_size)
		__field(int, last)
	),

	TP_fast_assign(
		memcpy(__get_rel_dynamic_array(numbers), data->numbers, data->nr * sizeof(u16));
		__assign_rel_str(text);
		__assign_rel_str(part);
		__assign_rel_bitmask(bits, data->bits, DEFINITIONS_BITS);
		__assign_rel_cpumask(cpus, cpumask_bits(data->cpus));
		__assign_rel_sockaddr(address, data->address, data->address_size);
		__entry->last = -2;
	),

	TP_printk("%s %s %s %s %s %s %d",
		  __print_array(__get_rel_dynamic_array(numbers),
				__get_rel_dynamic_array_len(numbers) / sizeof(u16), sizeof(u16)),
		  __get_rel_str(text), __get_rel_str(part), __get_rel_bitmask(bits),
		  __get_rel_cpumask(cpus),
		  __print_hex((u8 *)__get_rel_sockaddr(address),
			      __get_rel_dynamic_array_len(address)),
		  __entry->last)
);

TRACE_EVENT(definitions_helpers,

	TP_PROTO(unsigned long flags, u64 wide, u64 ns),

	TP_ARGS(flags, wide, ns),

	TP_STRUCT__entry(
		__field(unsigned long, flags)
		__field(u64, wide)
		__field(u64, ns)
		__array(u8, bytes, 4)
	),

	TP_fast_assign(
		__entry->flags = flags;
		__entry->wide = wide;
		__entry->ns = ns;
		memcpy(__entry->bytes, "\001\012ab", 4);
	),

	TP_printk("%s %s %s %s %s %s %s %llu.%09u%s",
		  __print_flags(__entry->flags, "|", { 1, "ONE" }, { DEFINITIONS_TWO, "TWO" }),
		  __print_flags_u64(__entry->wide, "+", { BIT_ULL(40), "HIGH" }),
		  __print_symbolic(__entry->flags, { 0, "none" }, { DEFINITIONS_TWO, "two" }),
		  __print_symbolic_u64(__entry->wide, { BIT_ULL(40), "high" }),
		  __print_hex(__entry->bytes, 3), __print_hex_str(__entry->bytes, 3),
		  __print_array(__entry->bytes, 4, 1),
		  __print_ns_to_secs(__entry->ns), __print_ns_without_secs(__entry->ns),
		  __print_hex_dump("at ", DUMP_PREFIX_OFFSET, 16, 1, __entry->bytes, 4, true))
);

/* The length of what is printed is a field of its own. */
TRACE_EVENT(definitions_length,

	TP_PROTO(int length),

	TP_ARGS(length),

	TP_STRUCT__entry(
		__field(int, length)
		__dynamic_array(u16, numbers, 4)
	),

	TP_fast_assign(
		__entry->length = length;
		memcpy(__get_dynamic_array(numbers), "\001\000\002\000\003\000\004\000", 8);
	),

	TP_printk("%s %s %s%s",
		  __print_hex(__get_dynamic_array(numbers), __entry->length),
		  __print_hex_str(__get_dynamic_array(numbers), __entry->length),
		  __print_array(__get_dynamic_array(numbers), __entry->length, 2),
		  __print_hex_dump("at ", DUMP_PREFIX_NONE, 16, 1, __get_dynamic_array(numbers),
				   __entry->length, false))
);

TRACE_EVENT(definitions_half,

	TP_PROTO(u16 number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(s16, is_signed)
		__field(u16, is_unsigned)
	),

	TP_fast_assign(
		__entry->is_signed = number;
		__entry->is_unsigned = number;
	),

	TP_printk("%d %u", __entry->is_signed, __entry->is_unsigned)
);

DECLARE_EVENT_CLASS(definitions_class,

	TP_PROTO(int number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(int, number)
	),

	TP_fast_assign(
		__entry->number = number;
	),

	TP_printk("number %d", __entry->number)
);

DEFINE_EVENT(definitions_class, definitions_plain,
	     TP_PROTO(int number), TP_ARGS(number));

DEFINE_EVENT_CONDITION(definitions_class, definitions_odd,
		       TP_PROTO(int number), TP_ARGS(number), TP_CONDITION(number & 1));

DEFINE_EVENT_PRINT(definitions_class, definitions_other,
		   TP_PROTO(int number), TP_ARGS(number),
		   TP_printk("other\t%d 100%%", __entry->number));

#endif /* _DEFINITIONS_TEST_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE definitions_test
#include <trace/define_trace.h>
