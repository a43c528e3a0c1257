// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the size. All that is needed is allocated first, for all CPUs; then
 * each CPU's ring is laid out anew, in time proportional to the number of slots
 * and without copying events: the newest sub-buffers that fit stay, oldest first
 * from slot 0 on, and free ones follow.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/error-injection.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "internal.h"

/**
 * struct rb_layout - a CPU's ring to be
 * @cpu: the CPU
 * @order: of the pages of its sub-buffers
 * @nr: its slots
 * @slots: they; afterwards, the old ones
 * @subbufs: its sub-buffers by id; afterwards, the old table
 * @used: how many ids are given
 * @pool: sub-buffers in no ring; afterwards, those to free
 * @pooled: their number
 * @base: the index in slot 0
 */
struct rb_layout {
	int			cpu;
	unsigned int		order;
	unsigned int		nr;
	u64			*slots;
	struct rb_subbuf	**subbufs;
	u32			used;
	struct rb_subbuf	**pool;
	unsigned int		pooled;
	u32			base;
};

static void rb_free_layout(struct rb_layout *layout)
{
	while (layout->pooled)
		rb_free_subbuf(layout->pool[--layout->pooled], layout->order);
	kvfree(layout->pool);
	kvfree(layout->subbufs);
	kvfree(layout->slots);
}

/* Reserve all memory that going from @old to layout->nr slots takes. */
static int rb_alloc_layout(struct rb_layout *layout, unsigned int old)
{
	unsigned int nr = layout->nr;
	struct rb_subbuf *subbuf;

	layout->slots = kvcalloc(nr, sizeof(*layout->slots), GFP_KERNEL);
	layout->subbufs = kvcalloc(nr + 1, sizeof(*layout->subbufs), GFP_KERNEL);
	layout->pool = kvcalloc(max(nr, old) + 1, sizeof(*layout->pool), GFP_KERNEL);
	if (!layout->slots || !layout->subbufs || !layout->pool)
		return -ENOMEM;
	while (nr > old + layout->pooled) {
		subbuf = rb_alloc_subbuf(layout->cpu, layout->order);
		if (!subbuf)
			return -ENOMEM;
		layout->pool[layout->pooled++] = subbuf;
	}
	return 0;
}

static u32 rb_adopt(struct rb_layout *layout, struct rb_subbuf *subbuf)
{
	subbuf->id = layout->used++;
	layout->subbufs[subbuf->id] = subbuf;
	return subbuf->id;
}

static u32 rb_prev_slot(const struct rb_cpu *cpu, u32 slot)
{
	return slot ? slot - 1 : cpu->nr - 1;
}

/*
 * How many sub-buffers stay: the one of the head, and those before it that are
 * neither consumed nor too many. Set @slot to the slot of the oldest.
 */
static unsigned int rb_kept(const struct rb_cpu *cpu, unsigned int max_nr, u32 *slot)
{
	u32 index = rb_pos_index(cpu->head);
	unsigned int nr;
	u32 prev;

	*slot = cpu->tail->slot;
	for (nr = 1; nr < min(max_nr, cpu->nr); nr++) {
		prev = rb_prev_slot(cpu, *slot);
		index--;
		if (cpu->slots[prev] != rb_slot(index, rb_slot_id(cpu->slots[prev])))
			break;
		*slot = prev;
	}
	return nr;
}

/* Put the sub-buffers that stay into the first slots of the new ring. */
static void rb_move_kept(struct rb_cpu *cpu, struct rb_layout *layout, u32 slot,
			 unsigned int kept)
{
	struct rb_subbuf *subbuf;
	unsigned int i;
	u64 word;

	for (i = 0; i < kept; i++, slot = rb_next_slot(cpu, slot)) {
		word = cpu->slots[slot];
		subbuf = rb_slot_subbuf(cpu, word);
		cpu->subbufs[subbuf->id] = NULL;
		layout->slots[i] = rb_slot(layout->base + i, rb_adopt(layout, subbuf)) |
				   (word & RB_SLOT_FREE);
		subbuf->slot = i;
	}
}

