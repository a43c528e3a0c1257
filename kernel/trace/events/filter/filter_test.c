// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of filters: the records that they allow, and the positions of errors.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "filter_test.h"

#define FIELD(field_type, member, field_count, field_signed)			\
	{									\
		.type		= field_type,					\
		.name		= #member,					\
		.offset		= offsetof(struct filter_record, member),	\
		.size		= sizeof_field(struct filter_record, member),	\
		.count		= field_count,					\
		.is_signed	= field_signed,					\
	}

static const struct trace_event_field filter_test_fields[] = {
	FIELD("s8", byte, 0, true),
	FIELD("u8", ubyte, 0, false),
	FIELD("u16", half, 0, false),
	FIELD("s32", word, 0, true),
	FIELD("u64", large, 0, false),
	FIELD("s64", slarge, 0, true),
	FIELD("u32", uword, 0, false),
	FIELD("s16", shalf, 0, true),
	FIELD("u8", zero, 0, false),
	FIELD("u8", odd, 3, false),
	FIELD("unsigned long", where, 0, false),
	FIELD("char", name, 8, false),
	FIELD("char", mark, 4, false),
	FIELD("__data_loc char[]", text_loc, 0, true),
	FIELD("__rel_loc char[]", rel_loc, 0, true),
	FIELD("__data_loc cpumask_t", cpus_loc, 0, false),
	FIELD("const char *", address, 0, false),
	{}
};

static const struct trace_event_field *filter_test_get_fields(void)
{
	return filter_test_fields;
}

static const struct trace_event_class filter_test_class = {
	.system	= "filter_test",
	.fields	= filter_test_get_fields,
};

const struct trace_event_call filter_test_call = {
	.class	= &filter_test_class,
	.name	= "filter_test",
};

void filter_record_init(struct filter_record *record)
{
	*record = (struct filter_record){
		.entry		= { .type = 300, .flags = 5, .preempt_count = 1,
				    .pid = current->pid },
		.byte		= -3,
		.ubyte		= 200,
		.half		= 40000,
		.word		= -70000,
		.large		= U64_MAX - 1,
		.slarge		= S64_MIN,
		.uword		= U32_MAX - 1,
		.shalf		= -300,
		.where		= (unsigned long)trace_filter_run,
		.name		= "abc",
		.text_loc	= offsetof(struct filter_record, text) | 5 << 16,
		.rel_loc	= (offsetof(struct filter_record, rel) -
				   offsetofend(struct filter_record, rel_loc)) | 4 << 16,
		.cpus_loc	= offsetof(struct filter_record, cpus) |
				  BITS_TO_LONGS(nr_cpumask_bits) * sizeof(long) << 16,
		.address	= "an address",
		.text		= "text",
		.rel		= "rel",
	};
	cpumask_set_cpu(0, (struct cpumask *)record->cpus);
}

/* Answers of filters */
struct filter_case {
	const char	*text;
	bool		allows;
	bool		may;	/* before there is a record */
};

