// SPDX-License-Identifier: GPL-2.0
/*
 * One comparison of a filter: FIELD OPERATOR VALUE.
 *
 * The positions of errors are those that user space has come to expect: most of them are one
 * character after the wrong one.
 */
#include <linux/array_size.h>
#include <linux/align.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "../events.h"
#include "../fields.h"
#include "draft.h"

/* Digits of a number, with a sign and a NUL */
#define FILTER_NUMBER_MAX	25

enum filter_operator {
	FILTER_OP_GLOB,
	FILTER_OP_NE,
	FILTER_OP_EQ,
	FILTER_OP_LE,
	FILTER_OP_LT,
	FILTER_OP_GE,
	FILTER_OP_GT,
	FILTER_OP_AND,
};

/* An operator that begins with another one comes before it. */
static const char *const filter_operators[] = {
	[FILTER_OP_GLOB]	= "~",
	[FILTER_OP_NE]		= "!=",
	[FILTER_OP_EQ]		= "==",
	[FILTER_OP_LE]		= "<=",
	[FILTER_OP_LT]		= "<",
	[FILTER_OP_GE]		= ">=",
	[FILTER_OP_GT]		= ">",
	[FILTER_OP_AND]		= "&",
};

/* Names that stand for something outside of the record */
static const struct trace_event_field filter_other_fields[] = {
	{ .name = "CPU",	.type = "int", .size = 4, .is_signed = true, .kind = FILTER_CPU },
	{ .name = "cpu",	.type = "int", .size = 4, .is_signed = true, .kind = FILTER_CPU },
	{ .name = "common_cpu",	.type = "int", .size = 4, .is_signed = true, .kind = FILTER_CPU },
	{ .name = "COMM",	.type = "char *", .kind = FILTER_COMM },
	{ .name = "comm",	.type = "char *", .kind = FILTER_COMM },
	{ .name = "STACKTRACE",	.type = "char *", .kind = FILTER_STACKTRACE },
	{ .name = "stacktrace",	.type = "char *", .kind = FILTER_STACKTRACE },
};

/**
 * struct filter_comparison - a comparison that is being parsed
 * @draft: the program
 * @to: its step
 * @field: the field
 * @kind: how the field is treated
 * @op: the operator
 * @user: an address is one of user space: .ustring follows the name of the field
 * @function: the name of the field is followed by .function
 */
struct filter_comparison {
	struct filter_draft		*draft;
	struct filter_draft_step	*to;
	struct trace_event_field	field;
	enum trace_field_kind		kind;
	enum filter_operator		op;
	bool				user;
	bool				function;
};

static int filter_fail(struct filter_comparison *cmp, const char *what, const char *at)
{
	return trace_line_fail(&cmp->draft->line, -EINVAL, what, at);
}

/* Skip white space, and return the rest of the line. */
static const char *filter_rest(struct filter_comparison *cmp)
{
	return trace_line_rest(&cmp->draft->line);
}

static bool filter_kind_is_string(enum trace_field_kind kind)
{
	switch (kind) {
	case FILTER_STATIC_STRING:
	case FILTER_DYN_STRING:
	case FILTER_RDYN_STRING:
	case FILTER_PTR_STRING:
	case FILTER_COMM:
		return true;
	default:
		return false;
	}
}

/* The value is the same if the result is inverted. */
static void filter_invert(struct filter_comparison *cmp)
{
	cmp->to->inverted = !cmp->to->inverted;
}

/* Take memory that lasts as long as the filter, aligned for a mask; filter_count() counted it. */
static void *filter_add_data(struct filter_comparison *cmp, size_t size)
{
	struct filter_draft *draft = cmp->draft;
	void *data = draft->data + draft->data_size;

	size = ALIGN(size, FILTER_UNIT);
	if (WARN_ON_ONCE(size > draft->data_max - draft->data_size))
		return NULL;
	draft->data_size += size;
	cmp->to->step.data = data;
	cmp->to->has_data = true;
	return data;
}

/*
 * Numbers
 */

static bool filter_is_common_pid(const struct filter_comparison *cmp)
{
	return !strcmp(cmp->field.name, "common_pid");
}

/* The test of a number of the field's size: is it in a range? */
static enum trace_filter_test filter_range_test(const struct filter_comparison *cmp)
{
	if (cmp->kind == FILTER_CPU)
		return FILTER_TEST_THIS_CPU;
	if (filter_is_common_pid(cmp))
		return FILTER_TEST_PID;
	switch (cmp->field.size) {
	case 1:
		return FILTER_TEST_NUMBER_1;
	case 2:
		return FILTER_TEST_NUMBER_2;
	case 4:
		return FILTER_TEST_NUMBER_4;
	case 8:
		return FILTER_TEST_NUMBER_8;
	default:
		return FILTER_TEST_NEVER;
	}
}

