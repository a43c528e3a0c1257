// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of snapshots taken by the kernel, in each context. Selftests take them from user
 * space. The tests use the top instance, which has no other user while KUnit runs, and restore its
 * state.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <linux/trace.h>

#include "../ring_buffer/internal.h"
#include "entries.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "snapshot_internal.h"

static void free_snapshot(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	trace_snapshot_free(tr);
}

static int snapshot_test_init(struct kunit *test)
{
	if (!trace_top)
		return -ENODEV;
	free_snapshot(trace_top);
	trace_array_reset(trace_top);
	return 0;
}

static void snapshot_test_exit(struct kunit *test)
{
	if (!trace_top)
		return;
	free_snapshot(trace_top);
	trace_array_reset(trace_top);
	tracing_on();
}

/* Record @text on this CPU; called on each CPU before a snapshot. */
static void record(void *text)
{
	__trace_puts(_THIS_IP_, text, strlen(text));
}

static void snapshot_here(void *unused)
{
	tracing_snapshot();
}

/* Count the entries in the snapshot; waits for snapshots that are being taken. */
static unsigned long entries_aside(void)
{
	struct array_buffer *array = trace_snapshot_get(trace_top);
	unsigned long entries = array ? ring_buffer_entries(array->buffer) : 0;

	trace_snapshot_put(array);
	return entries;
}

static unsigned long entries_recorded(void)
{
	return ring_buffer_entries(trace_top->array_buffer.buffer);
}

static void snapshot_not_allocated_test(struct kunit *test)
{
	tracing_on();
	tracing_snapshot();
	KUNIT_EXPECT_FALSE(test, tracing_is_on());
	/* Two lines say that no memory is allocated. */
	KUNIT_EXPECT_EQ(test, entries_recorded(), 2);
	KUNIT_EXPECT_EQ(test, entries_aside(), 0);
}

static void snapshot_alloc_test(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, tracing_alloc_snapshot(), 0);
	KUNIT_EXPECT_EQ(test, tracing_alloc_snapshot(), 0);
	record("one\n");
	KUNIT_EXPECT_EQ(test, entries_aside(), 0);
	tracing_snapshot_alloc();
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 0);
	KUNIT_EXPECT_TRUE(test, tracing_is_on());
}

static enum hrtimer_restart snapshot_timer(struct hrtimer *timer)
{
	tracing_snapshot();
	return HRTIMER_NORESTART;
}

static void snapshot_in_timer(void)
{
	struct hrtimer timer;

	hrtimer_init_on_stack(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer.function = snapshot_timer;
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL);
	while (hrtimer_active(&timer))
		cond_resched();
	destroy_hrtimer_on_stack(&timer);
}

static void snapshot_irqs_off(void)
{
	guard(irqsave)();
	tracing_snapshot();
}

/* Take a snapshot in the middle of an event, which goes into the buffer that it was begun in. */
static void snapshot_while_writing(void)
{
	struct trace_buffer *buffer = trace_top->array_buffer.buffer;
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, sizeof(u32));

	tracing_snapshot();
	if (event)
		ring_buffer_discard_commit(buffer, event);
}

static void (*const takers[])(void) = {
	tracing_snapshot,
	snapshot_irqs_off,
	snapshot_in_timer,
	snapshot_while_writing,
};

/* In each context, a snapshot takes the entries of all CPUs, and the next one puts them back. */
static void snapshot_contexts_test(struct kunit *test)
{
	unsigned int i;

	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	for (i = 0; i < ARRAY_SIZE(takers); i++) {
		on_each_cpu(record, "all\n", true);
		KUNIT_EXPECT_EQ(test, entries_recorded(), num_online_cpus());
		takers[i]();
		KUNIT_EXPECT_EQ_MSG(test, entries_aside(), num_online_cpus(), "taker %u", i);
		KUNIT_EXPECT_EQ_MSG(test, entries_recorded(), 0, "taker %u", i);
		scoped_guard(mutex, &trace_top->lock)
			ring_buffer_reset(trace_snapshot_buffer(trace_top));
	}
}

