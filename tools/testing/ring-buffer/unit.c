// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the KUnit cases of the ring buffer, and cases that do what the kernel does not let a test
 * do.
 */
#include "kunit.h"

#include "internal.h"

extern const struct kunit_suite *const __start_unit_suites[], *const __stop_unit_suites[];

void interrupt_here(void)
{
}

u64 clock_step(void)
{
	return 1;
}

/* Whichever allocation fails, the resize returns -ENOMEM, and nothing is lost or leaked. */
static void unit_resize_enomem(void)
{
	struct trace_buffer *buffer = ring_buffer_alloc(3 * 4080, RB_FL_OVERWRITE);
	u32 value = 1;
	int fail, ret;

	CHECK(buffer);
	CHECK(!ring_buffer_write(buffer, sizeof(value), &value));
	for (fail = 0;; fail++) {
		shim_fail_after = fail;
		ret = ring_buffer_resize(buffer, 20 * 4080, RING_BUFFER_ALL_CPUS);
		shim_fail_after = -1;
		if (!ret)
			break;
		CHECK(ret == -ENOMEM);
		CHECK(ring_buffer_size(buffer, 0) == 3 * 4080);
	}
	CHECK(fail > 17 * NR_CPUS);
	CHECK(ring_buffer_size(buffer, NR_CPUS - 1) == 20 * 4080);
	CHECK(ring_buffer_entries(buffer) == 1);
	ring_buffer_free(buffer);
}

static void unit_order_enomem(void)
{
	struct trace_buffer *buffer = ring_buffer_alloc(9 * 4080, RB_FL_OVERWRITE);
	u32 value = 1;
	int fail, ret;

	CHECK(buffer);
	CHECK(!ring_buffer_write(buffer, sizeof(value), &value));
	for (fail = 0;; fail++) {
		shim_fail_after = fail;
		ret = ring_buffer_subbuf_order_set(buffer, 2);
		shim_fail_after = -1;
		if (!ret)
			break;
		CHECK(ret == -ENOMEM);
		CHECK(ring_buffer_size(buffer, 0) == 9 * 4080);
		CHECK(ring_buffer_subbuf_order_get(buffer) == 0);
		CHECK(ring_buffer_entries(buffer) == 1);
	}
	CHECK(fail > 3 * NR_CPUS);
	CHECK(ring_buffer_empty(buffer));
	ring_buffer_free(buffer);
}

/* Without memory for the meta page nothing is mapped, and the size can still be changed. */
static void unit_map_enomem(void)
{
	struct trace_buffer *buffer = ring_buffer_alloc(3 * 4080, RB_FL_OVERWRITE);
	void *pages[1] = { };
	struct vm_area_struct vma = {
		.vm_end = PAGE_SIZE, .vm_flags = VM_MAYSHARE, .pages = pages,
	};

	CHECK(buffer);
	shim_fail_after = 0;
	CHECK(ring_buffer_map(buffer, 0, &vma) == -ENOMEM);
	shim_fail_after = -1;
	CHECK(!pages[0]);
	CHECK(ring_buffer_unmap(buffer, 0) == -ENODEV);
	CHECK(!ring_buffer_resize(buffer, 5 * 4080, 0));
	CHECK(!ring_buffer_map(buffer, 0, &vma));
	CHECK(!ring_buffer_unmap(buffer, 0));
	ring_buffer_free(buffer);
}

static void unit_alloc_enomem(void)
{
	struct trace_buffer *buffer;
	int fail;

	for (fail = 0;; fail++) {
		shim_fail_after = fail;
		buffer = ring_buffer_alloc(3 * 4080, 0);
		shim_fail_after = -1;
		if (buffer)
			break;
	}
	CHECK(fail > 3 * NR_CPUS);
	ring_buffer_free(buffer);
}

/* A CPU that comes up later gets its storage then, and has none before. */
static void unit_hotplug(void)
{
	struct trace_buffer *buffer;

	shim_cpus = 1;
	buffer = ring_buffer_alloc(3 * 4080, RB_FL_OVERWRITE);
	shim_cpus = NR_CPUS;
	CHECK(buffer);
	CHECK(!ring_buffer_size(buffer, 1));
	CHECK(!ring_buffer_entries_cpu(buffer, 1));
	CHECK(!ring_buffer_consume(buffer, 1, NULL, NULL));
	CHECK(!ring_buffer_read_start(buffer, 1, GFP_KERNEL));
	CHECK(PTR_ERR(ring_buffer_alloc_read_page(buffer, 1)) == -ENODEV);
	CHECK(ring_buffer_map(buffer, 1, NULL) == -EINVAL);
	CHECK(ring_buffer_unmap(buffer, 1) == -EINVAL);
	CHECK(ring_buffer_map_get_reader(buffer, 1) == -EINVAL);
	CHECK(ring_buffer_swap_cpu(buffer, buffer, 1) == -EINVAL);
	CHECK(ring_buffer_size(buffer, RING_BUFFER_ALL_CPUS) == 3 * 4080);
	CHECK(!ring_buffer_resize(buffer, 5 * 4080, RING_BUFFER_ALL_CPUS));
	CHECK(ring_buffer_size(buffer, RING_BUFFER_ALL_CPUS) == 5 * 4080);
	CHECK(!ring_buffer_size(buffer, 1));
	CHECK(!cpu_up(buffer, 1));
	CHECK(!cpu_up(buffer, 1));
	CHECK(ring_buffer_size(buffer, 1) == 5 * 4080);
	CHECK(ring_buffer_empty_cpu(buffer, 1));
	/* A CPU that is given a size before it comes up has storage of that size. */
	CHECK(ring_buffer_resize(buffer, LONG_MAX, 2) == -ENOMEM);
	shim_fail_after = 0;
	CHECK(ring_buffer_resize(buffer, 9 * 4080, 2) == -ENOMEM);
	shim_fail_after = -1;
	CHECK(!ring_buffer_size(buffer, 2));
	CHECK(!ring_buffer_resize(buffer, 9 * 4080, 2));
	CHECK(!cpu_up(buffer, 2));
	CHECK(ring_buffer_size(buffer, 2) == 9 * 4080);
	CHECK(ring_buffer_size(buffer, RING_BUFFER_ALL_CPUS) == 5 * 4080);
	ring_buffer_free(buffer);
}

