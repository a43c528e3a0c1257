// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of random filters of random records. Each filter is a tree first. Its text is
 * compiled, and the answers are compared with those of an evaluator that works on the tree, and on
 * the strings of which the record was made. Texts that are damaged afterwards are refused, with an
 * error inside of the text.
 */
#include <kunit/test.h>
#include <linux/align.h>
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "test_tree.h"

static const char *const tree_ops[] = {
	[TREE_EQ]	= "==",
	[TREE_NE]	= "!=",
	[TREE_LT]	= "<",
	[TREE_LE]	= "<=",
	[TREE_GT]	= ">",
	[TREE_GE]	= ">=",
	[TREE_BITS]	= "&",
	[TREE_GLOB]	= "~",
};

const struct tree_number_field filter_tree_numbers[TREE_NUMBERS] = {
	[TREE_BYTE]	= { "byte", 1, true },
	[TREE_UBYTE]	= { "ubyte", 1, false },
	[TREE_HALF]	= { "half", 2, false },
	[TREE_WORD]	= { "word", 4, true },
	[TREE_LARGE]	= { "large", 8, false },
	[TREE_SLARGE]	= { "slarge", 8, true },
	[TREE_UWORD]	= { "uword", 4, false },
	[TREE_SHALF]	= { "shalf", 2, true },
	[TREE_FLAGS]	= { "common_flags", 1, false },
	[TREE_ZERO]	= { "zero", 1, false },
	[TREE_ODD]	= { "odd", 3, false },
	[TREE_PID]	= { "common_pid", 4, true },
	[TREE_CPU]	= { "cpu", 4, true },
	[TREE_CPU_2]	= { "CPU", 4, true },
	[TREE_CPU_3]	= { "common_cpu", 4, true },
};

static const char *const tree_strings[] = {
	[TREE_NAME]	= "name",
	[TREE_MARK]	= "mark",
	[TREE_TEXT_LOC]	= "text_loc",
	[TREE_REL_LOC]	= "rel_loc",
	[TREE_ADDRESS]	= "address",
	[TREE_COMM]	= "comm",
};

static const char *const tree_functions[] = {
	"trace_filter_run", "trace_filter_compile", "trace_line_name",
};

static enum tree_op tree_random_op(struct tree *tree, enum tree_op third)
{
	unsigned int op = tree_random(tree, 3);

	return op == 2 ? third : op;
}

static void tree_grow_number(struct tree *tree, struct tree_node *node)
{
	node->kind = TREE_NUMBER;
	node->field = tree_random(tree, TREE_NUMBERS);
	node->op = tree_random(tree, TREE_BITS + 1);
	node->value = filter_tree_number(tree, node->field) + tree_random(tree, 5) - 2;
	if (!tree_random(tree, 3))
		node->value = filter_draw_number(tree);
}

static void tree_grow_string(struct tree *tree, struct tree_node *node)
{
	node->kind = TREE_STRING;
	node->field = tree_random(tree, TREE_STRINGS);
	node->op = tree_random_op(tree, TREE_GLOB);
	node->user = tree_random(tree, 2);
	filter_draw_pattern(tree, node);
}

static void tree_grow_cpus(struct tree *tree, struct tree_node *node)
{
	unsigned int i, span;

	node->kind = TREE_CPUS;
	node->field = TREE_MASK;
	if (tree_random(tree, 2))
		node->field = tree_random(tree, TREE_NUMBERS);
	node->op = tree_random_op(tree, TREE_BITS);
	node->ranges = tree_random(tree, TREE_RANGES + 1);
	for (i = 0; i < node->ranges; i++) {
		span = tree_random(tree, 2) ? 0 : tree_random(tree, 80);
		node->range[i].first = filter_draw_cpu(tree);
		node->range[i].last = min(node->range[i].first + span, nr_cpu_ids - 1);
	}
	if (node->ranges && !tree_random(tree, 16))
		node->range[0] = (struct tree_range){ 0, nr_cpu_ids - 1 };
}

