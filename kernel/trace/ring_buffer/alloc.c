// SPDX-License-Identifier: GPL-2.0
/*
 * Making and freeing buffers. A CPU gets its storage when it first comes up,
 * before it can write, or when it is given a size before; it keeps that, and what is
 * in it, when it goes down.
 */
#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "internal.h"

/* Writers need a sub-buffer to go to while one is not committed. */
#define RB_MIN_SLOTS	2

/* Large sizes are for the administrator to ask for, and to be refused. */
#define RB_GFP		(GFP_KERNEL | __GFP_RETRY_MAYFAIL)

/**
 * rb_alloc_page - get the memory of a sub-buffer
 * @cpu: where it will be used
 * @order: of its pages
 *
 * Context: may sleep.
 * Return: the memory, to be freed with free_pages(); or NULL.
 */
struct rb_page *rb_alloc_page(int cpu, unsigned int order)
{
	gfp_t flags = RB_GFP | __GFP_ZERO | __GFP_COMP;
	struct page *page = alloc_pages_node(cpu_to_node(cpu), flags, order);

	return page ? page_address(page) : NULL;
}

/**
 * rb_alloc_subbuf - make a sub-buffer
 * @cpu: where it will be used
 * @order: of its pages
 *
 * Context: may sleep.
 * Return: the sub-buffer, or NULL if memory is short or the task is to die.
 */
struct rb_subbuf *rb_alloc_subbuf(int cpu, unsigned int order)
{
	struct rb_subbuf *subbuf;

	if (fatal_signal_pending(current))
		return NULL;
	subbuf = kzalloc_node(sizeof(*subbuf), RB_GFP, cpu_to_node(cpu));
	if (!subbuf)
		return NULL;
	subbuf->page = rb_alloc_page(cpu, order);
	if (!subbuf->page) {
		kfree(subbuf);
		return NULL;
	}
	return subbuf;
}

/**
 * rb_free_subbuf - free a sub-buffer
 * @subbuf: the sub-buffer, or NULL
 * @order: of its pages
 *
 * Context: process.
 */
void rb_free_subbuf(struct rb_subbuf *subbuf, unsigned int order)
{
	if (!subbuf)
		return;
	free_pages((unsigned long)subbuf->page, order);
	kfree(subbuf);
}

/**
 * rb_nr_slots - how many slots a size is
 * @size: bytes of events
 * @order: of the pages of the sub-buffers
 *
 * Context: any.
 * Return: that, at least 2.
 */
unsigned long rb_nr_slots(unsigned long size, unsigned int order)
{
	unsigned long data = rb_data_size(order);

	return max(size / data + !!(size % data), (unsigned long)RB_MIN_SLOTS);
}

/**
 * rb_new_generation - number a state of a CPU's storage
 *
 * Context: any.
 * Return: a number that no other state of any storage had; never 0.
 */
unsigned int rb_new_generation(void)
{
	static atomic_t generation;
	unsigned int new;

	do {
		new = atomic_inc_return(&generation);
	} while (unlikely(!new));
	return new;
}

/* All slots but the first are free, as if they had been used and read before. */
static void rb_init_slots(struct rb_cpu *cpu)
{
	u32 slot, id = 0;

	for (slot = 0; slot < cpu->nr; slot++, id++) {
		if (cpu->subbufs[id] == cpu->reader)
			id++;
		cpu->slots[slot] = rb_slot(slot - cpu->nr, id) | RB_SLOT_FREE;
	}
	cpu->slots[0] = rb_slot(0, rb_slot_id(cpu->slots[0]));
}

/**
 * rb_init_ring - empty a CPU's storage and its counters
 * @cpu: the storage, with all sub-buffers and the reader's one chosen
 *
 * Context: nobody uses it, or rb_exclusive().
 */
void rb_init_ring(struct rb_cpu *cpu)
{
	unsigned int depth;

	rb_init_slots(cpu);
	cpu->tail = rb_slot_subbuf(cpu, cpu->slots[0]);
	cpu->tail->index = 0;
	cpu->tail->slot = 0;
	cpu->tail->first = 0;
	cpu->committed = cpu->tail;
	local_set(&cpu->tail->page->commit, 0);
	cpu->head = rb_pos(0);
	/* Readers without the lock, as counters are, find all of this. */
	smp_store_release(&cpu->commit, cpu->head);
	for (depth = 0; depth < RB_MAX_NEST; depth++)
		cpu->last[depth] = (struct rb_stamp) { .pos = RB_POS_NONE };
	cpu->finished_bytes = 0;
	local_set(&cpu->overrun, 0);
	local_set(&cpu->overrun_bytes, 0);
	local_set(&cpu->commit_overrun, 0);
	local_set(&cpu->dropped, 0);

	local_set(&cpu->reader->page->commit, 0);
	cpu->reading = false;
	cpu->cursor = (struct rb_cursor) { };
	cpu->read_index = 0;
	cpu->read_slot = 0;
	cpu->next_event = 0;
	cpu->lost_events = 0;
	cpu->lost_before = 0;
	cpu->read_events = 0;
	cpu->read_bytes = 0;
	/* Writers look at it, see ring_buffer_fast_generation(). */
	WRITE_ONCE(cpu->generation, rb_new_generation());
	if (cpu->mapped)
		rb_update_meta(cpu);
}

/**
 * rb_free_cpu - free the storage of a CPU
 * @cpu: the storage, or NULL
 *
 * Context: process.
 */
