// SPDX-License-Identifier: GPL-2.0
/*
 * The meaning of a filter that is a tree: slow, and as simple as can be. It shares no code with the
 * program of a filter: lists of CPUs are ranges here, and functions are found by the name of the
 * one that an address is in.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "test_tree.h"

/* The value of a field, with the sign of its type. */
u64 filter_tree_number(const struct tree *tree, enum tree_number field)
{
	const struct filter_record *record = &tree->record;

	switch (field) {
	case TREE_BYTE:
		return record->byte;
	case TREE_UBYTE:
		return record->ubyte;
	case TREE_HALF:
		return record->half;
	case TREE_WORD:
		return record->word;
	case TREE_LARGE:
		return record->large;
	case TREE_SLARGE:
		return record->slarge;
	case TREE_UWORD:
		return record->uword;
	case TREE_SHALF:
		return record->shalf;
	case TREE_FLAGS:
		return record->entry.flags;
	case TREE_ZERO:
	case TREE_ODD:
		return 0;
	case TREE_PID:
		return current->pid;
	default:
		return tree->cpu;
	}
}

/* The string of a field. Return NULL if it cannot be read. */
const char *filter_tree_string(const struct tree *tree, const struct tree_node *node)
{
	if (node->field != TREE_ADDRESS)
		return tree->string[node->field];
	if (node->user)
		return current->mm ? tree->at->user : NULL;
	return tree->at->kernel;
}

/* The value that a number in the text has in a field of @size bytes. */
s64 filter_tree_cut(u64 value, unsigned int size)
{
	return size == 1 ? (s8)value : size == 2 ? (s16)value : size == 4 ? (s32)value : value;
}

static bool tree_number_is(const struct tree *tree, const struct tree_node *node)
{
	unsigned int size = filter_tree_numbers[node->field].size;
	s64 is = filter_tree_cut(filter_tree_number(tree, node->field), size);
	s64 value = filter_tree_cut(node->value, size);
	u64 mask = size < 8 ? BIT_ULL(8 * size) - 1 : U64_MAX;
	bool less;

	if (node->field == TREE_ODD)
		return false;
	if (filter_tree_numbers[node->field].is_signed)
		less = is < value;
	else
		less = (is & mask) < (value & mask);
	switch (node->op) {
	case TREE_EQ:
		return is == value;
	case TREE_NE:
		return is != value;
	case TREE_LT:
		return less;
	case TREE_LE:
		return less || is == value;
	case TREE_GT:
		return !less && is != value;
	case TREE_GE:
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
		while (!tree_glob(pattern + 1, text)) {
			if (!*text++)
				return false;
		}
		return true;
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

static bool tree_string_differs(const struct tree_node *node)
{
	return node->op == TREE_NE || (node->op == TREE_GLOB && *node->pattern == '!');
}

/* Does a string match the pattern? Here, "!=" and a leading "!" do not count. */
bool filter_tree_matches(const struct tree_node *node, const char *text)
{
	if (node->op != TREE_GLOB)
		return !strcmp(text, node->pattern);
	return tree_glob(node->pattern + tree_string_differs(node), text);
}

static bool tree_string_is(const struct tree *tree, const struct tree_node *node)
{
	const char *text = filter_tree_string(tree, node);

	return text && filter_tree_matches(node, text) != tree_string_differs(node);
}

/* Is a CPU in the list? */
bool filter_tree_lists(const struct tree_node *node, u64 cpu)
{
	unsigned int i;

	for (i = 0; i < node->ranges; i++) {
		if (cpu >= node->range[i].first && cpu <= node->range[i].last)
			return true;
	}
	return false;
}

/* Return the CPU of a list of one CPU; another list: -1. */
static int tree_one_cpu(const struct tree_node *node)
{
	int cpu, one = -1;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (filter_tree_lists(node, cpu)) {
			if (one >= 0)
				return -1;
			one = cpu;
		}
	}
	return one;
}

static bool tree_mask_is(const struct tree *tree, const struct tree_node *node)
{
	bool equal = true, meet = false, has;
	unsigned int cpu;

	if (tree->record.cpus_loc >> 16 < BITS_TO_LONGS(nr_cpumask_bits) * sizeof(long))
		return false;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		has = test_bit(cpu, tree->record.cpus);
		equal &= has == filter_tree_lists(node, cpu);
		meet |= has && filter_tree_lists(node, cpu);
	}
	return node->op == TREE_BITS ? meet : equal == (node->op == TREE_EQ);
}