static const struct filter_case filter_cases[] = {
	{ "byte == -3", true, true },
	{ "byte == 253", true, true },	/* cut to the size */
	{ "byte < -2", true, true },
	{ "byte < -3", false, true },
	{ "byte <= -3", true, true },
	{ "byte < -128", false, false },
	{ "byte > 127", false, false },
	{ "byte >= -128", true, true },
	{ "byte > 0", false, true },
	{ "byte & 1", true, true },
	{ "byte & 2", false, true },
	{ "ubyte > 199", true, true },
	{ "ubyte >= 200 && ubyte <= 200", true, true },
	{ "ubyte < 0", false, false },
	{ "ubyte > 255", false, false },
	{ "half == 0x9c40", true, true },
	{ "half > 32767", true, true },
	{ "word < 0", true, true },
	{ "word == -70000", true, true },
	{ "word != -70000", false, true },
	{ "!(word != -70000)", true, true },
	{ "word > 2147483647", false, false },
	{ "uword == 4294967294", true, true },
	{ "uword > 2147483648", true, true },
	{ "shalf == -300", true, true },
	{ "shalf < 0", true, true },
	{ "large == 18446744073709551614", true, true },
	{ "large > 9223372036854775808", true, true },
	{ "slarge < 0", true, true },
	{ "slarge <= -9223372036854775808", true, true },
	{ "slarge < -9223372036854775808", false, false },
	{ "large & 0x8000000000000000", true, true },
	{ "odd == 0", false, false },
	{ "odd != 0", false, false },
	{ "name == \"abc\"", true, true },
	{ "name == \"ab\"", false, true },
	{ "name == \"abcd\"", false, true },
	{ "name != 'abc'", false, true },
	{ "name ~ \"ab*\"", true, true },
	{ "name ~ \"*bc\"", true, true },
	{ "name ~ \"*b*\"", true, true },
	{ "name ~ \"*\"", true, true },
	{ "name ~ \"a?c\"", true, true },
	{ "name ~ \"a*c\"", true, true },
	{ "name ~ \"[x-z]bc\"", false, true },
	{ "name ~ \"!a*\"", false, true },
	{ "name ~ \"!x*\"", true, true },
	{ "name ~ \"*abcd*\"", false, true },
	{ "name ~ \"abc\"", true, true },
	{ "text_loc == \"text\"", true, true },
	{ "text_loc ~ \"*xt\"", true, true },
	{ "rel_loc == \"rel\"", true, true },
	{ "rel_loc != \"rel\"", false, true },
	{ "address == \"an address\"", true, true },
	{ "address ~ \"*addr*\"", true, true },
	{ "address.ustring == \"an address\"", false, true },
	{ "address.ustring != \"an address\"", false, true },
	{ "cpus_loc & CPUS{0}", true, true },
	{ "cpus_loc == CPUS{0}", true, true },
	{ "cpus_loc != CPUS{0}", false, true },
	{ "zero & CPUS{0}", true, true },
	{ "zero == CPUS{0}", true, true },
	{ "zero != CPUS{0}", false, true },
	{ "zero & CPUS{all}", true, true },
	{ "ubyte & CPUS{0}", false, true },
	{ "half & CPUS{all}", false, true },
	{ "ubyte == CPUS{0}", false, true },
	{ "ubyte != CPUS{0}", true, true },
	{ "zero == CPUS{ }", false, false },
	{ "zero != CPUS{ }", true, true },
	{ "where.function == trace_filter_run", true, true },
	{ "where.function != trace_filter_run", false, true },
	{ "(where.function==trace_filter_run)", true, true },
	{ "where.function == trace_filter_compile", false, true },
	{ "common_flags & CPUS{0}", false, true },
	{ "common_type == 300", true, true },
	{ "common_flags & 4", true, true },
	{ "common_preempt_count == 1", true, true },
	{ "common_pid >= 0", true, true },
	{ "common_pid < 0", false, false },
	{ "common_pid & 0", false, true },
	{ "comm ~ \"*kunit*\"", true, true },
	{ "comm == \"x\"", false, false },
	{ "cpu >= 0", true, true },
	{ "cpu == 99999", false, false },
	{ "cpu & CPUS{all}", true, true },
	{ "cpu & 0", false, false },
	{ "stacktrace == 0", false, false },
	{ "stacktrace != 0", false, false },

	/* && is before || */
	{ "byte == 1 && byte == 1 || word < 0", true, true },
	{ "word < 0 || byte == 1 && byte == 1", true, true },
	{ "(word < 0 || byte == 1) && byte == 1", false, true },
	{ "!(byte == 1 || half == 1)", true, true },
	{ "!byte == 1 && !!word < 0", true, true },
	{ "!(!(byte == -3) || !(word < 0))", true, true },
	{ "((((byte == -3))))", true, true },

	/* Answers that are known before there is a record */
	{ "comm == \"x\" && byte == -3", false, false },
	{ "byte == -3 && comm == \"x\"", false, false },
	{ "byte == -3 || comm == \"x\"", true, true },
	{ "comm == \"x\" || byte == -3", true, true },
	{ "!(byte == 1 || common_pid >= 0)", false, false },
	{ "!(byte == 1 && common_pid >= 0)", true, true },
	{ "comm == \"x\" || cpu >= 0 && word < 0", true, true },
	{ "(comm == \"x\" || word < 0) && (comm == \"y\" || cpu == 99999)", false, false },
};

