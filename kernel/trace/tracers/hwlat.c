// SPDX-License-Identifier: GPL-2.0
/*
 * The hwlat tracer: time that hardware or firmware takes from the kernel.
 *
 * A thread switches interrupts off and reads the clock in pairs, again and again. Between two
 * readings only the thread itself runs, unless an NMI comes; NMIs are counted. So if more than
 * tracing_thresh passes between the readings of a pair, or from one pair to the next, then hardware
 * or firmware has taken this time. The thread stops after hwlat_detector/width microseconds and
 * sleeps for the rest of hwlat_detector/window. Then it begins again: on the next CPU with mode
 * round-robin, on the same one with mode none. With mode per-cpu each CPU has a thread of its own.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/ftrace_irq.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_clock.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/record.h"
#include "../core/tracer.h"
#include "hwlat_sample.h"
#include "tracers.h"

enum hwlat_mode {
	MODE_NONE,
	MODE_ROUND_ROBIN,
	MODE_PER_CPU,
	NR_MODES
};

static const char * const mode_names[NR_MODES] = {
	[MODE_NONE]		= "none",
	[MODE_ROUND_ROBIN]	= "round-robin",
	[MODE_PER_CPU]		= "per-cpu",
};

/**
 * struct hwlat_cpu - data that threads and NMIs share on a CPU
 * @thread: the CPU's thread, with mode per-cpu
 * @sampling: the clock is being read, so NMIs count
 * @nmi_count: number of NMIs
 * @nmi_since: when the NMI that is running began, in ns
 * @nmi_total: time that NMIs took, in ns
 */
struct hwlat_cpu {
	struct task_struct	*thread;
	bool			sampling;
	unsigned int		nmi_count;
	u64			nmi_since;
	u64			nmi_total;
};

static DEFINE_PER_CPU(struct hwlat_cpu, hwlat_cpus);

/* Guards the settings and threads below. Inside of trace_array::lock and cpus_read_lock(). */
static DEFINE_MUTEX(hwlat_lock);
static u64 hwlat_width = 500 * USEC_PER_MSEC;
static u64 hwlat_window = USEC_PER_SEC;
static enum hwlat_mode hwlat_mode = MODE_ROUND_ROBIN;
static struct trace_array *hwlat_tr;	/* the instance that runs it, or NULL */
static struct task_struct *hwlat_thread;
static struct cpumask hwlat_place;	/* where it was put; under cpus_read_lock() */
static bool hwlat_running;
static atomic_t hwlat_seqnum;

DEFINE_STATIC_KEY_FALSE(trace_hwlat_nmi);

/**
 * trace_hwlat_nmi_event - count an NMI
 * @enter: true: the NMI begins; false: it ends
 *
 * Context: NMI.
 */
void trace_hwlat_nmi_event(bool enter)
{
	struct hwlat_cpu *here = this_cpu_ptr(&hwlat_cpus);

	if (!here->sampling)
		return;
	/* This clock can be read in an NMI, and is the one that sampling reads. */
	if (enter) {
		here->nmi_count++;
		here->nmi_since = trace_clock_local();
	} else {
		here->nmi_total += trace_clock_local() - here->nmi_since;
	}
}

static void record_sample(struct trace_array *tr, const struct hwlat_sample *sample)
{
	const struct hwlat_cpu *here = this_cpu_ptr(&hwlat_cpus);
	struct hwlat_entry *entry;

	entry = trace_reserve(tr, TRACE_HWLAT, sizeof(*entry), trace_context(preempt_count()));
	if (!entry)
		return;
	entry->seqnum = atomic_inc_return(&hwlat_seqnum);
	entry->duration = div_u64(sample->inner, NSEC_PER_USEC);
	entry->outer_duration = div_u64(sample->outer, NSEC_PER_USEC);
	entry->tv_sec = sample->first.tv_sec;
	entry->tv_nsec = sample->first.tv_nsec;
	entry->nmi_count = here->nmi_count;
	entry->nmi_total_ts = div_u64(here->nmi_total, NSEC_PER_USEC);
	entry->count = sample->count;
	trace_commit(tr);
}

/* Raise the maximum; other CPUs may be doing the same. */
static void keep_longest(struct trace_array *tr, u64 ns)
{
	u64 *longest = &tr->latency->max, before = READ_ONCE(*longest);

	while (ns > before) {
		if (try_cmpxchg64(longest, &before, ns)) {
			trace_latency_max_changed(tr);
			return;
		}
	}
}

