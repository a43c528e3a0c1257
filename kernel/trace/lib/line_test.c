// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of lines: taking words, and the place of an error. */
#include <kunit/test.h>
#include <linux/limits.h>

#include "line.h"

static void trace_line_words(struct kunit *test)
{
	struct trace_span name, rest;
	struct trace_line line;

	trace_line_init(&line, "  sig_1>= 10 && !(comm");
	name = trace_line_name(&line);
	KUNIT_EXPECT_TRUE(test, trace_span_is(&name, "sig_1"));
	KUNIT_EXPECT_FALSE(test, trace_span_is(&name, "sig_"));
	KUNIT_EXPECT_FALSE(test, trace_span_is(&name, "sig_12"));
	/* A token that is not next is not taken, and the line stays as it is. */
	KUNIT_EXPECT_FALSE(test, trace_line_take(&line, "=="));
	KUNIT_EXPECT_TRUE(test, trace_line_take(&line, ">="));
	rest = trace_line_until(&line, "&");
	KUNIT_EXPECT_TRUE(test, trace_span_is(&rest, "10 "));
	KUNIT_EXPECT_TRUE(test, trace_line_take(&line, "&&"));
	name = trace_line_name(&line);
	KUNIT_EXPECT_EQ(test, name.len, 0);
	KUNIT_EXPECT_TRUE(test, trace_line_take(&line, "!"));
	KUNIT_EXPECT_TRUE(test, trace_line_take(&line, "("));
	KUNIT_EXPECT_FALSE(test, trace_line_ends(&line));
	rest = trace_line_until(&line, ")");
	KUNIT_EXPECT_TRUE(test, trace_span_is(&rest, "comm"));
	KUNIT_EXPECT_TRUE(test, trace_line_ends(&line));
}

static void trace_line_empty(struct kunit *test)
{
	struct trace_span word;
	struct trace_line line;
	u64 value;

	trace_line_init(&line, " \t");
	KUNIT_EXPECT_EQ(test, trace_line_name(&line).len, 0);
	KUNIT_EXPECT_EQ(test, trace_line_until(&line, ":").len, 0);
	KUNIT_EXPECT_EQ(test, trace_line_quoted(&line, &word), -ENOENT);
	KUNIT_EXPECT_EQ(test, trace_line_number(&line, &value), -ENOENT);
	KUNIT_EXPECT_FALSE(test, trace_line_take(&line, ":"));
	KUNIT_EXPECT_TRUE(test, trace_line_ends(&line));
	KUNIT_EXPECT_NULL(test, line.error);
}

static void trace_line_quotes(struct kunit *test)
{
	struct trace_span word;
	struct trace_line line;

	trace_line_init(&line, "'a \"b' \"\" \"it's");
	KUNIT_EXPECT_EQ(test, trace_line_quoted(&line, &word), 0);
	KUNIT_EXPECT_TRUE(test, trace_span_is(&word, "a \"b"));
	KUNIT_EXPECT_EQ(test, trace_line_quoted(&line, &word), 0);
	KUNIT_EXPECT_TRUE(test, trace_span_is(&word, ""));
	KUNIT_EXPECT_EQ(test, trace_line_quoted(&line, &word), -ESRCH);
	KUNIT_EXPECT_STREQ(test, line.error, "Missing matching quote");
	KUNIT_EXPECT_EQ(test, line.error_at, 10);
}

struct number_case {
	const char	*text;
	int		err;
	u64		value;
	const char	*rest;
};

static const struct number_case number_cases[] = {
	{ "10:x", 0, 10, ":x" },
	{ " 0x1f", 0, 0x1f, "" },
	{ "017 ", 0, 017, " " },
	{ "18446744073709551615", 0, U64_MAX, "" },
	{ "18446744073709551616", -ERANGE, 0, "18446744073709551616" },
	{ "01777777777777777777777", 0, U64_MAX, "" },
	{ "000000000000000000000001", -ERANGE, 0, "000000000000000000000001" },
	{ "1x", -EINVAL, 0, "1x" },
	{ "-1", -ENOENT, 0, "-1" },
	{ "x1", -ENOENT, 0, "x1" },
};

static void number_desc(const struct number_case *c, char *desc)
{
	strscpy(desc, c->text, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(numbers, number_cases, number_desc);

static void trace_line_numbers(struct kunit *test)
{
	const struct number_case *c = test->param_value;
	struct trace_line line;
	u64 value = 0;

	trace_line_init(&line, c->text);
	KUNIT_EXPECT_EQ(test, trace_line_number(&line, &value), c->err);
	KUNIT_EXPECT_EQ(test, value, c->value);
	KUNIT_EXPECT_STREQ(test, line.rest, c->rest);
}

static void trace_line_first_error(struct kunit *test)
{
	struct trace_span name;
	struct trace_line line;

	trace_line_init(&line, "dsig == ");
	name = trace_line_name(&line);
	KUNIT_EXPECT_EQ(test, trace_line_fail(&line, -EINVAL, "Field not found",
					      name.text + name.len), -EINVAL);
	trace_line_take(&line, "==");
	KUNIT_EXPECT_TRUE(test, trace_line_ends(&line));
	KUNIT_EXPECT_EQ(test, trace_line_fail(&line, -EPERM, "Too few", line.rest), -EPERM);
	KUNIT_EXPECT_STREQ(test, line.error, "Field not found");
	KUNIT_EXPECT_EQ(test, line.error_at, 4);
}

static struct kunit_case trace_line_cases[] = {
	KUNIT_CASE(trace_line_words),
	KUNIT_CASE(trace_line_empty),
	KUNIT_CASE(trace_line_quotes),
	KUNIT_CASE_PARAM(trace_line_numbers, numbers_gen_params),
	KUNIT_CASE(trace_line_first_error),
	{}
};

static struct kunit_suite trace_line_suite = {
	.name = "trace_line",
	.test_cases = trace_line_cases,
};

kunit_test_suite(trace_line_suite);

MODULE_DESCRIPTION("Tests of the parser of lines");
MODULE_LICENSE("GPL");
