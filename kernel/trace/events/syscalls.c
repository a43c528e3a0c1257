// SPDX-License-Identifier: GPL-2.0
/*
 * events/syscalls: two events for each system call, when it begins and when it returns. The probes
 * of sys_enter and sys_exit find the event by the number of the system call.
 *
 * <linux/syscalls.h> generates a struct syscall_metadata for each function that is a system call.
 * The architecture's table tells the numbers of these functions.
 */
#include <linux/fcntl.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <trace/events/syscalls.h>
#include <trace/syscall.h>

#include <asm/syscall.h>

#include "../core/tracer.h"
#include "events.h"
#include "fields.h"
#include "syscall_user.h"

#define SYSCALL_ARGS_MAX	6

/* The records. Tools know them by the format files. Any user may have them, from perf. */
struct syscall_enter_entry {
	struct trace_entry	ent;
	int			nr;
	int			padding;
	unsigned long		args[];
};

struct syscall_exit_entry {
	struct trace_entry	ent;
	int			nr;
	int			padding;
	long			ret;
};

/* System calls by number; NULL: not known. */
static struct syscall_metadata *syscalls[NR_syscalls];

/* Number of events that are attached to each tracepoint. Under trace_event_mutex. */
static unsigned int syscall_enter_events, syscall_exit_events;

static const struct syscall_metadata *syscall_of_call(const struct trace_event_call *call)
{
	return call->data;
}

/*
 * Recording
 */

/* The system call that a task is in; NULL if it has no events. */
static const struct syscall_metadata *syscall_of_current(struct pt_regs *regs)
{
	int nr = syscall_get_nr(current, regs);

#ifdef ARCH_TRACE_IGNORE_COMPAT_SYSCALLS
	if (unlikely(arch_trace_is_compat_syscall(regs)))
		return NULL;
#endif
	return nr >= 0 && nr < NR_syscalls ? syscalls[nr] : NULL;
}

/* Bytes of a record of sys_enter without the program's memory. The sum does not overflow. */
static unsigned int syscall_enter_size(const struct syscall_metadata *syscall)
{
	return offsetof(struct syscall_enter_entry, args) +
	       (unsigned int)syscall->nb_args * sizeof(unsigned long);
}

/* Record a system call with the memory that its arguments point to. */
static noinline notrace void syscall_record_user(struct trace_event_buffer *record,
						 const struct syscall_metadata *syscall,
						 struct pt_regs *regs)
{
	unsigned int at = syscall_enter_size(syscall), nr = syscall_user_args(syscall);
	unsigned long args[SYSCALL_ARGS_MAX] __uninitialized;
	struct syscall_user user __uninitialized;
	struct trace_event_users *users;
	struct syscall_enter_entry *entry;

	/* The event may be about to be detached. The users are not freed before this probe ends. */
	users = rcu_dereference_raw(record->call->users);
	if (!users || !trace_event_buffer_wanted(record->call))
		return;
	syscall_get_arguments(current, regs, args);
	syscall_user_read(&user, syscall, args, users);
	entry = trace_event_buffer_reserve(record, at + nr * sizeof(u32) + user.size);
	if (!entry)
		return;
	entry->nr = syscall->syscall_nr;
	entry->padding = 0;
	memcpy(entry->args, args, syscall->nb_args * sizeof(*args));
	syscall_user_store(&user, syscall, entry, at);
	trace_event_buffer_commit(record);
}

static notrace void syscall_probe_enter(void *unused, struct pt_regs *regs, long id)
{
	const struct syscall_metadata *syscall = syscall_of_current(regs);
	unsigned long args[SYSCALL_ARGS_MAX] __uninitialized;
	struct trace_event_buffer record __uninitialized;
	struct syscall_enter_entry *entry;

	if (!syscall || !rcu_access_pointer(syscall->enter_event->users))
		return;
	record.call = syscall->enter_event;
	record.task = NULL;
	record.count = 1;
	record.ip = _RET_IP_;
	record.frame = __builtin_frame_address(0);
	if (syscall->user_mask) {
		syscall_record_user(&record, syscall, regs);
		return;
	}
	entry = trace_event_buffer_reserve(&record, syscall_enter_size(syscall));
	if (!entry)
		return;
	entry->nr = syscall->syscall_nr;
	entry->padding = 0;
	syscall_get_arguments(current, regs, args);
	memcpy(entry->args, args, syscall->nb_args * sizeof(*args));
	trace_event_buffer_commit(&record);
}

