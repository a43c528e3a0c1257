// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the code that TRACE_EVENT() and its relatives generate from a definition: records,
 * their fields, their text. The events are in definitions_test.h; an instance with no other events
 * records them.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/uaccess.h>

#include "../core/instance.h"
#include "../core/tracer.h"
#include "events.h"
#include "fields.h"
#include "match.h"

__diag_ignore(GCC, 8, "-Wsuggest-attribute=format",
	      "events with __vstring() have a format in an argument of any name");
#define CREATE_TRACE_POINTS
#include "definitions_test.h"

#define CREATE_CUSTOM_TRACE_EVENTS
#include "custom_test.h"

/* After headers of custom events, headers of other events have their usual meaning. */
#undef CREATE_TRACE_POINTS
#include <trace/events/oom.h>

#define SYSTEM	"definitions_test"

/**
 * struct definitions_context - data of a test case
 * @tr: its instance
 * @iter: a reader, which is at @record
 * @call: the event of @record
 * @record: a copy of a record
 */
struct definitions_context {
	struct trace_array	*tr;
	struct trace_iterator	iter;
	struct trace_event_call	*call;
	char			record[512] __aligned(8);
};

static int definitions_test_init(struct kunit *test)
{
	struct definitions_context *ctx = kunit_kzalloc(test, sizeof(*ctx), GFP_KERNEL);

	if (!ctx)
		return -ENOMEM;
	test->priv = ctx;
	ctx->tr = trace_array_get_by_name("definitions-test", SYSTEM ",custom");
	return ctx->tr ? 0 : -ENOMEM;
}

static void definitions_test_exit(struct kunit *test)
{
	struct definitions_context *ctx = test->priv;

	if (!ctx || !ctx->tr)
		return;
	trace_array_put(ctx->tr);
	trace_array_destroy(ctx->tr);
}

/* Choose an event, and switch it on. */
static void choose(struct kunit *test, const char *name)
{
	struct definitions_context *ctx = test->priv;

	scoped_guard(mutex, &trace_event_mutex)
		ctx->call = trace_event_find(SYSTEM, name);
	KUNIT_ASSERT_FALSE(test, IS_ERR(ctx->call));
	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(ctx->tr, SYSTEM, name, true), 0);
}

/* Take the oldest record. Return its size; 0 if there is none. */
static unsigned int take(struct definitions_context *ctx)
{
	struct ring_buffer_event *event;
	unsigned int size;
	int cpu;

	for_each_online_cpu(cpu) {
		event = ring_buffer_consume(ctx->tr->array_buffer.buffer, cpu, NULL, NULL);
		if (!event)
			continue;
		size = min(ring_buffer_event_length(event), sizeof(ctx->record));
		memcpy(ctx->record, ring_buffer_event_data(event), size);
		ctx->iter.tr = ctx->tr;
		ctx->iter.ent = (void *)ctx->record;
		ctx->iter.ent_size = size;
		return size;
	}
	return 0;
}

/* The record as text, without the newline at its end. */
static const char *text(struct definitions_context *ctx, trace_print_func print)
{
	struct trace_seq *s = &ctx->iter.seq;

	trace_seq_init(s);
	if (print(&ctx->iter, 0, &ctx->call->event) != TRACE_TYPE_HANDLED)
		return "not handled";
	seq_buf_str(&s->seq);
	s->buffer[strlen(s->buffer) - 1] = '\0';
	return s->buffer;
}

/* Pieces of an expected text, in one */
static const char *join(struct kunit *test, const char *const *pieces)
{
	const size_t size = 1024;
	char *text = kunit_kzalloc(test, size, GFP_KERNEL);

	for (; text && *pieces; pieces++)
		strlcat(text, *pieces, size);
	return text;
}

#define JOIN(...)	join(test, (const char *const []){ __VA_ARGS__, NULL })

