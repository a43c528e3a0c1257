// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of struct trace_seq: a piece is there as a whole or not at all. */
#include <kunit/test.h>
#include <linux/dcache.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/trace_seq.h>

static struct trace_seq *new_seq(struct kunit *test)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	return s;
}

/* Fill the string up to @left characters. */
static void fill(struct kunit *test, struct trace_seq *s, unsigned int left)
{
	char *piece;

	trace_seq_init(s);
	piece = trace_seq_acquire(s, TRACE_SEQ_BUFFER_SIZE - left);
	KUNIT_ASSERT_NOT_NULL(test, piece);
	memset(piece, 'x', TRACE_SEQ_BUFFER_SIZE - left);
}

static void expect_refused(struct kunit *test, struct trace_seq *s, unsigned int left)
{
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), TRACE_SEQ_BUFFER_SIZE - left);
	KUNIT_EXPECT_TRUE(test, trace_seq_has_overflowed(s));
}

static void trace_seq_size(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sizeof(struct trace_seq), TRACE_SEQ_SIZE);
}

static void trace_seq_pieces(struct kunit *test)
{
	static const u8 bytes[] = { 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09 };
	static const char *hex = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ?
		"0102030405060708 09 " : "0807060504030201 09 ";
	static const unsigned long mask[] = { 0x12345 };
	struct trace_seq *s = new_seq(test);

	trace_seq_puts(s, "one ");
	trace_seq_printf(s, "%s-%d", "two", 2);
	trace_seq_putc(s, ' ');
	trace_seq_putmem(s, "three", 5);
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s->seq), "one two-2 three");

	trace_seq_init(s);
	trace_seq_putmem_hex(s, bytes, sizeof(bytes));
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s->seq), hex);

	trace_seq_init(s);
	trace_seq_bitmask(s, mask, 20);
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s->seq), "12345");

	trace_seq_init(s);
	KUNIT_EXPECT_EQ(test, 1, trace_seq_hex_dump(s, "> ", DUMP_PREFIX_OFFSET, 16, 1,
						    bytes, 3, false));
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s->seq), "> 00000000: 01 02 03\n");
	KUNIT_EXPECT_FALSE(test, trace_seq_has_overflowed(s));
}

static void trace_seq_helper_idiom(struct kunit *test)
{
	struct trace_seq *s = new_seq(test);
	const char *piece;

	trace_seq_puts(s, "before");
	piece = trace_seq_buffer_ptr(s);
	trace_seq_puts(s, "piece");
	trace_seq_putc(s, 0);
	KUNIT_EXPECT_STREQ(test, piece, "piece");
}

static void trace_seq_too_long(struct kunit *test)
{
	struct trace_seq *s = new_seq(test);

	fill(test, s, 4);
	trace_seq_printf(s, "%s", "12345");
	expect_refused(test, s, 4);

	fill(test, s, 4);
	trace_seq_puts(s, "12345");
	expect_refused(test, s, 4);

	fill(test, s, 4);
	trace_seq_putmem_hex(s, "12", 2);
	expect_refused(test, s, 4);

	/* The first line takes 48 characters; the second, of one byte, takes three. */
	fill(test, s, 50);
	KUNIT_EXPECT_EQ(test, 0, trace_seq_hex_dump(s, "", DUMP_PREFIX_NONE, 16, 1,
						    __func__, 17, false));
	expect_refused(test, s, 50);

	fill(test, s, 4);
	KUNIT_EXPECT_NULL(test, trace_seq_acquire(s, 5));
	expect_refused(test, s, 4);

	/* After an overflow nothing is added, even if it would fit. */
	trace_seq_putc(s, '!');
	expect_refused(test, s, 4);
	trace_seq_init(s);
	KUNIT_EXPECT_FALSE(test, trace_seq_has_overflowed(s));
}

static void trace_seq_to_the_brim(struct kunit *test)
{
	struct trace_seq *s = new_seq(test);

	fill(test, s, 5);
	trace_seq_puts(s, "12345");
	KUNIT_EXPECT_FALSE(test, trace_seq_has_overflowed(s));
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), TRACE_SEQ_BUFFER_SIZE);
	trace_seq_putc(s, '6');
	expect_refused(test, s, 0);
}

static void trace_seq_to_seq_file(struct kunit *test)
{
	struct trace_seq *s = new_seq(test);
	char buf[8];
	struct seq_file m = { .buf = buf, .size = sizeof(buf) };

	trace_seq_puts(s, "12345");
	KUNIT_EXPECT_EQ(test, 0, trace_print_seq(&m, s));
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), 0);
	KUNIT_EXPECT_EQ(test, m.count, 5);
	KUNIT_EXPECT_MEMEQ(test, buf, "12345", 5);

	trace_seq_puts(s, "67890");
	KUNIT_EXPECT_NE(test, 0, trace_print_seq(&m, s));
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), 5);
}

static struct kunit_case trace_seq_cases[] = {
	KUNIT_CASE(trace_seq_size),
	KUNIT_CASE(trace_seq_pieces),
	KUNIT_CASE(trace_seq_helper_idiom),
	KUNIT_CASE(trace_seq_too_long),
	KUNIT_CASE(trace_seq_to_the_brim),
	KUNIT_CASE(trace_seq_to_seq_file),
	{}
};

static struct kunit_suite trace_seq_suite = {
	.name = "trace_seq",
	.test_cases = trace_seq_cases,
};

kunit_test_suite(trace_seq_suite);

MODULE_DESCRIPTION("Tests of struct trace_seq");
MODULE_LICENSE("GPL");
