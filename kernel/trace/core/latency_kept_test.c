// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the code that latency tracers share: the choice of the maximum that is kept, and
 * the reports if it cannot be kept. Selftests test the tracers.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "entries.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "snapshot_internal.h"
#include "tracer.h"

/* Make an instance as if a latency tracer ran in it. */
static int latency_test_init(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("latency-test", NULL);
	int err;

	if (!tr)
		return -ENOMEM;
	test->priv = tr;
	guard(mutex)(&tr->lock);
	err = trace_array_expand(tr);
	return err ?: trace_latency_begin(tr);
}

static void latency_test_exit(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	if (!tr)
		return;
	scoped_guard(mutex, &tr->lock)
		trace_latency_end(tr);
	trace_array_put(tr);
	trace_array_destroy(tr);
}

/* Record an entry like that of trace_printk(). */
static void record(struct trace_array *tr, const char *text)
{
	struct ring_buffer_event *event;
	struct print_entry *entry;

	event = ring_buffer_lock_reserve(tr->array_buffer.buffer,
					 sizeof(*entry) + strlen(text) + 1);
	if (!event)
		return;
	entry = ring_buffer_event_data(event);
	entry->ent.type = TRACE_PRINT;
	strcpy(entry->buf, text);
	ring_buffer_unlock_commit(tr->array_buffer.buffer);
}

struct test_end {
	struct latency_end	end;
	const char		*text;
};

static void record_end(struct trace_array *tr, const struct latency_end *end)
{
	record(tr, container_of(end, struct test_end, end)->text);
}

static void keep_since(struct trace_array *tr, u64 start, u64 ns, bool everywhere,
		       const char *text)
{
	struct test_end end = {
		.end.report.ns		= ns,
		.end.report.start	= start,
		.end.report.everywhere	= everywhere,
		.end.task		= current,
		.end.record		= record_end,
		.text			= text,
	};

	guard(preempt)();
	end.end.report.cpu = smp_processor_id();
	trace_latency_keep(tr, &end.end);
}

static void keep(struct trace_array *tr, u64 ns, bool everywhere, const char *text)
{
	keep_since(tr, ring_buffer_time_stamp(tr->array_buffer.buffer), ns, everywhere, text);
}

/* End a section of length @ns, and record @text at its end. */
static void end_after(struct trace_array *tr, u64 ns, const char *text)
{
	keep(tr, ns, false, text);
}

/* Expect that a latency of @ns is kept, with the one entry @text. Consumes it. */
static void expect_kept(struct kunit *test, u64 ns, const char *text)
{
	struct trace_array *tr = test->priv;
	struct array_buffer *kept = trace_snapshot_get(tr);
	struct ring_buffer_event *event;
	const struct print_entry *entry;
	struct latency_view view;

	KUNIT_ASSERT_NOT_NULL(test, kept);
	trace_latency_view(kept, &view);
	KUNIT_EXPECT_EQ(test, view.report.ns, ns);
	KUNIT_EXPECT_EQ(test, view.report.pid, current->pid);
	KUNIT_EXPECT_STREQ(test, view.report.comm, current->comm);
	KUNIT_EXPECT_EQ(test, view.cpu, view.report.cpu);
	KUNIT_EXPECT_LE(test, view.from, view.to);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 1);
	event = ring_buffer_consume(kept->buffer, view.cpu, NULL, NULL);
	if (event) {
		entry = ring_buffer_event_data(event);
		KUNIT_EXPECT_EQ(test, entry->ent.type, TRACE_PRINT);
		KUNIT_EXPECT_STREQ(test, entry->buf, text);
	} else {
		KUNIT_FAIL(test, "nothing is kept");
	}
	trace_snapshot_put(kept);
}