/* A number is equal to one CPU, or it is not; to several it is never equal. */
static bool tree_number_is_cpu(const struct tree *tree, const struct tree_node *node)
{
	unsigned int size = filter_tree_numbers[node->field].size;
	u64 mask = size < 8 ? BIT_ULL(8 * size) - 1 : U64_MAX;
	u64 is = filter_tree_number(tree, node->field) & mask;
	int one = tree_one_cpu(node);
	bool equal = one >= 0 && is == (one & mask);

	if (node->field == TREE_ODD)
		return false;
	if (node->op == TREE_BITS && one < 0)
		return filter_tree_lists(node, is);
	return equal == (node->op != TREE_NE);
}

static bool tree_function_is(const struct tree *tree, const struct tree_node *node)
{
	return !strcmp(tree->function, node->pattern) == (node->op == TREE_EQ);
}

static bool tree_is(const struct tree *tree, const struct tree_node *node)
{
	switch (node->kind) {
	case TREE_NUMBER:
		return tree_number_is(tree, node);
	case TREE_STRING:
		return tree_string_is(tree, node);
	case TREE_FUNCTION:
		return tree_function_is(tree, node);
	default:
		return node->field == TREE_MASK ? tree_mask_is(tree, node) :
						  tree_number_is_cpu(tree, node);
	}
}

/* Is a comparison false for all values, as no number of the field is less, or greater? */
static bool tree_is_never(const struct tree_node *node)
{
	unsigned int bits = 8 * filter_tree_numbers[node->field].size;
	u64 max = U64_MAX >> (64 - bits), greatest = max, least = 0;

	if (node->field == TREE_ODD)
		return true;
	if (filter_tree_numbers[node->field].is_signed) {
		greatest = max >> 1;
		least = greatest + 1;
	}
	return (node->op == TREE_LT && (node->value & max) == least) ||
	       (node->op == TREE_GT && (node->value & max) == greatest);
}

static bool tree_cpus_is_early(const struct tree_node *node)
{
	if (node->field == TREE_MASK)
		return false;
	if (node->field == TREE_ODD || node->field >= TREE_CPU)
		return true;
	if (tree_one_cpu(node) >= 0)
		return node->field == TREE_PID;
	return node->op != TREE_BITS;
}

/* Is the node's answer known without a record? */
static bool tree_is_early(const struct tree_node *node)
{
	switch (node->kind) {
	case TREE_STRING:
		return node->field >= TREE_COMM;
	case TREE_CPUS:
		return tree_cpus_is_early(node);
	case TREE_FUNCTION:
		return false;
	default:
		/* Bits of a field need the record. */
		return tree_is_never(node) || node->field >= TREE_CPU ||
		       (node->field == TREE_PID && node->op != TREE_BITS);
	}
}

/* Return a mask of TREE_FALSE and TREE_TRUE. @early: there is no record yet */
unsigned int filter_tree_evaluate(const struct tree *tree, unsigned int nr, bool early)
{
	const struct tree_node *node = &tree->node[nr];
	unsigned int result, a, b;

	if (node->kind == TREE_AND || node->kind == TREE_OR) {
		a = filter_tree_evaluate(tree, node->child[0], early);
		b = filter_tree_evaluate(tree, node->child[1], early);
		if (node->kind == TREE_AND)
			result = (a & b & TREE_TRUE) | ((a | b) & TREE_FALSE);
		else
			result = ((a | b) & TREE_TRUE) | (a & b & TREE_FALSE);
	} else if (early && !tree_is_early(node)) {
		result = TREE_FALSE | TREE_TRUE;
	} else {
		result = tree_is(tree, node) ? TREE_TRUE : TREE_FALSE;
	}
	if (node->inverted)
		result = result >> 1 | (result & TREE_FALSE) << 1;
	return result;
}
