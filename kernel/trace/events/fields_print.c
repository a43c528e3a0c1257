// SPDX-License-Identifier: GPL-2.0
/*
 * The option "fields": a line with the names and values of an event's fields, without the event's
 * own printer. Offsets and sizes in a record are not trusted: data outside of the record are not
 * read.
 */
#include <linux/ctype.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "events.h"
#include "fields.h"

/* The longest string that is read through a pointer. */
#define POINTED_MAX	128

/* Print text of up to @len characters, without the newline that markers have at the end. */
static void field_print_string(struct trace_seq *s, const char *text, unsigned int len)
{
	len = strnlen(text, len);
	if (len && text[len - 1] == '\n')
		len--;
	trace_seq_printf(s, "%.*s", (int)len, text);
}

/**
 * trace_print_escaped - print text of a program, which may contain any characters
 * @s: output
 * @text: the text
 * @len: most bytes to print; a NUL ends the text
 *
 * Control characters are printed as \x0a, quotes and backslashes with a backslash in front. The
 * caller prints quotes around the text.
 *
 * Context: any.
 */
void trace_print_escaped(struct trace_seq *s, const char *text, unsigned int len)
{
	unsigned char c;

	for (; len && *text; text++, len--) {
		c = *text;
		if (c < ' ' || c == 0x7f)
			trace_seq_printf(s, "\\x%02x", c);
		else if (c == '"' || c == '\\')
			trace_seq_printf(s, "\\%c", c);
		else
			trace_seq_putc(s, c);
	}
}

static void field_print_bytes(struct trace_seq *s, const u8 *data, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		trace_seq_printf(s, "%s%02x", i ? "," : "", data[i]);
}

static u64 field_number(const void *data, unsigned int size)
{
	u64 value = 0;

	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		memcpy((void *)&value + sizeof(value) - size, data, size);
	else
		memcpy(&value, data, size);
	return value;
}

static bool field_is_number(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void field_print_number(struct trace_seq *s, const void *data, unsigned int size,
			       bool is_signed)
{
	u64 value = field_number(data, size);

	if (size == 1 && isprint(value))
		trace_seq_printf(s, "'%c'(%u)", (char)value, (u8)value);
	else if (size == 1)
		trace_seq_printf(s, "(%u)", (u8)value);
	else if (size == 8)
		trace_seq_printf(s, "0x%llx (%lld)", value, value);
	else
		trace_seq_printf(s, "0x%llx (%d)", value,
				 size == 2 && is_signed ? (s16)value : (s32)value);
}

static void field_print_pointed(struct trace_seq *s, const void *data)
{
	unsigned long address = field_number(data, sizeof(address));
	char text[POINTED_MAX];

	trace_seq_printf(s, "(0x%lx", address);
	/* Not at an address of a program: another one may run now. */
	if (address >= TASK_SIZE_MAX &&
	    strncpy_from_kernel_nofault(text, (const void *)address, sizeof(text)) > 0) {
		trace_seq_putc(s, ':');
		field_print_string(s, text, sizeof(text));
	}
	trace_seq_putc(s, ')');
}

static void field_print_array(struct trace_seq *s, const struct trace_event_field *field,
			      const void *data)
{
	unsigned int size = field->size / field->count, i;

	if (!field_is_number(size)) {
		field_print_bytes(s, data, field->size);
		return;
	}
	trace_seq_putc(s, '{');
	for (i = 0; i < field->count; i++)
		trace_seq_printf(s, "%s0x%llx", i ? "," : "", field_number(data + i * size, size));
	trace_seq_putc(s, '}');
}

static void field_print_other(struct trace_seq *s, const struct trace_event_field *field,
			      const void *data, unsigned int len)
{
	if (trace_field_is_dynamic(field) || !field->size)
		field_print_bytes(s, data, len);
	else if (field->count)
		field_print_array(s, field, data);
	else if (field_is_number(len))
		field_print_number(s, data, len, field->is_signed);
	else
		field_print_bytes(s, data, len);
}

static void field_print_value(struct trace_iterator *iter, const struct trace_event_field *field,
			      const void *data, unsigned int len)
{
	struct trace_seq *s = &iter->seq;

	switch (trace_event_field_kind(field)) {
	case FILTER_STATIC_STRING:
	case FILTER_DYN_STRING:
	case FILTER_RDYN_STRING:
		field_print_string(s, data, len);
		break;
	case FILTER_PTR_STRING:
		field_print_pointed(s, data);
		break;
	case FILTER_TRACE_FN:
		trace_seq_printf(s, "%pS", (void *)(unsigned long)field_number(data, len));
		break;
	case FILTER_CPUMASK:
		trace_event_print_mask(iter, s, data, len);
		break;
	default:
		field_print_other(s, field, data, len);
	}
}

/*
 * Print a value of a program's event. The program chooses its strings, and addresses, which may be
 * those of the kernel: escape text, and do not follow addresses.
 */
static void field_print_of_program(struct trace_iterator *iter,
				   const struct trace_event_field *field, const void *data,
				   unsigned int len)
{
	enum trace_field_kind kind = trace_event_field_kind(field);

	if (kind == FILTER_DYN_STRING)
		trace_print_escaped(&iter->seq, data, len);
	else if (kind == FILTER_PTR_STRING)
		trace_seq_printf(&iter->seq, "(0x%llx)", field_number(data, len));
	else
		field_print_value(iter, field, data, len);
}

/**
 * trace_field_print - print the name and the value of a field
 * @iter: the iterator, at a record that has the field; prints to its seq
 * @field: the field
 * @of_program: struct trace_event_class_ops.of_program
 *
 * Context: any.
 */
void trace_field_print(struct trace_iterator *iter, const struct trace_event_field *field,
		       bool of_program)
{
	struct trace_seq *s = &iter->seq;
	const void *data;
	unsigned int len;

	/* Leave out the brackets of an array that extends to the end of the record. */
	trace_seq_printf(s, " %.*s=", (int)strcspn(field->name, "["), field->name);
	data = trace_field_data(field, iter->ent, iter->ent_size, &len);
	if (!data)
		trace_seq_puts(s, "<OVERFLOW>");
	else if (of_program)
		field_print_of_program(iter, field, data, len);
	else
		field_print_value(iter, field, data, len);
}

/**
 * trace_event_print_fields - print a record by its fields
 * @iter: the iterator, at the record; prints to its seq
 * @flags: options of the instance
 * @event: the event
 *
 * Context: any.
 * Return: as trace_handle_return().
 */
enum print_line_t trace_event_print_fields(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	const struct trace_event_call *call = container_of(event, struct trace_event_call, event);
	struct trace_seq *s = &iter->seq;
	struct trace_event_field field;
	unsigned int nr;

	trace_seq_printf(s, "%s:", trace_event_name(call));
	for (nr = 0; trace_event_get_field(call, nr, &field); nr++)
		trace_field_print(iter, &field, trace_event_is_of_program(call));
	trace_seq_puts(s, nr ? "\n" : "No fields found\n");
	return trace_handle_return(s);
}
