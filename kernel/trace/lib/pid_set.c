// SPDX-License-Identifier: GPL-2.0
/*
 * A set of pids: see pid_set.h. Chunks of bits, found through an xarray. Relies on
 * nothing in trace.
 *
 * A chunk is published whole, by xa_store(), and never changes its place, so that
 * who finds it may use it without more ado. Its bits are changed by atomic operations
 * on one word, which need no order among each other: what is known of one pid says
 * nothing about another.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <linux/xarray.h>

#include "pid_set.h"

/* Pids of which the first is the number of the chunk times this; 128 bytes. */
#define CHUNK_PIDS	1024

struct trace_pid_set {
	struct xarray	chunks;
};

/**
 * trace_pid_set_alloc - make an empty set
 *
 * May sleep.
 *
 * Return: the set, or NULL if there is no memory.
 */
struct trace_pid_set *trace_pid_set_alloc(void)
{
	struct trace_pid_set *set = kmalloc(sizeof(*set), GFP_KERNEL);

	if (set)
		xa_init(&set->chunks);
	return set;
}

/**
 * trace_pid_set_free - free a set
 * @set: nobody uses it any more; or NULL
 *
 * May sleep.
 */
void trace_pid_set_free(struct trace_pid_set *set)
{
	unsigned long *chunk, index;

	if (!set)
		return;
	xa_for_each(&set->chunks, index, chunk)
		kfree(chunk);
	xa_destroy(&set->chunks);
	kfree(set);
}

/* The chunk that @pid is in, NULL if there is none. */
static unsigned long *chunk_of(struct trace_pid_set *set, unsigned int pid)
{
	return xa_load(&set->chunks, pid / CHUNK_PIDS);
}

/**
 * trace_pid_set_make_room - let trace_pid_set_add() have room for a pid
 * @set: the set
 * @pid: the pid
 *
 * May sleep.
 *
 * Return: 0; -EINVAL for more than TRACE_PID_MAX; -ENOMEM.
 */
int trace_pid_set_make_room(struct trace_pid_set *set, unsigned int pid)
{
	unsigned long *chunk;
	int err;

	if (pid > TRACE_PID_MAX)
		return -EINVAL;
	if (chunk_of(set, pid))
		return 0;
	chunk = bitmap_zalloc(CHUNK_PIDS, GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	err = xa_err(xa_store(&set->chunks, pid / CHUNK_PIDS, chunk, GFP_KERNEL));
	if (err)
		kfree(chunk);
	return err;
}

/**
 * trace_pid_set_make_room_for_all - let it have room for each pid that a task can get
 * @set: the set
 *
 * May sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int trace_pid_set_make_room_for_all(struct trace_pid_set *set)
{
	unsigned int pid;
	int err = 0;

	for (pid = 0; pid < PID_MAX_LIMIT && !err; pid += CHUNK_PIDS)
		err = trace_pid_set_make_room(set, pid);
	return err;
}

/**
 * trace_pid_set_merge - add the pids of another set, or none of them
 * @set: the set
 * @more: the other, which nobody changes
 *
 * May sleep.
 *
 * Return: 0, or -ENOMEM with no pid added.
 */
int trace_pid_set_merge(struct trace_pid_set *set, struct trace_pid_set *more)
{
	unsigned long *chunk, index;
	int pid, err = 0;

	xa_for_each(&more->chunks, index, chunk) {
		err = trace_pid_set_make_room(set, index * CHUNK_PIDS);
		if (err)
			return err;
	}
	for (pid = trace_pid_set_next(more, 0); pid >= 0; pid = trace_pid_set_next(more, pid + 1))
		trace_pid_set_add(set, pid);
	return 0;
}

/**
 * trace_pid_set_add - add a pid
 * @set: the set
 * @pid: the pid
 *
 * Any context but NMI.
 *
 * Return: true, or false if there is no room for it.
 */
bool trace_pid_set_add(struct trace_pid_set *set, unsigned int pid)
{
	unsigned long *chunk = chunk_of(set, pid);

	if (chunk)
		set_bit(pid % CHUNK_PIDS, chunk);
	return chunk;
}

/**
 * trace_pid_set_remove - remove a pid
 * @set: the set
 * @pid: the pid, in the set or not
 *
 * Any context but NMI.
 */
void trace_pid_set_remove(struct trace_pid_set *set, unsigned int pid)
{
	unsigned long *chunk = chunk_of(set, pid);

	if (chunk)
		clear_bit(pid % CHUNK_PIDS, chunk);
}

/**
 * trace_pid_set_has - is a pid in the set?
 * @set: the set
 * @pid: the pid
 *
 * Any context but NMI.
 *
 * Return: true if it is; also false for what is more than TRACE_PID_MAX.
 */
bool trace_pid_set_has(struct trace_pid_set *set, unsigned int pid)
{
	const unsigned long *chunk = chunk_of(set, pid);

	return chunk && test_bit(pid % CHUNK_PIDS, chunk);
}

/**
 * trace_pid_set_next - go through the pids of a set
 * @set: the set
 * @pid: where to begin
 *
 * Context: any but NMI.
 * Return: the smallest pid in the set that is not less than @pid, or -1.
 */
int trace_pid_set_next(struct trace_pid_set *set, unsigned int pid)
{
	unsigned long index = pid / CHUNK_PIDS, bit = pid % CHUNK_PIDS;
	unsigned long *chunk;

	xa_for_each_start(&set->chunks, index, chunk, index) {
		/* Later chunks are gone through from their beginnings. */
		if (index != pid / CHUNK_PIDS)
			bit = 0;
		bit = find_next_bit(chunk, CHUNK_PIDS, bit);
		if (bit < CHUNK_PIDS)
			return index * CHUNK_PIDS + bit;
	}
	return -1;
}