/* All CPUs take snapshots at once, in a loop: each entry is in exactly one of the buffers. */
static void snapshot_storm_test(struct kunit *test)
{
	const unsigned int rounds = 50;
	unsigned long aside;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	for (i = 0; i < rounds; i++) {
		on_each_cpu(record, "x", false);
		on_each_cpu(snapshot_here, NULL, false);
	}
	on_each_cpu(snapshot_here, NULL, true);
	/* Count these first, as entries_aside() waits for the last snapshot. */
	aside = entries_aside();
	KUNIT_EXPECT_EQ(test, aside + entries_recorded(), rounds * num_online_cpus());
}

/*
 * With many snapshots, other CPUs exchange their storage often, but not for each snapshot, and
 * once more after the last one.
 */
static void snapshot_often_test(struct kunit *test)
{
	const int calls = 20000, cpus = num_online_cpus();
	struct trace_snapshot *snapshot;
	int i, others, ms;
	u64 begin;

	if (cpus == 1)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	snapshot = trace_top->snapshots->memory;
	begin = local_clock();
	others = atomic_read(&trace_top->snapshots->taken);
	for (i = 0; i < calls; i++)
		tracing_snapshot();
	for (i = 0; i < 500 && !cpumask_empty(snapshot->pending); i++)
		msleep(20);
	KUNIT_EXPECT_TRUE(test, cpumask_empty(snapshot->pending));
	/* Each call exchanges the storage of its own CPU. */
	others = atomic_read(&trace_top->snapshots->taken) - others - calls;
	ms = div_u64(local_clock() - begin, NSEC_PER_MSEC);
	KUNIT_EXPECT_GT(test, others, 0);
	/*
	 * Interrupts: 16 in each window of 64 ms, also in incomplete ones. The work: each 10 ms.
	 * And a few for interrupts that come late.
	 */
	KUNIT_EXPECT_LE(test, others, (cpus - 1) * (32 + ms / 4) + cpus * (ms / 10 + 4));
}

/* A snapshot that is pending when the buffers are cleared takes nothing that is recorded later. */
static void snapshot_cleared_test(struct kunit *test)
{
	int i, round;

	if (num_online_cpus() == 1)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 200; i++)
			tracing_snapshot();
		trace_read_buffer_reset(trace_top, RING_BUFFER_ALL_CPUS);
		on_each_cpu(record, "x", true);
		msleep(30);
		KUNIT_EXPECT_EQ(test, entries_recorded(), num_online_cpus());
	}
}

/* A reader that comes right after a snapshot finds the entries of all CPUs. */
static void snapshot_at_once_test(struct kunit *test)
{
	unsigned int i, missed = 0;

	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	for (i = 0; i < 2000; i++) {
		on_each_cpu(record, "all\n", true);
		tracing_snapshot();
		ndelay(i % 64 * 100);
		missed += entries_aside() != num_online_cpus();
		scoped_guard(mutex, &trace_top->lock)
			ring_buffer_reset(trace_snapshot_buffer(trace_top));
	}
	KUNIT_EXPECT_EQ(test, missed, 0);
}

/* A reader keeps the snapshot that it has opened, even if its memory is freed. */
static void snapshot_reader_test(struct kunit *test)
{
	struct array_buffer *array;

	record("one\n");
	tracing_snapshot_alloc();
	array = trace_snapshot_get(trace_top);
	KUNIT_ASSERT_NOT_NULL(test, array);
	free_snapshot(trace_top);
	KUNIT_EXPECT_NULL(test, trace_snapshot_get(trace_top));
	record("two\n");
	tracing_snapshot_alloc();
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(array->buffer), 1);
	trace_snapshot_put(array);
}

static void snapshot_size_test(struct kunit *test)
{
	struct trace_array *tr = trace_top;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	unsigned long size = ring_buffer_size(buffer, 0);

	record("one\n");
	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, size + 8 * PAGE_SIZE,
						 RING_BUFFER_ALL_CPUS), 0);
	/* The sizes differ: each CPU records a message, and both buffers stay as they are. */
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_aside(), 0);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 1 + num_online_cpus());
	scoped_guard(mutex, &tr->lock)
		KUNIT_EXPECT_EQ(test, trace_snapshot_fit(tr), 0);
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_aside(), 1 + num_online_cpus());
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, size, RING_BUFFER_ALL_CPUS), 0);
}

