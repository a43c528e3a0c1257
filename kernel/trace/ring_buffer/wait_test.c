// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: waiters wake when there are enough events, or for another reason, and not before.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

#include "test_ring.h"

/* Long enough to see a waiter that wakes wrongly; too long for one that has to wake. */
#define TEST_QUIET	msecs_to_jiffies(40)
#define TEST_SOON	(60 * HZ)

struct test_waiter {
	struct test_ring	*ring;
	int			cpu;
	int			full;
	int			ret;
	struct task_struct	*task;
	struct completion	woken;
};

static int wait_thread(void *arg)
{
	struct test_waiter *waiter = arg;

	waiter->ret = ring_buffer_wait(waiter->ring->buffer, waiter->cpu, waiter->full,
				       NULL, NULL);
	complete(&waiter->woken);
	return 0;
}

/* Wait until the waiter has looked and sleeps, or is done; give up after TEST_SOON. */
static void wait_sleeps(struct test_waiter *waiter)
{
	unsigned long end = jiffies + TEST_SOON;

	while (!completion_done(&waiter->woken) &&
	       !wait_task_inactive(waiter->task, TASK_INTERRUPTIBLE) && time_before(jiffies, end))
		msleep(20);
}

/* Start a task that waits. */
static void wait_begin(struct kunit *test, struct test_waiter *waiter, int cpu, int full)
{
	struct task_struct *task;

	waiter->ring = test->priv;
	waiter->cpu = cpu;
	waiter->full = full;
	waiter->ret = 1;
	init_completion(&waiter->woken);
	task = kthread_create(wait_thread, waiter, "ring_buffer_wait");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	waiter->task = get_task_struct(task);
	wake_up_process(task);
	wait_sleeps(waiter);
}

static void wait_expect_asleep(struct kunit *test, struct test_waiter *waiter)
{
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&waiter->woken, TEST_QUIET), 0);
}

static void wait_expect_woken(struct kunit *test, struct test_waiter *waiter)
{
	KUNIT_ASSERT_NE(test, wait_for_completion_timeout(&waiter->woken, TEST_SOON), 0);
	KUNIT_EXPECT_EQ(test, waiter->ret, 0);
	put_task_struct(waiter->task);
}

/* An event wakes each time, not only the first. */
static void ring_test_wait_any(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct test_waiter one, all;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		wait_begin(test, &one, ring->cpu, 0);
		wait_begin(test, &all, RING_BUFFER_ALL_CPUS, 0);
		wait_expect_asleep(test, &one);
		wait_expect_asleep(test, &all);
		rb_test_write(ring, 1);
		wait_expect_woken(test, &one);
		wait_expect_woken(test, &all);
		/* The wait ends at once if there are events. */
		wait_begin(test, &one, ring->cpu, 0);
		wait_expect_woken(test, &one);
		KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 1);
	}
}

/* A mark is reached when writers enter the sub-buffer that reaches it. */
static void ring_test_wait_full(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct test_waiter waiter;

	wait_begin(test, &waiter, ring->cpu, 75);
	wait_expect_asleep(test, &waiter);
	rb_test_write_many(ring, 0, 2 * TEST_FIT);
	wait_expect_asleep(test, &waiter);
	rb_test_write(ring, 0);
	wait_expect_woken(test, &waiter);
	/* Even the lowest mark needs a sub-buffer that writers have left. */
	ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	wait_begin(test, &waiter, ring->cpu, 1);
	wait_expect_asleep(test, &waiter);
	rb_test_write_many(ring, 0, TEST_FIT);
	wait_expect_asleep(test, &waiter);
	rb_test_write(ring, 0);
	wait_expect_woken(test, &waiter);
}

/* Of two marks, reaching the lower does not wake the waiter for the higher. */
static void ring_test_wait_marks(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct test_waiter low, high;

	wait_begin(test, &high, ring->cpu, 100);
	wait_expect_asleep(test, &high);
	wait_begin(test, &low, ring->cpu, 50);
	wait_expect_asleep(test, &low);
	rb_test_write_many(ring, 0, TEST_FIT + 1);
	wait_expect_woken(test, &low);
	wait_expect_asleep(test, &high);
	rb_test_write_many(ring, 0, 2 * TEST_FIT);
	wait_expect_woken(test, &high);
}

/* A task that waits for another mark at the same moment. */
struct mark_racer {
	struct trace_buffer	*buffer;
	int			cpu;
	unsigned int		round;
	unsigned int		done;
};

static int mark_thread(void *arg)
{
	struct mark_racer *racer = arg;
	unsigned int round = 0;

	while (!kthread_should_stop()) {
		if (READ_ONCE(racer->round) == round) {
			cond_resched();
			continue;
		}
		ring_buffer_poll_wait(racer->buffer, racer->cpu, NULL, NULL, 100);
		/* Pairs with the acquire in wait_race_wakes(): the mark is set. */
		smp_store_release(&racer->done, ++round);
	}
	return 0;
}

