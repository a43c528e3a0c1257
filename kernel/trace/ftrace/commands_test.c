// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of function commands. The commands are there from boot on, so that
 * selftests/ftrace/test.d/select/command_parameters.tc can write them to set_ftrace_filter.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../lib/line.h"
#include "filter.h"
#include "ftrace.h"
#include "names.h"
#include "state.h"

static unsigned int runs, begins, ends;
static bool useful = true, refuse;

/* Two instances; only their addresses are used. */
static char instances[2];
#define INSTANCE(nr)	((struct trace_array *)&instances[nr])

static int command_begin(struct trace_array *tr, void *data)
{
	begins++;
	return refuse ? -EPERM : 0;
}

static void command_end(struct trace_array *tr, void *data)
{
	ends++;
}

static bool command_useful(struct trace_array *tr, void *data)
{
	return useful;
}

static void command_run(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	runs++;
}

/*
 * The command kunit_key:KEY[:COUNT] counts its calls for a function. The test of set_ftrace_filter
 * reads how many data were made, and how many of these were freed.
 */

/**
 * struct key_data - data of a kunit_key
 * @runs: number of times that the command was run
 * @key: KEY, of which 7 characters are kept
 */
struct key_data {
	unsigned int runs;
	char key[8];
};

static unsigned int key_made, key_freed;
module_param(key_made, uint, 0444);
module_param(key_freed, uint, 0444);

/* The data that were made last. */
static struct key_data *key_newest;

static void *key_parse(struct trace_array *tr, struct trace_line *line)
{
	struct trace_span key = trace_line_until(line, ":");
	struct key_data *data;

	if (!key.len)
		return ERR_PTR(trace_line_fail(line, -EINVAL, "Missing key", key.text));
	if (trace_span_is(&key, "busy"))
		return ERR_PTR(-EBUSY);
	data = kzalloc(sizeof(*data), GFP_KERNEL);
	if (!data)
		return ERR_PTR(-ENOMEM);
	memcpy(data->key, key.text, min(key.len, sizeof(data->key) - 1));
	key_made++;
	key_newest = data;
	return data;
}

static bool key_same(const void *data, const void *other)
{
	return !strcmp(((const struct key_data *)data)->key, ((const struct key_data *)other)->key);
}

static void key_show(struct seq_file *m, const void *data)
{
	seq_puts(m, ((const struct key_data *)data)->key);
}

static void key_free(void *data)
{
	key_freed++;
	kfree(data);
}

static void key_run(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	((struct key_data *)data)->runs++;
}

static struct ftrace_command command_rows[] = {
	{
		.name = "kunit",
		.begin = command_begin, .end = command_end, .useful = command_useful,
		.run = command_run,
	},
	{ .name = "kunit_once", .times = 1, .run = command_run },
	{ .name = "kunit_always", .times = FTRACE_COMMAND_UNLIMITED, .run = command_run },
	{
		.name = "kunit_key", .parameters = "KEY",
		.parse = key_parse, .same = key_same, .show = key_show, .free = key_free,
		.begin = command_begin, .end = command_end,
		.run = key_run,
	},
};

FTRACE_COMMANDS(command_rows);

/* The error of the last line, and its place. */
static const char *command_error;
static unsigned int command_error_at;

/* Add "func:command[:parameters][:count]"; with a leading "!", remove it. */
static int command_for(struct trace_array *tr, const char *word)
{
	struct trace_line line;
	struct trace_span span;
	char func[32] = "";
	bool remove;
	int err;

	trace_line_init(&line, word);
	remove = trace_line_take(&line, "!");
	span = trace_line_until(&line, ":");
	memcpy(func, span.text, min(span.len, sizeof(func) - 1));
	trace_line_take(&line, ":");
	err = remove ? ftrace_remove_command(tr, func, &line) :
		       ftrace_add_command(tr, func, &line);
	command_error = line.error;
	command_error_at = line.error_at;
	return err;
}

static int do_command(const char *word)
{
	return command_for(INSTANCE(0), word);
}

/* Call kstrdup_const(), which other tasks hardly call meanwhile. */
static void call_often(unsigned int calls)
{
	char buf[] = "abc";

	while (calls--)
		kfree_const(kstrdup_const(buf, GFP_KERNEL));
}

