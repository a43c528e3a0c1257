// SPDX-License-Identifier: GPL-2.0
/*
 * The parser for words written to a control file: see parser.h.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "parser.h"

/* Bytes that are copied from user space at a time: thousands of words. */
#define CHUNK	SZ_64K

/**
 * trace_words_init - prepare a parser for the words of one open file
 * @words: to be filled in
 * @max: size of the longest word, including its final NUL
 * @accept: called for each word, see struct trace_words; NULL if the caller sets accept_all
 * @data: passed to @accept
 *
 * The caller frees it with trace_words_free().
 *
 * Context: may sleep.
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
 * trace_words_free - free a parser's memory, and drop a word that has not ended
 * @words: initialized by trace_words_init(), or all zero
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
	char *word, *next;
	int ret;

	for (word = text; word < text + len; word = next) {
		/* The callback may change the word. */
		next = word + strlen(word) + 1;
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
	size_t first = 0;
	int ret;

	*taken = 0;
	if (!len)
		return 0;
	while (first < len && !text[first])
		first++;
	ret = words->accept_all ? words->accept_all(words->data, text, len, taken) :
				  accept_each(words, text, len, taken);
	/* White space before the first word is not taken if that is refused. */
	if (ret < 0 && *taken <= first)
		*taken = 0;
	return ret;
}

/**
 * trace_words_end - end the text, and accept its last word
 * @words: the parser
 *
 * Context: that of the accept callback; one user of @words at a time.
 * Return: 0, or what the callback returned for the word.
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

/* Where the last word of the text begins; @len if the text does not end in a word. */
static size_t last_word(const char *text, size_t len)
{
	while (len && text[len - 1] && !isspace(text[len - 1]))
		len--;
	return len;
}

/* End each word with a NUL. Return where the first word that is too long begins, or @len. */
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

/* Append to the word whose end was not seen yet. */
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

/* Accept all words of the text. The caller has cut off the last one if it may go on. */
static int take_whole_words(struct trace_words *words, char *text, size_t len, size_t *done)
{
	size_t good = separate(words, text, len);
	int ret = accept(words, text, good, done);

	return ret < 0 || good == len ? ret : -EINVAL;
}

/**
 * trace_words_feed - parse the next part of the text
 * @words: the parser
 * @text: the part, which is modified. It need not end with a NUL; a NUL in it separates words as
 *	white space does
 * @len: its length in bytes
 * @done: set to the number of bytes of @text before the first word that was refused; or, if none
 *	was, before the last word if that has not ended
 *
 * Context: that of the accept callback; one user of @words at a time.
 * Return: 0; or what the callback returned for the word that it refused, or -EINVAL if a word was
 * too long. In this case the words before it were accepted, and the rest is dropped.
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
 * @count: its length in bytes
 *
 * If a word in the middle is refused, the write ends before that word, so that the next write,
 * which begins with it, returns the error.
 *
 * Context: may sleep.
 * Return: number of bytes taken; or, if the first word is refused, its negative errno; -EFAULT if
 * nothing could be read; -ENOMEM.
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