/* Return an address in a function, or up to @around bytes before or after it. */
static unsigned long tree_random_address(struct tree *tree, const char *name, unsigned int around)
{
	unsigned long address = kallsyms_lookup_name(name), size = 1, offset;

	kallsyms_lookup_size_offset(address, &size, &offset);
	return address - around + tree_random(tree, size + 2 * around);
}

static void tree_grow_function(struct tree *tree, struct tree_node *node)
{
	node->kind = TREE_FUNCTION;
	node->op = tree_random(tree, 2);
	node->pattern = tree_functions[tree_random(tree, ARRAY_SIZE(tree_functions))];
	node->value = 0;
	if (!tree_random(tree, 4))
		node->value = tree_random_address(tree, node->pattern, 0);
}

static unsigned int tree_grow(struct tree *tree, unsigned int depth)
{
	static void (*const grow[])(struct tree *tree, struct tree_node *node) = {
		tree_grow_number, tree_grow_number, tree_grow_number, tree_grow_string,
		tree_grow_string, tree_grow_cpus, tree_grow_cpus, tree_grow_function,
	};
	unsigned int nr = tree->nr++;
	struct tree_node *node = &tree->node[nr];

	node->inverted = !tree_random(tree, 4);
	if (depth && tree_random(tree, 4)) {
		node->kind = tree_random(tree, 2) ? TREE_AND : TREE_OR;
		node->child[0] = tree_grow(tree, depth - 1);
		node->child[1] = tree_grow(tree, depth - 1);
	} else {
		grow[tree_random(tree, ARRAY_SIZE(grow))](tree, node);
	}
	return nr;
}

static __printf(2, 3) void tree_print(struct tree *tree, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tree->len += vscnprintf(tree->text + tree->len, TREE_TEXT_MAX - tree->len, fmt, args);
	va_end(args);
}

static void tree_print_number(struct tree *tree, const struct tree_node *node)
{
	s64 value = filter_tree_cut(node->value, filter_tree_numbers[node->field].size);

	tree_print(tree, "%s%s%s%s", filter_tree_numbers[node->field].name,
		   tree_random(tree, 2) ? " " : "", tree_ops[node->op],
		   tree_random(tree, 2) ? " " : "");
	if (filter_tree_numbers[node->field].is_signed)
		tree_print(tree, "%lld", value);
	else
		tree_print(tree, tree_random(tree, 2) ? "%llu" : "0x%llx", node->value);
}

static void tree_print_string(struct tree *tree, const struct tree_node *node)
{
	char quote = tree_random(tree, 2) || strchr(node->pattern, '"') ? '\'' : '"';

	tree_print(tree, "%s%s %s %c%s%c", tree_strings[node->field],
		   node->user ? ".ustring" : "", tree_ops[node->op], quote, node->pattern,
		   quote);
}

static void tree_print_cpus(struct tree *tree, const struct tree_node *node)
{
	unsigned int i;

	tree_print(tree, "%s %s CPUS{",
		   node->field == TREE_MASK ? "cpus_loc" : filter_tree_numbers[node->field].name,
		   tree_ops[node->op]);
	/* A list is not empty. */
	if (!node->ranges)
		tree_print(tree, " ");
	for (i = 0; i < node->ranges; i++) {
		const struct tree_range *range = &node->range[i];

		tree_print(tree, i ? "," : "");
		if (!range->first && range->last == nr_cpu_ids - 1)
			tree_print(tree, "all");
		else if (range->first == range->last)
			tree_print(tree, "%u", range->first);
		else
			tree_print(tree, "%u-%u", range->first, range->last);
	}
	tree_print(tree, "}");
}

static void tree_print_function(struct tree *tree, const struct tree_node *node)
{
	tree_print(tree, "where.function %s ", tree_ops[node->op]);
	if (node->value)
		tree_print(tree, "0x%llx", node->value);
	else
		tree_print(tree, "%s", node->pattern);
}