static unsigned int runs_of_calls(unsigned int calls)
{
	unsigned int before = runs;

	call_often(calls);
	return runs - before;
}

static unsigned long lines_of(struct trace_array *tr)
{
	guard(mutex)(&ftrace_lock);
	return ftrace_command_lines(tr);
}

static int commands_init(struct kunit *test)
{
	useful = true;
	refuse = false;
	return 0;
}

static void commands_exit(struct kunit *test)
{
	ftrace_end_commands(INSTANCE(0));
	ftrace_end_commands(INSTANCE(1));
}

static void commands_run(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit"));
	KUNIT_EXPECT_GE(test, runs_of_calls(10), 10);
	useful = false;
	KUNIT_EXPECT_EQ(test, runs_of_calls(10), 0);
	useful = true;
	KUNIT_EXPECT_EQ(test, 0, do_command("!kstrdup_const:kunit"));
	KUNIT_EXPECT_EQ(test, runs_of_calls(10), 0);
}

static void commands_count(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit:3"));
	useful = false;
	KUNIT_EXPECT_EQ(test, runs_of_calls(10), 0);
	useful = true;
	KUNIT_EXPECT_EQ(test, runs_of_calls(10), 3);
	KUNIT_EXPECT_EQ(test, 0, do_command("!kstrdup_const:kunit:3"));
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit:"));
	KUNIT_EXPECT_GE(test, runs_of_calls(10), 10);
	KUNIT_EXPECT_EQ(test, 0, do_command("!kstrdup_const:kunit:"));
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit:0"));
	KUNIT_EXPECT_EQ(test, runs_of_calls(10), 0);
	KUNIT_EXPECT_EQ(test, 0, do_command("!kstrdup_const:kunit:x"));
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit_once:7"));
	KUNIT_EXPECT_EQ(test, runs_of_calls(10), 1);
	KUNIT_EXPECT_EQ(test, 0, do_command("!kstrdup_const:kunit_once"));
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit_always:7"));
	KUNIT_EXPECT_GE(test, runs_of_calls(10), 10);
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 1);
}

static void commands_overlap(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_rmdir:kunit:3"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit:5"));
	KUNIT_EXPECT_EQ(test, 0, do_command("vfs_rmdir:kunit"));
	KUNIT_EXPECT_EQ(test, 0, do_command("vfs_??dir:kunit:5"));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 3);
	/* A command is removed from one of two functions, then from all; each kind by itself. */
	KUNIT_EXPECT_EQ(test, 0, do_command("!vfs_mkdir:kunit:1"));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 2);
	KUNIT_EXPECT_EQ(test, 0, do_command("!:kunit:1"));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 1);
	KUNIT_EXPECT_EQ(test, -ENODEV, do_command("!*:kunit:1"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("!vfs_mkdir:kunit"));
	/* Instances do not see commands of each other. */
	KUNIT_EXPECT_EQ(test, -ENODEV, command_for(INSTANCE(1), "!vfs_rmdir:kunit"));
	KUNIT_EXPECT_EQ(test, 0, command_for(INSTANCE(1), "vfs_rmdir:kunit"));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(1)), 1);
	ftrace_end_commands(INSTANCE(0));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 0);
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(1)), 1);
}

/* end() is called for each word, whether its functions leave one by one or at once. */
static void commands_end(struct kunit *test)
{
	begins = 0;
	ends = 0;
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_rmdir:kunit:3"));
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_??dir:kunit"));
	KUNIT_EXPECT_EQ(test, begins, 2);
	KUNIT_EXPECT_EQ(test, 0, do_command("!vfs_rmdir:kunit"));
	KUNIT_EXPECT_EQ(test, ends, 0);
	KUNIT_EXPECT_EQ(test, 0, do_command("!vfs_mkdir:kunit"));
	KUNIT_EXPECT_EQ(test, ends, 1);
	refuse = true;
	KUNIT_EXPECT_EQ(test, -EPERM, do_command("vfs_mkdir:kunit"));
	KUNIT_EXPECT_EQ(test, ends, 1);
	ftrace_end_commands(INSTANCE(0));
	KUNIT_EXPECT_EQ(test, ends, 2);
}

