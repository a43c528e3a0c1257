/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events with numbers, flags, arrays and masks, and the helpers of TP_printk() for these. Their
 * values do not depend on the machine: event_prints_test.c records them, and guest/tests/oracle
 * compares their text.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM event_prints

#if !defined(_EVENT_PRINTS_TEST_H) || defined(TRACE_HEADER_MULTI_READ)
#define _EVENT_PRINTS_TEST_H

#include <linux/tracepoint.h>

#ifndef _EVENT_PRINTS_TEST_ONCE
#define _EVENT_PRINTS_TEST_ONCE

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/printk.h>
#include <linux/string.h>

enum prints_number {
	PRINTS_ONE = 1,
	PRINTS_EIGHT = 8,
};

struct prints_pair {
	u32	first;
	u16	second;
	u16	third;
};

#endif /* _EVENT_PRINTS_TEST_ONCE */

TRACE_DEFINE_ENUM(PRINTS_ONE);
TRACE_DEFINE_ENUM(PRINTS_EIGHT);
TRACE_DEFINE_SIZEOF(u64);

TRACE_EVENT(prints_flags,

	TP_PROTO(unsigned long flags, u64 wide),

	TP_ARGS(flags, wide),

	TP_STRUCT__entry(
		__field(unsigned long, flags)
		__field(u64, wide)
	),

	TP_fast_assign(
		__entry->flags = flags;
		__entry->wide = wide;
	),

	TP_printk("[%s] [%s] [%s] [%s] [%s]",
		  __print_flags(__entry->flags, "|", { 3, "BOTH" }, { PRINTS_ONE, "ONE" },
				{ 2, "TWO" }, { PRINTS_EIGHT, "EIGHT" }),
		  __print_flags(__entry->flags, "", { PRINTS_ONE, "a" }, { 2, "b" }),
		  __print_flags_u64(__entry->wide, ", ", { BIT_ULL(40), "BIT40" },
				    { BIT_ULL(63), "BIT63" }, { 1, "BIT0" }),
		  __print_symbolic(__entry->flags, { 0, "zero" }, { PRINTS_ONE, "one" }, { 2, "" },
				   { PRINTS_EIGHT, "eight" }, { PRINTS_ONE, "again" }),
		  __print_symbolic_u64(__entry->wide, { BIT_ULL(40), "bit40" },
				       { BIT_ULL(63), "bit63" }))
);

TRACE_EVENT(prints_time,

	TP_PROTO(u64 ns),

	TP_ARGS(ns),

	TP_STRUCT__entry(
		__field(u64, ns)
	),

	TP_fast_assign(
		__entry->ns = ns;
	),

	TP_printk("%llu.%09u", __print_ns_to_secs(__entry->ns),
		  __print_ns_without_secs(__entry->ns))
);

DECLARE_EVENT_CLASS(prints_bytes_class,

	TP_PROTO(const u8 *bytes, unsigned int len),

	TP_ARGS(bytes, len),

	TP_STRUCT__entry(
		__dynamic_array(u8, bytes, len)
	),

	TP_fast_assign(
		memcpy(__get_dynamic_array(bytes), bytes, len);
	),

	TP_printk("[%s] [%s] [%s]%s%s",
		  __print_hex(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)),
		  __print_hex_str(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)),
		  __print_array(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes), 1),
		  __print_hex_dump("", DUMP_PREFIX_NONE, 16, 1, __get_dynamic_array(bytes),
				   __get_dynamic_array_len(bytes), true),
		  __print_hex_dump("at ", DUMP_PREFIX_OFFSET, 32, 4, __get_dynamic_array(bytes),
				   __get_dynamic_array_len(bytes), false))
);

DEFINE_EVENT(prints_bytes_class, prints_bytes,
	     TP_PROTO(const u8 *bytes, unsigned int len), TP_ARGS(bytes, len));

/* Conversions that read as many bytes as an argument says */
DEFINE_EVENT_PRINT(prints_bytes_class, prints_counted,
	     TP_PROTO(const u8 *bytes, unsigned int len), TP_ARGS(bytes, len),
	TP_printk("[%*ph] [%*phC] [%*phN]", __get_dynamic_array_len(bytes),
		  __get_dynamic_array(bytes), __get_dynamic_array_len(bytes),
		  __get_dynamic_array(bytes), __get_dynamic_array_len(bytes),
		  __get_dynamic_array(bytes))
);

/* A text of which a line of the trace has no more than a part */
TRACE_EVENT(prints_long,

	TP_PROTO(unsigned int len),

	TP_ARGS(len),

	TP_STRUCT__entry(
		__dynamic_array(u8, bytes, len)
	),

	TP_fast_assign(
		memset(__get_dynamic_array(bytes), 0xab, len);
	),

	TP_printk("%s", __print_hex(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)))
);

