/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the test of recording share. records.c has the overview.
 */
#ifndef _RB_RECORDS_H
#define _RB_RECORDS_H

#include <pthread.h>

#include "harness.h"

#include "../../../kernel/trace/core/record.h"
#include "../../../kernel/trace/events/events.h"
#include "../../../kernel/trace/events/filter/filter.h"
#include "../../../kernel/trace/events/trigger/trigger.h"

#define INSTANCES	5
#define EVENTS		4
#define TEST_CPUS	4	/* at most */
#define FRAMES		12	/* events of a CPU that can be in progress at once */

/* A CPU ends a phase after this many events. */
#define PHASE_EVENTS	2048

/* Special events, by number. */
#define TWO_TASKS_EVENT	0	/* it is about two tasks */
#define SWITCHED_EVENT	2	/* its class has functions to attach and detach it */
#define MARKER_EVENT	3	/* it is not registered: detached at once */

#define FIRST_PID	10

/*
 * A record. All that the test fills in depends on the CPU and on the number of the event there, but
 * for the context: so readers know what each byte has to be.
 */
struct sample {
	struct trace_entry	ent;
	u32	number;
	u8	cpu;
	u8	depth;		/* events in progress on the CPU when it occurred */
	u8	flags;		/* what @ent has to have */
	u8	preempt_count;
	int	other_pid;	/* in TWO_TASKS_EVENT only */
};

#define SAMPLE_HEAD	offsetof(struct sample, other_pid)
#define MAX_SAMPLE	80000	/* bytes; a record has at most 65535 */

/* What an event is to be, from its CPU and its number. */
struct plan {
	unsigned int	event;
	unsigned int	size;
	int		other_pid;
	bool		later;	/* triggers act also after the record */
};

/* The test's filter: records with number % mod == rest on these CPUs. */
struct trace_filter_step {
	u32	mod;
	u32	rest;
	u32	cpus;
};

/**
 * struct setting - how an event is set in an instance, as the test knows it
 * @version: changes with each change of the instance; odd while it is being changed
 * @on: the instance records
 * @cpus: CPUs that record
 * @pids: wanted tasks: bit n is for pid FIRST_PID + n
 * @attached: the instance is a user of the event
 * @flags: mask of enum trace_event_file_flag
 * @filter: the filter, if @flags has one
 */
struct setting {
	u64	version;
	u64	on;
	u64	cpus;
	u64	pids;
	u64	attached;
	u64	flags;
	struct trace_filter_step filter;
};

/* An instance. @common has the members of struct setting that belong to all of its events. */
struct instance {
	struct trace_event_instance	events;
	struct trace_array		*tr;
	struct trace_event_file		*file[EVENTS];
	struct setting			common;
	struct setting			setting[EVENTS];
	bool				consumed;	/* while CPUs record */
};

/* An event. @perf_version is as setting.version. */
struct event {
	struct trace_event_call	call;
	struct tracepoint	tp;
	u64			perf;
	u64			perf_version;
	unsigned int		users_max;
};

/**
 * struct frame - an event in progress
 * @record: its record
 * @plan: what it is
 * @number: its number on the CPU
 * @depth: number of events in progress outside of it
 * @bits: bits of TRACE_RECURSION_EVENT that are held when it occurs
 * @bit: the one that it takes; negative: none is left
 * @flags: trace_entry.flags that its records have to have
 * @preempt_count: the same for trace_entry.preempt_count
 * @setting: of each instance when it occurs
 * @perf: perf is a user
 * @perf_version: event.perf_version
 * @asked: trace_event_buffer_wanted() was called
 * @wanted: the answer
 * @made: trace_event_buffer_reserve() has made a record
 * @held: it holds @bit for sure
 * @published: mask of the instances that have published it
 * @published_again: mask of those that have published it twice. An instance may have done so if it
 *	has left the event's users meanwhile, and come back in another slot
 * @before: mask of the instances whose triggers were run before the record
 * @recorded: mask of those whose triggers were run with the record
 * @after: mask of those whose triggers were run after the record
 * @again: mask of those whose triggers were run twice, in the same case
 * @late: mask of those that have published it after their triggers were run, in the same case
 * @exports: number of times that it was exported
 * @prints: number of times that it was printed to the console
 * @perfs: number of times that perf got it
 */