void rb_free_cpu(struct rb_cpu *cpu)
{
	u32 id;

	if (!cpu)
		return;
	for (id = 0; cpu->subbufs && id <= cpu->nr; id++)
		rb_free_subbuf(cpu->subbufs[id], cpu->order);
	kvfree(cpu->subbufs);
	kvfree(cpu->slots);
	kfree(cpu);
}

/**
 * rb_alloc_cpu - make the storage of a CPU
 * @cpu: the CPU
 * @order: of the pages of its sub-buffers
 * @nr: its slots
 *
 * Context: may sleep.
 * Return: the storage, empty, or NULL.
 */
struct rb_cpu *rb_alloc_cpu(int cpu, unsigned int order, unsigned int nr)
{
	struct rb_cpu *rb;
	u32 id;

	rb = kzalloc_node(sizeof(*rb), GFP_KERNEL, cpu_to_node(cpu));
	if (!rb)
		return NULL;
	raw_spin_lock_init(&rb->reader_lock);
	rb->order = order;
	rb->words = rb_data_size(order) / sizeof(u32);
	rb->nr = nr;
	rb->slots = kvcalloc(nr, sizeof(*rb->slots), RB_GFP);
	rb->subbufs = kvcalloc(nr + 1, sizeof(*rb->subbufs), RB_GFP);
	if (!rb->slots || !rb->subbufs)
		goto fail;
	for (id = 0; id <= nr; id++) {
		rb->subbufs[id] = rb_alloc_subbuf(cpu, order);
		if (!rb->subbufs[id])
			goto fail;
		rb->subbufs[id]->id = id;
	}
	rb->reader = rb->subbufs[nr];
	rb_init_ring(rb);
	return rb;
fail:
	rb_free_cpu(rb);
	return NULL;
}

/**
 * rb_add_cpu - give a CPU its storage
 * @buffer: the buffer
 * @cpu: a CPU that has none
 * @nr: its slots
 *
 * Context: may sleep; with cpus_read_lock(), or about to come up.
 * Return: 0 or -ENOMEM.
 */
int rb_add_cpu(struct trace_buffer *buffer, int cpu, unsigned int nr)
{
	struct rb_local *local = per_cpu_ptr(buffer->local, cpu);
	struct rb_cpu *rb = rb_alloc_cpu(cpu, buffer->order, nr);

	if (!rb)
		return -ENOMEM;
	atomic_add(rb->words, &local->usual);
	/* Who finds it with rb_cpu() goes by the pointer, and so finds what it points to. */
	smp_store_release(&local->cpu, rb);
	cpumask_set_cpu(cpu, buffer->cpumask);
	return 0;
}

/* A CPU is about to come up. That fails if this does. */
static int rb_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = hlist_entry(node, struct trace_buffer, node);

	return rb_cpu(buffer, cpu) ? 0 : rb_add_cpu(buffer, cpu, buffer->nr);
}

/* The state is there for good once the first buffer is made. */
static int rb_setup_hotplug(void)
{
	static DEFINE_MUTEX(lock);
	static bool done;
	int ret = 0;

	guard(mutex)(&lock);
	if (!done)
		ret = cpuhp_setup_state_multi(CPUHP_TRACE_RB_PREPARE, "trace/ring_buffer:prepare",
					      rb_cpu_prepare, NULL);
	done = !ret;
	return ret;
}

static void rb_free_buffer(struct trace_buffer *buffer)
{
	int cpu;

	for_each_cpu(cpu, buffer->cpumask)
		rb_free_cpu(per_cpu_ptr(buffer->local, cpu)->cpu);
	free_percpu(buffer->local);
	free_cpumask_var(buffer->cpumask);
	kfree(buffer);
}

static struct trace_buffer *rb_alloc_buffer(unsigned long size, unsigned int flags)
{
	struct trace_buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	int cpu;

	if (!buffer)
		return NULL;
	if (!zalloc_cpumask_var(&buffer->cpumask, GFP_KERNEL)) {
		kfree(buffer);
		return NULL;
	}
	buffer->local = alloc_percpu(struct rb_local);
	if (!buffer->local) {
		free_cpumask_var(buffer->cpumask);
		kfree(buffer);
		return NULL;
	}
	buffer->flags = flags;
	buffer->nr = min_t(unsigned long, rb_nr_slots(size, 0), INT_MAX);
	mutex_init(&buffer->mutex);
	rb_init_waiters(&buffer->waiters);
	for_each_possible_cpu(cpu)
		rb_init_local(buffer, cpu);
	return buffer;
}

/**
 * ring_buffer_alloc - make a buffer
 * @size: bytes of events that each CPU can keep; rounded up to sub-buffers
 * @flags: enum ring_buffer_flags
 *
 * Context: may sleep.
 * Return: the buffer, to be freed with ring_buffer_free(), or NULL.
 */
struct trace_buffer *ring_buffer_alloc(unsigned long size, unsigned int flags)
{
	struct trace_buffer *buffer;

	if (rb_setup_hotplug())
		return NULL;
	buffer = rb_alloc_buffer(size, flags);
	if (!buffer)
		return NULL;
	if (cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node)) {
		rb_free_buffer(buffer);
		return NULL;
	}
	return buffer;
}
EXPORT_SYMBOL_GPL(ring_buffer_alloc);

/**
 * ring_buffer_free - free a buffer
 * @buffer: the buffer, which nobody reads or writes any more
 *
 * Context: may sleep.
 */
void ring_buffer_free(struct trace_buffer *buffer)
{
	cpuhp_state_remove_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node);
	rb_stop_waiters(buffer);
	/* Readers of the other buffer may be about to lock what it had. */
	if (buffer->swapped)
		synchronize_rcu();
	rb_free_buffer(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_free);
