// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of printers that are registered and unregistered: their numbers, the formats of a
 * line, and readers that print meanwhile.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/limits.h>
#include <linux/slab.h>

#include "../core/entries.h"
#include "../core/instance.h"
#include "internal.h"

#define GOING_ROUNDS	200
#define GOING_LINES	8	/* printed at once */

struct printers_context {
	struct trace_iterator	iter;
	struct trace_array	tr;
	struct trace_entry	entry;
	/* Tests that unregister printers use these. */
	struct completion	printed;
	unsigned int		freed;
};

static enum print_line_t test_text(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	trace_seq_printf(&iter->seq, "text of %d\n", event->type);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t test_raw(struct trace_iterator *iter, int flags,
				  struct trace_event *event)
{
	trace_seq_printf(&iter->seq, "raw of %d\n", event->type);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t test_hex(struct trace_iterator *iter, int flags,
				  struct trace_event *event)
{
	trace_seq_puts(&iter->seq, "hex");
	return trace_handle_return(&iter->seq);
}

static enum print_line_t test_bin(struct trace_iterator *iter, int flags,
				  struct trace_event *event)
{
	trace_seq_puts(&iter->seq, "bin");
	return trace_handle_return(&iter->seq);
}

static struct trace_event_functions test_funcs = {
	.trace	= test_text,
	.raw	= test_raw,
	.hex	= test_hex,
	.binary	= test_bin,
};

static struct trace_event *find(unsigned int type)
{
	struct trace_event *event;

	trace_event_read_lock();
	event = trace_entry_event(type);
	trace_event_read_unlock();
	return event;
}

static void printers_register(struct kunit *test)
{
	struct trace_event event = { .funcs = &test_funcs };
	int type = register_trace_event(&event);

	KUNIT_ASSERT_GE(test, type, TRACE_FIRST_EVENT_TYPE);
	KUNIT_EXPECT_LE(test, type, U16_MAX);
	KUNIT_EXPECT_EQ(test, event.type, type);
	KUNIT_EXPECT_PTR_EQ(test, find(type), &event);
	KUNIT_EXPECT_EQ(test, unregister_trace_event(&event), 0);
	KUNIT_EXPECT_NULL(test, find(type));
	/* Unregistering a second time does no harm. */
	KUNIT_EXPECT_EQ(test, unregister_trace_event(&event), 0);
	/* The event has a number now, and gets the same one again. */
	KUNIT_EXPECT_EQ(test, register_trace_event(&event), type);
	KUNIT_EXPECT_PTR_EQ(test, find(type), &event);
	unregister_trace_event(&event);
}

/* A number that the caller has chosen and that is not in use, fixed or not. */
static void printers_given(struct kunit *test)
{
	const int types[] = { TRACE_MMIO_RW, U16_MAX };
	struct trace_event event = { .funcs = &test_funcs }, other = event;
	int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		event.type = types[i];
		other.type = types[i];
		KUNIT_EXPECT_NULL(test, find(types[i]));
		KUNIT_EXPECT_EQ(test, register_trace_event(&event), types[i]);
		KUNIT_EXPECT_EQ(test, register_trace_event(&event), 0);
		KUNIT_EXPECT_EQ(test, register_trace_event(&other), 0);
		KUNIT_EXPECT_PTR_EQ(test, find(types[i]), &event);
		/* This event is not the one that is registered. */
		unregister_trace_event(&other);
		KUNIT_EXPECT_PTR_EQ(test, find(types[i]), &event);
		unregister_trace_event(&event);
		KUNIT_EXPECT_NULL(test, find(types[i]));
	}
}

static void printers_refused(struct kunit *test)
{
	const int types[] = { TRACE_FN, TRACE_FUNC_REPEATS, U16_MAX + 1, -1 };
	struct trace_event event = { .funcs = &test_funcs };
	struct trace_event *own = find(TRACE_FN);
	int i;

	KUNIT_EXPECT_NOT_NULL(test, own);
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		event.type = types[i];
		KUNIT_EXPECT_EQ(test, register_trace_event(&event), 0);
		unregister_trace_event(&event);
	}
	KUNIT_EXPECT_PTR_EQ(test, find(TRACE_FN), own);
}

/* A number is not given again soon, as buffers may have entries of the old type. */
static void printers_not_reused(struct kunit *test)
{
	struct trace_event event = { .funcs = &test_funcs };
	int type = register_trace_event(&event), i, next;

	for (i = 0; i < 100; i++) {
		unregister_trace_event(&event);
		event.type = 0;
		next = register_trace_event(&event);
		/* After the last number, the first ones follow. */
		KUNIT_EXPECT_TRUE(test, next > type || type == U16_MAX);
		type = next;
	}
	unregister_trace_event(&event);
}

static void printers_exhausted(struct kunit *test)
{
	unsigned int max = U16_MAX + 1 - TRACE_FIRST_EVENT_TYPE, nr, freed, i;
	struct trace_event one_more = { .funcs = &test_funcs };
	struct trace_event *events;

	events = kvcalloc(max, sizeof(*events), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, events);
	for (nr = 0; nr < max; nr++) {
		events[nr].funcs = &test_funcs;
		if (!register_trace_event(&events[nr]))
			break;
	}
	/* Other types may be registered already. */
	KUNIT_EXPECT_GT(test, nr, max / 2);
	KUNIT_EXPECT_EQ(test, register_trace_event(&one_more), 0);
	freed = nr / 2;
	unregister_trace_event(&events[freed]);
	one_more.type = 0;
	KUNIT_EXPECT_EQ(test, register_trace_event(&one_more), events[freed].type);
	KUNIT_EXPECT_PTR_EQ(test, find(one_more.type), &one_more);
	unregister_trace_event(&one_more);

	for (i = 0; i < nr; i++)
		unregister_trace_event(&events[i]);
	kvfree(events);
}

