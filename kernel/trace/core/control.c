// SPDX-License-Identifier: GPL-2.0
/*
 * Switching recording on and off: tracing_on, tracing_cpumask, and tracing_off() and its relatives,
 * with which the rest of the kernel switches the top instance.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/instruction_pointer.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "files.h"
#include "instance.h"
#include "internal.h"

/*
 * tracing_on
 */

static int on_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%d\n", trace_array_is_on(scope->tr));
	return 0;
}

static int on_store(struct trace_scope *scope, unsigned long on)
{
	guard(mutex)(&scope->tr->lock);
	trace_array_set_on(scope->tr, on);
	return 0;
}

TRACE_CONTROL(on_control, .show = on_show, .store_number = on_store);

/*
 * tracing_cpumask
 */

static void trace_array_set_cpus(struct trace_array *tr, const struct cpumask *cpus)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	int cpu;

	lockdep_assert_held(&tr->lock);
	for_each_possible_cpu(cpu) {
		bool was_on = cpumask_test_cpu(cpu, tr->cpumask);
		bool on = cpumask_test_cpu(cpu, cpus);

		if (was_on && !on)
			ring_buffer_record_disable_cpu(buffer, cpu);
		else if (on && !was_on)
			ring_buffer_record_enable_cpu(buffer, cpu);
	}
	cpumask_copy(tr->cpumask, cpus);
}

static int cpumask_show(struct seq_file *m, struct trace_scope *scope)
{
	guard(mutex)(&scope->tr->lock);
	seq_printf(m, "%*pb\n", cpumask_pr_args(scope->tr->cpumask));
	return 0;
}

static int cpumask_store(struct trace_scope *scope, char *text)
{
	cpumask_var_t cpus;
	int err;

	/* An empty write is an error, but an empty line is a mask without CPUs. */
	if (!*text)
		return -EINVAL;
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	err = cpumask_parse(text, cpus);
	if (!err) {
		guard(mutex)(&scope->tr->lock);
		trace_array_set_cpus(scope->tr, cpus);
	}
	free_cpumask_var(cpus);
	return err;
}

TRACE_CONTROL(cpumask_control, .show = cpumask_show, .store = cpumask_store);

/*
 * Functions for the rest of the kernel. Before the top instance is made they do nothing.
 */

/**
 * tracing_on - let the top instance record
 *
 * Does not call the start() of the tracer, unlike a write to tracing_on.
 *
 * Context: any.
 */
void tracing_on(void)
{
	if (trace_top)
		ring_buffer_record_on(trace_top->array_buffer.buffer);
}
EXPORT_SYMBOL_GPL(tracing_on);

/**
 * tracing_off - keep the top instance from recording, for instance before a crash
 *
 * Does not call the stop() of the tracer, unlike a write to tracing_on.
 *
 * Context: any.
 */
void tracing_off(void)
{
	if (trace_top)
		ring_buffer_record_off(trace_top->array_buffer.buffer);
}
EXPORT_SYMBOL_GPL(tracing_off);

/**
 * tracing_is_on - does the top instance record?
 *
 * Context: any.
 * Return: 1 if it does, else 0.
 */
int tracing_is_on(void)
{
	return trace_top && trace_array_is_on(trace_top);
}
EXPORT_SYMBOL_GPL(tracing_is_on);

/**
 * tracing_stop - pause the top instance until tracing_start()
 *
 * Context: any. Nests.
 */
void tracing_stop(void)
{
	if (trace_top)
		trace_array_stop(trace_top);
}

/**
 * tracing_start - undo one tracing_stop()
 *
 * Context: any.
 */
void tracing_start(void)
{
	if (trace_top)
		trace_array_start(trace_top);
}

/* kernel.traceoff_on_warning */
int __disable_trace_on_warning;

static int __init traceoff_on_warning_setup(char *text)
{
	if (strcmp(text, "=0") && strcmp(text, "=off"))
		__disable_trace_on_warning = 1;
	return 1;
}
__setup("traceoff_on_warning", traceoff_on_warning_setup);

/**
 * disable_trace_on_warning - switch recording off if kernel.traceoff_on_warning is set
 *
 * Called before a warning is printed, so that entries before the warning are not overwritten.
 *
 * Context: any.
 */
void disable_trace_on_warning(void)
{
	if (!__disable_trace_on_warning)
		return;
	if (tracing_is_on())
		trace_array_say(trace_top, _THIS_IP_, "Disabling tracing due to warning\n");
	tracing_off();
}

TRACE_FILES(control_files,
	{ "tracing_on", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &on_control.fops },
	{ "tracing_cpumask", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &cpumask_control.fops });
