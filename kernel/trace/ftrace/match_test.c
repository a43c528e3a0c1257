// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the selection of call sites: names and patterns, and names of modules that are
 * not loaded yet.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "match.h"
#include "names.h"
#include "set.h"
#include "sites.h"
#include "state.h"

/*
 * Names
 */

static int count_matches(struct kunit *test, const char *text, unsigned long *nr)
{
	struct ftrace_set_builder b = {};
	char word[64];
	int err;

	strscpy(word, text, sizeof(word));
	scoped_guard(mutex, &ftrace_lock)
		err = ftrace_match_word(&b, word);
	ftrace_set_builder_sort(&b);
	*nr = b.nr;
	ftrace_set_builder_free(&b);
	return err;
}

static const struct {
	const char *word;
	int err;
	unsigned long nr;
} words[] = {
	{ "vfs_read",			0,		1 },
	{ "vfs_rea[d]",			0,		1 },
	{ "vfs_rea?",			0,		1 },
	{ "*vfs_read",			0,		1 },
	{ "vfs_rea",			-EINVAL,	0 },
	{ "vfs_reaq*",			-EINVAL,	0 },
	{ "",				0,		0 },
	{ "!",				-EINVAL,	0 },
	{ "!nosuch_function",		-EINVAL,	0 },
	{ "!vfs_read",			0,		0 },
	{ "0",				-EINVAL,	0 },
	{ "1",				0,		1 },
	{ "0x10",			0,		1 },
	{ "1-3",			-EINVAL,	0 },
	{ "99999999",			-EINVAL,	0 },
	{ "vfs\\_read",			0,		1 },
	{ "vfs_read:traceon",		-EINVAL,	0 },
};

static void words_match(struct kunit *test)
{
	unsigned long nr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		KUNIT_EXPECT_EQ_MSG(test, words[i].err, count_matches(test, words[i].word, &nr),
				    "word \"%s\"", words[i].word);
		KUNIT_EXPECT_EQ_MSG(test, words[i].nr, nr, "word \"%s\"", words[i].word);
	}
}

static void failed_word_changes_nothing(struct kunit *test)
{
	struct ftrace_set_builder b = {};
	char good[] = "vfs_read", bad[] = "!nosuch_function", worse[] = "nosuch_function";

	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_EQ(test, 0, ftrace_match_word(&b, good));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_match_word(&b, bad));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_match_word(&b, worse));
	KUNIT_EXPECT_EQ(test, 1, b.nr);
	ftrace_set_builder_free(&b);
}

/* Several words, each with its NUL. */
#define TEXT(words)	words, sizeof(words)

static const struct {
	const char *text;
	size_t len;
	size_t taken;
	int err;
	unsigned long nr;
} texts[] = {
	{ TEXT("vfs_read\0vfs_write"),			19,	0,		2 },
	{ TEXT("\0\0vfs_read\0\0\0vfs_write\0"),		24,	0,		2 },
	{ TEXT("vfs_read\0nosuch\0vfs_write"),		9,	-EINVAL,	1 },
	{ TEXT("nosuch\0vfs_read"),			0,	-EINVAL,	0 },
	{ TEXT("vfs_read\0!vfs_read\0vfs_write"),	29,	0,		1 },
	{ TEXT("vfs_rea[d]\0vfs_rea?\0vfs_read"),	29,	0,		1 },
	{ TEXT("vfs_rea[d]\0nosuch*\0vfs_write"),	11,	-EINVAL,	1 },
	{ TEXT("1\0002\0003\000002"),			10,	0,		3 },
	{ TEXT("*\0!*"),				5,	0,		0 },
	{ TEXT("vfs_read\0vfs_write\0!vfs_read\0!nosuch\0!vfs_write"), 29, -EINVAL, 1 },
};

static void texts_match(struct kunit *test)
{
	struct ftrace_set_builder b = {};
	size_t taken;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		scoped_guard(mutex, &ftrace_lock)
			err = ftrace_match_words(&b, texts[i].text, texts[i].len, &taken);
		ftrace_set_builder_sort(&b);
		KUNIT_EXPECT_EQ_MSG(test, texts[i].err, err, "text %u", i);
		KUNIT_EXPECT_EQ_MSG(test, texts[i].taken, taken, "text %u", i);
		KUNIT_EXPECT_EQ_MSG(test, texts[i].nr, b.nr, "text %u", i);
		ftrace_set_builder_free(&b);
	}
}

/*
 * ftrace_name() returns the names that kallsyms has, for sites in any order
 */

