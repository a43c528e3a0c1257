// SPDX-License-Identifier: GPL-2.0
/*
 * events/ftrace/NAME/format: text that describes the entries of core/entry_list.h to tools that
 * read sub-buffers. The text is ABI, and so is the layout that it describes. The option "fields"
 * prints the entries by these descriptions.
 *
 * Offsets and sizes of fields come from the structs; entry_list.h adds facts that C cannot tell.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "../core/entries.h"
#include "../core/files.h"
#include "../output/output.h"
#include "events.h"
#include "fields.h"
#include "files.h"

/*
 * The fields of each struct: function_entry_fields() and so on. These are functions, as FIELD()
 * needs a local variable that has the struct.
 */
#define FIELD(type, name)						\
	{ #type, #name, offsetof(typeof(*entry), name), sizeof(type), 0, is_signed_type(type) },
#define ARRAY(type, name, n)						\
	{ #type, #name, offsetof(typeof(*entry), name), sizeof(type) * (n), n,	\
	  is_signed_type(type) },
#define TAIL(type, name)						\
	{ #type, #name "[]", offsetof(typeof(*entry), name), 0, 0, is_signed_type(type) },
#define TAIL_OF(type, name, n)	ARRAY(type, name, n)
#define HIDDEN(type, name)
#define ENTRY_STRUCT(entry_struct, fields, ...)				\
static const struct trace_event_field *entry_struct##_fields(void)		\
{									\
	const struct entry_struct *entry;				\
	static const struct trace_event_field list[] = { fields {} };		\
									\
	return list;							\
}
#include "../core/entry_list.h"

enum entry_files {
	FILE_FORMAT	= BIT(0),
	FILE_ID		= BIT(1),
	FILE_TRIGGER	= BIT(2),
};

/**
 * struct entry_format - a type of entries
 * @name: name of its directory
 * @id: enum trace_entry_number
 * @files: enum entry_files: which files the directory has
 * @fields: returns the fields after the common ones
 * @print: print format and its arguments
 */
struct entry_format {
	const char			*name;
	unsigned int			id;
	unsigned int			files;
	const struct trace_event_field	*(*fields)(void);
	const char			*print;
};

#define PRINT(...)	#__VA_ARGS__
#define ENTRY_TYPE(symbol, number, name, files, entry_struct, print, ...)	\
	{ #name, number, files, entry_struct##_fields, print },

static const struct entry_format entry_formats[] = {
#include "../core/entry_list.h"
};

static const struct entry_format *entry_format_find(unsigned int id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entry_formats); i++) {
		if (entry_formats[i].id == id)
			return &entry_formats[i];
	}
	return NULL;
}

static int entry_format_show(struct seq_file *m, struct event_target *target)
{
	const struct entry_format *format = entry_format_find(target->number);

	trace_format_begin(m, format->name, format->id);
	trace_format_fields(m, format->fields());
	seq_printf(m, "print fmt: %s\n", format->print);
	return 0;
}

static struct event_control entry_format_control = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_ENTRY,
	.shared	= true,
	.show	= entry_format_show,
};

static struct event_control entry_id_control = {
	.fops	= EVENT_CONTROL_FOPS,
	.level	= EVENT_FILE_ENTRY,
	.shared	= true,
	.show	= trace_event_id_show,
};

/* Describe a file. tracefs calls this, with its locks held, when the file is looked up. */
static int entry_format_describe(const char *name, umode_t *mode, void **data,
				 const struct file_operations **fops)
{
	*mode = TRACE_MODE_READ;
	*fops = &entry_format_control.fops;
	return 1;
}

static int entry_id_describe(const char *name, umode_t *mode, void **data,
			     const struct file_operations **fops)
{
	*mode = TRACE_MODE_READ;
	*fops = &entry_id_control.fops;
	return !!(entry_format_find((unsigned long)*data)->files & FILE_ID);
}

static int entry_trigger_describe(const char *name, umode_t *mode, void **data,
				  const struct file_operations **fops)
{
	*mode = TRACE_MODE_WRITE;
	*fops = &trace_event_trigger.fops;
	return !!(entry_format_find((unsigned long)*data)->files & FILE_TRIGGER);
}

static const struct eventfs_entry entry_format_files[] = {
	{ .name = "format", .callback = entry_format_describe },
	{ .name = "id", .callback = entry_id_describe },
	{ .name = "trigger", .callback = entry_trigger_describe },
};

/**
 * trace_entry_formats_create - make events/ftrace/ and its contents
 * @events: events/ of an instance
 *
 * It is removed together with events/.
 *
 * Context: may sleep; trace_registry_lock and trace_event_mutex held.
 * Return: 0; -ENOMEM if not all of it could be made.
 */
int trace_entry_formats_create(struct eventfs_inode *events)
{
	struct eventfs_inode *dir = eventfs_create_dir("ftrace", events, NULL, 0, NULL), *type;
	unsigned long id;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entry_formats) && !IS_ERR_OR_NULL(dir); i++) {
		if (!entry_formats[i].files)
			continue;
		id = entry_formats[i].id;
		type = eventfs_create_dir(entry_formats[i].name, dir, entry_format_files,
					  ARRAY_SIZE(entry_format_files), (void *)id);
		if (IS_ERR_OR_NULL(type))
			dir = type;
	}
	if (!IS_ERR_OR_NULL(dir))
		return 0;
	pr_warn("tracing: cannot create directory events/ftrace\n");
	return -ENOMEM;
}

/* An array at the end has as many elements as there are in the entry. */
static void entry_fit_array(struct trace_event_field *field, unsigned int size)
{
	unsigned int each = field->size / field->count;

	field->count = (size - min(size, field->offset)) / each;
	field->size = field->count * each;
}

static enum print_line_t entry_print_fields(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	const struct entry_format *format = entry_format_find(event->type);
	const struct trace_event_field *next;
	struct trace_event_field field;

	trace_seq_printf(&iter->seq, "%s:", format->name);
	for (next = format->fields(); next->type; next++) {
		field = *next;
		if (field.count && !next[1].type)
			entry_fit_array(&field, iter->ent_size);
		trace_field_print(iter, &field, false);
	}
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static int __init entry_formats_init(void)
{
	struct trace_event *event;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entry_formats); i++) {
		event = trace_entry_event(entry_formats[i].id);
		if (event)
			event->funcs->fields = entry_print_fields;
	}
	return 0;
}
core_initcall(entry_formats_init);
