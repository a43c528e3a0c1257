// SPDX-License-Identifier: GPL-2.0
/*
 * Changing a CPU's storage while it has writers and readers.
 *
 * The change runs on the CPU itself, with interrupts off, when no writer of the CPU is in the
 * middle of an event. So no writer has to wait. Only events of NMIs that come during the change
 * are lost: these find rb_local.nest at its maximum, and are refused and counted like all writers
 * that nest too deep.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include "internal.h"
#include "reserve.h"

struct rb_exclusive {
	struct rb_local	*local;
	rb_exclusive_fn	fn;
	void		*data;
	bool		done;
};

/*
 * A writer that runs ends its event within one or two tries, of up to 100 us each. A writer that is
 * in the middle of an event after this many tries never ends it: its task died in an oops, or does
 * not commit.
 */
#define RB_TRIES	10000

/**
 * ring_buffer_await_writer - sleep until a writer has probably ended its event
 * @tries: how often the caller has done so; 0 before the first time
 *
 * Context: may sleep.
 * Return: true to try again; false if the writer will never end its event.
 */
bool ring_buffer_await_writer(unsigned int *tries)
{
	if (++*tries >= RB_TRIES)
		return false;
	usleep_range(10, 100);
	return true;
}

/* Runs on the CPU, with interrupts off. */
static void rb_exclusive_here(void *info)
{
	struct rb_exclusive *exclusive = info;
	struct rb_local *local = exclusive->local;
	struct rb_cpu *cpu = local->cpu;

	if (READ_ONCE(local->nest))
		return;
	if (!rb_lock(cpu, 0))
		return;
	/* The storage of a CPU that is down can be exchanged by any other CPU. */
	if (cpu != READ_ONCE(local->cpu))
		goto unlock;
	/* The interrupted writer may have set nest to 0 and not compared the head: rb_publish(). */
	rb_publish(local);
	WRITE_ONCE(local->nest, RB_MAX_NEST);
	barrier();
	exclusive->fn(local, exclusive->data);
	barrier();
	WRITE_ONCE(local->nest, 0);
	exclusive->done = true;
unlock:
	rb_unlock(cpu);
}

/**
 * rb_run_on - run a function on a CPU, or here if the CPU is down
 * @cpu: the CPU
 * @fn: the function, which is called with interrupts off
 * @info: passed to @fn
 *
 * Context: cpus_read_lock() held and interrupts on; or any, if @cpu is the CPU that this runs on,
 * or is down.
 */
void rb_run_on(int cpu, void (*fn)(void *info), void *info)
{
	unsigned long flags;

	guard(preempt)();
	if (cpu_online(cpu) && cpu != smp_processor_id()) {
		smp_call_function_single(cpu, fn, info, true);
		return;
	}
	local_irq_save(flags);
	fn(info);
	local_irq_restore(flags);
}

/**
 * rb_exclusive - run a function that changes the storage of a CPU
 * @buffer: the buffer
 * @cpu: a CPU that has storage
 * @fn: the function; while it runs no writer and no reader uses the storage
 * @data: passed to @fn
 *
 * Context: may sleep. The caller holds cpus_read_lock(), and is not between reserve and commit.
 * Return: 0; -EBUSY if a writer there does not end its event, and then @fn was not called.
 */
int rb_exclusive(struct trace_buffer *buffer, int cpu, rb_exclusive_fn fn, void *data)
{
	struct rb_exclusive exclusive = {
		.local = per_cpu_ptr(buffer->fast.local, cpu),
		.fn = fn,
		.data = data,
	};
	unsigned int tries = 0;

	do {
		rb_run_on(cpu, rb_exclusive_here, &exclusive);
		if (exclusive.done)
			return 0;
	} while (ring_buffer_await_writer(&tries));
	pr_warn_once("ring_buffer: CPU %d: an event was begun and never ended\n", cpu);
	return -EBUSY;
}

static void rb_nothing(struct rb_local *local, void *unused) { }

/**
 * rb_exclusive_possible - check that rb_exclusive() would not give up
 * @buffer: the buffer
 * @cpus: CPUs that have storage
 *
 * For callers that want to change either all of several CPUs or none. If a writer gets stuck
 * after this check, the caller still ends up with some CPUs changed and others not.
 *
 * Context: that of rb_exclusive().
 * Return: 0, or -EBUSY if a writer on one of @cpus does not end its event.
 */
int rb_exclusive_possible(struct trace_buffer *buffer, const struct cpumask *cpus)
{
	int cpu, ret = 0;

	for_each_cpu(cpu, cpus)
		ret = ret ?: rb_exclusive(buffer, cpu, rb_nothing, NULL);
	return ret;
}

static void rb_reset(struct rb_local *local, void *unused)
{
	rb_init_ring(local->cpu);
	if (local->cpu->mapped)
		rb_update_meta(local->cpu);
}

/**
 * ring_buffer_reset_cpu - empty a CPU's part of a buffer
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Sets the counters to zero, too. Writers may go on. If a writer never ends its event, the part
 * stays as it is, and the log says so.
 *
 * Context: may sleep.
 */
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu)
{
	guard(cpus_read_lock)();
	if (rb_cpu(buffer, cpu))
		rb_exclusive(buffer, cpu, rb_reset, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

/**
 * ring_buffer_reset - empty a buffer
 * @buffer: the buffer
 *
 * Does for each CPU what ring_buffer_reset_cpu() does.
 *
 * Context: may sleep.
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	int cpu;

	guard(cpus_read_lock)();
	for_each_cpu(cpu, buffer->cpumask)
		rb_exclusive(buffer, cpu, rb_reset, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);
