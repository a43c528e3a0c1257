/* SPDX-License-Identifier: GPL-2.0 */
/* Remove the meanings that the macros had in the reading before. */
#undef __TRACE_EVENT_CLASS
#undef __TRACE_EVENT_DEFINE
#undef __TRACE_EVENT_PRINT
#undef __TRACE_EVENT_UPDATE
#undef __TRACE_EVENT_EVAL
#undef TRACE_DEFINE_ENUM
#undef TRACE_DEFINE_SIZEOF
#undef TRACE_EVENT_FLAGS
#undef TRACE_EVENT_PERF_PERM
#undef TP_printk
#undef __entry
#undef __perf_count
#undef __perf_task

#undef __array
#undef __base_of_data
#undef __base_of_rel
#undef __field_ext
#undef __field_struct_ext
#undef __loc
#undef __loc_cpumask
#undef __loc_string
#undef __trace_event_field

#undef __get_bitmask
#undef __get_buf
#undef __get_cpumask
#undef __get_dynamic_array
#undef __get_dynamic_array_len
#undef __get_rel_bitmask
#undef __get_rel_cpumask
#undef __get_rel_dynamic_array
#undef __get_rel_dynamic_array_len
#undef __get_rel_sockaddr
#undef __get_rel_str
#undef __get_sockaddr
#undef __get_str

#undef __assign_bitmask
#undef __assign_cpumask
#undef __assign_rel_bitmask
#undef __assign_rel_cpumask
#undef __assign_rel_sockaddr
#undef __assign_rel_str
#undef __assign_sockaddr
#undef __assign_str
#undef __assign_vstr

#undef __print_array
#undef __print_dynamic_array
#undef __print_flags
#undef __print_flags_u64
#undef __print_hex
#undef __print_hex_dump
#undef __print_hex_str
#undef __print_ns_to_secs
#undef __print_ns_without_secs
#undef __print_symbolic
#undef __print_symbolic_u64

/* Macros that most readings leave empty */
#define __TRACE_EVENT_DEFINE(class, printer, id, event, init)
#define __TRACE_EVENT_PRINT(id, raw, print)
#define __TRACE_EVENT_UPDATE(event)
#define TRACE_DEFINE_ENUM(name)
#define TRACE_DEFINE_SIZEOF(type)
#define TRACE_EVENT_FLAGS(event, flag)
#define TRACE_EVENT_PERF_PERM(event, expr...)

#define __field_ext(type, item, kind)
#define __field_struct_ext(type, item, kind)
#define __array(type, item, len)

/* In TP_ARGS(), except for the probe */
#define __perf_task(who)	(who)
#define __perf_count(weight)	(weight)
