// SPDX-License-Identifier: GPL-2.0
/*
 * The entries of all CPUs of a buffer as one stream, ordered by time.
 *
 * A binary heap holds, for each CPU that has entries, the time of its oldest entry. The entry
 * itself is not kept: the reader looks it up again when its CPU is at the top. So a reset of the
 * buffer, or the overwriting of its oldest entries, costs one correction of the heap. A step from
 * one entry to the next takes O(log n) for n CPUs. While the entries of the same CPU stay the
 * oldest, it takes one look at that CPU. That is the common case, as the time between two events
 * of a CPU is short.
 *
 * CPUs without entries are not in the heap. They may get entries at any time. The entry at the top
 * may be printed only if none of them can have got an older one. This is certain if the reader has
 * read the clock, has then found all these CPUs empty, and the entry is older than that reading:
 *
 *	reader				writer on an idle CPU
 *
 *	horizon = clock
 *	is that CPU empty? yes
 *					time stamp = clock, later than horizon
 *	prints entries up to horizon
 *
 * So the reader looks at idle CPUs only when the oldest entry is younger than the horizon: once
 * per screenful, not once per entry. Reading a clock that does not count time would change the
 * trace, so with such a clock the reader looks at them for each entry. (The reader does not wait
 * for a writer that has its time stamp but has not committed.)
 *
 * There are two kinds of readers: one consumes, the other leaves the buffer as it is and has a
 * ring_buffer_iter per CPU. A consuming reader takes an entry out of the buffer, and has a copy,
 * before it prints the entry. Other tasks may read the same CPU, clear the buffer, take a snapshot
 * or change the size of sub-buffers. Still each entry goes to one reader, and no reader prints
 * from memory that was reused:
 *
 *	trace_pipe			trace_pipe_raw, or a reset
 *
 *	copies the CPU's next entry
 *					takes it, with its sub-buffer
 *	is it still the next entry?
 *	no: looks for the oldest again
 *	yes: takes it with the same step
 *
 * The caller serializes calls for one iterator. No lock is taken here.
 */
#include <linux/min_heap.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "../core/instance.h"
#include "../core/snapshot.h"
#include "internal.h"
#include "symbols.h"

static bool key_less(const void *a, const void *b, void *args)
{
	const struct merge_key *left = a, *right = b;

	return left->ts < right->ts;
}

static void key_swap(void *a, void *b, void *args)
{
	swap(*(struct merge_key *)a, *(struct merge_key *)b);
}

static const struct min_heap_callbacks key_order = {
	.less	= key_less,
	.swp	= key_swap,
};

/**
 * struct merge_entry - an entry of a CPU
 * @data: its contents
 * @size: its size in bytes
 * @ts: its time
 * @lost: number of entries that were lost before it
 */
struct merge_entry {
	void		*data;
	unsigned int	size;
	u64		ts;
	unsigned long	lost;
};

static bool iter_peek(struct trace_merge *merge, int cpu, struct merge_entry *entry)
{
	struct ring_buffer_iter *iter = merge->iters[cpu];
	struct ring_buffer_event *event;

	while ((event = ring_buffer_iter_peek(iter, &entry->ts)) && entry->ts < merge->view.from)
		ring_buffer_iter_advance(iter);
	if (!event || (merge->view.to && entry->ts > merge->view.to))
		return false;
	entry->data = ring_buffer_event_data(event);
	entry->size = ring_buffer_event_length(event);
	entry->lost = 0;
	return true;
}

/* A consuming reader gets a copy. It is cut if the entry is larger than @size. */
static bool copy_peek(struct trace_merge *merge, int cpu, struct merge_entry *entry, void *copy,
		      unsigned int size)
{
	entry->size = ring_buffer_peek_copy(merge->buffer, cpu, copy, size, &entry->ts,
					    &entry->lost);
	entry->size = min(entry->size, size);
	entry->data = copy;
	return entry->size;
}

static bool cpu_is_shown(const struct trace_merge *merge, int cpu)
{
	return merge->view.cpu == RING_BUFFER_ALL_CPUS || merge->view.cpu == cpu;
}

