// SPDX-License-Identifier: GPL-2.0
/*
 * perf events at ftrace:function: they count and sample calls of functions.
 *
 * Each perf event has an ftrace_ops of its own, which is registered as long as the perf event
 * exists. The callback acts only on the CPU on which the perf event is scheduled in.
 *
 * A perf event's filter holds for its children, which perf makes for tasks that inherit it: those
 * that exist when it is set, and later ones. So a perf event and its children are in a ring.
 *
 * perf may destroy a perf event while it holds the lock of a process's memory, inside of which no
 * ftrace_ops can be unregistered. So the ops is not the one in struct perf_event: a worker
 * unregisters it, and then frees it. A callback that runs meanwhile may still find the perf event,
 * which perf frees after a grace period.
 */
#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "../core/entries.h"
#include "../lib/line.h"
#include "events.h"
#include "perf.h"

/**
 * struct perf_function - the function tracing of a perf event
 * @ops: calls perf_function_hit()
 * @event: the perf event; NULL: it was destroyed
 * @cpu: the CPU on which the perf event is scheduled in; -1: on none. perf says so too early, in
 *	event->oncpu: it calls functions before the event is ready to count
 * @filter: the text that says which functions are called; NULL: all
 * @inherited: the filter was copied from a parent; functions may have been unloaded since it was
 *	set there
 * @found: functions to be called were found
 * @family: the ring of a perf event and its children; each is removed from it when it is freed
 * @closing: unregisters @ops, and frees this
 */
struct perf_function {
	struct ftrace_ops	ops;
	struct perf_event	*event;
	int			cpu;
	char			*filter;
	bool			inherited;
	bool			found;
	struct list_head	family;
	struct work_struct	closing;
};

/* perf's core needs an event. Perf events at this one are in no lists. */
static struct trace_event_call perf_function_call = {
	.name		= "function",
	.event.type	= TRACE_FN,
};

static void perf_function_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	struct perf_function *function = container_of(op, struct perf_function, ops);
	struct perf_event *event = READ_ONCE(function->event);
	struct function_entry *entry;
	struct hlist_head alone;
	struct pt_regs *regs;
	int context;

	if (!event || READ_ONCE(function->cpu) != smp_processor_id())
		return;
	entry = trace_perf_memory_get(sizeof(*entry), &context);
	if (!entry)
		return;
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	/*
	 * A call chain begins with the function, and goes on with the code that called this
	 * callback.
	 */
	regs = this_cpu_ptr(&__perf_regs[context]);
	perf_fetch_caller_regs(regs);
	instruction_pointer_set(regs, ip);
	/* The perf event is in no other list, so this list ends with it. */
	alone.first = &event->hlist_entry;
	perf_tp_event(TRACE_FN, 1, entry, trace_perf_size(sizeof(*entry)), regs, &alone, context,
		      NULL);
}

/* Walking a user's stack may fault, and would trace the functions that handle the fault. */
static int perf_function_check_permission(struct perf_event *event)
{
	int err = perf_allow_tracepoint();

	if (err || !is_sampling_event(event))
		return err;
	return event->attr.exclude_callchain_user &&
	       !(event->attr.sample_type & PERF_SAMPLE_STACK_USER) ? 0 : -EINVAL;
}

/* Protects perf_function::filter and perf_function::family. */
static DEFINE_MUTEX(perf_function_filters);

/* Call the functions that match, or all others. Nothing may match if the filter is inherited. */
static int perf_function_add_glob(struct perf_function *function, char *glob, bool others)
{
	struct ftrace_ops *ops = &function->ops;
	int err;

	if (others)
		err = ftrace_set_notrace(ops, glob, strlen(glob), 0);
	else
		err = ftrace_set_filter(ops, glob, strlen(glob), 0);
	function->found |= !err && !others;
	return err == -EINVAL && function->inherited ? 0 : err;
}

/* @globs: separated by commas or blanks */
static int perf_function_add(struct perf_function *function, struct trace_span globs, bool others)
{
	char *text = kmemdup_nul(globs.text, globs.len, GFP_KERNEL), *rest = text, *glob;
	int err = text ? 0 : -ENOMEM;

	while (!err && (glob = strsep(&rest, ", "))) {
		if (*glob)
			err = perf_function_add_glob(function, glob, others);
	}
	kfree(text);
	return err;
}

/* ip == GLOBS, or ip != GLOBS, in parentheses or not; @open is the number of open ones */
static int perf_function_term(struct perf_function *function, struct trace_line *line,
			      unsigned int *open)
{
	struct trace_span word;
	bool others;
	int err;

	while (trace_line_take(line, "("))
		++*open;
	word = trace_line_name(line);
	if (!trace_span_is(&word, "ip"))
		return -EINVAL;
	others = trace_line_take(line, "!=");
	if (!others && !trace_line_take(line, "=="))
		return -EINVAL;
	if (trace_line_quoted(line, &word))
		word = trace_line_until(line, ")&|");
	err = word.len ? perf_function_add(function, word, others) : -EINVAL;
	while (!err && trace_line_take(line, ")"))
		err = (*open)-- ? 0 : -EPERM;
	return err;
}

static void perf_function_clear_filter(struct perf_function *function)
{
	kfree(function->filter);
	function->filter = NULL;
	ftrace_set_filter(&function->ops, NULL, 0, true);
	ftrace_set_notrace(&function->ops, NULL, 0, true);
}