static notrace void syscall_probe_exit(void *unused, struct pt_regs *regs, long ret)
{
	const struct syscall_metadata *syscall = syscall_of_current(regs);
	struct trace_event_buffer record __uninitialized;
	struct syscall_exit_entry *entry;

	if (!syscall || !rcu_access_pointer(syscall->exit_event->users))
		return;
	record.call = syscall->exit_event;
	record.task = NULL;
	record.count = 1;
	record.ip = _RET_IP_;
	record.frame = __builtin_frame_address(0);
	entry = trace_event_buffer_reserve(&record, sizeof(*entry));
	if (!entry)
		return;
	entry->nr = syscall->syscall_nr;
	entry->padding = 0;
	entry->ret = syscall_get_return_value(current, regs);
	trace_event_buffer_commit(&record);
}

static int syscall_enter_attach(struct trace_event_call *call)
{
	int err = syscall_enter_events ? 0 : register_trace_sys_enter(syscall_probe_enter, NULL);

	syscall_enter_events += !err;
	return err;
}

static void syscall_enter_detach(struct trace_event_call *call)
{
	if (!--syscall_enter_events)
		unregister_trace_sys_enter(syscall_probe_enter, NULL);
}

static int syscall_exit_attach(struct trace_event_call *call)
{
	int err = syscall_exit_events ? 0 : register_trace_sys_exit(syscall_probe_exit, NULL);

	syscall_exit_events += !err;
	return err;
}

static void syscall_exit_detach(struct trace_event_call *call)
{
	if (!--syscall_exit_events)
		unregister_trace_sys_exit(syscall_probe_exit, NULL);
}

/*
 * Formats
 */

static const struct trace_event_field syscall_nr_field = {
	.type		= "int",
	.name		= "__syscall_nr",
	.offset		= offsetof(struct syscall_enter_entry, nr),
	.size		= sizeof(int),
	.is_signed	= 1,
};

static bool syscall_enter_field(const struct trace_event_call *call, unsigned int nr,
				struct trace_event_field *field)
{
	const struct syscall_metadata *syscall = syscall_of_call(call);

	if (!nr) {
		*field = syscall_nr_field;
		return true;
	}
	if (nr > syscall->nb_args) {
		nr -= syscall->nb_args + 1;
		if (nr >= syscall_user_args(syscall))
			return false;
		syscall_user_field(syscall, nr, syscall_enter_size(syscall), field);
		return true;
	}
	*field = (struct trace_event_field) {
		.type	= syscall->types[nr - 1],
		.name	= syscall->args[nr - 1],
		.offset	= offsetof(struct syscall_enter_entry, args[nr - 1]),
		.size	= sizeof(unsigned long),
	};
	return true;
}

static bool syscall_exit_field(const struct trace_event_call *call, unsigned int nr,
			       struct trace_event_field *field)
{
	static const struct trace_event_field ret_field = {
		.type		= "long",
		.name		= "ret",
		.offset		= offsetof(struct syscall_exit_entry, ret),
		.size		= sizeof(long),
		.is_signed	= 1,
	};

	if (nr < 2)
		*field = nr ? ret_field : syscall_nr_field;
	return nr < 2;
}

/* The argument that has the flags of open(); -1: there is none */
static int syscall_open_flags(const struct syscall_metadata *syscall)
{
	if (!strcmp(syscall->name, "sys_openat"))
		return 2;
	return strcmp(syscall->name, "sys_open") ? -1 : 1;
}

/* Modes and flags of open(). A flag that includes the bits of another one comes first. */
static const struct trace_print_flags syscall_open_modes[] = {
	{ O_RDONLY,	"O_RDONLY" },
	{ O_WRONLY,	"O_WRONLY" },
	{ O_RDWR,	"O_RDWR" },
	{ -1,		NULL }
};

static const struct trace_print_flags syscall_open_names[] = {
	{ O_CREAT,	"O_CREAT" },
	{ O_EXCL,	"O_EXCL" },
	{ O_NOCTTY,	"O_NOCTTY" },
	{ O_TRUNC,	"O_TRUNC" },
	{ O_APPEND,	"O_APPEND" },
	{ O_NONBLOCK,	"O_NONBLOCK" },
	{ O_SYNC,	"O_SYNC" },
	{ O_DSYNC,	"O_DSYNC" },
	{ FASYNC,	"O_ASYNC" },
	{ O_DIRECT,	"O_DIRECT" },
	{ O_LARGEFILE,	"O_LARGEFILE" },
	{ O_TMPFILE,	"O_TMPFILE" },
	{ O_DIRECTORY,	"O_DIRECTORY" },
	{ O_NOFOLLOW,	"O_NOFOLLOW" },
	{ O_NOATIME,	"O_NOATIME" },
	{ O_CLOEXEC,	"O_CLOEXEC" },
	{ O_PATH,	"O_PATH" },
	{ -1,		NULL }
};