static void commands_say_no(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit_nosuch"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("!vfs_rmdir:kunit_nosuch"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("nosuch_function:kunit"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command(":kunit"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit:-1"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit:1x"));
	KUNIT_EXPECT_EQ(test, -ERANGE, do_command("vfs_rmdir:kunit:99999999999999999999"));
	KUNIT_EXPECT_EQ(test, -ENODEV, do_command("!nosuch_function:kunit"));
	refuse = true;
	KUNIT_EXPECT_EQ(test, -EPERM, do_command("vfs_rmdir:kunit"));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 0);
}

/* The text of line @nr of the file. */
static const char *line_of(struct kunit *test, unsigned long nr)
{
	struct ftrace_names *names = kunit_kzalloc(test, sizeof(*names), GFP_KERNEL);
	struct seq_file m = { .size = PAGE_SIZE };	/* of which a name asks for 512 bytes */

	m.buf = kunit_kzalloc(test, m.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, names);
	KUNIT_ASSERT_NOT_NULL(test, m.buf);
	scoped_guard(mutex, &ftrace_lock)
		ftrace_show_command(&m, names, INSTANCE(0), nr);
	ftrace_names_free(names);
	return m.buf;
}

/* The caret is under the "^" of @word, which is not part of it. */
static void expect_refused(struct kunit *test, const char *word, const char *error)
{
	char text[64];
	unsigned int at = strchr(word, '^') - word;

	snprintf(text, sizeof(text), "%.*s%s", at, word, word + at + 1);
	KUNIT_EXPECT_LT_MSG(test, do_command(text), 0, "%s", text);
	KUNIT_EXPECT_STREQ_MSG(test, command_error, error, "%s", text);
	KUNIT_EXPECT_EQ_MSG(test, command_error_at, at, "%s", text);
}

static void commands_say_why(struct kunit *test)
{
	expect_refused(test, "vfs_rmdir:^kunit_nosuch", "Unknown command");
	expect_refused(test, "!vfs_rmdir:^kunit_nosuch:3", "Unknown command");
	expect_refused(test, "vfs_rmdir:^", "Unknown command");
	expect_refused(test, "vfs_rmdir:kunit:^x", "Invalid count");
	expect_refused(test, "vfs_rmdir:kunit:^1x", "Invalid count");
	expect_refused(test, "vfs_rmdir:kunit_key:^", "Missing key");
	expect_refused(test, "vfs_rmdir:kunit_key:^:3", "Missing key");
	expect_refused(test, "vfs_rmdir:kunit_key:a:^", "Missing count");
	expect_refused(test, "vfs_rmdir:kunit_key:a:^x", "Invalid count");
	expect_refused(test, "^nosuch_function:kunit", "Function not found");
	expect_refused(test, "!^vfs_rmdir:kunit", "No such command of such a function");
	KUNIT_ASSERT_EQ(test, do_command("vfs_rmdir:kunit"), 0);
	expect_refused(test, "^vfs_rmdir:kunit", "Command already exists");
	KUNIT_EXPECT_EQ(test, do_command("!vfs_rmdir:kunit"), 0);
	KUNIT_EXPECT_EQ(test, do_command("vfs_rmdir:kunit:9223372036854775808"), 0);
	KUNIT_EXPECT_STREQ(test, line_of(test, 0), "vfs_rmdir:kunit:count=9223372036854775807\n");
	KUNIT_EXPECT_EQ(test, do_command("!vfs_rmdir:kunit:1"), 0);
	refuse = true;
	KUNIT_EXPECT_EQ(test, -EPERM, do_command("vfs_rmdir:kunit"));
	KUNIT_EXPECT_NULL(test, command_error);
}

/* Number of data that were not freed. */
static unsigned int keys(void)
{
	return key_made - key_freed;
}

static void parameters_are_parsed(struct kunit *test)
{
	unsigned int before = keys();

	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit_key"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit_key:"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit_key::3"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit_key:a:"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("vfs_rmdir:kunit_key:a:x"));
	KUNIT_EXPECT_EQ(test, -EBUSY, do_command("vfs_rmdir:kunit_key:busy"));
	KUNIT_EXPECT_EQ(test, -EBUSY, do_command("!vfs_rmdir:kunit_key:busy"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("nosuch_function:kunit_key:a"));
	refuse = true;
	KUNIT_EXPECT_EQ(test, -EPERM, do_command("vfs_rmdir:kunit_key:a"));
	KUNIT_EXPECT_EQ(test, lines_of(INSTANCE(0)), 0);
	KUNIT_EXPECT_EQ(test, keys(), before);
}

