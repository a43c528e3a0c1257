// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer that `trace` shows of an instance: its own, or the one that its latency tracer keeps.
 */
#include "instance.h"
#include "internal.h"
#include "snapshot.h"

/**
 * trace_read_buffer_get - get the buffer that `trace` shows
 * @tr: the instance
 *
 * Context: may sleep.
 * Return: the buffer of @tr, or the one that its latency tracer keeps; to be given back with
 * trace_read_buffer_put().
 */
struct array_buffer *trace_read_buffer_get(struct trace_array *tr)
{
	struct array_buffer *kept = trace_latency_active(tr) ? trace_latency_get(tr) : NULL;

	return kept ?: &tr->array_buffer;
}

/**
 * trace_read_buffer_put - give back the buffer that `trace` shows
 * @array: from trace_read_buffer_get()
 *
 * Context: may sleep.
 */
void trace_read_buffer_put(struct array_buffer *array)
{
	if (array != &array->tr->array_buffer)
		trace_latency_put(array);
}

/**
 * trace_read_buffer_reset - clear the buffer that `trace` shows
 * @tr: the instance
 * @cpu: the CPU whose part is cleared, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 */
void trace_read_buffer_reset(struct trace_array *tr, int cpu)
{
	struct array_buffer *array = trace_read_buffer_get(tr);

	if (array == &tr->array_buffer) {
		/* Complete a pending snapshot first: it needs the contents of the buffer. */
		trace_snapshot_put(trace_snapshot_get(tr));
		trace_array_reset_cpu(tr, cpu);
	} else if (cpu == RING_BUFFER_ALL_CPUS) {
		ring_buffer_reset(array->buffer);
		trace_latency_forget(array);
	} else {
		ring_buffer_reset_cpu(array->buffer, cpu);
	}
	trace_read_buffer_put(array);
}
