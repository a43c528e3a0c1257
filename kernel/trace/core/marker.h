/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers: text that user space writes into the trace.
 */
#ifndef _TRACE_CORE_MARKER_H
#define _TRACE_CORE_MARKER_H

#include <linux/sizes.h>
#include <linux/types.h>

struct print_entry;
struct trace_array;

/*
 * The largest record that fits into a sub-buffer of 4 KB, beside its header and the event's. Larger
 * sub-buffers get no larger records, so that the text of an entry fits into a trace_seq.
 */
#define TRACE_MARKER_MAX	(SZ_4K - 24)

/**
 * struct trace_marker_ops - callbacks of a subsystem that looks at what is written to trace_marker
 * @wants: does it want to see the text that is written in this instance now?
 * @take: gets the text, records it by trace_marker_record(), and returns the result of that. May
 *	sleep. @entry: a complete record, but for a newline at the end, in TRACE_MARKER_MAX bytes,
 *	with a NUL after the text; @count: characters of the text; @caller: return address of
 *	write(), where stacks begin
 */
struct trace_marker_ops {
	bool	(*wants)(const struct trace_array *tr);
	int	(*take)(struct trace_array *tr, struct print_entry *entry, size_t count,
			unsigned long caller);
};

void trace_marker_set_ops(const struct trace_marker_ops *ops);

int trace_marker_record(struct trace_array *tr, const struct print_entry *entry, size_t count);

#endif /* _TRACE_CORE_MARKER_H */
