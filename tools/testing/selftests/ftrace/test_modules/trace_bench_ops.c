// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of trace_bench that need function tracing. On some configurations stock has latency
 * tracers but no function tracing.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "trace_bench.h"

/*
 * Functions, each with an ops of its own, and one more function. The parameter "ops" says how
 * many are registered.
 */
#define EACH_OF_10(what, n)						\
	what(n##0) what(n##1) what(n##2) what(n##3) what(n##4)		\
	what(n##5) what(n##6) what(n##7) what(n##8) what(n##9)
#define EACH(what)							\
	EACH_OF_10(what, 0) EACH_OF_10(what, 1) EACH_OF_10(what, 2)	\
	EACH_OF_10(what, 3) EACH_OF_10(what, 4) EACH_OF_10(what, 5)	\
	EACH_OF_10(what, 6) EACH_OF_10(what, 7) EACH_OF_10(what, 8)	\
	EACH_OF_10(what, 9) EACH_OF_10(what, 10) EACH_OF_10(what, 11)	\
	EACH_OF_10(what, 12)
#define DEFINE_ELSEWHERE(n)	static noinline void elsewhere_##n(void) { barrier(); }
#define NAME_ELSEWHERE(n)	elsewhere_##n,

EACH(DEFINE_ELSEWHERE)

static void (* const elsewhere[])(void) = { EACH(NAME_ELSEWHERE) };

static unsigned long ops = 100;

static noinline void tracee(void)
{
	barrier();
}

/* Not traced, so that the loop around it costs the same with any function. */
static void notrace do_nothing(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

/*
 * The cost of a site while no ops wants it: 100 calls, minus 100 calls of a function without site.
 */
static noinline notrace void siteless(void)
{
	barrier();
}

static void call_tracee(void)
{
	int i;

	for (i = 0; i < 100; i++)
		tracee();
}

static void call_siteless(void)
{
	int i;

	for (i = 0; i < 100; i++)
		siteless();
}

static unsigned long cost_of_sites(void)
{
	return trace_bench_cost(call_tracee) - trace_bench_cost(call_siteless);
}

#define RELEVANT	2

static struct ftrace_ops *ops_elsewhere, *ops_here;

/* Returns the time of registering, in nanoseconds. */
static unsigned long register_ops(struct ftrace_ops *ops, void (*function)(void))
{
	u64 start = ktime_get_ns();
	int err;

	ops->func = do_nothing;
	err = ftrace_set_filter_ip(ops, (unsigned long)function, 0, 0);
	err = err ?: register_ftrace_function(ops);
	WARN_ON(err);
	return ktime_get_ns() - start;
}

static unsigned long unregister_ops(struct ftrace_ops *ops)
{
	u64 start = ktime_get_ns(), end;

	WARN_ON(unregister_ftrace_function(ops));
	end = ktime_get_ns();
	ftrace_free_filter(ops);
	/* Stock leaves pointers to memory that it has freed. */
	*ops = (struct ftrace_ops) {};
	return end - start;
}

static unsigned long register_all(void)
{
	unsigned long i, sum = 0;

	for (i = 0; i < min(ops, ARRAY_SIZE(elsewhere)); i++)
		sum += register_ops(&ops_elsewhere[i], elsewhere[i]);
	return sum;
}

static unsigned long unregister_all(void)
{
	unsigned long i, sum = 0;

	for (i = 0; i < min(ops, ARRAY_SIZE(elsewhere)); i++)
		sum += unregister_ops(&ops_elsewhere[i]);
	return sum;
}

/* The cost of a call of one of @relevant callbacks, while all ops are registered. */
static unsigned long callback(unsigned int relevant)
{
	unsigned long off = trace_bench_cost(tracee), on;
	unsigned int i;

	for (i = 0; i < relevant; i++)
		register_ops(&ops_here[i], tracee);
	on = trace_bench_cost(tracee);
	for (i = 0; i < relevant; i++)
		unregister_ops(&ops_here[i]);
	return on - off;
}

static unsigned long callback_1(void)
{
	return callback(1);
}

static unsigned long callback_2(void)
{
	return callback(RELEVANT);
}

const struct trace_bench_work trace_bench_ops_works[] = {
	{ "sites", cost_of_sites },
	{ "register", register_all },
	{ "callback1", callback_1 },
	{ "callback2", callback_2 },
	{ "unregister", unregister_all },
	{ }
};

int trace_bench_ops_init(void)
{
	ops_elsewhere = kcalloc(ARRAY_SIZE(elsewhere), sizeof(*ops_elsewhere), GFP_KERNEL);
	ops_here = kcalloc(RELEVANT, sizeof(*ops_here), GFP_KERNEL);
	if (ops_elsewhere && ops_here)
		return 0;
	trace_bench_ops_exit();
	return -ENOMEM;
}

void trace_bench_ops_exit(void)
{
	kfree(ops_elsewhere);
	kfree(ops_here);
}

module_param(ops, ulong, 0600);
