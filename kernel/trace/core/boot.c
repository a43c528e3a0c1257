// SPDX-License-Identifier: GPL-2.0
/*
 * The beginning: the top instance, made as early as there is memory, and what the
 * command line wants of it, so that a tracer can show the boot itself.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include "instance.h"
#include "internal.h"
#include "tracer.h"

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
 * trace_boot_begin - make the top instance
 *
 * Context: early boot, as early_trace_init(), which calls it before it registers tracers.
 * Return: 0; -EPERM if the kernel is locked down, or -ENOMEM: nothing will be recorded.
 */
int __init trace_boot_begin(void)
{
	int err;

	register_tracer(&nop_tracer);
	/* From the beginning; who locks it later finds what was recorded until then. */
	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err) {
		pr_warn("tracing: nothing is recorded, as the kernel is locked down\n");
		return err;
	}
	err = trace_array_init_top();
	if (err) {
		pr_err("tracing: no memory for the buffer\n");
		return err;
	}
	trace_comms_init();
	boot_clock_apply();
	return 0;
}

/**
 * trace_boot_finish - do what the command line asks for
 *
 * Context: early boot; the tracers that can be on already are registered, so their options
 * and names are known.
 */
void __init trace_boot_finish(void)
{
	boot_options_apply();
	trace_instance_boot();
	trace_snapshot_boot();
}

/**
 * trace_init - the scheduler and RCU are there
 *
 * Nothing waits for them.
 *
 * Context: boot.
 */
void __init trace_init(void)
{
}

/*
 * kernel.tracepoint_printk: trace events on the console, as long as tp_printk has
 * asked for them. There are no trace events yet.
 */
int tracepoint_printk;

static bool tp_printk_asked;
static bool tp_printk_stop __initdata;

static int __init tp_printk_setup(char *text)
{
	if (*text && *text != '=')
		return 0;
	tp_printk_asked = strcmp(text, "=0") && strcmp(text, "=off");
	tracepoint_printk = tp_printk_asked;
	return 1;
}
__setup("tp_printk", tp_printk_setup);

static int __init tp_printk_stop_setup(char *unused)
{
	tp_printk_stop = true;
	return 1;
}
__setup("tp_printk_stop_on_boot", tp_printk_stop_setup);

static int __init tp_printk_booted(void)
{
	if (tp_printk_stop)
		tracepoint_printk = 0;
	return 0;
}
late_initcall_sync(tp_printk_booted);

/**
 * tracepoint_printk_sysctl - read or write kernel.tracepoint_printk
 * @table: its row
 * @write: it is written
 * @buffer: the text
 * @lenp: its length, in bytes
 * @ppos: position in the file
 *
 * It stays 0 if tp_printk has not asked for it.
 *
 * Context: process context, may sleep.
 * Return: as proc_dointvec(): 0 or negative errno.
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	int ret = proc_dointvec(table, write, buffer, lenp, ppos);

	if (!tp_printk_asked)
		tracepoint_printk = 0;
	return ret;
}
