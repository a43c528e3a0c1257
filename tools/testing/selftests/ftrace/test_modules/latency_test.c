// SPDX-License-Identifier: GPL-2.0
/*
 * Sections whose length is known, for tests of latency tracers. Writing to "run"
 *
 *	WHAT US [COUNT]
 *
 * makes a section of kind WHAT that takes US microseconds; or, with a COUNT, that many sections on
 * each CPU, each of a random length up to US. Afterwards "inner" and "outer" are lengths of the
 * longest sections, in nanoseconds of the trace clock "local". "inner" is measured from after a
 * section had begun until before it ended: a tracer must not report less. "outer" is measured from
 * before a section began until after it had ended: a tracer that measures such sections must not
 * report more. With a COUNT, "inner" leaves out sections in which the CPU wrote to a console, as
 * tracers see two sections then.
 *
 * WHAT is
 *
 *	irqs	interrupts are off
 *	preempt	preemption is off
 *	lock	preemption is off, by a lock
 *	both	preemption is off, then both, then interrupts
 *	around	interrupts are off, then both, then preemption
 *	calls	both, in a function that has calls of its own
 *	probed	a kprobe is hit, and then nothing is off
 *	quiet	interrupts and preemption are off, but the kernel says that this is no latency
 *	printed	nothing is off; an interrupt comes that prints
 *	idle	this CPU idles; when it wakes up, it spins for US before it
 *		switches interrupts on
 *	wake	preemption is off, while a real-time task waits for this CPU; it is the
 *		task's wait that is measured
 *	wake-moved	as "wake"; halfway the task is moved to another CPU, which is busy, too
 *	wake-urged	as "wake"; halfway the task becomes more urgent
 *	wake-eased	as "wake"; halfway the task stops being a real-time task
 *	wake-over	as "wake"; a less urgent task waits already, and goes on waiting
 *	wake-under	as "wake"; halfway a less urgent task is woken, and waits longer
 *	wake-plain	as "wake", but the task is not a real-time task
 *	wake-deadline	as "wake", but the task has a deadline
 *	wake-deadlines	as "wake-deadline"; the waking task has a later deadline
 *	wake-deadline-moved	as "wake-moved", but the task has a deadline
 *	wake-deadline-eased	as "wake-deadline"; halfway the task loses its deadline. With
 *			CONFIG_CPUSETS that needs a lock, and is not supported
 *	wake-calls	as "wake"; half of the time passes in the function of "calls"
 *
 * Tasks that wait, and threads that make a COUNT of sections, belong to user "uid" and have the
 * nice value "nice". "preemption" is the preemption model of the kernel, as headers name it.
 */
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/console.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/trace_clock.h>
#include <linux/tracepoint.h>
#include <linux/uidgid.h>
#include <uapi/linux/sched.h>
#include <uapi/linux/sched/types.h>

#include <trace/events/power.h>

/* Times: before the section, after its begin, before its end, and after the section. */
struct times {
	u64	before;
	u64	began;
	u64	ends;
	u64	after;
};

static u64 inner, outer;
module_param(inner, ullong, 0444);
module_param(outer, ullong, 0444);

static char *preemption = IS_ENABLED(CONFIG_PREEMPT_RT) ? "preempt_rt" :
			  IS_ENABLED(CONFIG_PREEMPT) ? "preempt" :
			  IS_ENABLED(CONFIG_PREEMPT_VOLUNTARY) ? "desktop" : "server";
module_param(preemption, charp, 0444);

static unsigned int uid;
static int nice;
module_param(uid, uint, 0644);
module_param(nice, int, 0644);

/* Give the current thread the user and the nice value that the parameters say. */
static void become_user(void)
{
	struct cred *cred = prepare_creds();

	if (!cred)
		return;
	cred->uid = KUIDT_INIT(uid);
	commit_creds(cred);
	set_user_nice(current, nice);
}

static notrace void spin(u64 ns)
{
	u64 end = trace_clock_local() + ns;
	unsigned int i;

	/*
	 * An emulator that counts instructions stops whenever the clock is read, and at
	 * cpu_relax().
	 */
	while ((s64)(trace_clock_local() - end) < 0) {
		for (i = 0; i < 500; i++)
			barrier();
	}
}

static noinline void irqs_section(struct times *at, u64 ns)
{
	at->before = trace_clock_local();
	local_irq_disable();
	at->began = trace_clock_local();
	spin(ns);
	at->ends = trace_clock_local();
	local_irq_enable();
	at->after = trace_clock_local();
}

