// SPDX-License-Identifier: GPL-2.0
/*
 * Words written to a control file: see parser.h. Relies on nothing in trace.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "parser.h"

/* How much is copied from user space at a time. */
#define CHUNK	256

/**
 * trace_words_init - get ready for the words of one open file
 * @words: to be filled in
 * @max: longest word, its final NUL included
 * @accept: called for each word, see struct trace_words
 * @data: given to @accept
 *
 * May sleep. trace_words_free() frees what it allocates.
 *
 * Return: 0 or -ENOMEM.
 */
int trace_words_init(struct trace_words *words, unsigned int max,
		     int (*accept)(void *data, char *word), void *data)
{
	*words = (struct trace_words) {
		.accept	= accept,
		.data	= data,
		.max	= max,
		.word	= kmalloc(max, GFP_KERNEL),
	};
	return words->word ? 0 : -ENOMEM;
}

/**
 * trace_words_free - free it, and forget a word that was not ended
 * @words: as trace_words_init() left it, or all zero
 */
void trace_words_free(struct trace_words *words)
{
	kfree(words->word);
	words->word = NULL;
	words->len = 0;
}

/**
 * trace_words_end - the text is complete, and so is its last word
 * @words: the parser
 *
 * Return: 0, or what the word's acceptor returned.
 */
int trace_words_end(struct trace_words *words)
{
	if (!words->len)
		return 0;
	words->word[words->len] = '\0';
	words->len = 0;
	return words->accept(words->data, words->word);
}

/**
 * trace_words_feed - take the next part of the text
 * @words: the parser
 * @text: need not end with a NUL; one in it separates words as white space does
 * @len: its length
 * @done: set to how much of @text lies before the first word that was refused, or
 *	else before the one that was not ended
 *
 * Return: 0, or negative: what the acceptor of the refused word returned, or
 * -EINVAL if it was too long. The words before it have been accepted, it and
 * what follows are forgotten.
 */
int trace_words_feed(struct trace_words *words, const char *text, size_t len,
		     size_t *done)
{
	size_t i;
	int ret;

	*done = 0;
	for (i = 0; i < len; i++) {
		if (text[i] && !isspace(text[i])) {
			if (words->len == words->max - 1) {
				words->len = 0;
				return -EINVAL;
			}
			words->word[words->len++] = text[i];
			continue;
		}
		ret = trace_words_end(words);
		if (ret < 0)
			return ret;
		*done = i + 1;
	}
	return 0;
}

/**
 * trace_words_write - the write() of a file of words
 * @words: the parser
 * @ubuf: the text in user space
 * @count: its length
 *
 * May sleep. Where a word in the middle is refused, the write is cut short before
 * it, so that the writer gets the error when it goes on from there.
 *
 * Return: how much was taken, or negative errno for the first word, -EFAULT if
 * nothing could be read.
 */
ssize_t trace_words_write(struct trace_words *words, const char __user *ubuf,
			  size_t count)
{
	char chunk[CHUNK];
	size_t taken = 0, whole = 0, done, len;
	int ret;

	while (taken < count) {
		len = min(count - taken, sizeof(chunk));
		if (copy_from_user(chunk, ubuf + taken, len))
			return taken ? taken : -EFAULT;
		ret = trace_words_feed(words, chunk, len, &done);
		if (done)
			whole = taken + done;
		if (ret < 0)
			return whole ? whole : ret;
		taken += len;
	}
	return taken;
}
