// SPDX-License-Identifier: GPL-2.0
/*
 * The life of ftrace_ops, for shell scripts. Writing a number to the parameter "rounds" makes so
 * many rounds. Each round registers two ops for a function that all CPUs call, unregisters them and
 * frees them at once. Afterwards "calls" is the number of calls of callbacks, "ghosts" the number
 * of calls with an ops that was already freed, and "latency" the average time of
 * unregister_ftrace_function(), in microseconds.
 *
 * The module also traces a function of its own init text; "init_calls" is the number of its calls
 * that were seen. This ops stays registered as long as the module is loaded.
 * reads as how often this was seen. The ops stays registered as long as the module is there.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#define ALIVE	0x616c697665UL

static unsigned long latency;
static atomic_long_t calls, ghosts;

static noinline void tracee(void)
{
	barrier();
}

static void tracee_in_interrupt(void *unused)
{
	tracee();
}

/* Runs on each CPU; may be preempted anywhere in the function or its callbacks. */
static int run_tracee(void *unused)
{
	while (!kthread_should_stop()) {
		tracee();
		cond_resched();
	}
	return 0;
}

struct mortal {
	struct ftrace_ops	ops;
	unsigned long		life;
};

/* Some calls take longer, so that the ops is freed during a call, if it is freed too early. */
static void mortal_call(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct mortal *m = container_of(ops, struct mortal, ops);

	if (!(atomic_long_inc_return(&calls) & 255))
		udelay(20);
	if (READ_ONCE(m->life) != ALIVE)
		atomic_long_inc(&ghosts);
}

static struct mortal *mortal_new(unsigned long flags)
{
	struct mortal *m = kzalloc(sizeof(*m), GFP_KERNEL);
	int err;

	if (!m)
		return ERR_PTR(-ENOMEM);
	m->ops.func = mortal_call;
	m->ops.flags = flags;
	m->life = ALIVE;
	err = ftrace_set_filter_ip(&m->ops, (unsigned long)tracee, 0, 0);
	err = err ?: register_ftrace_function(&m->ops);
	if (!err)
		return m;
	ftrace_free_filter(&m->ops);
	kfree(m);
	return ERR_PTR(err);
}

static int mortal_free(struct mortal *m)
{
	ktime_t start = ktime_get();
	int err = unregister_ftrace_function(&m->ops);

	latency += ktime_us_delta(ktime_get(), start);
	ftrace_free_filter(&m->ops);
	memset(m, 0x6b, sizeof(*m));
	kfree(m);
	return err;
}

/* Register two ops, so that there is an ops set, too, which is freed with the first ops. */
static int life_round(unsigned int round)
{
	static const unsigned long flags[] = { 0, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU };
	long before = atomic_long_read(&calls);
	struct mortal *a, *b;
	int err, i;

	a = mortal_new(0);
	if (IS_ERR(a))
		return PTR_ERR(a);
	b = mortal_new(flags[round % ARRAY_SIZE(flags)]);
	if (IS_ERR(b)) {
		mortal_free(a);
		return PTR_ERR(b);
	}
	for (i = 0; i < 100 && atomic_long_read(&calls) == before; i++)
		usleep_range(10, 20);
	on_each_cpu(tracee_in_interrupt, NULL, false);
	err = mortal_free(round & 1 ? a : b);
	on_each_cpu(tracee_in_interrupt, NULL, false);
	return mortal_free(round & 1 ? b : a) ?: err;
}

static struct task_struct *runner[NR_CPUS];

static int start_runners(void)
{
	int cpu, err = 0;

	for_each_online_cpu(cpu) {
		runner[cpu] = kthread_run_on_cpu(run_tracee, NULL, cpu, "tracee/%u");
		if (IS_ERR(runner[cpu]))
			err = PTR_ERR(runner[cpu]);
	}
	return err;
}

static void stop_runners(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!IS_ERR_OR_NULL(runner[cpu]))
			kthread_stop(runner[cpu]);
		runner[cpu] = NULL;
	}
}

static int rounds_set(const char *text, const struct kernel_param *unused)
{
	unsigned int rounds, round;
	int err = kstrtouint(text, 10, &rounds);

	if (err || !rounds)
		return -EINVAL;
	latency = 0;
	atomic_long_set(&calls, 0);
	atomic_long_set(&ghosts, 0);
	err = start_runners();
	for (round = 0; round < rounds && !err; round++)
		err = life_round(round);
	stop_runners();
	latency /= 2 * rounds;
	return err;
}

static const struct kernel_param_ops rounds_ops = {
	.set = rounds_set,
};

static int count_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%ld\n", atomic_long_read(param->arg));
}

static const struct kernel_param_ops count_ops = {
	.get = count_get,
};

static unsigned long init_calls;

static void init_call(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	init_calls++;
}

static struct ftrace_ops init_ops = {
	.func = init_call,
};

static noinline void __init life_test_init_tracee(void)
{
	barrier();
}

static int __init life_test_init(void)
{
	int err = ftrace_set_filter_ip(&init_ops, (unsigned long)life_test_init_tracee, 0, 0);

	err = err ?: register_ftrace_function(&init_ops);
	if (!err)
		life_test_init_tracee();
	return err;
}
module_init(life_test_init);

static void __exit life_test_exit(void)
{
	unregister_ftrace_function(&init_ops);
	ftrace_free_filter(&init_ops);
}
module_exit(life_test_exit);

module_param_cb(rounds, &rounds_ops, NULL, 0200);
module_param_cb(calls, &count_ops, &calls, 0400);
module_param_cb(ghosts, &count_ops, &ghosts, 0400);
module_param(latency, ulong, 0400);
module_param(init_calls, ulong, 0400);

MODULE_DESCRIPTION("the life of ftrace_ops, for shell scripts");
MODULE_LICENSE("GPL");
