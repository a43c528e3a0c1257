// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of events.
 */
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "events.h"
#include "fields.h"

#define COMMON(field_type, member)					\
	{								\
		.type		= #field_type,				\
		.name		= "common_" #member,			\
		.offset		= offsetof(struct trace_entry, member),	\
		.size		= sizeof(field_type),			\
		.is_signed	= is_signed_type(field_type),		\
	}

/* The fields that all records begin with. */
const struct trace_event_field trace_event_common_fields[] = {
	COMMON(unsigned short, type),
	COMMON(unsigned char, flags),
	COMMON(unsigned char, preempt_count),
	COMMON(int, pid),
	{}
};

/**
 * trace_event_get_field - get one of an event's own fields
 * @call: the event
 * @nr: number of the field, from 0 on; at most one more than the last
 * @field: set to the field
 *
 * Context: any.
 * Return: false if there are fewer fields.
 */
bool trace_event_get_field(const struct trace_event_call *call, unsigned int nr,
			   struct trace_event_field *field)
{
	const struct trace_event_class *class = call->class;

	if (class->ops && class->ops->field)
		return class->ops->field(call, nr, field);
	*field = class->fields()[nr];
	return field->type;
}

/**
 * trace_event_find_field - find a field of an event's records by its name
 * @call: the event
 * @name: name of one of its own fields, or of a common one
 * @field: set to the field
 *
 * Context: any.
 * Return: false if there is none.
 */
bool trace_event_find_field(const struct trace_event_call *call, struct trace_span name,
			    struct trace_event_field *field)
{
	const struct trace_event_field *common;
	unsigned int nr;

	for (nr = 0; trace_event_get_field(call, nr, field); nr++) {
		if (trace_span_is(&name, field->name))
			return true;
	}
	for (common = trace_event_common_fields; common->type; common++) {
		if (trace_span_is(&name, common->name)) {
			*field = *common;
			return true;
		}
	}
	return false;
}

/* Are the field's data in the variable part of the record, according to its type? Any context. */
bool trace_field_is_dynamic(const struct trace_event_field *field)
{
	return strstarts(field->type, "__data_loc ") || strstarts(field->type, "__rel_loc ");
}

/**
 * trace_type_skip_attribute - skip a tag of a type
 * @text: text that begins with "__attribute__((...))", the tag of an address space, for BTF
 *
 * Context: any.
 * Return: the text after the tag and after the blanks that follow it.
 */
const char *trace_type_skip_attribute(const char *text)
{
	int depth = 0;

	for (text += strcspn(text, "("); *text; text++) {
		depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
		if (!depth)
			return skip_spaces(text + 1);
	}
	return text;
}

/**
 * trace_type_is_string - is a type a pointer to characters?
 * @type: the type; a tag may come before the star
 *
 * Context: any.
 * Return: true for "char *" and "const char *".
 */
bool trace_type_is_string(const char *type)
{
	type += str_has_prefix(type, "const ");
	if (!strstarts(type, "char "))
		return false;
	type += strlen("char ");
	if (strstarts(type, "__attribute__"))
		type = trace_type_skip_attribute(type);
	return !strcmp(type, "*");
}

static enum trace_field_kind field_kind_dynamic(const char *type)
{
	bool relative = strstarts(type, "__rel_loc ");

	if (strstr(type, "char"))
		return relative ? FILTER_RDYN_STRING : FILTER_DYN_STRING;
	return !relative && strstr(type, "cpumask_t") ? FILTER_CPUMASK : FILTER_OTHER;
}

/**
 * trace_event_field_kind - find out how a field is treated
 * @field: the field
 *
 * The kind is the one that the definition gives. If that is FILTER_OTHER, the kind is derived from
 * the text of the type.
 *
 * Context: any.
 * Return: the kind.
 */
enum trace_field_kind trace_event_field_kind(const struct trace_event_field *field)
{
	const char *type = field->type;

	if (field->kind != FILTER_OTHER)
		return field->kind;
	if (trace_field_is_dynamic(field))
		return field_kind_dynamic(type);
	if ((field->count || strchr(type, '[') || strchr(field->name, '[')) && strstr(type, "char"))
		return FILTER_STATIC_STRING;
	return trace_type_is_string(type) ? FILTER_PTR_STRING : FILTER_OTHER;
}

/**
 * trace_field_data - find the data of a field in a record
 * @field: the field
 * @record: the record
 * @size: its size in bytes
 * @len: set to the size of the data in bytes
 *
 * Context: any.
 * Return: the data; NULL if the record is too short for them.
 */
const void *trace_field_data(const struct trace_event_field *field, const void *record,
			     unsigned int size, unsigned int *len)
{
	unsigned int begin = field->offset;
	u32 loc;

	*len = field->size ?: size - min(size, begin);
	if (begin + *len > size)
		return NULL;
	if (trace_field_is_dynamic(field)) {
		memcpy(&loc, record + begin, sizeof(loc));
		if (strstarts(field->type, "__rel_loc "))
			begin += sizeof(loc) + (loc & 0xffff);
		else
			begin = loc & 0xffff;
		*len = loc >> 16;
	}
	return begin + *len <= size ? record + begin : NULL;
}
