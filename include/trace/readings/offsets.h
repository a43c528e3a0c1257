/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The second reading: offsets and sizes of data of variable size, in the form of the fields in the
 * record, and the strings to copy there.
 */
#include <trace/readings/undef.h>

#define __loc(where, type, item, bytes)		u32 item;
#define __loc_string(where, item, src, bytes)	u32 item; const char *__##item;
#define __loc_cpumask(where, item)		u32 item;

#define __TRACE_EVENT_CLASS(id, raw, class_ops, proto, args, tstruct, assign, print)	\
struct trace_event_data_offsets_##id {							\
	tstruct										\
};
