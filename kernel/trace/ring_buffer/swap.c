// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanging the storage of a CPU between two buffers. Snapshots and the maxima of latency
 * tracers are kept in this way, without copying.
 */
#include <linux/export.h>

#include "internal.h"
#include "reserve.h"

struct rb_swap {
	struct rb_local	*a;
	struct rb_local	*b;
	int		ret;
};

/* Exchange the storage, both parts being locked. NMIs are kept out as in rb_exclusive_here(). */
static int rb_swap_locked(struct rb_local *a, struct rb_local *b)
{
	struct rb_cpu *cpu = a->cpu;

	if (READ_ONCE(a->nest) || READ_ONCE(b->nest))
		return -EBUSY;
	if (cpu->nr != b->cpu->nr || cpu->order != b->cpu->order)
		return -EINVAL;
	if (cpu->mapped || b->cpu->mapped)
		return -EBUSY;
	rb_publish(a);
	rb_publish(b);
	WRITE_ONCE(a->nest, RB_MAX_NEST);
	WRITE_ONCE(b->nest, RB_MAX_NEST);
	barrier();
	WRITE_ONCE(a->cpu, b->cpu);
	WRITE_ONCE(b->cpu, cpu);
	WRITE_ONCE(rb_part(a)->buffer->swapped, true);
	WRITE_ONCE(rb_part(b)->buffer->swapped, true);
	barrier();
	WRITE_ONCE(b->nest, 0);
	WRITE_ONCE(a->nest, 0);
	return 0;
}

/*
 * Runs on the CPU, with interrupts off. rb_lock() waits for readers on other CPUs, which hold the
 * lock for a short time. It must not wait for a reader on this CPU: that reader may have called
 * this function, or this function may have interrupted it.
 */
static void rb_swap_here(void *info)
{
	struct rb_swap *swap = info;
	struct rb_cpu *a = READ_ONCE(swap->a->cpu), *b = READ_ONCE(swap->b->cpu);
	struct rb_cpu *first = a < b ? a : b, *second = a < b ? b : a;

	swap->ret = -EBUSY;
	if (__this_cpu_read(rb_locks_here) || a == b || !rb_lock(first, 0))
		return;
	if (rb_lock(second, SINGLE_DEPTH_NESTING)) {
		/* The storage of a CPU that is down can have been exchanged before the locks. */
		if (a == READ_ONCE(swap->a->cpu) && b == READ_ONCE(swap->b->cpu))
			swap->ret = rb_swap_locked(swap->a, swap->b);
		rb_unlock(second);
	}
	rb_unlock(first);
}

/**
 * ring_buffer_swap_cpu - exchange the storage of a CPU between two buffers
 * @a: a buffer
 * @b: another buffer
 * @cpu: the CPU
 *
 * Context: any but NMI, with preemption off, if @cpu is the CPU that this runs on, or is down.
 * For another CPU: interrupts on, and cpus_read_lock() held.
 * Return: 0; -EINVAL if a buffer has no storage for @cpu or the sizes differ; -EBUSY if a writer
 * of @cpu is in the middle of an event, a reader on @cpu called this, or user space maps the
 * storage.
 */
int ring_buffer_swap_cpu(struct trace_buffer *a, struct trace_buffer *b, int cpu)
{
	struct rb_swap swap;

	if (!rb_cpu(a, cpu) || !rb_cpu(b, cpu))
		return -EINVAL;
	swap.a = per_cpu_ptr(a->fast.local, cpu);
	swap.b = per_cpu_ptr(b->fast.local, cpu);
	rb_run_on(cpu, rb_swap_here, &swap);
	return swap.ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_swap_cpu);
