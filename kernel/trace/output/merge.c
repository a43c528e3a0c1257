// SPDX-License-Identifier: GPL-2.0
/*
 * The entries of all CPUs of a buffer as one stream, ordered by time.
 *
 * A binary heap holds, for each CPU that has entries, the time of its oldest.
 * The entry itself is not kept: it is asked for again when its CPU is at the
 * top, so that a buffer that is reset, or whose oldest entries are overwritten
 * meanwhile, costs one correction of the heap and nothing else. To step from
 * one entry to the next takes log n for n CPUs, and nothing but a look at the
 * same CPU again while that CPU's entries stay the oldest, which is the common
 * case: CPUs run for long against the time between two events.
 *
 * CPUs without entries are not in the heap. They may get some at any time, and
 * an entry from the top may be printed only if none of them could have got an
 * older one. That cannot be once the clock was read, then all these CPUs were
 * found empty, and the entry is from before that reading:
 *
 *	reader				writer on an idle CPU
 *	horizon = clock
 *	is that CPU empty? yes		...
 *					time stamp = clock, later than horizon
 *	print entries up to horizon
 *
 * So idle CPUs are looked at only when the oldest entry is younger than the
 * horizon: once per screenful, not once per entry. A clock that does not count
 * time cannot be read without changing the trace, there they are looked at each
 * time. (A writer that has its time stamp, but has not committed, is not waited
 * for.)
 *
 * Both kinds of reader are served: the one that consumes, and the one that
 * leaves the buffer as it is and has a ring_buffer_iter per CPU.
 *
 * The caller serializes calls for one iterator. No lock is taken here.
 */
#include <linux/min_heap.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "../core/core.h"
#include "internal.h"

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

/* The oldest event of a CPU that is of the time of interest. */
static struct ring_buffer_event *iter_peek(struct trace_merge *merge,
					   struct ring_buffer_iter *iter, u64 *ts)
{
	struct ring_buffer_event *event;

	while ((event = ring_buffer_iter_peek(iter, ts)) && *ts < merge->view.from) {
		ring_buffer_iter_advance(iter);
		merge->passed++;
	}
	return event && merge->view.to && *ts > merge->view.to ? NULL : event;
}

static bool cpu_is_shown(const struct trace_merge *merge, int cpu)
{
	return merge->view.cpu == RING_BUFFER_ALL_CPUS || merge->view.cpu == cpu;
}

static struct ring_buffer_event *
cpu_peek(struct trace_merge *merge, int cpu, u64 *ts, unsigned long *lost)
{
	if (!merge->iters)
		return ring_buffer_peek(merge->buffer, cpu, ts, lost);
	if (!merge->iters[cpu] || !cpu_is_shown(merge, cpu))
		return NULL;
	return iter_peek(merge, merge->iters[cpu], ts);
}

/* Look at all CPUs without entries; true if one has some now. */
static bool wake_idle(struct trace_merge *merge)
{
	int nr = 0, was = merge->nr_idle, i;

	if (merge->clock_is_time)
		merge->horizon = ring_buffer_time_stamp(merge->buffer);

	for (i = 0; i < was; i++) {
		struct merge_key key = { .cpu = merge->idle[i] };
		unsigned long lost;

		if (cpu_peek(merge, key.cpu, &key.ts, &lost))
			min_heap_push(&merge->heap, &key, &key_order, NULL);
		else
			merge->idle[nr++] = key.cpu;
	}
	merge->nr_idle = nr;
	return nr < was;
}

/*
 * Correct the top of the heap until the event found there is the one that
 * stood there: then it is the oldest.
 */
static struct ring_buffer_event *
oldest_event(struct trace_merge *merge, struct merge_key *key, unsigned long *lost)
{
	struct merge_key *top = merge->heap.data;
	struct ring_buffer_event *event;
	u64 ts;

	while (merge->heap.nr || wake_idle(merge)) {
		event = cpu_peek(merge, top->cpu, &ts, lost);
		if (!event) {
			merge->idle[merge->nr_idle++] = top->cpu;
			min_heap_pop(&merge->heap, &key_order, NULL);
			continue;
		}
		if (ts != top->ts) {
			int cpu = top->cpu;

			top->ts = ts;
			min_heap_sift_down(&merge->heap, 0, &key_order, NULL);
			if (top->cpu != cpu)
				continue;
		}
		if (merge->nr_idle && ts > merge->horizon && wake_idle(merge))
			continue;
		*key = *top;
		return event;
	}
	return NULL;
}

