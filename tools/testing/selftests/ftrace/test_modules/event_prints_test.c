// SPDX-License-Identifier: GPL-2.0
/*
 * A module that records its events with fixed values each time something is written to its
 * parameter "hit". For guest/tests/oracle, which asks stock and this kernel how they print them.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/hex.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/un.h>

__diag_ignore(GCC, 8, "-Wsuggest-attribute=format",
	      "events with __vstring() have a format in an argument of any name");
#define CREATE_TRACE_POINTS
#include "event_prints_test.h"
#include "event_prints_texts.h"

static char text_of_data[8];
static char *allocated;

static void hit_numbers(void)
{
	static const u64 flags[] = { 0, 1, 2, 3, 8, 0xb, 0x10, 0x13 };
	static const s64 numbers[] = { 0, 8, 65, 128, -1, -17, 0x80000000, S64_MIN, S64_MAX };
	static const u64 times[] = { 0, 999999999, 1000000000, 61000000005, U64_MAX };
	int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		trace_prints_flags(flags[i], flags[i] << 40);
	trace_prints_flags(BIT(8), BIT_ULL(63) | BIT_ULL(40) | 1);
	trace_prints_flags(-1, -1);
	trace_prints_flags(1, BIT_ULL(63));
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		trace_prints_numbers(numbers[i]);
	for (i = 0; i < ARRAY_SIZE(times); i++)
		trace_prints_time(times[i]);
}

static void hit_arrays(void)
{
	static const unsigned int lens[] = { 0, 1, 8, 16, 17, 40 };
	DECLARE_BITMAP(bits, 70) = {};
	u8 bytes[40];
	int i;

	for (i = 0; i < ARRAY_SIZE(bytes); i++)
		bytes[i] = i * 7;
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		trace_prints_bytes(bytes, lens[i]);
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		trace_prints_counted(bytes, lens[i]);
	trace_prints_arrays(0);
	trace_prints_arrays(3);
	trace_prints_masks(bits, cpu_none_mask);
	bitmap_set(bits, 0, 1);
	bitmap_set(bits, 17, 4);
	bitmap_set(bits, 68, 2);
	trace_prints_masks(bits, cpumask_of(1));
}

static void hit_addresses(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80),
				  .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_scope_id = 2 };
	struct sockaddr_un un = { .sun_family = AF_UNIX };

	trace_prints_addresses((struct sockaddr *)&in, sizeof(in));
	trace_prints_addresses((struct sockaddr *)&in6, sizeof(in6));
	trace_prints_addresses((struct sockaddr *)&un, sizeof(un.sun_family));
}

static __printf(2, 3) void hit_text(const char *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_prints_texts(text, fmt, &args);
	va_end(args);
}

static void hit_texts(void)
{
	hit_text(NULL, "%s", "");
	hit_text("", "%d of %s", -1, "text");
	hit_text("hi", "%5d|%-5d", 1, 2);
	hit_text("a\tb % \\ \"quoted\" {x}", "%0600d", 5);
	hit_text("two\nlines", "%c", '\n');
}

static void hit_pointers(void)
{
	static const unsigned long addresses[] = { 0, -5UL, 0x1234, 0xffff800012345678 };
	int i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++)
		trace_prints_pointer((void *)addresses[i]);
	trace_prints_string("of the module", "constant");
	trace_prints_string("of the module's data", text_of_data);
	trace_prints_string("of the kernel", hex_asc);
	trace_prints_string("allocated", allocated);
	trace_prints_null("none", NULL);
	trace_prints_string("an error", ERR_PTR(-5));
	trace_prints_string("not readable", (char *)0x1234);
}

static void hit_long(void)
{
	int len;

	for (len = 1000; len <= 4000; len += 1000)
		trace_prints_long(len);
}

static int event_prints_hit(const char *text, const struct kernel_param *param)
{
	hit_numbers();
	hit_arrays();
	hit_addresses();
	hit_texts();
	hit_pointers();
	hit_long();
	return 0;
}

static const struct kernel_param_ops event_prints_ops = { .set = event_prints_hit };
module_param_cb(hit, &event_prints_ops, NULL, 0200);

static int __init event_prints_init(void)
{
	strscpy(text_of_data, "of data");
	allocated = kstrdup("of the heap", GFP_KERNEL);
	return allocated ? 0 : -ENOMEM;
}
module_init(event_prints_init);

static void __exit event_prints_exit(void)
{
	kfree(allocated);
}
module_exit(event_prints_exit);

MODULE_DESCRIPTION("Trace events with all kinds of fields and helpers, for comparisons");
MODULE_LICENSE("GPL");
