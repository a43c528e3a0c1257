/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of pids: any number of them, from a handful to all.
 *
 * Who changes the set keeps others away who make room or free; adding and removing
 * what there is room for, and asking, need no lock and may be done in any context,
 * also at the same time: each pid is a bit, and the memory that has it stays until
 * the set is freed.
 */
#ifndef _TRACE_CORE_PID_SET_H
#define _TRACE_CORE_PID_SET_H

#include <linux/types.h>

/* Files take what no task can have as its pid, too, but only up to this. */
#define TRACE_PID_MAX	((1U << 30) - 1)

struct trace_pid_set;

struct trace_pid_set *trace_pid_set_alloc(void);
void trace_pid_set_free(struct trace_pid_set *set);
int trace_pid_set_make_room(struct trace_pid_set *set, unsigned int pid);
int trace_pid_set_make_room_for_all(struct trace_pid_set *set);
int trace_pid_set_merge(struct trace_pid_set *set, struct trace_pid_set *more);
bool trace_pid_set_add(struct trace_pid_set *set, unsigned int pid);
void trace_pid_set_remove(struct trace_pid_set *set, unsigned int pid);
bool trace_pid_set_has(struct trace_pid_set *set, unsigned int pid);
int trace_pid_set_next(struct trace_pid_set *set, unsigned int pid);

#endif /* _TRACE_CORE_PID_SET_H */
