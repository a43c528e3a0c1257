/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters as trees: filter_random_test.c makes them, their texts and records, of what test_draw.c
 * draws; test_tree.c says what they mean.
 */
#ifndef _TRACE_EVENTS_FILTER_TEST_TREE_H
#define _TRACE_EVENTS_FILTER_TEST_TREE_H

#include <linux/bits.h>
#include <linux/kallsyms.h>
#include <linux/prandom.h>
#include <linux/types.h>

#include "filter_test.h"

#define TREE_NODES	64
#define TREE_TEXT_MAX	4096
#define TREE_RANGES	3
#define TREE_ADDRESSES	16
#define TREE_PART	16	/* characters of a string that a pattern is made of */
#define TREE_RECORD_MAX	(sizeof(struct filter_record) + 4 * FILTER_DRAWN)

enum tree_kind {
	TREE_AND,
	TREE_OR,
	TREE_NUMBER,
	TREE_STRING,
	TREE_CPUS,
	TREE_FUNCTION,
};

enum tree_op {
	TREE_EQ,
	TREE_NE,
	TREE_LT,
	TREE_LE,
	TREE_GT,
	TREE_GE,
	TREE_BITS,	/* numbers of CPUs: also "is in the list" */
	TREE_GLOB,
};

/* Fields with numbers; those from TREE_PID on are known without a record. */
enum tree_number {
	TREE_BYTE,
	TREE_UBYTE,
	TREE_HALF,
	TREE_WORD,
	TREE_LARGE,
	TREE_SLARGE,
	TREE_UWORD,
	TREE_SHALF,
	TREE_FLAGS,
	TREE_ZERO,
	TREE_ODD,	/* of 3 bytes: every comparison with it is false */
	TREE_PID,
	TREE_CPU,
	TREE_CPU_2,	/* this and the next: other names of the CPU */
	TREE_CPU_3,
	TREE_NUMBERS,
	TREE_MASK = TREE_NUMBERS,	/* not a number: the mask of CPUs */
};

/* Fields with strings; those from TREE_COMM on are known without a record. */
enum tree_string {
	TREE_NAME,
	TREE_MARK,
	TREE_TEXT_LOC,
	TREE_REL_LOC,
	TREE_ADDRESS,
	TREE_COMM,
	TREE_STRINGS,
};

struct tree_number_field {
	const char	*name;
	unsigned int	size;
	bool		is_signed;
};

extern const struct tree_number_field filter_tree_numbers[TREE_NUMBERS];

/* CPUs from @first to @last */
struct tree_range {
	unsigned int	first;
	unsigned int	last;
};

/**
 * struct tree_node - a comparison, or two expressions
 * @kind: which of these
 * @inverted: it has a leading "!"
 * @child: numbers of the expressions
 * @field: enum tree_number or enum tree_string
 * @op: the operator
 * @value: the number; TREE_FUNCTION: an address in the function, or 0 to write its name
 * @pattern: the string, or the name of the function
 * @drawn: the string: of TREE_PART characters, each may become "[xy]"; and "!", three "*", a NUL
 * @user: the field is followed by .ustring
 * @range: the listed CPUs
 * @ranges: number of ranges
 */
struct tree_node {
	enum tree_kind		kind;
	bool			inverted;
	unsigned int		child[2];
	unsigned int		field;
	enum tree_op		op;
	u64			value;
	const char		*pattern;
	char			drawn[4 * TREE_PART + 5];
	bool			user;
	struct tree_range	range[TREE_RANGES];
	unsigned int		ranges;
};

/**
 * struct tree - an expression
 * @random: state of its random choices
 * @record: its numbers, its mask of CPUs, and where its variable parts are in @bytes
 * @string: its strings, each with a NUL
 * @bytes: the record as filters get it
 * @size: number of these bytes
 * @compared: number of comparisons of a string that did not match the pattern, and that did
 * @cpu: the CPU on which the filter runs
 * @function: name of the function in which @record.where is; or empty
 * @address: the addresses that @record.address may have
 * @addresses: number of these
 * @at: the one that it has
 * @behind: the string at one of them
 * @fits: the longest string at an address that is compared to its end
 * @longer: the same with one more character at its end
 * @part: the part of @longer that is compared
 * @node: its nodes; the first is the root
 * @nr: number of nodes
 * @text: the expression as text
 * @len: its length
 */
struct tree {
	struct rnd_state		random;
	struct filter_record		record;
	char				string[TREE_STRINGS][FILTER_DRAWN];
	u8				bytes[TREE_RECORD_MAX] __aligned(sizeof(long));
	size_t				size;
	unsigned int			compared[TREE_STRINGS][2];
	unsigned int			cpu;
	char				function[KSYM_NAME_LEN];
	struct filter_address		address[TREE_ADDRESSES];
	unsigned int			addresses;
	const struct filter_address	*at;
	char				behind[FILTER_DRAWN];
	char				fits[1024];
	char				longer[1025];
	char				part[1024];
	struct tree_node		node[TREE_NODES];
	unsigned int			nr;
	char				text[TREE_TEXT_MAX];
	int				len;
};

/* Answers: before there is a record, both may be possible. */
#define TREE_FALSE	BIT(0)
#define TREE_TRUE	BIT(1)

static inline u32 tree_random(struct tree *tree, u32 below)
{
	return prandom_u32_state(&tree->random) % below;
}

unsigned int filter_draw_cpu(struct tree *tree);
u64 filter_draw_number(struct tree *tree);
void filter_draw_text(struct tree *tree, char *to, size_t max);
void filter_draw_pattern(struct tree *tree, struct tree_node *node);

u64 filter_tree_number(const struct tree *tree, enum tree_number field);
const char *filter_tree_string(const struct tree *tree, const struct tree_node *node);
bool filter_tree_matches(const struct tree_node *node, const char *text);
s64 filter_tree_cut(u64 value, unsigned int size);
bool filter_tree_lists(const struct tree_node *node, u64 cpu);
unsigned int filter_tree_evaluate(const struct tree *tree, unsigned int nr, bool early);

#endif /* _TRACE_EVENTS_FILTER_TEST_TREE_H */
