/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the torture share: torture.c has the overview.
 */
#ifndef _RB_TORTURE_H
#define _RB_TORTURE_H

#include <pthread.h>

#include "harness.h"

#include "internal.h"

#define MAX_DEPTH	4	/* task, softirq, interrupt, NMI */
#define MAX_FILL	96

/* One CPU's parts of the buffer and of the other, wherever they are just now. */
#define STORAGES	2

struct payload {
	u32	cpu;
	u16	depth;
	u16	storage;
	u64	number;
	u64	ts;
	u32	length;
	u32	fill[];
};

/* What the writers of a CPU count. Only the CPU's thread writes it. */
struct writer {
	pthread_t	thread;
	int		cpu;
	u64		target;
	u64		written[STORAGES][MAX_DEPTH];
	u64		refused;
	u64		discarded;
	u64		interrupts;
	u64		signals[MAX_DEPTH];	/* that interrupted so many */
	u64		nmis;			/* that are signals */
	u64		swaps;
	u64		seed;
	bool		done;
} __aligned(64);

/* What a reader knows of the events of a storage that it has seen. */
struct checker {
	u64	ts;
	u64	number[MAX_DEPTH];
	bool	may_miss[MAX_DEPTH];
	u64	seen;
	u64	lost;
};

/* Ways to consume. */
enum way { CONSUME, COPY, EXCHANGE, MAP, WAYS };

struct reader {
	pthread_t	thread;
	int		cpu;
	struct trace_buffer *buffer;
	struct checker	checker[STORAGES];
	u64		passes;
	u64		seen[WAYS];
	bool		untold;	/* a page had no room for how many were lost */
};

struct options {
	u64		events;
	unsigned int	cpus;
	bool		overwrite;
	bool		resize;
	bool		consume;
	bool		chaos;
	bool		swap;
	bool		wait;
	unsigned int	rate;	/* one interrupt in so many accesses */
};

extern struct options options;
extern struct trace_buffer *buffer, *other;
extern struct writer writers[NR_CPUS];
extern bool writers_done;

/* Not zero: all events begun since it has this value have absolute time stamps. */
extern unsigned long absolute;

static inline u64 rnd(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Which storage a CPU's part of a buffer is, while it stays. */
extern struct rb_cpu *others_first[NR_CPUS];

static inline unsigned int storage_of(struct trace_buffer *of, int cpu)
{
	return rb_cpu(of, cpu) == others_first[cpu];
}

/* torture.c */
bool exchange_storage(int cpu);

/* writers.c */
void *write_thread(void *arg);
void *signal_thread(void *arg);
void handle_devices(void);
void begin_writing(struct writer *writer);
void write_until(struct writer *writer, bool (*enough)(int cpu));
void end_writing(struct writer *writer);

/* readers.c */
void *consume_thread(void *arg);
void *iterate_thread(void *arg);

/* waiters.c */
void torture_waiters(void);

#endif /* _RB_TORTURE_H */