static void sample_here(void)
{
	u64 thresh = READ_ONCE(tracing_thresh), width = READ_ONCE(hwlat_width);
	struct trace_array *tr = hwlat_tr;
	struct hwlat_sample sample = {};
	struct hwlat_cpu *here;

	local_irq_disable();
	here = this_cpu_ptr(&hwlat_cpus);
	here->nmi_count = 0;
	here->nmi_total = 0;
	WRITE_ONCE(here->sampling, true);
	barrier();
	hwlat_take_sample(&sample, width * NSEC_PER_USEC, thresh, trace_clock_local);
	barrier();
	WRITE_ONCE(here->sampling, false);
	if (sample.count) {
		record_sample(tr, &sample);
		keep_longest(tr, max(sample.inner, sample.outer));
	}
	local_irq_enable();
}

/*
 * Move the thread to the next CPU that is traced. If somebody has moved it to other CPUs, change
 * the mode to none instead. The scheduler moves it, too, if its CPU goes down; in this case
 * hwlat_cpu_down() clears hwlat_place. A task that waits for this thread to stop may hold the
 * hotplug lock, so the lock is only tried.
 */
static void move_on(void)
{
	int cpu;

	if (!cpus_read_trylock())
		return;
	if (!cpumask_empty(&hwlat_place) && !cpumask_equal(&hwlat_place, current->cpus_ptr)) {
		WRITE_ONCE(hwlat_mode, MODE_NONE);
		cpus_read_unlock();
		return;
	}
	cpu = cpumask_next_and(raw_smp_processor_id(), hwlat_tr->cpumask, cpu_online_mask);
	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first_and(hwlat_tr->cpumask, cpu_online_mask);
	if (cpu < nr_cpu_ids) {
		cpumask_copy(&hwlat_place, cpumask_of(cpu));
		set_cpus_allowed_ptr(current, &hwlat_place);
	}
	cpus_read_unlock();
}

static void sleep_until_window_ends(void)
{
	u64 window = READ_ONCE(hwlat_window), width = READ_ONCE(hwlat_width);
	/* While both are being changed, the new width may be longer than the old window. */
	u64 ms = window > width ? div_u64(window - width, USEC_PER_MSEC) : 0;

	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_timeout(msecs_to_jiffies(clamp_t(u64, ms, 1, UINT_MAX)));
	__set_current_state(TASK_RUNNING);
}

static int hwlat_work(void *unused)
{
	while (!kthread_should_stop()) {
		if (READ_ONCE(hwlat_mode) == MODE_ROUND_ROBIN)
			move_on();
		sample_here();
		sleep_until_window_ends();
	}
	return 0;
}

/*
 * Threads
 */

static int start_thread_of(unsigned int cpu)
{
	struct task_struct *thread;

	if (!cpumask_test_cpu(cpu, hwlat_tr->cpumask))
		return 0;
	thread = kthread_run_on_cpu(hwlat_work, NULL, cpu, "hwlatd/%u");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	per_cpu(hwlat_cpus, cpu).thread = thread;
	return 0;
}

static void stop_thread_of(unsigned int cpu)
{
	struct task_struct *thread = per_cpu(hwlat_cpus, cpu).thread;

	per_cpu(hwlat_cpus, cpu).thread = NULL;
	if (thread)
		kthread_stop(thread);
}

static void stop_threads(void)
{
	unsigned int cpu;

	hwlat_running = false;
	if (hwlat_thread)
		kthread_stop(hwlat_thread);
	hwlat_thread = NULL;
	for_each_possible_cpu(cpu)
		stop_thread_of(cpu);
}

/* Start a thread for all CPUs that are traced; if none of them is up, it runs on any CPU. */
static int start_one_thread(void)
{
	struct task_struct *thread = kthread_create(hwlat_work, NULL, "hwlatd");

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	set_cpus_allowed_ptr(thread, hwlat_tr->cpumask);
	cpumask_copy(&hwlat_place, thread->cpus_ptr);
	wake_up_process(thread);
	hwlat_thread = thread;
	return 0;
}

static int start_threads(void)
{
	unsigned int cpu;
	int err = 0;

	if (hwlat_mode == MODE_PER_CPU) {
		for_each_online_cpu(cpu)
			err = err ?: start_thread_of(cpu);
	} else {
		err = start_one_thread();
	}
	hwlat_running = !err;
	if (err)
		stop_threads();
	return err;
}

static int hwlat_cpu_up(unsigned int cpu)
{
	guard(mutex)(&hwlat_lock);
	if (hwlat_running && hwlat_mode == MODE_PER_CPU && !per_cpu(hwlat_cpus, cpu).thread)
		start_thread_of(cpu);
	return 0;
}

static int hwlat_cpu_down(unsigned int cpu)
{
	guard(mutex)(&hwlat_lock);
	stop_thread_of(cpu);
	if (cpumask_test_cpu(cpu, &hwlat_place))
		cpumask_clear(&hwlat_place);
	return 0;
}

/*
 * The tracer
 */

