// SPDX-License-Identifier: GPL-2.0
/*
 * A line of one of tracing's languages: see line.h.
 *
 * White space before a word is skipped, and belongs to none. What is not there is not an error
 * by itself: only who parses knows whether something else would do.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include "line.h"

/* Digits of a u64 in any base that has a prefix, with that, and a NUL. */
#define NUMBER_MAX	24

/**
 * trace_line_init - begin with a line
 * @line: is filled in
 * @text: the line; it stays as it is for as long as @line or a part of it is used
 *
 * Context: any, as all of these functions.
 */
void trace_line_init(struct trace_line *line, const char *text)
{
	*line = (struct trace_line){ .text = text, .rest = text };
}

static struct trace_span line_take(struct trace_line *line, size_t len)
{
	struct trace_span span = { .text = line->rest, .len = len };

	line->rest += len;
	return span;
}

/**
 * trace_line_ends - is there nothing left but white space?
 * @line: the line; the white space is taken
 *
 * Return: true if that is so.
 */
bool trace_line_ends(struct trace_line *line)
{
	line->rest = skip_spaces(line->rest);
	return !*line->rest;
}

/**
 * trace_line_take - take certain characters
 * @line: the line
 * @token: the characters
 *
 * Return: false if something else is next: then that is still there.
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
 * Return: those characters; none of them if something else is next.
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
 * trace_line_until - take all that comes before certain characters
 * @line: the line
 * @stops: the characters, of which the first that comes stays; white space in the middle does
 *	not count, unless it is one of them
 *
 * Return: the characters before the stop; up to the end of the line if there is none.
 */
struct trace_span trace_line_until(struct trace_line *line, const char *stops)
{
	line->rest = skip_spaces(line->rest);
	return line_take(line, strcspn(line->rest, stops));
}

/**
 * trace_line_quoted - take what stands in quotes
 * @line: the line
 * @word: what is between them; nothing can be escaped
 *
 * Return: 0; -ENOENT if no quote is next; -ESRCH if there is no second one like it, and the
 * line says so.
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
 * @value: the number: decimal, or as 0x and 0 before it say
 *
 * Return: 0; -ENOENT if no digit is next; -EINVAL if what begins with one is no number, or
 * -ERANGE if it is too large: it is still there then.
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
 * trace_line_fail - say that something is wrong
 * @line: the line; only the first that is wrong with it is kept
 * @err: the errno for it
 * @what: what is wrong, which stays for good
 * @at: where in the line; its end if something is missing there
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
 * trace_span_is - is it this word?
 * @span: some characters
 * @word: the word
 *
 * Return: true if it is.
 */
bool trace_span_is(const struct trace_span *span, const char *word)
{
	return strlen(word) == span->len && !memcmp(span->text, word, span->len);
}
