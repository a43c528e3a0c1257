// SPDX-License-Identifier: GPL-2.0
/*
 * Printing stacks of user programs: as addresses, or as files and offsets while the program runs.
 */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>

#include "../core/entries.h"
#include "../core/instance.h"
#include "internal.h"

DEFINE_FREE(mmput, struct mm_struct *, if (_T) mmput(_T))

/* Get the memory map of a program. Return: NULL if it has ended. */
static struct mm_struct *program_mm(unsigned int tgid)
{
	struct task_struct *task;

	guard(rcu)();
	task = find_task_by_pid_ns(tgid, &init_pid_ns);
	return task ? get_task_mm(task) : NULL;
}

/* Print "/bin/busybox[+0x1234]". Return: false if nothing was printed. */
static bool print_file(struct trace_seq *s, struct mm_struct *mm, unsigned long ip)
{
	struct vm_area_struct *vma;
	bool found;

	if (!mm)
		return false;
	mmap_read_lock(mm);
	vma = vma_lookup(mm, ip);
	found = vma && vma->vm_file && trace_seq_path(s, &vma->vm_file->f_path);
	if (found)
		trace_seq_printf(s, "[+0x%lx]", ip - vma->vm_start);
	mmap_read_unlock(mm);
	return found;
}

static void print_caller(struct trace_seq *s, struct mm_struct *mm, unsigned long ip, int flags)
{
	trace_seq_puts(s, " => ");
	if (!print_file(s, mm, ip) || FLAG(flags, SYM_ADDR))
		trace_seq_printf(s, " <%0*lx>", (int)(2 * sizeof(ip)), ip);
	trace_seq_putc(s, '\n');
}

/**
 * user_stack_text - print the stack of a user program
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: options of the instance: BIT() of enum trace_option_number
 * @event: the entry's printers
 *
 * entries.c has it as the printer of this type.
 *
 * Context: may sleep if the iterator's printers may, to print names of files; else any, and it
 * prints addresses only. One user of @iter at a time.
 * Return: TRACE_TYPE_HANDLED, or TRACE_TYPE_PARTIAL_LINE if it did not fit.
 */
enum print_line_t user_stack_text(struct trace_iterator *iter, int flags,
				  struct trace_event *event)
{
	struct user_stack_entry *entry = (void *)iter->ent;
	struct mm_struct *mm __free(mmput) = NULL;
	int i;

	/* In an oops, memory maps may be broken, and locks may be held. */
	if (FLAG(flags, SYM_USEROBJ) && iter->merge && iter->merge->may_sleep)
		mm = program_mm(entry->tgid);

	trace_seq_puts(&iter->seq, "<user stack trace>\n");
	for (i = 0; i < TRACE_USER_STACK_MAX && entry->caller[i]; i++) {
		if (trace_seq_has_overflowed(&iter->seq))
			break;
		print_caller(&iter->seq, mm, entry->caller[i], flags);
	}
	return trace_handle_return(&iter->seq);
}
