// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of recording: events that occur while another one is being recorded, in the same
 * context and in an interrupt; exports; forms of definitions that few headers use; and the
 * functions by which the kernel's code switches events.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "../core/entries.h"
#include "../core/instance.h"
#include "events.h"
#include "filter/filter.h"
#include "match.h"

#define CREATE_TRACE_POINTS
#include "record_test.h"

#define SYSTEM		"definitions_test"
#define EVENT		"record_nested"
#define INSTANCE	"record-test"

/**
 * struct record_context - what a case has
 * @tr: its instance
 * @file: record_nested in it
 */
struct record_context {
	struct trace_array	*tr;
	struct trace_event_file	*file;
};

static int record_test_init(struct kunit *test)
{
	struct record_context *ctx = kunit_kzalloc(test, sizeof(*ctx), GFP_KERNEL);

	if (!ctx)
		return -ENOMEM;
	test->priv = ctx;
	ctx->tr = trace_array_get_by_name(INSTANCE, SYSTEM);
	if (!ctx->tr)
		return -ENOMEM;
	ctx->file = trace_get_event_file(INSTANCE, SYSTEM, EVENT);
	return PTR_ERR_OR_ZERO(ctx->file);
}

static void record_test_exit(struct kunit *test)
{
	struct record_context *ctx = test->priv;

	if (!ctx || !ctx->tr)
		return;
	if (!IS_ERR_OR_NULL(ctx->file))
		trace_put_event_file(ctx->file);
	trace_array_put(ctx->tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(ctx->tr), 0);
}

/* An entry of the event is complete: everything in it has its number. */
static void expect_whole(struct kunit *test, const struct trace_event_raw_record_nested *entry)
{
	const char number = entry->number;

	KUNIT_EXPECT_NULL(test, memchr_inv(entry->before, number, RECORD_BYTES));
	KUNIT_EXPECT_NULL(test, memchr_inv(entry->after, number, RECORD_BYTES));
	KUNIT_EXPECT_EQ(test, entry->ent.pid, current->pid);
}

/*
 * Take all records. Return the numbers of those outside of interrupts as bits; of those in a hard
 * interrupt, the bits are 16 higher.
 */
static unsigned int take_numbers(struct kunit *test, struct trace_array *tr)
{
	const struct trace_event_raw_record_nested *entry;
	struct ring_buffer_event *event;
	unsigned int numbers = 0, bit;
	int cpu;

	for_each_online_cpu(cpu) {
		while ((event = ring_buffer_consume(tr->array_buffer.buffer, cpu, NULL, NULL))) {
			entry = ring_buffer_event_data(event);
			expect_whole(test, entry);
			bit = entry->number + (entry->ent.flags & TRACE_FLAG_HARDIRQ ? 16 : 0);
			KUNIT_EXPECT_FALSE(test, numbers & BIT(bit));
			numbers |= BIT(bit);
		}
	}
	return numbers;
}

#define IN_INTERRUPT(bits)	((bits) << 16)

static void inside_nothing(int number)
{
}

/* Each event has one inside, four deep. */
static void inside_deeper(int number)
{
	if (number < 4)
		trace_record_nested(number + 1, inside_deeper);
}

static struct hrtimer record_timer;
static bool record_timer_ran;

static enum hrtimer_restart record_in_interrupt(struct hrtimer *timer)
{
	trace_record_nested(2, inside_deeper);
	WRITE_ONCE(record_timer_ran, true);
	return HRTIMER_NORESTART;
}

/* Have the timer interrupt this CPU, and wait for it. */
static void inside_interrupted(int number)
{
	unsigned long tries;

	WRITE_ONCE(record_timer_ran, false);
	hrtimer_start(&record_timer, ns_to_ktime(1000), HRTIMER_MODE_REL_PINNED_HARD);
	for (tries = 0; !READ_ONCE(record_timer_ran) && tries < 5000000; tries++)
		ndelay(200);
}

static void set_filter(struct kunit *test, struct trace_event_file *file, const char *text)
{
	struct event_filter *filter = NULL;
	struct trace_filter_error error;

	if (text) {
		filter = trace_filter_compile(file->call, text, &error);
		KUNIT_ASSERT_FALSE(test, IS_ERR(filter));
	}
	guard(mutex)(&trace_event_mutex);
	trace_event_file_set_filter(file, filter);
}