static void expect_text(struct kunit *test, const char *expected)
{
	struct definitions_context *ctx = test->priv;

	KUNIT_ASSERT_GT(test, take(ctx), 0);
	KUNIT_EXPECT_EQ(test, ctx->iter.ent->type, ctx->call->event.type);
	KUNIT_EXPECT_EQ(test, ctx->iter.ent->pid, current->pid);
	KUNIT_EXPECT_STREQ(test, text(ctx, ctx->call->event.funcs->trace), expected);
}

static void expect_fields(struct kunit *test, const struct trace_event_field *expected)
{
	struct definitions_context *ctx = test->priv;
	struct trace_event_field field;
	unsigned int nr;

	for (nr = 0; trace_event_get_field(ctx->call, nr, &field); nr++, expected++) {
		KUNIT_ASSERT_NOT_NULL(test, expected->type);
		KUNIT_EXPECT_STREQ(test, field.name, expected->name);
		KUNIT_EXPECT_STREQ(test, field.type, expected->type);
		KUNIT_EXPECT_EQ_MSG(test, field.offset, expected->offset, "%s", field.name);
		KUNIT_EXPECT_EQ_MSG(test, field.size, expected->size, "%s", field.name);
		KUNIT_EXPECT_EQ_MSG(test, field.count, expected->count, "%s", field.name);
		KUNIT_EXPECT_EQ_MSG(test, field.is_signed, expected->is_signed, "%s", field.name);
		KUNIT_EXPECT_EQ_MSG(test, trace_event_field_kind(&field), expected->kind, "%s",
				    field.name);
	}
	KUNIT_EXPECT_NULL(test, expected->type);
}

/* Fields of a fixed size: laid out as C does. */
static void definitions_fixed_test(struct kunit *test)
{
	static const struct trace_event_field fields[] = {
		{ "u8", "byte", 8, 1, 0, 0, FILTER_OTHER },
		{ "s64", "number", 16, 8, 0, 1, FILTER_OTHER },
		{ "short", "small", 24, 2, 0, 1, FILTER_OTHER },
		{ "bool", "truth", 26, 1, 0, 0, FILTER_OTHER },
		{ "unsigned long", "function", 32, 8, 0, 0, FILTER_TRACE_FN },
		{ "struct definitions_pair", "pair", 40, 16, 0, 0, FILTER_OTHER },
		{ "char", "text", 56, 8, 8, 0, FILTER_STATIC_STRING },
		{ "int", "list", 64, 12, 3, 1, FILTER_OTHER },
		{ "enum definitions_number", "choice", 76, 4, 0, 0, FILTER_OTHER },
		{ "const char *", "pointer", 80, 8, 0, 0, FILTER_PTR_STRING },
		{ "void *", "user", 88, 8, 0, 0, FILTER_OTHER },
		{ "struct definitions_pair", "last", 96, 16, 0, 0, FILTER_OTHER },
		{}
	};
	struct definitions_context *ctx = test->priv;
	char pointers[64], function[64];
	struct definitions_pair pair;
	unsigned long pointer;

	/* Fill the padding between its members and after them, too. */
	memset(&pair, 0xff, sizeof(pair));
	pair.first = 7;
	pair.second = 8;
	choose(test, "definitions_fixed");
	expect_fields(test, fields);
	trace_definitions_fixed(200, -5, "longer than eight", &pair);
	expect_text(test, "definitions_fixed: 200 -5 -1 1 longer  1 constant");
	KUNIT_EXPECT_EQ(test, ctx->record[8], 200);
	KUNIT_EXPECT_EQ(test, *(s64 *)(ctx->record + 16), -5);
	KUNIT_EXPECT_MEMEQ(test, ctx->record + 40, (char *)&pair, sizeof(pair.first) + 1);
	KUNIT_EXPECT_EQ(test, take(ctx), 0);
	KUNIT_EXPECT_STREQ(test, ctx->call->print_fmt,
			   JOIN("\"%u %lld %hd %d %s %d %s\", REC->byte, REC->number, ",
				"REC->small, REC->truth, REC->text, REC->list[DEFINITIONS_TWO], ",
				"REC->pointer"));
	/* The option "fields" */
	snprintf(function, sizeof(function), "function=%pS", printk_get_level);
	/* On UML, the kernel's addresses cannot be told from those of programs. */
	pointer = *(unsigned long *)(ctx->record + 80);
	snprintf(pointers, sizeof(pointers), "pointer=(0x%lx%s) user=0x0 (0)", pointer,
		 pointer < TASK_SIZE_MAX ? "" : ":constant");
	KUNIT_EXPECT_STREQ(test, text(ctx, trace_event_print_fields),
			   JOIN("definitions_fixed: byte='\310'(200) ",
				"number=0xfffffffffffffffb (-5) ",
				"small=0xffff (-1) truth=(1) ",
				function, " pair=07,00,00,00,00,00,00,00,08,ff,ff,ff,ff,ff,ff,ff ",
				"text=longer  list={0xffffffff,0x0,0x1} choice=0x2 (2) ",
				pointers,
				" last=07,00,00,00,00,00,00,00,08,ff,ff,ff,ff,ff,ff,ff"));
}