static void filter_answers(struct kunit *test)
{
	struct trace_filter_error error;
	struct filter_record record;
	struct event_filter *filter;
	unsigned int i;

	filter_record_init(&record);
	for (i = 0; i < ARRAY_SIZE(filter_cases); i++) {
		const struct filter_case *c = &filter_cases[i];

		filter = trace_filter_compile(&filter_test_call, c->text, &error);
		KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(filter), "%s: %s", c->text, error.text);
		KUNIT_EXPECT_STREQ(test, filter->text, c->text);
		KUNIT_EXPECT_EQ_MSG(test, filter_test_allows(filter, &record), c->allows, "%s",
				    c->text);
		KUNIT_EXPECT_EQ_MSG(test, filter_test_may_allow(filter), c->may, "%s", c->text);
		kfree(filter);
	}
}

/* A string at an address that cannot be read is neither equal nor different. */
static void filter_bad_addresses(struct kunit *test)
{
	static const char *const texts[] = {
		"address == \"x\"", "address != \"x\"", "address ~ \"*\"",
		"address.ustring == \"x\"", "address.ustring != \"x\"",
	};
	struct trace_filter_error error;
	struct filter_record record;
	struct event_filter *filter;
	unsigned int i;

	if (IS_ENABLED(CONFIG_UML))
		kunit_skip(test, "the kernel cannot handle bad addresses");
	filter_record_init(&record);
	record.address = NULL;
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		filter = trace_filter_compile(&filter_test_call, texts[i], &error);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, filter);
		KUNIT_EXPECT_FALSE_MSG(test, filter_test_allows(filter, &record), "%s", texts[i]);
		kfree(filter);
	}
}

/* The longest texts: a level for each parenthesis, and many comparisons */
static void filter_long(struct kunit *test)
{
	static const char comparison[] = "byte==1||";
	char *text = kunit_kmalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct trace_filter_error error;
	struct filter_record record;
	struct event_filter *filter;
	size_t depth = (PAGE_SIZE - sizeof(comparison)) / 2, at = 0;

	KUNIT_ASSERT_NOT_NULL(test, text);
	filter_record_init(&record);
	memset(text, '(', depth);
	memcpy(text + depth, "byte<0", strlen("byte<0"));
	memset(text + depth + strlen("byte<0"), ')', depth);
	text[2 * depth + strlen("byte<0")] = '\0';
	filter = trace_filter_compile(&filter_test_call, text, &error);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, filter);
	KUNIT_EXPECT_TRUE(test, filter_test_allows(filter, &record));
	kfree(filter);

	for (; at + 2 * sizeof(comparison) < PAGE_SIZE; at += strlen(comparison))
		memcpy(text + at, comparison, strlen(comparison));
	strscpy(text + at, "byte<0", PAGE_SIZE - at);
	filter = trace_filter_compile(&filter_test_call, text, &error);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, filter);
	KUNIT_EXPECT_TRUE(test, filter_test_allows(filter, &record));
	kfree(filter);
}

/* Compile as many patterns and masks as there can be; patterns have all lengths modulo 8. */
static void filter_much_data(struct kunit *test)
{
	char *text = kunit_kmalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct trace_filter_error error;
	struct filter_record record;
	struct event_filter *filter;
	int len, used;

	KUNIT_ASSERT_NOT_NULL(test, text);
	filter_record_init(&record);
	for (len = 0; len <= 16; len++) {
		for (used = 0; used < PAGE_SIZE - 64; )
			used += sprintf(text + used, "name=='%0*d'||", len, 0);
		strscpy(text + used, "byte<0", PAGE_SIZE - used);
		filter = trace_filter_compile(&filter_test_call, text, &error);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, filter);
		KUNIT_EXPECT_TRUE(test, filter_test_allows(filter, &record));
		kfree(filter);
	}
	for (used = 0; used < PAGE_SIZE - 64; )
		used += sprintf(text + used, "ubyte&CPUS{all}||");
	strscpy(text + used, "byte<0", PAGE_SIZE - used);
	filter = trace_filter_compile(&filter_test_call, text, &error);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, filter);
	KUNIT_EXPECT_TRUE(test, filter_test_allows(filter, &record));
	kfree(filter);
}

/* Does a filter need the flags and depths of a record? */
static void filter_context(struct kunit *test)
{
	static const struct {
		const char	*text;
		bool		reads;
	} cases[] = {
		{ "common_flags & 1", true },
		{ "common_preempt_count == 1", true },
		{ "byte == 1 || !(common_preempt_count > 0)", true },
		{ "common_pid == 1", false },
		{ "common_type == 1", false },
		{ "cpu == 1 || cpu & CPUS{0}", false },
		{ "comm == \"sh\"", false },
		{ "byte == 1 && name == \"sh\" && uword & 2", false },
	};
	struct trace_filter_error error;
	struct event_filter *filter;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		filter = trace_filter_compile(&filter_test_call, cases[i].text, &error);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, filter);
		KUNIT_EXPECT_EQ_MSG(test, filter->reads_context, cases[i].reads, "%s",
				    cases[i].text);
		kfree(filter);
	}
}