/* Find the oldest entry of a CPU in the part of the buffer that is shown. */
static bool cpu_peek(struct trace_merge *merge, int cpu, struct merge_entry *entry)
{
	if (!merge->iters)
		return copy_peek(merge, cpu, entry, merge->kept, merge->kept_size);
	return merge->iters[cpu] && cpu_is_shown(merge, cpu) && iter_peek(merge, cpu, entry);
}

/*
 * Look at all CPUs without entries. Return: true if one has entries now. If not, the copy in
 * merge->kept is unchanged.
 */
static bool wake_idle(struct trace_merge *merge)
{
	int nr = 0, was = merge->nr_idle, i;

	if (merge->clock_is_time)
		merge->horizon = ring_buffer_time_stamp(merge->buffer);

	for (i = 0; i < was; i++) {
		struct merge_entry entry;
		struct merge_key key = { .cpu = merge->idle[i] };

		if (cpu_peek(merge, key.cpu, &entry)) {
			key.ts = entry.ts;
			min_heap_push(&merge->heap, &key, &key_order, NULL);
		} else {
			merge->idle[nr++] = key.cpu;
		}
	}
	merge->nr_idle = nr;
	return nr < was;
}

/*
 * Correct the top of the heap until the time found there is that of the CPU's oldest entry. Return:
 * the CPU of the oldest entry, or -1 if there is none.
 */
static int oldest_entry(struct trace_merge *merge, struct merge_entry *entry)
{
	struct merge_key *top = merge->heap.data;

	while (merge->heap.nr || wake_idle(merge)) {
		if (!cpu_peek(merge, top->cpu, entry)) {
			merge->idle[merge->nr_idle++] = top->cpu;
			min_heap_pop(&merge->heap, &key_order, NULL);
			continue;
		}
		if (entry->ts != top->ts) {
			int cpu = top->cpu;

			top->ts = entry->ts;
			min_heap_sift_down(&merge->heap, 0, &key_order, NULL);
			if (top->cpu != cpu)
				continue;
		}
		if (merge->nr_idle && entry->ts > merge->horizon && wake_idle(merge))
			continue;
		return top->cpu;
	}
	return -1;
}

static void load_entry(struct trace_iterator *iter, int cpu, const struct merge_entry *entry)
{
	struct trace_merge *merge = iter->merge;

	iter->ent = entry->data;
	iter->ent_size = entry->size;
	iter->ts = entry->ts;
	iter->cpu = cpu;
	iter->lost_events = entry->lost;
	if (merge->iters && ring_buffer_iter_dropped(merge->iters[cpu]))
		iter->lost_events = LOST_UNKNOWN;
	merge->loaded = true;
	/* A consuming reader has it in merge->kept. */
	merge->stepped = !merge->iters;
}

static bool take(struct trace_merge *merge, int cpu, const struct merge_entry *entry)
{
	return ring_buffer_consume_copied(merge->buffer, cpu, entry->data, entry->size, entry->ts);
}

/**
 * trace_iter_find - load the oldest entry that was not stepped over
 * @iter: the iterator; sets its ent, ent_size, cpu, ts and lost_events
 *
 * Another call without trace_iter_advance() loads the same entry. A consuming reader has taken it
 * out of the buffer when this returns.
 *
 * Context: any, one user of @iter at a time.
 * Return: true; false if there is no entry at the moment.
 */
bool trace_iter_find(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	struct merge_entry entry;
	int cpu;

	if (merge->loaded)
		return true;

	do {
		cpu = oldest_entry(merge, &entry);
		if (cpu < 0) {
			iter->ent = NULL;
			return false;
		}
	} while (!merge->iters && !take(merge, cpu, &entry));
	load_entry(iter, cpu, &entry);
	return true;
}

/**
 * trace_iter_advance - step over the entry that trace_iter_find() loaded
 * @iter: the iterator
 *
 * Context: any, one user of @iter at a time.
 */
void trace_iter_advance(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	if (!merge->stepped)
		ring_buffer_iter_advance(merge->iters[iter->cpu]);
	merge->loaded = false;
	merge->stepped = false;
	merge->ahead_folded = false;
	iter->ent = NULL;
	iter->idx++;
}

/*
 * The iterator begins; or the buffer was cleared and has another clock. The horizon, which is a
 * time of the old clock, is void, so all CPUs have to be looked at.
 */