TRACE_EVENT(prints_arrays,

	TP_PROTO(unsigned int nr),

	TP_ARGS(nr),

	TP_STRUCT__entry(
		__array(s8, bytes, 3)
		__array(u16, halves, 2)
		__array(int, words, 3)
		__array(u64, longs, 2)
		__dynamic_array(u16, some_halves, nr)
		__dynamic_array(int, some_words, nr)
		__dynamic_array(u64, some_longs, nr)
		__rel_dynamic_array(int, rel_words, nr)
	),

	TP_fast_assign(
		unsigned int i;

		for (i = 0; i < 3; i++) {
			__entry->bytes[i] = 1 - (int)i;
			__entry->words[i] = 1 - (int)i;
		}
		for (i = 0; i < 2; i++) {
			__entry->halves[i] = 0xfffe + i;
			__entry->longs[i] = BIT_ULL(63) + i;
		}
		for (i = 0; i < nr; i++) {
			((u16 *)__get_dynamic_array(some_halves))[i] = 0xfffe + i;
			((int *)__get_dynamic_array(some_words))[i] = i - 1;
			((u64 *)__get_dynamic_array(some_longs))[i] = BIT_ULL(40) + i;
			((int *)__get_rel_dynamic_array(rel_words))[i] = i - 1;
		}
	),

	TP_printk("%s %s %s %s %zu %s %s %s %s",
		  __print_array(__entry->bytes, 3, 1), __print_array(__entry->halves, 2, 2),
		  __print_array(__entry->words, 3, 4), __print_array(__entry->longs, 2, 8),
		  sizeof(u64),
		  __print_dynamic_array(some_halves, 2), __print_dynamic_array(some_words, 4),
		  __print_dynamic_array(some_longs, 8),
		  __print_array(__get_rel_dynamic_array(rel_words),
				__get_rel_dynamic_array_len(rel_words) / 4, 4))
);

TRACE_EVENT(prints_masks,

	TP_PROTO(const unsigned long *bits, const struct cpumask *cpus),

	TP_ARGS(bits, cpus),

	TP_STRUCT__entry(
		__bitmask(one, 1)
		__bitmask(some, 20)
		__bitmask(many, 70)
		__cpumask(cpus)
		__rel_bitmask(rel_many, 70)
		__rel_cpumask(rel_cpus)
	),

	TP_fast_assign(
		__assign_bitmask(one, bits, 1);
		__assign_bitmask(some, bits, 20);
		__assign_bitmask(many, bits, 70);
		__assign_cpumask(cpus, cpumask_bits(cpus));
		__assign_rel_bitmask(rel_many, bits, 70);
		__assign_rel_cpumask(rel_cpus, cpumask_bits(cpus));
	),

	TP_printk("[%s] [%s] [%s] [%s] [%s] [%s] [%*pbl] [%*pb]",
		  __get_bitmask(one), __get_bitmask(some), __get_bitmask(many),
		  __get_cpumask(cpus), __get_rel_bitmask(rel_many), __get_rel_cpumask(rel_cpus),
		  __get_dynamic_array_len(many) * 8, __get_dynamic_array(many), 20,
		  __get_dynamic_array(some))
);

TRACE_EVENT(prints_numbers,

	TP_PROTO(s64 number),

	TP_ARGS(number),

	TP_STRUCT__entry(
		__field(bool, truth)
		__field(char, character)
		__field(s8, signed8)
		__field(u8, unsigned8)
		__field(s16, signed16)
		__field(u16, unsigned16)
		__field(s32, signed32)
		__field(u32, unsigned32)
		__field(s64, signed64)
		__field(u64, unsigned64)
		__field(enum prints_number, choice)
		__field(void *, address)
		__field_struct(struct prints_pair, pair)
	),

	TP_fast_assign(
		__entry->truth = number;
		__entry->character = number;
		__entry->signed8 = number;
		__entry->unsigned8 = number;
		__entry->signed16 = number;
		__entry->unsigned16 = number;
		__entry->signed32 = number;
		__entry->unsigned32 = number;
		__entry->signed64 = number;
		__entry->unsigned64 = number;
		__entry->choice = number & PRINTS_EIGHT;
		__entry->address = (void *)(long)number;
		__entry->pair.first = number;
		__entry->pair.second = 2;
		__entry->pair.third = 3;
	),

	TP_printk("%d %c %d %u %d %u %d %u %lld %llu %s 100%%", __entry->truth,
		  ' ' + (__entry->character & 31), __entry->signed8, __entry->unsigned8,
		  __entry->signed16, __entry->unsigned16, __entry->signed32, __entry->unsigned32,
		  __entry->signed64, __entry->unsigned64,
		  __print_symbolic(__entry->choice, { PRINTS_EIGHT, "eight" }))
);

#endif /* _EVENT_PRINTS_TEST_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE event_prints_test
#include <trace/define_trace.h>
