// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the words that select events.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/module.h>
#include <linux/string.h>

#include "events.h"
#include "match.h"

/* The events: their bits in the results. */
#define A_X		BIT(0)
#define A_Y		BIT(1)
#define B_X		BIT(2)
#define X_Z		BIT(3)
#define A_W_OF_M	BIT(4)
#define ALL		GENMASK(4, 0)

static const struct {
	const char	*system;
	const char	*event;
	bool		module;		/* of module "m" */
} match_events[] = {
	{ "a", "x" },
	{ "a", "y" },
	{ "b", "x" },
	{ "x", "z" },
	{ "a", "w", true },
};

struct match_case {
	const char	*word;
	unsigned long	selected;
};

static const struct match_case match_cases[] = {
	{ "a:x", A_X },
	{ "a:z", 0 },
	{ "c:x", 0 },
	{ "a:", A_X | A_Y | A_W_OF_M },
	{ "a:*", A_X | A_Y | A_W_OF_M },
	{ ":x", A_X | B_X },
	{ "*:x", A_X | B_X },
	{ "*:*", ALL },
	{ "*:", ALL },
	{ ":*", ALL },
	{ "a", A_X | A_Y | A_W_OF_M },
	{ "y", A_Y },
	{ "x", A_X | B_X | X_Z },
	{ "*", 0 },
	{ "a:x*", 0 },
	{ "a*:x", 0 },
	{ "a:x:", 0 },
	{ "a:x:y", 0 },
	{ ":mod:m", A_W_OF_M },
	{ "*:mod:m", A_W_OF_M },
	{ "*:*:mod:m", A_W_OF_M },
	{ "a:mod:m", A_W_OF_M },
	{ "w:mod:m", A_W_OF_M },
	{ "a:w:mod:m", A_W_OF_M },
	{ "a:*:mod:m", A_W_OF_M },
	{ "a:x:mod:m", 0 },
	{ "b:mod:m", 0 },
	{ ":mod:n", 0 },
	{ "a:w:mod:", 0 },
};

static void match_case_name(const struct match_case *c, char *name)
{
	strscpy(name, c->word, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(match, match_cases, match_case_name);

static void match_word_test(struct kunit *test)
{
	struct module *mod = kunit_kzalloc(test, sizeof(*mod), GFP_KERNEL);
	const struct match_case *c = test->param_value;
	struct trace_event_class class = {};
	struct trace_event_call call = { .class = &class };
	struct trace_event_match match;
	unsigned long selected = 0;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, mod);
	strscpy(mod->name, "m");
	trace_event_match_parse(&match, c->word);
	for (i = 0; i < ARRAY_SIZE(match_events); i++) {
		class.system = match_events[i].system;
		call.name = match_events[i].event;
		call.module = match_events[i].module ? mod : NULL;
		if (trace_event_matches(&match, &call))
			selected |= BIT(i);
	}
	KUNIT_EXPECT_EQ(test, selected, c->selected);
}

static struct kunit_case match_test_cases[] = {
	KUNIT_CASE_PARAM(match_word_test, match_gen_params),
	{}
};

static struct kunit_suite match_test_suite = {
	.name		= "trace_event_match",
	.test_cases	= match_test_cases,
};

kunit_test_suite(match_test_suite);

MODULE_DESCRIPTION("KUnit tests of the words that select events");
MODULE_LICENSE("GPL");