static void latency_longest_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	end_after(tr, 1000, "first");
	expect_kept(test, 1000, "first");
	end_after(tr, 1000, "as long");
	end_after(tr, 999, "shorter");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->array_buffer.buffer), 0);
	end_after(tr, 1001, "longer");
	expect_kept(test, 1001, "longer");
	KUNIT_EXPECT_EQ(test, tr->latency->max, 1001);
	/* The section ends before it began, as if the clock was set back in between. */
	end_after(tr, -1, "negative");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->array_buffer.buffer), 0);
	KUNIT_EXPECT_EQ(test, tr->latency->max, 1001);
}

static void record_nested(struct trace_array *tr, const struct latency_end *end)
{
	end_after(tr, 2 * end->report.ns, "nested");
	record_end(tr, end);
}

/* A section that ends while a latency is being kept is not kept, and does not deadlock. */
static void latency_nested_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct test_end end = {
		.end.report.ns		= 1000,
		.end.report.start	= ring_buffer_time_stamp(tr->array_buffer.buffer),
		.end.task		= current,
		.end.record		= record_nested,
		.text			= "outer",
	};

	scoped_guard(preempt) {
		end.end.report.cpu = smp_processor_id();
		trace_latency_keep(tr, &end.end);
	}
	expect_kept(test, 1000, "outer");
	KUNIT_EXPECT_EQ(test, tr->latency->max, 1000);
	end_after(tr, 1001, "later");
	expect_kept(test, 1001, "later");
}

/* With a threshold, the last of the latencies is kept that reach it. */
static void latency_thresh_test(struct kunit *test)
{
	unsigned long before = tracing_thresh;
	struct trace_array *tr = test->priv;

	tracing_thresh = 500;
	end_after(tr, 1000, "first");
	end_after(tr, 499, "shorter");
	expect_kept(test, 1000, "first");
	end_after(tr, 500, "as long");
	expect_kept(test, 500, "as long");
	tracing_thresh = before;
}

/* In the middle of an event, the CPU keeps its storage, and a message is kept instead. */
static void latency_while_writing_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, sizeof(u32));

	KUNIT_ASSERT_NOT_NULL(test, event);
	end_after(tr, 1000, "within an event");
	ring_buffer_unlock_commit(buffer);
	expect_kept(test, 1000, "Failed to swap buffers due to commit in progress\n");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2);
	ring_buffer_reset(buffer);
	end_after(tr, 1001, "later");
	expect_kept(test, 1001, "later");
}

/* Entries from before the section are in the buffer that is kept, and readers skip them. */
static void latency_start_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct array_buffer *kept;
	struct latency_view view;

	/* Entries of another CPU are not kept. */
	migrate_disable();
	record(tr, "before");
	end_after(tr, 1000, "the end");
	migrate_enable();
	kept = trace_snapshot_get(tr);
	KUNIT_ASSERT_NOT_NULL(test, kept);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 2);
	trace_latency_view(kept, &view);
	KUNIT_EXPECT_EQ(test, view.from, view.report.start);
	KUNIT_EXPECT_EQ(test, view.time_start, view.report.start);
	trace_snapshot_put(kept);
}

/* While a latency tracer runs, no snapshot is taken. */
static void latency_no_snapshot_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	end_after(tr, 1000, "kept");
	scoped_guard(mutex, &tr->lock)
		KUNIT_EXPECT_EQ(test, trace_snapshot_take(tr, RING_BUFFER_ALL_CPUS), -EBUSY);
	trace_snapshot_now(tr);
	expect_kept(test, 1000, "kept");
}

static bool is_incomplete(struct trace_array *tr)
{
	/* Waits until all CPUs have tried to exchange their storage. */
	struct array_buffer *kept = trace_snapshot_get(tr);
	struct latency_view view;

	trace_latency_view(kept, &view);
	trace_snapshot_put(kept);
	return view.incomplete;
}

