/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hook for dumping the trace in an oops.
 */
#ifndef _TRACE_CORE_DUMP_H
#define _TRACE_CORE_DUMP_H

struct trace_array;

/*
 * Set by output/. Prints the buffer of @tr, or only what @cpu has recorded in it, to the console.
 * Context: any.
 */
extern void (*trace_dump_hook)(struct trace_array *tr, int cpu);

#endif /* _TRACE_CORE_DUMP_H */
