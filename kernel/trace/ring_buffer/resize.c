// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the size. First all memory for all CPUs is allocated, then each CPU's ring gets a new
 * layout. This copies no events and takes time in proportion to the number of slots. The newest
 * sub-buffers that fit stay: oldest first, from slot 0 on; free sub-buffers follow.
 */
#include <linux/cpu.h>
#include <linux/error-injection.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "internal.h"

/**
 * struct rb_layout - the new ring of a CPU
 * @cpu: the CPU
 * @order: order of the pages of its sub-buffers
 * @nr: number of slots
 * @slots: the new slot array; after the change, the old one
 * @subbufs: the new table of sub-buffers by id; after the change, the old one
 * @used: number of ids in use
 * @pool: sub-buffers that are in no ring; after the change, those to free
 * @pooled: number of sub-buffers in @pool
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

/* Allocate all memory for a change from @old to layout->nr slots. */
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

/*
 * The number of sub-buffers that stay: the head's, and those before it that were not consumed,
 * @max_nr at most. Set @slot to the slot of the oldest.
 */
static unsigned int rb_kept(const struct rb_cpu *cpu, unsigned int max_nr, u32 *slot)
{
	u32 index = rb_pos_index(cpu->fast.head);
	unsigned int nr;
	u32 prev;

	*slot = cpu->fast.tail->slot;
	for (nr = 1; nr < min(max_nr, cpu->nr); nr++) {
		prev = (*slot ?: cpu->nr) - 1;
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

/* Collect the other sub-buffers. Events in them that were not consumed count as overwritten. */
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
		/* A slot that is prepared for the index after the head's has no events. */
		if (word & RB_SLOT_FREE ||
		    rb_index_before(rb_pos_index(cpu->fast.head), rb_slot_index(word)))
			continue;
		local_add(rb_pos_events(subbuf->end), &cpu->overrun);
		local_add(rb_pos_bytes(subbuf->end), &cpu->overrun_bytes);
	}
}

static void rb_move_reader(struct rb_cpu *cpu, struct rb_layout *layout)
{
	rb_adopt(layout, cpu->reader);
	cpu->reader->slot = rb_slot_distance(layout->base, cpu->reader->index, layout->nr);
	/* The next index to read is that of a sub-buffer that stays, or the one after the last. */
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
	layout->base = rb_pos_index(cpu->fast.head) - kept + 1;
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
 * rb_in_use - do readers keep the storage from being changed?
 * @buffer: the buffer
 * @cpus: the CPUs that are to be changed
 *
 * Context: may sleep; the buffer's mutex held.
 * Return: true if there are iterators or user space maps one of @cpus.
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
 * ring_buffer_in_use - do readers keep the size from being changed?
 * @buffer: the buffer
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * A caller that changes several buffers checks this before the first change. A reader may still
 * come after this.
 *
 * Context: may sleep.
 * Return: true if there are iterators or user space maps the CPU's part.
 */
bool ring_buffer_in_use(struct trace_buffer *buffer, int cpu)
{
	guard(mutex)(&buffer->mutex);
	if (cpu == RING_BUFFER_ALL_CPUS)
		return rb_in_use(buffer, buffer->cpumask);
	return rb_cpu(buffer, cpu) && rb_in_use(buffer, cpumask_of(cpu));
}

/**
 * rb_have_pages - is enough memory available?
 * @pages: number of pages
 *
 * Without this check, a size that is too large would first use up the memory of all others.
 *
 * Context: any.
 * Return: true if so many pages are available.
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
 * ring_buffer_resize - change the size of a buffer
 * @buffer: the buffer
 * @size: bytes of events that each CPU can keep; rounded up to whole sub-buffers
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * The newest events that fit stay, the others count as overwritten. Writers and consumers may go
 * on. A CPU that was never up has no storage: it gets storage if @cpu names it. With
 * RING_BUFFER_ALL_CPUS, it gets storage of this size when it comes up.
 *
 * Context: may sleep.
 * Return: 0, or an error:
 * -ENOMEM: nothing has changed.
 * -EBUSY if there are iterators, or user space maps the buffer: nothing has changed. Also -EBUSY if
 * a writer does not end its event. All CPUs are checked before the first one changes, so that
 * normally nothing has changed either. If the writer began after this check, CPUs with lower
 * numbers than the writer's CPU have the new size, and have lost events that do not fit. The
 * writer's CPU, the CPUs after it, and the size for CPUs that come up for the first time are
 * unchanged.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu)
{
	const struct cpumask *cpus;
	unsigned long nr;
	int ret;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);
	nr = rb_nr_slots(size, buffer->order);
	cpus = rb_cpus(buffer, cpu);
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
 * ring_buffer_max_event_size - the size of the largest event
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
 * Return: bytes, including the sub-buffer's header.
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return PAGE_SIZE << READ_ONCE(buffer->order);
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);
