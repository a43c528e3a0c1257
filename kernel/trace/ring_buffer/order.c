// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the size of the sub-buffers. All that is needed is allocated first,
 * for all CPUs; then each CPU exchanges all its storage at once. What is in the
 * buffer is lost: its sub-buffers are of the wrong size.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "internal.h"

/* Words used have to fit into 16 bits, twice over (see rb_reserve_usual()). */
#define RB_MAX_SIZE	BIT(17)

/**
 * ring_buffer_subbuf_order_get - the size of a sub-buffer in pages
 * @buffer: the buffer
 *
 * Context: any.
 * Return: its binary logarithm.
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/* As swap(), where ring_buffer_size() looks at @seen without the lock. */
static void rb_exchange_number(unsigned int *seen, unsigned int *other)
{
	unsigned int old = *seen;

	WRITE_ONCE(*seen, *other);
	*other = old;
}

/* Exchange what the sub-buffers are in; the rest stays where it is. */
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

static int rb_set_order(struct trace_buffer *buffer, unsigned int order)
{
	struct rb_cpu **new __free(rb_free_cpus) = NULL;
	unsigned long size;
	int cpu;

	new = kcalloc(nr_cpu_ids, sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	for_each_cpu(cpu, buffer->cpumask) {
		size = ring_buffer_size(buffer, cpu);
		new[cpu] = rb_alloc_cpu(cpu, order, rb_nr_slots(size, order));
		if (!new[cpu])
			return -ENOMEM;
	}
	size = ring_buffer_size(buffer, RING_BUFFER_ALL_CPUS);
	WRITE_ONCE(buffer->nr, rb_nr_slots(size, order));
	WRITE_ONCE(buffer->order, order);
	for_each_possible_cpu(cpu) {
		if (new[cpu])
			rb_exclusive(buffer, cpu, rb_exchange_storage, new[cpu]);
	}
	return 0;
}

/**
 * ring_buffer_subbuf_order_set - change the size of the sub-buffers
 * @buffer: the buffer, which is emptied; readers must not use events they have
 * @order: binary logarithm of the new size in pages
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if that is too large; -EBUSY if there are iterators or user
 * space maps it; -ENOMEM, and all is as before.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	if (order < 0 || order > ilog2(RB_MAX_SIZE / PAGE_SIZE))
		return -EINVAL;
	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	if (order == buffer->order)
		return 0;
	if (rb_in_use(buffer, buffer->cpumask))
		return -EBUSY;
	return rb_set_order(buffer, order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);