/* While the size is being changed, storage cannot be exchanged, and a message says so. */
static void latency_other_size_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct array_buffer *kept = trace_snapshot_get(tr);
	unsigned long size = ring_buffer_size(tr->array_buffer.buffer, 0);

	KUNIT_ASSERT_NOT_NULL(test, kept);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(kept->buffer, size + PAGE_SIZE,
						 RING_BUFFER_ALL_CPUS), 0);
	keep(tr, 1000, true, "everywhere");
	KUNIT_EXPECT_TRUE(test, is_incomplete(tr));
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(kept->buffer, size, RING_BUFFER_ALL_CPUS), 0);
	keep(tr, 1001, true, "all of it");
	KUNIT_EXPECT_FALSE(test, is_incomplete(tr));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 2);
	trace_snapshot_put(kept);
}

static void record_there(void *tr)
{
	record(tr, "before the CPU went down");
}

/* Entries of a CPU that went offline are reported missing, unless the section began later. */
static void latency_cpu_down_test(struct kunit *test)
{
	unsigned int cpu = cpumask_last(cpu_online_mask);
	struct trace_array *tr = test->priv;
	u64 start;

	if (!IS_ENABLED(CONFIG_HOTPLUG_CPU) || num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs, and one to go down");
	keep(tr, 1000, true, "nothing is missed");
	KUNIT_EXPECT_FALSE(test, is_incomplete(tr));
	start = ring_buffer_time_stamp(tr->array_buffer.buffer);
	smp_call_function_single(cpu, record_there, tr, true);
	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	keep_since(tr, start, 1001, true, "it is missed");
	KUNIT_EXPECT_TRUE(test, is_incomplete(tr));
	keep(tr, 1002, true, "nothing is missed");
	KUNIT_EXPECT_FALSE(test, is_incomplete(tr));
	KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
}

/* A section that began before CPUs exchanged for the previous one lacks entries, and says so. */
static void latency_next_one_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	u64 start = ring_buffer_time_stamp(tr->array_buffer.buffer);
	struct array_buffer *kept;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs a second CPU");
	keep(tr, 1000, true, "first");
	/* Waits until the other CPUs have exchanged their storage. */
	trace_snapshot_put(trace_snapshot_get(tr));
	keep(tr, 1001, true, "began later");
	kept = trace_snapshot_get(tr);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 1);
	trace_snapshot_put(kept);
	ring_buffer_reset(tr->array_buffer.buffer);
	keep_since(tr, start, 1002, true, "began before");
	kept = trace_snapshot_get(tr);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 2);
	trace_snapshot_put(kept);
}

/* The CPU where the section begins loses nothing: it exchanges for the previous one then. */
static void latency_starts_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ring_buffer_event *event;
	struct array_buffer *kept;

	scoped_guard(irqsave) {
		event = ring_buffer_lock_reserve(buffer, sizeof(u32));
		if (event) {
			/* The exchange of this CPU stays pending until the next interrupt. */
			keep(tr, 1000, true, "first");
			ring_buffer_unlock_commit(buffer);
		}
		trace_latency_starts(tr);
		record(tr, "begins");
		KUNIT_EXPECT_FALSE(test, cpumask_test_cpu(smp_processor_id(),
							  tr->snapshots->memory->pending));
		KUNIT_EXPECT_EQ(test, ring_buffer_entries_cpu(buffer, smp_processor_id()), 1);
	}
	KUNIT_EXPECT_NOT_NULL(test, event);
	kept = trace_snapshot_get(tr);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 2);
	trace_snapshot_put(kept);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 1);
}

