// SPDX-License-Identifier: GPL-2.0
/*
 * The call site of the function that handles interrupts between CPUs (IPIs) is switched while all
 * CPUs run it.
 *
 * A thread on each CPU sends such interrupts to its own CPU, one after the other. Meanwhile the
 * site is switched: the filter of an ops gets the handler, or loses it. After each switch every
 * interrupt is checked: the handler must call the ops if the filter has the handler, and nothing if
 * it does not. The next switch waits until each CPU was checked several times. A CPU that still
 * runs the old instruction fails the test, whether the patching code or the machine is at fault.
 * Parameters, for shell scripts:
 *
 *	switch N	switch the site N times
 *	skip 1		check as after a switch, without a switch. CPUs do what a CPU with the
 *			old instruction of a site that is off would do: the counts must show it
 *	report		the results; anything that is written to it sets this to 0:
 *		switches	of the site, off and on
 *		looks		interrupts that were checked
 *		calls		of the ops, on each CPU
 *		not called	checks that found that the ops was not called though it wants
 *				the handler
 *		called		checks that found that the ops was called though it does not want
 *				the handler
 *		off calls	checks that found that the site called though it is off
 *		late		switches that a CPU followed, but late
 *		never		switches that a CPU did not follow at all
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/unaligned.h>

#include "ftrace_off_calls.h"

#define LOOKS		3	/* after each switch, on each CPU */
#define MORE_LOOKS	1000	/* on a CPU that does not follow */

#ifdef CONFIG_RISCV
#define HANDLER	"handle_IPI"
#else
#define HANDLER	"ipi_handler"
#endif

/* The filter always has it: an empty filter would select all functions. */
static noinline __noclone void nobody_calls_this(void)
{
	barrier();
}

static unsigned long site;
static DEFINE_PER_CPU(unsigned long, calls);

static void notrace count_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	WRITE_ONCE(site, ip);
	this_cpu_inc(calls);
}

static struct ftrace_ops ipi_ops = { .func = count_call };

/*
 * The checks of one thread. The thread stays on its CPU during a check. The site is switched in odd
 * turns; checks that overlap an odd turn do not count.
 */
struct looker {
	struct irq_work		work;
	struct task_struct	*task;
	unsigned long		turn;
	unsigned long		turn_looks;
	unsigned long		turn_bad;
	bool			last_good;
	/* of all turns */
	unsigned long		looks;
	unsigned long		not_called;
	unsigned long		called;
	unsigned long		off_calls;
};

static DEFINE_PER_CPU(struct looker, lookers);
static struct looker switcher;

static unsigned long turn;
static bool wanted;	/* by the ops, in this turn */
static bool pretend;

static void notrace work_here(struct irq_work *work)
{
	if (unlikely(READ_ONCE(pretend)))
		off_calls_pretend(site, &ipi_ops);
}

/* The CPU is in no interrupt when it sends one to itself, so the handler starts anew. */
static void notrace run_handler(struct looker *l)
{
	irq_work_queue(&l->work);
	while (irq_work_is_busy(&l->work))
		cpu_relax();
}

/* Called with preemption off. */
static void notrace look(struct looker *l)
{
	unsigned long this_turn, called, off_calls;
	bool on;

	this_turn = smp_load_acquire(&turn);	/* pairs with begin_turn() */
	on = READ_ONCE(wanted);
	called = this_cpu_read(calls);
	off_calls = off_calls_here();
	run_handler(l);
	called = this_cpu_read(calls) - called;
	off_calls = off_calls_here() - off_calls;
	smp_rmb();	/* pairs with end_turn() */
	if (this_turn & 1 || READ_ONCE(turn) != this_turn)
		return;
	if (l->turn != this_turn) {
		l->turn_looks = 0;
		l->turn_bad = 0;
		smp_store_release(&l->turn, this_turn);	/* pairs with enough_looks() */
	}
	WRITE_ONCE(l->last_good, !called == !on && !off_calls);
	l->turn_bad += !l->last_good;
	l->not_called += on && !called;
	l->called += !on && called;
	l->off_calls += off_calls != 0;
	l->looks++;
	smp_store_release(&l->turn_looks, l->turn_looks + 1);	/* pairs with enough_looks() */
}

