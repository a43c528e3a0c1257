/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The longest latency that a latency tracer has measured: a report about it, and a second buffer,
 * which keeps the entries that were recorded during the latency.
 *
 * Snapshots use the same second buffer, so no snapshot can be taken while a latency tracer runs.
 * `trace` then shows the second buffer, and not the buffer that records.
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
 * struct latency_report - a latency: a section that a latency tracer has measured
 * @ns: its length, in ns
 * @start: buffer time of its begin; older entries do not belong to it
 * @cpu: the CPU on which it ended
 * @everywhere: entries of other CPUs belong to it, too
 * @begun_at: address in the code where it began; 0: not shown
 * @ended_at: address in the code where it ended
 * @comm: name of the task that it is about
 * @pid: pid of that task
 * @uid: user of that task
 * @nice: nice value of that task
 * @policy: scheduling policy of that task
 * @rt_priority: priority of that task under real-time policies
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
 * struct latency_end - the end of a section that a latency tracer measures
 * @report: the latency; trace_latency_keep() fills in the members about @task
 * @task: the task that the section is about
 * @record: records the end of the section; called with interrupts off, only if it is kept
 */
struct latency_end {
	struct latency_report	report;
	struct task_struct	*task;
	void			(*record)(struct trace_array *tr, const struct latency_end *end);
};

/**
 * struct latency_view - the part of a buffer that readers show
 * @time_start: buffer time of the last reset, or of the beginning of what was kept; readers show
 *	times relative to it
 * @from: readers skip older entries
 * @to: readers stop at newer entries; 0: no limit
 * @cpu: readers show this CPU only; RING_BUFFER_ALL_CPUS: all CPUs
 * @missed: the longest later latency that was not kept because of readers, in ns; 0: none
 * @incomplete: the storage of some CPU could not be exchanged; any context writes it, without lock
 * @report: the latency that is kept; all zero if there is none
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
 * struct trace_latency - the longest latency of an instance
 * @active: a latency tracer runs, begins or ends; written under trace_array::lock, read anywhere
 * @lock: protects the maximum and the part of it that is shown, also while a new maximum is stored;
 *	taken with interrupts off, by latency_lock()
 * @max: tracing_max_latency, in ns: shorter latencies are not kept. Written with @lock held, but
 *	without it by hwlat and when a tracer begins
 * @file: tracing_max_latency in tracefs; NULL if it does not exist
 * @changed: queues @notify when @max has changed, as that context cannot queue a work
 * @notify: notifies the watchers of @file
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
 * struct latency_irqs - state of interrupts before latency_irqs_off()
 * @flags: interrupt flags of the CPU
 * @lockdep: interrupts were on in lockdep's view
 */
struct latency_irqs {
	unsigned long	flags;
	bool		lockdep;
};

/*
 * Switch interrupts off without calling the hooks of irqsoff, which may be callers of this.
 * Lockdep is told, as it judges each lock by its own view of interrupts. The kernel calls the
 * hooks before it tells lockdep that interrupts go on, and after it tells lockdep that interrupts
 * are off. So lockdep's view is right here, except where the kernel does not tell lockdep.
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

/* The file tracing_thresh, in ns; 0: not set. */
extern unsigned long tracing_thresh;

/**
 * trace_latency_counts - is a latency long enough to be kept?
 * @latency: the instance's latency data
 * @ns: length of the latency, in ns
 *
 * With tracing_thresh set, a latency of that length or more counts. Without, it has to be longer
 * than the maximum.
 *
 * Context: any.
 * Return: true if it is long enough.
 */
static __always_inline bool trace_latency_counts(const struct trace_latency *latency, u64 ns)
{
	u64 thresh = READ_ONCE(tracing_thresh);

	return thresh ? ns >= thresh : ns > READ_ONCE(latency->max);
}

/*
 * These functions exist only with CONFIG_LATENCY_TRACERS. A caller that is also built without it
 * calls trace_latency_active() first. That is constantly false then, and no call is left to link.
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