static void syscall_rows_puts(struct seq_file *m, const struct trace_print_flags *row)
{
	for (; row->name; row++)
		seq_printf(m, ", { 0x%lx, \"%s\" }", row->mask, row->name);
}

/* The pieces of "%s%s%s": the mode, the separator if there are flags, and the flags */
static void syscall_open_print_fmt(struct seq_file *m, const char *arg)
{
	const unsigned int flags = ~O_ACCMODE;

	seq_printf(m, ", __print_symbolic(REC->%s & 0x%x", arg, O_ACCMODE);
	syscall_rows_puts(m, syscall_open_modes);
	seq_printf(m, "), REC->%s & 0x%x ? \"|\" : \"\"", arg, flags);
	seq_printf(m, ", __print_flags(REC->%s & 0x%x, \"|\"", arg, flags);
	syscall_rows_puts(m, syscall_open_names);
	seq_putc(m, ')');
}

static void syscall_enter_print_fmt(const struct trace_event_call *call, struct seq_file *m)
{
	const struct syscall_metadata *syscall = syscall_of_call(call);
	int i, open_flags = syscall_open_flags(syscall), user = 0;

	seq_putc(m, '"');
	for (i = 0; i < syscall->nb_args; i++) {
		seq_printf(m, "%s%s: ", i ? ", " : "", syscall->args[i]);
		if (i == open_flags)
			seq_puts(m, "%s%s%s");
		else
			seq_printf(m, "0x%%0%zulx", sizeof(unsigned long));
		if (syscall->user_mask & BIT(i))
			seq_puts(m, syscall_user_format(syscall));
	}
	seq_putc(m, '"');
	for (i = 0; i < syscall->nb_args; i++) {
		if (i == open_flags)
			syscall_open_print_fmt(m, syscall->args[i]);
		else
			seq_printf(m, ", ((unsigned long)(REC->%s))", syscall->args[i]);
		if (syscall->user_mask & BIT(i))
			syscall_user_format_arg(m, syscall, user++);
	}
}

static void syscall_exit_print_fmt(const struct trace_event_call *call, struct seq_file *m)
{
	seq_puts(m, "\"0x%lx\", REC->ret");
}

static void syscall_open_print(struct trace_iterator *iter, unsigned int value)
{
	struct trace_seq *p = &iter->tmp_seq;

	trace_seq_init(p);
	trace_seq_puts(&iter->seq, trace_print_symbols_seq(p, value & O_ACCMODE,
							   syscall_open_modes));
	value &= ~O_ACCMODE;
	if (value)
		trace_seq_printf(&iter->seq, "|%s",
				 trace_print_flags_seq(p, "|", value, syscall_open_names));
}

/* Print the copy of user memory that the pointer in field @nr refers to. */
static void syscall_print_memory(struct trace_iterator *iter,
				 const struct syscall_metadata *syscall, unsigned int nr)
{
	unsigned int at = syscall_enter_size(syscall), len;
	const struct syscall_enter_entry *entry = (void *)iter->ent;
	struct trace_event_field field;
	const void *data;

	/* There was nothing to read. */
	if (!*(const u32 *)((void *)entry + at + nr * sizeof(u32)))
		return;
	syscall_user_field(syscall, nr, at, &field);
	data = trace_field_data(&field, entry, iter->ent_size, &len);
	trace_seq_putc(&iter->seq, ' ');
	if (data)
		syscall_user_print(&iter->seq, syscall, data, len, entry->args);
	else
		trace_seq_puts(&iter->seq, "<OVERFLOW>");
}

static enum print_line_t syscall_enter_text(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	const struct trace_event_call *call = container_of(event, struct trace_event_call, event);
	const struct syscall_enter_entry *entry = (void *)iter->ent;
	const struct syscall_metadata *syscall = syscall_of_call(call);
	unsigned int size = syscall_enter_size(syscall) + syscall_user_args(syscall) * sizeof(u32);
	int i, open_flags = syscall_open_flags(syscall), user = 0;
	struct trace_seq *s = &iter->seq;

	if (iter->ent_size < size)
		return trace_event_print_fields(iter, flags, event);
	trace_seq_printf(s, "%s(", syscall->name);
	for (i = 0; i < syscall->nb_args; i++) {
		trace_seq_puts(s, i ? ", " : "");
		if (flags & BIT(TRACE_OPT_VERBOSE))
			trace_seq_printf(s, "%s ", syscall->types[i]);
		trace_seq_printf(s, "%s: ", syscall->args[i]);
		if (i == open_flags)
			syscall_open_print(iter, entry->args[i]);
		else
			trace_seq_printf(s, "%lx", entry->args[i]);
		if (syscall->user_mask & BIT(i))
			syscall_print_memory(iter, syscall, user++);
	}
	trace_seq_puts(s, ")\n");
	return trace_handle_return(s);
}