static int notrace looker_thread(void *data)
{
	set_user_nice(current, MAX_NICE);
	while (!kthread_should_stop()) {
		scoped_guard(preempt)
			look(data);
		cond_resched();
	}
	return 0;
}

static void stop_lookers(void)
{
	struct looker *l;
	int cpu;

	for_each_possible_cpu(cpu) {
		l = per_cpu_ptr(&lookers, cpu);
		if (l->task)
			kthread_stop(l->task);
		l->task = NULL;
	}
}

static int start_lookers(void)
{
	struct task_struct *task;
	struct looker *l;
	int cpu;

	guard(cpus_read_lock)();
	for_each_online_cpu(cpu) {
		l = per_cpu_ptr(&lookers, cpu);
		l->work = IRQ_WORK_INIT_HARD(work_here);
		task = kthread_run_on_cpu(looker_thread, l, cpu, "ipi_test/%u");
		if (IS_ERR(task)) {
			stop_lookers();
			return PTR_ERR(task);
		}
		l->task = task;
	}
	return 0;
}

/*
 * The switches.
 */
static unsigned long switches, late, never;
static u64 switch_ns;
static bool is_on;

/* If a CPU sees the site change, it also sees that the turn is over. */
static void end_turn(void)
{
	WRITE_ONCE(turn, turn + 1);
	smp_mb();	/* pairs with look() */
}

static void begin_turn(bool on)
{
	WRITE_ONCE(wanted, on);
	smp_store_release(&turn, turn + 1);	/* pairs with look() */
}

static int switch_site(void)
{
	u64 start = ktime_get_ns();
	int err = ftrace_set_filter_ip(&ipi_ops, site, is_on, 0);

	if (err)
		return err;
	switch_ns += ktime_get_ns() - start;
	is_on = !is_on;
	switches++;
	return 0;
}

/* Has it made enough checks in this turn? */
static bool enough_looks(struct looker *l)
{
	unsigned long looks;

	if (smp_load_acquire(&l->turn) != turn)	/* pairs with look() */
		return false;
	looks = smp_load_acquire(&l->turn_looks);	/* pairs with look() */
	return looks >= MORE_LOOKS || (looks >= LOOKS && READ_ONCE(l->last_good));
}

/*
 * Report a CPU that did not follow, with the instructions that the site holds, read as data. If
 * these are right, the machine is at fault, rather than the code that patches.
 */
static void judge(struct looker *l, int cpu)
{
	u32 *insn = (u32 *)site;

	if (!l->turn_bad)
		return;
	late += l->last_good;
	never += !l->last_good;
	pr_info("switch %lu: CPU %d %s: %lu of %lu looks are wrong; the site is %s: %08x %08x\n",
		switches, cpu, l->last_good ? "follows late" : "does not follow", l->turn_bad,
		l->turn_looks, wanted ? "on" : "off", get_unaligned(insn),
		get_unaligned(insn + 1));
}

/* The task that switches the site checks its own CPU, and waits for the others. */
static int look_at_all(void)
{
	struct looker *l;
	int cpu;

	guard(cpus_read_lock)();
	guard(preempt)();
	while (!enough_looks(&switcher))
		look(&switcher);
	judge(&switcher, smp_processor_id());
	for_each_online_cpu(cpu) {
		if (cpu == smp_processor_id())
			continue;
		l = per_cpu_ptr(&lookers, cpu);
		while (!enough_looks(l)) {
			if (signal_pending(current))
				return -EINTR;
			cpu_relax();
		}
		judge(l, cpu);
	}
	return 0;
}

static int switch_set(const char *val, const struct kernel_param *unused)
{
	unsigned long nr;
	int err;

	err = kstrtoul(val, 0, &nr);
	if (!err)
		err = start_lookers();
	if (err)
		return err;
	for (; nr && !err; nr--) {
		end_turn();
		err = switch_site();
		begin_turn(is_on);
		err = err ?: look_at_all();
	}
	stop_lookers();
	return err;
}

