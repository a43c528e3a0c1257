/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_BENCH_H
#define _TRACE_BENCH_H

/* An operation to be measured; cost() returns nanoseconds, in all or for one call. */
struct trace_bench_work {
	const char	*name;
	unsigned long	(*cost)(void);
};

unsigned long trace_bench_cost(void (*call)(void));

/* Only with function tracing. The last element has no name. */
extern const struct trace_bench_work trace_bench_ops_works[];

int trace_bench_ops_init(void);
void trace_bench_ops_exit(void);

/* Only with trace events. */
extern const struct trace_bench_work trace_bench_event_works[];

#endif /* _TRACE_BENCH_H */
