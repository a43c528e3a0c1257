// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for making a record whose size is not known before, such as formatted text or a stack. The
 * record is then copied to the buffer.
 *
 * Each CPU has two pieces of memory for each context that can interrupt another: a record may be in
 * one while its stack is in the other. They nest like a stack, so a counter finds the next free
 * piece.
 */
#include <linux/percpu.h>

#include "record.h"

/* Task, softirq, hardirq, NMI: for each a record and its stack. */
#define NESTING		8

struct scratch {
	unsigned int	used;
	char		level[NESTING][TRACE_SCRATCH_SIZE] __aligned(8);
};

static DEFINE_PER_CPU(struct scratch, trace_scratch);

/**
 * trace_scratch_get - get a piece of TRACE_SCRATCH_SIZE bytes
 *
 * An interrupt between the load and the store of the counter has put back its pieces before the
 * store.
 *
 * Context: any, with preemption off until trace_scratch_put().
 * Return: the memory; NULL if all pieces of this CPU are in use.
 */
void *trace_scratch_get(void)
{
	struct scratch *scratch = this_cpu_ptr(&trace_scratch);
	unsigned int level = READ_ONCE(scratch->used);

	if (level == NESTING)
		return NULL;
	WRITE_ONCE(scratch->used, level + 1);
	/* Use the memory only after the store of the counter, which interrupts look at. */
	barrier();
	return scratch->level[level];
}

/**
 * trace_scratch_put - give back the piece that was taken last
 *
 * Context: any, on the same CPU, with preemption off since trace_scratch_get().
 */
void trace_scratch_put(void)
{
	struct scratch *scratch = this_cpu_ptr(&trace_scratch);

	barrier();
	WRITE_ONCE(scratch->used, scratch->used - 1);
}