/* Positions of errors; stock/oracle/filter_texts.txt has many more. */
static void filter_errors(struct kunit *test)
{
	static const struct {
		const char	*text;
		int		err;
		const char	*error;
		unsigned int	at;
	} cases[] = {
		{ "", -EINVAL, NULL, 0 },
		{ "byte == 1 && wrod == 1", -EINVAL, "Field not found", 18 },
		{ "byte = 1", -EINVAL, "Invalid operator", 6 },
		{ "byte == abc", -EINVAL, "Invalid value (did you forget quotes)?", 9 },
		{ "name == abc", -EINVAL, "Invalid value (did you forget quotes)?", 9 },
		{ "name == 1", -EINVAL, "Expecting string field", 9 },
		{ "byte == \"1\"", -EINVAL, "Expecting numeric field", 9 },
		{ "large == -1", -EINVAL, "Illegal integer value", 10 },
		{ "name < \"a\"", -EINVAL, "Illegal operation for field type", 8 },
		{ "byte == 1 ||", -EINVAL, "Meaningless filter expression", 12 },
		{ "!", -EINVAL, "No filter found", 1 },
		{ "byte == 1 2", -EPERM, "Too many terms in predicate expression", 10 },
		{ "byte == 1)", -EPERM, "Too few '('", 9 },
		{ "((byte == 1)", -ENOENT, "Too many '('", 0 },
		{ "name == \"abc", -ESRCH, "Missing matching quote", 8 },
		{ "ubyte & CPUS{0", -EINVAL, "Missing '}'", 15 },
		{ "cpu==CPUS{0\n'}&&cpu==1&&cpu==1'", -EINVAL, "Missing '}'", 12 },
		{ "name.function == x", -EINVAL, "Illegal operation for field type", 18 },
		{ "cpus_loc == 1", -EINVAL, "Illegal operation for field type", 13 },
	};
	struct trace_filter_error error;
	struct event_filter *filter;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		filter = trace_filter_compile(&filter_test_call, cases[i].text, &error);
		KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(filter), cases[i].err, "%s",
				    cases[i].text);
		KUNIT_EXPECT_STREQ_MSG(test, error.text ?: "", cases[i].error ?: "", "%s",
				       cases[i].text);
		KUNIT_EXPECT_EQ_MSG(test, error.at, cases[i].at, "%s", cases[i].text);
	}
}

/* A string in a filter has up to 255 characters. */
static void filter_long_strings(struct kunit *test)
{
	static const char begin[] = "name == \"";
	struct trace_filter_error error;
	struct event_filter *filter;
	char text[sizeof(begin) + 257];
	size_t len, at;

	for (len = 255; len <= 256; len++) {
		at = strlen(begin) + len;
		memcpy(text, begin, strlen(begin));
		memset(text + strlen(begin), 'x', len);
		strscpy(text + at, "\"", sizeof(text) - at);
		filter = trace_filter_compile(&filter_test_call, text, &error);
		KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(filter), len > 255 ? -EINVAL : 0,
				    "%zu characters", len);
		KUNIT_EXPECT_STREQ(test, error.text ?: "", len > 255 ? "Operand too long" : "");
		KUNIT_EXPECT_EQ_MSG(test, error.at, len > 255 ? at + 1 : 0, "%zu characters", len);
		if (!IS_ERR(filter))
			kfree(filter);
	}
}

static struct kunit_case filter_tests[] = {
	KUNIT_CASE(filter_answers),
	KUNIT_CASE(filter_bad_addresses),
	KUNIT_CASE(filter_long),
	KUNIT_CASE(filter_long_strings),
	KUNIT_CASE(filter_much_data),
	KUNIT_CASE(filter_context),
	KUNIT_CASE(filter_errors),
	{}
};

static struct kunit_suite filter_suite = {
	.name		= "event_filter",
	.test_cases	= filter_tests,
};

kunit_test_suites(&filter_suite);
