/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters: text that says which records of an event are wanted, and the program that is made of it.
 * A filter that is in use is replaced as a whole: a probe runs the old one or the new one.
 */
#ifndef _TRACE_EVENTS_FILTER_H
#define _TRACE_EVENTS_FILTER_H

#include <linux/build_bug.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct trace_array;
struct trace_event_call;
struct trace_filter_step;

/**
 * struct event_filter - a filter
 * @rcu: to free it; the first member
 * @text: the text that the user wrote
 * @early: program that does not need the record; NULL: it would allow all records
 * @reads_context: the program tests common_flags or common_preempt_count
 * @program: the whole program
 */
struct event_filter {
	struct rcu_head			rcu;
	const char			*text;
	const struct trace_filter_step	*early;
	bool				reads_context;
	u64				program[];
};

static_assert(!offsetof(struct event_filter, rcu));	/* for trace_event_free() */

/**
 * struct trace_filter_error - why a text is no filter; trace_filter_compile() always sets it
 * @text: text of the error; NULL: there is no error, or only an errno
 * @at: position of the error, in bytes; may be after the end of the text
 */
struct trace_filter_error {
	const char	*text;
	unsigned int	at;
};

struct event_filter *trace_filter_compile(const struct trace_event_call *call, const char *text,
					  struct trace_filter_error *error);
struct event_filter *trace_filter_compile_unprivileged(const struct trace_event_call *call,
						       const char *text,
						       struct trace_filter_error *error);
bool trace_filter_run(const struct trace_filter_step *step, const void *record);

/**
 * trace_filter_may_allow - would a filter allow a record that begins now?
 * @filter: the filter
 *
 * Context: any, with preemption off.
 * Return: false if the filter allows no record of this task on this CPU.
 */
static inline bool trace_filter_may_allow(const struct event_filter *filter)
{
	return !filter->early || trace_filter_run(filter->early, NULL);
}

/**
 * trace_filter_allows - does a filter allow a record?
 * @filter: the filter
 * @record: a complete record of its event
 *
 * Context: any, with preemption off, on the CPU and in the task that made the record.
 * Return: true if it does.
 */
static inline bool trace_filter_allows(const struct event_filter *filter, const void *record)
{
	return trace_filter_run((const struct trace_filter_step *)filter->program, record);
}

#endif /* _TRACE_EVENTS_FILTER_H */
