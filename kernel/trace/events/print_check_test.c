// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the check of print formats. The formats name fields of definitions_fixed, of
 * definitions_test.h.
 */
#include <kunit/test.h>

#include "events.h"
#include "match.h"

static void expect_unsafe(struct kunit *test, const char *text, unsigned int nr)
{
	const struct trace_event_call *call = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, trace_event_unsafe_argument(call, text), nr, "%s", text);
}

static int print_check_test_init(struct kunit *test)
{
	guard(mutex)(&trace_event_mutex);
	test->priv = trace_event_find("definitions_test", "definitions_fixed");
	return PTR_ERR_OR_ZERO(test->priv);
}

static void print_check_safe_test(struct kunit *test)
{
	static const char *const texts[] = {
		"\"%d\", REC->byte",
		"\"%p %px %pS\", REC->user, REC->user, (void *)REC->function",
		"\"%pB\", (void *)REC->function",
		"\"%pI4\", &REC->byte",
		"\"%pI4\", &(REC->byte)",
		"\"%pM\", REC->text",
		"\"%pUb\", REC->pair.first",
		"\"%*pbl\", 64, __get_dynamic_array(bits)",
		"\"%*pbl\", 64, __get_rel_dynamic_array(bits)",
		"\"%pISpc\", __get_sockaddr(address)",
		"\"%s\", REC->pointer",
		"\"%s\", (const char *)(REC->pointer)",
		"\"%s\", REC->text",
		"\"%s\", __get_str(text)",
		"\"%.*s\", REC->byte, REC->text",
		"\"%s\", REC->truth ? \"yes\" : \"no\"",
		"\"%s\", names[REC->byte]",
		"\"%s\", __print_flags(REC->byte, \"|\", { 1, \"%s\" })",
		"\"100%%\", ",
		"\"a=\"%s\", b=\"%pM\"\", REC->text, REC->text",
		"\"%s",
		"",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		expect_unsafe(test, texts[i], 0);
}

static void print_check_unsafe_test(struct kunit *test)
{
	expect_unsafe(test, "\"%pI4\", REC->user", 1);
	expect_unsafe(test, "\"%pI4\", REC->user & REC->byte", 1);
	expect_unsafe(test, "\"%pd\", REC->pointer", 1);
	expect_unsafe(test, "\"%4ph\", REC->user", 1);
	expect_unsafe(test, "\"%p4cc\", REC->user", 1);
	expect_unsafe(test, "\"%d %*pbl\", REC->byte, REC->byte, REC->user", 3);
	expect_unsafe(test, "\"%d %s\", REC->byte, REC->user->name", 2);
	expect_unsafe(test, "\"%s\", *REC->user", 1);
	expect_unsafe(test, "\"%s\", global", 1);
	expect_unsafe(test, "\"%pM %pM\", REC->text, REC->no_such", 2);
	/* A comma in an argument does not end it, and a quote in the format ends no format. */
	expect_unsafe(test, "\"%s %pM\", f(REC->byte, \",\", ','), REC->user", 2);
	expect_unsafe(test, "\"a=\"%s\", b=\"%pM\"\", REC->text, REC->user", 2);
}

static struct kunit_case print_check_test_cases[] = {
	KUNIT_CASE(print_check_safe_test),
	KUNIT_CASE(print_check_unsafe_test),
	{}
};

static struct kunit_suite print_check_test_suite = {
	.name		= "trace_print_check",
	.init		= print_check_test_init,
	.test_cases	= print_check_test_cases,
};

kunit_test_suite(print_check_test_suite);

MODULE_DESCRIPTION("KUnit tests of the check of print formats");
MODULE_LICENSE("GPL");