static void set_trigger(struct kunit *test, struct trace_event_file *file, const char *text)
{
	char *copy = kunit_kstrdup(test, text, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	guard(mutex)(&trace_event_mutex);
	KUNIT_ASSERT_EQ(test, trace_event_file_do_trigger(file, copy), 0);
}

/* Whatever the record of the outer event is made in, those inside of it are recorded, too. */
static void record_all_ways(struct kunit *test, void (*inside)(int number), unsigned int numbers)
{
	struct record_context *ctx = test->priv;
	struct trace_array *other;

	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(ctx->tr, SYSTEM, EVENT, true), 0);

	/* The record is made in the buffer of one instance. */
	trace_record_nested(1, inside);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), numbers);

	/* The record is made in memory of its own, as a filter needs the complete record. */
	set_filter(test, ctx->file, "number > 0");
	trace_record_nested(1, inside);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), numbers);
	set_filter(test, ctx->file, "number != 1");
	trace_record_nested(1, inside);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), numbers & ~BIT(1));
	set_filter(test, ctx->file, NULL);

	/* The record is made in memory of its own, for a trigger. */
	set_trigger(test, ctx->file, "traceon if number > 0");
	trace_record_nested(1, inside);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), numbers);
	set_trigger(test, ctx->file, "!traceon if number > 0");

	/* The record is made in the buffer of one instance, and copied to another one. */
	other = trace_array_get_by_name(INSTANCE "-2", SYSTEM);
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(other, SYSTEM, EVENT, true), 0);
	trace_record_nested(1, inside);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), numbers);
	KUNIT_EXPECT_EQ(test, take_numbers(test, other), numbers);
	trace_array_put(other);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(other), 0);

	/* Nothing is left of it that keeps the next ones out. */
	trace_record_nested(1, inside);
	trace_record_nested(7, inside_nothing);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), numbers | BIT(7));
}

/* Of events inside of others, the first one is recorded, and those inside of it are not. */
static void record_nested_test(struct kunit *test)
{
	record_all_ways(test, inside_deeper, BIT(1) | BIT(2));
}

/* The same holds for an interrupt; its events are not inside of the one that was interrupted. */
static void record_interrupted_test(struct kunit *test)
{
	hrtimer_init(&record_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	record_timer.function = record_in_interrupt;
	record_all_ways(test, inside_interrupted, BIT(1) | IN_INTERRUPT(BIT(2) | BIT(3)));
	hrtimer_cancel(&record_timer);
}

/* A reference to an event in an instance keeps the instance. */
static void record_get_file_test(struct kunit *test)
{
	struct record_context *ctx = test->priv;
	struct trace_event_file *file;
	struct trace_array *tr;

	KUNIT_EXPECT_PTR_EQ(test, ctx->file->tr, ctx->tr);
	KUNIT_EXPECT_STREQ(test, trace_event_name(ctx->file->call), EVENT);
	KUNIT_EXPECT_PTR_EQ(test, trace_get_event_file(INSTANCE "-none", SYSTEM, EVENT),
			    ERR_PTR(-ENOENT));
	KUNIT_EXPECT_PTR_EQ(test, trace_get_event_file(INSTANCE, SYSTEM, "no_such"),
			    ERR_PTR(-EINVAL));
	KUNIT_EXPECT_PTR_EQ(test, trace_get_event_file(INSTANCE, "no_such", EVENT),
			    ERR_PTR(-EINVAL));
	/* The instance was made without other systems. */
	KUNIT_EXPECT_PTR_EQ(test, trace_get_event_file(INSTANCE, "sched", "sched_switch"),
			    ERR_PTR(-EINVAL));

	file = trace_get_event_file(NULL, SYSTEM, EVENT);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_EXPECT_PTR_EQ(test, file->tr, trace_top);
	trace_put_event_file(file);

	/* A call that fails keeps no reference: the instance can be removed. */
	tr = trace_array_get_by_name(INSTANCE "-2", SYSTEM);
	KUNIT_ASSERT_NOT_NULL(test, tr);
	trace_array_put(tr);
	file = trace_get_event_file(INSTANCE "-2", SYSTEM, EVENT);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	trace_get_event_file(INSTANCE "-2", SYSTEM, "no_such");
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), -EBUSY);
	trace_put_event_file(file);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
}

