/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function profiler: declarations that its files share. profile.c has the counters. Either
 * profile_graph.c or profile_calls.c is called for traced functions, and prints its counts.
 */
#ifndef _TRACE_TRACERS_PROFILE_H
#define _TRACE_TRACERS_PROFILE_H

#include <linux/atomic.h>
#include <linux/types.h>

struct seq_file;

/**
 * struct profile_squares - a sum of squares of times: profile_squares.h
 * @low: its lower 64 bits, in ns^2
 * @high: its upper 64 bits
 */
struct profile_squares {
	atomic64_t	low;
	atomic64_t	high;
};

/**
 * struct profile_counter - the counters of a function on a CPU
 * @hits: number of calls
 * @time: time that calls took that have returned, in ns
 * @squares: sum of the squares of these times
 */
struct profile_counter {
	atomic_long_t		hits;
	atomic64_t		time;
	struct profile_squares	squares;
};

/**
 * struct profile_row - a line of the file
 * @ip: address of the function
 * @hits: as in struct profile_counter
 * @time: as in struct profile_counter
 * @squares: as in struct profile_counter
 */
struct profile_row {
	unsigned long		ip;
	unsigned long		hits;
	u64			time;
	struct profile_squares	squares;
};

static inline int profile_compare_numbers(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* profile.c */
struct profile_counter *profile_counter(unsigned long ip);

/* profile_graph.c or profile_calls.c */
int profile_begin(void);
void profile_end(void);
int profile_order(const struct profile_row *a, const struct profile_row *b);
void profile_show_header(struct seq_file *m);
void profile_show_counts(struct seq_file *m, const struct profile_row *row);

/* profile_graph.c */
#ifdef CONFIG_FUNCTION_PROFILER
void profile_graph_time(bool on);
#else
static inline void profile_graph_time(bool on) { }
#endif

#endif /* _TRACE_TRACERS_PROFILE_H */
