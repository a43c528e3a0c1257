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
 * trace_event_file_end_filter - free the filter of an event in an instance that is being removed
 * @file: the event in the instance, one of which is being removed. Probes may still use it and its
 *	filter: the filter is freed when they have ended
 *
 * Context: trace_event_mutex held. Does not wait.
 */
void trace_event_file_end_filter(struct trace_event_file *file)
{
	trace_event_free(trace_event_file_filter(file));
	trace_event_file_forget_refused(file);
}

/**
 * trace_event_file_set_filter - replace the filter of an event in an instance
 * @file: the event in the instance
 * @filter: the new filter; NULL: none. The old one is freed when no probe can use it any more
 *
 * The flags only say which programs to run; a probe loads the filter each time that it runs one.
 * TRACE_EVENT_FILE_FILTER is set as long as there is a filter, so that the whole program of one
 * filter alone allows a record:
 *
 *	CPU 0, the event occurs			CPU 1, here
 *
 *						set FILTER
 *						the new filter replaces the old one
 *	the flags: FILTER, perhaps EARLY
 *	EARLY: the early program of a filter:
 *	   no: that filter refuses the record
 *						EARLY, as the new filter needs it
 *	the whole program of the filter that is
 *	   there now decides
 *						no new filter: clear FILTER
 *						free the old one, after probes that run
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
	trace_event_free(old);
	trace_event_file_forget_refused(file);
}
