// SPDX-License-Identifier: GPL-2.0
/*
 * The table of function commands. FUNC:COMMAND[:COUNT] in set_ftrace_filter executes the command
 * when the function is called, in the instance of the file. ../ftrace/commands.c sets, counts and
 * lists commands. Other directories have tables of their own: FTRACE_COMMANDS() in
 * ../ftrace/ftrace.h.
 */
#include <linux/array_size.h>
#include <linux/compiler_attributes.h>
#include <linux/init.h>
#include <linux/kernel.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "../core/record.h"
#include "../core/snapshot.h"
#include "../ftrace/ftrace.h"
#include "../lib/line.h"

static bool is_on(struct trace_array *tr, void *data)
{
	return trace_array_is_on(tr);
}

static bool is_off(struct trace_array *tr, void *data)
{
	return !trace_array_is_on(tr);
}

static void traceon(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	ring_buffer_record_on(tr->array_buffer.buffer);
}

static void traceoff(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	ring_buffer_record_off(tr->array_buffer.buffer);
}

static int stacktrace_begin(struct trace_array *tr, void *data)
{
	return trace_array_use(tr);
}

static void stacktrace(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	/* The count of the traced function: protection against recursion has raised it by one. */
	unsigned int count = ftrace_preempt_count() - PREEMPT_DISABLE_OFFSET;

	trace_record_stack_from(tr, trace_context(count), parent_ip, 0);
}

static void dump(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	ftrace_dump(DUMP_ALL);
}

static void cpudump(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	ftrace_dump(DUMP_ORIG);
}

static int __maybe_unused snapshot_begin(struct trace_array *tr, void *data)
{
	return trace_snapshot_arm(tr);
}

static void __maybe_unused snapshot_end(struct trace_array *tr, void *data)
{
	trace_snapshot_disarm(tr);
}

static void __maybe_unused snapshot(struct trace_array *tr, void *data, unsigned long parent_ip)
{
	tracing_snapshot_cond(tr, NULL);
}

static struct ftrace_command command_rows[] = {
	{ .name = "traceon",	.run = traceon,		.useful = is_off },
	{ .name = "traceoff",	.run = traceoff,	.useful = is_on },
	{ .name = "stacktrace",	.run = stacktrace,	.begin = stacktrace_begin,
	  .useful = is_on },
	{ .name = "dump",	.run = dump,		.times = 1 },
	{ .name = "cpudump",	.run = cpudump,		.times = FTRACE_COMMAND_UNLIMITED },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ .name = "snapshot",	.run = snapshot,	.begin = snapshot_begin,
	  .end = snapshot_end },
#endif
};

FTRACE_COMMANDS(command_rows);

static struct trace_readme_part commands_readme = {
	.place	= 800,
	.text	= "\n"
		  "Which functions\n"
		  "  available_filter_functions	all that can be traced\n"
		  "  set_ftrace_filter	only these; none means all\n"
		  "  set_ftrace_notrace	never these\n"
		  "	accepts: full names or a glob-matching-pattern (* ? [])\n"
		  "		!NAME takes one back; > replaces the list, >> adds to it\n"
		  "		number of a line of available_filter_functions\n"
		  "		FUNC:mod:MODULE: of a module, which need not be there yet\n"
		  "	commands, in set_ftrace_filter: FUNC:COMMAND[:COUNT]\n"
		  "		",
	.show	= ftrace_show_command_names,
};

TRACE_README(function_files_readme, 810,
	"\n"
	"		!FUNC:COMMAND[:COUNT] takes it back\n"
	"  enabled_functions	those that somebody traces now\n"
	"  touched_functions	those that somebody ever traced\n");

/* Commands use what other subsystems have of the instance, such as events. */
static struct trace_instance_ops commands_instance_ops = {
	.destroy = ftrace_end_commands,
};

static void command_refused(struct trace_array *tr, const struct trace_line *line)
{
	trace_log_error(tr, "set_ftrace_filter", line->text, line->error, line->error_at);
}

static int __init commands_init(void)
{
	ftrace_command_refused = command_refused;
	trace_readme_add(&commands_readme);
	return trace_instance_register(&commands_instance_ops);
}
core_initcall(commands_init);