/* An event without users is detached from its tracepoint a moment later. */
#define EXPECT_DETACHED(event)								\
do {											\
	int __tries;									\
											\
	for (__tries = 0; trace_##event##_enabled() && __tries < 600; __tries++)	\
		msleep(100);								\
	KUNIT_EXPECT_FALSE(test, trace_##event##_enabled());				\
} while (0)

static unsigned int records_in_top(void)
{
	return ring_buffer_entries(trace_top->array_buffer.buffer);
}

/* trace_set_clr_event() switches events of the top instance. */
static void record_set_clr_test(struct kunit *test)
{
	struct record_context *ctx = test->priv;
	unsigned int before = records_in_top();

	KUNIT_EXPECT_EQ(test, trace_set_clr_event(SYSTEM, "no_such", 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_set_clr_event("no_such", NULL, 1), -EINVAL);
	KUNIT_ASSERT_EQ(test, trace_set_clr_event(SYSTEM, EVENT, 1), 0);
	trace_record_nested(1, inside_nothing);
	KUNIT_EXPECT_EQ(test, records_in_top(), before + 1);
	KUNIT_EXPECT_EQ(test, take_numbers(test, ctx->tr), 0);

	KUNIT_EXPECT_EQ(test, trace_set_clr_event(NULL, EVENT, 0), 0);
	trace_record_nested(2, inside_nothing);
	KUNIT_EXPECT_EQ(test, records_in_top(), before + 1);
	EXPECT_DETACHED(record_nested);
}

static struct {
	unsigned int	nr;
	unsigned int	size;
	unsigned int	type;
	int		number;
} record_exported;

static void record_export_write(struct trace_export *export, const void *entry, unsigned int size)
{
	const struct trace_event_raw_record_nested *record = entry;

	record_exported.nr++;
	record_exported.size = size;
	record_exported.type = record->ent.type;
	record_exported.number = record->number;
}

/* An export gets each record that an instance takes, once for each of them. */
static void record_export_test(struct kunit *test)
{
	struct trace_export export = {
		.write	= record_export_write,
		.flags	= TRACE_EXPORT_EVENT,
	};
	struct record_context *ctx = test->priv;

	record_exported.nr = 0;
	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(ctx->tr, SYSTEM, EVENT, true), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_export(&export), 0);
	trace_record_nested(5, inside_nothing);
	KUNIT_EXPECT_EQ(test, record_exported.nr, 1);
	KUNIT_EXPECT_EQ(test, record_exported.size, sizeof(struct trace_event_raw_record_nested));
	KUNIT_EXPECT_EQ(test, record_exported.type, ctx->file->call->event.type);
	KUNIT_EXPECT_EQ(test, record_exported.number, 5);

	/* Complete, and only if the filter allows it */
	set_filter(test, ctx->file, "number == 6");
	trace_record_nested(5, inside_nothing);
	KUNIT_EXPECT_EQ(test, record_exported.nr, 1);
	trace_record_nested(6, inside_nothing);
	KUNIT_EXPECT_EQ(test, record_exported.nr, 2);
	KUNIT_EXPECT_EQ(test, record_exported.number, 6);

	KUNIT_EXPECT_EQ(test, unregister_ftrace_export(&export), 0);
	trace_record_nested(6, inside_nothing);
	KUNIT_EXPECT_EQ(test, record_exported.nr, 2);
}

/* Is there a record, and does it say that interrupts were off? Takes all records. */
static void take_context(struct kunit *test, struct trace_array *tr, bool *recorded, bool *off)
{
	const struct trace_event_raw_record_nested *entry;
	struct ring_buffer_event *event;
	int cpu;

	*recorded = false;
	*off = false;
	for_each_online_cpu(cpu) {
		while ((event = ring_buffer_consume(tr->array_buffer.buffer, cpu, NULL, NULL))) {
			entry = ring_buffer_event_data(event);
			*recorded = true;
			*off = entry->ent.flags & TRACE_FLAG_IRQS_OFF;
		}
	}
}

/* The flags of a record are right, whether the filter tests them, another field, or nothing. */
static void record_context_test(struct kunit *test)
{
	static const char * const filters[] = {
		NULL, "number == 1", "common_flags & 1", "common_flags & 1 || number == 2",
	};
	struct record_context *ctx = test->priv;
	bool recorded, off;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(ctx->tr, SYSTEM, EVENT, true), 0);
	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		set_filter(test, ctx->file, filters[i]);
		scoped_guard(irqsave)
			trace_record_nested(1, inside_nothing);
		take_context(test, ctx->tr, &recorded, &off);
		KUNIT_EXPECT_TRUE_MSG(test, recorded && off, "%s", filters[i]);

		trace_record_nested(1, inside_nothing);
		take_context(test, ctx->tr, &recorded, &off);
		KUNIT_EXPECT_FALSE_MSG(test, off, "%s", filters[i]);
		KUNIT_EXPECT_EQ_MSG(test, recorded, i < 2, "%s", filters[i]);
	}
	set_filter(test, ctx->file, NULL);
}

