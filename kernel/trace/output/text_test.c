// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of text.h: numbers and columns are what snprintf() makes of them,
 * and what does not fit leaves no trace.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/slab.h>

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
	/* Once something was left out, nothing may follow it. */
	KUNIT_EXPECT_NULL(test, text_start(s, 1));
}

static struct kunit_case text_cases[] = {
	KUNIT_CASE(text_numbers),
	KUNIT_CASE(text_pieces),
	KUNIT_CASE(text_room),
	{}
};

static struct kunit_suite text_suite = {
	.name		= "trace_text",
	.test_cases	= text_cases,
};

kunit_test_suite(text_suite);
