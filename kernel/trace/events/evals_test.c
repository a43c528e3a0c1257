// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of names of enums in print formats.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "events.h"

static const char evals_test_system[] = "evals_test";

static struct trace_eval_map evals_test_maps[] = {
	{ evals_test_system, "NAME", 5 },
	{ evals_test_system, "NEGATIVE", -3 },
	{ evals_test_system, "LAST", 0x80000000 },
	{ evals_test_system, "sizeof(struct x)", 12 },
	{ "other", "OTHER", 7 },
};

struct evals_test_case {
	const char	*text;
	const char	*expected;	/* NULL: the same */
};

static const struct evals_test_case evals_test_cases[] = {
	{ "NAME", "5" },
	{ "NEGATIVE, LAST", "-3, 2147483648" },
	{ "(NAME+NAME)", "(5+5)" },
	{ "{ NAME, \"NAME\" }, { LAST, \"LAST\" }", "{ 5, \"NAME\" }, { 2147483648, \"LAST\" }" },
	{ "REC->x / sizeof(struct x)", "REC->x / 12" },
	/* Parts of other names, and members of structs */
	{ "NAMES NAME_ NAME2" },
	{ "A_NAME _NAME ANAME 1NAME" },
	{ "REC->NAME REC.NAME" },
	/* Of another system */
	{ "OTHER" },
	/* Literals; one that does not end is none. */
	{ "\"%d NAME\", NAME", "\"%d NAME\", 5" },
	{ "\"\\\"NAME\", NAME", "\"\\\"NAME\", 5" },
	{ "\"\\\\\", NAME", "\"\\\\\", 5" },
	{ "\"NAME", "\"5" },
	{ "" },
};

static void evals_puts_test(struct kunit *test)
{
	struct trace_eval_map *maps[ARRAY_SIZE(evals_test_maps)];
	struct trace_event_class class = { .system = evals_test_system };
	struct trace_event_call call = { .class = &class };
	const struct evals_test_case *c;
	struct seq_file m = {};
	unsigned int i;

	call.module = kunit_kzalloc(test, sizeof(*call.module), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, call.module);
	m.size = 256;
	m.buf = kunit_kzalloc(test, m.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m.buf);
	for (i = 0; i < ARRAY_SIZE(maps); i++)
		maps[i] = &evals_test_maps[i];
	call.module->trace_evals = maps;
	call.module->num_trace_evals = ARRAY_SIZE(maps);

	for (c = evals_test_cases; c < evals_test_cases + ARRAY_SIZE(evals_test_cases); c++) {
		memset(m.buf, 0, m.size);
		m.count = 0;
		trace_evals_puts(&m, &call, c->text);
		KUNIT_EXPECT_STREQ(test, m.buf, c->expected ?: c->text);
	}
}

static struct kunit_case evals_test_kunit_cases[] = {
	KUNIT_CASE(evals_puts_test),
	{}
};

static struct kunit_suite evals_test_suite = {
	.name		= "trace_evals",
	.test_cases	= evals_test_kunit_cases,
};

kunit_test_suite(evals_test_suite);

MODULE_DESCRIPTION("KUnit tests of names of enums in print formats");
MODULE_LICENSE("GPL");
