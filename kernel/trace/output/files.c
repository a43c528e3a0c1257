// SPDX-License-Identifier: GPL-2.0
/*
 * The control files of this directory, and the code of the shortest one: stats.
 */
#include <linux/seq_file.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "internal.h"

static void show_time(struct seq_file *m, struct trace_array *tr, const char *what, u64 ts)
{
	u32 us;

	if (!trace_clock_in_ns(tr)) {
		seq_printf(m, "%s: %llu\n", what, ts);
		return;
	}
	ts = div_u64_rem(div_u64(ts + 500, NSEC_PER_USEC), USEC_PER_SEC, &us);
	seq_printf(m, "%s: %5llu.%06u\n", what, ts, us);
}

static int stats_show(struct seq_file *m, struct trace_scope *scope)
{
	struct trace_buffer *buffer = scope->tr->array_buffer.buffer;
	int cpu = scope->cpu;

	seq_printf(m, "entries: %lu\n", ring_buffer_entries_cpu(buffer, cpu));
	seq_printf(m, "overrun: %lu\n", ring_buffer_overrun_cpu(buffer, cpu));
	seq_printf(m, "commit overrun: %lu\n", ring_buffer_commit_overrun_cpu(buffer, cpu));
	seq_printf(m, "bytes: %lu\n", ring_buffer_bytes_cpu(buffer, cpu));
	show_time(m, scope->tr, "oldest event ts", ring_buffer_oldest_event_ts(buffer, cpu));
	show_time(m, scope->tr, "now ts", ring_buffer_time_stamp(buffer));
	seq_printf(m, "dropped events: %lu\n", ring_buffer_dropped_events_cpu(buffer, cpu));
	seq_printf(m, "read events: %lu\n", ring_buffer_read_events_cpu(buffer, cpu));
	return 0;
}

TRACE_CONTROL(stats_control, .show = stats_show);

TRACE_FILES(output_files,
	{ "trace",	TRACE_MODE_WRITE, TRACE_FILE_INSTANCE,	&trace_fops },
	{ "trace_pipe",	TRACE_MODE_READ,  TRACE_FILE_INSTANCE,	&trace_pipe_fops },
	{ "trace",	TRACE_MODE_WRITE, TRACE_FILE_CPU,	&trace_fops },
	{ "trace_pipe",	TRACE_MODE_READ,  TRACE_FILE_CPU,	&trace_pipe_fops },
	{ "trace_pipe_raw", TRACE_MODE_READ, TRACE_FILE_CPU,	&trace_raw_fops },
	{ "stats",	TRACE_MODE_READ,  TRACE_FILE_CPU,	&stats_control.fops });

TRACE_README(output_readme, 410,
	"What comes out\n"
	"  trace			everything in the buffer, which stays there;\n"
	"			opening it for writing (echo > trace) clears the buffer\n"
	"  trace_pipe		takes entries out of the buffer, and waits for more\n"
	"  per_cpu/cpuN/		the same for one CPU; stats counts what was lost\n");

#ifdef CONFIG_TRACER_SNAPSHOT
TRACE_FILES(snapshot_files,
	{ "snapshot",	TRACE_MODE_WRITE, TRACE_FILE_INSTANCE,	&snapshot_fops },
	{ "snapshot",	TRACE_MODE_WRITE, TRACE_FILE_CPU,	&snapshot_fops },
	{ "snapshot_raw", TRACE_MODE_READ, TRACE_FILE_CPU,	&snapshot_raw_fops });

TRACE_README(snapshot_readme, 700,
	"\n"
	"What is kept aside\n"
	"  snapshot		echo 1 exchanges it with the buffer, 0 frees it,\n"
	"			2 clears it; reading it says how\n");
#endif