static void take_clock(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	/* Pairs with trace_array_set_clock(): the clock is that of this count, or a later one. */
	merge->clock_changes = smp_load_acquire(&iter->array_buffer->tr->clock_changes);
	merge->clock_is_time = trace_clock_in_ns(iter->array_buffer->tr);
	iter->iter_flags &= ~TRACE_FILE_TIME_IN_NS;
	if (merge->clock_is_time)
		iter->iter_flags |= TRACE_FILE_TIME_IN_NS;
	while (merge->heap.nr)
		merge->idle[merge->nr_idle++] = merge->heap.data[--merge->heap.nr].cpu;
	merge->horizon = 0;
}

static void check_clock(struct trace_iterator *iter)
{
	if (iter->merge->clock_changes != READ_ONCE(iter->array_buffer->tr->clock_changes))
		take_clock(iter);
}

/* Sub-buffers, and so entries, may have grown. If memory is short, larger entries are cut. */
static void fit_kept(struct trace_merge *merge)
{
	size_t size = ring_buffer_max_event_size(merge->buffer);
	char *larger;

	if (likely(size <= merge->kept_size) || !merge->may_sleep)
		return;
	larger = kvrealloc(merge->kept, size + 1, GFP_KERNEL);
	if (!larger)
		return;
	larger[size] = '\0';
	merge->kept = larger;
	merge->kept_size = size;
}

/**
 * trace_iter_reload - forget the loaded entry without stepping over it
 * @iter: the iterator
 *
 * The caller calls this after it has dropped its locks: the buffer, and the names of tasks, may
 * have changed since trace_iter_find(). An entry that was taken out of the buffer stays loaded.
 *
 * Context: may sleep, unless @iter is that of a dump; one user of @iter at a time.
 */
void trace_iter_reload(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	/* An entry that was stepped over is in merge->kept. */
	if (!merge->stepped) {
		merge->loaded = false;
		fit_kept(merge);
	}
	check_clock(iter);
	merge->comm_pid = -1;
}

/* Copy the loaded entry, as the buffer's copy may change from now on. */
static bool keep_entry(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	if (iter->ent_size > merge->kept_size)
		return false;
	memcpy(merge->kept, iter->ent, iter->ent_size);
	iter->ent = merge->kept;
	return true;
}

/* Step over the loaded entry, but keep it for the printer. */
static bool step_early(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	if (merge->stepped)
		return true;
	if (!merge->loaded || !keep_entry(iter))
		return false;
	ring_buffer_iter_advance(merge->iters[iter->cpu]);
	merge->stepped = true;
	return true;
}

/**
 * trace_iter_next_ts - get the time of the entry after the loaded one
 * @iter: the iterator, with an entry loaded
 *
 * A consuming reader does not look ahead, as the next entry may not have been written yet.
 *
 * Context: any, one user of @iter at a time.
 * Return: its time, on any CPU; the time of the loaded entry if there is none.
 */
u64 trace_iter_next_ts(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	struct merge_entry next;

	if (!merge || !merge->iters || !step_early(iter))
		return iter->ts;
	return oldest_entry(merge, &next) < 0 ? iter->ts : next.ts;
}

/* Copy the next entry of @cpu. It does not count as next if entries were lost before it. */
static bool look_ahead(struct trace_merge *merge, int cpu)
{
	struct merge_entry next;

	if (!merge->iters) {
		if (!copy_peek(merge, cpu, &next, merge->ahead, sizeof(merge->ahead)) || next.lost)
			return false;
	} else {
		if (!cpu_peek(merge, cpu, &next) || next.size > sizeof(merge->ahead) ||
		    ring_buffer_iter_dropped(merge->iters[cpu]))
			return false;
		memcpy(merge->ahead, next.data, next.size);
	}
	merge->ahead_size = next.size;
	merge->ahead_ts = next.ts;
	return true;
}

/**
 * trace_iter_next_entry - look at the next entry of the same CPU
 * @iter: the iterator, with an entry loaded
 * @ts: set to the time of the next entry
 *
 * For printers that fold two entries into one line. A folded entry is found again until
 * trace_iter_advance(), as the line may have to be printed again.
 *
 * Context: any, one user of @iter at a time.
 * Return: a copy of the entry, valid until the next call; NULL if there is none, or if entries
 * were lost before it. The copy of a large entry has only its beginning.
 */
