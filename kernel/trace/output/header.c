// SPDX-License-Identifier: GPL-2.0
/*
 * The header of `trace`: name of the tracer, number of entries, and a legend of the columns.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/utsname.h>

#include "../core/instance.h"
#include "../core/tracer.h"
#include "internal.h"
#include "text.h"

/* Each string is one line, and points at one character of the state column. */
static const char * const state_legend[] = {
	"  _-----=> irqs-off/BH-disabled",
	" / _----=> need-resched",
	"| / _---=> hardirq/softirq",
	"|| / _--=> preempt-depth",
	"||| / _-=> migrate-disable",
	"|||| /     delay",
};

/* The same for latency format, whose lines have the CPU before the state. */
static const char * const latency_legend[] = {
	"  _------=> CPU#",
	" / _-----=> irqs-off/BH-disabled",
	"| / _----=> need-resched",
	"|| / _---=> hardirq/softirq",
	"||| / _--=> preempt-depth",
	"|||| / _-=> migrate-disable",
	"||||| /     delay",
};

static void print_columns(struct seq_file *m, int flags)
{
	bool tgid = FLAG(flags, RECORD_TGID);
	bool state = FLAG(flags, IRQ_INFO);
	int i;

	for (i = 0; state && i < ARRAY_SIZE(state_legend); i++)
		seq_printf(m, "#%*s%s\n", tgid ? 40 : 30, "", state_legend[i]);

	seq_printf(m, "#           TASK-PID  %s   CPU#  %s  TIMESTAMP  FUNCTION\n",
		   tgid ? "     TGID " : "", state ? "|||||" : " ");
	seq_printf(m, "#              | |  %s       |   %s     |         |\n",
		   tgid ? "         |" : "", state ? "|||||" : " ");
}

/* Tools rely on the blanks at the ends of these lines. */
static void print_latency_columns(struct seq_file *m)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(latency_legend); i++)
		seq_printf(m, "#%18s%-28s\n", "", latency_legend[i]);
	seq_printf(m, "#  cmd     pid     |||||| time  |   %-11s\n", "caller");
	seq_printf(m, "#     \\   /        ||||||  \\    |    %-8s\n", "/");
}

static void count_entries(struct trace_iterator *iter, unsigned long *kept,
			  unsigned long *written)
{
	struct trace_buffer *buffer = iter->array_buffer->buffer;

	if (iter->merge->view.from) {
		*kept = trace_iter_count(iter, written);
		*written += *kept;
	} else {
		*kept = ring_buffer_entries(buffer);
		*written = *kept + ring_buffer_overruns(buffer);
	}
}

static const char *preempt_model_name(void)
{
	if (preempt_model_none())
		return "server";
	if (preempt_model_voluntary())
		return "desktop";
	if (preempt_model_full())
		return "preempt";
	return preempt_model_rt() ? "preempt_rt" : "unknown";
}

static void print_place(struct seq_file *m, const char *what, unsigned long ip)
{
	struct trace_iterator *iter = m->private;

	trace_seq_init(&iter->seq);
	trace_print_ip(iter, ip, READ_ONCE(iter->tr->options));
	seq_printf(m, "#  => %s%.*s\n", what, (int)trace_seq_used(&iter->seq), iter->seq.buffer);
	trace_seq_init(&iter->seq);
}

/**
 * trace_latency_header - print the header of a trace in latency format
 * @m: output; its private member is the iterator
 *
 * Context: may sleep; no other user of the iterator.
 */
void trace_latency_header(struct seq_file *m)
{
	struct trace_iterator *iter = m->private;
	const struct latency_view *view = &iter->merge->view;
	const struct latency_report *report = &view->report;
	unsigned long kept, written;

	count_entries(iter, &kept, &written);
	seq_printf(m, "# %s latency trace v1.1.5 on %s\n",
		   iter->trace->name, init_utsname()->release);
	seq_puts(m, "# --------------------------------------------------------------------\n");
	seq_printf(m, "# latency: %llu us, #%lu/%lu, CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0 #P:%d)\n",
		   ns_to_us(report->ns), kept, written, report->cpu,
		   preempt_model_name(), num_online_cpus());
	seq_puts(m, "#    -----------------\n");
	seq_printf(m, "#    | task: %.16s-%d (uid:%u nice:%d policy:%u rt_prio:%u)\n", report->comm,
		   report->pid, from_kuid_munged(seq_user_ns(m), report->uid), report->nice,
		   report->policy, report->rt_priority);
	seq_puts(m, "#    -----------------\n");
	if (report->begun_at) {
		print_place(m, "started at: ", report->begun_at);
		print_place(m, "ended at:   ", report->ended_at);
		seq_puts(m, "#\n");
	}
	if (view->missed)
		seq_printf(m, "#  => not kept, as this was being read: %llu us\n#\n",
			   ns_to_us(view->missed));
	if (view->incomplete)
		seq_puts(m, "#  => incomplete: the buffer of a CPU could not be exchanged\n#\n");
	seq_puts(m, "#\n");
}

static void print_count_header(struct seq_file *m, struct trace_iterator *iter)
{
	unsigned long kept, written;

	count_entries(iter, &kept, &written);
	seq_printf(m, "# entries-in-buffer/entries-written: %lu/%lu   #P:%d\n#\n",
		   kept, written, num_online_cpus());
}

/**
 * trace_default_header - print the header of a tracer that has none of its own
 * @m: output; its private member is the iterator
 *
 *
 * Context: may sleep; no other user of the iterator.
 */
void trace_default_header(struct seq_file *m)
{
	struct trace_iterator *iter = m->private;
	int flags = READ_ONCE(iter->tr->options);

	if (!FLAG(flags, CONTEXT_INFO))
		return;

	if (iter->iter_flags & TRACE_FILE_LAT_FMT) {
		if (trace_iter_empty(iter))
			return;
		trace_latency_header(m);
		if (!FLAG(flags, VERBOSE))
			print_latency_columns(m);
	} else if (!FLAG(flags, VERBOSE)) {
		print_count_header(m, iter);
		print_columns(m, flags);
	}
}

/**
 * trace_print_tracer - print the first lines of any header
 * @m: output; its private member is the iterator
 *
 *
 * Context: any, one user of @m at a time.
 */
void trace_print_tracer(struct seq_file *m)
{
	struct trace_iterator *iter = m->private;

	seq_printf(m, "# tracer: %s\n#\n", iter->trace->name);
}

/**
 * trace_print_header - print the header of `trace`
 * @m: output; its private member is the iterator
 *
 *
 * Context: may sleep; no other user of the iterator.
 */
void trace_print_header(struct seq_file *m)
{
	struct trace_iterator *iter = m->private;

	trace_print_tracer(m);
	if (iter->trace->print_header)
		iter->trace->print_header(m);
	else
		trace_default_header(m);
}
