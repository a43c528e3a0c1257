// SPDX-License-Identifier: GPL-2.0
/*
 * The files set_graph_function, set_graph_notrace and max_graph_depth: they select the calls that
 * function_graph records in all instances.
 */
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "../ftrace/ftrace.h"
#include "graph.h"
#include "tracers.h"

static int __init boot_max_depth(char *text)
{
	if (kstrtouint(text, 0, &graph_max_depth))
		pr_warn("tracing: ftrace_graph_max_depth=%s: no number\n", text);
	return 1;
}
__setup("ftrace_graph_max_depth=", boot_max_depth);

/* Shown as an int, which is what tools expect. */
static int max_depth_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%d\n", (int)READ_ONCE(graph_max_depth));
	return 0;
}

static int max_depth_store(struct trace_scope *scope, unsigned long depth)
{
	if (depth > UINT_MAX)
		return -ERANGE;
	WRITE_ONCE(graph_max_depth, depth);
	graph_choose_all();
	return 0;
}

/**
 * graph_selects_functions - is set_graph_function or set_graph_notrace set?
 *
 * Context: any.
 * Return: true if function_graph leaves out functions, and their callees, in all instances.
 */
bool graph_selects_functions(void)
{
	return ftrace_graph_selects(FTRACE_FILTER) || ftrace_graph_selects(FTRACE_NOTRACE);
}

TRACE_CONTROL(max_depth, .show = max_depth_show, .store_number = max_depth_store);

#ifdef CONFIG_DYNAMIC_FTRACE

static int graph_select_open(struct inode *inode, struct file *file,
			     enum ftrace_filter_side side)
{
	int err = trace_scope_get(inode->i_private);

	if (err)
		return err;
	err = ftrace_filter_open(&ftrace_graph_select_ops, side, inode, file);
	if (err)
		trace_scope_put(inode->i_private);
	return err;
}

static int graph_select_release(struct inode *inode, struct file *file)
{
	int err = ftrace_filter_release(inode, file);

	if (file->f_mode & FMODE_WRITE && ftrace_graph_select())
		pr_warn("tracing: no memory for %pD\n", file);
	graph_choose_all();
	trace_scope_put(inode->i_private);
	return err;
}

FILTER_FILE_FOPS(set_graph_function, graph_select_open, FTRACE_FILTER, graph_select_release);
FILTER_FILE_FOPS(set_graph_notrace, graph_select_open, FTRACE_NOTRACE, graph_select_release);

TRACE_FILES(graph_select_files,
	{ "set_graph_function", TRACE_MODE_WRITE, TRACE_FILE_TOP, &set_graph_function_fops },
	{ "set_graph_notrace", TRACE_MODE_WRITE, TRACE_FILE_TOP, &set_graph_notrace_fops });

#endif /* CONFIG_DYNAMIC_FTRACE */

TRACE_FILES(graph_files,
	{ "max_graph_depth", TRACE_MODE_WRITE, TRACE_FILE_TOP, &max_depth.fops });

TRACE_README(graph_readme, 900,
	"\n"
	"Calls and returns, with the tracer function_graph\n"
	"  set_graph_function	only these, with what they call\n"
	"  set_graph_notrace	not these, nor what they call\n"
	"  max_graph_depth	no deeper calls; 0 is no limit\n"
	"  tracing_thresh	only calls that take so many microseconds\n");
