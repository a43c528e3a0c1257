/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events for perf and BPF.
 */
#ifndef _LINUX_TRACE_EVENTS_PERF_H
#define _LINUX_TRACE_EVENTS_PERF_H

#include <linux/errno.h>
#include <linux/perf_event.h>
#include <linux/types.h>

union bpf_attr;
struct bpf_prog;
struct bpf_raw_event_map;
struct bpf_raw_tp_link;
struct event_filter;
struct pt_regs;
struct trace_event_call;

#ifdef CONFIG_PERF_EVENTS
/* The largest record for perf, with its size before it. */
#define PERF_MAX_TRACE_SIZE	8192

/* Perf events at trace events: for kernel/events/core.c. */
int perf_trace_init(struct perf_event *event);
void perf_trace_destroy(struct perf_event *event);
int perf_trace_add(struct perf_event *event, int flags);
void perf_trace_del(struct perf_event *event, int flags);
void perf_trace_buf_update(void *record, u16 type);
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str);
void ftrace_profile_free_filter(struct perf_event *event);
int filter_match_preds(struct event_filter *filter, void *record);
int trace_event_get_offsets(struct trace_event_call *call);

/* Defined in kernel/events/core.c */
void perf_trace_run_bpf_submit(void *record, int size, int perf_context,
			       struct trace_event_call *call, u64 count, struct pt_regs *regs,
			       struct hlist_head *head, struct task_struct *task);
void perf_tp_event(u16 event_type, u64 count, void *record, int entry_size, struct pt_regs *regs,
		   struct hlist_head *head, int perf_context, struct task_struct *task);
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);
#endif

/*
 * BPF programs at events, tracepoints and probes: they cannot be attached yet.
 */
static inline bool bpf_prog_array_valid(const struct trace_event_call *call)
{
	return false;
}

static inline unsigned int trace_call_bpf(struct trace_event_call *call, void *context)
{
	return 1;
}

static inline int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog,
					     u64 bpf_cookie)
{
	return -EOPNOTSUPP;
}

static inline void perf_event_detach_bpf_prog(struct perf_event *event) { }

static inline int perf_event_query_prog_array(struct perf_event *event, void __user *info)
{
	return -EOPNOTSUPP;
}

static inline struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return NULL;
}

static inline void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp) { }

static inline int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id,
					  u32 *fd_type, const char **buf, u64 *probe_offset,
					  u64 *probe_addr, unsigned long *missed)
{
	return -EOPNOTSUPP;
}

static inline int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}

static inline int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}

#endif /* _LINUX_TRACE_EVENTS_PERF_H */
