// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what events say to perf: __perf_count(), __perf_task(), TRACE_EVENT_PERF_PERM().
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "events.h"
#include "perf.h"

#define CREATE_TRACE_POINTS
#include "record_perf_test.h"

static void perf_sampled(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	unsigned int *nr = event->overflow_handler_context;

	(*nr)++;
}

/* Open an event of a task on a CPU. @period: 0: only count; @nr: counts samples */
static struct perf_event *perf_open_at(const char *name, struct task_struct *task, int cpu,
				       u64 period, unsigned int *nr)
{
	struct trace_event_file *file = trace_get_event_file(NULL, "definitions_test", name);
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_TRACEPOINT,
		.size		= sizeof(attr),
		.sample_period	= period,
		.sample_type	= period ? PERF_SAMPLE_RAW : 0,
	};

	if (IS_ERR(file))
		return ERR_CAST(file);
	attr.config = file->call->event.type;
	trace_put_event_file(file);
	return perf_event_create_kernel_counter(&attr, cpu, task, period ? perf_sampled : NULL, nr);
}

static u64 perf_value(struct perf_event *event)
{
	u64 enabled, running;

	return perf_event_read_value(event, &enabled, &running);
}

/* An event counts as often as it says. */
static void record_perf_count_test(struct kunit *test)
{
	struct perf_event *event = perf_open_at("record_perf", current, -1, 0, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	trace_record_perf(current, 5);
	KUNIT_EXPECT_EQ(test, perf_value(event), 5);
	trace_record_perf(current, 0);
	KUNIT_EXPECT_EQ(test, perf_value(event), 5);
	trace_record_perf(current, BIT_ULL(40));
	KUNIT_EXPECT_EQ(test, perf_value(event), BIT_ULL(40) + 5);
	perf_event_release_kernel(event);
}

/* With a period of 10, a sample is taken each time that the weights have come to 10. */
static void record_perf_period_test(struct kunit *test)
{
	unsigned int nr = 0;
	struct perf_event *event = perf_open_at("record_perf", current, -1, 10, &nr);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	trace_record_perf(current, 9);
	KUNIT_EXPECT_EQ(test, nr, 0);
	trace_record_perf(current, 1);
	KUNIT_EXPECT_EQ(test, nr, 1);
	perf_event_release_kernel(event);
}

/* A filter sees the depth of preempt_disable() without that of the tracepoint. */
static void record_perf_depth_test(struct kunit *test)
{
	struct perf_event *event = perf_open_at("record_perf", current, -1, 0, NULL);
	char filter[] = "common_preempt_count == 0";

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	KUNIT_EXPECT_EQ(test, ftrace_profile_set_filter(event, event->attr.config, filter), 0);
	trace_record_perf(current, 1);
	KUNIT_EXPECT_EQ(test, perf_value(event), 1);
	if (IS_ENABLED(CONFIG_PREEMPTION)) {
		scoped_guard(preempt)
			trace_record_perf(current, 1);
		KUNIT_EXPECT_EQ(test, perf_value(event), 1);
	}
	perf_event_release_kernel(event);
}

/* A record that perf has no space for is dropped, without a splat. */
static void record_perf_size_test(struct kunit *test)
{
	struct perf_event *event = perf_open_at("record_perf", current, -1, 0, NULL);
	void *memory, *too_large;
	int context;

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	scoped_guard(preempt) {
		too_large = trace_perf_memory_get(PERF_MAX_TRACE_SIZE, &context);
		memory = trace_perf_memory_get(PERF_MAX_TRACE_SIZE - sizeof(u32), &context);
		if (memory)
			perf_swevent_put_recursion_context(context);
	}
	KUNIT_EXPECT_NULL(test, too_large);
	KUNIT_EXPECT_NOT_NULL(test, memory);
	perf_event_release_kernel(event);
}

static int perf_sleeper(void *unused)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* As the scheduler does: perf takes a lock that is taken below that of a run queue. */
static void record_other_task(struct task_struct *task, u64 count)
{
	guard(irqsave)();
	trace_record_perf(task, count);
}

/*
 * The task that an event is about gets it, too, though another one runs. Its perf events must be of
 * this CPU.
 */
static void record_perf_task_test(struct kunit *test)
{
	struct task_struct *sleeper = kthread_run(perf_sleeper, NULL, "record-perf-test");
	struct perf_event *own, *others;

	KUNIT_ASSERT_FALSE(test, IS_ERR(sleeper));
	migrate_disable();
	own = perf_open_at("record_perf", current, smp_processor_id(), 0, NULL);
	others = perf_open_at("record_perf", sleeper, smp_processor_id(), 0, NULL);
	KUNIT_EXPECT_FALSE(test, IS_ERR(own));
	KUNIT_EXPECT_FALSE(test, IS_ERR(others));
	if (!IS_ERR(own) && !IS_ERR(others)) {
		trace_record_perf(current, 1);
		trace_record_perf(NULL, 1);
		KUNIT_EXPECT_EQ(test, perf_value(own), 2);
		KUNIT_EXPECT_EQ(test, perf_value(others), 0);
		record_other_task(sleeper, 3);
		KUNIT_EXPECT_EQ(test, perf_value(own), 5);
		KUNIT_EXPECT_EQ(test, perf_value(others), 3);
	}
	migrate_enable();
	if (!IS_ERR(own))
		perf_event_release_kernel(own);
	/* Nobody on this CPU has it open any more. */
	if (!IS_ERR(others)) {
		record_other_task(sleeper, 4);
		perf_event_release_kernel(others);
	}
	kthread_stop(sleeper);
}

/* An event says who may open it. */
static void record_perf_perm_test(struct kunit *test)
{
	struct perf_event *event = perf_open_at("record_perm", current, -1, 1, NULL);

	KUNIT_EXPECT_PTR_EQ(test, event, ERR_PTR(-EPERM));
	event = perf_open_at("record_perm", current, -1, 0, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	trace_record_perm(1);
	KUNIT_EXPECT_EQ(test, perf_value(event), 1);
	perf_event_release_kernel(event);
}

static struct kunit_case record_perf_test_cases[] = {
	KUNIT_CASE(record_perf_count_test),
	KUNIT_CASE(record_perf_period_test),
	KUNIT_CASE(record_perf_depth_test),
	KUNIT_CASE(record_perf_size_test),
	KUNIT_CASE(record_perf_task_test),
	KUNIT_CASE(record_perf_perm_test),
	{}
};

static struct kunit_suite record_perf_test_suite = {
	.name		= "trace_record_perf",
	.test_cases	= record_perf_test_cases,
};

kunit_test_suite(record_perf_test_suite);

MODULE_DESCRIPTION("KUnit tests of recording trace events for perf");
MODULE_LICENSE("GPL");
