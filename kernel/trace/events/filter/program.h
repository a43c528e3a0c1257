/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program of a filter. It has a step for each comparison; the result of the comparison selects
 * the next step. "!", "&&", "||" and parentheses become jumps.
 *
 *	a == 1 && !(b < 2 || comm == "sh")
 *
 *	0: a in [1, 1]		true: 1		false: 4
 *	1: b in [min, 1]	true: 4		false: 2
 *	2: comm is "sh"		true: 4		false: 3
 *	3: accept
 *	4: reject
 *
 * All jumps lead forward.
 *
 * Numbers are compared with a range, modulo 2 to the number of their bits. So one subtraction and
 * one comparison serve all operators, and signed numbers as well as unsigned ones.
 */
#ifndef _TRACE_EVENTS_FILTER_PROGRAM_H
#define _TRACE_EVENTS_FILTER_PROGRAM_H

#include <linux/stddef.h>
#include <linux/types.h>

/**
 * enum trace_filter_test - the test of a step
 * @FILTER_TEST_ACCEPT: nothing: the record is wanted
 * @FILTER_TEST_REJECT: nothing: the record is not wanted
 * @FILTER_TEST_NEVER: nothing: false
 * @FILTER_TEST_PID: is the task's pid in the range?
 * @FILTER_TEST_THIS_CPU: is the number of this CPU in the range?
 * @FILTER_TEST_THIS_CPU_BITS: has the number of this CPU one of these bits?
 * @FILTER_TEST_THIS_CPU_IN: is this CPU in the mask?
 * @FILTER_TEST_THIS_COMM: does the task's name match?
 * @FILTER_TEST_NUMBER_1: is a field of 1 byte in the range?
 * @FILTER_TEST_NUMBER_2: is a field of 2 bytes in the range?
 * @FILTER_TEST_NUMBER_4: is a field of 4 bytes in the range?
 * @FILTER_TEST_NUMBER_8: is a field of 8 bytes in the range?
 * @FILTER_TEST_BITS: has a field one of these bits?
 * @FILTER_TEST_CPU_IN: is the CPU whose number a field has in the mask?
 * @FILTER_TEST_CPUS_EQUAL: is a field with a mask equal to the mask?
 * @FILTER_TEST_CPUS_DIFFER: do the field and the mask differ?
 * @FILTER_TEST_CPUS_MEET: have the two masks a CPU in common?
 * @FILTER_TEST_STRING: does an array of characters match?
 * @FILTER_TEST_STRING_DATA: does a string in the variable part match? The field is a __data_loc
 * @FILTER_TEST_STRING_REL: does a string in the variable part match? The field is a __rel_loc
 * @FILTER_TEST_STRING_KERNEL: does the string at an address of the kernel match?
 * @FILTER_TEST_STRING_USER: does the string at an address of the process match?
 *
 * The tests up to FILTER_TEST_THIS_COMM do not need the record.
 */
enum trace_filter_test {
	FILTER_TEST_ACCEPT,
	FILTER_TEST_REJECT,
	FILTER_TEST_NEVER,
	FILTER_TEST_PID,
	FILTER_TEST_THIS_CPU,
	FILTER_TEST_THIS_CPU_BITS,
	FILTER_TEST_THIS_CPU_IN,
	FILTER_TEST_THIS_COMM,
	FILTER_TEST_NUMBER_1,
	FILTER_TEST_NUMBER_2,
	FILTER_TEST_NUMBER_4,
	FILTER_TEST_NUMBER_8,
	FILTER_TEST_BITS,
	FILTER_TEST_CPU_IN,
	FILTER_TEST_CPUS_EQUAL,
	FILTER_TEST_CPUS_DIFFER,
	FILTER_TEST_CPUS_MEET,
	FILTER_TEST_STRING,
	FILTER_TEST_STRING_DATA,
	FILTER_TEST_STRING_REL,
	FILTER_TEST_STRING_KERNEL,
	FILTER_TEST_STRING_USER,
};

/* Which part of a string has to be equal to the pattern */
enum trace_filter_match {
	FILTER_MATCH_ALL,
	FILTER_MATCH_BEGIN,
	FILTER_MATCH_END,
	FILTER_MATCH_PART,
	FILTER_MATCH_GLOB,	/* the pattern is one of lib/glob.c */
};

/**
 * struct trace_filter_step - one comparison
 * @next: for the results false and true: distance to the next step, in units of FILTER_UNIT bytes
 * @test: enum trace_filter_test
 * @size: bytes of a number
 * @offset: offset of the field in the record, in bytes
 * @from: the lowest number of the range
 * @span: the highest number of the range, minus @from
 * @bits: the bits
 * @data: the mask of CPUs; or the pattern, which ends with a NUL
 * @room: size of an array of characters
 * @len: number of characters of the pattern
 * @match: enum trace_filter_match
 * @differs: the result is true if the string does not match. A string that cannot be read makes
 *	false of both
 *
 * The last two steps of a program, FILTER_TEST_ACCEPT and FILTER_TEST_REJECT, are cut off after
 * @offset.
 */
struct trace_filter_step {
	u16	next[2];
	u8	test;
	u8	size;
	u16	offset;
	union {
		struct {
			u64		from;
			u64		span;
		};
		u64			bits;
		struct {
			const void	*data;
			u32		room;
			u16		len;
			u8		match;
			bool		differs;
		};
	};
};

#define FILTER_UNIT		8
#define FILTER_STEP_HEAD	offsetof(struct trace_filter_step, from)

static_assert(FILTER_STEP_HEAD % FILTER_UNIT == 0);
static_assert(sizeof(struct trace_filter_step) % FILTER_UNIT == 0);

static inline bool trace_filter_test_is_early(enum trace_filter_test test)
{
	return test <= FILTER_TEST_THIS_COMM;
}

#endif /* _TRACE_EVENTS_FILTER_PROGRAM_H */
