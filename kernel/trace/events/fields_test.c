// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what the text of a field's type says.
 */
#include <kunit/test.h>
#include <linux/seq_file.h>

#include "events.h"
#include "fields.h"

#define TAG	"__attribute__((btf_type_tag(\"user\"))) "

/**
 * struct type_case - a type, and what follows from it
 * @type: the type
 * @count: members of the array; 0: it is none
 * @shown: what the file format says
 * @kind: how the field is treated
 */
struct type_case {
	const char		*type;
	unsigned int		count;
	const char		*shown;
	enum trace_field_kind	kind;
};

static const struct type_case type_cases[] = {
	{ "int", 0, "int name;", FILTER_OTHER },
	{ "int", 4, "int name[4];", FILTER_OTHER },
	{ "char", 0, "char name;", FILTER_OTHER },
	{ "char", 4, "char name[4];", FILTER_STATIC_STRING },
	{ "char *", 0, "char * name;", FILTER_PTR_STRING },
	{ "const char *", 0, "const char * name;", FILTER_PTR_STRING },
	{ "char **", 0, "char ** name;", FILTER_OTHER },
	{ "const char * const *", 0, "const char * const * name;", FILTER_OTHER },
	{ "const void *", 0, "const void * name;", FILTER_OTHER },
	{ "char " TAG "*", 0, "char * name;", FILTER_PTR_STRING },
	{ "const char " TAG "*", 0, "const char * name;", FILTER_PTR_STRING },
	{ "const char " TAG "* " TAG "*", 0, "const char * * name;", FILTER_OTHER },
	{ "void " TAG "*", 0, "void * name;", FILTER_OTHER },
	{ "__data_loc char[]", 0, "__data_loc char[] name;", FILTER_DYN_STRING },
	{ "__rel_loc char[]", 0, "__rel_loc char[] name;", FILTER_RDYN_STRING },
	{ "__data_loc cpumask_t", 0, "__data_loc cpumask_t name;", FILTER_CPUMASK },
	{ "__data_loc u8[]", 0, "__data_loc u8[] name;", FILTER_OTHER },
};

KUNIT_ARRAY_PARAM_DESC(type, type_cases, type);

static void type_test(struct kunit *test)
{
	const struct type_case *c = test->param_value;
	struct trace_event_field fields[2] = {
		{ .type = c->type, .name = "name", .count = c->count },
	};
	char buf[128], expected[128];
	struct seq_file m = { .buf = buf, .size = sizeof(buf) };

	KUNIT_EXPECT_EQ(test, trace_event_field_kind(fields), c->kind);
	trace_format_fields(&m, fields);
	buf[m.count] = '\0';
	snprintf(expected, sizeof(expected), "\tfield:%s\toffset:0;\tsize:0;\tsigned:0;\n\n",
		 c->shown);
	KUNIT_EXPECT_STREQ(test, buf, expected);
}

static struct kunit_case fields_test_cases[] = {
	KUNIT_CASE_PARAM(type_test, type_gen_params),
	{}
};

static struct kunit_suite fields_test_suite = {
	.name		= "trace_event_fields",
	.test_cases	= fields_test_cases,
};

kunit_test_suite(fields_test_suite);

MODULE_DESCRIPTION("KUnit tests of the types of fields");
MODULE_LICENSE("GPL");