static void expect_line(struct kunit *test, int type, u64 options, const char *text)
{
	struct printers_context *context = test->priv;
	struct trace_iterator *iter = &context->iter;

	context->entry.type = type;
	context->tr.options = options;
	trace_seq_init(&iter->seq);
	trace_event_read_lock();
	trace_print_line(iter);
	trace_event_read_unlock();
	trace_seq_putc(&iter->seq, '\0');
	KUNIT_EXPECT_STREQ(test, iter->seq.buffer, text);
}

static void expect_lines(struct kunit *test, int type, const char *text, const char *raw,
			 const char *hex, const char *bin)
{
	expect_line(test, type, 0, text);
	expect_line(test, type, BIT(TRACE_OPT_RAW), raw);
	expect_line(test, type, BIT(TRACE_OPT_HEX), hex);
	expect_line(test, type, BIT(TRACE_OPT_BIN), bin);
}

static void printers_forms(struct kunit *test)
{
	struct trace_event event = { .type = 12345, .funcs = &test_funcs };

	KUNIT_ASSERT_EQ(test, register_trace_event(&event), 12345);
	expect_lines(test, 12345, "text of 12345\n", "raw of 12345\n", "hex\n", "bin");
	unregister_trace_event(&event);
	expect_lines(test, 12345, "Unknown type 12345\n", "12345 ?\n", "\n", "");
}

static void printers_empty_forms(struct kunit *test)
{
	struct trace_event_functions funcs = { .hex = test_hex };
	struct trace_event event = { .type = 12345, .funcs = &funcs };

	KUNIT_ASSERT_EQ(test, register_trace_event(&event), 12345);
	expect_lines(test, 12345, "type: 12345\n", "type: 12345\n", "hex\n", "type: 12345\n");
	unregister_trace_event(&event);
}

/* Types without printers, and types that nothing records. */
static void printers_of_own_types(struct kunit *test)
{
	expect_line(test, TRACE_STACK, BIT(TRACE_OPT_RAW), "type: 4\n");
	expect_lines(test, TRACE_BRANCH, "Unknown type 9\n", "9 ?\n", "\n", "");
	expect_line(test, 0, 0, "Unknown type 0\n");
}

/* A printer that sleeps, and checks that its event is not freed meanwhile. */
static enum print_line_t going_text(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	struct printers_context *context = container_of(iter, struct printers_context, iter);

	complete(&context->printed);
	usleep_range(20, 100);
	if (READ_ONCE(event->type) != iter->ent->type)
		context->freed++;
	return TRACE_TYPE_HANDLED;
}

static struct trace_event_functions going_funcs = {
	.trace	= going_text,
};

static int going_reader(void *data)
{
	struct printers_context *context = data;
	int i;

	while (!kthread_should_stop()) {
		trace_event_read_lock();
		for (i = 0; i < GOING_LINES; i++) {
			trace_seq_init(&context->iter.seq);
			trace_print_line(&context->iter);
		}
		trace_event_read_unlock();
		cond_resched();
	}
	return 0;
}

static void going_round(struct kunit *test, int type)
{
	struct printers_context *context = test->priv;
	struct trace_event *event = kmalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return;
	*event = (struct trace_event){ .type = type, .funcs = &going_funcs };
	reinit_completion(&context->printed);
	KUNIT_EXPECT_EQ(test, register_trace_event(event), type);
	/* Another task is printing with it now. */
	KUNIT_EXPECT_NE(test, wait_for_completion_timeout(&context->printed, 10 * HZ), 0);
	unregister_trace_event(event);
	WRITE_ONCE(event->type, 0);
	kfree(event);
}

static void printers_going(struct kunit *test)
{
	struct printers_context *context = test->priv;
	struct task_struct *reader;
	int i;

	context->entry.type = 12345;
	init_completion(&context->printed);
	reader = kthread_run(going_reader, context, "printers_test");
	KUNIT_ASSERT_FALSE(test, IS_ERR(reader));
	for (i = 0; i < GOING_ROUNDS; i++)
		going_round(test, context->entry.type);
	kthread_stop(reader);
	KUNIT_EXPECT_EQ(test, context->freed, 0);
}

static int printers_test_init(struct kunit *test)
{
	struct printers_context *context = kunit_kzalloc(test, sizeof(*context), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, context);
	test->priv = context;
	context->iter.tr = &context->tr;
	context->iter.ent = &context->entry;
	context->iter.ent_size = sizeof(context->entry);
	return 0;
}

static struct kunit_case printers_cases[] = {
	KUNIT_CASE(printers_register),
	KUNIT_CASE(printers_given),
	KUNIT_CASE(printers_refused),
	KUNIT_CASE(printers_not_reused),
	KUNIT_CASE_SLOW(printers_exhausted),
	KUNIT_CASE(printers_forms),
	KUNIT_CASE(printers_empty_forms),
	KUNIT_CASE(printers_of_own_types),
	KUNIT_CASE_SLOW(printers_going),
	{}
};

static struct kunit_suite printers_suite = {
	.name		= "trace_printers",
	.init		= printers_test_init,
	.test_cases	= printers_cases,
};

kunit_test_suite(printers_suite);
