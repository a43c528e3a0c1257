// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the mutual exclusion of mappings and exchanges.
 */
#include <kunit/test.h>

#include "mapping.h"

static int mapping_test_init(struct kunit *test)
{
	struct trace_mapping *mapping = kunit_kzalloc(test, sizeof(*mapping), GFP_KERNEL);

	if (!mapping)
		return -ENOMEM;
	trace_mapping_init(mapping);
	test->priv = mapping;
	return 0;
}

/* While there is a mapping, exchangers are refused, and a refusal changes nothing. */
static void mapping_mapped_test(struct kunit *test)
{
	struct trace_mapping *mapping = test->priv;

	KUNIT_EXPECT_FALSE(test, trace_is_mapped(mapping));
	KUNIT_ASSERT_TRUE(test, trace_mapping_begin(mapping));
	KUNIT_ASSERT_TRUE(test, trace_mapping_begin(mapping));
	KUNIT_EXPECT_TRUE(test, trace_is_mapped(mapping));
	KUNIT_EXPECT_FALSE(test, trace_exchange_begin(mapping));
	trace_mapping_end(mapping);
	KUNIT_EXPECT_TRUE(test, trace_is_mapped(mapping));
	KUNIT_EXPECT_FALSE(test, trace_exchange_begin(mapping));
	trace_mapping_end(mapping);
	KUNIT_EXPECT_FALSE(test, trace_is_mapped(mapping));
	KUNIT_EXPECT_TRUE(test, trace_exchange_begin(mapping));
}

/* While there is an exchanger, mappings are refused, and exchangers find no mapping. */
static void mapping_exchanged_test(struct kunit *test)
{
	struct trace_mapping *mapping = test->priv;

	KUNIT_ASSERT_TRUE(test, trace_exchange_begin(mapping));
	KUNIT_ASSERT_TRUE(test, trace_exchange_begin(mapping));
	KUNIT_EXPECT_FALSE(test, trace_mapping_begin(mapping));
	KUNIT_EXPECT_FALSE(test, trace_is_mapped(mapping));
	trace_exchange_end(mapping);
	KUNIT_EXPECT_FALSE(test, trace_mapping_begin(mapping));
	trace_exchange_end(mapping);
	KUNIT_EXPECT_TRUE(test, trace_mapping_begin(mapping));
	KUNIT_EXPECT_TRUE(test, trace_is_mapped(mapping));
}

static struct kunit_case mapping_test_cases[] = {
	KUNIT_CASE(mapping_mapped_test),
	KUNIT_CASE(mapping_exchanged_test),
	{}
};

static struct kunit_suite mapping_test_suite = {
	.name		= "trace_mapping",
	.init		= mapping_test_init,
	.test_cases	= mapping_test_cases,
};

kunit_test_suite(mapping_test_suite);

MODULE_DESCRIPTION("KUnit tests of mappings and exchanges of a buffer");
MODULE_LICENSE("GPL");