/* Does the lower mark wake if the higher one is set at the same time? */
static bool wait_race_wakes(struct test_ring *ring, struct mark_racer *racer, const void *data)
{
	struct rb_local *local = per_cpu_ptr(ring->buffer->fast.local, ring->cpu);
	unsigned int i, round = racer->round + 1;

	ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	atomic_andnot(RB_WAKE_FULL, &local->wake);
	/* Store this after the reset: the racer begins when it sees this. */
	smp_store_release(&racer->round, round);
	for (i = 0; i < round % 128; i++)
		cpu_relax();
	ring_buffer_poll_wait(ring->buffer, ring->cpu, NULL, NULL, 50);
	/* Pairs with the racer's release: it has set its mark. */
	while (smp_load_acquire(&racer->done) != round)
		cond_resched();
	/* Each event fills a sub-buffer: a writer enters the second of four. */
	for (i = 0; i < 2; i++)
		ring_buffer_write(ring->buffer, ring_buffer_max_event_size(ring->buffer),
				  (void *)data);
	return !(atomic_read(&local->wake) & RB_WAKE_FULL);
}

static void ring_test_wait_race(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct mark_racer racer = { .buffer = ring->buffer, .cpu = ring->cpu };
	int other = cpumask_any_but(cpu_online_mask, ring->cpu);
	unsigned long end = jiffies + TEST_SOON;
	struct task_struct *task;
	unsigned int i, missed = 0;
	void *data;

	if (other >= nr_cpu_ids)
		kunit_skip(test, "needs two CPUs");
	data = kunit_kzalloc(test, ring_buffer_max_event_size(ring->buffer), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, data);
	task = kthread_run_on_cpu(mark_thread, &racer, other, "ring-mark-%u");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	/* Without a second CPU that runs at the same time, each round takes whole time slices. */
	for (i = 0; i < 5000 && time_before(jiffies, end); i++)
		missed += !wait_race_wakes(ring, &racer, data);
	kthread_stop(task);
	kunit_info(test, "%u rounds", i);
	KUNIT_EXPECT_EQ(test, missed, 0);
}

static void ring_test_wait_else(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct test_waiter one, all;

	wait_begin(test, &one, ring->cpu, 0);
	wait_begin(test, &all, RING_BUFFER_ALL_CPUS, 100);
	wait_expect_asleep(test, &one);
	ring_buffer_wake_waiters(ring->buffer, ring->cpu);
	wait_expect_woken(test, &one);
	wait_expect_asleep(test, &all);
	ring_buffer_wake_waiters(ring->buffer, RING_BUFFER_ALL_CPUS);
	wait_expect_woken(test, &all);
}

/* Nobody reads while the indexes go more than half the circle: a mark still counts as reached. */
static void ring_test_wait_behind(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct rb_cpu *cpu = rb_cpu(ring->buffer, ring->cpu);
	const u32 age = BIT(31) + 7;

	rb_test_age(cpu, age);
	cpu->read_index -= age;
	rb_test_write_many(ring, 0, (TEST_SLOTS + 2) * TEST_FIT + 1);
	KUNIT_EXPECT_TRUE(test, ring_buffer_poll_wait(ring->buffer, ring->cpu, NULL, NULL, 50) &
				EPOLLIN);
}

/*
 * Write an event that the waiter does not see in time, while the writer does not see the
 * waiter's flag in time: clear the flag for the write, as if it was set right after it.
 */
static void wait_write_unseen(struct test_ring *ring, struct test_waiter *waiter)
{
	struct rb_local *local = per_cpu_ptr(ring->buffer->fast.local, ring->cpu);
	int cpu, wake;

	/* Let earlier wake-ups end first; the reset may have caused one, too. */
	for_each_possible_cpu(cpu) {
		irq_work_sync(&per_cpu_ptr(ring->buffer->parts, cpu)->work);
		flush_delayed_work(&per_cpu_ptr(ring->buffer->parts, cpu)->again);
	}
	wait_sleeps(waiter);
	wake = atomic_xchg(&local->wake, 0);
	rb_test_write(ring, 1);
	atomic_set(&local->wake, wake);
}

/* A waiter that found the flag set looks again after another waiter has set the flag. */
static void ring_test_wait_unseen(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct rb_local *local = per_cpu_ptr(ring->buffer->fast.local, ring->cpu);
	const int cpus[] = { ring->cpu, RING_BUFFER_ALL_CPUS };
	struct test_waiter waiter;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		wait_begin(test, &waiter, cpus[i], 0);
		wait_write_unseen(ring, &waiter);
		wait_expect_asleep(test, &waiter);
		/* Another waiter sets the flag. */
		atomic_andnot(RB_WAKE_ANY, &local->wake);
		ring_buffer_poll_wait(ring->buffer, cpus[!i], NULL, NULL, 0);
		wait_expect_woken(test, &waiter);
		ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	}
}

static struct kunit_case ring_wait_cases[] = {
	KUNIT_CASE(ring_test_wait_any),
	KUNIT_CASE(ring_test_wait_full),
	KUNIT_CASE(ring_test_wait_marks),
	KUNIT_CASE(ring_test_wait_race),
	KUNIT_CASE(ring_test_wait_else),
	KUNIT_CASE(ring_test_wait_behind),
	KUNIT_CASE(ring_test_wait_unseen),
	{ }
};

static struct kunit_suite ring_wait_suite = {
	.name = "ring_buffer_wait",
	.init = rb_test_init,
	.exit = rb_test_exit,
	.test_cases = ring_wait_cases,
};

kunit_test_suite(ring_wait_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
