// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the error log of an instance.
 */
#include <kunit/test.h>

#include "error_log.h"
#include "instance.h"

static int errors_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct trace_array), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void errors_exit(struct kunit *test)
{
	if (test->priv)
		trace_errors_free(test->priv);
}

static unsigned int errors_nr(const struct trace_array *tr)
{
	return tr->error_log ? tr->error_log->nr : 0;
}

/* Error number @nr, 0 being the oldest, without its time. */
static const char *error_nr(struct trace_array *tr, unsigned int nr)
{
	return strchr(tr->error_log->errors[nr], ']') + 2;
}

static void errors_format_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	unsigned int sec, usec;

	trace_log_error(tr, "place", "a wrong word", "No such word", 2);
	KUNIT_ASSERT_EQ(test, errors_nr(tr), 1);
	KUNIT_EXPECT_EQ(test, sscanf(tr->error_log->errors[0], "[%u.%6u] ", &sec, &usec), 2);
	KUNIT_EXPECT_STREQ(test, error_nr(tr, 0),
			   "place: error: No such word\n"
			   "  Command: a wrong word\n"
			   "             ^\n");
}

static void errors_place_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	trace_log_error(tr, "x", "ab", "First", 0);
	trace_log_error(tr, "x", "ab", "End", 2);
	/* The position after the end, as for a word that is missing after a blank. */
	trace_log_error(tr, "x", "ab", "Beyond", 3);
	KUNIT_EXPECT_STREQ(test, error_nr(tr, 0),
			   "x: error: First\n  Command: ab\n           ^\n");
	KUNIT_EXPECT_STREQ(test, error_nr(tr, 1),
			   "x: error: End\n  Command: ab\n             ^\n");
	KUNIT_EXPECT_STREQ(test, error_nr(tr, 2),
			   "x: error: Beyond\n  Command: ab\n              ^\n");
}

/* NULL stands for the top instance; without one, the error is lost. */
static void errors_no_instance_test(struct kunit *test)
{
	struct trace_array *top = trace_top;

	trace_top = NULL;
	trace_log_error(NULL, "x", "ab", "Lost", 0);
	trace_top = test->priv;
	trace_log_error(NULL, "x", "ab", "Kept", 0);
	trace_top = top;
	KUNIT_EXPECT_EQ(test, errors_nr(trace_top), 0);
	KUNIT_ASSERT_EQ(test, errors_nr(test->priv), 1);
	KUNIT_EXPECT_STREQ(test, error_nr(test->priv, 0),
			   "x: error: Kept\n  Command: ab\n           ^\n");
}

static void errors_latest_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	char text[8], want[64];
	unsigned int i;

	for (i = 0; i < 3 * TRACE_ERRORS_MAX + 2; i++) {
		snprintf(text, sizeof(text), "%u", i);
		trace_log_error(tr, "x", text, "Wrong", 0);
	}
	KUNIT_ASSERT_EQ(test, errors_nr(tr), TRACE_ERRORS_MAX);
	for (i = 0; i < TRACE_ERRORS_MAX; i++) {
		snprintf(want, sizeof(want), "x: error: Wrong\n  Command: %u\n           ^\n",
			 2 * TRACE_ERRORS_MAX + 2 + i);
		KUNIT_EXPECT_STREQ(test, error_nr(tr, i), want);
	}

	trace_errors_free(tr);
	KUNIT_EXPECT_EQ(test, errors_nr(tr), 0);
	trace_log_error(tr, "x", "again", "Wrong", 0);
	KUNIT_EXPECT_EQ(test, errors_nr(tr), 1);
}

static struct kunit_case errors_test_cases[] = {
	KUNIT_CASE(errors_format_test),
	KUNIT_CASE(errors_place_test),
	KUNIT_CASE(errors_no_instance_test),
	KUNIT_CASE(errors_latest_test),
	{}
};

static struct kunit_suite errors_test_suite = {
	.name		= "trace_error_log",
	.init		= errors_init,
	.exit		= errors_exit,
	.test_cases	= errors_test_cases,
};

kunit_test_suite(errors_test_suite);

MODULE_DESCRIPTION("KUnit tests of the log of errors in control files");
MODULE_LICENSE("GPL");