/* Test whether the field is in the range, modulo 2 to the number of its bits. */
static void filter_set_range(struct filter_comparison *cmp, u64 from, u64 to)
{
	struct trace_filter_step *step = &cmp->to->step;
	u64 max = cmp->field.size < 8 ? BIT_ULL(8 * cmp->field.size) - 1 : U64_MAX;

	step->test = filter_range_test(cmp);
	step->from = from & max;
	step->span = (to - from) & max;
}

/* Compare with a number. It is cut to the size of the field. */
static void filter_set_number(struct filter_comparison *cmp, u64 value)
{
	struct trace_filter_step *step = &cmp->to->step;
	unsigned int bits = 8 * cmp->field.size;
	u64 max = bits < 64 ? BIT_ULL(bits) - 1 : U64_MAX, least = 0, most = max;

	if (filter_range_test(cmp) == FILTER_TEST_NEVER) {
		step->test = FILTER_TEST_NEVER;
		return;
	}
	if (cmp->field.is_signed) {
		most = max >> 1;
		least = ~most & max;
	}
	value &= max;
	step->test = FILTER_TEST_NEVER;
	switch (cmp->op) {
	case FILTER_OP_AND:
		step->test = cmp->kind == FILTER_CPU ? FILTER_TEST_THIS_CPU_BITS : FILTER_TEST_BITS;
		step->bits = value;
		break;
	case FILTER_OP_NE:
		filter_invert(cmp);
		fallthrough;
	case FILTER_OP_EQ:
		filter_set_range(cmp, value, value);
		break;
	case FILTER_OP_LT:
		if (value != least)
			filter_set_range(cmp, least, value - 1);
		break;
	case FILTER_OP_LE:
		filter_set_range(cmp, least, value);
		break;
	case FILTER_OP_GT:
		if (value != most)
			filter_set_range(cmp, value + 1, most);
		break;
	case FILTER_OP_GE:
		filter_set_range(cmp, value, most);
		break;
	default:
		break;
	}
}

static bool filter_parse_number(const char *digits, bool is_signed, u64 *value)
{
	return !(is_signed ? kstrtos64(digits, 0, (s64 *)value) : kstrtou64(digits, 0, value));
}

/* Take a sign, and letters and digits. @at: their start */
static struct trace_span filter_number_word(struct trace_line *line, const char *at)
{
	size_t len = *at == '-';

	while (isalnum(at[len]))
		len++;
	line->rest = at + len;
	return (struct trace_span){ .text = at, .len = len };
}

static int filter_number_value(struct filter_comparison *cmp, struct trace_span word)
{
	char digits[FILTER_NUMBER_MAX];
	u64 value;

	if (filter_kind_is_string(cmp->kind))
		return filter_fail(cmp, "Expecting string field", word.text + 1);
	if (cmp->op == FILTER_OP_GLOB || cmp->kind == FILTER_CPUMASK)
		return filter_fail(cmp, "Illegal operation for field type", word.text + 1);
	if (word.len >= sizeof(digits) - 1)
		return filter_fail(cmp, "Operand too long", word.text + word.len + 1);
	memcpy(digits, word.text, word.len);
	digits[word.len] = '\0';
	if (!filter_parse_number(digits, cmp->field.is_signed, &value))
		return filter_fail(cmp, "Illegal integer value", word.text + 1);
	if (cmp->kind != FILTER_STACKTRACE)
		filter_set_number(cmp, value);
	return 0;
}

/*
 * Functions
 */

static int filter_set_function(struct filter_comparison *cmp, unsigned long address,
			       const char *end)
{
	unsigned long size, offset;

	if (!address || !kallsyms_lookup_size_offset(address, &size, &offset))
		return filter_fail(cmp, "Function not found", end + 1);
	filter_set_range(cmp, address - offset, address - offset + size - 1);
	if (cmp->op == FILTER_OP_NE)
		filter_invert(cmp);
	return 0;
}

