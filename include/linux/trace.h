/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace buffers, for the rest of the kernel.
 *
 * There is one instance, the top one, which trace_printk() of <linux/kernel.h>
 * writes to. Who asks for one of his own, or for a copy of the entries, is told
 * that there is none.
 */
#ifndef _LINUX_TRACE_H
#define _LINUX_TRACE_H

#include <linux/bits.h>
#include <linux/compiler_types.h>
#include <linux/errno.h>
#include <linux/types.h>

struct trace_array;

/* struct trace_export.flags: which entries to write */
#define TRACE_EXPORT_FUNCTION	BIT(0)
#define TRACE_EXPORT_EVENT	BIT(1)
#define TRACE_EXPORT_MARKER	BIT(2)

/**
 * struct trace_export - a second destination of trace entries
 * @next: the next export
 * @write: called with each entry, preemption off
 * @flags: TRACE_EXPORT_*
 */
struct trace_export {
	struct trace_export __rcu *next;
	void (*write)(struct trace_export *export, const void *entry, unsigned int size);
	int flags;
};

static inline int register_ftrace_export(struct trace_export *export)
{
	return -EOPNOTSUPP;
}

static inline int unregister_ftrace_export(struct trace_export *export)
{
	return -EOPNOTSUPP;
}

static inline struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	return NULL;
}

static inline void trace_array_put(struct trace_array *tr) { }

static inline int trace_array_set_clr_event(struct trace_array *tr, const char *system,
					    const char *event, bool enable)
{
	return -ENODEV;
}

#endif /* _LINUX_TRACE_H */
