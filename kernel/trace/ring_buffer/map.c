// SPDX-License-Identifier: GPL-2.0
/*
 * Mapping a CPU's sub-buffers to user space: <uapi/linux/trace_mmap.h>.
 *
 * User space reads the reader's sub-buffer, which writers do not overwrite, and asks for the next
 * one with ring_buffer_map_get_reader(). That counts all events in the sub-buffer as consumed:
 * from then on they belong to the user. As long as a CPU's part is mapped, its sub-buffers and
 * their memory stay the same: changing the size and exchanging the storage fail with -EBUSY, and
 * other readers copy.
 *
 * User space reads in the header of a sub-buffer how far it is filled, also without calling
 * get_reader. So while user space maps the part, writers raise that number with each event, and
 * get_reader raises it to the position that it counts as consumed. Neither lowers it, so either
 * may come first:
 *
 *	writer					get_reader
 *
 *	events
 *	commit = pos		(release)
 *						pos = commit		(acquire)
 *	page->commit = max(page->commit, pos)	page->commit = max(page->commit, pos)
 *						consumed up to pos
 *
 * It becomes 0 only when a writer begins the sub-buffer anew, before a reader can take it. When
 * writers have left the sub-buffer, only the reader writes to it: it stores the number of lost
 * events after the sub-buffer's events.
 *
 * When the first user maps the part, each sub-buffer gets a place in the mapping. The reader's
 * gets place 0; the slots follow, from the one to be read next on. A sub-buffer keeps its place
 * until the last user unmaps the part, wherever it moves in the ring.
 */
#include <linux/cacheflush.h>

#include "internal.h"

/*
 * The number of pages to map: as many for the meta page as for a sub-buffer, then all sub-buffers;
 * 0 if @cpu has no storage. The caller holds the mutex, so the number does not change. But a swap
 * can bring in other storage of the same size until the part is mapped, and the storage that was
 * here may then be freed.
 */
static unsigned long rb_map_pages(struct trace_buffer *buffer, int cpu)
{
	const struct rb_cpu *rb;

	guard(rcu)();
	rb = rb_cpu(buffer, cpu);
	return rb ? ((unsigned long)READ_ONCE(rb->nr) + 2) << buffer->order : 0;
}

/**
 * rb_update_meta - bring the meta page up to date
 * @cpu: the storage, mapped
 *
 * Context: any, reader_lock held.
 */
void rb_update_meta(struct rb_cpu *cpu)
{
	struct trace_buffer_meta *meta = cpu->meta;

	/* User space may read this at any time. */
	WRITE_ONCE(meta->reader.lost_events, cpu->lost_before);
	WRITE_ONCE(meta->reader.id, cpu->reader->place);
	WRITE_ONCE(meta->reader.read, cpu->cursor.pos);
	WRITE_ONCE(meta->entries, rb_written(cpu));
	WRITE_ONCE(meta->overrun, local_read(&cpu->overrun));
	WRITE_ONCE(meta->read, cpu->read_events);
	flush_dcache_folio(virt_to_folio(meta));
}

/* Number the sub-buffers. Writers do not move them between slots; readers are locked out. */
static void rb_give_places(struct rb_cpu *cpu)
{
	u32 slot = cpu->read_slot;
	u32 place;

	cpu->reader->place = 0;
	for (place = 1; place <= cpu->nr; place++, slot = rb_next_slot(cpu, slot))
		rb_slot_subbuf(cpu, READ_ONCE(cpu->slots[slot]))->place = place;
}

/* Raise the number in the header of the reader's sub-buffer to its committed bytes. */
static void rb_show_reader(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	if (!cpu->reading)
		return;
	rb_raise_commit(cpu->reader->page, rb_committed_bytes(cpu, cpu->reader, commit));
	flush_dcache_folio(virt_to_folio(cpu->reader->page));
}

/* Set up the first mapping, for which the meta page was allocated. */
static void rb_map_begin(struct rb_cpu *cpu)
{
	cpu->meta->meta_page_size = PAGE_SIZE << cpu->order;
	cpu->meta->meta_struct_len = sizeof(*cpu->meta);
	cpu->meta->subbuf_size = PAGE_SIZE << cpu->order;
	cpu->meta->nr_subbufs = cpu->nr + 1;
	rb_give_places(cpu);
	rb_show_reader(cpu);
	rb_update_meta(cpu);
}

/* Count one more mapping. The first one takes over @meta and sets it to NULL. */
static int rb_map_count(struct trace_buffer *buffer, int cpu, struct rb_page **meta)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	if (!rb)
		return -EBUSY;
	if (!rb->mapped && !*meta)
		return -ENODEV;
	if (!rb->mapped++) {
		atomic_or(RB_MAPPED, &per_cpu_ptr(buffer->fast.local, cpu)->wake);
		rb->meta = (void *)*meta;
		*meta = NULL;
		rb_map_begin(rb);
	}
	return 0;
}

/* Count one mapping less. When the last mapping ends, free the meta page. */
static int rb_map_uncount(struct trace_buffer *buffer, int cpu)
{
	struct trace_buffer_meta *meta = NULL;
	struct rb_cpu *rb = rb_lock_reader(buffer, cpu);
	int ret;

	if (!rb)
		return -EBUSY;
	ret = rb->mapped ? 0 : -ENODEV;
	if (!ret && !--rb->mapped) {
		atomic_andnot(RB_MAPPED, &per_cpu_ptr(buffer->fast.local, cpu)->wake);
		swap(meta, rb->meta);
	}
	rb_unlock_reader(rb);
	free_pages((unsigned long)meta, buffer->order);
	return ret;
}