/* While a latency is read, no other is kept, and the report has the longest of the others. */
static void latency_read_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct array_buffer *kept, *twice;
	struct latency_view view;

	kept = trace_latency_get(tr);
	KUNIT_ASSERT_NOT_NULL(test, kept);
	/* The reader has found nothing, so this is kept. */
	end_after(tr, 1000, "read");
	end_after(tr, 3000, "meanwhile");
	twice = trace_latency_get(tr);
	KUNIT_EXPECT_PTR_EQ(test, kept, twice);
	trace_latency_put(kept);
	end_after(tr, 2000, "meanwhile, too");
	KUNIT_EXPECT_EQ(test, tr->latency->max, 3000);
	trace_latency_view(twice, &view);
	KUNIT_EXPECT_EQ(test, view.missed, 3000);
	trace_latency_put(twice);
	expect_kept(test, 1000, "read");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->array_buffer.buffer), 0);

	end_after(tr, 3001, "later");
	expect_kept(test, 3001, "later");
	trace_latency_view(twice, &view);
	KUNIT_EXPECT_EQ(test, view.missed, 0);

	/* A latency that is cleared may be replaced, even while it is read. */
	kept = trace_latency_get(tr);
	end_after(tr, 3002, "meanwhile");
	trace_read_buffer_reset(tr, RING_BUFFER_ALL_CPUS);
	end_after(tr, 3003, "cleared");
	trace_latency_put(kept);
	expect_kept(test, 3003, "cleared");
	trace_latency_view(kept, &view);
	KUNIT_EXPECT_EQ(test, view.missed, 0);
}

/* A reader of a kept latency still sees the report after the tracer has ended. */
static void latency_ended_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct array_buffer *kept;
	struct latency_view view;

	end_after(tr, 1000, "read");
	kept = trace_latency_get(tr);
	KUNIT_ASSERT_NOT_NULL(test, kept);
	scoped_guard(mutex, &tr->lock) {
		trace_latency_end(tr);
		KUNIT_EXPECT_EQ(test, trace_latency_begin(tr), 0);
	}
	end_after(tr, 500, "the next");
	expect_kept(test, 500, "the next");
	trace_latency_view(kept, &view);
	KUNIT_EXPECT_EQ(test, view.report.ns, 1000);
	KUNIT_EXPECT_EQ(test, view.missed, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 1);
	trace_latency_put(kept);
}

/* When the tracer ends, a user of trace_snapshot_arm() has memory for snapshots, which is empty. */
static void latency_armed_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct array_buffer *kept, *snapshot;
	struct latency_view view;

	KUNIT_ASSERT_EQ(test, trace_snapshot_arm(tr), 0);
	end_after(tr, 1000, "kept");
	kept = trace_latency_get(tr);
	scoped_guard(mutex, &tr->lock)
		trace_latency_end(tr);
	record(tr, "of a snapshot");
	trace_snapshot_now(tr);
	KUNIT_EXPECT_TRUE(test, trace_array_is_on(tr));
	snapshot = trace_snapshot_get(tr);
	KUNIT_ASSERT_NOT_NULL(test, snapshot);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(snapshot->buffer), 1);
	trace_latency_view(snapshot, &view);
	KUNIT_EXPECT_EQ(test, view.report.ns, 0);
	KUNIT_EXPECT_EQ(test, view.from, 0);
	KUNIT_EXPECT_EQ(test, view.to, 0);
	KUNIT_EXPECT_EQ(test, view.cpu, RING_BUFFER_ALL_CPUS);
	trace_snapshot_put(snapshot);

	/* A reader of the kept latency still has it. */
	KUNIT_ASSERT_NOT_NULL(test, kept);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(kept->buffer), 1);
	trace_latency_put(kept);

	scoped_guard(mutex, &tr->lock)
		KUNIT_EXPECT_EQ(test, trace_latency_begin(tr), 0);
	end_after(tr, 500, "the next");
	expect_kept(test, 500, "the next");
	trace_snapshot_disarm(tr);
}

static int take_snapshots(void *tr)
{
	while (!kthread_should_stop()) {
		trace_snapshot_now(tr);
		cond_resched();
	}
	return 0;
}

/* End the tracer, and begin another after 100 us. Return: 0 or -errno. */
static int begin_again(struct trace_array *tr)
{
	scoped_guard(mutex, &tr->lock)
		trace_latency_end(tr);
	usleep_range(100, 200);
	guard(mutex)(&tr->lock);
	return trace_latency_begin(tr);
}

