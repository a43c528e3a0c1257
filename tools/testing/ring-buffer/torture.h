/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the torture share. torture.c has the overview.
 */
#ifndef _RB_TORTURE_H
#define _RB_TORTURE_H

#include <pthread.h>

#include "harness.h"

#include "internal.h"

#define MAX_DEPTH	4	/* task, softirq, interrupt, NMI */
#define MAX_FILL	96

/* The storages of a CPU: at first one is the buffer's and one is the other buffer's. */
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

/* The counters of a CPU's writers. Only the CPU's thread writes them. */
struct writer {
	pthread_t	thread;
	int		cpu;
	u64		target;
	u64		written[STORAGES][MAX_DEPTH];
	u64		refused;
	u64		discarded;
	u64		interrupts;
	u64		signals[MAX_DEPTH];	/* of devices, by depth interrupted */
	u64		nmis;			/* signals that are NMIs */
	u64		swaps;
	u64		seed;
	bool		done;
} __aligned(64);

/* The state of a reader for the events of a storage that it has seen. */
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
	bool		untold;	/* a page had no space for the number of lost events */
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
	unsigned int	rate;	/* one access in @rate is interrupted */
};

extern struct options options;
extern struct trace_buffer *buffer, *other;
extern struct writer writers[NR_CPUS];
extern bool writers_done;

/* If not 0, all events that were begun since it has this value have absolute time stamps. */
extern unsigned long absolute;

static inline u64 rnd(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* The storage that is the other buffer's at first; tells the storages of a CPU apart. */
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
