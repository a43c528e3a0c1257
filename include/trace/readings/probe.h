/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fourth reading: the probe. TP_ARGS() is evaluated once, before the record is begun: it may
 * name the task and the weight for perf.
 */
#include <trace/readings/undef.h>

#define __loc(where, type, item, bytes)		__entry->__##where##_loc_##item = __offsets.item;
#define __loc_string(where, item, src, bytes)	__loc(where, char, item, bytes)
#define __loc_cpumask(where, item)		__loc(where, unsigned long, item, 0)

#include <trace/readings/get.h>

#define __get_bitmask(item)		((char *)__get_dynamic_array(item))
#define __get_cpumask(item)		((char *)__get_dynamic_array(item))
#define __get_rel_bitmask(item)		((char *)__get_rel_dynamic_array(item))
#define __get_rel_cpumask(item)		((char *)__get_rel_dynamic_array(item))

#define __assign_str(item)								\
	__trace_event_copy_string(__get_str(item), __offsets.__##item,			\
				  __offsets.item >> 16)
#define __assign_vstr(item, fmt, args)							\
	__trace_event_format(__get_str(item), __offsets.item >> 16, fmt, args)
#define __assign_bitmask(item, src, bits)						\
	memcpy(__get_bitmask(item), (src), __trace_event_bitmask_size(bits))
#define __assign_cpumask(item, src)							\
	memcpy(__get_cpumask(item), (src), __trace_event_bitmask_size(nr_cpumask_bits))
#define __assign_sockaddr(item, src, len)						\
	memcpy(__get_dynamic_array(item), (src), len)
#define __assign_rel_str(item)								\
	__trace_event_copy_string(__get_rel_str(item), __offsets.__##item,		\
				  __offsets.item >> 16)
#define __assign_rel_bitmask(item, src, bits)						\
	memcpy(__get_rel_bitmask(item), (src), __trace_event_bitmask_size(bits))
#define __assign_rel_cpumask(item, src)							\
	memcpy(__get_rel_cpumask(item), (src), __trace_event_bitmask_size(nr_cpumask_bits))
#define __assign_rel_sockaddr(item, src, len)						\
	memcpy(__get_rel_dynamic_array(item), (src), len)

#define __entry			entry

#undef __perf_task
#undef __perf_count
#define __perf_task(who)	(__record.task = (who))
#define __perf_count(weight)	(__record.count = (weight))

#define __TRACE_EVENT_CLASS(id, raw, class_ops, protos, args, tstruct, assign, print)	\
static notrace void trace_event_raw_event_##id(void *__data, protos)			\
{											\
	struct trace_event_data_offsets_##id __offsets __maybe_unused __uninitialized;	\
	struct trace_event_buffer __record __uninitialized;				\
	struct raw *__entry;								\
	unsigned int __size;								\
											\
	__record.call = __data;								\
	__record.task = NULL;								\
	__record.count = 1;								\
	__record.ip = _RET_IP_;								\
	__record.frame = __builtin_frame_address(0);					\
	if (sizeof(__offsets) && !trace_event_buffer_wanted(__record.call))		\
		return;									\
	__size = trace_event_get_offsets_##id(&__offsets, args);			\
	__entry = trace_event_buffer_reserve(&__record, sizeof(*__entry) + __size);	\
	if (!__entry)									\
		return;									\
	tstruct										\
	{ assign; }									\
	trace_event_buffer_commit(&__record);						\
}

/* A class whose parameters are not those of the event's tracepoint does not compile. */
#undef __TRACE_EVENT_DEFINE
#define __TRACE_EVENT_DEFINE(class, printer, id, event, init)				\
static inline void __trace_event_check_##id(void)					\
{											\
	check_trace_callback_type_##event(trace_event_raw_event_##class);		\
}
