// SPDX-License-Identifier: GPL-2.0
/*
 * Making and freeing buffers. A CPU gets its storage before it first comes up, or earlier if it
 * is given a size. It keeps the storage, with the events in it, when it goes down.
 */
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "internal.h"

/* At least two: writers need a sub-buffer to go to while the other one is not committed. */
#define RB_MIN_SLOTS	2

/* The administrator may ask for any size. If memory is short, fail instead of killing tasks. */
#define RB_GFP		(GFP_KERNEL | __GFP_RETRY_MAYFAIL)

/**
 * rb_alloc_page - get the memory of a sub-buffer
 * @cpu: the CPU that will use it
 * @order: order of the pages
 *
 * Context: may sleep.
 * Return: the memory, zeroed, to be freed with free_pages(); or NULL.
 */
struct rb_page *rb_alloc_page(int cpu, unsigned int order)
{
	gfp_t flags = RB_GFP | __GFP_ZERO | __GFP_COMP;
	struct page *page = alloc_pages_node(cpu_to_node(cpu), flags, order);

	return page ? page_address(page) : NULL;
}

/**
 * rb_alloc_subbuf - make a sub-buffer
 * @cpu: the CPU that will use it
 * @order: order of the pages
 *
 * Context: may sleep.
 * Return: the sub-buffer, to be freed with rb_free_subbuf(); NULL if memory is short or a fatal
 * signal is pending.
 */
struct rb_subbuf *rb_alloc_subbuf(int cpu, unsigned int order)
{
	struct rb_subbuf *subbuf __free(kfree) = NULL;

	if (fatal_signal_pending(current))
		return NULL;
	subbuf = kzalloc_node(sizeof(*subbuf), RB_GFP, cpu_to_node(cpu));
	if (!subbuf)
		return NULL;
	subbuf->page = rb_alloc_page(cpu, order);
	return subbuf->page ? no_free_ptr(subbuf) : NULL;
}

/**
 * rb_free_subbuf - free a sub-buffer
 * @subbuf: the sub-buffer, or NULL
 * @order: order of its pages
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
 * rb_nr_slots - the number of slots for a size
 * @size: bytes of events
 * @order: order of the pages of a sub-buffer
 *
 * Context: any.
 * Return: the number of slots, at least 2.
 */
unsigned long rb_nr_slots(unsigned long size, unsigned int order)
{
	unsigned long data = rb_data_size(order);

	return max(size / data + !!(size % data), (unsigned long)RB_MIN_SLOTS);
}

/**
 * rb_new_generation - get a number for a new state of a CPU's storage
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

/* Make all slots but the first free, as if they had been written and read before. */
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
 * rb_init_ring - empty a CPU's storage and set its counters to zero
 * @cpu: the storage, with all sub-buffers, of which one is chosen as the reader's
 *
 * Context: no other code uses the storage, or rb_exclusive().
 */
void rb_init_ring(struct rb_cpu *cpu)
{
	unsigned int depth;

	rb_init_slots(cpu);
	cpu->fast.tail = rb_slot_subbuf(cpu, cpu->slots[0]);
	cpu->fast.tail->index = 0;
	cpu->fast.tail->slot = 0;
	cpu->fast.tail->first = 0;
	cpu->committed = cpu->fast.tail;
	local_set(&cpu->fast.tail->page->commit, 0);
	cpu->fast.head = rb_pos(0);
	/* A CPU that sees this position also sees all of the above. */
	smp_store_release(&cpu->fast.commit, cpu->fast.head);
	for (depth = 0; depth < RB_MAX_NEST; depth++)
		cpu->fast.last[depth] = (struct rb_stamp) { .pos = RB_POS_NONE };
	memset(&cpu->writers_state, 0, sizeof(cpu->writers_state));

	local_set(&cpu->reader->page->commit, 0);
	memset(&cpu->readers_state, 0, sizeof(cpu->readers_state));
	/* Writers read this without a lock, see ring_buffer_fast_generation(). */
	WRITE_ONCE(cpu->fast.generation, rb_new_generation());
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
 * @order: order of the pages of a sub-buffer
 * @nr: number of slots
 *
 * Context: may sleep.
 * Return: the storage, empty, to be freed with rb_free_cpu(); or NULL.
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
 * @nr: number of slots
 *
 * Context: may sleep. With cpus_read_lock(), or while hotplug brings @cpu up.
 * Return: 0 or -ENOMEM.
 */
int rb_add_cpu(struct trace_buffer *buffer, int cpu, unsigned int nr)
{
	struct rb_local *local = per_cpu_ptr(buffer->fast.local, cpu);
	struct rb_cpu *rb = rb_alloc_cpu(cpu, buffer->order, nr);

	if (!rb)
		return -ENOMEM;
	atomic_add(rb->words, &local->usual);
	/* Callers of rb_cpu() follow this pointer, and so see the storage that it points to. */
	smp_store_release(&local->cpu, rb);
	cpumask_set_cpu(cpu, buffer->cpumask);
	return 0;
}

/* Hotplug calls this before a CPU comes up; an error keeps the CPU down. */
static int rb_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = hlist_entry(node, struct trace_buffer, node);

	return rb_cpu(buffer, cpu) ? 0 : rb_add_cpu(buffer, cpu, buffer->nr);
}

/* Set up the hotplug state when the first buffer is made. It is never removed. */
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
		rb_free_cpu(per_cpu_ptr(buffer->fast.local, cpu)->cpu);
	free_percpu(buffer->parts);
	free_cpumask_var(buffer->cpumask);
	kfree(buffer);
}

static struct trace_buffer *rb_alloc_buffer(unsigned long size, unsigned int flags)
{
	struct trace_buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	int cpu;

	if (!buffer)
		return NULL;
	buffer->parts = alloc_percpu(struct rb_part);
	if (!buffer->parts || !zalloc_cpumask_var(&buffer->cpumask, GFP_KERNEL)) {
		free_percpu(buffer->parts);
		kfree(buffer);
		return NULL;
	}
	buffer->fast.local = &buffer->parts->local;
	buffer->flags = flags;
	buffer->nr = min_t(unsigned long, rb_nr_slots(size, 0), INT_MAX);
	mutex_init(&buffer->mutex);
	init_waitqueue_head(&buffer->waiters.queue);
	for_each_possible_cpu(cpu)
		rb_init_part(buffer, cpu);
	return buffer;
}

/**
 * ring_buffer_alloc - make a buffer
 * @size: bytes of events that each CPU can keep; rounded up to whole sub-buffers
 * @flags: enum ring_buffer_flags
 *
 * Context: may sleep.
 * Return: the buffer, to be freed with ring_buffer_free(); or NULL.
 */
struct trace_buffer *ring_buffer_alloc(unsigned long size, unsigned int flags)
{
	struct trace_buffer *buffer;

	if (rb_setup_hotplug())
		return NULL;
	buffer = rb_alloc_buffer(size, flags);
	if (buffer && cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node)) {
		rb_free_buffer(buffer);
		return NULL;
	}
	return buffer;
}
EXPORT_SYMBOL_GPL(ring_buffer_alloc);

/**
 * ring_buffer_free - free a buffer
 * @buffer: the buffer, which has no readers and writers any more
 *
 * Context: may sleep.
 */
void ring_buffer_free(struct trace_buffer *buffer)
{
	cpuhp_state_remove_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node);
	rb_stop_waiters(buffer);
	/* A reader of the other buffer of an exchange may still lock storage that is freed here. */
	if (buffer->swapped)
		synchronize_rcu();
	rb_free_buffer(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_free);
