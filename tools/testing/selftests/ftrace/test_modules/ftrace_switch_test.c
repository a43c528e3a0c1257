// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites that are switched while all CPUs run through them.
 *
 * Two threads on each CPU call hot functions in a loop, with a value in every argument register,
 * and check the return values. There are two ops, one of which the tracer has to protect from
 * recursion; each wants some of the functions.
 * Parameters, for shell scripts:
 *
 *	switch N	change the filters of the ops until N sites were switched, from NOP to
 *			call or back: one or several at a time, and now and then all, by
 *			unregistering and registering an ops
 *	change N	change the filters until N times an ops got or lost a site: a site
 *			that the other ops wants, too, is not switched by that
 *	steady 1	let no ops, each one, and both of them want all sites, each for a
 *			while; the ops that want a site have to see every call
 *	report		the results
 *
 * After each change, every CPU calls the functions once from an interrupt, and checks that exactly
 * those ops are called that want the function. So a CPU that still runs the old instruction of a
 * site is found right after the change. "stale" counts such calls, and "off calls" those of sites
 * that are off, which no ops sees (ftrace_off_calls.h).
 *
 * A callback checks that it was called from this module, for the function whose number is the first
 * argument, and that the arguments belong together.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sysfs.h>
#include <linux/unaligned.h>

#include "ftrace_off_calls.h"

#define SITES		16
#define OPS		2
#define CALLERS		2	/* on each CPU */
#define STEADY_MS	50
#define STEADY_TRIES	1000
#define REGISTER_EVERY	64	/* changes */
#define SEVERAL_EVERY	2

#define VALUE(n, a, b, c, d, e, f, g)	\
	((((((((n) * 3 + (a)) * 3 + (b)) * 3 + (c)) * 3 + (d)) * 3 + (e)) * 3 + (f)) * 3 + (g))

#define FUNCTIONS(F) \
	F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)

typedef unsigned long (hot_t)(unsigned long n, unsigned long a, unsigned long b,
			      unsigned long c, unsigned long d, unsigned long e,
			      unsigned long f, unsigned long g);

#define DEFINE_HOT(i) \
static noinline __noclone unsigned long hot_##i(unsigned long n, unsigned long a,		\
						unsigned long b, unsigned long c,		\
						unsigned long d, unsigned long e,		\
						unsigned long f, unsigned long g)		\
{												\
	return VALUE(n, a, b, c, d, e, f, g) ^ (i);						\
}
FUNCTIONS(DEFINE_HOT)

#define HOT_ADDRESS(i)	hot_##i,
static hot_t *const hot[SITES] = { FUNCTIONS(HOT_ADDRESS) };

/* The filters of both ops always have it: an empty filter would select all functions. */
static noinline __noclone void nobody_calls_this(void)
{
	barrier();
}

struct test_ops {
	struct ftrace_ops	ops;
	unsigned long		wants;	/* bits of sites */
	unsigned long __percpu	*seen;
};

static unsigned long wrong_callbacks;

/* The site of each function, as the callback saw it, and the element to be set next. */
static unsigned long site[SITES], *learning;

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
static __always_inline bool arguments_fit(unsigned long ip, struct ftrace_regs *fregs)
{
	unsigned long n = ftrace_regs_get_argument(fregs, 0);
	unsigned long a = ftrace_regs_get_argument(fregs, 1);

	return n < SITES && ip - (unsigned long)hot[n] < 4 * sizeof(u32) &&
	       ftrace_regs_get_argument(fregs, 2) == ~a &&
	       ftrace_regs_get_argument(fregs, 6) == a + n;
}
#else
static __always_inline bool arguments_fit(unsigned long ip, struct ftrace_regs *fregs)
{
	return true;
}
#endif

static void notrace count_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct test_ops *test = container_of(ops, struct test_ops, ops);
	unsigned long *place = READ_ONCE(learning);

	if (unlikely(place))
		*place = ip;
	this_cpu_inc(*test->seen);
	if (!within_module(parent_ip, THIS_MODULE) || !arguments_fit(ip, fregs))
		WRITE_ONCE(wrong_callbacks, wrong_callbacks + 1);
}

static struct test_ops test_ops[OPS] = {
	{ .ops = { .func = count_call } },
	{ .ops = { .func = count_call, .flags = FTRACE_OPS_FL_RECURSION } },
};

static unsigned long sum_of(unsigned long __percpu *count)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(count, cpu);
	return sum;
}

/*
 * The callers.
 */
struct caller {
	struct task_struct	*task;
	unsigned long		calls;
	unsigned long		wrong;
};

static struct caller *callers;
static unsigned int nr_callers;
static unsigned long calls, wrong_returns;

