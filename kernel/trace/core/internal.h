/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the core room share among themselves.
 */
#ifndef _TRACE_CORE_INTERNAL_H
#define _TRACE_CORE_INTERNAL_H

#include "core.h"

/* Of the linker script: strings recorded by address. */
extern const char *__start___trace_bprintk_fmt[];
extern const char *__stop___trace_bprintk_fmt[];
extern const char *__start___tracepoint_str[];
extern const char *__stop___tracepoint_str[];

/* Bytes for each CPU of an instance that is in use. */
extern unsigned long trace_buffer_size;

int trace_array_init_top(void);

/* tracer.c */
int trace_array_attach_tracers(struct trace_array *tr);
void trace_array_detach_tracers(struct trace_array *tr);
struct tracer_state *trace_array_find_tracer(struct trace_array *tr, const char *name);
extern struct tracer nop_tracer;

/* options.c */
u64 trace_options_default(void);
int trace_option_set_text(struct trace_array *tr, char *text);
void trace_options_create(struct trace_array *tr);
void trace_options_create_tracer(struct trace_array *tr, struct tracer *tracer);

/* Change hooks of options. */
int option_record_cmd(struct trace_array *tr, bool on);
int option_record_tgid(struct trace_array *tr, bool on);
int option_overwrite(struct trace_array *tr, bool on);

/* comms.c */
void trace_comms_init(void);

/* event_dir.c */
void trace_event_dir_create(struct trace_array *tr);

/* files.c */
void trace_files_create(struct trace_array *tr);

#endif /* _TRACE_CORE_INTERNAL_H */
