/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls from sites that are off: a CPU that still runs the old instruction of such a site
 * calls ftrace_caller, finds the ops of a site that is off there, and calls its callback,
 * ftrace_stub(), which does nothing. A kprobe on it sees these calls.
 *
 * Only sites with a pointer of their own work like this. For the others, and without
 * kprobes, nothing is seen: off_calls_begin() then returns -EOPNOTSUPP.
 */
#ifndef FTRACE_OFF_CALLS_H
#define FTRACE_OFF_CALLS_H

#include <linux/errno.h>

#if defined(CONFIG_KPROBES) && defined(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>

/* The sites that are watched, and the calls from them on each CPU. */
static unsigned long off_calls_first, off_calls_last;
static DEFINE_PER_CPU(unsigned long, off_calls);

static int off_calls_hit(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long ip = regs_get_kernel_argument(regs, 0);

	if (ip >= off_calls_first && ip <= off_calls_last)
		this_cpu_inc(off_calls);
	return 0;
}

NOKPROBE_SYMBOL(off_calls_hit);

static struct kprobe off_calls_probe = {
	.symbol_name = "ftrace_stub",
	.pre_handler = off_calls_hit,
};

/* Watch the sites from @first to @last. */
static inline int off_calls_begin(unsigned long first, unsigned long last)
{
	off_calls_first = first;
	off_calls_last = last;
	return register_kprobe(&off_calls_probe);
}

static inline void off_calls_end(void)
{
	unregister_kprobe(&off_calls_probe);
}

/* The number of such calls on this CPU. */
static inline unsigned long off_calls_here(void)
{
	return this_cpu_read(off_calls);
}

/* Do what a CPU with an old instruction does, to test that such a call is counted. */
static inline void off_calls_pretend(unsigned long ip, struct ftrace_ops *ops)
{
	ftrace_func_t stub = (ftrace_func_t)(unsigned long)off_calls_probe.addr;

	stub(ip, 0, ops, NULL);
}

#else

struct ftrace_ops;

static inline int off_calls_begin(unsigned long first, unsigned long last)
{
	return -EOPNOTSUPP;
}

static inline void off_calls_end(void) { }

static inline unsigned long off_calls_here(void)
{
	return 0;
}

static inline void off_calls_pretend(unsigned long ip, struct ftrace_ops *ops) { }

#endif

#endif /* FTRACE_OFF_CALLS_H */
