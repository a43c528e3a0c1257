/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The third reading: a function that works out the offsets, and the size of all data. The fields
 * that have a fixed place are looked at only here: their name must be a name, and not "name[3]".
 */
#include <trace/readings/undef.h>

#undef __field_ext
#undef __field_struct_ext
#define __field_ext(type, item, kind)		enum { __is_a_name_##item };
#define __field_struct_ext(type, item, kind)	enum { __is_a_name_##item };

#define __base_of_data(item)	0
#define __base_of_rel(item)	offsetofend(typeof(*__record), __rel_loc_##item)

#define __loc(where, type, item, bytes)							\
	{										\
		const unsigned int __bytes = (bytes);					\
											\
		__offsets->item = (__size + offsetof(typeof(*__record), __data) -	\
				   __base_of_##where(item)) | __bytes << 16;		\
		__size += __bytes;							\
	}
#define __loc_string(where, item, src, bytes)						\
	{										\
		const char *__src = (src);						\
											\
		__offsets->__##item = __trace_event_string(__src);			\
		__loc(where, char, item, bytes)						\
	}
#define __loc_cpumask(where, item)							\
	__loc(where, unsigned long, item, __trace_event_bitmask_size(nr_cpumask_bits))

#define __TRACE_EVENT_CLASS(id, raw, class_ops, proto, args, tstruct, assign, print)	\
static __always_inline notrace unsigned int						\
trace_event_get_offsets_##id(struct trace_event_data_offsets_##id *__offsets, proto)	\
{											\
	struct raw *__record __maybe_unused;						\
	unsigned int __size = 0;							\
											\
	tstruct										\
	return __size;									\
}