static void load_event(struct trace_iterator *iter, struct ring_buffer_event *event,
		       const struct merge_key *key, unsigned long lost)
{
	struct trace_merge *merge = iter->merge;

	iter->ent = ring_buffer_event_data(event);
	iter->ent_size = ring_buffer_event_length(event);
	iter->ts = key->ts;
	iter->cpu = key->cpu;
	if (merge->iters && ring_buffer_iter_dropped(merge->iters[key->cpu]))
		lost = LOST_UNKNOWN;
	iter->lost_events = lost;
}

/**
 * trace_iter_find - load the oldest entry that has not been stepped over
 * @iter: the iterator; its ent, ent_size, cpu, ts and lost_events are set
 *
 * Finding it again without trace_iter_advance() loads the same entry.
 *
 * Return: false if there is none (now; the buffer may be written to).
 */
bool trace_iter_find(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	struct ring_buffer_event *event;
	struct merge_key key;
	unsigned long lost = 0;

	if (merge->loaded)
		return true;

	event = oldest_event(merge, &key, &lost);
	if (!event) {
		iter->ent = NULL;
		return false;
	}
	load_event(iter, event, &key, lost);
	merge->loaded = true;
	return true;
}

/* Step over the oldest entry of the CPU in the buffer. */
static void step(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	unsigned long lost;
	u64 ts;

	if (merge->iters)
		ring_buffer_iter_advance(merge->iters[iter->cpu]);
	else
		ring_buffer_consume(merge->buffer, iter->cpu, &ts, &lost);
}

/**
 * trace_iter_advance - step over the entry that trace_iter_find() loaded
 * @iter: the iterator
 *
 * Where the reader consumes, this is what takes the entry out of the buffer.
 */
void trace_iter_advance(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	if (!merge->stepped)
		step(iter);
	merge->loaded = false;
	merge->stepped = false;
	iter->ent = NULL;
	iter->idx++;
}

/**
 * trace_iter_reload - forget the loaded entry, but do not step over it
 * @iter: the iterator
 *
 * To be called when the buffer may have changed since trace_iter_find(), and
 * tasks their names: after the caller's locks were dropped.
 */
void trace_iter_reload(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	/* One that was stepped over lives in a copy of our own. */
	if (!merge->stepped)
		merge->loaded = false;
	merge->comm_pid = -1;
}

/* Copy the loaded entry, for the buffer's copy may change from now on. */
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
	step(iter);
	merge->stepped = true;
	return true;
}

/**
 * trace_iter_next_ts - when was the entry after the loaded one recorded?
 * @iter: the iterator, with an entry loaded
 *
 * A consuming reader does not look ahead for that, as nothing may have been
 * written yet.
 *
 * Return: its time, on any CPU; the time of the loaded one if there is none.
 */
u64 trace_iter_next_ts(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	struct merge_key key;
	unsigned long lost;

	if (!merge || !merge->iters || !step_early(iter))
		return iter->ts;
	return oldest_event(merge, &key, &lost) ? key.ts : iter->ts;
}

/**
 * trace_iter_next_entry - look at the next entry of the same CPU
 * @iter: the iterator, with an entry loaded
 * @ts: set to when it was recorded
 *
 * This is for printers that fold two entries into one line. A consuming reader
 * has consumed the loaded entry after that.
 *
 * Return: the entry, valid until the iterator is used next, or NULL.
 */
struct trace_entry *trace_iter_next_entry(struct trace_iterator *iter, u64 *ts)
{
	struct ring_buffer_event *event;
	unsigned long lost;

	if (!iter->merge || !step_early(iter))
		return NULL;
	event = cpu_peek(iter->merge, iter->cpu, ts, &lost);
	return event ? ring_buffer_event_data(event) : NULL;
}

/**
 * trace_iter_fold_next - step over what trace_iter_next_entry() found
 * @iter: the iterator
 *
 * For when it is printed in the line of the loaded entry.
 */
void trace_iter_fold_next(struct trace_iterator *iter)
{
	if (iter->merge && iter->merge->stepped)
		step(iter);
}

/**
 * trace_iter_look - trace_iter_find() for those who only want to know
 * @iter: the iterator
 *
 * Return: true if there is an entry; it is still to be read.
 */