static void hwlat_start(struct trace_array *tr)
{
	guard(cpus_read_lock)();
	guard(mutex)(&hwlat_lock);
	if (!hwlat_running && start_threads())
		pr_err("tracing: hwlat: no threads\n");
}

static void hwlat_stop(struct trace_array *tr)
{
	guard(cpus_read_lock)();
	guard(mutex)(&hwlat_lock);
	stop_threads();
}

/*
 * thresh_before is tracing_thresh before hwlat was started. If it is 0, hwlat uses thresh_last: the
 * threshold at the end of its last run.
 */
static unsigned long thresh_before, thresh_last = 10 * NSEC_PER_USEC;

static void hwlat_end(void)
{
	static_branch_disable_cpuslocked(&trace_hwlat_nmi);
	WRITE_ONCE(tracing_thresh, thresh_before);
	hwlat_tr = NULL;
}

static int hwlat_init(struct trace_array *tr)
{
	int err = 0;

	guard(cpus_read_lock)();
	guard(mutex)(&hwlat_lock);
	if (hwlat_tr)
		return -EBUSY;
	hwlat_tr = tr;
	WRITE_ONCE(tr->latency->max, 0);
	atomic_set(&hwlat_seqnum, 0);
	thresh_before = READ_ONCE(tracing_thresh);
	if (!thresh_before)
		WRITE_ONCE(tracing_thresh, thresh_last);
	static_branch_enable_cpuslocked(&trace_hwlat_nmi);
	if (trace_array_is_on(tr))
		err = start_threads();
	if (err)
		hwlat_end();
	return err;
}

static void hwlat_reset(struct trace_array *tr)
{
	guard(cpus_read_lock)();
	guard(mutex)(&hwlat_lock);
	stop_threads();
	thresh_last = READ_ONCE(tracing_thresh);
	hwlat_end();
}

struct tracer hwlat_tracer = {
	.name		= "hwlat",
	.init		= hwlat_init,
	.reset		= hwlat_reset,
	.start		= hwlat_start,
	.stop		= hwlat_stop,
};

/*
 * hwlat_detector/
 */

static int width_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%llu\n", READ_ONCE(hwlat_width));
	return 0;
}

static int window_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%llu\n", READ_ONCE(hwlat_window));
	return 0;
}

static int width_store(struct trace_scope *scope, unsigned long us)
{
	guard(mutex)(&hwlat_lock);
	if (us > hwlat_window)
		return -EINVAL;
	WRITE_ONCE(hwlat_width, us);
	return 0;
}

static int window_store(struct trace_scope *scope, unsigned long us)
{
	guard(mutex)(&hwlat_lock);
	if (us < hwlat_width)
		return -EINVAL;
	WRITE_ONCE(hwlat_window, us);
	return 0;
}

static int mode_show(struct seq_file *m, struct trace_scope *scope)
{
	enum hwlat_mode mode, now = READ_ONCE(hwlat_mode);

	for (mode = 0; mode < NR_MODES; mode++)
		seq_printf(m, mode == now ? "%s[%s]" : "%s%s", mode ? " " : "", mode_names[mode]);
	seq_putc(m, '\n');
	return 0;
}

static int mode_store(struct trace_scope *scope, char *text)
{
	int mode = match_string(mode_names, NR_MODES, strim(text)), before, err;

	if (mode < 0)
		return -EINVAL;
	guard(cpus_read_lock)();
	guard(mutex)(&hwlat_lock);
	before = hwlat_mode;
	/* If the tracer is on, but its threads could not be started, this tries again. */
	if (!hwlat_running && !(hwlat_tr && trace_array_is_on(hwlat_tr))) {
		hwlat_mode = mode;
		return 0;
	}
	stop_threads();
	hwlat_mode = mode;
	err = start_threads();
	if (err) {
		hwlat_mode = before;
		if (start_threads())
			pr_err("tracing: hwlat: no threads\n");
	}
	return err;
}

TRACE_CONTROL(width_control, .show = width_show, .store_number = width_store);
TRACE_CONTROL(window_control, .show = window_show, .store_number = window_store);
TRACE_CONTROL(mode_control, .show = mode_show, .store = mode_store);

TRACE_FILES_IN("hwlat_detector", hwlat_files,
	{ "width", TRACE_MODE_WRITE, TRACE_FILE_TOP, &width_control.fops },
	{ "window", TRACE_MODE_WRITE, TRACE_FILE_TOP, &window_control.fops },
	{ "mode", TRACE_MODE_WRITE, TRACE_FILE_TOP, &mode_control.fops });

/**
 * hwlat_tracer_setup - start and stop threads when CPUs come up or go down
 *
 * Context: an initcall, before the tracer is registered.
 * Return: 0 or negative errno.
 */
int __init hwlat_tracer_setup(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "trace/hwlat:online",
					      hwlat_cpu_up, hwlat_cpu_down);

	return min(state, 0);
}
