/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ftrace room offers to its neighbours in kernel/trace, beyond
 * <linux/ftrace.h>: the control files that select and list call sites.
 */
#ifndef _KERNEL_TRACE_FTRACE_H
#define _KERNEL_TRACE_FTRACE_H

#include <linux/fs.h>
#include <linux/ftrace.h>

/*
 * The ops of the top instance, whose sites set_ftrace_filter and the boot
 * parameters select. Its owner sets @func and @private before registering it.
 */
extern struct ftrace_ops ftrace_global_ops;

/* Files that select the sites of an ftrace_ops: filter_files.c. */
enum ftrace_filter_side { FTRACE_FILTER, FTRACE_NOTRACE };

int ftrace_filter_open(struct ftrace_ops *ops, enum ftrace_filter_side side,
		       struct inode *inode, struct file *file);
ssize_t ftrace_filter_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos);
int ftrace_filter_release(struct inode *inode, struct file *file);

/* List sites, all of them or those in some state; inode->i_private is unused. */
extern const struct file_operations ftrace_avail_fops;
extern const struct file_operations ftrace_avail_addrs_fops;
extern const struct file_operations ftrace_enabled_fops;
extern const struct file_operations ftrace_touched_fops;
extern const struct file_operations ftrace_total_info_fops;

#endif /* _KERNEL_TRACE_FTRACE_H */