bool trace_iter_look(struct trace_iterator *iter)
{
	bool found = trace_iter_find(iter);

	trace_iter_reload(iter);
	iter->ent = NULL;
	return found;
}

/**
 * trace_iter_empty - is there nothing more to read?
 * @iter: the iterator
 *
 * Return: true if there is not, for now. For a consuming reader, false does not
 * promise an entry: what is left may be padding.
 */
bool trace_iter_empty(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	int cpu;

	if (merge->loaded)
		return false;
	if (merge->view.from)
		return !trace_iter_look(iter);
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

/* All CPUs that are read are candidates. */
static void merge_begin(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;
	int cpu;

	merge->heap.nr = 0;
	merge->nr_idle = 0;
	merge->horizon = 0;
	if (merge->iters)
		trace_latency_view(iter->array_buffer, &merge->view);
	merge->passed = 0;
	merge->loaded = false;
	merge->stepped = false;
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
 * @iter: the iterator, with its array_buffer, cpu_file and iter_flags set
 * @merge: all zero, but for what it is to use: heap.data, idle, kept, iters
 *
 * Does not sleep, and need not be undone.
 */
void trace_merge_init(struct trace_iterator *iter, struct trace_merge *merge)
{
	iter->merge = merge;
	merge->buffer = iter->array_buffer->buffer;
	merge->clock_is_time = iter->iter_flags & TRACE_FILE_TIME_IN_NS;
	merge->heap.size = nr_cpu_ids;
	merge_begin(iter);
}

static void merge_free(struct trace_merge *merge)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (merge->iters && merge->iters[cpu])
			ring_buffer_read_finish(merge->iters[cpu]);
	}
	kfree(merge->iters);
	kfree(merge->kept);
	kfree(merge->idle);
	kfree(merge->heap.data);
	kfree(merge);
}

/* A CPU that has no part in the buffer has no iterator: that is no error. */
static bool alloc_iters(struct trace_iterator *iter, struct trace_merge *merge)
{
	int cpu;

	merge->iters = kcalloc(nr_cpu_ids, sizeof(*merge->iters), GFP_KERNEL);
	if (!merge->iters)
		return false;
	for_each_possible_cpu(cpu) {
		if (iter->cpu_file == RING_BUFFER_ALL_CPUS || iter->cpu_file == cpu)
			merge->iters[cpu] = ring_buffer_read_start(iter->array_buffer->buffer,
								   cpu, GFP_KERNEL);
	}
	return true;
}

/**
 * trace_merge_alloc - allocate what an iterator needs to merge CPUs, and begin
 * @iter: the iterator, with its array_buffer, cpu_file and iter_flags set
 * @consume: read by consuming
 *
 * May sleep. trace_merge_free() frees it.
 *
 * Return: 0 or -ENOMEM.
 */
int trace_merge_alloc(struct trace_iterator *iter, bool consume)
{
	struct trace_merge *merge = kzalloc(sizeof(*merge), GFP_KERNEL);

	if (!merge)
		return -ENOMEM;
	merge->may_sleep = true;
	merge->kept_size = ring_buffer_max_event_size(iter->array_buffer->buffer);
	merge->kept = kmalloc(merge->kept_size, GFP_KERNEL);
	merge->idle = kcalloc(nr_cpu_ids, sizeof(*merge->idle), GFP_KERNEL);
	merge->heap.data = kcalloc(nr_cpu_ids, sizeof(*merge->heap.data), GFP_KERNEL);
	if (!merge->kept || !merge->idle || !merge->heap.data ||
	    (!consume && !alloc_iters(iter, merge))) {
		merge_free(merge);
		return -ENOMEM;
	}
	trace_merge_init(iter, merge);
	return 0;
}

/**
 * trace_merge_free - free what trace_merge_alloc() allocated
 * @iter: the iterator
 */
void trace_merge_free(struct trace_iterator *iter)
{
	if (iter->merge)
		merge_free(iter->merge);
	iter->merge = NULL;
}

/**
 * trace_iter_rewind - begin again with the oldest entry
 * @iter: the iterator
 *
 * A non-consuming one also sees what was written since.
 */
void trace_iter_rewind(struct trace_iterator *iter)
{
	int cpu;

	if (iter->merge->iters) {
		for_each_possible_cpu(cpu) {
			if (iter->merge->iters[cpu])
				ring_buffer_iter_reset(iter->merge->iters[cpu]);
		}
	}
	merge_begin(iter);
}