/* Collect the others. What they hold is lost, if it was not consumed. */
static void rb_pool_others(struct rb_cpu *cpu, struct rb_layout *layout)
{
	struct rb_subbuf *subbuf;
	u64 word;
	u32 i;

	for (i = 0; i < cpu->nr; i++) {
		word = cpu->slots[i];
		subbuf = rb_slot_subbuf(cpu, word);
		if (!subbuf)
			continue;
		layout->pool[layout->pooled++] = subbuf;
		/* A slot can be prepared for the index after the head's. */
		if (word & RB_SLOT_FREE ||
		    rb_index_before(rb_pos_index(cpu->head), rb_slot_index(word)))
			continue;
		local_add(rb_pos_events(subbuf->end), &cpu->overrun);
		local_add(rb_pos_bytes(subbuf->end), &cpu->overrun_bytes);
	}
}

static void rb_move_reader(struct rb_cpu *cpu, struct rb_layout *layout)
{
	rb_adopt(layout, cpu->reader);
	cpu->reader->slot = rb_slot_distance(layout->base, cpu->reader->index, layout->nr);
	/* It is one of those that stay, or the one behind them. */
	if (cpu->read_index - layout->base > layout->nr)
		cpu->read_index = layout->base;
	cpu->read_slot = rb_slot_distance(layout->base, cpu->read_index, layout->nr);
}

static void rb_relayout(struct rb_local *local, void *data)
{
	struct rb_cpu *cpu = local->cpu;
	struct rb_layout *layout = data;
	unsigned int kept, i;
	u32 slot;

	kept = rb_kept(cpu, layout->nr, &slot);
	layout->base = rb_pos_index(cpu->head) - kept + 1;
	rb_move_kept(cpu, layout, slot, kept);
	rb_pool_others(cpu, layout);
	for (i = kept; i < layout->nr; i++)
		layout->slots[i] = RB_SLOT_FREE |
			rb_slot(layout->base + i - layout->nr,
				rb_adopt(layout, layout->pool[--layout->pooled]));
	rb_move_reader(cpu, layout);
	swap(cpu->slots, layout->slots);
	swap(cpu->subbufs, layout->subbufs);
	WRITE_ONCE(cpu->nr, layout->nr);
	cpu->layout++;
}

DEFINE_FREE(kvfree_layouts, struct rb_layout *, kvfree(_T))

static int rb_resize(struct trace_buffer *buffer, unsigned int nr, const struct cpumask *cpus)
{
	struct rb_layout *layouts __free(kvfree_layouts) = NULL;
	unsigned int count = 0, i;
	struct rb_cpu *rb;
	int cpu, ret = 0;

	layouts = kvcalloc(cpumask_weight(cpus), sizeof(*layouts), GFP_KERNEL);
	if (!layouts)
		return -ENOMEM;
	for_each_cpu(cpu, cpus) {
		rb = rb_cpu(buffer, cpu);
		layouts[count] = (struct rb_layout) {
			.cpu = cpu,
			.order = rb->order,
			.nr = nr,
		};
		ret = rb_alloc_layout(&layouts[count++], rb->nr);
		if (ret)
			break;
	}
	ret = ret ?: rb_exclusive_possible(buffer, cpus);
	for (i = 0; i < count; i++) {
		ret = ret ?: rb_exclusive(buffer, layouts[i].cpu, rb_relayout, &layouts[i]);
		rb_free_layout(&layouts[i]);
	}
	return ret;
}

/**
 * rb_in_use - do readers need a buffer to stay as it is?
 * @buffer: the buffer, with its mutex held
 * @cpus: the CPUs that are to be changed
 *
 * Context: may sleep.
 * Return: true if there are iterators or user space maps it.
 */
bool rb_in_use(struct trace_buffer *buffer, const struct cpumask *cpus)
{
	struct rb_cpu *rb;
	int cpu;

	for_each_cpu(cpu, cpus) {
		rb = rb_cpu(buffer, cpu);
		if (rb && rb->mapped)
			return true;
	}
	return atomic_read(&buffer->iterators);
}

