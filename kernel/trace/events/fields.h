/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of trace events: looking them up, reading their data, and printing the "format" files.
 */
#ifndef _TRACE_EVENTS_FIELDS_H
#define _TRACE_EVENTS_FIELDS_H

#include <linux/trace_events.h>

#include "../lib/line.h"

struct seq_file;

/* fields.c */
extern const struct trace_event_field trace_event_common_fields[];
bool trace_event_get_field(const struct trace_event_call *call, unsigned int nr,
			   struct trace_event_field *field);
bool trace_event_find_field(const struct trace_event_call *call, struct trace_span name,
			    struct trace_event_field *field);
enum trace_field_kind trace_event_field_kind(const struct trace_event_field *field);
const char *trace_type_skip_attribute(const char *text);
bool trace_type_is_string(const char *type);
bool trace_field_is_dynamic(const struct trace_event_field *field);
const void *trace_field_data(const struct trace_event_field *field, const void *record,
			     unsigned int size, unsigned int *len);

/* fields_print.c */
void trace_field_print(struct trace_iterator *iter, const struct trace_event_field *field,
		       bool of_program);
void trace_print_escaped(struct trace_seq *s, const char *text, unsigned int len);
enum print_line_t trace_event_print_fields(struct trace_iterator *iter, int flags,
					   struct trace_event *event);

/* format.c */
void trace_format_begin(struct seq_file *m, const char *name, unsigned int number);
void trace_format_fields(struct seq_file *m, const struct trace_event_field *field);

#endif /* _TRACE_EVENTS_FIELDS_H */