static __always_inline void call_one(struct caller *c, unsigned long n)
{
	unsigned long a = c->calls++ << 7;
	unsigned long value = hot[n](n, a, ~a, a ^ n, a >> 3, a * 5, a + n, a - n);

	if (value != (VALUE(n, a, ~a, a ^ n, a >> 3, a * 5, a + n, a - n) ^ n))
		c->wrong++;
}

static void notrace call_all(struct caller *c)
{
	unsigned long n;

	for (n = 0; n < SITES; n++)
		call_one(c, n);
}

/* The lowest priority, so that the task that switches need not wait for their time slices. */
static int notrace caller_thread(void *data)
{
	set_user_nice(current, MAX_NICE);
	while (!kthread_should_stop()) {
		call_all(data);
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static void stop_callers(void)
{
	struct caller *c;

	for (c = callers; c < callers + nr_callers; c++) {
		kthread_stop(c->task);
		calls += c->calls;
		wrong_returns += c->wrong;
	}
	kfree(callers);
	nr_callers = 0;
}

static int start_callers(void)
{
	struct caller *c;
	unsigned int i;
	int cpu, err;

	callers = kcalloc(CALLERS * nr_cpu_ids, sizeof(*callers), GFP_KERNEL);
	if (!callers)
		return -ENOMEM;
	guard(cpus_read_lock)();
	for_each_online_cpu(cpu) {
		for (i = 0; i < CALLERS; i++) {
			c = &callers[nr_callers];
			c->task = kthread_run_on_cpu(caller_thread, c, cpu, "switch_test/%u");
			if (IS_ERR(c->task)) {
				err = PTR_ERR(c->task);
				stop_callers();
				return err;
			}
			nr_callers++;
		}
	}
	return 0;
}

/*
 * The check after each change.
 */
static DEFINE_PER_CPU(struct caller, lookers);
static DEFINE_PER_CPU(unsigned long, stale);
static DEFINE_PER_CPU(unsigned long, called_off);

static bool wants_site(struct test_ops *test, unsigned long n)
{
	return test->wants & BIT(n) && test->ops.flags & FTRACE_OPS_FL_ENABLED;
}

/* Called with interrupts off. */
static void notrace look_here(void *unused)
{
	unsigned long n, i, seen[OPS], off = off_calls_here();

	for (n = 0; n < SITES; n++) {
		for (i = 0; i < OPS; i++)
			seen[i] = this_cpu_read(*test_ops[i].seen);
		call_one(this_cpu_ptr(&lookers), n);
		for (i = 0; i < OPS; i++)
			seen[i] = this_cpu_read(*test_ops[i].seen) - seen[i];
		for (i = 0; i < OPS; i++)
			if (seen[i] != wants_site(&test_ops[i], n))
				this_cpu_inc(stale);
	}
	this_cpu_add(called_off, off_calls_here() - off);
}

/*
 * The switches.
 */
static struct rnd_state dice = { 1, 2, 3, 4 };
static unsigned long switches, changes, rounds, switch_ns, miscounted;

/* The instructions at the sites, when they were looked at last. */
static u64 code[SITES];

/* Return the number of sites whose instructions have changed since the last call. */
static unsigned int look_at_sites(void)
{
	unsigned int n, differ = 0;

	for (n = 0; n < SITES; n++) {
		u64 now = get_unaligned((u64 *)site[n]);

		differ += now != code[n];
		code[n] = now;
	}
	return differ;
}

static int set_wants(struct test_ops *test, unsigned long wants)
{
	unsigned long ips[SITES + 1] = { (unsigned long)nobody_calls_this };
	unsigned int n, nr = 1;
	int err;

	for_each_set_bit(n, &wants, SITES)
		ips[nr++] = (unsigned long)hot[n];
	err = ftrace_set_filter_ips(&test->ops, ips, nr, 0, 1);
	if (err)
		return err;
	changes += hweight_long(test->wants ^ wants);
	test->wants = wants;
	return 0;
}

/* Unregister and register an ops, with the same filter. */
static int come_again(struct test_ops *test)
{
	int err = unregister_ftrace_function(&test->ops);

	if (err)
		return err;
	switches += look_at_sites();
	return register_ftrace_function(&test->ops);
}

static int change_something(void)
{
	u32 random = prandom_u32_state(&dice);
	struct test_ops *test = &test_ops[random % OPS];

	if (!(++rounds % REGISTER_EVERY))
		return come_again(test);
	if (!(rounds % SEVERAL_EVERY))
		return set_wants(test, random >> 16 & (BIT(SITES) - 1));
	return set_wants(test, test->wants ^ BIT((random >> 16) % SITES));
}

/* Make changes until the count at @kp->arg has grown by the number that was written. */
static int switch_set(const char *val, const struct kernel_param *kp)
{
	unsigned long nr, end, *count = kp->arg;
	u64 start;
	int err;

	err = kstrtoul(val, 0, &nr);
	if (!err)
		err = start_callers();
	if (err)
		return err;
	end = *count + nr;
	/* The tracer may have been switched on or off since the last time. */
	look_at_sites();
	while (!err && (long)(end - *count) > 0) {
		start = ktime_get_ns();
		err = signal_pending(current) ? -EINTR : change_something();
		switch_ns += ktime_get_ns() - start;
		switches += look_at_sites();
		on_each_cpu(look_here, NULL, 1);
	}
	stop_callers();
	return err;
}

/* Have the callers that run now made any calls? */
static bool some_called(void)
{
	unsigned int i;

	for (i = 0; i < nr_callers; i++) {
		if (READ_ONCE(callers[i].calls))
			return true;
	}
	return false;
}

/* Nothing changes: the ops that want the sites have to see every call. */
static int run_steady(unsigned int who)
{
	unsigned long seen[OPS], called = calls;
	unsigned int i;
	int err = 0;

	for (i = 0; i < OPS && !err; i++) {
		err = set_wants(&test_ops[i], who & BIT(i) ? BIT(SITES) - 1 : 0);
		seen[i] = sum_of(test_ops[i].seen);
	}
	if (!err)
		err = start_callers();
	if (err)
		return err;
	msleep(STEADY_MS);
	for (i = 0; i < STEADY_TRIES && !some_called(); i++)
		msleep(STEADY_MS);
	stop_callers();
	called = calls - called;
	for (i = 0; i < OPS; i++)
		miscounted += sum_of(test_ops[i].seen) - seen[i] != (who & BIT(i) ? called : 0);
	return called ? 0 : -EIO;
}

static int steady_set(const char *text, const struct kernel_param *unused)
{
	unsigned int who;
	int err = 0;

	for (who = 0; who < BIT(OPS) && !err; who++)
		err = run_steady(who);
	return err;
}

static int report_get(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "switches %lu\nchanges %lu\nns each %llu\ncalls %lu\nseen %lu %lu\n"
			  "wrong returns %lu\nwrong callbacks %lu\nmiscounted %lu\n"
			  "stale %lu\noff calls %lu\n",
			  switches, changes, div64_ul(switch_ns, max(changes, 1UL)), calls,
			  sum_of(test_ops[0].seen), sum_of(test_ops[1].seen),
			  wrong_returns + sum_of(&lookers.wrong), wrong_callbacks, miscounted,
			  sum_of(&stale), sum_of(&called_off));
}

static const struct kernel_param_ops switch_ops = { .set = switch_set };
static const struct kernel_param_ops steady_ops = { .set = steady_set };
static const struct kernel_param_ops report_ops = { .get = report_get };

module_param_cb(switch, &switch_ops, &switches, 0200);
module_param_cb(change, &switch_ops, &changes, 0200);
module_param_cb(steady, &steady_ops, NULL, 0200);
module_param_cb(report, &report_ops, NULL, 0400);

static void remove_ops(struct test_ops *test)
{
	if (test->ops.flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(&test->ops);
	ftrace_free_filter(&test->ops);
	free_percpu(test->seen);
}

static int add_ops(struct test_ops *test)
{
	int err;

	test->seen = alloc_percpu(unsigned long);
	if (!test->seen)
		return -ENOMEM;
	err = set_wants(test, 0);
	return err ?: register_ftrace_function(&test->ops);
}

/*
 * Find the site of each function: it is the address that the callback gets. The ops want no sites
 * before.
 */
static int learn_sites(void)
{
	struct caller c = {};
	unsigned int n;
	int err;

	err = set_wants(&test_ops[0], BIT(SITES) - 1);
	for (n = 0; n < SITES && !err; n++) {
		WRITE_ONCE(learning, site + n);
		call_one(&c, n);
		err = site[n] ? 0 : -ENOENT;
	}
	WRITE_ONCE(learning, NULL);
	return err ?: set_wants(&test_ops[0], 0);
}

static int watch_sites(void)
{
	unsigned long first = ULONG_MAX, last = 0;
	unsigned int n;
	int err;

	for (n = 0; n < SITES; n++) {
		first = min(first, site[n]);
		last = max(last, site[n]);
	}
	err = off_calls_begin(first, last);
	return err == -EOPNOTSUPP ? 0 : err;
}

static void switch_test_stop(void)
{
	unsigned int i;

	for (i = 0; i < OPS; i++)
		remove_ops(&test_ops[i]);
}

static void switch_test_exit(void)
{
	switch_test_stop();
	off_calls_end();
}

static int __init switch_test_init(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < OPS && !err; i++)
		err = add_ops(&test_ops[i]);
	err = err ?: learn_sites();
	err = err ?: watch_sites();
	if (err)
		switch_test_stop();
	return err;
}
module_init(switch_test_init);
module_exit(switch_test_exit);

MODULE_DESCRIPTION("Call sites that are switched while all CPUs run them, for tests");
MODULE_LICENSE("GPL");