static int perf_function_set_filter(struct perf_function *function, const char *text)
{
	char all[] = "*";
	struct trace_line line;
	unsigned int open = 0;
	int err;

	function->found = false;
	trace_line_init(&line, text);
	do {
		err = perf_function_term(function, &line, &open);
	} while (!err && trace_line_take(&line, "||"));
	if (!err && open)
		err = -ENOENT;
	if (!err && !trace_line_ends(&line))
		err = -EINVAL;
	/*
	 * If all functions that the filter names were unloaded, exclude all functions: without a
	 * set, all would be called.
	 */
	if (!err && !function->found && strstr(text, "=="))
		err = ftrace_set_notrace(&function->ops, all, strlen(all), 0);
	if (!err) {
		function->filter = kstrdup(text, GFP_KERNEL);
		if (function->filter)
			return 0;
		err = -ENOMEM;
	}
	perf_function_clear_filter(function);
	return err;
}

/* Set the filter of a perf event and of its children, or of none. */
static int perf_function_set_filters(struct perf_function *parent, const char *text)
{
	struct perf_function *child;
	int err = perf_function_set_filter(parent, text);

	if (err)
		return err;
	list_for_each_entry(child, &parent->family, family) {
		err = perf_function_set_filter(child, text);
		if (err)
			break;
	}
	if (!err)
		return 0;
	list_for_each_entry_continue_reverse(child, &parent->family, family)
		perf_function_clear_filter(child);
	perf_function_clear_filter(parent);
	return err;
}

/* A child joins the ring of its parent, and has its filter. */
static int perf_function_inherit(struct perf_function *function, const struct perf_event *parent)
{
	struct perf_function *from = parent ? parent->ftrace_ops.private : NULL;
	int err;

	if (!from)
		return 0;
	function->inherited = true;
	guard(mutex)(&perf_function_filters);
	err = from->filter ? perf_function_set_filter(function, from->filter) : 0;
	if (!err)
		list_add(&function->family, &from->family);
	return err;
}

static void perf_function_free(struct perf_function *function)
{
	scoped_guard(mutex, &perf_function_filters)
		list_del(&function->family);
	ftrace_free_filter(&function->ops);
	kfree(function->filter);
	kfree(function);
}

static void perf_function_close_work(struct work_struct *work)
{
	struct perf_function *function = container_of(work, struct perf_function, closing);

	/* If a call site could not be patched, it may still call this ops. */
	if (!WARN_ON_ONCE(unregister_ftrace_function(&function->ops)))
		perf_function_free(function);
}

static int perf_function_register(struct perf_event *event)
{
	struct perf_function *function = kzalloc(sizeof(*function), GFP_KERNEL);
	int err;

	if (!function)
		return -ENOMEM;
	INIT_WORK(&function->closing, perf_function_close_work);
	INIT_LIST_HEAD(&function->family);
	function->ops.func = perf_function_hit;
	function->ops.flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU;
	function->event = event;
	function->cpu = -1;
	event->tp_event = &perf_function_call;
	event->ftrace_ops.private = function;
	err = perf_function_inherit(function, event->parent) ?:
	      register_ftrace_function(&function->ops);
	if (err)
		perf_function_free(function);
	return err;
}

/**
 * trace_perf_function_open - attach a perf event to ftrace:function
 * @event: the perf event
 *
 * Context: may sleep.
 * Return: 0; -EPERM or -EACCES if the caller may not; -EINVAL if it wants stacks of user space;
 * -ENOMEM; or what register_ftrace_function() returned.
 */
int trace_perf_function_open(struct perf_event *event)
{
	/* Children of a perf event that was allowed are allowed. */
	int err = event->parent ? 0 : perf_function_check_permission(event);

	if (err)
		return err;
	scoped_guard(mutex, &trace_event_mutex)
		err = trace_perf_memory_alloc();
	return err ?: perf_function_register(event);
}

/**
 * trace_perf_function_filter - choose the functions of a perf event
 * @event: the perf event
 * @text: "ip == GLOBS" or "ip != GLOBS", or several of these, joined by "||"
 *
 * It holds for its children, too.
 *
 * Context: may sleep.
 * Return: 0; -EEXIST if it has a filter; -EINVAL if @text is none; -ENOMEM; or what
 * ftrace_set_filter() returned.
 */
int trace_perf_function_filter(struct perf_event *event, const char *text)
{
	struct perf_function *function = event->ftrace_ops.private;

	guard(mutex)(&perf_function_filters);
	return function->filter ? -EEXIST : perf_function_set_filters(function, text);
}

/**
 * trace_perf_function_set_cpu - begin or end to count and sample
 * @event: the perf event
 * @cpu: this CPU; -1: end
 *
 * Context: interrupts off.
 */
void trace_perf_function_set_cpu(struct perf_event *event, int cpu)
{
	struct perf_function *function = event->ftrace_ops.private;

	WRITE_ONCE(function->cpu, cpu);
}

/**
 * trace_perf_function_close - detach a perf event from ftrace:function
 * @event: the perf event, which is not scheduled in
 *
 * Context: may sleep.
 */
void trace_perf_function_close(struct perf_event *event)
{
	struct perf_function *function = event->ftrace_ops.private;

	WRITE_ONCE(function->event, NULL);
	schedule_work(&function->closing);
}