/* Option fields: numbers of 16 bits have the sign that their fields have. */
static void definitions_half_test(struct kunit *test)
{
	struct definitions_context *ctx = test->priv;

	choose(test, "definitions_half");
	trace_definitions_half(65519);
	expect_text(test, "definitions_half: -17 65519");
	KUNIT_EXPECT_STREQ(test, text(ctx, trace_event_print_fields),
			   "definitions_half: is_signed=0xffef (-17) is_unsigned=0xffef (65519)");
}

/* Where a field says that its data are: offset and size in bytes. */
static void expect_loc(struct kunit *test, unsigned int field, unsigned int offset,
		       unsigned int size)
{
	struct definitions_context *ctx = test->priv;
	u32 loc = *(u32 *)(ctx->record + field);

	KUNIT_EXPECT_EQ_MSG(test, loc & 0xffff, offset, "field at %u", field);
	KUNIT_EXPECT_EQ_MSG(test, loc >> 16, size, "field at %u", field);
}

#define CPUMASK_BYTES	(BITS_TO_LONGS(nr_cpumask_bits) * sizeof(long))

static const u16 numbers[] = { 1, 10, 65535 };
static const unsigned long bits[] = { 0xffUL << 56, 0x21 };
static const struct cpumask cpus = { .bits = { 1 } };
static const struct sockaddr address = { .sa_data_min = { 1, 2 } };

static const struct definitions_data data = {
	.numbers	= numbers,
	.nr		= 3,
	.text		= "some text",
	.part		= 4,
	.bits		= bits,
	.cpus		= &cpus,
	.address	= &address,
	.address_size	= 4,
};

static __printf(2, 3)
void record_data(const struct definitions_data *data, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_definitions_data(data, fmt, &args);
	va_end(args);
}

/* A mask with CPU 0, as printk() prints it: with one digit for four CPUs */
static const char *cpus_text(struct kunit *test)
{
	const size_t size = CPUMASK_BYTES * 3;
	char *text = kunit_kzalloc(test, size, GFP_KERNEL);

	if (text)
		scnprintf(text, size, "%*pb", (int)CPUMASK_BYTES * 8, cpumask_bits(&cpus));
	return text;
}

