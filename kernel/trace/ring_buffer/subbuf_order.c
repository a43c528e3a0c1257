// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the size of the sub-buffers. First all memory for all CPUs is allocated, then each
 * CPU exchanges its whole storage in one step. The events in the buffer are lost, since their
 * sub-buffers have the wrong size.
 */
#include <linux/cpu.h>
#include <linux/error-injection.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "internal.h"

/*
 * rb_reserve_usual() adds the words of an event to the words used. Either can be as many as a
 * sub-buffer has, and the sum has to fit into 16 bits.
 */
#define RB_MAX_SIZE	BIT(17)

/**
 * ring_buffer_subbuf_order_get - the size of a sub-buffer in pages
 * @buffer: the buffer
 *
 * Context: any.
 * Return: the binary logarithm of the number of pages.
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/* A swap() with WRITE_ONCE(), as ring_buffer_size() reads @seen without the lock. */
static void rb_exchange_number(unsigned int *seen, unsigned int *other)
{
	unsigned int old = *seen;

	WRITE_ONCE(*seen, *other);
	*other = old;
}

/* Exchange the members that depend on the order. The others stay. */
static void rb_exchange_storage(struct rb_local *local, void *data)
{
	struct rb_cpu *cpu = local->cpu;
	struct rb_cpu *new = data;

	atomic_add((int)new->words - (int)cpu->words, &local->usual);
	rb_exchange_number(&cpu->nr, &new->nr);
	swap(cpu->words, new->words);
	rb_exchange_number(&cpu->order, &new->order);
	swap(cpu->slots, new->slots);
	swap(cpu->subbufs, new->subbufs);
	swap(cpu->reader, new->reader);
	rb_init_ring(cpu);
}

static void rb_free_cpus(struct rb_cpu **cpus)
{
	unsigned int cpu;

	for (cpu = 0; cpus && cpu < nr_cpu_ids; cpu++)
		rb_free_cpu(cpus[cpu]);
	kfree(cpus);
}

DEFINE_FREE(rb_free_cpus, struct rb_cpu **, rb_free_cpus(_T))

/* @size: bytes of events that each CPU is to keep; 0: as many as now */
static unsigned long rb_new_nr(struct trace_buffer *buffer, int cpu, unsigned int order,
			       unsigned long size)
{
	return rb_nr_slots(size ?: ring_buffer_size(buffer, cpu), order);
}

static int rb_set_order(struct trace_buffer *buffer, unsigned int order, unsigned long size)
{
	struct rb_cpu **new __free(rb_free_cpus) = NULL;
	unsigned long pages = 0;
	int cpu, err;

	for_each_cpu(cpu, buffer->cpumask)
		pages += rb_new_nr(buffer, cpu, order, size) << order;
	if (!rb_have_pages(pages))
		return -ENOMEM;
	new = kcalloc(nr_cpu_ids, sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	for_each_cpu(cpu, buffer->cpumask) {
		new[cpu] = rb_alloc_cpu(cpu, order, rb_new_nr(buffer, cpu, order, size));
		if (!new[cpu])
			return -ENOMEM;
	}
	err = rb_exclusive_possible(buffer, buffer->cpumask);
	if (err)
		return err;
	WRITE_ONCE(buffer->nr, rb_new_nr(buffer, RING_BUFFER_ALL_CPUS, order, size));
	WRITE_ONCE(buffer->order, order);
	for_each_possible_cpu(cpu) {
		if (new[cpu])
			err = err ?: rb_exclusive(buffer, cpu, rb_exchange_storage, new[cpu]);
	}
	return err;
}

/**
 * ring_buffer_set_shape - change the size of the sub-buffers and of the buffer
 * @buffer: the buffer, which is emptied; events that readers got from it become invalid
 * @order: binary logarithm of the new size of a sub-buffer in pages. If sub-buffers have that
 *	size already, nothing is done
 * @size: bytes of events that each CPU is to keep, rounded up to whole sub-buffers; 0: as many
 *	as it can keep now
 *
 * Context: may sleep.
 * Return: 0, or an error:
 * -EINVAL if sub-buffers would be too large, -ENOMEM: nothing has changed.
 * -EBUSY if there are iterators, or user space maps the buffer: nothing has changed. Also -EBUSY if
 * a writer does not end its event. All CPUs are checked before the first one changes, so that
 * normally nothing has changed either. If the writer began after this check,
 * ring_buffer_subbuf_order_get() returns the new order. CPUs with lower numbers than the writer's
 * CPU have the new order, too, and are empty. The writer's CPU and the CPUs after it keep their old
 * sub-buffers and events, until a call with a different order changes all CPUs again.
 */
int ring_buffer_set_shape(struct trace_buffer *buffer, int order, unsigned long size)
{
	if (order < 0 || order > ilog2(RB_MAX_SIZE / PAGE_SIZE))
		return -EINVAL;
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (order == buffer->order)
		return 0;
	if (rb_in_use(buffer, buffer->cpumask))
		return -EBUSY;
	return rb_set_order(buffer, order, size);
}
ALLOW_ERROR_INJECTION(ring_buffer_set_shape, ERRNO);

/**
 * ring_buffer_subbuf_order_set - change the size of the sub-buffers
 * @buffer: the buffer, which is emptied; events that readers got from it become invalid
 * @order: binary logarithm of the new size in pages
 *
 * Context: may sleep.
 * Return: as ring_buffer_set_shape(), also for the state after an error.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	return ring_buffer_set_shape(buffer, order, 0);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);
