/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_BENCH_H
#define _TRACE_BENCH_H

/* What can be measured; what it takes, or one call of it, in nanoseconds. */
struct trace_bench_work {
	const char	*name;
	unsigned long	(*cost)(void);
};

unsigned long trace_bench_cost(void (*call)(void));

/* With functions traced only. The last one has no name. */
extern const struct trace_bench_work trace_bench_ops_works[];

int trace_bench_ops_init(void);
void trace_bench_ops_exit(void);

/* With trace events only. */
extern const struct trace_bench_work trace_bench_event_works[];

#endif /* _TRACE_BENCH_H */
