// SPDX-License-Identifier: GPL-2.0
/*
 * events/SYSTEM/EVENT/format and id: information that tools need to read records in binary. The
 * text is ABI.
 */
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "events.h"
#include "fields.h"
#include "files.h"

static void format_type_puts(struct seq_file *m, const char *type, size_t len)
{
	const char *end = type + len, *attribute;

	while ((attribute = strnstr(type, "__attribute__", end - type))) {
		seq_write(m, type, attribute - type);
		type = trace_type_skip_attribute(attribute);
	}
	seq_write(m, type, end - type);
}

/*
 * The brackets of an array come after its name, but those of "__data_loc T[]" are in the type.
 * Tools expect that.
 */
static void format_field_show(struct seq_file *m, const struct trace_event_field *field)
{
	const char *bracket = strchrnul(field->type, '[');

	if (strstarts(field->type, "__data_loc"))
		bracket += strlen(bracket);
	seq_puts(m, "\tfield:");
	format_type_puts(m, field->type, bracket - field->type);
	seq_printf(m, " %s%s", field->name, bracket);
	if (field->count)
		seq_printf(m, "[%u]", field->count);
	seq_printf(m, ";\toffset:%u;\tsize:%u;\tsigned:%u;\n", field->offset, field->size,
		   field->is_signed);
}

/**
 * trace_format_fields - print lines for fields, and an empty line
 * @m: output
 * @field: the first field; the last one is followed by one without a type
 *
 * Context: may sleep.
 */
void trace_format_fields(struct seq_file *m, const struct trace_event_field *field)
{
	for (; field->type; field++)
		format_field_show(m, field);
	seq_putc(m, '\n');
}

/**
 * trace_format_begin - print the beginning of a format
 * @m: output
 * @name: name of the event, or of another type of entries
 * @number: its number
 *
 * Context: may sleep.
 */
void trace_format_begin(struct seq_file *m, const char *name, unsigned int number)
{
	seq_printf(m, "name: %s\nID: %u\nformat:\n", name, number);
	trace_format_fields(m, trace_event_common_fields);
}

static void format_print_fmt_show(struct seq_file *m, const struct trace_event_call *call)
{
	const struct trace_event_class_ops *ops = call->class->ops;

	seq_puts(m, "print fmt: ");
	if (ops && ops->print_fmt)
		ops->print_fmt(call, m);
	else
		trace_evals_puts(m, call, call->print_fmt);
	seq_putc(m, '\n');
}

static int event_format_show(struct seq_file *m, struct event_target *target)
{
	const struct trace_event_call *call = target->call;
	struct trace_event_field field;
	unsigned int nr;

	trace_format_begin(m, trace_event_name(call), call->event.type);
	for (nr = 0; trace_event_get_field(call, nr, &field); nr++)
		format_field_show(m, &field);
	seq_putc(m, '\n');
	format_print_fmt_show(m, call);
	return 0;
}

struct event_control trace_event_format = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.shared	= true,
	.show	= event_format_show,
};

/**
 * trace_event_id_show - show the number of an event or of another entry
 * @m: output
 * @target: the event or entry
 *
 * Context: as event_control::show.
 * Return: 0.
 */
int trace_event_id_show(struct seq_file *m, struct event_target *target)
{
	seq_printf(m, "%u\n", target->number);
	return 0;
}

struct event_control trace_event_id = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_EVENT,
	.shared	= true,
	.show	= trace_event_id_show,
};
