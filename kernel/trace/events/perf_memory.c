// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for the records that perf gets: one record in each context of each CPU.
 */
#include <linux/compiler.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "events.h"
#include "perf.h"

/* PERF_MAX_TRACE_SIZE bytes each. Never freed. */
static char __percpu *perf_memory[PERF_NR_CONTEXTS];

/**
 * trace_perf_memory_alloc - allocate the memory, if it is not allocated yet
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: 0; -ENOMEM.
 */
int trace_perf_memory_alloc(void)
{
	int i;

	lockdep_assert_held(&trace_event_mutex);
	for (i = 0; i < PERF_NR_CONTEXTS; i++) {
		if (!perf_memory[i])
			perf_memory[i] = __alloc_percpu(PERF_MAX_TRACE_SIZE, sizeof(u64));
		if (!perf_memory[i])
			return -ENOMEM;
	}
	return 0;
}

/**
 * trace_perf_memory_get - get memory for a record
 * @size: bytes of the record
 * @context: set to perf's recursion context; perf_tp_event() leaves it
 *
 * Context: any, with preemption off until the record is submitted.
 * Return: the memory, with trace_perf_size() bytes whose padding is zero; NULL if the record is too
 * large, or if perf is at work in this context.
 */
void *trace_perf_memory_get(unsigned int size, int *context)
{
	char *memory;

	size = trace_perf_size(size);
	if (unlikely(size > PERF_MAX_TRACE_SIZE)) {
		/* Not WARN_ONCE(): anybody may cause it, by a program with a long name. */
		printk_deferred_once(KERN_WARNING
				     "perf: dropping a record of %u bytes, the limit is %u\n",
				     size, PERF_MAX_TRACE_SIZE);
		return NULL;
	}
	*context = perf_swevent_get_recursion_context();
	if (*context < 0)
		return NULL;
	memory = this_cpu_ptr(perf_memory[*context]);
	/* The padding goes to user space. */
	memset(memory + size - sizeof(u64), 0, sizeof(u64));
	return memory;
}
