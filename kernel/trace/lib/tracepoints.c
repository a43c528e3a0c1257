// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints whose subsystem has no file to create them in: their headers are included here,
 * once, with CREATE_TRACE_POINTS.
 */
#include <linux/export.h>

#define CREATE_TRACE_POINTS
#include <trace/events/error_report.h>
#include <trace/events/power.h>
#ifdef CONFIG_PM
#include <trace/events/rpm.h>
#endif

EXPORT_TRACEPOINT_SYMBOL_GPL(cpu_frequency);
EXPORT_TRACEPOINT_SYMBOL_GPL(cpu_idle);
EXPORT_TRACEPOINT_SYMBOL_GPL(error_report_end);
EXPORT_TRACEPOINT_SYMBOL_GPL(powernv_throttle);
EXPORT_TRACEPOINT_SYMBOL_GPL(suspend_resume);

#ifdef CONFIG_PM
EXPORT_TRACEPOINT_SYMBOL_GPL(rpm_idle);
EXPORT_TRACEPOINT_SYMBOL_GPL(rpm_resume);
EXPORT_TRACEPOINT_SYMBOL_GPL(rpm_return_int);
EXPORT_TRACEPOINT_SYMBOL_GPL(rpm_suspend);
#endif