static int skip_set(const char *val, const struct kernel_param *unused)
{
	int err = start_lookers();

	if (err)
		return err;
	end_turn();
	WRITE_ONCE(pretend, true);
	begin_turn(!is_on);
	err = look_at_all();
	end_turn();
	WRITE_ONCE(pretend, false);
	begin_turn(is_on);
	stop_lookers();
	return err;
}

static struct looker sum_of_lookers(void)
{
	struct looker *l, sum = switcher;
	int cpu;

	for_each_possible_cpu(cpu) {
		l = per_cpu_ptr(&lookers, cpu);
		sum.looks += l->looks;
		sum.not_called += l->not_called;
		sum.called += l->called;
		sum.off_calls += l->off_calls;
	}
	return sum;
}

static void set_to_0(struct looker *l)
{
	l->looks = 0;
	l->not_called = 0;
	l->called = 0;
	l->off_calls = 0;
}

static int report_set(const char *val, const struct kernel_param *unused)
{
	int cpu;

	set_to_0(&switcher);
	for_each_possible_cpu(cpu) {
		set_to_0(per_cpu_ptr(&lookers, cpu));
		per_cpu(calls, cpu) = 0;
	}
	switches = 0;
	late = 0;
	never = 0;
	switch_ns = 0;
	return 0;
}

static int report_get(char *text, const struct kernel_param *unused)
{
	struct looker sum = sum_of_lookers();
	int cpu, len;

	len = sysfs_emit(text, "handler " HANDLER "\nswitches %lu\nns each %llu\nlooks %lu\n"
			 "not called %lu\ncalled %lu\noff calls %lu\nlate %lu\nnever %lu\ncalls",
			 switches, div64_ul(switch_ns, max(switches, 1UL)), sum.looks,
			 sum.not_called, sum.called, sum.off_calls, late, never);
	for_each_online_cpu(cpu)
		len += sysfs_emit_at(text, len, " %lu", per_cpu(calls, cpu));
	return len + sysfs_emit_at(text, len, "\n");
}

static const struct kernel_param_ops switch_ops = { .set = switch_set };
static const struct kernel_param_ops skip_ops = { .set = skip_set };
static const struct kernel_param_ops report_ops = { .set = report_set, .get = report_get };

module_param_cb(switch, &switch_ops, NULL, 0200);
module_param_cb(skip, &skip_ops, NULL, 0200);
module_param_cb(report, &report_ops, NULL, 0600);

static int add_ops(void)
{
	int err = ftrace_set_filter(&ipi_ops, HANDLER, strlen(HANDLER), 1);

	err = err ?: ftrace_set_filter_ip(&ipi_ops, (unsigned long)nobody_calls_this, 0, 0);
	err = err ?: register_ftrace_function(&ipi_ops);
	if (err)
		ftrace_free_filter(&ipi_ops);
	return err;
}

/* Find the site: it is the address that the callback gets. */
static int learn_site(void)
{
	switcher.work = IRQ_WORK_INIT_HARD(work_here);
	scoped_guard(preempt)
		run_handler(&switcher);
	return site ? 0 : -ENOENT;
}

static void remove_ops(void)
{
	unregister_ftrace_function(&ipi_ops);
	ftrace_free_filter(&ipi_ops);
}

static void ipi_test_exit(void)
{
	remove_ops();
	off_calls_end();
}

static int __init ipi_test_init(void)
{
	int err = add_ops();

	if (err)
		return err;
	is_on = true;
	err = learn_site();
	err = err ?: off_calls_begin(site, site);
	if (err && err != -EOPNOTSUPP) {
		remove_ops();
		return err;
	}
	err = switch_site();
	if (err)
		ipi_test_exit();
	return err;
}
module_init(ipi_test_init);
module_exit(ipi_test_exit);

MODULE_DESCRIPTION("The site of the IPI handler, switched while all CPUs run it, for tests");
MODULE_LICENSE("GPL");
