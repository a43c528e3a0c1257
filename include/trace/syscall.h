/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls as trace events; <linux/syscalls.h> includes this, and makes a struct
 * syscall_metadata for each system call. The tracepoints sys_enter and sys_exit are reached by way
 * of a flag of each task.
 */
#ifndef _TRACE_SYSCALL_H
#define _TRACE_SYSCALL_H

#include <linux/tracepoint.h>
#include <linux/unistd.h>
#include <linux/trace_events.h>
#include <linux/thread_info.h>

#include <asm/ptrace.h>

/**
 * struct syscall_metadata - a system call
 * @name: name of its function, "sys_NAME"
 * @syscall_nr: its number; negative if no task that is not compat can call it
 * @nb_args: number of arguments
 * @user_mask: bit n is set if argument n refers to user memory that events record
 * @user_arg_size: number of the argument that has the size in bytes of that memory, in which case
 *	@user_mask has one bit; negative: all of them are strings that end with NUL
 * @user_arg_is_str: with @user_arg_size: the memory is text
 * @user_arg_is_int: with @user_arg_size: that argument has 32 bits
 * @user_fields: names of the fields with that memory, in the order of the arguments; NULL: none
 * @types: their types as C writes them
 * @args: their names
 * @enter_fields: unused
 * @enter_event: the event of a call
 * @exit_event: the event of its return
 */
struct syscall_metadata {
	const char		*name;
	int			syscall_nr;
	int			nb_args;
	u8			user_mask;
	s8			user_arg_size;
	bool			user_arg_is_str;
	bool			user_arg_is_int;
	const char		**user_fields;
	const char		**types;
	const char		**args;
	struct list_head	enter_fields;
	struct trace_event_call	*enter_event;
	struct trace_event_call	*exit_event;
};

/*
 * The address of the function of a system call. The architecture's function, or that in
 * kernel/trace/events/. Called at boot.
 */
unsigned long arch_syscall_addr(int nr);

/**
 * syscall_tracepoint_update - give a new task the flag of its parent
 * @p: the new task
 *
 * syscall_regfunc() and syscall_unregfunc() set or clear the flag of all tasks that exist.
 * tasklist_lock keeps them from missing @p.
 *
 * Context: tasklist_lock held for writing.
 */
static inline void syscall_tracepoint_update(struct task_struct *p)
{
#if defined(CONFIG_TRACEPOINTS) && defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS)
	if (test_syscall_work(SYSCALL_TRACEPOINT))
		set_task_syscall_work(p, SYSCALL_TRACEPOINT);
	else
		clear_task_syscall_work(p, SYSCALL_TRACEPOINT);
#endif
}

#endif /* _TRACE_SYSCALL_H */