/* A dump in an oops that has interrupted the lock's holder finds nothing, and does not wait. */
static void unit_locked_out(void)
{
	struct trace_buffer *buffer = ring_buffer_alloc(3 * 4080, RB_FL_OVERWRITE);
	void *pages[1] = { };
	struct vm_area_struct vma = {
		.vm_end = PAGE_SIZE, .vm_flags = VM_MAYSHARE, .pages = pages,
	};
	struct buffer_data_read_page *page = ring_buffer_alloc_read_page(buffer, 0);
	unsigned long lost;
	u32 value = 1, copy;
	u64 ts;

	CHECK(!IS_ERR(page));
	CHECK(!ring_buffer_write(buffer, sizeof(value), &value));
	CHECK(rb_lock_reader(buffer, 0));
	oops_in_progress = 1;
	CHECK(!ring_buffer_peek(buffer, 0, &ts, &lost));
	CHECK(!ring_buffer_consume(buffer, 0, &ts, &lost));
	CHECK(!ring_buffer_peek_copy(buffer, 0, &copy, sizeof(copy), &ts, &lost));
	CHECK(!ring_buffer_consume_copied(buffer, 0, &value, sizeof(value), cpu_clock));
	CHECK(ring_buffer_read_page(buffer, page, PAGE_SIZE, 0, 0) < 0);
	CHECK(ring_buffer_empty_cpu(buffer, 0));
	CHECK(ring_buffer_map(buffer, 0, &vma) < 0);
	CHECK(rb_locks_here == 1, "%u", rb_locks_here);
	oops_in_progress = 0;
	rb_unlock_reader(rb_cpu(buffer, 0));
	CHECK(rb_locks_here == 0, "%u", rb_locks_here);
	/* If nobody holds the lock, the dump finds the event. */
	oops_in_progress = 1;
	CHECK(ring_buffer_consume(buffer, 0, &ts, &lost));
	oops_in_progress = 0;
	ring_buffer_free_read_page(buffer, 0, page);
	ring_buffer_free(buffer);
}

/* A waiter that has asked gets one wake-up; one that has not gets none. */
static void unit_wake(void)
{
	struct trace_buffer *buffer = ring_buffer_alloc(3 * 4080, RB_FL_OVERWRITE);
	struct rb_local *local = per_cpu_ptr(buffer->fast.local, 0);
	u32 value = 1, i;

	wakes = 0;
	ring_buffer_write(buffer, sizeof(value), &value);
	CHECK(wakes == 0);
	atomic_or(RB_WAKE_ANY, &local->wake);
	ring_buffer_write(buffer, sizeof(value), &value);
	ring_buffer_write(buffer, sizeof(value), &value);
	CHECK(wakes == 1);
	atomic_or(RB_WAKE_FULL, &local->wake);
	for (i = 0; i < 508; i++)
		ring_buffer_write(buffer, sizeof(value), &value);
	CHECK(wakes == 2, "%u", wakes);
	ring_buffer_free(buffer);
}

static void unit_run(const struct kunit_suite *suite)
{
	const struct kunit_case *unit;

	for (unit = suite->test_cases; unit->name; unit++) {
		struct kunit test = { };

		CHECK(!suite->init(&test));
		unit->run(&test);
		suite->exit(&test);
		while (test.used)
			free(test.memory[--test.used]);
		printf("ok %s\n", unit->name);
	}
}

int main(void)
{
	const struct kunit_suite *const *suite;

	cpu_start(0);
	for (suite = __start_unit_suites; suite < __stop_unit_suites; suite++)
		unit_run(*suite);
	unit_alloc_enomem();
	printf("ok alloc_enomem\n");
	unit_resize_enomem();
	printf("ok resize_enomem\n");
	unit_order_enomem();
	printf("ok order_enomem\n");
	unit_map_enomem();
	printf("ok map_enomem\n");
	unit_hotplug();
	printf("ok hotplug\n");
	unit_locked_out();
	printf("ok locked_out\n");
	unit_wake();
	printf("ok wake\n");
	cpu_stop();
	return 0;
}
