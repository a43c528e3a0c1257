// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU's sub-buffers in user space: <uapi/linux/trace_mmap.h>.
 *
 * User space reads the reader's sub-buffer, which writers do not overwrite, and
 * asks for the next with ring_buffer_map_get_reader(). That counts all events in
 * it as consumed: from then on they are the user's. As long as a CPU's part is
 * mapped, its sub-buffers and their memory stay the same: another size or an
 * exchange is refused with -EBUSY, and other readers copy.
 *
 * How far a sub-buffer is filled, user space reads in its header, also without
 * asking again. So while somebody maps, writers raise that number with each
 * event, and get_reader raises it to what it counts as consumed; whoever is late
 * finds it high enough:
 *
 *	writer					get_reader
 *
 *	events
 *	commit = pos		(release)
 *						pos = commit		(acquire)
 *	page->commit = max(page->commit, pos)	page->commit = max(page->commit, pos)
 *						consumed up to pos
 *
 * It goes back to 0 when a writer begins the sub-buffer anew, before a reader can
 * take it. Once writers have left it, nobody but the reader writes to it, and
 * what was lost before it is stored behind its events.
 *
 * In the order of the reader, who is 0, and of the slots from the next one to
 * read on, each sub-buffer gets a place when the first user maps. A sub-buffer
 * has its place until the last one unmaps, wherever it goes in the ring.
 */
#include <linux/cacheflush.h>
#include <linux/cleanup.h>
#include <linux/mm.h>

#include "internal.h"

/*
 * Pages of everything: one sub-buffer's worth for the meta page, then the others; 0 if @cpu
 * has no part. The mutex is held, so that nobody changes their number; but until it is mapped
 * a swap may bring in other storage, of the same size, and what was here may then be freed.
 */
static unsigned long rb_map_pages(struct trace_buffer *buffer, int cpu)
{
	const struct rb_cpu *rb;

	guard(rcu)();
	rb = rb_cpu(buffer, cpu);
	return rb ? ((unsigned long)READ_ONCE(rb->nr) + 2) << buffer->order : 0;
}

/**
 * rb_update_meta - tell user space how things are
 * @cpu: the storage, mapped, with reader_lock held
 *
 * Context: any, reader_lock held.
 */
void rb_update_meta(struct rb_cpu *cpu)
{
	struct trace_buffer_meta *meta = cpu->meta;

	/* User space may look at any time. */
	WRITE_ONCE(meta->reader.lost_events, cpu->lost_before);
	WRITE_ONCE(meta->reader.id, cpu->reader->place);
	WRITE_ONCE(meta->reader.read, cpu->cursor.pos);
	WRITE_ONCE(meta->entries, rb_written(cpu));
	WRITE_ONCE(meta->overrun, local_read(&cpu->overrun));
	WRITE_ONCE(meta->read, cpu->read_events);
	flush_dcache_folio(virt_to_folio(meta));
}

/* Writers do not change which sub-buffer is in a slot; readers are locked out. */
static void rb_give_places(struct rb_cpu *cpu)
{
	u32 slot = cpu->read_slot;
	u32 place;

	cpu->reader->place = 0;
	for (place = 1; place <= cpu->nr; place++, slot = rb_next_slot(cpu, slot))
		rb_slot_subbuf(cpu, READ_ONCE(cpu->slots[slot]))->place = place;
}

/* Show what there is of the reader's sub-buffer: at least what was consumed. */
static void rb_show_reader(struct rb_cpu *cpu)
{
	u64 commit = rb_commit_position(cpu);

	if (!cpu->reading)
		return;
	rb_raise_commit(cpu->reader->page, rb_committed_bytes(cpu, cpu->reader, commit));
	flush_dcache_folio(virt_to_folio(cpu->reader->page));
}

/* The first mapping begins; its page is there. */
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

