/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A parser for lines of tracing's languages, which knows where in the line an error is.
 *
 * Filters, triggers, probes and function commands are lines. A caller takes words from the
 * beginning of the line. On an error it notes what is wrong and where, so that the error is logged
 * with a caret under that place. The line is not changed: words are parts of it, without a NUL.
 */
#ifndef _TRACE_LIB_LINE_H
#define _TRACE_LIB_LINE_H

#include <linux/string.h>
#include <linux/types.h>

/**
 * struct trace_line - a line that is being parsed
 * @text: the whole line
 * @rest: the part that was not taken yet
 * @error: text of the first error, or NULL
 * @error_at: where in @text the error is, in bytes; the length of @text if something is missing at
 *	its end
 */
struct trace_line {
	const char	*text;
	const char	*rest;
	const char	*error;
	unsigned int	error_at;
};

/**
 * struct trace_span - some characters of a line
 * @text: the first character; there is no NUL after the last
 * @len: number of characters; 0 if there was no such word
 */
struct trace_span {
	const char	*text;
	size_t		len;
};

void trace_line_init(struct trace_line *line, const char *text);
bool trace_line_ends(struct trace_line *line);
const char *trace_line_rest(struct trace_line *line);
bool trace_line_take(struct trace_line *line, const char *token);
struct trace_span trace_line_name(struct trace_line *line);
struct trace_span trace_line_until(struct trace_line *line, const char *stops);
int trace_line_quoted(struct trace_line *line, struct trace_span *word);
int trace_line_number(struct trace_line *line, u64 *value);
int trace_line_fail(struct trace_line *line, int err, const char *what, const char *at);
bool trace_span_is(const struct trace_span *span, const char *word);

/* A whole string. Any context. */
static inline struct trace_span trace_span_of(const char *text)
{
	return (struct trace_span){ .text = text, .len = strlen(text) };
}

#endif /* _TRACE_LIB_LINE_H */
