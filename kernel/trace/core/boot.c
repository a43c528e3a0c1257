// SPDX-License-Identifier: GPL-2.0
/*
 * Early boot: make the top instance as soon as there is memory, and set it up according to the
 * command line, so that a tracer can show the boot itself.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/mutex.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include "../lib/boot.h"
#include "instance.h"
#include "internal.h"
#include "record.h"
#include "tracer.h"

TRACE_BOOT_TEXT("trace_options=", boot_options);
TRACE_BOOT_TEXT("trace_clock=", boot_clock);

static void __init boot_options_apply(void)
{
	char *option;

	while ((option = strsep(&boot_options, ","))) {
		if (*option && trace_option_set_text(trace_top, option))
			pr_warn("tracing: trace_options=%s: there is no such option\n", option);
	}
}

/**
 * trace_boot_begin - make the top instance
 *
 * Context: early boot; early_trace_init() calls this before it registers tracers.
 * Return: 0; -EPERM if the kernel is locked down, or -ENOMEM: nothing will be recorded.
 */
int __init trace_boot_begin(void)
{
	int err;

	register_tracer(&nop_tracer);
	/* Only a lockdown before this prevents recording; a later one protects the files. */
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
	if (boot_clock && trace_array_set_clock(trace_top, boot_clock))
		pr_warn("tracing: trace_clock=%s: there is no such clock\n", boot_clock);
	return 0;
}

/*
 * kernel.tracepoint_printk: print trace events on the console. It stays 0 unless tp_printk was on
 * the command line.
 */
int tracepoint_printk;
DEFINE_STATIC_KEY_FALSE(trace_console_wanted);

static DEFINE_MUTEX(tp_printk_lock);
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

/* Enable or disable trace_console_wanted, as tracepoint_printk says. */
static void tp_printk_update(void)
{
	if (!tp_printk_asked)
		tracepoint_printk = 0;
	if (tracepoint_printk)
		static_branch_enable(&trace_console_wanted);
	else
		static_branch_disable(&trace_console_wanted);
}

static int __init tp_printk_booted(void)
{
	if (tp_printk_stop)
		tracepoint_printk = 0;
	tp_printk_update();
	return 0;
}
late_initcall_sync(tp_printk_booted);

/**
 * tracepoint_printk_sysctl - read or write kernel.tracepoint_printk
 * @table: the entry of the sysctl
 * @write: true for a write
 * @buffer: the text
 * @lenp: length of the text in bytes
 * @ppos: position in the file
 *
 * The value stays 0 unless tp_printk was on the command line.
 *
 * Context: process context, may sleep.
 * Return: as proc_dointvec(): 0 or negative errno.
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	int ret;

	guard(mutex)(&tp_printk_lock);
	ret = proc_dointvec(table, write, buffer, lenp, ppos);
	tp_printk_update();
	return ret;
}

/**
 * trace_boot_finish - set up the top instance according to the command line
 *
 * Context: early boot, after the tracers that can start this early were registered: their names and
 * options are known.
 */
void __init trace_boot_finish(void)
{
	boot_options_apply();
	trace_instance_boot();
	trace_snapshot_boot();
	tp_printk_update();
}
