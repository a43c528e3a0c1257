// SPDX-License-Identifier: GPL-2.0
/*
 * Room to make a record of unknown size in, before it is copied to the buffer.
 *
 * The size of formatted text or of a stack is known only when it is there. Each
 * CPU has one piece of memory for each context that can interrupt another: they
 * nest like a stack, so a counter finds the next free one.
 */
#include <linux/percpu.h>

#include "record.h"

#define NESTING		4	/* task, softirq, hardirq, NMI */

struct scratch {
	unsigned int	used;
	char		level[NESTING][TRACE_SCRATCH_SIZE] __aligned(8);
};

static DEFINE_PER_CPU(struct scratch, trace_scratch);

/**
 * trace_scratch_get - take a piece of TRACE_SCRATCH_SIZE bytes
 *
 * Any context, with preemption off until trace_scratch_put(). An interrupt between
 * the load and the store of the counter gives back what it took.
 *
 * Return: the memory, or NULL if it is called from within itself too often.
 */
void *trace_scratch_get(void)
{
	struct scratch *scratch = this_cpu_ptr(&trace_scratch);
	unsigned int level = READ_ONCE(scratch->used);

	if (level == NESTING)
		return NULL;
	WRITE_ONCE(scratch->used, level + 1);
	/* An interrupt must see the counter before the memory is used. */
	barrier();
	return scratch->level[level];
}

/**
 * trace_scratch_put - give it back
 *
 * Context: any, on the same CPU, with preemption off since trace_scratch_get().
 */
void trace_scratch_put(void)
{
	struct scratch *scratch = this_cpu_ptr(&trace_scratch);

	barrier();
	WRITE_ONCE(scratch->used, scratch->used - 1);
}
