// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the pieces of text that TP_printk() is made of.
 */
#include <kunit/test.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/trace.h>
#include <linux/trace_seq.h>

#include "../core/instance.h"
#include "../core/tracer.h"

/**
 * struct print_context - data of a test case
 * @tr: an instance; NULL if the case needs none
 * @iter: a reader
 */
struct print_context {
	struct trace_array	*tr;
	struct trace_iterator	iter;
};

static int print_test_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct print_context), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void print_test_exit(struct kunit *test)
{
	struct print_context *ctx = test->priv;

	if (!ctx || !ctx->tr)
		return;
	trace_array_put(ctx->tr);
	trace_array_destroy(ctx->tr);
}

/* Names of bits, and names of values: rows are in order. */
static void print_rows_test(struct kunit *test)
{
	static const struct trace_print_flags rows[] = {
		{ 6, "SIX" }, { 2, "TWO" }, { 8, "EIGHT" }, { 16, "" }, { -1, NULL },
	};
	struct print_context *ctx = test->priv;
	struct trace_seq *p = &ctx->iter.seq;

	trace_seq_init(p);
	KUNIT_EXPECT_STREQ(test, trace_print_flags_seq(p, "|", 6, rows), "SIX");
	KUNIT_EXPECT_STREQ(test, trace_print_flags_seq(p, ", ", 14, rows), "SIX, EIGHT");
	KUNIT_EXPECT_STREQ(test, trace_print_flags_seq(p, NULL, 10, rows), "TWOEIGHT");
	KUNIT_EXPECT_STREQ(test, trace_print_flags_seq(p, "|", 4, rows), "0x4");
	KUNIT_EXPECT_STREQ(test, trace_print_flags_seq(p, "|", 0, rows), "");
	KUNIT_EXPECT_STREQ(test, trace_print_flags_seq(p, "|", -1UL, rows),
			   "SIX|EIGHT||0xffffffffffffffe1");
	KUNIT_EXPECT_STREQ(test, trace_print_symbols_seq(p, 6, rows), "SIX");
	KUNIT_EXPECT_STREQ(test, trace_print_symbols_seq(p, 16, rows), "0x10");
	KUNIT_EXPECT_STREQ(test, trace_print_symbols_seq(p, 7, rows), "0x7");
	KUNIT_EXPECT_STREQ(test, trace_print_symbols_seq(p, -1UL, rows), "0xffffffffffffffff");
}

static void print_arrays_test(struct kunit *test)
{
	static const u64 wide[] = { 1, -1ULL };
	static const u32 words[] = { 2, -1U };
	static const u16 halves[] = { 1, 10, 65535 };
	struct print_context *ctx = test->priv;
	struct trace_seq *p = &ctx->iter.seq;

	trace_seq_init(p);
	KUNIT_EXPECT_STREQ(test, trace_print_array_seq(p, wide, 2, 8), "{0x1,0xffffffffffffffff}");
	KUNIT_EXPECT_STREQ(test, trace_print_array_seq(p, words, 2, 4), "{0x2,0xffffffff}");
	KUNIT_EXPECT_STREQ(test, trace_print_array_seq(p, halves, 3, 2), "{0x1,0xa,0xffff}");
	KUNIT_EXPECT_STREQ(test, trace_print_array_seq(p, halves, 0, 2), "{}");
	KUNIT_EXPECT_STREQ(test, trace_print_hex_seq(p, (void *)"a\377", 2, false), "61 ff");
	KUNIT_EXPECT_STREQ(test, trace_print_hex_seq(p, (void *)"a\377", 2, true), "61ff");
	KUNIT_EXPECT_STREQ(test, trace_print_hex_seq(p, (void *)"", 0, false), "");
	/* All pieces of a line stay. */
	KUNIT_EXPECT_STREQ(test, p->buffer, "{0x1,0xffffffffffffffff}");
}

/* What is printed of data that a record has ends with the record. */
static void print_part_test(struct kunit *test)
{
	static const u64 wide[4];
	struct print_context *ctx = test->priv;
	struct trace_iterator *iter = &ctx->iter;

	iter->ent = (void *)wide;
	iter->ent_size = 16;
	KUNIT_EXPECT_EQ(test, trace_entry_part(iter, wide, 16), 16);
	KUNIT_EXPECT_EQ(test, trace_entry_part(iter, wide, 17), 16);
	KUNIT_EXPECT_EQ(test, trace_entry_part(iter, wide + 1, 100), 8);
	KUNIT_EXPECT_EQ(test, trace_entry_part(iter, wide + 2, -1UL), 0);
	/* A record that was cut has data behind its end. */
	KUNIT_EXPECT_EQ(test, trace_entry_part(iter, wide + 3, 100), 0);
	KUNIT_EXPECT_EQ(test, trace_entry_part(iter, (void *)wide + 2 * SZ_64K, 100), 100);
	trace_seq_init(&iter->tmp_seq);
	KUNIT_EXPECT_STREQ(test, trace_print_bitmask_seq(iter, (void *)(wide + 1), 16),
			   "00000000,00000000");
}

/* Option bitmask-list: numbers and ranges in place of words */
static void print_bitmask_test(struct kunit *test)
{
	static const unsigned long bits[] = { 0xffUL << 56, 0x21 }, none;
	struct print_context *ctx = test->priv;
	struct trace_iterator *iter = &ctx->iter;

	ctx->tr = trace_array_get_by_name("print-test", NULL);
	KUNIT_ASSERT_NOT_NULL(test, ctx->tr);
	iter->tr = ctx->tr;
	trace_seq_init(&iter->tmp_seq);
	KUNIT_EXPECT_STREQ(test, trace_print_bitmask_seq(iter, (void *)bits, 8),
			   "ff000000,00000000");
	scoped_guard(mutex, &ctx->tr->lock)
		trace_option_write(ctx->tr, TRACE_OPT_BITMASK_LIST, true);
	KUNIT_EXPECT_STREQ(test, trace_print_bitmask_seq(iter, (void *)bits, 16), "56-64,69");
	KUNIT_EXPECT_STREQ(test, trace_print_bitmask_seq(iter, (void *)&none, sizeof(none)), "");
	/* A record that is printed for no instance */
	iter->tr = NULL;
	KUNIT_EXPECT_STREQ(test, trace_print_bitmask_seq(iter, (void *)&none, 4), "00000000");
	/* All pieces of a line stay. */
	KUNIT_EXPECT_STREQ(test, iter->tmp_seq.buffer, "ff000000,00000000");
}

static struct kunit_case print_helpers_test_cases[] = {
	KUNIT_CASE(print_rows_test),
	KUNIT_CASE(print_arrays_test),
	KUNIT_CASE(print_part_test),
	KUNIT_CASE(print_bitmask_test),
	{}
};

static struct kunit_suite print_helpers_test_suite = {
	.name		= "trace_print_helpers",
	.init		= print_test_init,
	.exit		= print_test_exit,
	.test_cases	= print_helpers_test_cases,
};

kunit_test_suite(print_helpers_test_suite);

MODULE_DESCRIPTION("KUnit tests of pieces of text for TP_printk()");
MODULE_LICENSE("GPL");