static const char *name_by_kallsyms(const struct ftrace_group *group,
				    const struct dyn_ftrace *site, char *name)
{
	unsigned long ip = ftrace_site_ip(group, site), size, offset;
	char *modname;

	if (!kallsyms_lookup(ip, &size, &offset, &modname, name))
		return NULL;
	if (ftrace_location_range(ip - offset, ip) != ip)
		return NULL;
	return offset <= FTRACE_SITE_MAX_OFFSET ? name : NULL;
}

struct name_check {
	struct ftrace_names names;
	char name[KSYM_NAME_LEN];
	unsigned long nr;
	unsigned long wrong;
};

static void check_name(struct name_check *c, const struct ftrace_group *group, unsigned int i)
{
	const struct dyn_ftrace *site = group->site + i;
	const char *want = name_by_kallsyms(group, site, c->name);
	const char *got = ftrace_name(&c->names, group, site);

	cond_resched();
	c->nr++;
	if (!want != !got || (want && strcmp(want, got)))
		c->wrong++;
	if (!want == ftrace_has_name(&c->names, group, site))
		c->wrong++;
}

static void names_are_those_of_kallsyms(struct kunit *test)
{
	struct name_check *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	const struct ftrace_group *group;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, c);
	guard(mutex)(&ftrace_lock);
	list_for_each_entry(group, &ftrace_groups, list) {
		for (i = 0; i < group->nr; i++)
			check_name(c, group, i);
		for (i = group->nr; i; i -= min(i, 1000U))
			check_name(c, group, i - 1);
		for (i = 0; i < group->nr; i += 77)
			check_name(c, group, i);
	}
	ftrace_names_free(&c->names);
	KUNIT_EXPECT_GT(test, c->nr, 1000);
	KUNIT_EXPECT_EQ(test, c->wrong, 0);
}

/*
 * Modules
 */

static void scope_decides(struct kunit *test)
{
	struct ftrace_scope scope = { .module = "" };

	KUNIT_EXPECT_FALSE(test, ftrace_in_scope(&scope, NULL));
	scope.module = "!";
	KUNIT_EXPECT_TRUE(test, ftrace_in_scope(&scope, NULL));
	scope.module = "nosuch";
	KUNIT_EXPECT_FALSE(test, ftrace_in_scope(&scope, NULL));
	scope.module = "!nosuch";
	KUNIT_EXPECT_TRUE(test, ftrace_in_scope(&scope, NULL));
}

static int match_scope(const char *func, const char *module, unsigned long *nr)
{
	struct ftrace_scope modules = { .module = module };
	struct ftrace_set_builder b = {};
	int err;

	scoped_guard(mutex, &ftrace_lock)
		err = ftrace_match_scope(&b, func, &modules, false);
	ftrace_set_builder_sort(&b);
	*nr = b.nr;
	ftrace_set_builder_free(&b);
	return err;
}

static void scope_matches(struct kunit *test)
{
	unsigned long nr, all;

	KUNIT_EXPECT_EQ(test, 0, match_scope("vfs_read", "!", &nr));
	KUNIT_EXPECT_EQ(test, nr, 1);
	KUNIT_EXPECT_EQ(test, 0, match_scope("vfs_read", "!nosuch*", &nr));
	KUNIT_EXPECT_EQ(test, nr, 1);
	KUNIT_EXPECT_EQ(test, -EINVAL, match_scope("vfs_read", "nosuch", &nr));
	KUNIT_EXPECT_EQ(test, -EINVAL, match_scope("vfs_read", "", &nr));
	KUNIT_EXPECT_EQ(test, 0, match_scope("", "!", &nr));
	KUNIT_EXPECT_EQ(test, 0, match_scope("*", "!", &all));
	KUNIT_EXPECT_EQ(test, nr, all);
}

/* The words "func:mod:module" of a list. */
static const char *deferred_text(const struct ftrace_deferred *deferred)
{
	static char text[128];
	size_t len = 0;

	text[0] = '\0';
	for (; deferred; deferred = deferred->next)
		len += scnprintf(text + len, sizeof(text) - len, "%s:%s ", deferred->func,
				 deferred->module);
	return text;
}

