/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For an oops
 */
#ifndef _TRACE_CORE_DUMP_H
#define _TRACE_CORE_DUMP_H

struct trace_array;

/* Set by output/: print @tr's buffer, or what @cpu has of it, to the console. Any context. */
extern void (*trace_dump_hook)(struct trace_array *tr, int cpu);

#endif /* _TRACE_CORE_DUMP_H */
