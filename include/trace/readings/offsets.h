/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The second reading: where data of variable size go, as their fields in the record say it, and
 * what string is copied there.
 */
#include <trace/readings/undef.h>

#define __loc(where, type, item, bytes)		u32 item;
#define __loc_string(where, item, src, bytes)	u32 item; const char *__##item;
#define __loc_cpumask(where, item)		u32 item;

#define __TRACE_EVENT_CLASS(id, raw, class_ops, proto, args, tstruct, assign, print)	\
struct trace_event_data_offsets_##id {							\
	tstruct										\
};