struct trace_entry *trace_iter_next_entry(struct trace_iterator *iter, u64 *ts)
{
	struct trace_merge *merge = iter->merge;

	if (!merge || !step_early(iter))
		return NULL;
	if (!merge->ahead_folded && !look_ahead(merge, iter->cpu))
		return NULL;
	*ts = merge->ahead_ts;
	return (struct trace_entry *)merge->ahead;
}

/**
 * trace_iter_fold_next - step over the entry that trace_iter_next_entry() found
 * @iter: the iterator
 *
 * For printers that print it in the line of the loaded entry.
 *
 * Context: any, one user of @iter at a time.
 * Return: true; false if another reader has taken it meanwhile.
 */
bool trace_iter_fold_next(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	if (merge->ahead_folded)
		return true;
	if (merge->iters)
		ring_buffer_iter_advance(merge->iters[iter->cpu]);
	else if (!ring_buffer_consume_copied(merge->buffer, iter->cpu, merge->ahead,
					     merge->ahead_size, merge->ahead_ts))
		return false;
	merge->ahead_folded = true;
	return true;
}

/**
 * trace_iter_empty - is there nothing more to read?
 * @iter: the iterator
 *
 * Context: may sleep, unless @iter is that of a dump; one user of @iter at a time.
 * Return: true if there is no entry at the moment. For a consuming reader, false does not promise
 * an entry: what is left may be padding.
 */
bool trace_iter_empty(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	bool found;
	int cpu;

	if (merge->loaded)
		return false;
	if (merge->view.from) {
		found = trace_iter_find(iter);
		trace_iter_reload(iter);
		iter->ent = NULL;
		return !found;
	}
	if (!merge->iters && iter->cpu_file == RING_BUFFER_ALL_CPUS)
		return ring_buffer_empty(merge->buffer);
	if (!merge->iters)
		return ring_buffer_empty_cpu(merge->buffer, iter->cpu_file);

	for_each_possible_cpu(cpu) {
		if (merge->iters[cpu] && !ring_buffer_iter_empty(merge->iters[cpu]))
			return false;
	}
	return true;
}

/* Put all CPUs that are read into @idle, to be looked at. */
static void merge_begin(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	int cpu;

	merge->heap.nr = 0;
	merge->nr_idle = 0;
	merge->horizon = 0;
	if (merge->iters)
		trace_latency_view(iter->array_buffer, &merge->view);
	merge->loaded = false;
	merge->stepped = false;
	merge->ahead_folded = false;
	merge->comm_pid = -1;
	for_each_possible_cpu(cpu) {
		if (iter->cpu_file == RING_BUFFER_ALL_CPUS || iter->cpu_file == cpu)
			merge->idle[merge->nr_idle++] = cpu;
	}
	iter->ent = NULL;
	iter->idx = 0;
}

/**
 * trace_merge_init - begin to merge
 * @iter: the iterator, with its array_buffer and cpu_file set; its flag for the clock is set here
 * @merge: all zero, except its memory: heap.data, idle, kept, iters
 *
 * Nothing has to be undone.
 *
 * Context: any; where @merge has iters, not NMI.
 */
void trace_merge_init(struct trace_iterator *iter, struct trace_merge *merge)
{
	iter->merge = merge;
	merge->buffer = iter->array_buffer->buffer;
	merge->heap.size = nr_cpu_ids;
	take_clock(iter);
	merge_begin(iter);
}

static void merge_free(struct trace_merge *merge)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (merge->iters && merge->iters[cpu])
			ring_buffer_read_finish(merge->iters[cpu]);
	}
	kvfree(merge->symbols);
	free_cpumask_var(merge->started);
	kfree(merge->iters);
	kvfree(merge->kept);
	kfree(merge->idle);
	kfree(merge->heap.data);
	kfree(merge);
}

