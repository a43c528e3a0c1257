// SPDX-License-Identifier: GPL-2.0
/*
 * What all of ftrace/ shares: its locks, who is registered, and whether anything is patched.
 */
#include "set.h"
#include "state.h"

DEFINE_MUTEX(ftrace_lock);
DEFINE_MUTEX(ftrace_direct_lock);

LIST_HEAD(ftrace_ops_list);

DEFINE_PER_CPU(struct task_struct *, ftrace_pid_task);

/* What an ops without a filter wants: everything. */
const struct ftrace_filter ftrace_all_sites;

bool ftrace_is_on = true;
bool ftrace_gave_up;

/**
 * ftrace_filters_lock - take the lock of direct calls, and then ftrace_lock
 *
 * For who gives sites to filters: see ftrace_filters in state.h.
 * Context: process context, may sleep.
 */
void ftrace_filters_lock(void)
{
	mutex_lock(&ftrace_direct_lock);
	mutex_lock(&ftrace_lock);
}

/**
 * ftrace_filters_unlock - the opposite of ftrace_filters_lock()
 *
 * Context: process context, both locks held.
 */
void ftrace_filters_unlock(void)
{
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&ftrace_direct_lock);
}
