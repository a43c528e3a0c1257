/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests share.
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
extern unsigned int wakes;	/* how often writers woke */
extern unsigned int second_looks; /* and how often nobody did, but a tick or two went by */
extern int shim_cpus;		/* CPUs that are up when a buffer is made */
void cpu_start(int cpu);
void cpu_stop(void);
int cpu_up(struct trace_buffer *buffer, int cpu);

/* The test says how time goes and what interrupts do. */
u64 clock_step(void);

#endif /* _RB_HARNESS_H */