static enum print_line_t syscall_exit_text(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	const struct trace_event_call *call = container_of(event, struct trace_event_call, event);
	const struct syscall_exit_entry *entry = (void *)iter->ent;

	if (iter->ent_size < sizeof(*entry))
		return trace_event_print_fields(iter, flags, event);
	trace_seq_printf(&iter->seq, "%s -> 0x%lx\n", syscall_of_call(call)->name, entry->ret);
	return trace_handle_return(&iter->seq);
}

/*
 * The numbers of system calls
 */

/* Defined by the linker script; the memory of the array is freed after boot. */
extern struct syscall_metadata *__start_syscalls_metadata[];
extern struct syscall_metadata *__stop_syscalls_metadata[];

/**
 * arch_syscall_addr - find the function of a system call
 * @nr: number of the system call
 *
 * An architecture whose table has another type has a function of its own.
 *
 * Context: boot.
 * Return: address of the function.
 */
unsigned long __init __weak arch_syscall_addr(int nr)
{
	return (unsigned long)sys_call_table[nr];
}

#ifndef ARCH_HAS_SYSCALL_MATCH_SYM_NAME
/* Symbols may begin with "SyS" or ".sys": leave out the text before the underscore. */
static inline bool arch_syscall_match_sym_name(const char *sym, const char *name)
{
	return !strcmp(sym + 3, name + 3);
}
#endif

static struct syscall_metadata * __init syscall_find(const char *symbol)
{
	struct syscall_metadata **syscall;

	for (syscall = __start_syscalls_metadata; syscall < __stop_syscalls_metadata; syscall++) {
		if (arch_syscall_match_sym_name(symbol, (*syscall)->name))
			return *syscall;
	}
	return NULL;
}

static void __init syscalls_number(void)
{
	char symbol[KSYM_SYMBOL_LEN];
	struct syscall_metadata *syscall;
	int nr;

	for (nr = 0; nr < NR_syscalls; nr++) {
		if (!kallsyms_lookup(arch_syscall_addr(nr), NULL, NULL, NULL, symbol))
			continue;
		syscall = syscall_find(symbol);
		if (!syscall)
			continue;
		syscall->syscall_nr = nr;
		syscall_user_prepare(syscall);
		syscalls[nr] = syscall;
	}
}

/* Called before the first event is registered. Modules have no system calls. */
static int __ref syscall_prepare(struct trace_event_call *call)
{
	static bool numbered;

	if (!numbered)
		syscalls_number();
	numbered = true;
	return syscall_of_call(call)->syscall_nr < 0 ? -ENOSYS : 0;
}

static const struct trace_event_class_ops syscall_enter_ops = {
	.prepare	= syscall_prepare,
	.attach		= syscall_enter_attach,
	.detach		= syscall_enter_detach,
	.field		= syscall_enter_field,
	.print_fmt	= syscall_enter_print_fmt,
	.of_program	= true,
};

static const struct trace_event_class_ops syscall_exit_ops = {
	.prepare	= syscall_prepare,
	.attach		= syscall_exit_attach,
	.detach		= syscall_exit_detach,
	.field		= syscall_exit_field,
	.print_fmt	= syscall_exit_print_fmt,
	.of_program	= true,
};

struct trace_event_class event_class_syscall_enter = {
	.system	= "syscalls",
	.ops	= &syscall_enter_ops,
};

struct trace_event_class event_class_syscall_exit = {
	.system	= "syscalls",
	.ops	= &syscall_exit_ops,
};

struct trace_event_functions enter_syscall_print_funcs = {
	.trace	= syscall_enter_text,
};

struct trace_event_functions exit_syscall_print_funcs = {
	.trace	= syscall_exit_text,
};

/*
 * trace_init() may have switched events on before there was any task but the idle one. All tasks
 * since then are in the list; later ones get the flag from their parents.
 */
static int __init syscalls_boot_tasks(void)
{
	struct task_struct *p, *t;

	if (!trace_sys_enter_enabled() && !trace_sys_exit_enabled())
		return 0;
	guard(read_lock_irq)(&tasklist_lock);
	for_each_process_thread(p, t)
		set_task_syscall_work(t, SYSCALL_TRACEPOINT);
	return 0;
}
early_initcall(syscalls_boot_tasks);