/* When an instance is expanded at its first use, memory for snapshots grows, too. */
static void snapshot_expand_test(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("snapshot-test", NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	scoped_guard(mutex, &tr->lock) {
		KUNIT_EXPECT_EQ(test, trace_snapshot_alloc(tr), 0);
		KUNIT_EXPECT_EQ(test, trace_array_expand(tr), 0);
		KUNIT_EXPECT_EQ(test, ring_buffer_size(trace_snapshot_buffer(tr), 0),
				ring_buffer_size(tr->array_buffer.buffer, 0));
	}
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
}

/* The CPU to take down before memory is allocated: the last one, if there are two. */
static unsigned int cpu_to_take_down(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_HOTPLUG_CPU) || num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs, and one to go down");
	return cpumask_last(cpu_online_mask);
}

/* The storage of an offline CPU is exchanged, also when it is back, whatever its size. */
static void snapshot_cpu_down_test(struct kunit *test)
{
	struct trace_array *tr = trace_top;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	unsigned int cpu = cpu_to_take_down(test);
	unsigned long size = ring_buffer_size(buffer, cpu);

	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, size + 8 * PAGE_SIZE, cpu), 0);
	smp_call_function_single(cpu, record, "one\n", true);
	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	scoped_guard(mutex, &tr->lock) {
		KUNIT_EXPECT_EQ(test, trace_snapshot_alloc(tr), 0);
		KUNIT_EXPECT_EQ(test, trace_snapshot_take(tr, RING_BUFFER_ALL_CPUS), 0);
	}
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	free_snapshot(tr);
	KUNIT_EXPECT_EQ(test, tracing_alloc_snapshot(), 0);
	KUNIT_ASSERT_EQ(test, add_cpu(cpu), 0);
	smp_call_function_single(cpu, record, "two\n", true);
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, size, cpu), 0);
}

/* A CPU that comes up for the first time gets storage of the same size in both buffers. */
static void snapshot_cpu_new_test(struct kunit *test)
{
	unsigned int cpu = cpu_to_take_down(test);
	struct trace_array *tr;

	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	tr = trace_array_get_by_name("snapshot-test", NULL);
	KUNIT_EXPECT_NOT_NULL(test, tr);
	scoped_guard(mutex, &tr->lock) {
		KUNIT_EXPECT_EQ(test, trace_array_expand(tr), 0);
		KUNIT_EXPECT_EQ(test, trace_snapshot_alloc(tr), 0);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_size(tr->array_buffer.buffer, cpu), 0);
	KUNIT_ASSERT_EQ(test, add_cpu(cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(tr->array_buffer.buffer, cpu),
			ring_buffer_size(tr->array_buffer.buffer, 0));
	scoped_guard(mutex, &tr->lock)
		KUNIT_EXPECT_EQ(test, ring_buffer_size(trace_snapshot_buffer(tr), cpu),
				ring_buffer_size(tr->array_buffer.buffer, cpu));
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
}

/* Lock a CPU's storage in a loop. */
static int count_thread(void *unused)
{
	while (!kthread_should_stop()) {
		entries_recorded();
		cond_resched();
	}
	return 0;
}

/* Other tasks that only look at the buffer, even with interrupts off, prevent no snapshot. */
static void snapshot_busy_test(struct kunit *test)
{
	struct task_struct *task;
	unsigned int i, refused = 0;
	int here = raw_smp_processor_id();
	int other = cpumask_any_but(cpu_online_mask, here);

	if (other >= nr_cpu_ids)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	task = kthread_run_on_cpu(count_thread, NULL, other, "snapshot-count-%u");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	guard(mutex)(&trace_top->lock);
	for (i = 0; i < 10000; i++) {
		guard(preempt)();
		if (ring_buffer_swap_cpu(trace_top->array_buffer.buffer,
					 trace_snapshot_buffer(trace_top), smp_processor_id()))
			refused++;
	}
	kthread_stop(task);
	KUNIT_EXPECT_EQ(test, refused, 0);
}

/* Consume the entries of a CPU. Return: the number of those with @text. */
static unsigned int consume_texts(int cpu, const char *text)
{
	struct trace_buffer *buffer = trace_top->array_buffer.buffer;
	struct ring_buffer_event *event;
	struct print_entry *entry;
	unsigned int found = 0;

	while ((event = ring_buffer_consume(buffer, cpu, NULL, NULL))) {
		entry = ring_buffer_event_data(event);
		found += entry->ent.type == TRACE_PRINT && !strcmp(entry->buf, text);
	}
	return found;
}

static int take_snapshot(void)
{
	guard(mutex)(&trace_top->lock);
	return trace_snapshot_take(trace_top, RING_BUFFER_ALL_CPUS);
}

/*
 * A writer never commits, as if its task had died in an oops: the snapshot has the entries of the
 * other CPUs, and says which are missing.
 */
static void snapshot_writer_stuck_test(struct kunit *test)
{
	const int cpus = num_online_cpus(), stuck = cpumask_last(cpu_online_mask);
	struct rb_fast_buffer *fast = &trace_top->array_buffer.buffer->fast;
	struct rb_local *local = per_cpu_ptr(fast->local, stuck);
	unsigned int said = 0;
	char text[64];
	int cpu;

	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	on_each_cpu(record, "before\n", true);
	local->nest++;
	KUNIT_EXPECT_EQ(test, take_snapshot(), -EBUSY);
	local->nest--;
	KUNIT_EXPECT_EQ(test, entries_aside(), cpus - 1);
	KUNIT_EXPECT_TRUE(test, cpumask_empty(trace_top->snapshots->memory->pending));

	/* Readers see the message, if it came from that CPU, when the next event is committed. */
	on_each_cpu(record, "after\n", true);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 1 + 1 + cpus);
	snprintf(text, sizeof(text), "*** SNAPSHOT WITHOUT CPU%d: WRITER BUSY ***\n", stuck);
	for_each_online_cpu(cpu)
		said += consume_texts(cpu, text);
	KUNIT_EXPECT_EQ(test, said, 1);

	on_each_cpu(record, "again\n", true);
	KUNIT_EXPECT_EQ(test, take_snapshot(), 0);
	KUNIT_EXPECT_EQ(test, entries_aside(), cpus);
}

