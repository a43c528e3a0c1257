/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names and thread groups of tasks, by pid.
 */
#ifndef _TRACE_CORE_SAVED_CMDLINES_H
#define _TRACE_CORE_SAVED_CMDLINES_H

#define TRACE_COMM_LEN	16	/* TASK_COMM_LEN */

void trace_find_comm(int pid, char comm[TRACE_COMM_LEN]);
int trace_find_tgid(int pid);
void trace_comm_record_start(void);
void trace_comm_record_stop(void);

#endif /* _TRACE_CORE_SAVED_CMDLINES_H */