/* Take the name of a function, or an address in it. */
static int filter_function_value(struct filter_comparison *cmp)
{
	const char *at = filter_rest(cmp), *end;
	struct trace_span word;
	char name[KSYM_NAME_LEN];
	unsigned long address;

	if (cmp->field.size != sizeof(long) || filter_kind_is_string(cmp->kind))
		return filter_fail(cmp, "Illegal operation for field type", at + 1);
	if (cmp->op != FILTER_OP_EQ && cmp->op != FILTER_OP_NE)
		return filter_fail(cmp, "Invalid operator", at + 1);
	/* Whether an address is that of a function says where the kernel is. */
	if (cmp->draft->hides_functions)
		return -EPERM;
	word = trace_line_until(&cmp->draft->line, " \t\n)&|");
	end = word.text + word.len;
	if (word.len >= sizeof(name))
		return filter_fail(cmp, "Function not found", end + 1);
	memcpy(name, word.text, word.len);
	name[word.len] = '\0';
	if (!isdigit(*name))
		return filter_set_function(cmp, kallsyms_lookup_name(name), end);
	if (kstrtoul(name, 0, &address))
		return filter_fail(cmp, "Invalid value (did you forget quotes)?", end + 1);
	return filter_set_function(cmp, address, end);
}

/*
 * Strings
 */

/* The usual globs, "text*", "*text" and "*text*", are compared without glob_match(). */
static enum trace_filter_match filter_match(struct trace_span *word, enum filter_operator op)
{
	bool begins, ends;
	size_t i;

	if (op != FILTER_OP_GLOB)
		return FILTER_MATCH_ALL;
	for (i = 0; i < word->len; i++) {
		if (strchr("?[\\", word->text[i]) ||
		    (word->text[i] == '*' && i && i < word->len - 1))
			return FILTER_MATCH_GLOB;
	}
	begins = word->len && *word->text == '*';
	ends = word->len > 1 && word->text[word->len - 1] == '*';
	word->text += begins;
	word->len -= begins + ends;
	if (begins && ends)
		return FILTER_MATCH_PART;
	if (begins)
		return FILTER_MATCH_END;
	return ends ? FILTER_MATCH_BEGIN : FILTER_MATCH_ALL;
}

static enum trace_filter_test filter_string_test(const struct filter_comparison *cmp)
{
	switch (cmp->kind) {
	case FILTER_STATIC_STRING:
		return FILTER_TEST_STRING;
	case FILTER_DYN_STRING:
		return FILTER_TEST_STRING_DATA;
	case FILTER_RDYN_STRING:
		return FILTER_TEST_STRING_REL;
	case FILTER_PTR_STRING:
		return cmp->user ? FILTER_TEST_STRING_USER : FILTER_TEST_STRING_KERNEL;
	default:
		return FILTER_TEST_THIS_COMM;
	}
}

static int filter_set_string(struct filter_comparison *cmp, struct trace_span word)
{
	struct trace_filter_step *step = &cmp->to->step;
	char *pattern;

	step->differs = cmp->op == FILTER_OP_NE;
	if (cmp->op == FILTER_OP_GLOB && word.len && *word.text == '!') {
		step->differs = true;
		word.text++;
		word.len--;
	}
	step->test = filter_string_test(cmp);
	step->match = filter_match(&word, cmp->op);
	step->len = word.len;
	step->room = cmp->field.size;
	pattern = filter_add_data(cmp, word.len + 1);
	if (!pattern)
		return -EINVAL;
	memcpy(pattern, word.text, word.len);
	pattern[word.len] = '\0';
	return 0;
}

/* @at: the opening quote */
static int filter_string_value(struct filter_comparison *cmp, const char *at)
{
	struct trace_span word;
	int err = trace_line_quoted(&cmp->draft->line, &word);

	if (err)
		return err;
	if (cmp->op != FILTER_OP_EQ && cmp->op != FILTER_OP_NE && cmp->op != FILTER_OP_GLOB)
		return filter_fail(cmp, "Illegal operation for field type", at + 1);
	if (word.len >= MAX_FILTER_STR_VAL)
		return filter_fail(cmp, "Operand too long", word.text + word.len + 1);
	if (!filter_kind_is_string(cmp->kind))
		return filter_fail(cmp, "Expecting numeric field", at + 1);
	return filter_set_string(cmp, word);
}

/*
 * CPUs
 */

static void filter_set_cpus(struct filter_comparison *cmp, const struct cpumask *mask)
{
	struct trace_filter_step *step = &cmp->to->step;
	bool differs = cmp->op == FILTER_OP_NE;

	if (cmp->kind == FILTER_CPUMASK) {
		step->test = cmp->op == FILTER_OP_AND ? FILTER_TEST_CPUS_MEET :
			     differs ? FILTER_TEST_CPUS_DIFFER : FILTER_TEST_CPUS_EQUAL;
		return;
	}
	if (filter_range_test(cmp) == FILTER_TEST_NEVER)
		return;
	/* A number is equal to one CPU, or it is not; to several it is never equal. */
	if (cpumask_weight(mask) == 1) {
		cmp->to->has_data = false;
		filter_set_range(cmp, cpumask_first(mask), cpumask_first(mask));
	} else if (cmp->op == FILTER_OP_AND) {
		step->test = cmp->kind == FILTER_CPU ? FILTER_TEST_THIS_CPU_IN : FILTER_TEST_CPU_IN;
	}
	if (differs)
		filter_invert(cmp);
}