/* A snapshot that is taken while exchanges are stopped counts as done. */
static void snapshot_stopped_test(struct kunit *test)
{
	unsigned long entries;

	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	scoped_guard(mutex, &trace_top->lock)
		trace_snapshot_stop(trace_top);
	on_each_cpu(record, "here", true);
	entries = entries_recorded();
	KUNIT_EXPECT_GT(test, entries, 0);
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_aside(), 0);
	KUNIT_EXPECT_EQ(test, entries_recorded(), entries);
	scoped_guard(mutex, &trace_top->lock)
		trace_snapshot_start(trace_top);
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_aside(), entries);
}

static unsigned int cond_asked;
static unsigned long cond_longest;

/* A condition as for a maximum: accepts data that is greater than all before. */
static bool cond_longer(struct trace_array *tr, void *cond_data)
{
	unsigned long length = (unsigned long)cond_data;

	cond_asked++;
	/* The condition is not called for this snapshot. */
	tracing_snapshot_cond(tr, (void *)ULONG_MAX);
	if (tracing_cond_snapshot_data(tr) != &cond_asked || length <= cond_longest)
		return false;
	cond_longest = length;
	return true;
}

static int enable_cond(void)
{
	return tracing_snapshot_cond_enable(trace_top, &cond_asked, cond_longer);
}

static void snapshot_longer_test(struct kunit *test)
{
	cond_asked = 0;
	cond_longest = 0;
	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_disable(trace_top), -EINVAL);
	KUNIT_EXPECT_NULL(test, tracing_cond_snapshot_data(trace_top));
	record("without condition\n");
	KUNIT_ASSERT_EQ(test, tracing_alloc_snapshot(), 0);
	tracing_snapshot_cond(trace_top, NULL);
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	free_snapshot(trace_top);
	trace_array_reset(trace_top);

	KUNIT_ASSERT_EQ(test, enable_cond(), 0);
	KUNIT_EXPECT_EQ(test, enable_cond(), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, tracing_cond_snapshot_data(trace_top), &cond_asked);
	record("long\n");
	tracing_snapshot_cond(trace_top, (void *)5);
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 0);
	record("shorter\n");
	tracing_snapshot_cond(trace_top, (void *)4);
	record("plain\n");
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_aside(), 1);
	KUNIT_EXPECT_EQ(test, entries_recorded(), 2);
	record("longer\n");
	tracing_snapshot_cond(trace_top, (void *)6);
	KUNIT_EXPECT_EQ(test, entries_aside(), 3);
	KUNIT_EXPECT_EQ(test, cond_asked, 4);

	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_disable(trace_top), 0);
	KUNIT_EXPECT_NULL(test, tracing_cond_snapshot_data(trace_top));
	KUNIT_EXPECT_EQ(test, entries_aside(), 3);
	tracing_snapshot();
	KUNIT_EXPECT_EQ(test, entries_recorded(), 3);
	KUNIT_EXPECT_EQ(test, cond_asked, 4);
}