static noinline void preempt_section(struct times *at, u64 ns)
{
	at->before = trace_clock_local();
	preempt_disable();
	at->began = trace_clock_local();
	spin(ns);
	at->ends = trace_clock_local();
	preempt_enable();
	at->after = trace_clock_local();
}

static DEFINE_SPINLOCK(section_lock);

static noinline void lock_section(struct times *at, u64 ns)
{
	at->before = trace_clock_local();
	spin_lock(&section_lock);
	at->began = trace_clock_local();
	spin(ns);
	at->ends = trace_clock_local();
	spin_unlock(&section_lock);
	at->after = trace_clock_local();
}

static noinline void both_section(struct times *at, u64 ns)
{
	at->before = trace_clock_local();
	preempt_disable();
	at->began = trace_clock_local();
	spin(ns / 2);
	local_irq_disable();
	preempt_enable();
	spin(ns / 2);
	at->ends = trace_clock_local();
	local_irq_enable();
	at->after = trace_clock_local();
}

static noinline void around_section(struct times *at, u64 ns)
{
	at->before = trace_clock_local();
	local_irq_disable();
	at->began = trace_clock_local();
	spin(ns / 2);
	preempt_disable();
	local_irq_enable();
	spin(ns / 2);
	at->ends = trace_clock_local();
	preempt_enable();
	at->after = trace_clock_local();
}

static noinline void short_call(void)
{
	barrier();
}

static noinline void long_call(u64 ns)
{
	short_call();
	spin(ns);
	short_call();
	barrier();
}

static noinline void calls_section(struct times *at, u64 ns)
{
	at->before = trace_clock_local();
	preempt_disable();
	local_irq_disable();
	at->began = trace_clock_local();
	long_call(ns);
	at->ends = trace_clock_local();
	local_irq_enable();
	preempt_enable();
	at->after = trace_clock_local();
}

static noinline void probed(void)
{
	barrier();
}