/* The variable part has the data in the order of their fields, without gaps. */
static void definitions_data_test(struct kunit *test)
{
	static const struct trace_event_field fields[] = {
		{ "__data_loc u16[]", "numbers", 8, 4, 0, 0, FILTER_OTHER },
		{ "__data_loc char[]", "text", 12, 4, 0, 0, FILTER_DYN_STRING },
		{ "__data_loc char[]", "part", 16, 4, 0, 0, FILTER_DYN_STRING },
		{ "__data_loc char[]", "formatted", 20, 4, 0, 0, FILTER_DYN_STRING },
		{ "__data_loc unsigned long[]", "bits", 24, 4, 0, 0, FILTER_OTHER },
		{ "__data_loc cpumask_t", "cpus", 28, 4, 0, 0, FILTER_CPUMASK },
		{ "__data_loc u8[]", "address", 32, 4, 0, 0, FILTER_OTHER },
		{ "int", "last", 36, 4, 0, 1, FILTER_OTHER },
		{}
	};
	struct definitions_context *ctx = test->priv;

	choose(test, "definitions_data");
	expect_fields(test, fields);
	record_data(&data, "%s %d", "formatted", 12);
	expect_text(test, JOIN("definitions_data: {0x1,0xa,0xffff} some text some formatted 12 ",
			       "00000000,00000021,ff000000,00000000 ", cpus_text(test),
			       " 00 00 01 02 -2"));
	expect_loc(test, 8, 40, 6);
	expect_loc(test, 12, 46, 10);
	expect_loc(test, 16, 56, 5);
	expect_loc(test, 20, 61, 13);
	expect_loc(test, 24, 74, 16);
	expect_loc(test, 28, 90, CPUMASK_BYTES);
	expect_loc(test, 32, 90 + CPUMASK_BYTES, 4);
	KUNIT_EXPECT_STREQ(test, ctx->record + 46, "some text");
	KUNIT_EXPECT_STREQ(test, text(ctx, trace_event_print_fields),
			   JOIN("definitions_data: numbers=01,00,0a,00,ff,ff text=some text ",
				"part=some formatted=formatted 12 ",
				"bits=00,00,00,00,00,00,00,ff,21,00,00,00,00,00,00,00 ",
				"cpus=", cpus_text(test), " address=00,00,01,02 ",
				"last=0xfffffffe (-2)"));
}

/* No text is "(null)", and other data may be empty. */
static void definitions_empty_test(struct kunit *test)
{
	struct definitions_data nothing = {
		.text = NULL, .part = 3, .bits = bits, .cpus = data.cpus,
	};

	choose(test, "definitions_data");
	record_data(&nothing, "%s", "");
	expect_text(test, JOIN("definitions_data: {} (null) (nu  ",
			       "00000000,00000021,ff000000,00000000 ", cpus_text(test), "  -2"));
	expect_loc(test, 8, 40, 0);
	expect_loc(test, 12, 40, 7);
	expect_loc(test, 16, 47, 4);
	expect_loc(test, 20, 51, 1);

	nothing.text = "";
	nothing.part = 0;
	record_data(&nothing, "%600d", 1);
	KUNIT_ASSERT_GT(test, take(test->priv), 0);
	expect_loc(test, 12, 40, 1);
	expect_loc(test, 16, 41, 1);
	/* A formatted string is cut. */
	expect_loc(test, 20, 42, 512);
}

/* Data that are found by their offset from the end of their field */
static void definitions_relative_test(struct kunit *test)
{
	static const struct trace_event_field fields[] = {
		{ "__rel_loc u16[]", "numbers", 8, 4, 0, 0, FILTER_OTHER },
		{ "__rel_loc char[]", "text", 12, 4, 0, 0, FILTER_RDYN_STRING },
		{ "__rel_loc char[]", "part", 16, 4, 0, 0, FILTER_RDYN_STRING },
		{ "__rel_loc unsigned long[]", "bits", 20, 4, 0, 0, FILTER_OTHER },
		{ "__rel_loc cpumask_t", "cpus", 24, 4, 0, 0, FILTER_OTHER },
		{ "__rel_loc u8[]", "address", 28, 4, 0, 0, FILTER_OTHER },
		{ "int", "last", 32, 4, 0, 1, FILTER_OTHER },
		{}
	};
	struct definitions_context *ctx = test->priv;

	choose(test, "definitions_relative");
	expect_fields(test, fields);
	trace_definitions_relative(&data);
	expect_text(test, JOIN("definitions_relative: {0x1,0xa,0xffff} some text some ",
			       "00000000,00000021,ff000000,00000000 ", cpus_text(test),
			       " 00 00 01 02 -2"));
	expect_loc(test, 8, 36 - 12, 6);
	expect_loc(test, 12, 42 - 16, 10);
	expect_loc(test, 16, 52 - 20, 5);
	expect_loc(test, 20, 57 - 24, 16);
	expect_loc(test, 24, 73 - 28, CPUMASK_BYTES);
	KUNIT_EXPECT_STREQ(test, ctx->record + 42, "some text");
}