/* A CPU that reads from a buffer does not call the condition: other CPUs may wait for that CPU. */
static void snapshot_reading_test(struct kunit *test)
{
	cond_asked = 0;
	cond_longest = 0;
	KUNIT_ASSERT_EQ(test, enable_cond(), 0);
	scoped_guard(irqsave) {
		__this_cpu_inc(rb_locks_here);
		tracing_snapshot_cond(trace_top, (void *)1);
		__this_cpu_dec(rb_locks_here);
	}
	KUNIT_EXPECT_EQ(test, cond_asked, 0);
	tracing_snapshot_cond(trace_top, (void *)1);
	KUNIT_EXPECT_EQ(test, cond_asked, 1);
	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_disable(trace_top), 0);
}

/* Of a mapping and an exchanger, the second is refused, and changes nothing. */
static void snapshot_mapped_test(struct kunit *test)
{
	KUNIT_ASSERT_TRUE(test, trace_mapping_begin(&trace_top->mapping));
	KUNIT_EXPECT_EQ(test, trace_snapshot_arm(trace_top), -EBUSY);
	KUNIT_EXPECT_EQ(test, enable_cond(), -EBUSY);
	scoped_guard(mutex, &trace_top->lock)
		KUNIT_EXPECT_EQ(test, trace_snapshot_take(trace_top, RING_BUFFER_ALL_CPUS), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_array_set_order(trace_top, 2), -EBUSY);
	KUNIT_EXPECT_TRUE(test, trace_mapping_begin(&trace_top->mapping));
	trace_mapping_end(&trace_top->mapping);
	trace_mapping_end(&trace_top->mapping);

	KUNIT_ASSERT_EQ(test, trace_snapshot_arm(trace_top), 0);
	KUNIT_EXPECT_EQ(test, enable_cond(), 0);
	KUNIT_EXPECT_EQ(test, enable_cond(), -EBUSY);
	KUNIT_EXPECT_FALSE(test, trace_mapping_begin(&trace_top->mapping));
	trace_snapshot_disarm(trace_top);
	KUNIT_EXPECT_FALSE(test, trace_mapping_begin(&trace_top->mapping));
	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_disable(trace_top), 0);
	KUNIT_EXPECT_FALSE(test, trace_is_mapped(&trace_top->mapping));
	KUNIT_ASSERT_TRUE(test, trace_mapping_begin(&trace_top->mapping));
	trace_mapping_end(&trace_top->mapping);
}

static struct kunit_case snapshot_test_cases[] = {
	KUNIT_CASE(snapshot_not_allocated_test),
	KUNIT_CASE(snapshot_alloc_test),
	KUNIT_CASE(snapshot_contexts_test),
	KUNIT_CASE(snapshot_storm_test),
	KUNIT_CASE(snapshot_often_test),
	KUNIT_CASE(snapshot_cleared_test),
	KUNIT_CASE(snapshot_at_once_test),
	KUNIT_CASE(snapshot_reader_test),
	KUNIT_CASE(snapshot_size_test),
	KUNIT_CASE(snapshot_expand_test),
	KUNIT_CASE(snapshot_cpu_down_test),
	KUNIT_CASE(snapshot_cpu_new_test),
	KUNIT_CASE(snapshot_busy_test),
	KUNIT_CASE_SLOW(snapshot_writer_stuck_test),
	KUNIT_CASE(snapshot_stopped_test),
	KUNIT_CASE(snapshot_longer_test),
	KUNIT_CASE(snapshot_reading_test),
	KUNIT_CASE(snapshot_mapped_test),
	{}
};

static struct kunit_suite snapshot_test_suite = {
	.name		= "trace_snapshot",
	.init		= snapshot_test_init,
	.exit		= snapshot_test_exit,
	.test_cases	= snapshot_test_cases,
};

kunit_test_suite(snapshot_test_suite);

MODULE_DESCRIPTION("KUnit tests of snapshots");
MODULE_LICENSE("GPL");
