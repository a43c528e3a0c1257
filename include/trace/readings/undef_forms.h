/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Take their meanings from the macros that a header of trace events defines events and tracepoints
 * with. There is no include guard: this is read before and after each of the other readings.
 */
#undef DECLARE_EVENT_CLASS
#undef DECLARE_EVENT_CLASS_NOP
#undef DECLARE_TRACE
#undef DECLARE_TRACE_CONDITION
#undef DEFINE_EVENT
#undef DEFINE_EVENT_CONDITION
#undef DEFINE_EVENT_FN
#undef DEFINE_EVENT_NOP
#undef DEFINE_EVENT_PRINT
#undef TRACE_EVENT
#undef TRACE_EVENT_CONDITION
#undef TRACE_EVENT_FN
#undef TRACE_EVENT_FN_COND
#undef TRACE_EVENT_NOP