/* A record that is shorter than its struct, or than it says, is not read beyond its end. */
static void definitions_short_test(struct kunit *test)
{
	struct definitions_context *ctx = test->priv;

	choose(test, "definitions_data");
	record_data(&data, "%s", "formatted");
	KUNIT_ASSERT_GT(test, take(ctx), 50);
	ctx->iter.ent_size = 50;
	KUNIT_EXPECT_STREQ(test, text(ctx, trace_event_print_fields),
			   JOIN("definitions_data: numbers=01,00,0a,00,ff,ff text=<OVERFLOW> ",
				"part=<OVERFLOW> formatted=<OVERFLOW> bits=<OVERFLOW> ",
				"cpus=<OVERFLOW> address=<OVERFLOW> last=0xfffffffe (-2)"));
	ctx->iter.ent_size = 10;
	KUNIT_EXPECT_STREQ(test, text(ctx, ctx->call->event.funcs->trace),
			   JOIN("definitions_data: numbers=<OVERFLOW> text=<OVERFLOW> ",
				"part=<OVERFLOW> formatted=<OVERFLOW> bits=<OVERFLOW> ",
				"cpus=<OVERFLOW> address=<OVERFLOW> last=<OVERFLOW>"));
}

#define BYTES_DUMP	"at 00000000: 01 0a 61 62                                      ..ab\n"

static void definitions_helpers_test(struct kunit *test)
{
	const char *bytes = " 01 0a 61 010a61 {0x1,0xa,0x61,0x62} ";
	struct definitions_context *ctx = test->priv;

	choose(test, "definitions_helpers");
	trace_definitions_helpers(3, BIT_ULL(40), 12 * NSEC_PER_SEC + 34);
	expect_text(test, JOIN("definitions_helpers: ONE|TWO HIGH 0x3 high", bytes,
			       "12.000000034\n", BYTES_DUMP));
	trace_definitions_helpers(DEFINITIONS_TWO | 8, BIT_ULL(40) | 1, 5);
	expect_text(test, JOIN("definitions_helpers: TWO|0x8 HIGH+0x1 0xa 0x10000000001", bytes,
			       "0.000000005\n", BYTES_DUMP));
	trace_definitions_helpers(0, 0, 0);
	expect_text(test, JOIN("definitions_helpers:   none 0x0", bytes, "0.000000000\n",
			       BYTES_DUMP));
	/* Programs that read formats do not know names that end in _u64. */
	KUNIT_EXPECT_STREQ(test, ctx->call->print_fmt,
			   JOIN("\"%s %s %s %s %s %s %s %llu.%09u%s\", ",
				"__print_flags(REC->flags, \"|\", { 1, \"ONE\" }, ",
				"{ DEFINITIONS_TWO, \"TWO\" }), ",
				"__print_flags(REC->wide, \"+\", { ", __stringify(BIT_ULL(40)),
				", \"HIGH\" }), ",
				"__print_symbolic(REC->flags, { 0, \"none\" }, ",
				"{ DEFINITIONS_TWO, \"two\" }), ",
				"__print_symbolic(REC->wide, { ", __stringify(BIT_ULL(40)),
				", \"high\" }), ",
				"__print_hex(REC->bytes, 3), __print_hex_str(REC->bytes, 3), ",
				"__print_array(REC->bytes, 4, 1), (REC->ns) / 1000000000UL, ",
				"(REC->ns) % 1000000000UL, ",
				"__print_hex_dump(\"at \", DUMP_PREFIX_OFFSET, 16, 1, ",
				"REC->bytes, 4, true)"));
}

