/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The error log of an instance: error_log.c. trace_log_error() is in instance.h.
 */
#ifndef _TRACE_CORE_ERROR_LOG_H
#define _TRACE_CORE_ERROR_LOG_H

struct trace_array;

#define TRACE_ERRORS_MAX	8

/**
 * struct trace_error_log - the latest errors of an instance
 * @nr: number of errors
 * @errors: text of each error, see error_log.c; the oldest first
 */
struct trace_error_log {
	unsigned int		nr;
	char			*errors[TRACE_ERRORS_MAX];
};

void trace_errors_free(struct trace_array *tr);

#endif /* _TRACE_CORE_ERROR_LOG_H */