static void tree_print_leaf(struct tree *tree, const struct tree_node *node)
{
	switch (node->kind) {
	case TREE_NUMBER:
		tree_print_number(tree, node);
		break;
	case TREE_STRING:
		tree_print_string(tree, node);
		break;
	case TREE_FUNCTION:
		tree_print_function(tree, node);
		break;
	default:
		tree_print_cpus(tree, node);
		break;
	}
}

/* @outer: kind of the parent; parentheses are left out where && is before || anyway. */
static void tree_write(struct tree *tree, unsigned int nr, enum tree_kind outer)
{
	const struct tree_node *node = &tree->node[nr];
	bool leaf = node->kind != TREE_AND && node->kind != TREE_OR;
	bool parentheses = leaf ? !tree_random(tree, 8) :
			   node->inverted || node->kind > outer || !tree_random(tree, 4);

	if (node->inverted)
		tree_print(tree, tree_random(tree, 4) ? "!" : "! !!");
	if (parentheses)
		tree_print(tree, "(");
	if (leaf) {
		tree_print_leaf(tree, node);
	} else {
		tree_write(tree, node->child[0], node->kind);
		tree_print(tree, node->kind == TREE_AND ? " && " : "||");
		tree_write(tree, node->child[1], node->kind);
	}
	if (parentheses)
		tree_print(tree, ")");
}

/* Numbers that are not about the tree; in half of the records, many are numbers of CPUs. */
static void tree_make_numbers(struct tree *tree)
{
	const char *name = tree_functions[tree_random(tree, ARRAY_SIZE(tree_functions))];
	struct filter_record *record = &tree->record;
	bool cpus = tree_random(tree, 2);

	record->entry.flags = filter_draw_number(tree);
	record->byte = filter_draw_number(tree);
	record->half = filter_draw_number(tree);
	record->slarge = filter_draw_number(tree);
	record->uword = filter_draw_number(tree);
	record->shalf = filter_draw_number(tree);
	record->ubyte = cpus ? filter_draw_cpu(tree) : filter_draw_number(tree);
	record->word = cpus ? filter_draw_cpu(tree) : filter_draw_number(tree);
	record->large = cpus ? filter_draw_cpu(tree) : filter_draw_number(tree);
	record->where = tree_random_address(tree, name, 2);
	*tree->function = '\0';
	lookup_symbol_name(record->where, tree->function);
}

/* Fill an array. There is no NUL if the string has the array's size. */
static void tree_fill_array(char *array, size_t size, const char *string)
{
	memset(array, 'a', size);
	memcpy(array, string, min(strlen(string) + 1, size));
}

static void tree_make_strings(struct tree *tree)
{
	struct filter_record *record = &tree->record;
	enum tree_string field;
	size_t max;

	for (field = 0; field < TREE_STRINGS; field++) {
		max = field == TREE_NAME ? sizeof(record->name) :
		      field == TREE_MARK ? sizeof(record->mark) :
		      field == TREE_COMM ? TASK_COMM_LEN - 1 :
		      tree_random(tree, 8) ? TREE_PART : FILTER_DRAWN - 1;
		filter_draw_text(tree, tree->string[field], max);
	}
	tree_fill_array(record->name, sizeof(record->name), tree->string[TREE_NAME]);
	tree_fill_array(record->mark, sizeof(record->mark), tree->string[TREE_MARK]);
	set_task_comm(current, tree->string[TREE_COMM]);

	tree->at = &tree->address[tree_random(tree, tree->addresses)];
	if (!tree->at->drawn && tree_random(tree, 2))
		tree->at = &tree->address[tree_random(tree, tree->addresses)];
	record->address = tree->at->address;
	if (tree->at->drawn)
		memcpy(tree->at->drawn, tree->string[TREE_ADDRESS], FILTER_DRAWN);
}

/* Many masks are equal to a list of the tree, but perhaps for one CPU. */
static void tree_make_mask(struct tree *tree)
{
	const struct tree_node *node = &tree->node[tree_random(tree, tree->nr)];
	struct filter_record *record = &tree->record;
	bool listed = node->kind == TREE_CPUS;
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		__assign_bit(cpu, record->cpus, listed ? filter_tree_lists(node, cpu) :
						!tree_random(tree, 8));
	if (tree_random(tree, 2))
		__change_bit(filter_draw_cpu(tree), record->cpus);
}

