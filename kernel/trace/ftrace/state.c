// SPDX-License-Identifier: GPL-2.0
/*
 * Data that all files of ftrace/ share: locks, the registered ops, and whether anything is patched.
 */
#include "set.h"
#include "state.h"

DEFINE_MUTEX(ftrace_lock);
DEFINE_MUTEX(ftrace_direct_lock);

LIST_HEAD(ftrace_ops_list);

DEFINE_PER_CPU(struct task_struct *, ftrace_pid_task);

/* The filter of an ops without a filter of its own: it wants all sites. */
const struct ftrace_filter ftrace_all_sites;

bool ftrace_is_on = true;
bool ftrace_gave_up;

/**
 * ftrace_filters_lock - take ftrace_direct_lock, and then ftrace_lock
 *
 * For callers that add sites to filters: see ftrace_filters in state.h.
 *
 * Context: process context, may sleep.
 */
void ftrace_filters_lock(void)
{
	mutex_lock(&ftrace_direct_lock);
	mutex_lock(&ftrace_lock);
}

/**
 * ftrace_filters_unlock - release what ftrace_filters_lock() has taken
 *
 * Context: process context, both locks held.
 */
void ftrace_filters_unlock(void)
{
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&ftrace_direct_lock);
}
