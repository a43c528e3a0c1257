/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the files of the ring buffer share. storage.h describes the storage.
 */
#ifndef _TRACE_RING_BUFFER_INTERNAL_H
#define _TRACE_RING_BUFFER_INTERNAL_H

#include <linux/cleanup.h>
#include <linux/mm.h>

#include "storage.h"
#include "words.h"

static inline u32 rb_next_slot(const struct rb_cpu *cpu, u32 slot)
{
	return slot + 1 == cpu->nr ? 0 : slot + 1;
}

static inline struct rb_subbuf *rb_slot_subbuf(const struct rb_cpu *cpu, u64 word)
{
	return cpu->subbufs[rb_slot_id(word)];
}

static inline u64 rb_commit_position(const struct rb_cpu *cpu)
{
	/* Pairs with the releases in rb_publish_usual() and rb_publish(). */
	return smp_load_acquire(&cpu->fast.commit);
}

/* Bytes of data in a sub-buffer. */
static inline unsigned long rb_data_size(unsigned int order)
{
	return (PAGE_SIZE << order) - offsetof(struct rb_page, data);
}

/*
 * The bytes of data of the largest event, which fills a sub-buffer together with its header and
 * its length word. It needs no stamp, as the sub-buffer's header has its time.
 */
static inline unsigned long rb_max_length(const struct trace_buffer *buffer)
{
	return rb_data_size(READ_ONCE(buffer->order)) - 2 * sizeof(u32);
}

/*
 * Raise the number of bytes in the header of a sub-buffer to @bytes, unless it is higher.
 * Readers on other CPUs do this, too, which operations on local_t would not allow.
 */
static inline void rb_raise_commit(struct rb_page *page, unsigned int bytes)
{
	unsigned long *commit = (unsigned long *)&page->commit;
	unsigned long seen, old = READ_ONCE(*commit);

	for (; old < bytes; old = seen) {
		seen = cmpxchg(commit, old, (unsigned long)bytes);
		if (seen == old)
			return;
	}
}

/*
 * The storage of a CPU, or NULL. While a CPU gets its first storage, as it comes up or is given a
 * size, this may be NULL although the CPU is in the mask. Callers that hold cpus_read_lock() and
 * the mutex do not see that.
 */
static inline struct rb_cpu *rb_cpu(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return NULL;
	return READ_ONCE(per_cpu_ptr(buffer->fast.local, cpu)->cpu);
}

/* The CPUs that the argument @cpu of a function stands for. */
static inline const struct cpumask *rb_cpus(const struct trace_buffer *buffer, int cpu)
{
	return cpu == RING_BUFFER_ALL_CPUS ? buffer->cpumask : cpumask_of(cpu);
}

/* alloc.c */
struct rb_page *rb_alloc_page(int cpu, unsigned int order);
struct rb_subbuf *rb_alloc_subbuf(int cpu, unsigned int order);
void rb_free_subbuf(struct rb_subbuf *subbuf, unsigned int order);
struct rb_cpu *rb_alloc_cpu(int cpu, unsigned int order, unsigned int nr);
void rb_free_cpu(struct rb_cpu *cpu);
int rb_add_cpu(struct trace_buffer *buffer, int cpu, unsigned int nr);
unsigned long rb_nr_slots(unsigned long size, unsigned int order);
void rb_init_ring(struct rb_cpu *cpu);
unsigned int rb_new_generation(void);

/* event.c */
unsigned int rb_event_words(const struct ring_buffer_event *event);
struct ring_buffer_event *rb_cursor_event(struct rb_cursor *cursor, u64 *ts);
void rb_cursor_advance(struct rb_cursor *cursor);

/* write.c: reserve.h */

/* exclusive.c */
void rb_run_on(int cpu, void (*fn)(void *info), void *info);
typedef void (*rb_exclusive_fn)(struct rb_local *local, void *data);
int rb_exclusive(struct trace_buffer *buffer, int cpu, rb_exclusive_fn fn, void *data);
int rb_exclusive_possible(struct trace_buffer *buffer, const struct cpumask *cpus);

/* read.c */
DECLARE_PER_CPU(unsigned int, rb_locks_here);
bool rb_lock(struct rb_cpu *cpu, unsigned int subclass);
void rb_unlock(struct rb_cpu *cpu);
struct rb_cpu *rb_lock_reader(struct trace_buffer *buffer, int cpu);
void rb_unlock_reader(struct rb_cpu *cpu);

DEFINE_FREE(rb_reader, struct rb_cpu *, if (_T) rb_unlock_reader(_T))
unsigned int rb_committed_bytes(struct rb_cpu *cpu, const struct rb_subbuf *subbuf,
				u64 commit);
bool rb_unread(struct rb_cpu *cpu);
bool rb_oldest_slot(struct rb_cpu *cpu, u64 *word);
struct ring_buffer_event *rb_next_event(struct rb_cpu *cpu, u64 *ts);

/* page.c */
void rb_seal_page(struct rb_page *page, unsigned int order, unsigned int bytes,
		  unsigned long lost);
void rb_consume_rest(struct rb_cpu *cpu);

/* map.c */
void rb_update_meta(struct rb_cpu *cpu);

/* stats.c */
u64 rb_written(struct rb_cpu *cpu);

/* resize.c */
bool rb_in_use(struct trace_buffer *buffer, const struct cpumask *cpus);
bool rb_have_pages(unsigned long pages);

/* wait.c */
void rb_init_part(struct trace_buffer *buffer, int cpu);
void rb_stop_waiters(struct trace_buffer *buffer);
void rb_wake(struct rb_local *local);
void rb_wake_full(struct rb_local *local);

#endif /* _TRACE_RING_BUFFER_INTERNAL_H */
