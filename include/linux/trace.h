/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interfaces of tracing for the rest of the kernel: instances, and exports of trace entries.
 */
#ifndef _LINUX_TRACE_H
#define _LINUX_TRACE_H

#include <linux/bits.h>
#include <linux/compiler_attributes.h>
#include <linux/compiler_types.h>
#include <linux/errno.h>
#include <linux/stdarg.h>
#include <linux/types.h>

struct trace_array;

/* struct trace_export.flags: which entries to write */
#define TRACE_EXPORT_FUNCTION	BIT(0)	/* calls of functions */
#define TRACE_EXPORT_EVENT	BIT(1)	/* trace events */
#define TRACE_EXPORT_MARKER	BIT(2)	/* entries of trace_marker */

/**
 * struct trace_export - a second destination of trace entries
 * @next: next in the tracer's list
 * @write: called with each entry of all instances, in any context, with preemption
 *	off; must not be traced
 * @flags: TRACE_EXPORT_*; must not change while it is registered
 */
struct trace_export {
	struct trace_export __rcu *next;
	void (*write)(struct trace_export *export, const void *entry, unsigned int size);
	int flags;
};

#ifdef CONFIG_TRACING

int register_ftrace_export(struct trace_export *export);
int unregister_ftrace_export(struct trace_export *export);

struct trace_array *trace_array_get_by_name(const char *name, const char *systems);
void trace_array_put(struct trace_array *tr);
int trace_array_destroy(struct trace_array *tr);
int trace_array_set_clr_event(struct trace_array *tr, const char *system, const char *event,
			      bool enable);

int trace_array_init_printk(struct trace_array *tr);
__printf(3, 4)
int trace_array_printk(struct trace_array *tr, unsigned long ip, const char *fmt, ...);
__printf(3, 0)
int trace_array_vprintk(struct trace_array *tr, unsigned long ip, const char *fmt,
			va_list args);

/* For tracing_snapshot() of <linux/kernel.h>. */
int tracing_alloc_snapshot(void);

/* Nothing to do: trace_printk() has its memory from the start. */
static inline void trace_printk_init_buffers(void) { }

#else

static inline int register_ftrace_export(struct trace_export *export)
{
	return -EINVAL;
}

static inline int unregister_ftrace_export(struct trace_export *export)
{
	return 0;
}

static inline struct trace_array *trace_array_get_by_name(const char *name, const char *systems)
{
	return NULL;
}

static inline void trace_array_put(struct trace_array *tr) { }

static inline int trace_array_destroy(struct trace_array *tr)
{
	return 0;
}

static inline int trace_array_set_clr_event(struct trace_array *tr, const char *system,
					    const char *event, bool enable)
{
	return -ENODEV;
}

static inline int trace_array_init_printk(struct trace_array *tr)
{
	return -EINVAL;
}

static inline __printf(3, 4)
int trace_array_printk(struct trace_array *tr, unsigned long ip, const char *fmt, ...)
{
	return 0;
}

static inline int tracing_alloc_snapshot(void)
{
	return -ENODEV;
}

static inline void trace_printk_init_buffers(void) { }

#endif /* CONFIG_TRACING */

#endif /* _LINUX_TRACE_H */
