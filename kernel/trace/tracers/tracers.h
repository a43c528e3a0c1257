/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracers, for their table, and declarations that they share.
 */
#ifndef _TRACE_TRACERS_H
#define _TRACE_TRACERS_H

#include <linux/types.h>

struct ftrace_ops;
struct trace_array;

int graph_tracer_setup(void);
int hwlat_tracer_setup(void);
int section_tracers_setup(void);

extern struct tracer function_tracer;
extern struct tracer graph_tracer;
extern struct tracer hwlat_tracer;
extern struct tracer irqsoff_tracer, preemptoff_tracer, preemptirqsoff_tracer;
extern struct tracer wakeup_tracer, wakeup_rt_tracer, wakeup_dl_tracer;

#ifdef CONFIG_FUNCTION_TRACER
struct ftrace_ops *function_tracer_ops(struct trace_array *tr);
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void graph_pids_changed(struct trace_array *tr);
bool graph_selects_functions(void);
#else
static inline void graph_pids_changed(struct trace_array *tr) { }
static inline bool graph_selects_functions(void) { return false; }
#endif

/* Define the file_operations of a file that selects functions, which @open_side opens. */
#define FILTER_FILE_FOPS(name, open_side, its_side, its_release)		\
	static int name##_open(struct inode *inode, struct file *file)		\
	{									\
		return open_side(inode, file, its_side);			\
	}									\
	static const struct file_operations name##_fops = {			\
		.open		= name##_open,					\
		.read		= seq_read,					\
		.write		= ftrace_filter_write,				\
		.llseek		= trace_file_lseek,				\
		.release	= its_release,					\
	}

#endif /* _TRACE_TRACERS_H */
