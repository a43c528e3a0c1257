// SPDX-License-Identifier: GPL-2.0
/*
 * What `trace` shows of an instance: its buffer, or the one that its latency tracer keeps
 */
#include "instance.h"
#include "internal.h"
#include "snapshot.h"

/**
 * trace_shown_get - begin to read what `trace` shows of an instance
 * @tr: the instance
 *
 * May sleep.
 *
 * Return: its buffer, or the one that its latency tracer keeps; to be given to
 * trace_shown_put().
 */
struct array_buffer *trace_shown_get(struct trace_array *tr)
{
	struct array_buffer *kept = trace_latency_active(tr) ? trace_latency_get(tr) : NULL;

	return kept ?: &tr->array_buffer;
}

/**
 * trace_shown_put - the opposite
 * @array: from trace_shown_get()
 *
 * May sleep.
 */
void trace_shown_put(struct array_buffer *array)
{
	if (array != &array->tr->array_buffer)
		trace_latency_put(array);
}

/**
 * trace_shown_reset - clear what `trace` shows
 * @tr: the instance
 * @cpu: of this CPU, or RING_BUFFER_ALL_CPUS
 *
 * May sleep.
 */
void trace_shown_reset(struct trace_array *tr, int cpu)
{
	struct array_buffer *array = trace_shown_get(tr);

	if (array == &tr->array_buffer) {
		/* What a snapshot was asked for is there until that is taken. */
		trace_snapshot_put(trace_snapshot_get(tr));
		trace_array_reset_cpu(tr, cpu);
	} else if (cpu == RING_BUFFER_ALL_CPUS) {
		ring_buffer_reset(array->buffer);
		trace_latency_forget(array);
	} else {
		ring_buffer_reset_cpu(array->buffer, cpu);
	}
	trace_shown_put(array);
}
