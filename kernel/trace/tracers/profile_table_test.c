// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function profiler's table of functions.
 */
#include <kunit/test.h>

#include "profile_table.h"

#define TABLE_BITS	4
#define FUNCTIONS	(BIT(TABLE_BITS) - 4)

static int table_init(struct kunit *test)
{
	struct profile_table *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);

	if (!table)
		return -ENOMEM;
	table->ip = kunit_kcalloc(test, BIT(TABLE_BITS), sizeof(*table->ip), GFP_KERNEL);
	table->bits = TABLE_BITS;
	table->max = FUNCTIONS;
	test->priv = table;
	return table->ip ? 0 : -ENOMEM;
}

static unsigned long function(unsigned int i)
{
	return 0xffff800080000004 + i * 64;
}

static void table_slots_test(struct kunit *test)
{
	struct profile_table *table = test->priv;
	unsigned int slot[FUNCTIONS], i;
	unsigned long taken = 0;

	for (i = 0; i < FUNCTIONS; i++) {
		slot[i] = profile_table_slot(table, function(i));
		KUNIT_ASSERT_LT(test, slot[i], BIT(TABLE_BITS));
		KUNIT_EXPECT_FALSE(test, taken & BIT(slot[i]));
		taken |= BIT(slot[i]);
	}
	for (i = 0; i < FUNCTIONS; i++) {
		KUNIT_EXPECT_EQ(test, profile_table_slot(table, function(i)), slot[i]);
		KUNIT_EXPECT_EQ(test, table->ip[slot[i]], function(i));
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&table->nr), FUNCTIONS);
}

static void table_full_test(struct kunit *test)
{
	struct profile_table *table = test->priv;
	unsigned int i, slot;

	for (i = 0; i < FUNCTIONS; i++)
		profile_table_slot(table, function(i));
	for (i = FUNCTIONS; i < 3 * FUNCTIONS; i++)
		KUNIT_EXPECT_EQ(test, profile_table_slot(table, function(i)), PROFILE_NO_SLOT);
	KUNIT_EXPECT_EQ(test, atomic_read(&table->nr), FUNCTIONS);
	slot = profile_table_slot(table, function(0));
	KUNIT_EXPECT_LT(test, slot, BIT(TABLE_BITS));
}

/* A caller that loses the race for a slot finds its function or another slot. */
static void table_race_test(struct kunit *test)
{
	struct profile_table *table = test->priv;
	unsigned int slot = profile_table_slot(table, function(0));

	KUNIT_EXPECT_TRUE(test, profile_table_take(table, slot, function(0)));
	KUNIT_EXPECT_TRUE(test, profile_table_take(table, slot, function(1)));
	KUNIT_EXPECT_EQ(test, table->ip[slot], function(0));
	KUNIT_EXPECT_EQ(test, atomic_read(&table->nr), 1);
	KUNIT_EXPECT_NE(test, profile_table_slot(table, function(1)), slot);
}

static struct kunit_case table_test_cases[] = {
	KUNIT_CASE(table_slots_test),
	KUNIT_CASE(table_full_test),
	KUNIT_CASE(table_race_test),
	{}
};

static struct kunit_suite table_test_suite = {
	.name		= "function_profile_table",
	.init		= table_init,
	.test_cases	= table_test_cases,
};

kunit_test_suite(table_test_suite);

MODULE_DESCRIPTION("KUnit tests of the function profiler's table");
MODULE_LICENSE("GPL");