/* May user space map @vma, read-only and within @pages pages? */
static int rb_map_check(unsigned long pages, unsigned int order, struct vm_area_struct *vma)
{
	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	if (vma->vm_pgoff & (BIT(order) - 1) || vma->vm_pgoff >= pages ||
	    vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	return 0;
}

/*
 * Map the memory of the sub-buffer at @addr. In the mapping of the whole part it begins at page
 * @from; pages that are not in the range of @vma are left out.
 */
static int rb_map_memory(const struct rb_cpu *cpu, struct vm_area_struct *vma, void *addr,
			 unsigned long from)
{
	unsigned long i, page;
	int ret = 0;

	for (i = 0; i < BIT(cpu->order) && !ret; i++) {
		page = from + i - vma->vm_pgoff;
		if (page < vma_pages(vma))
			ret = vm_insert_page(vma, vma->vm_start + page * PAGE_SIZE,
					     virt_to_page(addr + i * PAGE_SIZE));
	}
	return ret;
}

static int rb_map_all(const struct rb_cpu *cpu, struct vm_area_struct *vma)
{
	int ret = rb_map_memory(cpu, vma, cpu->meta, 0);
	u32 id;

	for (id = 0; id <= cpu->nr && !ret; id++)
		ret = rb_map_memory(cpu, vma, cpu->subbufs[id]->page,
				    ((unsigned long)cpu->subbufs[id]->place + 1) << cpu->order);
	return ret;
}

/**
 * ring_buffer_map - let user space read a CPU's part
 * @buffer: the buffer
 * @cpu: the CPU
 * @vma: the area to map, from page vm_pgoff of the part on; NULL for a copy of a mapped area,
 *	which has its pages already and only has to be counted
 *
 * @vma cannot be made writable after this, is not inherited or dumped, and does not grow. Size
 * and storage of @cpu stay as they are until ring_buffer_unmap() was called as often as this.
 *
 * Context: may sleep; with the mmap lock for writing.
 * Return: 0; -EINVAL if @cpu has no storage, vm_pgoff is not the beginning of a sub-buffer, or
 * @vma is longer than the part; -EPERM if @vma is private, or may be written or executed; -ENODEV
 * without @vma, if nothing is mapped; -ENOMEM; -EBUSY if rb_lock() fails, as it may in an oops.
 */
int ring_buffer_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma)
{
	struct rb_page *meta = NULL;
	unsigned long pages;
	int ret;

	guard(mutex)(&buffer->mutex);
	pages = rb_map_pages(buffer, cpu);
	if (!pages)
		return -EINVAL;
	if (vma) {
		ret = rb_map_check(pages, buffer->order, vma);
		if (ret)
			return ret;
		meta = rb_alloc_page(cpu, buffer->order);
		if (!meta)
			return -ENOMEM;
	}
	ret = rb_map_count(buffer, cpu, &meta);
	free_pages((unsigned long)meta, buffer->order);
	if (ret || !vma)
		return ret;
	vm_flags_mod(vma, VM_MIXEDMAP | VM_DONTCOPY | VM_DONTDUMP | VM_DONTEXPAND,
		     VM_MAYWRITE | VM_MAYEXEC);
	ret = rb_map_all(rb_cpu(buffer, cpu), vma);
	if (ret)
		rb_map_uncount(buffer, cpu);
	return ret;
}

/**
 * ring_buffer_unmap - undo one ring_buffer_map()
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if @cpu has no storage; -ENODEV if it is not mapped; -EBUSY if rb_lock()
 * fails, as it may in an oops.
 */
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu)
{
	guard(mutex)(&buffer->mutex);
	if (!rb_cpu(buffer, cpu))
		return -EINVAL;
	return rb_map_uncount(buffer, cpu);
}

/* Count all events in the sub-buffer of the next event as consumed, if there is a next event. */
static void rb_consume_subbuf(struct rb_cpu *cpu)
{
	u64 commit, ts;

	if (!rb_next_event(cpu, &ts))
		return;
	commit = rb_commit_position(cpu);
	cpu->cursor.end = rb_committed_bytes(cpu, cpu->reader, commit);
	if (cpu->reader->index != rb_pos_index(commit)) {
		rb_seal_page(cpu->reader->page, cpu->order, cpu->cursor.end, cpu->lost_events);
		rb_consume_rest(cpu);
	}
	/* If writers are still in the sub-buffer, the cursor needs the time to go on from here. */
	for (; rb_cursor_event(&cpu->cursor, &ts); cpu->read_events++, cpu->next_event++)
		rb_cursor_advance(&cpu->cursor);
	cpu->lost_events = 0;
}

/**
 * ring_buffer_map_get_reader - give user space the next events in its mapping
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * If the reader's sub-buffer has events that were not read, it stays the reader's. Otherwise the
 * next sub-buffer with events takes its place. In both cases its events now count as read, and
 * the meta page is brought up to date.
 *
 * Context: any but NMI.
 * Return: 0, also if there was nothing to read; -EINVAL if @cpu has no storage; -ENODEV if it is
 * not mapped.
 */
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *rb __free(rb_reader) = rb_lock_reader(buffer, cpu);

	if (!rb)
		return -EINVAL;
	if (!rb->mapped)
		return -ENODEV;
	rb_consume_subbuf(rb);
	rb_show_reader(rb);
	rb_update_meta(rb);
	return 0;
}
