/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filters of ops, the files that show them, and function commands: filter.c,
 * filter_files.c, commands.c.
 */
#ifndef _KERNEL_TRACE_FTRACE_FILTER_H
#define _KERNEL_TRACE_FTRACE_FILTER_H

#include "ftrace.h"
#include "names.h"
#include "set.h"

int ftrace_ops_change_set(struct ftrace_ops *ops, enum ftrace_filter_side side,
			  struct ftrace_set_builder *b);
void ftrace_module_arrived(struct module *mod);
void ftrace_forget_text(unsigned long start, unsigned long end);
void ftrace_boot_filters(void);

void ftrace_filter_files_forget(unsigned long start, unsigned long end);

int ftrace_add_command(struct trace_array *tr, const char *func, struct trace_line *line);
int ftrace_remove_command(struct trace_array *tr, const char *func, struct trace_line *line);
void ftrace_end_empty_commands(void);
unsigned long ftrace_command_lines(const struct trace_array *tr);
void ftrace_show_command(struct seq_file *m, struct ftrace_names *names,
			 const struct trace_array *tr, unsigned long nr);

#endif /* _KERNEL_TRACE_FTRACE_FILTER_H */
