/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parser for words written to a control file.
 *
 * Many control files take words separated by white space, in any number of writes: a word may
 * begin in one write and end in a later one, or end when the file is closed. All of these files
 * use this parser, which knows nothing about tracing.
 */
#ifndef _TRACE_LIB_PARSER_H
#define _TRACE_LIB_PARSER_H

#include <linux/compiler_types.h>
#include <linux/types.h>

/**
 * struct trace_words - the state of the parser for an open file
 * @accept: takes a word, which it may change but not keep. Returns 0 or a negative errno
 * @accept_all: takes many words at once, instead of @accept: each ends with a NUL, and there may be
 *	more NULs between them. If it refuses a word, it has accepted those before, and sets
 *	the last argument to the offset of the word
 * @data: passed to @accept and @accept_all
 * @max: size of @word in bytes, including the final NUL
 * @len: bytes of @word that hold the beginning of a word whose end was not seen yet
 * @word: memory that trace_words_init() has allocated
 *
 * The owner excludes concurrent writers of one file with a mutex.
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

#endif /* _TRACE_LIB_PARSER_H */
