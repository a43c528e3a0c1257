// SPDX-License-Identifier: GPL-2.0
/*
 * Events of system calls: the strings and arrays that arguments point to.
 *
 * In a record of sys_enter, the arguments are followed by a __data_loc field for each of these, and
 * the fields are followed by the data. The file syscall_user_buf_size of an instance says how many
 * bytes are read for each argument.
 *
 * Probes run with preemption off, so memory that is not present cannot be read: the record says
 * "(fault)" for it. Another thread may change the memory before the system call reads it.
 */
#include <linux/array_size.h>
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "events.h"
#include "fields.h"
#include "syscall_user.h"

/*
 * Which arguments
 */

/**
 * struct syscall_user_row - a system call whose types do not show which memory it reads
 * @name: name of its function
 * @mask: as struct syscall_metadata.user_mask
 * @size: as .user_arg_size
 * @text: as .user_arg_is_str
 */
struct syscall_user_row {
	const char	*name;
	u8		mask;
	s8		size;
	bool		text;
};

static const struct syscall_user_row syscall_user_rows[] __initconst = {
	{ "sys_bind",			BIT(1),			2,	false },
	{ "sys_connect",		BIT(1),			2,	false },
	{ "sys_mount",			BIT(0) | BIT(1) | BIT(2), -1,	false },
	{ "sys_mq_timedsend",		BIT(1),			2,	false },
	{ "sys_pwrite64",		BIT(1),			2,	false },
	{ "sys_sched_setaffinity",	BIT(2),			1,	false },
	{ "sys_sendto",			BIT(1),			2,	false },
	{ "sys_setdomainname",		BIT(0),			1,	true },
	{ "sys_sethostname",		BIT(0),			1,	true },
	{ "sys_umount",			BIT(0),			-1,	false },
	{ "sys_write",			BIT(1),			2,	false },
};

static bool __init syscall_type_is_string(const char *type)
{
	return strstarts(type, "const ") && trace_type_is_string(type);
}

static u8 __init syscall_strings(const struct syscall_metadata *syscall)
{
	u8 mask = 0;
	int i;

	for (i = 0; i < syscall->nb_args && hweight8(mask) < SYSCALL_USER_ARGS; i++)
		mask |= syscall_type_is_string(syscall->types[i]) ? BIT(i) : 0;
	return mask;
}

static bool __init syscall_size_is_int(const struct syscall_metadata *syscall)
{
	int size = syscall->user_arg_size;

	return size >= 0 && (!strcmp(syscall->types[size], "int") ||
			     !strcmp(syscall->types[size], "unsigned int"));
}

/* Return the names of fields: "__ARGUMENT_val"; NULL if memory allocation fails. */
static const char ** __init syscall_user_names(const struct syscall_metadata *syscall)
{
	unsigned long mask = syscall->user_mask;
	const char **names;
	int arg, nr = 0;

	names = kcalloc(hweight8(mask), sizeof(*names), GFP_KERNEL);
	if (!names)
		return NULL;
	for_each_set_bit(arg, &mask, BITS_PER_BYTE) {
		names[nr] = kasprintf(GFP_KERNEL, "__%s_val", syscall->args[arg]);
		if (names[nr++])
			continue;
		while (nr--)
			kfree(names[nr]);
		kfree(names);
		return NULL;
	}
	return names;
}

/**
 * syscall_user_prepare - find out which arguments of a system call point to strings and arrays
 * @syscall: the system call; if memory allocation fails, its events record no user memory
 *
 * Context: boot.
 */
void __init syscall_user_prepare(struct syscall_metadata *syscall)
{
	const struct syscall_user_row *row;
	int i;

	if (syscall->user_fields)
		return;
	syscall->user_mask = syscall_strings(syscall);
	syscall->user_arg_size = -1;
	for (i = 0; i < ARRAY_SIZE(syscall_user_rows); i++) {
		row = &syscall_user_rows[i];
		if (strcmp(row->name, syscall->name))
			continue;
		syscall->user_mask = row->mask;
		syscall->user_arg_size = row->size;
		syscall->user_arg_is_str = row->text;
		syscall->user_arg_is_int = syscall_size_is_int(syscall);
	}
	if (!syscall->user_mask)
		return;
	syscall->user_fields = syscall_user_names(syscall);
	if (!syscall->user_fields)
		syscall->user_mask = 0;
}

/*
 * Recording
 */

