// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of an event in an instance: replacing it while events occur.
 */
#include <linux/bitops.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "events.h"
#include "filter/filter.h"

/**
 * trace_event_file_filter - get the filter of an event in an instance
 * @file: the event in the instance
 *
 * Context: trace_event_mutex held.
 * Return: NULL if there is none.
 */
struct event_filter *trace_event_file_filter(const struct trace_event_file *file)
{
	return rcu_dereference_protected(file->filter, lockdep_is_held(&trace_event_mutex));
}

/**
 * trace_event_file_forget_refused - forget the text that was refused last
 * @file: the event in the instance
 *
 * Context: trace_event_mutex held.
 */
void trace_event_file_forget_refused(struct trace_event_file *file)
{
	kfree(file->refused);
	file->refused = NULL;
}

/**
 * trace_event_file_end_filter - free the filter of an event in an instance that goes
 * @file: the event in the instance. Probes may still use it, and its filter, for a while
 *
 * Context: trace_event_mutex held. Does not wait.
 */
void trace_event_file_end_filter(struct trace_event_file *file)
{
	struct event_filter *filter = trace_event_file_filter(file);

	trace_event_free(filter ? &filter->rcu : NULL);
	trace_event_file_forget_refused(file);
}

/**
 * trace_event_file_set_filter - replace the filter of an event in an instance
 * @file: the event in the instance
 * @filter: the new filter; NULL: none. The old one is freed when no probe can use it any more
 *
 * The flags only say which programs to run; probes run those of the filter that they find then. So
 * a probe may run the early program of the old filter, and the whole program of the new one. Then
 * the old filter has refused the record, or the new one alone decides about it. For this,
 * TRACE_EVENT_FILE_FILTER is set as long as there is a filter.
 *
 * Context: trace_event_mutex held. Does not wait.
 */
void trace_event_file_set_filter(struct trace_event_file *file, struct event_filter *filter)
{
	struct event_filter *old = trace_event_file_filter(file);

	if (filter)
		set_bit(TRACE_EVENT_FILE_FILTER, &file->flags);
	rcu_assign_pointer(file->filter, filter);
	assign_bit(TRACE_EVENT_FILE_EARLY_FILTER, &file->flags, filter && filter->early);
	if (!filter)
		clear_bit(TRACE_EVENT_FILE_FILTER, &file->flags);
	trace_event_free(old ? &old->rcu : NULL);
	trace_event_file_forget_refused(file);
}
