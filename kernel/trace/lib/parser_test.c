// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the parser for words written to a control file.
 */
#include <kunit/test.h>

#include "parser.h"

#define WORD_MAX	8
#define REFUSED		"bad"

struct seen {
	struct trace_words	words;
	char			text[64];
};

/* It changes the word, as callbacks may. */
static int seen_accept(void *data, char *word)
{
	struct seen *seen = data;

	if (!strcmp(word, REFUSED))
		return -ENOENT;
	strlcat(seen->text, "<", sizeof(seen->text));
	strlcat(seen->text, word, sizeof(seen->text));
	strlcat(seen->text, ">", sizeof(seen->text));
	*word = '\0';
	return 0;
}

static int words_init(struct kunit *test)
{
	struct seen *seen = kunit_kzalloc(test, sizeof(*seen), GFP_KERNEL);

	if (!seen)
		return -ENOMEM;
	test->priv = seen;
	return trace_words_init(&seen->words, WORD_MAX, seen_accept, seen);
}

static void words_exit(struct kunit *test)
{
	struct seen *seen = test->priv;

	if (seen)
		trace_words_free(&seen->words);
}

/* Feed from memory that may be written to and is no longer than the text. */
static int feed(struct seen *seen, const char *text, size_t len, size_t *done)
{
	char *copy = kmemdup(text, len, GFP_KERNEL);
	int err = copy ? trace_words_feed(&seen->words, copy, len, done) : -ENOMEM;

	kfree(copy);
	return err;
}

struct words_case {
	const char	*name;
	const char	*parts[4];	/* of the text, each fed by itself */
	const char	*seen;		/* before the end */
	const char	*seen_at_end;
	int		err;		/* of the last part */
	size_t		done;		/* in the last part */
};

static const struct words_case words_cases[] = {
	{ "nothing", { "" }, "", "", 0, 0 },
	{ "only space", { " \t\n " }, "", "", 0, 4 },
	{ "one word, ended", { "word\n" }, "<word>", "<word>", 0, 5 },
	{ "one word, not ended", { "word" }, "", "<word>", 0, 0 },
	{ "several", { "a bb\tccc\n" }, "<a><bb><ccc>", "<a><bb><ccc>", 0, 9 },
	{ "space around", { "  a  b  " }, "<a><b>", "<a><b>", 0, 8 },
	{ "cut in two", { "wo", "rd x" }, "<word>", "<word><x>", 0, 3 },
	{ "cut in four", { "w", "o", "r", "d" }, "", "<word>", 0, 0 },
	{ "cut at the end", { "word", " " }, "<word>", "<word>", 0, 1 },
	{ "longest", { "1234567 " }, "<1234567>", "<1234567>", 0, 8 },
	{ "too long", { "12345678 " }, "", "", -EINVAL, 0 },
	{ "too long in parts", { "a 1234", "5678" }, "<a>", "<a>", -EINVAL, 0 },
	{ "refused first", { "bad a" }, "", "", -ENOENT, 0 },
	{ "refused behind blanks", { "  bad a" }, "", "", -ENOENT, 0 },
	{ "refused later", { "a bad b" }, "<a>", "<a>", -ENOENT, 2 },
	{ "refused across parts", { "a b", "ad c" }, "<a>", "<a>", -ENOENT, 0 },
	{ "goes on after an error", { "bad a ", "b " }, "<b>", "<b>", 0, 2 },
};

static void words_case_name(const struct words_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(words, words_cases, words_case_name);

/* Accept the words of a text one after the other, until one is refused. */
static int seen_accept_all(void *data, char *text, size_t len, size_t *taken)
{
	size_t size;
	int err;

	for (*taken = 0; *taken < len; *taken += size) {
		size = strlen(text + *taken) + 1;
		err = text[*taken] ? seen_accept(data, text + *taken) : 0;
		if (err)
			return err;
	}
	return 0;
}

static void feed_case(struct kunit *test)
{
	const struct words_case *c = test->param_value;
	struct seen *seen = test->priv;
	size_t done = 0;
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(c->parts) && c->parts[i]; i++)
		err = feed(seen, c->parts[i], strlen(c->parts[i]), &done);
	KUNIT_EXPECT_EQ(test, err, c->err);
	KUNIT_EXPECT_EQ(test, done, c->done);
	KUNIT_EXPECT_STREQ(test, seen->text, c->seen);

	KUNIT_EXPECT_EQ(test, trace_words_end(&seen->words), 0);
	KUNIT_EXPECT_STREQ(test, seen->text, c->seen_at_end);
}

static void words_feed_test(struct kunit *test)
{
	feed_case(test);
}

static void words_feed_all_test(struct kunit *test)
{
	struct seen *seen = test->priv;

	seen->words.accept = NULL;
	seen->words.accept_all = seen_accept_all;
	feed_case(test);
}

static void words_nul_separates_test(struct kunit *test)
{
	struct seen *seen = test->priv;
	size_t done;

	KUNIT_EXPECT_EQ(test, feed(seen, "a\0b\0", 4, &done), 0);
	KUNIT_EXPECT_EQ(test, done, 4);
	KUNIT_EXPECT_STREQ(test, seen->text, "<a><b>");
}

static void words_end_refused_test(struct kunit *test)
{
	struct seen *seen = test->priv;
	size_t done;

	KUNIT_EXPECT_EQ(test, feed(seen, REFUSED, 3, &done), 0);
	KUNIT_EXPECT_EQ(test, trace_words_end(&seen->words), -ENOENT);
	/* The word is accepted only once. */
	KUNIT_EXPECT_EQ(test, trace_words_end(&seen->words), 0);
}

static struct kunit_case words_test_cases[] = {
	KUNIT_CASE_PARAM(words_feed_test, words_gen_params),
	KUNIT_CASE_PARAM(words_feed_all_test, words_gen_params),
	KUNIT_CASE(words_nul_separates_test),
	KUNIT_CASE(words_end_refused_test),
	{}
};

static struct kunit_suite words_test_suite = {
	.name		= "trace_words",
	.init		= words_init,
	.exit		= words_exit,
	.test_cases	= words_test_cases,
};

kunit_test_suite(words_test_suite);

MODULE_DESCRIPTION("KUnit tests of the parser for words in control files");
MODULE_LICENSE("GPL");