static const char syscall_user_fault[] = "(fault)";
static_assert(sizeof(syscall_user_fault) <= SYSCALL_USER_SIZE_MAX);

/*
 * All users get the same record, so read as much as the user that wants most. For perf, the setting
 * of the top instance counts.
 */
static notrace unsigned int syscall_user_max(const struct trace_event_users *users)
{
	const struct trace_event_file *file;
	unsigned int slot, max = 0;

	if (READ_ONCE(users->perf))
		max = READ_ONCE(trace_top->events->syscall_user_size);
	for (slot = 0; slot < users->nr; slot++) {
		file = READ_ONCE(users->file[slot]);
		if (file)
			max = max(max, READ_ONCE(file->tr->events->syscall_user_size));
	}
	return max;
}

/* The upper half of an int's register may have any bits. */
static notrace unsigned long syscall_user_arg_size(const struct syscall_metadata *syscall,
						   const unsigned long *args)
{
	unsigned long size = args[syscall->user_arg_size];

	return syscall->user_arg_is_int ? (unsigned int)size : size;
}

static notrace unsigned int syscall_user_put(char *to, const char *text, unsigned int size)
{
	memcpy(to, text, size);
	return size;
}

/*
 * Read a string. One byte more than @max tells whether it is longer. The length that
 * strncpy_from_user_nofault() returns does not.
 */
static notrace unsigned int syscall_user_string(char *to, const char __user *from,
						unsigned int max)
{
	long len;

	pagefault_disable();
	len = strncpy_from_user(to, from, max + 1);
	pagefault_enable();
	if (len < 0)
		return syscall_user_put(to, syscall_user_fault, sizeof(syscall_user_fault));
	if (len <= max)
		return len + 1;
	return max + syscall_user_put(to + max, SYSCALL_USER_CUT, sizeof(SYSCALL_USER_CUT));
}

/* Read an array, and make it a string if it is text. */
static notrace unsigned int syscall_user_array(char *to, const void __user *from,
					       unsigned long size, unsigned int max, bool text)
{
	unsigned int len = min(size, max);

	if (copy_from_user_nofault(to, from, len)) {
		if (!text)
			return 0;
		return syscall_user_put(to, syscall_user_fault, sizeof(syscall_user_fault));
	}
	if (!text)
		return len;
	if (size > max)
		return len + syscall_user_put(to + len, SYSCALL_USER_CUT,
					      sizeof(SYSCALL_USER_CUT));
	to[len] = '\0';
	return len + 1;
}

/**
 * syscall_user_read - read the memory that arguments point to
 * @user: set to the memory that was read
 * @syscall: the system call
 * @args: its arguments
 * @users: users that get the record
 *
 * Context: a task that is in the system call; preemption off.
 */
notrace void syscall_user_read(struct syscall_user *user, const struct syscall_metadata *syscall,
			       const unsigned long *args, const struct trace_event_users *users)
{
	unsigned long mask = syscall->user_mask;
	int arg, nr = 0, size = syscall->user_arg_size;
	unsigned int len;
	char *to;

	user->size = 0;
	user->max = syscall_user_max(users);
	if (!user->max)
		return;
	for_each_set_bit(arg, &mask, BITS_PER_BYTE) {
		to = user->data + user->size;
		if (size < 0)
			len = syscall_user_string(to, (const char __user *)args[arg], user->max);
		else
			len = syscall_user_array(to, (const void __user *)args[arg],
						 syscall_user_arg_size(syscall, args), user->max,
						 syscall->user_arg_is_str);
		user->len[nr++] = len;
		user->size += len;
	}
}

/**
 * syscall_user_store - put memory that was read into a record
 * @user: from syscall_user_read()
 * @syscall: the system call
 * @record: the record
 * @at: offset of the fields for the memory, which is followed by the memory
 *
 * A field is 0 if nothing was to be read.
 *
 * Context: a task that is in the system call; preemption off.
 */
notrace void syscall_user_store(const struct syscall_user *user,
				const struct syscall_metadata *syscall, void *record,
				unsigned int at)
{
	unsigned int i, nr = syscall_user_args(syscall);
	u32 *loc = record + at;

	at += nr * sizeof(*loc);
	memcpy(record + at, user->data, user->size);
	for (i = 0; i < nr; i++) {
		loc[i] = user->max ? at | user->len[i] << 16 : 0;
		at += user->max ? user->len[i] : 0;
	}
}

/*
 * Formats and text
 */

