// SPDX-License-Identifier: GPL-2.0
/*
 * Taking a line of one of tracing's languages apart: see line.h.
 *
 * White space before a word is skipped and is part of no word. If the word that a caller wants
 * is not next, the functions do not set an error: only the caller knows whether the line may go on
 * with another word.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include "line.h"

/* The digits of a u64 in any base that has a prefix, with the prefix and a NUL. */
#define NUMBER_MAX	24

/**
 * trace_line_init - begin to parse a line
 * @line: is filled in
 * @text: the line; must not change as long as @line or a part of it is used
 *
 * Context: any, like all functions of this file.
 */
void trace_line_init(struct trace_line *line, const char *text)
{
	*line = (struct trace_line){ .text = text, .rest = text };
}

/**
 * trace_line_rest - skip white space
 * @line: the line
 *
 * Return: the rest of the line.
 */
const char *trace_line_rest(struct trace_line *line)
{
	line->rest = skip_spaces(line->rest);
	return line->rest;
}

static struct trace_span line_take(struct trace_line *line, size_t len)
{
	struct trace_span span = { .text = line->rest, .len = len };

	line->rest += len;
	return span;
}

/**
 * trace_line_ends - is nothing left but white space?
 * @line: the line; skips the white space
 *
 * Return: true if nothing else is left.
 */
bool trace_line_ends(struct trace_line *line)
{
	return !*trace_line_rest(line);
}

/**
 * trace_line_take - take a token
 * @line: the line
 * @token: the characters of the token
 *
 * Return: true; false, with nothing taken, if something else is next.
 */
bool trace_line_take(struct trace_line *line, const char *token)
{
	const char *from = skip_spaces(line->rest);
	size_t len = str_has_prefix(from, token);

	if (!len)
		return false;
	line->rest = from + len;
	return true;
}

/**
 * trace_line_name - take letters, digits and underscores
 * @line: the line
 *
 * Return: the characters; an empty span if something else is next.
 */
struct trace_span trace_line_name(struct trace_line *line)
{
	size_t len = 0;

	line->rest = skip_spaces(line->rest);
	while (isalnum(line->rest[len]) || line->rest[len] == '_')
		len++;
	return line_take(line, len);
}

/**
 * trace_line_until - take all characters up to a stop
 * @line: the line
 * @stops: the characters that are stops; the first one is not taken. White space in the middle is
 *	taken, unless it is a stop
 *
 * Return: the characters before the stop, or all up to the end of the line if there is none.
 */
struct trace_span trace_line_until(struct trace_line *line, const char *stops)
{
	line->rest = skip_spaces(line->rest);
	return line_take(line, strcspn(line->rest, stops));
}

/**
 * trace_line_quoted - take a string in quotes
 * @line: the line
 * @word: set to the characters between the quotes; there is no escape character
 *
 * Return: 0; -ENOENT if no quote is next; -ESRCH, with an error set in @line, if the matching quote
 * is missing.
 */
int trace_line_quoted(struct trace_line *line, struct trace_span *word)
{
	const char *open, *close;

	line->rest = skip_spaces(line->rest);
	open = line->rest;
	if (*open != '"' && *open != '\'')
		return -ENOENT;
	close = strchr(open + 1, *open);
	if (!close)
		return trace_line_fail(line, -ESRCH, "Missing matching quote", open);
	*word = (struct trace_span){ .text = open + 1, .len = close - open - 1 };
	line->rest = close + 1;
	return 0;
}

/**
 * trace_line_number - take a number
 * @line: the line
 * @value: set to the number, which is decimal, hexadecimal after 0x, or octal after 0
 *
 * Return: 0; with nothing taken -ENOENT if no digit is next, -EINVAL if a word that begins with a
 * digit is not a number, -ERANGE if the number is too large.
 */
int trace_line_number(struct trace_line *line, u64 *value)
{
	const char *from = skip_spaces(line->rest);
	struct trace_line ahead = { .rest = from };
	struct trace_span word = trace_line_name(&ahead);
	char digits[NUMBER_MAX];
	int err;

	if (!isdigit(*from))
		return -ENOENT;
	if (word.len >= sizeof(digits))
		return -ERANGE;
	memcpy(digits, word.text, word.len);
	digits[word.len] = '\0';
	err = kstrtou64(digits, 0, value);
	if (!err)
		line->rest = ahead.rest;
	return err;
}

/**
 * trace_line_fail - note an error
 * @line: the line; keeps the first error only
 * @err: the errno
 * @what: text of the error; must never be freed
 * @at: where in the line it is; the end of the line if something is missing there
 *
 * Return: @err.
 */
int trace_line_fail(struct trace_line *line, int err, const char *what, const char *at)
{
	if (!line->error) {
		line->error = what;
		line->error_at = at - line->text;
	}
	return err;
}

/**
 * trace_span_is - compare with a word
 * @span: characters of a line, without a NUL
 * @word: the word
 *
 * Return: true if they are the same.
 */
bool trace_span_is(const struct trace_span *span, const char *word)
{
	size_t i;

	/* Most words differ early: this takes fewer instructions than strlen() and memcmp(). */
	for (i = 0; i < span->len; i++) {
		if (word[i] != span->text[i])
			return false;
	}
	return !word[i];
}
