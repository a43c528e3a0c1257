// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of text.h: numbers and columns are as snprintf() writes them, and text that does not
 * fit leaves nothing behind; of durations and their marks; and of the parts of a recorded call.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "graph.h"
#include "output.h"
#include "text.h"

static const u64 numbers[] = {
	0, 1, 9, 10, 15, 16, 99, 100, 255, 4095, 999999, 1000000, 0x12345678,
	U32_MAX, 1ULL << 32, 0x123456789abcdef0ULL, U64_MAX,
};

/* Compare the text between @buf and @end with the string @expected. */
static void expect_text(struct kunit *test, char *buf, char *end, const char *expected)
{
	*end = '\0';
	KUNIT_EXPECT_STREQ(test, (const char *)buf, expected);
}

static void text_numbers(struct kunit *test)
{
	char buf[64], expected[64];
	int i, width;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (width = 0; width < 24; width++) {
			u64 num = numbers[i];

			snprintf(expected, sizeof(expected), "%*llu", width, num);
			expect_text(test, buf, text_decimal(buf, num, width, ' '), expected);
			snprintf(expected, sizeof(expected), "%0*llu", width, num);
			expect_text(test, buf, text_decimal(buf, num, width, '0'), expected);
			snprintf(expected, sizeof(expected), "%-*llu", width, num);
			expect_text(test, buf, text_decimal_left(buf, num, width), expected);
			snprintf(expected, sizeof(expected), "%0*llx", width, num);
			expect_text(test, buf, text_hex(buf, num, width), expected);
		}
	}
}

static void text_pieces(struct kunit *test)
{
	char buf[32];

	expect_text(test, buf, text_fill(buf, '-', 3), "---");
	expect_text(test, buf, text_fill(buf, '-', 0), "");
	expect_text(test, buf, text_fill(buf, '-', -2), "");
	expect_text(test, buf, text_bytes(buf, "abcdef", 4), "abcd");
}

static void text_room(struct kunit *test)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	char *p;

	KUNIT_ASSERT_NOT_NULL(test, s);
	trace_seq_init(s);

	p = text_start(s, TRACE_SEQ_BUFFER_SIZE);
	KUNIT_ASSERT_PTR_EQ(test, p, &s->buffer[0]);
	text_finish(s, text_fill(p, 'x', TRACE_SEQ_BUFFER_SIZE - 2));
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), (int)TRACE_SEQ_BUFFER_SIZE - 2);
	KUNIT_EXPECT_FALSE(test, trace_seq_has_overflowed(s));

	KUNIT_EXPECT_NULL(test, text_start(s, 3));
	KUNIT_EXPECT_TRUE(test, trace_seq_has_overflowed(s));
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), (int)TRACE_SEQ_BUFFER_SIZE - 2);
	/* After text that was left out, nothing may follow. */
	KUNIT_EXPECT_NULL(test, text_start(s, 1));
}

/* Durations have the width of the column if the digits fit; they are cut, not rounded. */
static const struct {
	u64		ns;
	const char	*text;
} durations[] = {
	{ 0,			"0.000 us    " },
	{ 999,			"0.999 us    " },
	{ 3376,			"3.376 us    " },
	{ 95520,		"95.520 us   " },
	{ 999999,		"999.999 us  " },
	{ 6151696,		"6151.696 us " },
	{ 45925429,		"45925.42 us " },
	{ 209763999,		"209763.9 us " },
	{ 1213213999,		"1213213 us  " },
	{ 11119975999,		"11119975 us " },
	{ 1885796462000,	"1885796462 us " },
	{ U64_MAX,		"18446744073709551 us " },
};

static void text_durations(struct kunit *test)
{
	char buf[TEXT_DURATION_MAX + 1];
	int i;

	for (i = 0; i < ARRAY_SIZE(durations); i++)
		expect_text(test, buf, text_duration(buf, durations[i].ns), durations[i].text);
}

/* A duration that is equal to a limit does not get its mark. */
static void text_delay_marks(struct kunit *test)
{
	static const struct {
		u64	ns;
		char	until, behind;
	} limits[] = {
		{ 10 * NSEC_PER_USEC,	' ', '+' },
		{ 100 * NSEC_PER_USEC,	'+', '!' },
		{ NSEC_PER_MSEC,	'!', '#' },
		{ 10 * NSEC_PER_MSEC,	'#', '*' },
		{ 100 * NSEC_PER_MSEC,	'*', '@' },
		{ NSEC_PER_SEC,		'@', '$' },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		KUNIT_EXPECT_EQ(test, trace_delay_mark(limits[i].ns), limits[i].until);
		KUNIT_EXPECT_EQ(test, trace_delay_mark(limits[i].ns + 1), limits[i].behind);
	}
	KUNIT_EXPECT_EQ(test, trace_delay_mark(0), ' ');
	KUNIT_EXPECT_EQ(test, trace_delay_mark(U64_MAX), '$');
}

static void text_arguments(struct kunit *test)
{
	static const u64 args[GRAPH_NR_ARGS] = { 0, 1, U64_MAX, 0xffff000012345678, 10, 255 };
	static const u64 long_args[GRAPH_NR_ARGS] = { [0 ... GRAPH_NR_ARGS - 1] = U64_MAX };
	char buf[TEXT_ARGS_MAX + 1];

	expect_text(test, buf, text_args(buf, args),
		    "0x0, 0x1, 0xffffffffffffffff, 0xffff000012345678, 0xa, 0xff");
	KUNIT_EXPECT_LE(test, text_args(buf, long_args) - buf, TEXT_ARGS_MAX);
}

/* Each part that a call has is found, and no other. */
static void graph_parts(struct kunit *test)
{
	struct {
		struct graph_long_entry	entry;
		u64			word[GRAPH_WORDS_MAX];
	} call;
	unsigned int parts, part, at, i;
	const u64 *found;

	for (i = 0; i < GRAPH_WORDS_MAX; i++)
		call.word[i] = i;
	for (parts = 1; parts < 2 * GRAPH_PART_ARGS; parts++) {
		call.entry.parts = parts;
		for (part = 1, at = 0; part <= GRAPH_PART_ARGS; part *= 2) {
			found = graph_part(&call, sizeof(call), part);
			KUNIT_EXPECT_PTR_EQ(test, found, parts & part ? call.word + at++ : NULL);
			/* The entry of a usual call, with padding or without. */
			KUNIT_EXPECT_NULL(test, graph_part(&call, sizeof(call.entry), part));
			KUNIT_EXPECT_NULL(test, graph_part(&call, sizeof(call.entry.call), part));
		}
	}
}

static struct kunit_case text_cases[] = {
	KUNIT_CASE(text_numbers),
	KUNIT_CASE(text_pieces),
	KUNIT_CASE(text_room),
	KUNIT_CASE(text_durations),
	KUNIT_CASE(text_delay_marks),
	KUNIT_CASE(text_arguments),
	KUNIT_CASE(graph_parts),
	{}
};

static struct kunit_suite text_suite = {
	.name		= "trace_text",
	.test_cases	= text_cases,
};

kunit_test_suite(text_suite);
