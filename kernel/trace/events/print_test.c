// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what trace_event_printf() reads at the addresses that a format prints.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "events.h"
#include "match.h"

/**
 * struct printf_context - data of a test case
 * @iter: a reader, which is at @record
 * @record: a record of definitions_plain, of definitions_test.h
 */
struct printf_context {
	struct trace_iterator	iter;
	struct {
		struct trace_entry	ent;
		u8			data[4];
	} record;
};

static int printf_test_init(struct kunit *test)
{
	static const u8 data[] = { 1, 2, 3, 4 };
	struct printf_context *ctx = kunit_kzalloc(test, sizeof(*ctx), GFP_KERNEL);
	struct trace_event_call *call;

	if (!ctx)
		return -ENOMEM;
	scoped_guard(mutex, &trace_event_mutex)
		call = trace_event_find("definitions_test", "definitions_plain");
	if (IS_ERR(call))
		return PTR_ERR(call);
	test->priv = ctx;
	ctx->record.ent.type = call->event.type;
	memcpy(ctx->record.data, data, sizeof(data));
	ctx->iter.ent = &ctx->record.ent;
	ctx->iter.ent_size = sizeof(ctx->record);
	return 0;
}

/* Begin a line of the record. */
static struct trace_iterator *begin_line(struct kunit *test)
{
	struct printf_context *ctx = test->priv;

	trace_seq_init(&ctx->iter.seq);
	return &ctx->iter;
}

static void expect_line(struct kunit *test, const char *expected)
{
	struct printf_context *ctx = test->priv;

	seq_buf_str(&ctx->iter.seq.seq);
	KUNIT_EXPECT_STREQ(test, ctx->iter.seq.buffer, expected);
}

/* An address is dereferenced only in the record, or in memory that is never freed. */
static void printf_address_test(struct kunit *test)
{
	static const char unsafe[] = "EVENT definitions_plain: HAS UNSAFE POINTER FIELD '?'\n";
	struct printf_context *ctx = test->priv;
	const char *none = NULL;
	u8 *gone = kunit_kzalloc(test, 8, GFP_KERNEL), local[] = { 1, 2, 3, 4 };
	const char *end = (const char *)(&ctx->record + 1);

	KUNIT_ASSERT_NOT_NULL(test, gone);
	trace_event_printf(begin_line(test), "%pI4", ctx->record.data);
	expect_line(test, "1.2.3.4");
	trace_event_printf(begin_line(test), "%d %*ph", 7, 4, ctx->record.data);
	expect_line(test, "7 01 02 03 04");
	trace_event_printf(begin_line(test), "%pI4", local);
	expect_line(test, "1.2.3.4");
	trace_event_printf(begin_line(test), "%4phN", unsafe);
	expect_line(test, "4556454e");
	trace_event_printf(begin_line(test), "%pI4", gone);
	expect_line(test, unsafe);
	trace_event_printf(begin_line(test), "%d %*ph", 7, 4, gone);
	expect_line(test, unsafe);
	trace_event_printf(begin_line(test), "%4phN", gone);
	expect_line(test, unsafe);
	trace_event_printf(begin_line(test), "%d %s", 7, gone);
	expect_line(test, unsafe);
	trace_event_printf(begin_line(test), "%d %*ph", 7, 0, end);
	expect_line(test, "7 ");
	trace_event_printf(begin_line(test), "%d %-*phN", 7, 4, ctx->record.data);
	expect_line(test, "7 01020304");
	OPTIMIZER_HIDE_VAR(none);
	trace_event_printf(begin_line(test), "p %s", none);
	expect_line(test, "p (null)");
}

/* Data that would go on behind the end of the record are not read. */
static void printf_beyond_test(struct kunit *test)
{
	static const char beyond[] = "EVENT definitions_plain: HAS DATA BEYOND ITS RECORD\n";
	struct printf_context *ctx = test->priv;
	const char *end = (const char *)(&ctx->record + 1);

	trace_event_printf(begin_line(test), "%ph", end);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%*ph", 1, end);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%*ph", -4, end - 3);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%4ph", end - 3);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%*pE", 4, end - 3);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%*pb", 65, end - 8);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%*pbl", 1, end - 4);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%pI4", end - 3);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%pI6", ctx->record.data);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%pM", end - 5);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%pUb", ctx->record.data);
	expect_line(test, beyond);
}

/* How long a socket address is depends on its family. */
static void printf_sockets_test(struct kunit *test)
{
	static const char beyond[] = "EVENT definitions_plain: HAS DATA BEYOND ITS RECORD\n";
	struct printf_context *ctx = test->priv;
	sa_family_t *family;
	char *end = (char *)(&ctx->record + 1);

	memset(end - 4, 1, 4);
	family = (sa_family_t *)(end - 8);
	*family = AF_INET;
	trace_event_printf(begin_line(test), "%pIS", family);
	expect_line(test, "1.1.1.1");
	trace_event_printf(begin_line(test), "%piS", family + 1);
	expect_line(test, "(einval)");
	*family = AF_INET6;
	trace_event_printf(begin_line(test), "%pISpc", family);
	expect_line(test, beyond);
	family = (sa_family_t *)(end - 4);
	*family = AF_INET;
	trace_event_printf(begin_line(test), "%piS", family);
	expect_line(test, beyond);
	trace_event_printf(begin_line(test), "%pIS", end - 1);
	expect_line(test, beyond);
}

static struct kunit_case printf_test_cases[] = {
	KUNIT_CASE(printf_address_test),
	KUNIT_CASE(printf_beyond_test),
	KUNIT_CASE(printf_sockets_test),
	{}
};

static struct kunit_suite printf_test_suite = {
	.name		= "trace_printf",
	.init		= printf_test_init,
	.test_cases	= printf_test_cases,
};

kunit_test_suite(printf_test_suite);

MODULE_DESCRIPTION("KUnit tests of the addresses that formats of events print");
MODULE_LICENSE("GPL");
