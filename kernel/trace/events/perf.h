/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files about perf share.
 */
#ifndef _TRACE_EVENTS_PERF_H
#define _TRACE_EVENTS_PERF_H

#include <linux/align.h>
#include <linux/types.h>

struct perf_event;

/*
 * The bytes that perf gets for a record of @size bytes. perf stores this number in a u32 before the
 * record, and aligns both together. Any context.
 */
static inline unsigned int trace_perf_size(unsigned int size)
{
	return ALIGN(size + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

/* perf_memory.c */
int trace_perf_memory_alloc(void);
void *trace_perf_memory_get(unsigned int size, int *context);

/* perf_function.c */
#ifdef CONFIG_FUNCTION_TRACER
int trace_perf_function_open(struct perf_event *event);
int trace_perf_function_filter(struct perf_event *event, const char *text);
void trace_perf_function_set_cpu(struct perf_event *event, int cpu);
void trace_perf_function_close(struct perf_event *event);
#else
static inline int trace_perf_function_open(struct perf_event *event)
{
	return -EINVAL;
}

static inline int trace_perf_function_filter(struct perf_event *event, const char *text)
{
	return -EINVAL;
}

static inline void trace_perf_function_set_cpu(struct perf_event *event, int cpu) { }
static inline void trace_perf_function_close(struct perf_event *event) { }
#endif

#endif /* _TRACE_EVENTS_PERF_H */