/**
 * ring_buffer_in_use - would its size be refused to change now?
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * For who changes several buffers. Readers may come at any time.
 *
 * Context: may sleep.
 * Return: true if there are iterators or user space maps it.
 */
bool ring_buffer_in_use(struct trace_buffer *buffer, int cpu)
{
	guard(mutex)(&buffer->mutex);
	if (cpu == RING_BUFFER_ALL_CPUS)
		return rb_in_use(buffer, buffer->cpumask);
	return rb_cpu(buffer, cpu) && rb_in_use(buffer, cpumask_of(cpu));
}

/**
 * rb_have_pages - is there so much memory?
 * @pages: how much
 *
 * Ask before taking, lest others starve for a size that cannot be had.
 *
 * Context: any.
 * Return: true if it can be tried.
 */
bool rb_have_pages(unsigned long pages)
{
	return !pages || (long)pages < si_mem_available();
}

static bool rb_have_memory(struct trace_buffer *buffer, unsigned long nr,
			   const struct cpumask *cpus)
{
	unsigned long pages = 0, need, old;
	struct rb_cpu *rb;
	int cpu;

	if (nr > INT_MAX >> buffer->order)
		return false;
	for_each_cpu(cpu, cpus) {
		rb = rb_cpu(buffer, cpu);
		old = rb ? rb->nr : 0;
		need = nr > old ? (nr - old) << buffer->order : 0;
		if (check_add_overflow(pages, need, &pages))
			return false;
	}
	return rb_have_pages(pages);
}

/**
 * ring_buffer_resize - change how much a buffer keeps
 * @buffer: the buffer
 * @size: bytes of events that each CPU can keep; rounded up to sub-buffers
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * The newest events that fit stay. Those that do not count as overruns. Writers
 * and consumers may go on. A CPU that was never up has no storage; it gets some if
 * it is asked for itself, and RING_BUFFER_ALL_CPUS says what it gets when it comes up.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, and the size is as before; -EBUSY, too, if there are iterators, user
 * space maps it, or a writer never ends its event.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu)
{
	const struct cpumask *cpus;
	unsigned long nr;
	int ret;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	nr = rb_nr_slots(size, buffer->order);
	cpus = cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(cpu);
	if (!rb_have_memory(buffer, nr, cpus))
		return -ENOMEM;
	if (cpu != RING_BUFFER_ALL_CPUS && !rb_cpu(buffer, cpu))
		return rb_add_cpu(buffer, cpu, nr);
	if (rb_in_use(buffer, cpus))
		return -EBUSY;
	ret = rb_resize(buffer, nr, cpus);
	if (!ret && cpu == RING_BUFFER_ALL_CPUS)
		WRITE_ONCE(buffer->nr, nr);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);
ALLOW_ERROR_INJECTION(ring_buffer_resize, ERRNO);

/**
 * ring_buffer_size - how much a CPU's part keeps
 * @buffer: the buffer
 * @cpu: the CPU; RING_BUFFER_ALL_CPUS: one that has yet to come up for the first time
 *
 * Context: any.
 * Return: bytes of events; 0 if @cpu has no storage.
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb;

	if (cpu == RING_BUFFER_ALL_CPUS)
		return READ_ONCE(buffer->nr) * rb_data_size(READ_ONCE(buffer->order));
	guard(rcu)();
	rb = rb_cpu(buffer, cpu);
	return rb ? READ_ONCE(rb->nr) * rb_data_size(READ_ONCE(rb->order)) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_max_event_size - the largest event
 * @buffer: the buffer
 *
 * Context: any.
 * Return: bytes of data that an event can have.
 */
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer)
{
	return rb_max_length(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_max_event_size);

/**
 * ring_buffer_subbuf_size_get - the size of a sub-buffer
 * @buffer: the buffer
 *
 * Context: any.
 * Return: bytes, with the sub-buffer's header.
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return PAGE_SIZE << READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);