/* Count one mapping more. The first one takes the page from @meta. */
static int rb_map_count(struct trace_buffer *buffer, int cpu, struct rb_page **meta)
{
	unsigned long flags;
	struct rb_cpu *rb = rb_lock_reader(buffer, cpu, &flags);
	int ret;

	if (!rb)
		return -EBUSY;
	ret = rb->mapped || *meta ? 0 : -ENODEV;
	if (!ret && !rb->mapped++) {
		atomic_or(RB_MAPPED, &per_cpu_ptr(buffer->local, cpu)->wake);
		rb->meta = (void *)*meta;
		*meta = NULL;
		rb_map_begin(rb);
	}
	rb_unlock_reader(rb, flags);
	return ret;
}

/* The reverse. With the last mapping goes the meta page. */
static int rb_map_uncount(struct trace_buffer *buffer, int cpu)
{
	struct trace_buffer_meta *meta = NULL;
	unsigned long flags;
	struct rb_cpu *rb = rb_lock_reader(buffer, cpu, &flags);
	int ret;

	if (!rb)
		return -EBUSY;
	ret = rb->mapped ? 0 : -ENODEV;
	if (!ret && !--rb->mapped) {
		atomic_andnot(RB_MAPPED, &per_cpu_ptr(buffer->local, cpu)->wake);
		swap(meta, rb->meta);
	}
	rb_unlock_reader(rb, flags);
	free_pages((unsigned long)meta, buffer->order);
	return ret;
}

/* May user space have this of so many pages? It may read what there is, and no more. */
static int rb_map_check(unsigned long pages, unsigned int order, struct vm_area_struct *vma)
{
	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	if (vma->vm_pgoff & (BIT(order) - 1) || vma->vm_pgoff >= pages ||
	    vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	return 0;
}

/* Insert, of the memory at @addr that user space finds from page @from on, what @vma shows. */
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
 * @vma: where, from vm_pgoff on; or NULL for a copy of an area that is mapped
 *	already, with its pages, and only has to be counted
 *
 * @vma becomes one that cannot be made writable, is not inherited or dumped, and
 * does not grow. Size and storage of @cpu stay as they are until
 * ring_buffer_unmap() was called as often as this.
 *
 * Context: may sleep; with the mmap lock for writing.
 * Return: 0; -EINVAL if @cpu has no buffer, vm_pgoff is not the beginning of a
 * sub-buffer, or there is less to see than @vma is long; -EPERM if it is private,
 * or may be written or executed; -ENODEV without @vma, if nothing is mapped;
 * -ENOMEM; -EBUSY in an oops, if a reader was hit by it.
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
 * ring_buffer_unmap - the reverse of ring_buffer_map()
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if @cpu has no buffer; -ENODEV if it is not mapped; -EBUSY as
 * above.
 */
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu)
{
	guard(mutex)(&buffer->mutex);
	if (!rb_cpu(buffer, cpu))
		return -EINVAL;
	return rb_map_uncount(buffer, cpu);
}

/* Count as consumed what is in the sub-buffer where the next event is, if there is one. */
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
	/* If writers are in it, the time is needed to go on from there. */
	for (; rb_cursor_event(&cpu->cursor, &ts); cpu->read_events++, cpu->next_event++)
		rb_cursor_advance(&cpu->cursor);
	cpu->lost_events = 0;
}

/**
 * ring_buffer_map_get_reader - go on in what user space has mapped
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * If the reader's sub-buffer has events that were not read, it stays the
 * reader's; else the next one with events becomes it. Either way these count as
 * read then, and the meta page is brought up to date.
 *
 * Context: any but NMI.
 * Return: 0, also if there was nothing to read; -EINVAL if @cpu has no buffer;
 * -ENODEV if it is not mapped.
 */
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu)
{
	unsigned long flags;
	struct rb_cpu *rb;
	int ret = -ENODEV;

	rb = rb_lock_reader(buffer, cpu, &flags);
	if (!rb)
		return -EINVAL;
	if (rb->mapped) {
		rb_consume_subbuf(rb);
		rb_show_reader(rb);
		rb_update_meta(rb);
		ret = 0;
	}
	rb_unlock_reader(rb, flags);
	return ret;
}