static void tree_add_bytes(struct tree *tree, const void *bytes, size_t size)
{
	memcpy(tree->bytes + tree->size, bytes, size);
	tree->size += size;
}

/* Add a mask, sometimes one that is too short, and return its location. */
static u32 tree_add_mask(struct tree *tree)
{
	unsigned int words = BITS_TO_LONGS(nr_cpumask_bits) - !tree_random(tree, 16);
	size_t begin = ALIGN(tree->size, sizeof(long));

	tree->size = begin;
	tree_add_bytes(tree, tree->record.cpus, words * sizeof(long));
	return begin | words * sizeof(long) << 16;
}

/* Add a string without a NUL, with one, or with one and letters after it; return its location. */
static u32 tree_add_string(struct tree *tree, const char *string)
{
	static const char end[] = "\0aab";
	size_t begin = tree->size;

	tree_add_bytes(tree, string, strlen(string));
	if (tree_random(tree, 2))
		tree_add_bytes(tree, end, 1 + tree_random(tree, sizeof(end) - 1));
	return begin | (tree->size - begin) << 16;
}

/*
 * Make the record. Each of the variable parts may be the last one, which nothing follows; in front
 * of it, other ones or a gap may be so long that a byte cannot hold its offset.
 */
static void tree_make_bytes(struct tree *tree)
{
	size_t begin = offsetof(struct filter_record, text);
	struct filter_record *record = &tree->record;
	unsigned int i, first = tree_random(tree, 3);

	memset(tree->bytes, 'a', sizeof(tree->bytes));
	tree->size = begin;
	if (!tree_random(tree, 8))
		tree->size += tree_random(tree, FILTER_DRAWN);
	for (i = first; i < first + 3; i++) {
		if (i % 3 == 0)
			record->cpus_loc = tree_add_mask(tree);
		else if (i % 3 == 1)
			record->text_loc = tree_add_string(tree, tree->string[TREE_TEXT_LOC]);
		else
			record->rel_loc = tree_add_string(tree, tree->string[TREE_REL_LOC]) -
					  offsetofend(struct filter_record, rel_loc);
	}
	memcpy(tree->bytes, record, begin);
}

/* Return a copy of the record that ends with its last byte: sanitizers see reads beyond it. */
static struct filter_record *tree_record(struct kunit *test, const struct tree *tree)
{
	struct filter_record *record = kmemdup(tree->bytes, tree->size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, record);
	return record;
}

/* A new tree, its text, and a record */
static void tree_make(struct tree *tree)
{
	tree->nr = 0;
	tree->len = 0;
	tree_make_numbers(tree);
	tree_make_strings(tree);
	tree_grow(tree, 1 + tree_random(tree, 4));
	tree_make_mask(tree);
	tree_make_bytes(tree);
	tree_write(tree, 0, TREE_OR);
}

static void tree_add_address(struct tree *tree, const char *address, const char *compared)
{
	tree->address[tree->addresses++] = (struct filter_address){
		.address = address, .kernel = compared,
	};
}

static struct tree *tree_create(struct kunit *test, u64 seed)
{
	struct tree *tree = kunit_kzalloc(test, sizeof(*tree), GFP_KERNEL);
	const struct filter_address *more;

	KUNIT_ASSERT_NOT_NULL(test, tree);
	filter_record_init(&tree->record);
	prandom_seed_state(&tree->random, seed);
	memset(tree->longer, 'b', sizeof(tree->longer) - 1);
	tree->longer[0] = 'a';
	memcpy(tree->fits, tree->longer, sizeof(tree->fits) - 1);
	memcpy(tree->part, tree->longer, sizeof(tree->part) - 1);
	tree->fits[sizeof(tree->fits) - 2] = 'c';
	tree->longer[sizeof(tree->longer) - 2] = 'c';
	tree_add_address(tree, tree->behind, tree->behind);
	tree->address[0].drawn = tree->behind;
	tree_add_address(tree, tree->fits, tree->fits);
	tree_add_address(tree, tree->longer, tree->part);
	if (!IS_ENABLED(CONFIG_UML))
		tree_add_address(tree, NULL, NULL);
	for (more = test->priv; more && more->address; more++)
		tree->address[tree->addresses++] = *more;
	return tree;
}

