// SPDX-License-Identifier: GPL-2.0
/*
 * A set of pids: see pid_set.h. It consists of chunks of bits, in an xarray.
 *
 * xa_store() publishes a chunk that is complete, and a chunk never moves, so it may be used
 * whenever it is found. Its bits are changed by atomic operations on single words. These need no
 * order among each other: the bit of one pid says nothing about another pid.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <linux/xarray.h>

#include "pid_set.h"

/* Pids in a chunk, which takes 128 bytes. Chunk N begins with pid N * CHUNK_PIDS. */
#define CHUNK_PIDS	1024

struct trace_pid_set {
	struct xarray	chunks;
};

/**
 * trace_pid_set_alloc - make an empty set
 *
 * Context: may sleep.
 * Return: the set, to be freed with trace_pid_set_free(); NULL if memory is short.
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
 * @set: the set, which has no users any more; or NULL
 *
 * Context: may sleep.
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

/* The chunk of @pid, or NULL if there is none. */
static unsigned long *chunk_of(struct trace_pid_set *set, unsigned int pid)
{
	return xa_load(&set->chunks, pid / CHUNK_PIDS);
}

/**
 * trace_pid_set_make_room - allocate the memory that trace_pid_set_add() needs for a pid
 * @set: the set
 * @pid: the pid
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if @pid is greater than TRACE_PID_MAX; -ENOMEM.
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
 * trace_pid_set_make_room_for_all - allocate memory for all pids that tasks can have
 * @set: the set
 *
 * Context: may sleep.
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
 * trace_pid_set_merge - add all pids of another set
 * @set: the set
 * @more: the other set, which must not change meanwhile
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, and then no pid was added.
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
 * Context: any but NMI.
 * Return: true; false if trace_pid_set_make_room() was not called for the pid.
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
 * @pid: the pid, whether or not it is in the set
 *
 * Context: any but NMI.
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
 * @pid: the pid, which may be greater than TRACE_PID_MAX
 *
 * Context: any but NMI.
 * Return: true if it is in the set.
 */
bool trace_pid_set_has(struct trace_pid_set *set, unsigned int pid)
{
	const unsigned long *chunk = chunk_of(set, pid);

	return chunk && test_bit(pid % CHUNK_PIDS, chunk);
}

/**
 * trace_pid_set_next - find the next pid in a set
 * @set: the set
 * @pid: where to begin
 *
 * Context: any but NMI.
 * Return: the smallest pid in the set that is not less than @pid; -1 if there is none.
 */
int trace_pid_set_next(struct trace_pid_set *set, unsigned int pid)
{
	unsigned long index = pid / CHUNK_PIDS, bit = pid % CHUNK_PIDS;
	unsigned long *chunk;

	xa_for_each_start(&set->chunks, index, chunk, index) {
		/* Look at a later chunk from its first pid on. */
		if (index != pid / CHUNK_PIDS)
			bit = 0;
		bit = find_next_bit(chunk, CHUNK_PIDS, bit);
		if (bit < CHUNK_PIDS)
			return index * CHUNK_PIDS + bit;
	}
	return -1;
}
