// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of random filters. Each filter is a tree first. Its text is compiled, and the answers
 * are compared with those of an evaluator that works on the tree. Texts that are damaged afterwards
 * are refused, with an error inside of the text.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "filter_test.h"

#define TREE_NODES	64
#define TREE_TEXT	4096

enum tree_kind {
	TREE_AND,
	TREE_OR,
	TREE_NUMBER,
	TREE_STRING,
};

struct tree_node {
	enum tree_kind	kind;
	bool		inverted;
	unsigned int	child[2];
	unsigned int	field;
	unsigned int	op;
	u64		value;
	const char	*pattern;
};

/**
 * struct tree - an expression
 * @random: state of its random choices
 * @record: the record
 * @node: its nodes; the first is the root
 * @nr: number of nodes
 * @text: the expression as text
 * @len: its length
 */
struct tree {
	struct rnd_state	random;
	struct filter_record	record;
	struct tree_node	node[TREE_NODES];
	unsigned int		nr;
	char			text[TREE_TEXT];
	int			len;
};

/* Answers: before there is a record, both may be possible. */
#define TREE_FALSE	BIT(0)
#define TREE_TRUE	BIT(1)

static const char *const tree_number_ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
static const char *const tree_string_ops[] = { "==", "!=", "~" };

/* Fields, and pseudo-fields, whose values are known without a record from TREE_EARLY on */
static const struct {
	const char	*name;
	unsigned int	size;
	bool		is_signed;
} tree_numbers[] = {
	{ "byte", 1, true }, { "ubyte", 1, false }, { "half", 2, false }, { "word", 4, true },
	{ "large", 8, false }, { "slarge", 8, true }, { "common_flags", 1, false },
	{ "common_pid", 4, true },
};
#define TREE_NUMBER_EARLY	7

static const char *const tree_strings[] = { "name", "text_loc", "rel_loc", "address", "comm" };
#define TREE_STRING_EARLY	4

static const char *const tree_patterns[] = {
	"", "a", "abc", "a*", "*c", "*b*", "text", "t??t", "*e*", "rel", "r[aeiou]l", "!r*",
	"an address", "*add*", "a*b*c", "*\\ss", "kunit*", "*try*",
};

static u32 tree_random(struct tree *tree, u32 below)
{
	return prandom_u32_state(&tree->random) % below;
}

static u64 tree_number(const struct tree *tree, unsigned int field)
{
	const struct filter_record *record = &tree->record;

	switch (field) {
	case 0:
		return record->byte;
	case 1:
		return record->ubyte;
	case 2:
		return record->half;
	case 3:
		return record->word;
	case 4:
		return record->large;
	case 5:
		return record->slarge;
	case 6:
		return record->entry.flags;
	default:
		return current->pid;
	}
}

static const char *tree_string(const struct tree *tree, unsigned int field)
{
	const struct filter_record *record = &tree->record;

	switch (field) {
	case 0:
		return record->name;
	case 1:
		return record->text;
	case 2:
		return record->rel;
	case 3:
		return record->address;
	default:
		return current->comm;
	}
}

/* The value that a number in the text has in a field of @size bytes. */
static s64 tree_cut(u64 value, unsigned int size)
{
	return size == 1 ? (s8)value : size == 2 ? (s16)value : size == 4 ? (s32)value : value;
}

static bool tree_number_is(const struct tree *tree, const struct tree_node *node)
{
	unsigned int size = tree_numbers[node->field].size;
	s64 is = tree_cut(tree_number(tree, node->field), size);
	s64 value = tree_cut(node->value, size);
	u64 mask = size < 8 ? BIT_ULL(8 * size) - 1 : U64_MAX;
	bool less;

	if (tree_numbers[node->field].is_signed)
		less = is < value;
	else
		less = (is & mask) < (value & mask);
	switch (node->op) {
	case 0:
		return is == value;
	case 1:
		return is != value;
	case 2:
		return less;
	case 3:
		return less || is == value;
	case 4:
		return !less && is != value;
	case 5:
		return !less;
	default:
		return is & value & mask;
	}
}

/* Match a glob; without ranges and "!" in classes */
static bool tree_glob(const char *pattern, const char *text)
{
	const char *end;
	bool found;

	switch (*pattern) {
	case '\0':
		return !*text;
	case '*':
		return tree_glob(pattern + 1, text) || (*text && tree_glob(pattern, text + 1));
	case '?':
		return *text && tree_glob(pattern + 1, text + 1);
	case '[':
		end = strchr(pattern, ']');
		found = *text && memchr(pattern + 1, *text, end - pattern - 1);
		return found && tree_glob(end + 1, text + 1);
	case '\\':
		pattern++;
		fallthrough;
	default:
		return *pattern == *text && tree_glob(pattern + 1, text + 1);
	}
}