static int do_nothing(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe probe = {
	.addr		= (kprobe_opcode_t *)probed,
	.pre_handler	= do_nothing,
};

static noinline void probed_section(struct times *at, u64 ns)
{
	at->before = at->began = at->ends = at->after = 0;
	probed();
	spin(ns);
}

/* A section like those of code that prints on a console. */
static noinline void quiet_section(struct times *at, u64 ns)
{
	at->before = at->began = at->ends = at->after = 0;
	local_irq_disable();
	stop_critical_timings();
	preempt_disable();
	spin(ns);
	preempt_enable();
	start_critical_timings();
	local_irq_enable();
}

static enum hrtimer_restart print_something(struct hrtimer *timer)
{
	stop_critical_timings();
	start_critical_timings();
	return HRTIMER_NORESTART;
}

static noinline void printed_section(struct times *at, u64 ns)
{
	struct hrtimer timer;

	at->before = at->began = at->ends = at->after = 0;
	hrtimer_init_on_stack(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = print_something;
	hrtimer_start(&timer, ns_to_ktime(100 * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
	spin(ns);
	hrtimer_cancel(&timer);
	destroy_hrtimer_on_stack(&timer);
}

/* Where a section is to be made: when this CPU stops idling. @over: it was made. */
struct idle_end {
	unsigned int	cpu;
	struct times	*at;
	u64		ns;
	bool		over;
};

static void probe_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct idle_end *idle = data;

	if (state != (unsigned int)PWR_EVENT_EXIT || cpu != idle->cpu || idle->over)
		return;
	idle->at->began = trace_clock_local();
	spin(idle->ns);
	idle->at->ends = trace_clock_local();
	WRITE_ONCE(idle->over, true);
}

/* The CPU idles while this task sleeps. The task goes on after the section. */
static noinline void idle_section(struct times *at, u64 ns)
{
	struct idle_end idle = { .cpu = raw_smp_processor_id(), .at = at, .ns = ns };

	*at = (struct times) { .before = trace_clock_local() };
	at->after = at->before;
	if (register_trace_cpu_idle(probe_idle, &idle))
		return;
	while (!READ_ONCE(idle.over))
		schedule_timeout_uninterruptible(1);
	unregister_trace_cpu_idle(probe_idle, &idle);
	tracepoint_synchronize_unregister();
	at->after = trace_clock_local();
}

/*
 * The task that waits. When it sleeps again, the task that woke it goes on.
 */

static DECLARE_COMPLETION(to_run);
static u64 ran_at;

static int wait_to_run(void *unused)
{
	become_user();
	while (!kthread_should_stop()) {
		wait_for_completion_interruptible(&to_run);
		WRITE_ONCE(ran_at, trace_clock_local());
	}
	return 0;
}

/*
 * The task runs before tasks with later deadlines, even if it has to wait beyond its own deadline.
 */
static int set_deadline(struct task_struct *task, u64 runtime, u64 deadline)
{
	const struct sched_attr attr = {
		.size		= sizeof(attr),
		.sched_policy	= SCHED_DEADLINE,
		.sched_runtime	= runtime,
		.sched_deadline	= deadline,
		.sched_period	= deadline,
	};

	return sched_setattr_nocheck(task, &attr);
}

/*
 * The task is moved to the CPU of the mover, which is no less urgent: if the task has a deadline,
 * the mover has an earlier one.
 *
 *	waking task		mover
 *	wakes the mover
 *	waits for "held"	runs
 *				held = true
 *	wakes the task		waits for "move"
 *	spins
 *	move = true
 *	waits for "moved"	moves the task
 *				moved = true
 *	...			spins, ends; then the task runs there
 *
 * The mover's own wait must be over when the task is woken: the tracers follow a second task only
 * if it is more urgent than the first.
 */
static struct task_struct *mover;
static bool held, move, moved;
static u64 move_ns, held_until;

static noinline void held_call(void)
{
	cpu_relax();
}

static int move_task(void *task)
{
	held_call();
	WRITE_ONCE(held, true);
	while (!READ_ONCE(move) && !kthread_should_stop())
		cpu_relax();
	set_cpus_allowed_ptr(task, cpumask_of(raw_smp_processor_id()));
	WRITE_ONCE(moved, true);
	spin(move_ns);
	held_call();
	WRITE_ONCE(held_until, trace_clock_local());
	return 0;
}

static void end_move(struct task_struct *task)
{
	kthread_stop(mover);
	put_task_struct(mover);
}

/* get_task_struct() keeps it until end_move(), even if it ends before. */
static int create_mover(struct task_struct *task)
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());

	if (cpu >= nr_cpu_ids)
		return -ENODEV;
	held = false;
	move = false;
	moved = false;
	mover = kthread_create(move_task, task, "latency_mover");
	if (IS_ERR(mover))
		return PTR_ERR(mover);
	get_task_struct(mover);
	kthread_bind(mover, cpu);
	return 0;
}

static void start_mover(void)
{
	wake_up_process(mover);
	while (!READ_ONCE(held))
		cond_resched();
}

static int prepare_move(struct task_struct *task)
{
	int err = create_mover(task);

	if (err)
		return err;
	sched_set_fifo(mover);
	start_mover();
	sched_set_fifo(task);
	return 0;
}

static int prepare_deadline_move(struct task_struct *task)
{
	int err = create_mover(task);

	if (err)
		return err;
	err = set_deadline(mover, NSEC_PER_SEC, 2 * NSEC_PER_SEC) ?:
	      set_deadline(task, 10 * NSEC_PER_MSEC, 4 * NSEC_PER_SEC);
	if (err)
		end_move(task);
	else
		start_mover();
	return err;
}

static void have_moved(struct task_struct *task, u64 ns)
{
	move_ns = ns;
	WRITE_ONCE(move, true);
	while (!READ_ONCE(moved))
		cpu_relax();
}

static int prepare_fifo(struct task_struct *task)
{
	sched_set_fifo(task);
	return 0;
}

static int prepare_fifo_low(struct task_struct *task)
{
	sched_set_fifo_low(task);
	return 0;
}

static int prepare_nothing(struct task_struct *task)
{
	return 0;
}

static int prepare_deadline(struct task_struct *task)
{
	return set_deadline(task, 10 * NSEC_PER_MSEC, 100 * NSEC_PER_MSEC);
}

static int prepare_to_ease(struct task_struct *task)
{
	return IS_ENABLED(CONFIG_CPUSETS) ? -EOPNOTSUPP : prepare_deadline(task);
}

/* The waking task has enough runtime to go on for as long as the task waits. */
static int prepare_deadlines(struct task_struct *task)
{
	return prepare_deadline(task) ?:
	       set_deadline(current, NSEC_PER_SEC / 4, 2 * NSEC_PER_SEC);
}

static void end_deadlines(struct task_struct *task)
{
	sched_set_normal(current, 0);
}

static void urge_task(struct task_struct *task, u64 ns)
{
	sched_set_fifo(task);
}

static void ease_task(struct task_struct *task, u64 ns)
{
	sched_set_normal(task, 0);
}

static void make_calls(struct task_struct *task, u64 ns)
{
	long_call(ns);
}

static struct task_struct *less_urgent;

static int wait_to_stop(void *unused)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int prepare_two(struct task_struct *task)
{
	less_urgent = kthread_create(wait_to_stop, NULL, "latency_less");
	if (IS_ERR(less_urgent))
		return PTR_ERR(less_urgent);
	set_cpus_allowed_ptr(less_urgent, cpumask_of(raw_smp_processor_id()));
	sched_set_fifo_low(less_urgent);
	sched_set_fifo(task);
	return 0;
}

static void wake_less_urgent(u64 ns)
{
	wake_up_process(less_urgent);
	spin(ns);
}

static void wake_another(struct task_struct *task, u64 ns)
{
	wake_up_process(less_urgent);
}

static void end_two(struct task_struct *task)
{
	kthread_stop(less_urgent);
}

static const struct wake_kind {
	const char	*name;
	/*
	 * Called before the task waits; when the task cannot run any more; in the middle of the
	 * wait, with the ns that are left; and after the wait.
	 */
	int		(*prepare)(struct task_struct *task);
	void		(*first)(u64 ns);
	void		(*halfway)(struct task_struct *task, u64 ns);
	void		(*end)(struct task_struct *task);
} wake_kinds[] = {
	{ "wake",	prepare_fifo },
	{ "wake-moved",	prepare_move,		NULL,		  have_moved,	end_move },
	{ "wake-urged",	prepare_fifo_low,	NULL,		  urge_task },
	{ "wake-eased",	prepare_fifo,		NULL,		  ease_task },
	{ "wake-over",	prepare_two,		wake_less_urgent, NULL,		end_two },
	{ "wake-under",	prepare_two,		NULL,		  wake_another,	end_two },
	{ "wake-plain",	prepare_nothing },
	{ "wake-deadline", prepare_deadline },
	{ "wake-deadlines", prepare_deadlines,	NULL,		  NULL,		end_deadlines },
	{ "wake-deadline-moved", prepare_deadline_move, NULL, have_moved, end_move },
	{ "wake-deadline-eased", prepare_to_ease, NULL,	  ease_task },
	{ "wake-calls",	prepare_fifo,		NULL,		  make_calls },
};

static const struct wake_kind *wake_called(const char *what)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wake_kinds); i++) {
		if (!strcmp(wake_kinds[i].name, what))
			return &wake_kinds[i];
	}
	return NULL;
}