static int record_switched, record_switch_answer;

int record_switched_on(void)
{
	if (!record_switch_answer)
		record_switched++;
	return record_switch_answer;
}

void record_switched_off(void)
{
	record_switched--;
}

/* TRACE_EVENT_FN_COND(): functions are called when it is switched, and it has a condition. */
static void record_fn_cond_test(struct kunit *test)
{
	struct record_context *ctx = test->priv;
	struct trace_array *tr = ctx->tr;

	record_switch_answer = -EMFILE;
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, SYSTEM, "record_fn_cond", true),
			-EMFILE);
	KUNIT_EXPECT_FALSE(test, trace_record_fn_cond_enabled());
	record_switch_answer = 0;
	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(tr, SYSTEM, "record_fn_cond", true), 0);
	KUNIT_EXPECT_EQ(test, record_switched, 1);
	trace_record_fn_cond(2);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->array_buffer.buffer), 0);
	trace_record_fn_cond(3);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->array_buffer.buffer), 1);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, SYSTEM, "record_fn_cond", false), 0);
	EXPECT_DETACHED(record_fn_cond);
	KUNIT_EXPECT_EQ(test, record_switched, 0);
}

static void record_bare_probe(void *data, int number)
{
	*(int *)data += number;
}

/* Forms that define no event: nothing of them is there, or only a tracepoint. */
static void record_no_event_test(struct kunit *test)
{
	static const char *const names[] = {
		"record_nop", "record_class_nop", "record_of_class_nop", "record_bare",
		"record_bare_cond",
	};
	struct record_context *ctx = test->priv;
	int i, sum = 0;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ_MSG(test, trace_array_set_clr_event(ctx->tr, SYSTEM, names[i],
								    true),
				    -EINVAL, "%s", names[i]);
	trace_record_nop(1);
	trace_record_of_class_nop(1);
	KUNIT_EXPECT_FALSE(test, trace_record_nop_enabled());
	KUNIT_EXPECT_FALSE(test, trace_record_of_class_nop_enabled());

	KUNIT_ASSERT_EQ(test, register_trace_record_bare(record_bare_probe, &sum), 0);
	trace_record_bare(2);
	KUNIT_EXPECT_EQ(test, sum, 2);
	unregister_trace_record_bare(record_bare_probe, &sum);
	KUNIT_ASSERT_EQ(test, register_trace_record_bare_cond(record_bare_probe, &sum), 0);
	trace_record_bare_cond(4);
	KUNIT_EXPECT_EQ(test, sum, 2);
	trace_record_bare_cond(5);
	KUNIT_EXPECT_EQ(test, sum, 7);
	unregister_trace_record_bare_cond(record_bare_probe, &sum);
	tracepoint_synchronize_unregister();
}

static struct kunit_case record_test_cases[] = {
	KUNIT_CASE(record_nested_test),
	KUNIT_CASE(record_interrupted_test),
	KUNIT_CASE(record_get_file_test),
	KUNIT_CASE(record_set_clr_test),
	KUNIT_CASE(record_export_test),
	KUNIT_CASE(record_context_test),
	KUNIT_CASE(record_fn_cond_test),
	KUNIT_CASE(record_no_event_test),
	{}
};

static struct kunit_suite record_test_suite = {
	.name		= "trace_record",
	.init		= record_test_init,
	.exit		= record_test_exit,
	.test_cases	= record_test_cases,
};

kunit_test_suite(record_test_suite);

MODULE_DESCRIPTION("KUnit tests of recording trace events");
MODULE_LICENSE("GPL");