static bool tree_string_is(const struct tree *tree, const struct tree_node *node)
{
	const char *text = tree_string(tree, node->field), *pattern = node->pattern;

	switch (node->op) {
	case 0:
		return !strcmp(text, pattern);
	case 1:
		return strcmp(text, pattern);
	default:
		return *pattern == '!' ? !tree_glob(pattern + 1, text) : tree_glob(pattern, text);
	}
}

/* Is a comparison false for all values, as no number of the field is less, or greater? */
static bool tree_is_never(const struct tree_node *node)
{
	unsigned int bits = 8 * tree_numbers[node->field].size;
	u64 max = U64_MAX >> (64 - bits), greatest = max, least = 0;

	if (tree_numbers[node->field].is_signed) {
		greatest = max >> 1;
		least = greatest + 1;
	}
	return (node->op == 2 && (node->value & max) == least) ||
	       (node->op == 4 && (node->value & max) == greatest);
}

/* Is the node's answer known without a record? */
static bool tree_is_early(const struct tree_node *node)
{
	if (node->kind == TREE_STRING)
		return node->field >= TREE_STRING_EARLY;
	if (tree_is_never(node))
		return true;
	/* Bits of a field need the record. */
	return node->field >= TREE_NUMBER_EARLY && node->op < 6;
}

/* Return a mask of TREE_FALSE and TREE_TRUE. @early: there is no record yet */
static unsigned int tree_evaluate(const struct tree *tree, unsigned int nr, bool early)
{
	const struct tree_node *node = &tree->node[nr];
	unsigned int result, a, b;

	if (node->kind == TREE_AND || node->kind == TREE_OR) {
		a = tree_evaluate(tree, node->child[0], early);
		b = tree_evaluate(tree, node->child[1], early);
		if (node->kind == TREE_AND)
			result = (a & b & TREE_TRUE) | ((a | b) & TREE_FALSE);
		else
			result = ((a | b) & TREE_TRUE) | (a & b & TREE_FALSE);
	} else if (early && !tree_is_early(node)) {
		result = TREE_FALSE | TREE_TRUE;
	} else if (node->kind == TREE_NUMBER) {
		result = tree_number_is(tree, node) ? TREE_TRUE : TREE_FALSE;
	} else {
		result = tree_string_is(tree, node) ? TREE_TRUE : TREE_FALSE;
	}
	if (node->inverted)
		result = result >> 1 | (result & TREE_FALSE) << 1;
	return result;
}

static unsigned int tree_grow(struct tree *tree, unsigned int depth)
{
	unsigned int nr = tree->nr++;
	struct tree_node *node = &tree->node[nr];

	node->inverted = !tree_random(tree, 4);
	if (depth && tree_random(tree, 4)) {
		node->kind = tree_random(tree, 2) ? TREE_AND : TREE_OR;
		node->child[0] = tree_grow(tree, depth - 1);
		node->child[1] = tree_grow(tree, depth - 1);
	} else if (tree_random(tree, 3)) {
		node->kind = TREE_NUMBER;
		node->field = tree_random(tree, ARRAY_SIZE(tree_numbers));
		node->op = tree_random(tree, ARRAY_SIZE(tree_number_ops));
		node->value = tree_number(tree, node->field) + tree_random(tree, 5) - 2;
		if (!tree_random(tree, 4))
			node->value = prandom_u32_state(&tree->random);
		if (!tree_random(tree, 8))
			node->value = 1ULL << tree_random(tree, 64);
	} else {
		node->kind = TREE_STRING;
		node->field = tree_random(tree, ARRAY_SIZE(tree_strings));
		node->op = tree_random(tree, ARRAY_SIZE(tree_string_ops));
		node->pattern = tree_patterns[tree_random(tree, ARRAY_SIZE(tree_patterns))];
	}
	return nr;
}

static __printf(2, 3) void tree_print(struct tree *tree, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tree->len += vscnprintf(tree->text + tree->len, TREE_TEXT - tree->len, fmt, args);
	va_end(args);
}

static void tree_print_number(struct tree *tree, const struct tree_node *node)
{
	s64 value = tree_cut(node->value, tree_numbers[node->field].size);

	tree_print(tree, "%s%s%s%s", tree_numbers[node->field].name,
		   tree_random(tree, 2) ? " " : "", tree_number_ops[node->op],
		   tree_random(tree, 2) ? " " : "");
	if (tree_numbers[node->field].is_signed)
		tree_print(tree, "%lld", value);
	else
		tree_print(tree, tree_random(tree, 2) ? "%llu" : "0x%llx", node->value);
}