/* The stack at the wake-up tells this wait of the task from its other waits. */
static noinline void wake_section(const struct wake_kind *kind, struct task_struct *task,
				  struct times *at, u64 ns)
{
	WRITE_ONCE(ran_at, 0);
	held_until = 0;
	preempt_disable();
	if (kind->first)
		kind->first(ns);
	at->before = trace_clock_local();
	complete(&to_run);
	at->began = trace_clock_local();
	spin(ns / 2);
	if (kind->halfway)
		kind->halfway(task, ns / 2);
	spin(ns / 2);
	at->ends = trace_clock_local();
	preempt_enable();
	while (!READ_ONCE(ran_at))
		cond_resched();
	at->after = READ_ONCE(ran_at);
	if (held_until)
		at->ends = min(held_until, at->after);
}

static int run_wake(const struct wake_kind *kind, struct times *at, u64 ns)
{
	struct task_struct *task = kthread_create(wait_to_run, NULL, "latency_test");
	int err;

	if (IS_ERR(task))
		return PTR_ERR(task);
	/* Stay on the CPU of the caller, which is not moved. */
	set_cpus_allowed_ptr(task, cpumask_of(raw_smp_processor_id()));
	err = kind->prepare(task);
	if (err) {
		kthread_stop(task);
		return err;
	}
	wake_up_process(task);
	/* Until the task waits. */
	while (!(READ_ONCE(task->__state) & TASK_INTERRUPTIBLE))
		schedule_timeout_uninterruptible(1);
	wake_section(kind, task, at, ns);
	if (kind->end)
		kind->end(task);
	complete(&to_run);
	kthread_stop(task);
	reinit_completion(&to_run);
	return 0;
}

typedef void section_fn(struct times *at, u64 ns);