static void parameters_are_listed(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_rmdir:kunit_key:a"));
	KUNIT_ASSERT_EQ(test, 1, lines_of(INSTANCE(0)));
	KUNIT_EXPECT_STREQ(test, line_of(test, 0), "vfs_rmdir:kunit_key:a:unlimited\n");
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_rmdir:kunit_key:bcd:3"));
	KUNIT_EXPECT_STREQ(test, line_of(test, 0), "vfs_rmdir:kunit_key:bcd:count=3\n");
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_rmdir:kunit:3"));
	KUNIT_EXPECT_STREQ(test, line_of(test, 0), "vfs_rmdir:kunit:count=3\n");
}

/* Each word has its own data, and there is no limit for words with different data. */
static void parameters_make_kinds(struct kunit *test)
{
	const struct key_data *a, *b;

	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit_key:a"));
	a = key_newest;
	KUNIT_ASSERT_EQ(test, 0, do_command("kstrdup_const:kunit_key:b:3"));
	b = key_newest;
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("kstrdup_const:kunit_key:a"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_command("kstrdup_const:kunit_key:b:5"));
	call_often(10);
	KUNIT_EXPECT_GE(test, a->runs, 10);
	KUNIT_EXPECT_EQ(test, b->runs, 3);
	KUNIT_EXPECT_EQ(test, -ENODEV, do_command("!kstrdup_const:kunit_key:b"));
	KUNIT_EXPECT_EQ(test, -ENODEV, do_command("!kstrdup_const:kunit_key:c"));
	KUNIT_EXPECT_EQ(test, 0, do_command("!kstrdup_const:kunit_key:a"));
	KUNIT_EXPECT_EQ(test, 1, lines_of(INSTANCE(0)));
	KUNIT_EXPECT_EQ(test, 0, do_command("!*:kunit_key:b:0"));
	KUNIT_EXPECT_EQ(test, 0, lines_of(INSTANCE(0)));
}

/* Data are freed with the last function of their word, or with the instance. */
static void data_are_freed(struct kunit *test)
{
	unsigned int before = keys();

	begins = 0;
	ends = 0;
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_??dir:kunit_key:a"));
	KUNIT_ASSERT_EQ(test, 0, do_command("vfs_rmdir:kunit_key:b"));
	KUNIT_ASSERT_EQ(test, 0, command_for(INSTANCE(1), "vfs_rmdir:kunit_key:a"));
	KUNIT_EXPECT_EQ(test, keys() - before, 3);
	KUNIT_EXPECT_EQ(test, 0, do_command("!vfs_rmdir:kunit_key:a"));
	KUNIT_EXPECT_EQ(test, keys() - before, 3);
	KUNIT_EXPECT_EQ(test, 0, do_command("!vfs_mkdir:kunit_key:a"));
	KUNIT_EXPECT_EQ(test, keys() - before, 2);
	ftrace_end_commands(INSTANCE(0));
	KUNIT_EXPECT_EQ(test, keys() - before, 1);
	ftrace_end_commands(INSTANCE(1));
	KUNIT_EXPECT_EQ(test, keys() - before, 0);
	KUNIT_EXPECT_EQ(test, begins, 3);
	KUNIT_EXPECT_EQ(test, ends, 3);
}

static struct kunit_case commands_test_cases[] = {
	KUNIT_CASE(commands_run),
	KUNIT_CASE(commands_count),
	KUNIT_CASE(commands_overlap),
	KUNIT_CASE(commands_end),
	KUNIT_CASE(commands_say_no),
	KUNIT_CASE(commands_say_why),
	KUNIT_CASE(parameters_are_parsed),
	KUNIT_CASE(parameters_are_listed),
	KUNIT_CASE(parameters_make_kinds),
	KUNIT_CASE(data_are_freed),
	{}
};

static struct kunit_suite commands_test_suite = {
	.name		= "ftrace_commands",
	.init		= commands_init,
	.exit		= commands_exit,
	.test_cases	= commands_test_cases,
};

kunit_test_suite(commands_test_suite);

MODULE_DESCRIPTION("KUnit tests of function commands");
MODULE_LICENSE("GPL");
