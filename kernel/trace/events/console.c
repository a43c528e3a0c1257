// SPDX-License-Identifier: GPL-2.0
/*
 * tp_printk: print events on the console as they are recorded, for a kernel that does not live long
 * enough for its trace to be read.
 */
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/spinlock.h>

#include "../core/record.h"
#include "events.h"

/*
 * Protects the iterator, which holds the text. arch_spinlock_t because lockdep must not track it:
 * NMIs take it, too.
 */
static arch_spinlock_t console_iter_lock = __ARCH_SPIN_LOCK_UNLOCKED;
static struct trace_iterator console_iter;

/* This CPU prints an event. */
static DEFINE_PER_CPU(bool, console_busy);

static void console_print(const struct trace_event_buffer *record)
{
	struct trace_event *event = &record->call->event;
	struct trace_iterator *iter = &console_iter;

	trace_seq_init(&iter->seq);
	iter->ent = record->entry;
	iter->ent_size = record->size;
	event->funcs->trace(iter, 0, event);
	/* The event may have occurred with a lock held that waking the console's user takes. */
	printk_deferred("%.*s", trace_seq_used(&iter->seq), iter->seq.buffer);
}

/**
 * trace_event_console - print the text of a record
 * @record: the record, complete
 *
 * An event that occurs while one is printed on the same CPU is not printed: printing may cause it.
 *
 * Context: any, NMI and idle included; preemption off.
 */
void trace_event_console(const struct trace_event_buffer *record)
{
	unsigned long flags;

	if (__this_cpu_read(console_busy))
		return;
	raw_local_irq_save(flags);
	__this_cpu_write(console_busy, true);
	arch_spin_lock(&console_iter_lock);
	console_print(record);
	arch_spin_unlock(&console_iter_lock);
	__this_cpu_write(console_busy, false);
	raw_local_irq_restore(flags);
}
