// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what the text of a field's type says, and of option fields for entries that are no
 * events.
 */
#include <kunit/test.h>
#include <linux/seq_file.h>

#include "../core/entries.h"
#include "../output/output.h"
#include "events.h"
#include "fields.h"

#define TAG	"__attribute__((btf_type_tag(\"user\"))) "

/**
 * struct type_case - a type, and what follows from it
 * @type: the type
 * @count: members of the array; 0: it is none
 * @shown: the text that the file "format" shows
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
	{ "__rel_loc char[]", 0, "__rel_loc char name[];", FILTER_RDYN_STRING },
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

static void expect_entry(struct kunit *test, void *entry, unsigned int size, unsigned int type,
			 const char *expected)
{
	struct trace_iterator *iter = kunit_kzalloc(test, sizeof(*iter), GFP_KERNEL);
	struct trace_event *event = trace_entry_event(type);

	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_ASSERT_NOT_NULL(test, event);
	trace_seq_init(&iter->seq);
	iter->ent = entry;
	iter->ent_size = size;
	event->funcs->fields(iter, 0, event);
	iter->seq.buffer[trace_seq_used(&iter->seq)] = '\0';
	KUNIT_EXPECT_STREQ(test, iter->seq.buffer, expected);
}

static void entry_test(struct kunit *test)
{
	struct function_entry function = { .ip = 16, .parent_ip = 32 };

	expect_entry(test, &function, sizeof(function), TRACE_FN,
		     "function: ip=0x10 (16) parent_ip=0x20 (32)\n");
	expect_entry(test, &function, sizeof(function) - 1, TRACE_FN,
		     "function: ip=0x10 (16) parent_ip=<OVERFLOW>\n");
}

/* The array is as long as the entry says, which is padded. */
static void entry_array_test(struct kunit *test)
{
	struct {
		struct stack_entry entry;
		unsigned long more[9];
	} stack = { .entry.size = 2 };
	struct {
		struct print_entry entry;
		char text[16];
	} print = { .entry.ip = 16 };

	BUILD_BUG_ON(sizeof(stack) - sizeof(stack.entry) != sizeof(stack.more));
	stack.more[0] = 1;
	stack.more[8] = 9;
	expect_entry(test, &stack, sizeof(stack.entry) + 12, TRACE_STACK,
		     "kernel_stack: size=0x2 (2) caller={0x1}\n");
	expect_entry(test, &stack, sizeof(stack), TRACE_STACK,
		     "kernel_stack: size=0x2 (2) caller={0x1,0x0,0x0,0x0,0x0,0x0,0x0,0x0,0x9}\n");
	strscpy(print.text, "hello\n");
	expect_entry(test, &print, sizeof(print), TRACE_PRINT,
		     "print: ip=0x10 (16) buf=hello\n");
	expect_entry(test, &print, sizeof(print.entry) + 2, TRACE_PRINT,
		     "print: ip=0x10 (16) buf=he\n");
}

static struct kunit_case fields_test_cases[] = {
	KUNIT_CASE_PARAM(type_test, type_gen_params),
	KUNIT_CASE(entry_test),
	KUNIT_CASE(entry_array_test),
	{}
};

static struct kunit_suite fields_test_suite = {
	.name		= "trace_event_fields",
	.test_cases	= fields_test_cases,
};

kunit_test_suite(fields_test_suite);

MODULE_DESCRIPTION("KUnit tests of types of fields, and of option fields");
MODULE_LICENSE("GPL");
