// SPDX-License-Identifier: GPL-2.0
/*
 * README: the control files in one page, for users at a shell.
 *
 * It lists only what this kernel has: test suites read it to find that out. So each subsystem adds
 * a part about its files; this file has the parts about the files of core/.
 */
#include <linux/list.h>
#include <linux/seq_file.h>

#include "files.h"
#include "instance.h"
#include "readme.h"
#include "tracer.h"

/* Changed by initcalls only. */
static LIST_HEAD(readme_parts);

/**
 * trace_readme_add - add a part to README
 * @part: the part; must never be freed
 *
 * Context: boot, from a core_initcall: README cannot be read before these are done.
 */
void __init trace_readme_add(struct trace_readme_part *part)
{
	struct trace_readme_part *other;

	list_for_each_entry(other, &readme_parts, list) {
		if (other->place > part->place)
			break;
	}
	/* Insert it before @other, or at the end of the list. */
	list_add_tail(&part->list, &other->list);
}

TRACE_README(readme_mount, 100,
	"Tracing in short\n"
	"\n"
	"Files belong to root. A group may be let in when tracefs is mounted:\n"
	"\n"
	"	mount -t tracefs [-o [gid=<gid>]] nodev /sys/kernel/tracing\n"
	"\n");

TRACE_README(readme_record, 300,
	"What records\n"
	"  available_tracers	what can be written to current_tracer\n"
	"  current_tracer	the one that runs; writing another one clears the trace\n"
	"  tracing_on		0 keeps what is there and records nothing more; 1 goes on\n"
	"  tracing_cpumask	CPUs that record, as a hexadecimal mask\n"
	"  trace_marker		text written here becomes part of the trace\n"
	"  trace_marker_raw	the same for binary data: a 32-bit id, then any bytes\n"
	"\n");

TRACE_README(readme_options, 420,
	"  trace_options		switches for what is recorded and how it is shown:\n"
	"			NAME is on, noNAME is off; options/NAME holds 1 or 0\n"
	"  saved_cmdlines	names of tasks by pid; saved_cmdlines_size: how many are kept\n"
	"  saved_tgids		thread groups by pid, if option record-tgid is on\n"
	"  printk_formats	the strings that trace_printk() recorded by address\n"
	"  error_log		what was wrong with what was written; writing clears it\n"
	"\n");

TRACE_README(readme_buffer, 500,
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
	"\n");

static int readme_show(struct seq_file *m, struct trace_scope *scope)
{
	const struct trace_readme_part *part;

	list_for_each_entry(part, &readme_parts, list) {
		seq_puts(m, part->text);
		if (part->show)
			part->show(m);
	}
	return 0;
}

TRACE_CONTROL(readme_control, .show = readme_show);

TRACE_FILES(readme_files,
	{ "README", TRACE_MODE_READ, TRACE_FILE_TOP, &readme_control.fops });
