// SPDX-License-Identifier: GPL-2.0
/*
 * README: the control files in one page, for users at a shell.
 *
 * It lists only what this kernel has: test suites read it to find that out. tracers/ prints the
 * list of function commands.
 */
#include <linux/seq_file.h>

#include "files.h"
#include "instance.h"
#include "tracer.h"

void (*trace_readme_commands)(struct seq_file *m);

/* Text in front of the function commands, and behind them. */
static const char readme_begin[] =
	"Tracing in short\n"
	"\n"
	"Files belong to root. A group may be let in when tracefs is mounted:\n"
	"\n"
	"	mount -t tracefs [-o [gid=<gid>]] nodev /sys/kernel/tracing\n"
	"\n"
	"Start, look, stop:\n"
	"\n"
	"	echo function > current_tracer\n"
	"	head -50 trace\n"
	"	echo nop > current_tracer\n"
	"\n"
	"What records\n"
	"  available_tracers	what can be written to current_tracer\n"
	"  current_tracer	the one that runs; writing another one clears the trace\n"
	"  tracing_on		0 keeps what is there and records nothing more; 1 goes on\n"
	"  tracing_cpumask	CPUs that record, as a hexadecimal mask\n"
	"  trace_marker		text written here becomes part of the trace\n"
	"  trace_marker_raw	the same for binary data: a 32-bit id, then any bytes\n"
	"\n"
	"What comes out\n"
	"  trace			everything in the buffer, which stays there;\n"
	"			opening it for writing (echo > trace) clears the buffer\n"
	"  trace_pipe		takes entries out of the buffer, and waits for more\n"
	"  per_cpu/cpuN/		the same for one CPU; stats counts what was lost\n"
	"  trace_options		switches for what is recorded and how it is shown:\n"
	"			NAME is on, noNAME is off; options/NAME holds 1 or 0\n"
	"  saved_cmdlines	names of tasks by pid; saved_cmdlines_size: how many are kept\n"
	"  saved_tgids		thread groups by pid, if option record-tgid is on\n"
	"  printk_formats	the strings that trace_printk() recorded by address\n"
	"  error_log		what was wrong with what was written; writing clears it\n"
	"\n"
	"The buffer\n"
	"  buffer_size_kb	size for each CPU; per_cpu/cpuN/buffer_size_kb for one\n"
	"  buffer_total_size_kb	size of all together\n"
	"  buffer_subbuf_size_kb	the piece in which it is cut and read; clears the trace\n"
	"  buffer_percent	how full it is when readers of whole pieces are woken\n"
	"  free_buffer		closing this gives its memory back\n"
	"  timestamp_mode	delta, or absolute in each entry\n"
	"  trace_clock		where time stamps come from; writing one clears the trace\n"
	"	local		each CPU's own: fast, may differ a little between CPUs\n"
	"	global		one order for all CPUs, slower\n"
	"	counter		no time, counts the entries\n"
	"	uptime		timer ticks since boot\n"
	"	perf		that of perf's events\n"
	"	mono, mono_raw, boot, tai	those that clock_gettime() knows\n"
	"\n"
	"Trace events\n"
	"  available_events	all that there are, as SYSTEM:EVENT\n"
	"  set_event		those that are on: SYSTEM:EVENT, SYSTEM: or NAME; ! switches off\n"
	"			Can enable module events via: :mod:<module>\n"
	"  events/SYSTEM/EVENT/	enable: 1 or 0; format: the fields of its records\n"
	"			filter: which records, as in FIELD == 1 && NAME ~ \"a*\"\n"
	"			trigger: COMMAND[:SYSTEM:EVENT][:COUNT][ if FILTER];\n"
	"			!COMMAND removes it; it lists the commands\n"
	"  show_event_filters	all filters\n"
	"  show_event_triggers	all triggers, also those of markers: events/ftrace/print\n"
	"  set_event_pid		events of these tasks only\n"
	"  set_event_notrace_pid	never of these\n"
	"			option event-fork: and of their children\n"
#ifdef CONFIG_FTRACE_SYSCALLS
	"  syscall_user_buf_size	bytes that events of system calls have of each string\n"
	"			and array that an argument points to; 0: none\n"
#endif
#ifdef CONFIG_TRACER_SNAPSHOT
	"\n"
	"What is kept aside\n"
	"  snapshot		echo 1 exchanges it with the buffer, 0 frees it,\n"
	"			2 clears it; reading it says how\n"
#endif
#ifdef CONFIG_DYNAMIC_FTRACE
	"\n"
	"Which functions\n"
	"  available_filter_functions	all that can be traced\n"
	"  set_ftrace_filter	only these; none means all\n"
	"  set_ftrace_notrace	never these\n"
	"	accepts: full names or a glob-matching-pattern (* ? [])\n"
	"		!NAME takes one back; > replaces the list, >> adds to it\n"
	"		number of a line of available_filter_functions\n"
	"		FUNC:mod:MODULE: of a module, which need not be there yet\n"
	"	commands, in set_ftrace_filter: FUNC:COMMAND[:COUNT]\n"
	"		"
#endif
	;

static const char readme_end[] = ""
#ifdef CONFIG_DYNAMIC_FTRACE
	"\n"
	"		!FUNC:COMMAND[:COUNT] takes it back\n"
	"  enabled_functions	those that somebody traces now\n"
	"  touched_functions	those that somebody ever traced\n"
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	"\n"
	"Calls and returns, with the tracer function_graph\n"
	"  set_graph_function	only these, with what they call\n"
	"  set_graph_notrace	not these, nor what they call\n"
	"  max_graph_depth	no deeper calls; 0 is no limit\n"
	"  tracing_thresh	only calls that take so many microseconds\n"
#endif
#ifdef CONFIG_FUNCTION_TRACER
	"\n"
	"For whom\n"
	"  set_ftrace_pid	functions of these tasks only\n"
	"  set_ftrace_notrace_pid	never of these\n"
	"	option function-fork: and of their children\n"
#endif
#ifdef CONFIG_FUNCTION_PROFILER
	"\n"
	"How often\n"
	"  function_profile_enabled	1 counts calls, 0 stops\n"
	"  trace_stat/functionN	what was counted on CPU N, and how long it took\n"
#endif
	;

static int readme_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_puts(m, readme_begin);
	if (trace_readme_commands)
		trace_readme_commands(m);
	seq_puts(m, readme_end);
	return 0;
}

TRACE_CONTROL(readme_control, .show = readme_show);

static const struct trace_file readme_files[] = {
	{ "README", TRACE_MODE_READ, TRACE_FILE_TOP, &readme_control.fops },
};

TRACE_FILES(readme_files);
