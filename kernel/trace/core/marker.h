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

int trace_marker_record(struct trace_array *tr, const struct print_entry *entry, size_t count);

#endif /* _TRACE_CORE_MARKER_H */