/* A task in a loop of snapshots always finds memory, and never takes a kept latency. */
static void latency_contended_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct task_struct *task;
	unsigned int i;
	int err = 0;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs a second CPU");
	KUNIT_ASSERT_EQ(test, trace_snapshot_arm(tr), 0);
	/* That task's messages that no snapshot is possible go into its own CPU's buffer. */
	migrate_disable();
	task = kthread_run_on_cpu(take_snapshots, tr,
				  cpumask_any_but(cpu_online_mask, smp_processor_id()),
				  "latency-test-%u");
	for (i = 0; i < 20 && !IS_ERR(task); i++) {
		err = begin_again(tr);
		if (err)
			break;
		end_after(tr, 1000, "kept");
		usleep_range(100, 200);
		expect_kept(test, 1000, "kept");
	}
	migrate_enable();
	KUNIT_EXPECT_FALSE(test, IS_ERR(task));
	if (!IS_ERR(task))
		kthread_stop(task);
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_TRUE(test, trace_array_is_on(tr));
	trace_snapshot_disarm(tr);
}

/* A mapped buffer cannot be exchanged. */
static void latency_mapped_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	guard(mutex)(&tr->lock);
	trace_latency_end(tr);
	KUNIT_EXPECT_TRUE(test, trace_mapping_begin(&tr->mapping));
	KUNIT_EXPECT_EQ(test, trace_latency_begin(tr), -EBUSY);
	trace_mapping_end(&tr->mapping);
	KUNIT_EXPECT_EQ(test, trace_latency_begin(tr), 0);
}

static const char *a_latency_tracer(struct trace_array *tr)
{
	struct tracer_state *state;

	list_for_each_entry(state, &tr->tracers, list)
		if (state->tracer->latency)
			return state->tracer->name;
	return NULL;
}

/* A tracer that is refused has changed nothing. */
static void latency_refused_test(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	const char *name = a_latency_tracer(tr);

	scoped_guard(mutex, &tr->lock)
		trace_latency_end(tr);
	record(tr, "stays\n");
	KUNIT_ASSERT_TRUE(test, trace_mapping_begin(&tr->mapping));
	if (name)
		KUNIT_EXPECT_EQ(test, trace_array_set_tracer(tr, name), -EBUSY);
	trace_mapping_end(&tr->mapping);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->array_buffer.buffer), 1);
	guard(mutex)(&tr->lock);
	KUNIT_EXPECT_EQ(test, trace_latency_begin(tr), 0);
}

static struct kunit_case latency_test_cases[] = {
	KUNIT_CASE(latency_longest_test),
	KUNIT_CASE(latency_nested_test),
	KUNIT_CASE(latency_thresh_test),
	KUNIT_CASE(latency_while_writing_test),
	KUNIT_CASE(latency_start_test),
	KUNIT_CASE(latency_no_snapshot_test),
	KUNIT_CASE(latency_other_size_test),
	KUNIT_CASE(latency_cpu_down_test),
	KUNIT_CASE(latency_next_one_test),
	KUNIT_CASE(latency_starts_test),
	KUNIT_CASE(latency_read_test),
	KUNIT_CASE(latency_ended_test),
	KUNIT_CASE(latency_armed_test),
	KUNIT_CASE(latency_contended_test),
	KUNIT_CASE(latency_mapped_test),
	KUNIT_CASE(latency_refused_test),
	{}
};

static struct kunit_suite latency_test_suite = {
	.name		= "trace_latency",
	.init		= latency_test_init,
	.exit		= latency_test_exit,
	.test_cases	= latency_test_cases,
};

kunit_test_suite(latency_test_suite);

MODULE_DESCRIPTION("KUnit tests of what latency tracers keep");
MODULE_LICENSE("GPL");
