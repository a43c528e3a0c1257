/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The longest of what a latency tracer measures: what is kept about it, and the buffer
 * that holds what was recorded meanwhile.
 *
 * That buffer is the one that snapshots use, so there are none while a latency tracer
 * runs. `trace` shows it in place of what is being recorded.
 */
#ifndef _TRACE_CORE_LATENCY_H
#define _TRACE_CORE_LATENCY_H

#include <linux/compiler.h>
#include <linux/instruction_pointer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/spinlock_types_raw.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

struct array_buffer;
struct dentry;
struct trace_array;

/**
 * struct latency_report - about something that took long
 * @ns: how long
 * @start: buffer time; no entry about it is older
 * @cpu: where it ended
 * @everywhere: what other CPUs recorded meanwhile belongs to it
 * @begun_at: code where it began; 0: that does not matter
 * @ended_at: where it ended
 * @comm: the task that it is about
 * @pid: of that task, and so are the others
 * @uid: its user
 * @nice: see task_nice()
 * @policy: SCHED_NORMAL or another
 * @rt_priority: for real-time policies
 */
struct latency_report {
	u64		ns;
	u64		start;
	int		cpu;
	bool		everywhere;
	unsigned long	begun_at;
	unsigned long	ended_at;
	char		comm[TASK_COMM_LEN];
	pid_t		pid;
	kuid_t		uid;
	int		nice;
	unsigned int	policy;
	unsigned int	rt_priority;
};

/**
 * struct latency_end - the end of something that a latency tracer measures
 * @report: about it; trace_latency_keep() fills in the members about @task
 * @task: the task that it is about
 * @record: records the end; called with interrupts off, only if it is kept
 */
struct latency_end {
	struct latency_report	report;
	struct task_struct	*task;
	void			(*record)(struct trace_array *tr, const struct latency_end *end);
};

/**
 * struct latency_kept - what a latency tracer has kept in a buffer
 * @report: about that; its @ns is 0 while there is nothing
 * @missed: the longest that was not kept since, as this was being read, in ns; 0: none was
 * @incomplete: the storage of some CPU could not be exchanged; written without a lock by
 *	whoever finds that
 * @readers: files that show it, and so what stays as it is
 */
struct latency_kept {
	struct latency_report	report;
	u64			missed;
	bool			incomplete;
	unsigned int		readers;
};

/**
 * struct latency_view - what of a buffer is shown
 * @time_start: times are told from then on
 * @from: older entries are passed over
 * @to: newer ones are not looked for, unless it is 0
 * @cpu: nor those of other CPUs, unless it is RING_BUFFER_ALL_CPUS
 * @missed: see struct latency_kept
 * @incomplete: the same
 * @report: what it is about; all zero in buffers that no latency tracer keeps
 */
struct latency_view {
	u64			time_start;
	u64			from;
	u64			to;
	int			cpu;
	u64			missed;
	bool			incomplete;
	struct latency_report	report;
};

/**
 * struct trace_latency - the longest that an instance has seen
 * @active: a latency tracer runs, or begins or ends; written under trace_array::lock, read
 *	anywhere
 * @lock: protects what is kept and what is shown of it, while a maximum is kept, too; taken with
 *	interrupts off, by latency_lock()
 * @max: tracing_max_latency, in ns: what is not longer is of no interest; written with @lock,
 *	but by hwlat, and when a tracer begins
 * @file: tracing_max_latency in tracefs; NULL: there is none
 * @changed: @max has: has @notify run, which cannot be asked for where that happens
 * @notify: tells who watches @file
 */
struct trace_latency {
	bool			active;
	raw_spinlock_t		lock;
	u64			max;
	struct dentry		*file;
	struct irq_work		changed;
	struct work_struct	notify;
};

/**
 * struct latency_irqs - interrupts as they were before latency_irqs_off()
 * @flags: of the CPU
 * @lockdep: lockdep knew that they were on
 */
struct latency_irqs {
	unsigned long	flags;
	bool		lockdep;
};

/*
 * Switch interrupts off without telling a section's hooks, which are what this is called by.
 * Lockdep is told, as it judges each lock by what it knows of interrupts. Hooks are called before
 * lockdep hears that interrupts are going to be on, and after it has heard that they are off, so
 * what it knows is right, but where the kernel has not told it either.
 */
static __always_inline struct latency_irqs latency_irqs_off(void)
{
	struct latency_irqs irqs;

	raw_local_irq_save(irqs.flags);
	irqs.lockdep = lockdep_hardirqs_enabled();
	if (irqs.lockdep)
		lockdep_hardirqs_off(_THIS_IP_);
	return irqs;
}

static __always_inline void latency_irqs_restore(struct latency_irqs irqs)
{
	if (irqs.lockdep) {
		lockdep_hardirqs_on_prepare();
		lockdep_hardirqs_on(_THIS_IP_);
	}
	raw_local_irq_restore(irqs.flags);
}

/* In ns; 0: whatever the tracer thinks best. */
extern unsigned long tracing_thresh;

/**
 * trace_latency_counts - is it long enough to be kept?
 * @latency: the instance's
 * @ns: how long something took
 *
 * With tracing_thresh all count that take as long as that. Any context.
 */
static __always_inline bool trace_latency_counts(const struct trace_latency *latency, u64 ns)
{
	u64 thresh = READ_ONCE(tracing_thresh);

	return thresh ? ns >= thresh : ns > READ_ONCE(latency->max);
}

/*
 * Only with CONFIG_LATENCY_TRACERS. Who is not built with that alone asks
 * trace_latency_active() first, which is false then, so that no call is left to link.
 */
int trace_latency_begin(struct trace_array *tr);
void trace_latency_end(struct trace_array *tr);
void trace_latency_restart(struct trace_array *tr);
void trace_latency_starts(struct trace_array *tr);
void trace_latency_keep(struct trace_array *tr, struct latency_end *end);
void trace_latency_max_changed(struct trace_array *tr);
struct array_buffer *trace_latency_get(struct trace_array *tr);
#ifdef CONFIG_LATENCY_TRACERS
bool trace_latency_possible(const struct trace_array *tr);
int trace_latency_init(struct trace_array *tr);
void trace_latency_remove(struct trace_array *tr);
void trace_latency_free(struct trace_array *tr);
void trace_latency_put(struct array_buffer *array);
void trace_latency_forget(struct array_buffer *array);
void trace_latency_view(struct array_buffer *array, struct latency_view *view);
#endif

#endif /* _TRACE_CORE_LATENCY_H */
