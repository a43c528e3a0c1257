// SPDX-License-Identifier: GPL-2.0
/*
 * Code that all latency tracers share: it keeps the longest latency that they measure.
 *
 * A latency tracer records all the time. When a section ends that was longer than all before, the
 * CPU's buffer changes places with the buffer of the latency that was kept until then, and a
 * report describes the section. Readers skip the entries that are older than the section. While the
 * kept buffer is being read, no other latency is kept; the report then has the length of the
 * longest latency that was not kept.
 *
 * trace_latency_keep() may run wherever interrupts or preemption are switched, and in the
 * scheduler, so this code wakes no task: an irq_work queues the work that notifies the watchers of
 * tracing_max_latency.
 *
 * This is in core/, not in tracers/, as core/ uses it, too: `trace` shows what is kept, snapshots
 * leave their buffer to the tracer, and a new clock restarts it. The begin and the end of a tracer
 * are here as they replace the memory of snapshots, which core/ alone does.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fsnotify.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "../lib/irq_work.h"
#include "../lib/recursion.h"
#include "files.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"

/* This CPU holds a trace_latency::lock, is about to take it, or has just released it. */
static DEFINE_PER_CPU(bool, latency_locks_here);

/*
 * The functions that take and release the lock may be traced and probed. The kept buffer must not
 * have entries of this: latency_lock() hides the functions from tracers. And if a probe of these
 * functions causes an exception, trace_latency_keep() does not keep the latency of the exception.
 */
static struct latency_irqs latency_lock(struct trace_latency *latency)
{
	struct latency_irqs irqs = latency_irqs_off();

	__this_cpu_write(latency_locks_here, true);
	trace_hidden_lock(&latency->lock);
	return irqs;
}

static void latency_unlock(struct trace_latency *latency, struct latency_irqs irqs)
{
	trace_hidden_unlock(&latency->lock);
	__this_cpu_write(latency_locks_here, false);
	latency_irqs_restore(irqs);
}

DEFINE_LOCK_GUARD_1(latency, struct trace_latency, _T->irqs = latency_lock(_T->lock),
		    latency_unlock(_T->lock, _T->irqs), struct latency_irqs irqs)

/* Forget the latency that is kept. The caller holds the lock. */
static void latency_clear(struct array_buffer *array)
{
	array->view.report = (struct latency_report) {};
	array->view.missed = 0;
	WRITE_ONCE(array->view.incomplete, false);
	/* Readers skip entries that are exchanged after this, for the latency forgotten here. */
	array->view.from = U64_MAX;
}

/**
 * trace_latency_forget - clear the latency that is kept
 * @array: the buffer that keeps it
 *
 * tracing_max_latency stays as it is until another tracer begins. Readers show nothing of @array
 * until another latency is kept.
 *
 * Context: any but NMI.
 */
void trace_latency_forget(struct array_buffer *array)
{
	guard(latency)(array->tr->latency);
	latency_clear(array);
}

/*
 * Watchers of tracing_max_latency
 */

static void latency_notify(struct work_struct *work)
{
	struct trace_latency *latency = container_of(work, struct trace_latency, notify);

	fsnotify_inode(d_inode(latency->file), FS_MODIFY);
}

static void latency_queue_notify(struct irq_work *work)
{
	schedule_work(&container_of(work, struct trace_latency, changed)->notify);
}

/**
 * trace_latency_max_changed - notify the watchers of tracing_max_latency
 * @tr: the instance, whose tracer has found a new maximum
 *
 * All maxima that are found before the notification runs share it: the interrupt that queues it may
 * itself contain a section that counts.
 *
 * Context: any but NMI, with interrupts or preemption off.
 */
void trace_latency_max_changed(struct trace_array *tr)
{
	const struct dentry *file = READ_ONCE(tr->latency->file);

	if (!file || !fsnotify_sb_has_watchers(file->d_sb))
		return;
	/* A pending work sees the new maximum: the workqueue has a barrier after that. */
	smp_mb();
	if (!work_pending(&tr->latency->notify))
		trace_irq_work_queue(&tr->latency->changed);
}