/* The length of data is a field of its own, which may say more than the record has. */
static void definitions_length_test(struct kunit *test)
{
	choose(test, "definitions_length");
	trace_definitions_length(1000);
	expect_text(test, JOIN("definitions_length: 01 00 02 00 03 00 04 00 0100020003000400 ",
			       "{0x1,0x2,0x3,0x4}\nat 01 00 02 00 03 00 04 00\n"));
	trace_definitions_length(1);
	expect_text(test, "definitions_length: 01 01 {0x1}\nat 01\n");
}

/* A class shares fields; an event may have a condition, and a text of its own. */
static void definitions_class_test(struct kunit *test)
{
	static const struct trace_event_field fields[] = {
		{ "int", "number", 8, 4, 0, 1, FILTER_OTHER },
		{}
	};
	struct definitions_context *ctx = test->priv;
	const struct trace_event_class *class;

	choose(test, "definitions_plain");
	class = ctx->call->class;
	expect_fields(test, fields);
	KUNIT_EXPECT_STREQ(test, ctx->call->print_fmt, "\"number %d\", REC->number");
	trace_definitions_plain(1);
	expect_text(test, "definitions_plain: number 1");

	choose(test, "definitions_odd");
	KUNIT_EXPECT_PTR_EQ(test, ctx->call->class, class);
	trace_definitions_odd(2);
	trace_definitions_odd(3);
	expect_text(test, "definitions_odd: number 3");

	choose(test, "definitions_other");
	KUNIT_EXPECT_PTR_EQ(test, ctx->call->class, class);
	KUNIT_EXPECT_STREQ(test, ctx->call->print_fmt, "\"other\t%d 100%%\", REC->number");
	trace_definitions_other(4);
	expect_text(test, "definitions_other: other\t4 100%");
	KUNIT_EXPECT_EQ(test, take(ctx), 0);
}

static bool find(const struct definitions_context *ctx, const char *name,
		 struct trace_event_field *field)
{
	return trace_event_find_field(ctx->call, trace_span_of(name), field);
}

/* Fields are found by their names: first those of the event, then the common ones. */
static void definitions_find_field_test(struct kunit *test)
{
	struct definitions_context *ctx = test->priv;
	struct trace_event_field field;

	choose(test, "definitions_fixed");
	KUNIT_EXPECT_TRUE(test, find(ctx, "small", &field));
	KUNIT_EXPECT_EQ(test, field.offset, 24);
	KUNIT_EXPECT_TRUE(test, find(ctx, "common_pid", &field));
	KUNIT_EXPECT_EQ(test, field.offset, 4);
	KUNIT_EXPECT_FALSE(test, find(ctx, "pid", &field));
	KUNIT_EXPECT_FALSE(test, find(ctx, "", &field));
}