/* A CPU without storage in the buffer has no iterator: that is no error. */
static bool alloc_iters(struct trace_iterator *iter, struct trace_merge *merge)
{
	struct trace_buffer *buffer = iter->array_buffer->buffer;
	int cpu;

	merge->iters = kcalloc(nr_cpu_ids, sizeof(*merge->iters), GFP_KERNEL);
	if (!merge->iters || !zalloc_cpumask_var(&merge->started, GFP_KERNEL))
		return false;
	for_each_possible_cpu(cpu) {
		if (iter->cpu_file != RING_BUFFER_ALL_CPUS && iter->cpu_file != cpu)
			continue;
		if (!ring_buffer_size(buffer, cpu))
			continue;
		merge->iters[cpu] = ring_buffer_read_start(buffer, cpu, GFP_KERNEL);
		if (!merge->iters[cpu])
			return false;
	}
	return true;
}

/**
 * trace_merge_alloc - allocate the memory that an iterator needs to merge CPUs, and begin
 * @iter: as for trace_merge_init()
 * @consume: the reader consumes
 *
 * Context: may sleep.
 * Return: 0, and trace_merge_free() frees the memory; -ENOMEM.
 */
int trace_merge_alloc(struct trace_iterator *iter, bool consume)
{
	struct trace_merge *merge = kzalloc(sizeof(*merge), GFP_KERNEL);

	if (!merge)
		return -ENOMEM;
	merge->may_sleep = true;
	merge->kept_size = ring_buffer_max_event_size(iter->array_buffer->buffer);
	merge->kept = kvzalloc(merge->kept_size + 1, GFP_KERNEL);
	merge->idle = kcalloc(nr_cpu_ids, sizeof(*merge->idle), GFP_KERNEL);
	merge->heap.data = kcalloc(nr_cpu_ids, sizeof(*merge->heap.data), GFP_KERNEL);
	if (!merge->kept || !merge->idle || !merge->heap.data ||
	    (!consume && !alloc_iters(iter, merge))) {
		merge_free(merge);
		return -ENOMEM;
	}
	merge->symbols = symbol_cache_alloc();
	trace_merge_init(iter, merge);
	return 0;
}

/**
 * trace_merge_free - undo trace_merge_alloc()
 * @iter: the iterator
 *
 * Context: may sleep.
 */
void trace_merge_free(struct trace_iterator *iter)
{
	if (iter->merge)
		merge_free(iter->merge);
	iter->merge = NULL;
}

/**
 * trace_iter_count - count the entries that can be read
 * @iter: the iterator of a reader that does not consume; no entry is loaded
 * @overrun: set to the number of overwritten entries, of CPUs whose oldest entry is inside of the
 *	shown time: some of these may belong to that time, too
 *
 * This reads all entries, as this is the only way to find which of them belong to the shown time.
 * Overwritten entries are counted since the CPU's storage was cleared, when the tracer began; how
 * many of them belong to the shown time is unknown. Counting from the begin of each section would
 * make each section take longer, even if it is not kept. If @overrun is 0, no entry of the shown
 * time was overwritten.
 *
 * Context: may sleep.
 * Return: number of entries.
 */
unsigned long trace_iter_count(struct trace_iterator *iter, unsigned long *overrun)
{
	struct trace_merge *merge = iter->merge;
	struct ring_buffer_iter *cpu_iter;
	struct merge_entry entry;
	unsigned long nr = 0;
	int cpu;
	u64 ts;

	*overrun = 0;
	for_each_possible_cpu(cpu) {
		cpu_iter = merge->iters[cpu];
		if (!cpu_iter || !cpu_is_shown(merge, cpu))
			continue;
		ring_buffer_iter_reset(cpu_iter);
		if (ring_buffer_iter_peek(cpu_iter, &ts) && ts >= merge->view.from)
			*overrun += ring_buffer_overrun_cpu(merge->buffer, cpu);
		for (; cpu_peek(merge, cpu, &entry); nr++) {
			ring_buffer_iter_advance(cpu_iter);
			if (!(nr % 1024))
				cond_resched();
		}
		ring_buffer_iter_reset(cpu_iter);
	}
	return nr;
}

/**
 * trace_iter_rewind - begin again with the oldest entry
 * @iter: the iterator
 *
 * A reader that does not consume also sees entries that were written since it began, also by
 * another clock.
 *
 * Context: any but NMI, one user of @iter at a time.
 */
void trace_iter_rewind(struct trace_iterator *iter)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (iter->merge->iters && iter->merge->iters[cpu])
			ring_buffer_iter_reset(iter->merge->iters[cpu]);
	}
	check_clock(iter);
	merge_begin(iter);
}
