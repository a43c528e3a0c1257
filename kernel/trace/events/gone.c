// SPDX-License-Identifier: GPL-2.0
/*
 * Events whose module has gone. Their records are still in buffers, with their numbers, but the
 * printer and the names of the fields went with the module. So a copy of the fields is kept: a line
 * shows them as option fields does.
 *
 * If the module is loaded again, and the event's fields are the same, the event gets its old
 * number, and prints its old records, too. So a module that comes and goes a thousand times
 * takes one number for each event.
 */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events.h"

/**
 * struct gone_event - an event that has gone
 * @list: in gone_events
 * @rcu: to free it: a dump may print by it
 * @call: stands for the event; its data are @fields
 * @class: class of @call
 * @nr: number of fields
 * @fields: the fields; their texts, and the names of event and system, are behind them
 */
struct gone_event {
	struct list_head		list;
	struct rcu_head			rcu;
	struct trace_event_call		call;
	struct trace_event_class	class;
	unsigned int			nr;
	struct trace_event_field	fields[];
};

/* Protected by trace_event_mutex. */
static LIST_HEAD(gone_events);

static bool gone_field(const struct trace_event_call *call, unsigned int nr,
		       struct trace_event_field *field)
{
	const struct gone_event *gone = container_of(call, struct gone_event, call);

	if (nr >= gone->nr)
		return false;
	*field = gone->fields[nr];
	return true;
}

static const struct trace_event_class_ops gone_ops = {
	.field	= gone_field,
};

static struct trace_event_functions gone_funcs = {
	.trace	= trace_event_print_fields,
	.fields	= trace_event_print_fields,
};

static bool gone_same_field(const struct trace_event_field *a, const struct trace_event_field *b)
{
	return !strcmp(a->type, b->type) && !strcmp(a->name, b->name) && a->offset == b->offset &&
	       a->size == b->size && a->count == b->count && a->is_signed == b->is_signed;
}

/* Is it the same event, with the same fields? */
static bool gone_same(const struct gone_event *gone, const struct trace_event_call *call)
{
	struct trace_event_field field;
	unsigned int nr;

	if (strcmp(gone->call.name, trace_event_name(call)) ||
	    strcmp(gone->class.system, call->class->system))
		return false;
	for (nr = 0; trace_event_get_field(call, nr, &field); nr++) {
		if (nr >= gone->nr || !gone_same_field(&gone->fields[nr], &field))
			return false;
	}
	return nr == gone->nr;
}

/* Copy a string to @text, which is advanced. */
static const char *gone_text(char **text, const char *from)
{
	char *copy = *text;
	size_t size = strlen(from) + 1;

	*text += size;
	return memcpy(copy, from, size);
}

static struct gone_event *gone_copy(const struct trace_event_call *call)
{
	const char *name = trace_event_name(call), *system = call->class->system;
	size_t size = strlen(name) + 1 + strlen(system) + 1;
	struct trace_event_field field;
	struct gone_event *gone;
	unsigned int nr;
	char *text;

	for (nr = 0; trace_event_get_field(call, nr, &field); nr++)
		size += strlen(field.type) + 1 + strlen(field.name) + 1;
	gone = kzalloc(struct_size(gone, fields, nr) + size, GFP_KERNEL);
	if (!gone)
		return NULL;
	text = (char *)&gone->fields[nr];
	gone->nr = nr;
	gone->class.system = gone_text(&text, system);
	gone->class.ops = &gone_ops;
	gone->call.name = gone_text(&text, name);
	gone->call.class = &gone->class;
	for (nr = 0; trace_event_get_field(call, nr, &field); nr++) {
		field.kind = trace_event_field_kind(&field);
		field.type = gone_text(&text, field.type);
		field.name = gone_text(&text, field.name);
		gone->fields[nr] = field;
	}
	return gone;
}

/**
 * trace_event_stand_in - unregister the printers of an event that goes, and keep its fields
 * @call: the event
 *
 * Without memory its records are shown as of an unknown type.
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_stand_in(struct trace_event_call *call)
{
	struct gone_event *gone = NULL;

	if (call->flags & TRACE_EVENT_FL_WAS_ON)
		gone = gone_copy(call);
	unregister_trace_event(&call->event);
	if (!gone)
		return;
	gone->call.event.type = call->event.type;
	gone->call.event.funcs = &gone_funcs;
	if (!register_trace_event(&gone->call.event)) {
		kfree(gone);
		return;
	}
	list_add(&gone->list, &gone_events);
}

/**
 * trace_event_come_back - give an event that was gone its old number
 * @call: an event that is not registered
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: the number, with which the event is registered; 0 if there was no such event, or without
 * memory to register it: old records are then shown as of an unknown type.
 */
int trace_event_come_back(struct trace_event_call *call)
{
	struct gone_event *gone;

	list_for_each_entry(gone, &gone_events, list) {
		if (!gone_same(gone, call))
			continue;
		unregister_trace_event(&gone->call.event);
		list_del(&gone->list);
		call->event.type = gone->call.event.type;
		call->flags |= TRACE_EVENT_FL_WAS_ON;
		kfree_rcu(gone, rcu);
		return register_trace_event(&call->event);
	}
	return 0;
}
