/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of pids: any number of them, from a few to all.
 *
 * Each pid is a bit. trace_pid_set_make_room() allocates the memory that has the bit, and this
 * memory stays until the set is freed. Callers that allocate, merge or free exclude each other.
 * Looking up a pid, removing it, and adding it after its memory was allocated need no lock, and may
 * run in any context but NMI, also at the same time.
 */
#ifndef _TRACE_LIB_PID_SET_H
#define _TRACE_LIB_PID_SET_H

#include <linux/types.h>

/* The greatest pid that files accept. All tasks have smaller pids. */
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

#endif /* _TRACE_LIB_PID_SET_H */
