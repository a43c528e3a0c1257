// SPDX-License-Identifier: GPL-2.0
/*
 * The beginning: the top instance, made as early as there is memory, and what the
 * command line wants of it, so that a tracer can show the boot itself.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include "../tracers/tracers.h"
#include "internal.h"

static char *boot_options __initdata;
static char *boot_clock __initdata;

static int __init boot_options_setup(char *text)
{
	boot_options = text;
	return 1;
}
__setup("trace_options=", boot_options_setup);

static int __init boot_clock_setup(char *text)
{
	boot_clock = text;
	return 1;
}
__setup("trace_clock=", boot_clock_setup);

static void __init boot_options_apply(void)
{
	char *option;

	while ((option = strsep(&boot_options, ","))) {
		if (*option && trace_option_set_text(trace_top, option))
			pr_warn("tracing: trace_options=%s: there is no such option\n", option);
	}
}

static void __init boot_clock_apply(void)
{
	if (boot_clock && trace_array_set_clock(trace_top, boot_clock))
		pr_warn("tracing: trace_clock=%s: there is no such clock\n", boot_clock);
}

/**
 * early_trace_init - tracing begins
 *
 * Boot: there are memory, static keys and call sites, but no scheduler yet.
 */
void __init early_trace_init(void)
{
	register_tracer(&nop_tracer);
	if (trace_array_init_top()) {
		pr_err("tracing: no memory for the buffer\n");
		return;
	}
	trace_comms_init();
	boot_clock_apply();
	function_tracer_init();
	boot_options_apply();
}

/**
 * trace_init - the scheduler and RCU are there
 *
 * Boot. Nothing waits for them.
 */
void __init trace_init(void)
{
}

/* kernel.tracepoint_printk: trace events on the console. */
int tracepoint_printk;

int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	return proc_dointvec(table, write, buffer, lenp, ppos);
}