static bool syscall_user_is_text(const struct syscall_metadata *syscall)
{
	return syscall->user_arg_size < 0 || syscall->user_arg_is_str;
}

/**
 * syscall_user_field - describe the field of the memory that an argument points to
 * @syscall: the system call
 * @nr: number of the field, from 0 on
 * @offset: offset in the record of field 0
 * @field: set to the field
 *
 * Context: any.
 */
void syscall_user_field(const struct syscall_metadata *syscall, unsigned int nr,
			unsigned int offset, struct trace_event_field *field)
{
	bool text = syscall_user_is_text(syscall);

	*field = (struct trace_event_field) {
		.type	= text ? "__data_loc char[]" : "__data_loc u8[]",
		.name	= syscall->user_fields[nr],
		.offset	= offset + nr * sizeof(u32),
		.size	= sizeof(u32),
	};
}

static void syscall_user_print_array(struct trace_seq *s, const u8 *data, unsigned int len,
				     unsigned long size)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		trace_seq_printf(s, "%s%02x", i ? " " : "(", data[i]);
	if (len)
		trace_seq_puts(s, size > len ? SYSCALL_USER_CUT ")" : ")");
	else
		trace_seq_puts(s, size ? syscall_user_fault : "()");
}

/**
 * syscall_user_print - print the memory that an argument points to
 * @s: output
 * @syscall: the system call
 * @data: the memory, as recorded
 * @len: bytes of it
 * @args: the arguments
 *
 * Context: any.
 */
void syscall_user_print(struct trace_seq *s, const struct syscall_metadata *syscall,
			const char *data, unsigned int len, const unsigned long *args)
{
	if (!syscall_user_is_text(syscall)) {
		syscall_user_print_array(s, data, len, syscall_user_arg_size(syscall, args));
		return;
	}
	trace_seq_putc(s, '"');
	trace_print_escaped(s, data, len);
	trace_seq_putc(s, '"');
}

/**
 * syscall_user_format - get the conversions of a print format for the memory
 * @syscall: the system call
 *
 * Context: any.
 * Return: the text that follows the conversion of the argument.
 */
const char *syscall_user_format(const struct syscall_metadata *syscall)
{
	return syscall_user_is_text(syscall) ? " \\\"%s\\\"" : " (%s%s)";
}

/**
 * syscall_user_format_arg - print the arguments of a print format for the memory
 * @m: output
 * @syscall: the system call
 * @nr: number of the field, from 0 on
 *
 * Context: may sleep.
 */
void syscall_user_format_arg(struct seq_file *m, const struct syscall_metadata *syscall, int nr)
{
	const char *field = syscall->user_fields[nr];

	if (syscall_user_is_text(syscall)) {
		seq_printf(m, ", __get_str(%s)", field);
		return;
	}
	seq_printf(m, ", __print_hex(__get_dynamic_array(%s), __get_dynamic_array_len(%s))", field,
		   field);
	seq_printf(m, ", %sREC->%s > __get_dynamic_array_len(%s) ? \"" SYSCALL_USER_CUT "\" : \"\"",
		   syscall->user_arg_is_int ? "(unsigned int)" : "",
		   syscall->args[syscall->user_arg_size], field);
}

/*
 * syscall_user_buf_size
 */

static int syscall_user_size_show(struct seq_file *m, struct trace_scope *scope)
{
	const struct trace_event_instance *events = scope->tr->events;

	/* NULL: see trace_array::events. */
	if (!events)
		return -ENODEV;
	seq_printf(m, "%u\n", READ_ONCE(events->syscall_user_size));
	return 0;
}

static int syscall_user_size_store(struct trace_scope *scope, char *text)
{
	struct trace_event_instance *events = scope->tr->events;
	unsigned int size;
	int err = events ? kstrtouint(text, 10, &size) : -ENODEV;

	if (err)
		return err;
	if (size > SYSCALL_USER_SIZE_MAX)
		return -EINVAL;
	WRITE_ONCE(events->syscall_user_size, size);
	return 0;
}

static struct trace_control syscall_user_control = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= syscall_user_size_show,
	.store	= syscall_user_size_store,
};

TRACE_FILES(syscall_user_files,
	{ "syscall_user_buf_size", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE,
	  &syscall_user_control.fops });

TRACE_README(syscall_user_readme, 610,
	"  syscall_user_buf_size	bytes that events of system calls have of each string\n"
	"			and array that an argument points to; 0: none\n");
