// SPDX-License-Identifier: GPL-2.0
/*
 * What random filters and their records are made of: numbers, CPUs, texts, and patterns that match
 * a text more often than chance would have it.
 */
#include <linux/array_size.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "test_tree.h"

/* Return a CPU, often one at the end of a word of a mask. */
unsigned int filter_draw_cpu(struct tree *tree)
{
	static const unsigned int ends[] = { 0, 63, 64, UINT_MAX };

	if (tree_random(tree, 2))
		return tree_random(tree, nr_cpu_ids);
	return min(ends[tree_random(tree, ARRAY_SIZE(ends))], nr_cpu_ids - 1);
}

/* Return a number, often one of the least or greatest of a size, or one beside these. */
u64 filter_draw_number(struct tree *tree)
{
	switch (tree_random(tree, 3)) {
	case 0:
		return (u64)prandom_u32_state(&tree->random) << 32 |
		       prandom_u32_state(&tree->random);
	case 1:
		return (u64)tree_random(tree, 5) - 2;
	default:
		return (1ULL << tree_random(tree, 64)) + tree_random(tree, 3) - 1;
	}
}

/* Few letters, so that texts are often alike; some mean something in filters or in globs. */
static char draw_letter(struct tree *tree)
{
	static const char other[] = "*?[]\\!\"&|() ";

	if (tree_random(tree, 8))
		return 'a' + tree_random(tree, 2);
	return other[tree_random(tree, sizeof(other) - 1)];
}

/* Draw a text of up to @max characters, often an empty or a full one. */
void filter_draw_text(struct tree *tree, char *to, size_t max)
{
	size_t len = tree_random(tree, max + 1);

	if (!tree_random(tree, 3))
		len = tree_random(tree, 2) ? max : 0;
	to[len] = '\0';
	while (len--)
		to[len] = draw_letter(tree);
}

/*
 * Copy a part of a text, often unchanged, and return its length. @begin: the pattern begins with
 * "*", so the part need not begin where the text does; @end: the same for the end.
 */
static size_t draw_part(struct tree *tree, const char *text, char *to, bool begin, bool end)
{
	size_t len = strlen(text), most = min(len, TREE_PART), size = most, from = 0;

	if (begin || end)
		size = tree_random(tree, most + 1);
	if (begin)
		from = end ? tree_random(tree, len - size + 1) : len - size;
	memcpy(to, text + from, size);

	switch (tree_random(tree, 16)) {
	case 0:
		return size ? size - 1 : 0;
	case 1:
		if (size < TREE_PART)
			to[size++] = draw_letter(tree);
		return size;
	case 2:
	case 3:
		if (size)
			to[tree_random(tree, size)] = draw_letter(tree);
		return size;
	default:
		return size;
	}
}

/* Write a glob that matches the text. @plain: without "?", "[...]" and "*" */
static char *draw_glob(struct tree *tree, char *to, const char *text, size_t len, bool plain)
{
	size_t star = plain ? len : tree_random(tree, len + 1), i;

	for (i = 0; i < len; i++) {
		unsigned int how = plain ? 8 : tree_random(tree, 8);

		if (i == star) {
			*to++ = '*';
			i += tree_random(tree, min(3, len - i));
		}
		if (how == 0) {
			*to++ = '?';
		} else if (how == 1 && isalpha(text[i])) {
			*to++ = '[';
			*to++ = text[i];
			*to++ = 'b';
			*to++ = ']';
		} else {
			if (how == 2 || strchr("*?[\\", text[i]))
				*to++ = '\\';
			*to++ = text[i];
		}
	}
	return to;
}

/* Make a node's pattern of the field's string, so that it often matches, or of another text. */
void filter_draw_pattern(struct tree *tree, struct tree_node *node)
{
	bool glob = node->op == TREE_GLOB;
	bool begin = glob && tree_random(tree, 2), end = glob && tree_random(tree, 2);
	const char *text = filter_tree_string(tree, node);
	char other[TREE_PART + 1], part[TREE_PART], *to = node->drawn;
	size_t len;

	if (!text || !tree_random(tree, 4)) {
		filter_draw_text(tree, other, TREE_PART);
		text = other;
	}
	len = draw_part(tree, text, part, begin, end);
	if (glob && !tree_random(tree, 4))
		*to++ = '!';
	if (begin)
		*to++ = '*';
	if (glob) {
		to = draw_glob(tree, to, part, len, tree_random(tree, 2));
	} else {
		memcpy(to, part, len);
		to += len;
	}
	if (end)
		*to++ = '*';
	*to = '\0';
	node->pattern = node->drawn;
}