/* @outer: kind of the parent; parentheses are left out where && is before || anyway. */
static void tree_write(struct tree *tree, unsigned int nr, enum tree_kind outer)
{
	const struct tree_node *node = &tree->node[nr];
	bool leaf = node->kind == TREE_NUMBER || node->kind == TREE_STRING;
	bool parentheses = leaf ? !tree_random(tree, 8) :
			   node->inverted || node->kind > outer || !tree_random(tree, 4);

	if (node->inverted)
		tree_print(tree, tree_random(tree, 4) ? "!" : "! !!");
	if (parentheses)
		tree_print(tree, "(");
	if (node->kind == TREE_NUMBER) {
		tree_print_number(tree, node);
	} else if (node->kind == TREE_STRING) {
		tree_print(tree, "%s %s %c%s%c", tree_strings[node->field],
			   tree_string_ops[node->op], "'\""[nr % 2], node->pattern, "'\""[nr % 2]);
	} else {
		tree_write(tree, node->child[0], node->kind);
		tree_print(tree, node->kind == TREE_AND ? " && " : "||");
		tree_write(tree, node->child[1], node->kind);
	}
	if (parentheses)
		tree_print(tree, ")");
}

/* A new tree, and its text */
static void tree_make(struct tree *tree)
{
	tree->nr = 0;
	tree->len = 0;
	tree_grow(tree, 1 + tree_random(tree, 4));
	tree_write(tree, 0, TREE_OR);
	tree->record.byte = prandom_u32_state(&tree->random);
	tree->record.half = prandom_u32_state(&tree->random);
}

/* User-Mode Linux runs as fast as the host. */
#define TREES	(IS_ENABLED(CONFIG_UML) ? 100000 : 3000)

static void filter_random(struct kunit *test)
{
	struct tree *tree = kunit_kzalloc(test, sizeof(*tree), GFP_KERNEL);
	unsigned int i, may, allows, allowed = 0, refused = 0;
	struct trace_filter_error error;
	struct event_filter *filter;

	KUNIT_ASSERT_NOT_NULL(test, tree);
	filter_record_init(&tree->record);
	prandom_seed_state(&tree->random, 1);
	for (i = 0; i < TREES; i++) {
		tree_make(tree);
		filter = trace_filter_compile(&filter_test_call, tree->text, &error);
		KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(filter), "%s: %s at %u", tree->text,
				       error.text, error.at);
		allows = filter_test_allows(filter, &tree->record);
		may = filter_test_may_allow(filter);
		kfree(filter);
		KUNIT_ASSERT_EQ_MSG(test, allows, tree_evaluate(tree, 0, false) == TREE_TRUE,
				    "filter %u: %s", i, tree->text);
		KUNIT_ASSERT_EQ_MSG(test, may, !!(tree_evaluate(tree, 0, true) & TREE_TRUE),
				    "filter %u, early: %s", i, tree->text);
		allowed += allows;
		refused += !may;
	}
	/* Otherwise the test would prove nothing. */
	KUNIT_EXPECT_GT(test, allowed, TREES / 10);
	KUNIT_EXPECT_LT(test, allowed, TREES * 9 / 10);
	KUNIT_EXPECT_GT(test, refused, TREES / 100);
}

/* Change some characters of a text. */
static void tree_break(struct tree *tree)
{
	static const char with[] = "()!&|\"' 0a-CPUS{}.~<>=*\n";
	unsigned int times = 1 + tree_random(tree, 3);
	size_t len = strlen(tree->text);

	while (times-- && len) {
		char *at = tree->text + tree_random(tree, len);

		switch (tree_random(tree, 3)) {
		case 0:
			*at = with[tree_random(tree, sizeof(with) - 1)];
			break;
		case 1:
			memmove(at, at + 1, strlen(at));
			len--;
			break;
		default:
			*at = '\0';
			len = at - tree->text;
			break;
		}
	}
}

/* Broken texts are accepted or refused; an error is in the text, or up to two characters behind. */
static void filter_broken(struct kunit *test)
{
	struct tree *tree = kunit_kzalloc(test, sizeof(*tree), GFP_KERNEL);
	struct trace_filter_error error;
	struct event_filter *filter;
	unsigned int i, refused = 0;

	KUNIT_ASSERT_NOT_NULL(test, tree);
	filter_record_init(&tree->record);
	prandom_seed_state(&tree->random, 2);
	for (i = 0; i < TREES / 4; i++) {
		tree_make(tree);
		if (i % 2)
			tree_print(tree, "&&zero & CPUS{0}||where.function != trace_filter_run");
		tree_break(tree);
		filter = trace_filter_compile(&filter_test_call, tree->text, &error);
		if (!IS_ERR(filter)) {
			filter_test_allows(filter, &tree->record);
			filter_test_may_allow(filter);
			kfree(filter);
			continue;
		}
		refused++;
		KUNIT_ASSERT_LE_MSG(test, error.at, strlen(tree->text) + 2, "%s", tree->text);
	}
	KUNIT_EXPECT_GT(test, refused, TREES / 16);
}

static struct kunit_case filter_random_tests[] = {
	KUNIT_CASE_SLOW(filter_random),
	KUNIT_CASE_SLOW(filter_broken),
	{}
};

static struct kunit_suite filter_random_suite = {
	.name		= "event_filter_random",
	.test_cases	= filter_random_tests,
};

kunit_test_suites(&filter_random_suite);
