/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words written to a control file.
 *
 * Many control files take words separated by white space, in as many writes as
 * the writer likes: a word may begin in one write and end in a later one, or be
 * ended by closing the file. This is the one parser for all of them. It knows
 * nothing of tracing.
 */
#ifndef _TRACE_CORE_PARSER_H
#define _TRACE_CORE_PARSER_H

#include <linux/compiler_types.h>
#include <linux/types.h>

/**
 * struct trace_words - what an open file has been given
 * @accept: takes a word, which it may change, not keep; 0, or negative errno
 * @accept_all: instead of @accept, for who would rather have many words at once: each
 *	with its NUL, and more NULs between them. Sets the last argument to where
 *	the word begins that it refused; those before it have been accepted.
 * @data: given to them
 * @max: size of @word, its final NUL included
 * @len: how much of @word is filled by a word whose end was not seen yet
 * @word: allocated by trace_words_init()
 *
 * The owner keeps writers of one file apart, with a mutex.
 */
struct trace_words {
	int		(*accept)(void *data, char *word);
	int		(*accept_all)(void *data, char *text, size_t len, size_t *taken);
	void		*data;
	unsigned int	max;
	unsigned int	len;
	char		*word;
};

int trace_words_init(struct trace_words *words, unsigned int max,
		     int (*accept)(void *data, char *word), void *data);
void trace_words_free(struct trace_words *words);
int trace_words_feed(struct trace_words *words, char *text, size_t len, size_t *done);
ssize_t trace_words_write(struct trace_words *words, const char __user *ubuf,
			  size_t count);
int trace_words_end(struct trace_words *words);

#endif /* _TRACE_CORE_PARSER_H */
