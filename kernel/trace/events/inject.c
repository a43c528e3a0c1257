// SPDX-License-Identifier: GPL-2.0
/*
 * events/SYSTEM/EVENT/inject: record an event whose fields user space chooses, to test readers of
 * traces.
 *
 *	FIELD=NUMBER FIELD="TEXT" ...
 *
 * Fields that are not named are zero, or an empty string or array. Those that all records have,
 * like common_pid, are about the task that writes.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../core/record.h"
#include "events.h"
#include "fields.h"
#include "files.h"

/* Largest record, with its strings. */
#define INJECT_MAX	2048

/**
 * struct inject - a record that is being made
 * @call: the event
 * @size: bytes of the record, with the strings that it has so far
 * @record: the record
 */
struct inject {
	const struct trace_event_call	*call;
	unsigned int			size;
	char				record[INJECT_MAX] __aligned(8);
};

/*
 * Append @size zero bytes to the record, and let the field refer to them. Return NULL if the record
 * gets too large.
 */
static void *inject_append(struct inject *inject, const struct trace_event_field *field,
			   size_t size)
{
	unsigned int at = inject->size;
	void *data = inject->record + at;
	u32 loc;

	if (at + size > sizeof(inject->record))
		return NULL;
	inject->size += size;
	if (strstarts(field->type, "__rel_loc "))
		at -= field->offset + sizeof(loc);
	loc = at | size << 16;
	memcpy(inject->record + field->offset, &loc, sizeof(loc));
	return data;
}

static int inject_string(struct inject *inject, const struct trace_event_field *field,
			 const char *text, size_t len)
{
	void *data;

	switch (trace_event_field_kind(field)) {
	case FILTER_STATIC_STRING:
		len = min_t(size_t, len, field->size - 1);
		memcpy(inject->record + field->offset, text, len);
		inject->record[field->offset + len] = '\0';
		return 0;
	case FILTER_DYN_STRING:
	case FILTER_RDYN_STRING:
		data = inject_append(inject, field, len + 1);
		if (!data)
			return -EINVAL;
		memcpy(data, text, len);
		return 0;
	default:
		/* A string outside of the record could be freed before the record is read. */
		return -EINVAL;
	}
}

static int inject_number(struct inject *inject, const struct trace_event_field *field,
			 struct trace_span word)
{
	enum trace_field_kind kind = trace_event_field_kind(field);
	u64 value;
	int err;
	char *text __free(kfree) = kmemdup_nul(word.text, word.len, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	/* kstrtos64() and kstrtou64() take a plus, stock does not. */
	if (*text == '+' || field->count || trace_field_is_dynamic(field))
		return -EINVAL;
	/* Option fields prints the string at an address: nobody may choose which one. */
	if (kind == FILTER_TRACE_FN || kind == FILTER_PTR_STRING)
		return -EINVAL;
	/* A record with another event's type would be read with that event's fields. */
	if (field->offset == offsetof(struct trace_entry, type))
		return -EINVAL;
	err = field->is_signed ? kstrtos64(text, 0, (s64 *)&value) : kstrtou64(text, 0, &value);
	if (err)
		return err;
	switch (field->size) {
	case 1:
		*(u8 *)(inject->record + field->offset) = value;
		return 0;
	case 2:
		*(u16 *)(inject->record + field->offset) = value;
		return 0;
	case 4:
		*(u32 *)(inject->record + field->offset) = value;
		return 0;
	case 8:
		*(u64 *)(inject->record + field->offset) = value;
		return 0;
	}
	return -EINVAL;
}

/* FIELD=VALUE */
static int inject_field(struct inject *inject, struct trace_line *line)
{
	struct trace_span word = trace_line_name(line);
	struct trace_event_field field;
	const char *value;
	int err;

	if (!word.len)
		return trace_line_fail(line, -EINVAL, "Expecting a field", line->rest);
	if (!trace_event_find_field(inject->call, word, &field))
		return trace_line_fail(line, -ENOENT, "Field not found", word.text);
	if (!trace_line_take(line, "="))
		return trace_line_fail(line, -EINVAL, "Expecting '='", trace_line_rest(line));
	value = trace_line_rest(line);
	if (*value != '"' && *value != '\'')
		err = inject_number(inject, &field, trace_line_until(line, " \t\n"));
	else if (trace_line_quoted(line, &word))
		err = -EINVAL;
	else
		err = inject_string(inject, &field, word.text, word.len);
	if (err && err != -ENOMEM)
		trace_line_fail(line, err, "Invalid value", value);
	return err;
}

/* Give a field its default value, if that is not zero. */
static int inject_default(struct inject *inject, const struct trace_event_field *field)
{
	static const char *const nothing = "";

	switch (trace_event_field_kind(field)) {
	case FILTER_PTR_STRING:
		memcpy(inject->record + field->offset, &nothing, sizeof(nothing));
		return 0;
	case FILTER_DYN_STRING:
	case FILTER_RDYN_STRING:
		return inject_append(inject, field, 1) ? 0 : -EINVAL;
	default:
		return !trace_field_is_dynamic(field) || inject_append(inject, field, 0) ? 0 :
		       -EINVAL;
	}
}

/* Make a record without values: its header, zeros, empty strings, and arrays without elements. */
static int inject_begin(struct inject *inject)
{
	struct trace_event_field field;
	unsigned int nr, size = sizeof(struct trace_entry);
	int err = 0;

	trace_entry_init((struct trace_entry *)inject->record, inject->call->event.type,
			 trace_context(preempt_count()));
	for (nr = 0; trace_event_get_field(inject->call, nr, &field); nr++)
		size = max_t(unsigned int, size, field.offset + field.size);
	inject->size = ALIGN(size, sizeof(u64));
	if (inject->size > sizeof(inject->record))
		return -EINVAL;
	for (nr = 0; !err && trace_event_get_field(inject->call, nr, &field); nr++)
		err = inject_default(inject, &field);
	return err;
}

static int inject_parse(struct trace_array *tr, struct inject *inject, const char *text)
{
	struct trace_line line;
	int err = inject_begin(inject);

	trace_line_init(&line, text);
	while (!err && !trace_line_ends(&line))
		err = inject_field(inject, &line);
	if (line.error)
		trace_log_error(tr, "inject", line.text, line.error, line.error_at);
	return err;
}

static int inject_record(struct trace_array *tr, const struct inject *inject)
{
	void *record;

	guard(preempt_notrace)();
	record = trace_reserve(tr, inject->call->event.type, inject->size, 0);
	if (!record)
		return -ENOSPC;
	memcpy(record, inject->record, inject->size);
	trace_commit(tr);
	return 0;
}

static int inject_show(struct seq_file *m, struct event_target *target)
{
	return -EPERM;
}

static int inject_store(struct event_target *target, char *text)
{
	struct inject *inject __free(kfree) = kzalloc(sizeof(*inject), GFP_KERNEL);
	int err;

	if (!inject)
		return -ENOMEM;
	inject->call = target->call;
	err = inject_parse(target->tr, inject, strim(text));
	if (err)
		return err;
	scoped_guard(mutex, &target->tr->lock)
		err = trace_array_expand(target->tr);
	if (err)
		return err;
	target->call->flags |= TRACE_EVENT_FL_WAS_ON;
	return inject_record(target->tr, inject);
}

struct event_control trace_event_inject = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.show	= inject_show,
	.store	= inject_store,
};
