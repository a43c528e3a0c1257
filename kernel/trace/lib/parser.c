// SPDX-License-Identifier: GPL-2.0
/*
 * Words written to a control file: see parser.h. Relies on nothing in trace.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "parser.h"

/* How much is copied from user space at a time: room for thousands of words. */
#define CHUNK	SZ_64K

/**
 * trace_words_init - get ready for the words of one open file
 * @words: to be filled in
 * @max: longest word, its final NUL included
 * @accept: called for each word, see struct trace_words; NULL if the caller sets
 *	accept_all
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
 *
 * Context: any but NMI, one user of @words at a time.
 */
void trace_words_free(struct trace_words *words)
{
	kfree(words->word);
	words->word = NULL;
	words->len = 0;
}

static int accept_each(struct trace_words *words, char *text, size_t len, size_t *taken)
{
	char *word;
	int ret;

	for (word = text; word < text + len; word += strlen(word) + 1) {
		ret = *word ? words->accept(words->data, word) : 0;
		if (ret < 0) {
			*taken = word - text;
			return ret;
		}
	}
	*taken = len;
	return 0;
}

static int accept(struct trace_words *words, char *text, size_t len, size_t *taken)
{
	*taken = 0;
	if (!len)
		return 0;
	if (words->accept_all)
		return words->accept_all(words->data, text, len, taken);
	return accept_each(words, text, len, taken);
}

/**
 * trace_words_end - the text is complete, and so is its last word
 * @words: the parser
 *
 * Context: that of the acceptor; one user of @words at a time.
 * Return: 0, or what the word's acceptor returned.
 */
int trace_words_end(struct trace_words *words)
{
	size_t len = words->len, taken;

	if (!len)
		return 0;
	words->len = 0;
	words->word[len] = '\0';
	return accept(words, words->word, len + 1, &taken);
}

/* Is there a word at the end of the text, and where does it begin? */
static size_t last_word(const char *text, size_t len)
{
	while (len && text[len - 1] && !isspace(text[len - 1]))
		len--;
	return len;
}

/* Ends each word with a NUL; returns where the first begins that is too long, or @len. */
static size_t separate(struct trace_words *words, char *text, size_t len)
{
	size_t i, start = 0;

	for (i = 0; i < len; i++) {
		if (text[i] && !isspace(text[i]))
			continue;
		text[i] = '\0';
		if (i - start >= words->max)
			return start;
		start = i + 1;
	}
	return len;
}

/* Adds to the word whose end was not seen yet. */
static int keep(struct trace_words *words, const char *text, size_t len)
{
	if (words->len + len >= words->max) {
		words->len = 0;
		return -EINVAL;
	}
	memcpy(words->word + words->len, text, len);
	words->len += len;
	return 0;
}

/* All of the text but for a word at its end, which may go on. */
static int take_whole_words(struct trace_words *words, char *text, size_t len, size_t *done)
{
	size_t good = separate(words, text, len);
	int ret = accept(words, text, good, done);

	return ret < 0 || good == len ? ret : -EINVAL;
}

/**
 * trace_words_feed - take the next part of the text
 * @words: the parser
 * @text: need not end with a NUL; one in it separates words as white space does;
 *	it is written to
 * @len: its length
 * @done: set to how much of @text lies before the first word that was refused, or
 *	else before the one that was not ended
 *
 * Context: that of the acceptor; one user of @words at a time.
 * Return: 0, or negative: what the acceptor of the refused word returned, or
 * -EINVAL if it was too long. The words before it have been accepted, it and
 * what follows are forgotten.
 */
int trace_words_feed(struct trace_words *words, char *text, size_t len, size_t *done)
{
	size_t first = 0, last = last_word(text, len);
	int ret;

	*done = 0;
	if (words->len && last) {
		while (text[first] && !isspace(text[first]))
			first++;
		ret = keep(words, text, first) ?: trace_words_end(words);
		if (ret < 0)
			return ret;
	}
	ret = take_whole_words(words, text + first, last - first, done);
	*done += first;
	return ret < 0 ? ret : keep(words, text + last, len - last);
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
 * nothing could be read, -ENOMEM.
 */
ssize_t trace_words_write(struct trace_words *words, const char __user *ubuf,
			  size_t count)
{
	size_t taken = 0, whole = 0, done, len, room = min(count, CHUNK);
	char *chunk __free(kvfree) = kvmalloc(room, GFP_KERNEL);
	int ret;

	if (!chunk)
		return -ENOMEM;
	while (taken < count) {
		len = min(count - taken, room);
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