/* Without option hash-ptr addresses are shown as they are, however long the format is. */
static void definitions_long_format_test(struct kunit *test)
{
	struct definitions_context *ctx = test->priv;
	struct trace_seq *s = &ctx->iter.seq;
	const unsigned int before = 600;
	char *fmt = kunit_kzalloc(test, before + sizeof("%p"), GFP_KERNEL);
	char expected[20];

	KUNIT_ASSERT_NOT_NULL(test, fmt);
	memset(fmt, '-', before);
	memcpy(fmt + before, "%p", sizeof("%p"));
	choose(test, "definitions_plain");
	trace_definitions_plain(1);
	KUNIT_ASSERT_GT(test, take(ctx), 0);
	scoped_guard(mutex, &ctx->tr->lock)
		trace_option_write(ctx->tr, TRACE_OPT_HASH_PTR, false);
	trace_seq_init(s);
	trace_event_printf(&ctx->iter, fmt, ctx);
	seq_buf_str(&s->seq);
	KUNIT_ASSERT_GT(test, trace_seq_used(s), before);
	snprintf(expected, sizeof(expected), "%px", ctx);
	KUNIT_EXPECT_STREQ(test, s->buffer + before, expected);
}

/* An instance that was made for some systems has no events of others. */
static void definitions_systems_test(struct kunit *test)
{
	struct definitions_context *ctx = test->priv;
	struct trace_array *tr = ctx->tr;

	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, SYSTEM, NULL, true), 0);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, NULL, "definitions_odd", false), 0);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, SYSTEM, "no_such", true), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, "sched", NULL, true), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(NULL, SYSTEM, NULL, true), -ENOENT);
	trace_definitions_odd(1);
	KUNIT_EXPECT_EQ(test, take(ctx), 0);
	trace_definitions_plain(1);
	KUNIT_EXPECT_GT(test, take(ctx), 0);
}

/* A custom event has a system of its own. It cannot be switched on before it has a tracepoint. */
static void definitions_custom_test(struct kunit *test)
{
	static const struct trace_event_field fields[] = {
		{ "short", "twice", 8, 2, 0, 1, FILTER_OTHER },
		{ "__data_loc char[]", "text", 12, 4, 0, 0, FILTER_DYN_STRING },
		{}
	};
	struct trace_custom_event_raw_definitions_plain *record;
	struct definitions_context *ctx = test->priv;
	struct trace_array *tr = ctx->tr;

	KUNIT_EXPECT_EQ(test, offsetof(typeof(*record), twice), 8);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, "custom", "definitions_plain", true),
			-ENODEV);
	KUNIT_EXPECT_EQ(test, trace_custom_event_definitions_plain_update(
				      &__tracepoint_definitions_odd), 0);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, "custom", "definitions_plain", true),
			-ENODEV);
	KUNIT_EXPECT_EQ(test, trace_custom_event_definitions_plain_update(
				      &__tracepoint_definitions_plain), 1);
	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(tr, "custom", "definitions_plain", true),
			0);
	scoped_guard(mutex, &trace_event_mutex)
		ctx->call = trace_event_find("custom", "definitions_plain");
	expect_fields(test, fields);
	trace_definitions_plain(21);
	expect_text(test, "definitions_plain: twice 42 = forty-two");
	KUNIT_EXPECT_EQ(test, take(ctx), 0);
}

static struct kunit_case definitions_test_cases[] = {
	KUNIT_CASE(definitions_fixed_test),
	KUNIT_CASE(definitions_half_test),
	KUNIT_CASE(definitions_data_test),
	KUNIT_CASE(definitions_empty_test),
	KUNIT_CASE(definitions_relative_test),
	KUNIT_CASE(definitions_short_test),
	KUNIT_CASE(definitions_helpers_test),
	KUNIT_CASE(definitions_length_test),
	KUNIT_CASE(definitions_class_test),
	KUNIT_CASE(definitions_find_field_test),
	KUNIT_CASE(definitions_long_format_test),
	KUNIT_CASE(definitions_systems_test),
	KUNIT_CASE(definitions_custom_test),
	{}
};

static struct kunit_suite definitions_test_suite = {
	.name		= "trace_definitions",
	.init		= definitions_test_init,
	.exit		= definitions_test_exit,
	.test_cases	= definitions_test_cases,
};

kunit_test_suite(definitions_test_suite);

MODULE_DESCRIPTION("KUnit tests of definitions of trace events");
MODULE_LICENSE("GPL");
