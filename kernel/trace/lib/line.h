/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of one of tracing's languages, taken word by word, which knows where an error is.
 *
 * Filters, triggers, probes and function commands are lines. Who parses one takes words from
 * its beginning, says where something is wrong, and has that logged with a caret under it. The
 * line itself is not changed, and words are parts of it, without a NUL.
 */
#ifndef _TRACE_LIB_LINE_H
#define _TRACE_LIB_LINE_H

#include <linux/types.h>

/**
 * struct trace_line - a line, and how far it has been taken
 * @text: all of it
 * @rest: what was not taken yet
 * @error: what is wrong with it; NULL: nothing so far
 * @error_at: where in @text, in bytes; behind its end if something is missing there
 */
struct trace_line {
	const char	*text;
	const char	*rest;
	const char	*error;
	unsigned int	error_at;
};

/**
 * struct trace_span - some characters of a line
 * @text: the first; there is no NUL behind the last
 * @len: how many; 0: there was no such word
 */
struct trace_span {
	const char	*text;
	size_t		len;
};

void trace_line_init(struct trace_line *line, const char *text);
bool trace_line_ends(struct trace_line *line);
bool trace_line_take(struct trace_line *line, const char *token);
struct trace_span trace_line_name(struct trace_line *line);
struct trace_span trace_line_until(struct trace_line *line, const char *stops);
int trace_line_quoted(struct trace_line *line, struct trace_span *word);
int trace_line_number(struct trace_line *line, u64 *value);
int trace_line_fail(struct trace_line *line, int err, const char *what, const char *at);
bool trace_span_is(const struct trace_span *span, const char *word);

#endif /* _TRACE_LIB_LINE_H */
