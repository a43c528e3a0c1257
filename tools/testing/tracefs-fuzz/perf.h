/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations that the files about perf events share. */
#ifndef TRACEFS_FUZZ_PERF_H
#define TRACEFS_FUZZ_PERF_H

#include <linux/perf_event.h>

#include "ops.h"

/* perf_attr.c */
void random_perf_attr(struct perf_event_attr *attr, const struct event *event);
uint64_t random_perf_period(const struct event *event);
pid_t random_perf_task(void);
int random_perf_cpu(void);
uint64_t random_event_number(void);
uint64_t event_number(const struct event *event);
long perf_event_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		     unsigned long flags);

#endif /* TRACEFS_FUZZ_PERF_H */
