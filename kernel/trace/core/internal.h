/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that only files of core/ use.
 */
#ifndef _TRACE_CORE_INTERNAL_H
#define _TRACE_CORE_INTERNAL_H

#include "instance.h"

/* Symbols of the linker script: arrays of strings that trace_printk() records by address. */
extern const char *__start___trace_bprintk_fmt[];
extern const char *__stop___trace_bprintk_fmt[];
extern const char *__start___tracepoint_str[];
extern const char *__stop___tracepoint_str[];

/* Bytes for each CPU before an instance is used: the smallest buffer, which has few events. */
#define SIZE_BEFORE_USE		1UL

/* Bytes for each CPU of an instance that is in use. */
extern unsigned long trace_buffer_size;

/* instance.c */
void trace_synchronize(void);

/* instance_dir.c */
int trace_array_init_top(void);
struct trace_array *trace_array_create(const char *name, const char *systems);
struct trace_array *trace_array_find(const char *name);

/* instance_boot.c */
void trace_instance_boot(void);

/* size.c */
int trace_array_set_order(struct trace_array *tr, int order);

/* clock.c */
const char *trace_clock_name(unsigned int nr);
void trace_clock_apply(const struct trace_array *tr, struct trace_buffer *buffer);

/* snapshot.c, snapshot_swap.c */
#ifdef CONFIG_TRACER_SNAPSHOT
int trace_snapshot_alloc(struct trace_array *tr);
int trace_snapshot_renew(struct trace_array *tr);
void trace_snapshot_free(struct trace_array *tr);
int trace_snapshot_take(struct trace_array *tr, int cpu);
void trace_snapshot_now(struct trace_array *tr);
bool trace_snapshot_has_cond(const struct trace_array *tr);
void trace_snapshot_stop(struct trace_array *tr);
void trace_snapshot_start(struct trace_array *tr);
int trace_snapshot_fit(struct trace_array *tr);
struct trace_buffer *trace_snapshot_buffer(struct trace_array *tr);
void trace_snapshot_settle(struct trace_array *tr);
struct array_buffer *trace_snapshot_hold(struct trace_array *tr);
struct array_buffer *trace_snapshot_kept(struct trace_array *tr);
void trace_snapshot_keep(struct trace_array *tr, const struct latency_report *report);

/* snapshot_boot.c */
void trace_snapshot_boot(void);
#else
static inline void trace_snapshot_boot(void) { }

static inline void trace_snapshot_free(struct trace_array *tr) { }

static inline void trace_snapshot_settle(struct trace_array *tr) { }
static inline void trace_snapshot_stop(struct trace_array *tr) { }
static inline void trace_snapshot_start(struct trace_array *tr) { }

static inline int trace_snapshot_fit(struct trace_array *tr)
{
	return 0;
}

static inline struct trace_buffer *trace_snapshot_buffer(struct trace_array *tr)
{
	return NULL;
}
#endif

/* nop.c */
extern struct tracer nop_tracer;

/* tracer.c */
int trace_array_attach_tracers(struct trace_array *tr);
void trace_array_detach_tracers(struct trace_array *tr);
void trace_array_end_tracer(struct trace_array *tr);

/* options.c */
u64 trace_options_default(const struct tracer *tracer);
void trace_options_inherit(struct trace_array *tr);
void trace_options_end(struct trace_array *tr);
int trace_option_set_text(struct trace_array *tr, char *text);
int trace_options_create(struct trace_array *tr);
int trace_options_create_tracer(struct trace_array *tr, const struct tracer *tracer);

/* Change hooks of options. */
int option_record_cmd(struct trace_array *tr, bool on);
int option_record_tgid(struct trace_array *tr, bool on);
int option_overwrite(struct trace_array *tr, bool on);
int option_printk_dest(struct trace_array *tr, bool on);
int option_function_fork(struct trace_array *tr, bool on);
int option_event_fork(struct trace_array *tr, bool on);
int option_function_trace(struct trace_array *tr, bool on);
int option_display_graph(struct trace_array *tr, bool on);

/* printk.c, printk_dest.c */
extern struct trace_array *trace_printk_dest;

static inline struct trace_array *trace_printk_dest_array(void)
{
	return READ_ONCE(trace_printk_dest) ?: READ_ONCE(trace_top);
}

bool trace_printk_goes_to(const struct trace_array *tr);
void trace_printk_leave(struct trace_array *tr);
void trace_array_say(struct trace_array *tr, unsigned long ip, const char *text);

/* saved_cmdlines.c */
void trace_comms_init(void);

/* files.c */
void trace_files_begin(void);
int trace_files_create(struct trace_array *tr);
void trace_files_remove(struct trace_array *tr);

/* thresh.c */
int trace_parse_us(const char *text, unsigned int base, unsigned long *ns);

#endif /* _TRACE_CORE_INTERNAL_H */