struct frame {
	struct trace_event_buffer record;
	struct plan	plan;
	u32		number;
	unsigned int	depth;
	unsigned int	bits;
	int		bit;
	u8		flags;
	u8		preempt_count;
	struct setting	setting[INSTANCES];
	u64		perf;
	u64		perf_version;
	bool		asked, wanted, made, held;
	unsigned int	published, published_again;
	unsigned int	before, recorded, after, again, late;
	unsigned int	exports, prints, perfs;
};

/* What CPUs have done, to see that nothing was left out. */
enum seen {
	SEEN_EARLY, SEEN_REFUSED, SEEN_NESTED, SEEN_NMI, SEEN_ONE, SEEN_ASIDE, SEEN_FIRST,
	SEEN_SKIPPED, SEEN_COPIED, SEEN_LOST, SEEN_UNWANTED, SEEN_FILTERED, SEEN_DISCARDED,
	SEEN_PERF_ONLY, SEEN_PERF_COPY, SEEN_BEFORE, SEEN_RECORDED, SEEN_AFTER, SEEN_LARGE,
	SEEN_UNSTABLE, SEEN_KINDS
};

struct cpu {
	pthread_t	thread;
	int		cpu;
	u64		seed;
	bool		open;		/* interrupts come */
	bool		idle;		/* probes of its task are protected by SRCU only */
	unsigned int	level;		/* 0: task, 1: softirq, 2: interrupt, 3: NMI */
	unsigned int	depth;
	struct frame	frame[FRAMES];
	u32		number;
	struct task_struct *task;

	/* In this phase */
	u64		published[INSTANCES];
	u64		lost[INSTANCES];
	u64		unsure[INSTANCES];	/* perhaps lost: a setting was being changed */
	u8		published_by[PHASE_EVENTS];	/* by number: mask of instances */
	u8		again_by[PHASE_EVENTS];
	u64		seen[SEEN_KINDS];
} __aligned(64);

/* What was read from an instance in this phase. */
struct reading {
	u64	read[TEST_CPUS];
	u32	next[TEST_CPUS][FRAMES];	/* number after the last one, by depth */
};

struct options {
	u64		events;
	unsigned int	cpus;
	unsigned int	rate;
	u64		seed;
	bool		churn;
};

extern struct options options;
extern struct instance instances[INSTANCES];
extern struct event events[EVENTS];
extern struct cpu cpus[TEST_CPUS];
extern struct reading reading[INSTANCES];
extern pthread_barrier_t begin;
extern u32 phase_begin;		/* the number of the first event of each CPU */
extern bool cpus_done;

static inline u64 rnd(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static inline unsigned int instance_of(const struct trace_array *tr)
{
	return tr->ref;
}

static inline bool pid_in(u64 pids, int pid)
{
	return pids >> (pid - FIRST_PID) & 1;
}

/* records_cpus.c */
void *cpu_thread(void *arg);
struct frame *current_frame(void);
void make_patterns(void);
struct plan plan_of(unsigned int cpu, u32 number);
void check_content(const struct sample *sample, unsigned int cpu);
void check_unflagged(const struct frame *frame, const struct sample *sample);
void check_frame(const struct frame *frame, const struct sample *sample);
void records_probe(void *data);

/* records_judge.c */
void judge(struct cpu *cpu, struct frame *frame);

/* records_readers.c */
void *reader_thread(void *arg);
void read_rest(void);
void forget_reading(void);

/* records_settings.c */
void settings_init(void);
void settings_begin_phase(u64 *seed);
void settings_end(void);
void settings_change(u64 *seed);
void store_wanted(struct instance *instance, struct cpu *cpu);
u64 setting_version(u64 *version);

#endif /* _RB_RECORDS_H */