static void later_remembers(struct kunit *test)
{
	struct ftrace_deferred *list = NULL, *copy = NULL;

	KUNIT_EXPECT_EQ(test, 0, ftrace_deferred_add(&list, "a", "m"));
	KUNIT_EXPECT_EQ(test, 0, ftrace_deferred_add(&list, "b", "n"));
	KUNIT_EXPECT_EQ(test, 0, ftrace_deferred_add(&list, "c", "m"));
	KUNIT_EXPECT_EQ(test, 0, ftrace_deferred_add(&list, "", "m"));
	KUNIT_EXPECT_STREQ(test, deferred_text(list), "b:n :m c:m a:m ");
	KUNIT_EXPECT_EQ(test, 0, ftrace_deferred_copy(&copy, list));
	KUNIT_EXPECT_FALSE(test, ftrace_deferred_remove(&list, "a", "n"));
	KUNIT_EXPECT_FALSE(test, ftrace_deferred_remove(&list, "*", "nosuch"));
	KUNIT_EXPECT_TRUE(test, ftrace_deferred_remove(&list, "c", "m"));
	KUNIT_EXPECT_STREQ(test, deferred_text(list), "b:n :m a:m ");
	KUNIT_EXPECT_TRUE(test, ftrace_deferred_remove(&list, "*", "m"));
	KUNIT_EXPECT_STREQ(test, deferred_text(list), "b:n ");
	KUNIT_EXPECT_STREQ(test, deferred_text(copy), "b:n :m c:m a:m ");
	KUNIT_EXPECT_EQ(test, 0, ftrace_deferred_copy(&copy, list));
	KUNIT_EXPECT_STREQ(test, deferred_text(copy), "b:n :m c:m a:m b:n ");
	ftrace_deferred_free(list);
	ftrace_deferred_free(copy);
}

static void sets_keep_what_is_remembered(struct kunit *test)
{
	struct ftrace_set_builder b = {};
	struct ftrace_set *set;

	KUNIT_EXPECT_TRUE(test, ftrace_set_builder_no_choice(&b));
	KUNIT_ASSERT_EQ(test, 0, ftrace_deferred_add(&b.deferred, "a", "m"));
	KUNIT_EXPECT_FALSE(test, ftrace_set_builder_no_choice(&b));
	set = ftrace_set_freeze(&b);
	ftrace_set_builder_free(&b);
	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_EXPECT_STREQ(test, deferred_text(set->deferred), "a:m ");
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_builder_load(&b, set));
	KUNIT_EXPECT_STREQ(test, deferred_text(b.deferred), "a:m ");
	ftrace_set_builder_free(&b);
	ftrace_set_free(set);
}

/* If a user removes all sites, nothing is selected; if they go with a module, none are. */
static void what_is_lost_is_not_taken_away(struct kunit *test)
{
	struct ftrace_set_builder b = {}, gone = {};
	struct ftrace_set *set;

	KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(&b, 16));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(&gone, 16));
	ftrace_set_builder_sort(&gone);
	ftrace_set_builder_remove(&b, &gone);
	KUNIT_EXPECT_TRUE(test, ftrace_set_builder_no_choice(&b));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(&b, 16));
	ftrace_set_builder_forget(&b, 17, 32);
	ftrace_set_builder_remove(&b, &gone);
	KUNIT_EXPECT_TRUE(test, ftrace_set_builder_no_choice(&b));
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_builder_add(&b, 16));
	ftrace_set_builder_forget(&b, 8, 17);
	KUNIT_EXPECT_FALSE(test, ftrace_set_builder_no_choice(&b));
	/* The same is true of a set made of it. */
	set = ftrace_set_freeze(&b);
	ftrace_set_builder_free(&b);
	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_EXPECT_TRUE(test, ftrace_set_builder_no_choice(&b));
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_builder_load(&b, NULL));
	KUNIT_EXPECT_TRUE(test, ftrace_set_builder_no_choice(&b));
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_builder_load(&b, set));
	KUNIT_EXPECT_FALSE(test, ftrace_set_builder_no_choice(&b));
	ftrace_set_builder_free(&b);
	ftrace_set_builder_free(&gone);
	ftrace_set_free(set);
}

static struct kunit_case select_test_cases[] = {
	KUNIT_CASE(words_match),
	KUNIT_CASE(failed_word_changes_nothing),
	KUNIT_CASE(texts_match),
	KUNIT_CASE(names_are_those_of_kallsyms),
	KUNIT_CASE(scope_decides),
	KUNIT_CASE(scope_matches),
	KUNIT_CASE(later_remembers),
	KUNIT_CASE(sets_keep_what_is_remembered),
	KUNIT_CASE(what_is_lost_is_not_taken_away),
	{}
};

static struct kunit_suite select_test_suite = {
	.name		= "ftrace_select",
	.test_cases	= select_test_cases,
};

kunit_test_suite(select_test_suite);

MODULE_DESCRIPTION("KUnit tests of how call sites are selected");
MODULE_LICENSE("GPL");