/**
 * trace_latency_init - allocate the latency data of an instance
 * @tr: the instance, which is not published yet
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_latency_init(struct trace_array *tr)
{
	struct trace_latency *latency = kzalloc(sizeof(*latency), GFP_KERNEL);

	if (!latency)
		return -ENOMEM;
	raw_spin_lock_init(&latency->lock);
	init_irq_work(&latency->changed, latency_queue_notify);
	INIT_WORK(&latency->notify, latency_notify);
	tr->latency = latency;
	return 0;
}

/**
 * trace_latency_free - undo trace_latency_init(), if it was called
 * @tr: the instance, which no other code can find any more
 *
 * Context: any.
 */
void trace_latency_free(struct trace_array *tr)
{
	kfree(tr->latency);
}

/**
 * trace_latency_remove - wait for notifications of the watchers
 * @tr: the instance, which has no tracer any more, and still has its files
 *
 * Context: may sleep.
 */
void trace_latency_remove(struct trace_array *tr)
{
	irq_work_sync(&tr->latency->changed);
	cancel_work_sync(&tr->latency->notify);
}

/*
 * Begin and end of a tracer
 */

/**
 * trace_latency_possible - can a latency tracer begin?
 * @tr: the instance; the caller holds its lock
 *
 * Context: tr->lock held.
 * Return: false if the buffer is mapped, or snapshots have a condition.
 */
bool trace_latency_possible(const struct trace_array *tr)
{
	return !trace_is_mapped(&tr->mapping) && !trace_snapshot_has_cond(tr);
}

/**
 * trace_latency_begin - a latency tracer begins
 * @tr: the instance, whose lock the caller holds; nothing is recorded into it yet
 *
 * Until trace_latency_end() no snapshot can be taken.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; -EBUSY if trace_latency_possible() is false.
 */
int trace_latency_begin(struct trace_array *tr)
{
	int err;

	lockdep_assert_held(&tr->lock);
	if (!trace_latency_possible(tr) || !trace_exchange_begin(&tr->mapping))
		return -EBUSY;
	/* Set this first, and clear it last: the top of snapshot.c says why. */
	WRITE_ONCE(tr->latency->active, true);
	/*
	 * The contents of a snapshot are of no use here. But users that have called
	 * trace_snapshot_arm() need its memory if the tracer cannot get memory of its own, so keep
	 * the old memory until there is new memory.
	 */
	if (!tr->snapshots->armed)
		trace_snapshot_free(tr);
	err = trace_snapshot_renew(tr);
	if (err) {
		WRITE_ONCE(tr->latency->active, false);
		trace_exchange_end(&tr->mapping);
		return err;
	}
	WRITE_ONCE(tr->latency->max, 0);
	return 0;
}

/* Leave the tracer's buffer, empty, for snapshots. */
static void latency_leave_empty(struct trace_array *tr)
{
	struct array_buffer *array = trace_snapshot_kept(tr);

	/* Exchanges for the last maximum may be pending on some CPUs. */
	trace_snapshot_settle(tr);
	ring_buffer_reset(array->buffer);
	guard(latency)(tr->latency);
	latency_clear(array);
	array->view.from = 0;
	array->view.to = 0;
	array->view.cpu = RING_BUFFER_ALL_CPUS;
}

/**
 * trace_latency_end - a latency tracer ends; no caller can find a maximum any more
 * @tr: the instance, whose lock the caller holds
 *
 * The maximum and its trace are discarded. Users that called trace_snapshot_arm() get new memory
 * for snapshots. If none can be allocated, they get the memory of the tracer, which is cleared even
 * if files are open that read it.
 *
 * Context: may sleep.
 */
void trace_latency_end(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	/* A CPU that has found a maximum may still be keeping it. */
	trace_synchronize();
	if (!tr->snapshots->armed)
		trace_snapshot_free(tr);
	else if (trace_snapshot_renew(tr))
		latency_leave_empty(tr);
	WRITE_ONCE(tr->latency->active, false);
	trace_exchange_end(&tr->mapping);
}

/**
 * trace_latency_restart - clear the buffer, the kept latency, and the maximum
 * @tr: the instance, whose lock the caller holds
 *
 * Context: may sleep.
 */
void trace_latency_restart(struct trace_array *tr)
{
	lockdep_assert_held(&tr->lock);
	trace_snapshot_settle(tr);
	trace_array_reset(tr);
	ring_buffer_reset(trace_snapshot_buffer(tr));
	/* Clear both with the lock held, so that no kept latency is longer than the maximum. */
	guard(latency)(tr->latency);
	latency_clear(trace_snapshot_kept(tr));
	WRITE_ONCE(tr->latency->max, 0);
}

