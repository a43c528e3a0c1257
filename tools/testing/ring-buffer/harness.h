/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that all test programs share.
 */
#ifndef _RB_HARNESS_H
#define _RB_HARNESS_H

#include <linux/ring_buffer.h>

#define CHECK(cond, ...)						\
do {									\
	if (!(cond)) {							\
		fprintf(stderr, "%s:%d: %s:", __FILE__, __LINE__, #cond); \
		fprintf(stderr, " " __VA_ARGS__);			\
		fputc('\n', stderr);					\
		abort();						\
	}								\
} while (0)

/* shim.c */
extern __thread u64 cpu_clock;	/* the time on this CPU */
extern unsigned int wakes;	/* number of wake-ups by writers */
extern unsigned int second_looks; /* number of wake-ups by the delayed second look */
extern int shim_cpus;		/* CPUs that are up when a buffer is made */
void cpu_start(int cpu);
void cpu_stop(void);
int cpu_up(struct trace_buffer *buffer, int cpu);

/* Return the time between two readings of the clock. Each test program defines it. */
u64 clock_step(void);

#endif /* _RB_HARNESS_H */