/* Parse CPUS{LIST}; cpulist_parse() defines LIST. @at: start of "CPUS". */
static int filter_cpus_value(struct filter_comparison *cmp, const char *at)
{
	struct trace_line *line = &cmp->draft->line;
	struct cpumask *mask;
	struct trace_span list;
	char *text;
	int err;

	if (filter_kind_is_string(cmp->kind) ||
	    (cmp->op != FILTER_OP_EQ && cmp->op != FILTER_OP_NE && cmp->op != FILTER_OP_AND))
		return filter_fail(cmp, "Illegal operation for field type", at + 1);
	line->rest = at + strlen("CPUS");
	if (*line->rest != '{')
		return filter_fail(cmp, "Missing '{'", line->rest + 2);
	line->rest++;
	/* A list has neither quotes, which might hide operators, nor ends of lines. */
	list = trace_line_until(line, "}'\"\n");
	if (*line->rest != '}')
		return filter_fail(cmp, "Missing '}'", line->rest + 1);
	mask = filter_add_data(cmp, cpumask_size());
	if (!mask)
		return -EINVAL;
	text = kmemdup_nul(list.text, list.len, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	err = cpulist_parse(text, mask);
	kfree(text);
	if (err || line->rest[-1] == '{')
		return filter_fail(cmp, "Invalid cpulist", line->rest + 1);
	line->rest++;
	filter_set_cpus(cmp, mask);
	return 0;
}

static int filter_value(struct filter_comparison *cmp)
{
	const char *at = filter_rest(cmp);

	if (cmp->function)
		return filter_function_value(cmp);
	if (str_has_prefix(at, "CPUS"))
		return filter_cpus_value(cmp, at);
	if (*at == '"' || *at == '\'')
		return filter_string_value(cmp, at);
	if (!isdigit(*at) && *at != '-')
		return filter_fail(cmp, "Invalid value (did you forget quotes)?", at + 1);
	return filter_number_value(cmp, filter_number_word(&cmp->draft->line, at));
}

static int filter_operator(struct filter_comparison *cmp)
{
	for (cmp->op = 0; cmp->op < ARRAY_SIZE(filter_operators); cmp->op++) {
		if (trace_line_take(&cmp->draft->line, filter_operators[cmp->op]))
			return 0;
	}
	return filter_fail(cmp, "Invalid operator", filter_rest(cmp) + 1);
}

/* An event's own field hides another one of the same name. */
static bool filter_find_field(struct filter_comparison *cmp, struct trace_span name)
{
	unsigned int i;

	if (trace_event_find_field(cmp->draft->call, name, &cmp->field))
		return true;
	for (i = 0; i < ARRAY_SIZE(filter_other_fields); i++) {
		cmp->field = filter_other_fields[i];
		if (trace_span_is(&name, cmp->field.name))
			return true;
	}
	return false;
}

static bool filter_suffix(struct filter_comparison *cmp, const char *suffix)
{
	struct trace_line *line = &cmp->draft->line;
	size_t len = str_has_prefix(line->rest, suffix);

	line->rest += len;
	return len;
}

/**
 * filter_predicate - parse a comparison
 * @draft: the program
 * @to: its step, which is all zero but for @to->inverted; is filled in
 *
 * Context: may sleep.
 * Return: 0; negative errno, for which an error may be set in @draft->line: -EINVAL, -EPERM if no
 * name is next, -ENOMEM.
 */
int filter_predicate(struct filter_draft *draft, struct filter_draft_step *to)
{
	struct filter_comparison cmp = { .draft = draft, .to = to };
	struct trace_span name = trace_line_name(&draft->line);
	int err;

	if (!name.len)
		return -EPERM;
	if (!filter_find_field(&cmp, name))
		return filter_fail(&cmp, "Field not found", name.text + name.len + 1);
	cmp.kind = trace_event_field_kind(&cmp.field);
	cmp.user = filter_suffix(&cmp, ".ustring") || trace_event_is_of_program(draft->call);
	cmp.function = filter_suffix(&cmp, ".function");
	to->step.test = FILTER_TEST_NEVER;
	to->step.size = min(cmp.field.size, 8);
	to->step.offset = cmp.field.offset;
	err = filter_operator(&cmp);
	return err ?: filter_value(&cmp);
}