static void latency_fill(struct latency_report *report, struct task_struct *task)
{
	memcpy(report->comm, task->comm, sizeof(report->comm));
	report->pid = task->pid;
	/* The user of another task may be changing, so task_uid() reads it under RCU. */
	report->uid = task == current ? current_uid() : task_uid(task);
	report->nice = task_nice(task);
	report->policy = task->policy;
	report->rt_priority = task->rt_priority;
}

/* May the kept latency be replaced? Not while it is being read: then note the length @ns. */
static bool latency_may_keep(struct array_buffer *array, u64 ns)
{
	if (array->readers && array->view.report.ns) {
		array->view.missed = max(array->view.missed, ns);
		return false;
	}
	array->view.missed = 0;
	return true;
}

/**
 * trace_latency_keep - keep a latency if it is the longest so far
 * @tr: the instance, with a latency tracer
 * @end: the end of the section
 *
 * Keeps nothing if this CPU is already keeping a latency, or copying one for a reader.
 *
 * Context: any but NMI, on the CPU where the section ended, with preemption off.
 */
void trace_latency_keep(struct trace_array *tr, struct latency_end *end)
{
	struct array_buffer *kept = trace_snapshot_kept(tr);
	struct trace_latency *latency = tr->latency;
	struct latency_report *report = &end->report;

	if (__this_cpu_read(latency_locks_here))
		return;
	guard(latency)(latency);
	/* ns is negative if the clock was set back. Another CPU may have kept a longer latency. */
	if ((s64)report->ns < 0 || !trace_latency_counts(latency, report->ns))
		return;
	WRITE_ONCE(latency->max, report->ns);
	trace_latency_max_changed(tr);
	if (!latency_may_keep(kept, report->ns))
		return;
	end->record(tr, end);
	latency_fill(report, end->task);
	kept->view.report = *report;
	WRITE_ONCE(kept->view.incomplete, false);
	trace_snapshot_keep(tr, report);
}

static void latency_add_readers(struct array_buffer *array, int nr)
{
	guard(latency)(array->tr->latency);
	array->readers += nr;
}

/**
 * trace_latency_get - begin to read the latency that is kept
 * @tr: the instance
 *
 * Until trace_latency_put() no other latency replaces it.
 *
 * Context: may sleep.
 * Return: the buffer that is kept; NULL if no latency tracer runs.
 */
struct array_buffer *trace_latency_get(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	if (!trace_latency_active(tr))
		return NULL;
	/* First: trace_snapshot_hold() waits for pending exchanges, and no new one may come. */
	latency_add_readers(trace_snapshot_kept(tr), 1);
	return trace_snapshot_hold(tr);
}

/**
 * trace_latency_put - end reading the latency that is kept
 * @array: from trace_latency_get(); the tracer may have ended
 *
 * Context: may sleep.
 */
void trace_latency_put(struct array_buffer *array)
{
	latency_add_readers(array, -1);
	trace_snapshot_put(array);
}

/**
 * trace_latency_view - get the part of a buffer that readers show
 * @array: the buffer of an instance, or the one that a latency tracer keeps
 * @view: filled in
 *
 * Context: any but NMI.
 */
void trace_latency_view(struct array_buffer *array, struct latency_view *view)
{
	guard(latency)(array->tr->latency);
	/* A CPU may set incomplete, or a reset time_start, at the same time. */
	*view = data_race(array->view);
}

/*
 * tracing_max_latency
 */

static int max_show(struct seq_file *m, struct trace_scope *scope)
{
	u64 max = READ_ONCE(scope->tr->latency->max);

	seq_printf(m, "%llu\n", (max + NSEC_PER_USEC / 2) / NSEC_PER_USEC);
	return 0;
}

static int max_store(struct trace_scope *scope, char *text)
{
	unsigned long ns;
	int err = trace_parse_us(text, 10, &ns);

	if (err)
		return err;
	/*
	 * Take the lock, so that the maximum does not change after trace_latency_keep() has
	 * compared with it and before it replaces it.
	 */
	guard(latency)(scope->tr->latency);
	WRITE_ONCE(scope->tr->latency->max, ns);
	return 0;
}

static void max_created(struct trace_array *tr, struct dentry *file)
{
	WRITE_ONCE(tr->latency->file, file);
}

TRACE_CONTROL(max_control, .show = max_show, .store = max_store);

TRACE_FILES(latency_files,
	{ "tracing_max_latency", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &max_control.fops,
	  .created = max_created });
