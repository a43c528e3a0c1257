// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the guarantees of trace clocks, on one CPU and between CPUs. */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/smp.h>
#include <linux/trace_clock.h>

#define ROUNDS	5000

static void trace_clock_one_cpu(struct kunit *test)
{
	u64 last = trace_clock_local();
	unsigned int back = 0;

	migrate_disable();
	for (int i = 0; i < 2 * ROUNDS; i++) {
		u64 now = trace_clock_local();

		back += now < last;
		last = now;
	}
	migrate_enable();
	KUNIT_EXPECT_EQ(test, back, 0);
}

/* For all CPUs at the same time: is the clock behind the latest time that any CPU has seen? */
struct race {
	u64 (*clock)(void);
	atomic64_t seen;
	atomic_t back;
	bool strict;
};

static void run_race(void *info)
{
	struct race *race = info;

	for (int i = 0; i < ROUNDS; i++) {
		s64 seen = atomic64_read_acquire(&race->seen);
		s64 now = race->clock();

		if (now < seen || (race->strict && now == seen))
			atomic_inc(&race->back);
		while (seen < now && !atomic64_try_cmpxchg(&race->seen, &seen, now))
			;
	}
}

static void trace_clock_all_cpus(struct kunit *test)
{
	struct race global = { .clock = trace_clock_global };
	struct race counter = { .clock = trace_clock_counter, .strict = true };

	on_each_cpu(run_race, &global, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&global.back), 0);
	KUNIT_EXPECT_GT(test, atomic64_read(&global.seen), 0);

	on_each_cpu(run_race, &counter, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&counter.back), 0);
	KUNIT_EXPECT_GE(test, atomic64_read(&counter.seen), ROUNDS);
}

/* The global clock does not jump: it is the local clock where that is ahead of all others. */
static void trace_clock_global_is_now(struct kunit *test)
{
	u64 before, now;
	int try;

	/* Try again if a busy host stops us between two readings. */
	for (try = 0; try < 5; try++) {
		before = trace_clock_local();
		now = trace_clock_global();
		KUNIT_EXPECT_GE(test, now, before);
		if (now - before < NSEC_PER_SEC)
			return;
	}
	KUNIT_EXPECT_LT(test, now - before, NSEC_PER_SEC);
}

static void trace_clock_ticks(struct kunit *test)
{
	u64 before = trace_clock_jiffies(), passed;

	msleep(200);
	passed = trace_clock_jiffies() - before;
	/* At least 200 ms, which are 20 units; more on a busy host. */
	KUNIT_EXPECT_GE(test, passed, 19);
	KUNIT_EXPECT_LT(test, passed, 1000);
}

static struct kunit_case trace_clock_cases[] = {
	KUNIT_CASE(trace_clock_one_cpu),
	KUNIT_CASE(trace_clock_all_cpus),
	KUNIT_CASE(trace_clock_global_is_now),
	KUNIT_CASE(trace_clock_ticks),
	{}
};

static struct kunit_suite trace_clock_suite = {
	.name = "trace_clock",
	.test_cases = trace_clock_cases,
};

kunit_test_suite(trace_clock_suite);

MODULE_DESCRIPTION("Tests of the trace clocks");
MODULE_LICENSE("GPL");