static const struct {
	const char	*name;
	section_fn	*section;
} sections[] = {
	{ "irqs",	irqs_section },
	{ "preempt",	preempt_section },
	{ "lock",	lock_section },
	{ "both",	both_section },
	{ "around",	around_section },
	{ "calls",	calls_section },
	{ "probed",	probed_section },
	{ "quiet",	quiet_section },
	{ "printed",	printed_section },
	{ "idle",	idle_section },
};

/* The longest of some sections. The two lengths may be those of two sections. */
struct longest {
	u64	inner;
	u64	outer;
};

static void note(struct longest *longest, const struct times *at, bool whole)
{
	if (whole)
		longest->inner = max(longest->inner, at->ends - at->began);
	longest->outer = max(longest->outer, at->after - at->before);
}

static void show(const struct longest *longest)
{
	inner = max(inner, longest->inner);
	outer = max(outer, longest->outer);
}

static section_fn *section_called(const char *what)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		if (!strcmp(sections[i].name, what))
			return sections[i].section;
	}
	return NULL;
}

/* How often a CPU has written to consoles: this module registers one. Interrupts may write, too. */
static DEFINE_PER_CPU(unsigned int, written);

static void note_written(struct console *console, const char *text, unsigned int length)
{
	this_cpu_inc(written);
}

static struct console note_console = {
	.name	= "latency_test",
	.write	= note_written,
	.flags	= CON_ENABLED,
	.index	= -1,
};

/* The sections that one CPU makes, and the longest of them. */
struct job {
	section_fn		*section;
	u64			ns;
	unsigned int		count;
	struct longest		longest;
	struct completion	done;
};

static int do_job(void *data)
{
	struct rnd_state state;
	struct job *job = data;
	unsigned int before, i;
	struct times at;

	become_user();
	prandom_seed_state(&state, get_random_u64());
	for (i = 0; i < job->count; i++) {
		before = this_cpu_read(written);
		job->section(&at, prandom_u32_state(&state) % (u32)job->ns);
		note(&job->longest, &at, this_cpu_read(written) == before);
		cond_resched();
	}
	/* As soon as the waiter is told, the module may be unloaded. */
	kthread_complete_and_exit(&job->done, 0);
}

static int run_everywhere(const struct job *what)
{
	struct job *jobs __free(kfree) = kcalloc(nr_cpu_ids, sizeof(*jobs), GFP_KERNEL);
	struct task_struct *task;
	unsigned int cpu;

	if (!jobs)
		return -ENOMEM;
	for_each_online_cpu(cpu) {
		jobs[cpu] = *what;
		init_completion(&jobs[cpu].done);
		task = kthread_create(do_job, &jobs[cpu], "latency_test/%u", cpu);
		if (IS_ERR(task)) {
			complete(&jobs[cpu].done);
			continue;
		}
		kthread_bind(task, cpu);
		wake_up_process(task);
	}
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (!jobs[cpu].section)
			continue;
		wait_for_completion(&jobs[cpu].done);
		show(&jobs[cpu].longest);
	}
	return 0;
}

static int run_sections(const char *what, u64 ns, unsigned int count)
{
	struct job job = { .section = section_called(what), .ns = ns, .count = count };
	struct times at;

	if (!job.section)
		return -EINVAL;
	if (count)
		return run_everywhere(&job);
	job.section(&at, ns);
	note(&job.longest, &at, true);
	show(&job.longest);
	return 0;
}

static int run(const char *text, const struct kernel_param *param)
{
	struct longest longest = { };
	const struct wake_kind *kind;
	unsigned int us, count = 0;
	struct times at;
	char what[24];
	int err;

	if (sscanf(text, "%23s %u %u", what, &us, &count) < 2 || !us)
		return -EINVAL;
	inner = 0;
	outer = 0;
	kind = wake_called(what);
	if (!kind)
		return run_sections(what, us * NSEC_PER_USEC, count);
	err = run_wake(kind, &at, us * NSEC_PER_USEC);
	if (err)
		return err;
	note(&longest, &at, true);
	show(&longest);
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = run,
};
module_param_cb(run, &run_ops, NULL, 0200);

static int __init latency_test_init(void)
{
	int err = register_kprobe(&probe);

	/* Without kprobes, everything except "probed" works. */
	if (err && err != -EOPNOTSUPP)
		return err;
	register_console(&note_console);
	return 0;
}
module_init(latency_test_init);

static void __exit latency_test_exit(void)
{
	unregister_console(&note_console);
	unregister_kprobe(&probe);
}
module_exit(latency_test_exit);

MODULE_DESCRIPTION("What latency tracers measure, for tests of them");
MODULE_LICENSE("GPL");