/* Count comparisons of strings that can be read. */
static void tree_count(struct tree *tree)
{
	unsigned int i;

	for (i = 0; i < tree->nr; i++) {
		const struct tree_node *node = &tree->node[i];
		const char *text;

		if (node->kind != TREE_STRING)
			continue;
		text = filter_tree_string(tree, node);
		if (text)
			tree->compared[node->field][filter_tree_matches(node, text)]++;
	}
}

/* Strings match often, and often they do not; otherwise the test would prove nothing. */
static void tree_expect_both(struct kunit *test, const struct tree *tree)
{
	enum tree_string field;

	for (field = 0; field < TREE_STRINGS; field++) {
		const unsigned int *compared = tree->compared[field];
		unsigned int sum = compared[0] + compared[1];

		KUNIT_EXPECT_GT_MSG(test, compared[0], sum / 8, "%s", tree_strings[field]);
		KUNIT_EXPECT_GT_MSG(test, compared[1], sum / 8, "%s", tree_strings[field]);
	}
}

static void filter_random(struct kunit *test)
{
	struct tree *tree = tree_create(test, 1);
	unsigned int i, may = 0, allows = 0, allowed = 0, refused = 0;
	struct trace_filter_error error;
	struct filter_record *record;
	struct event_filter *filter;

	for (i = 0; i < FILTER_TREES; i++) {
		tree_make(tree);
		filter = trace_filter_compile(&filter_test_call, tree->text, &error);
		KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(filter), "%s: %s at %u", tree->text,
				       error.text, error.at);
		record = tree_record(test, tree);
		scoped_guard(migrate) {
			tree->cpu = smp_processor_id();
			allows = filter_test_allows(filter, record);
			may = filter_test_may_allow(filter);
		}
		kfree(record);
		kfree(filter);
		KUNIT_ASSERT_EQ_MSG(test, allows, filter_tree_evaluate(tree, 0, false) == TREE_TRUE,
				    "filter %u: %s", i, tree->text);
		KUNIT_ASSERT_EQ_MSG(test, may, !!(filter_tree_evaluate(tree, 0, true) & TREE_TRUE),
				    "filter %u, early: %s", i, tree->text);
		allowed += allows;
		refused += !may;
		tree_count(tree);
	}
	tree_expect_both(test, tree);
	/* Otherwise the test would prove nothing. */
	KUNIT_EXPECT_GT(test, allowed, FILTER_TREES / 10);
	KUNIT_EXPECT_LT(test, allowed, FILTER_TREES * 9 / 10);
	KUNIT_EXPECT_GT(test, refused, FILTER_TREES / 100);
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

/* Broken texts are accepted or refused; an error is in the text, or up to two characters later. */
static void filter_broken(struct kunit *test)
{
	struct tree *tree = tree_create(test, 2);
	struct trace_filter_error error;
	struct filter_record *record;
	struct event_filter *filter;
	unsigned int i, refused = 0;

	for (i = 0; i < FILTER_TREES / 4; i++) {
		tree_make(tree);
		tree_break(tree);
		filter = trace_filter_compile(&filter_test_call, tree->text, &error);
		if (!IS_ERR(filter)) {
			record = tree_record(test, tree);
			filter_test_allows(filter, record);
			filter_test_may_allow(filter);
			kfree(record);
			kfree(filter);
			continue;
		}
		refused++;
		KUNIT_ASSERT_LE_MSG(test, error.at, strlen(tree->text) + 2, "%s", tree->text);
	}
	KUNIT_EXPECT_GT(test, refused, FILTER_TREES / 16);
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
