// SPDX-License-Identifier: GPL-2.0
/*
 * Events whose module was unloaded. Their records are still in buffers, with their numbers, but the
 * printer and the names of the fields were freed with the module. So a copy of the fields is kept,
 * and a record is printed as the option "fields" prints it.
 *
 * If the module is loaded again, and the event's fields are the same, the event gets its old
 * number, and its printer prints the old records, too. Of an event that was never on, only the name
 * and the number are kept. So a module that is loaded a thousand times uses one number for each
 * event.
 */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events.h"
#include "fields.h"

/**
 * struct retired_event - an event whose module was unloaded
 * @list: in retired_events
 * @rcu: to free it: a dump may be using it to print
 * @call: replaces the event; its data are @fields. TRACE_EVENT_FL_WAS_ON is set if the event's was
 * @class: class of @call
 * @nr: number of fields; 0 if the event was never on
 * @fields: the fields, followed by their texts and the names of event and system
 */
struct retired_event {
	struct list_head		list;
	struct rcu_head			rcu;
	struct trace_event_call		call;
	struct trace_event_class	class;
	unsigned int			nr;
	struct trace_event_field	fields[];
};

/* Protected by trace_event_mutex. */
static LIST_HEAD(retired_events);

static bool retired_field(const struct trace_event_call *call, unsigned int nr,
			  struct trace_event_field *field)
{
	const struct retired_event *retired = container_of(call, struct retired_event, call);

	if (nr >= retired->nr)
		return false;
	*field = retired->fields[nr];
	return true;
}

static const struct trace_event_class_ops retired_ops = {
	.field	= retired_field,
};

static struct trace_event_functions retired_funcs = {
	.trace	= trace_event_print_fields,
	.fields	= trace_event_print_fields,
};

static bool retired_same_field(const struct trace_event_field *a, const struct trace_event_field *b)
{
	return !strcmp(a->type, b->type) && !strcmp(a->name, b->name) && a->offset == b->offset &&
	       a->size == b->size && a->count == b->count && a->is_signed == b->is_signed;
}

/* Is it the same event, with the same fields if there may be records? */
static bool retired_same(const struct retired_event *retired, const struct trace_event_call *call)
{
	struct trace_event_field field;
	unsigned int nr;

	if (strcmp(retired->call.name, trace_event_name(call)) ||
	    strcmp(retired->class.system, call->class->system))
		return false;
	if (!(retired->call.flags & TRACE_EVENT_FL_WAS_ON))
		return true;
	for (nr = 0; trace_event_get_field(call, nr, &field); nr++) {
		if (nr >= retired->nr || !retired_same_field(&retired->fields[nr], &field))
			return false;
	}
	return nr == retired->nr;
}

/*
 * Prefer an entry that may have records: one that was never on matches by its name alone, whatever
 * its fields were.
 */
static struct retired_event *retired_find(const struct trace_event_call *call)
{
	struct retired_event *retired, *never_on = NULL;

	list_for_each_entry(retired, &retired_events, list) {
		if (!retired_same(retired, call))
			continue;
		if (retired->call.flags & TRACE_EVENT_FL_WAS_ON)
			return retired;
		never_on = retired;
	}
	return never_on;
}

/* Copy a string to @text, which is advanced. */
static const char *retired_text(char **text, const char *from)
{
	char *copy = *text;
	size_t size = strlen(from) + 1;

	*text += size;
	return memcpy(copy, from, size);
}

static struct retired_event *retired_copy(const struct trace_event_call *call)
{
	const char *name = trace_event_name(call), *system = call->class->system;
	unsigned int was_on = call->flags & TRACE_EVENT_FL_WAS_ON, nr;
	size_t size = strlen(name) + 1 + strlen(system) + 1;
	struct trace_event_field field;
	struct retired_event *retired;
	char *text;

	for (nr = 0; was_on && trace_event_get_field(call, nr, &field); nr++)
		size += strlen(field.type) + 1 + strlen(field.name) + 1;
	retired = kzalloc(struct_size(retired, fields, nr) + size, GFP_KERNEL);
	if (!retired)
		return NULL;
	text = (char *)&retired->fields[nr];
	retired->nr = nr;
	retired->class.system = retired_text(&text, system);
	retired->class.ops = &retired_ops;
	retired->call.name = retired_text(&text, name);
	retired->call.class = &retired->class;
	retired->call.flags = was_on;
	for (nr = 0; nr < retired->nr && trace_event_get_field(call, nr, &field); nr++) {
		field.kind = trace_event_field_kind(&field);
		field.type = retired_text(&text, field.type);
		field.name = retired_text(&text, field.name);
		retired->fields[nr] = field;
	}
	return retired;
}

/**
 * trace_event_retire - unregister the printers of an event that is removed, and keep its number
 * @call: the event
 *
 * If a buffer may have its records, its fields are kept, too. If memory allocation fails, its
 * records are shown as of an unknown type.
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_retire(struct trace_event_call *call)
{
	struct retired_event *retired = retired_copy(call);

	unregister_trace_event(&call->event);
	if (!retired)
		return;
	retired->call.event.type = call->event.type;
	retired->call.event.funcs = &retired_funcs;
	if (!register_trace_event(&retired->call.event)) {
		kfree(retired);
		return;
	}
	list_add(&retired->list, &retired_events);
}

/**
 * trace_event_restore - give an event of a module that is loaded again its old number
 * @call: an event that is not registered
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: the number, with which the event is registered; 0 if there was no such event, or if
 * memory allocation fails: old records are then shown as of an unknown type.
 */
int trace_event_restore(struct trace_event_call *call)
{
	struct retired_event *retired = retired_find(call);

	if (!retired)
		return 0;
	unregister_trace_event(&retired->call.event);
	list_del(&retired->list);
	call->event.type = retired->call.event.type;
	call->flags |= retired->call.flags;
	kfree_rcu(retired, rcu);
	return register_trace_event(&call->event);
}
