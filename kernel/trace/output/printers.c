// SPDX-License-Identifier: GPL-2.0
/*
 * The printers of each type of entries: printers of entries.c, which are never unregistered, and
 * printers of trace events and modules, which are registered and unregistered.
 *
 * A reader finds the printers of an entry by the number of its type, and calls them. They may
 * belong to a module that is being unloaded. So a reader holds trace_event_sem while it prints, and
 * unregister_trace_event() waits for the reader:
 *
 *	reader				unregister_trace_event()
 *	down_read
 *	finds the printers
 *					down_write: waits
 *	calls them
 *	up_read
 *					takes them out: no reader finds them any more
 *					up_write; the caller may free them
 *
 * A dump in an oops or an NMI must not wait. It prints each line in an RCU read section instead.
 * The memory of a module is freed after a grace period, so that its printers are there until the
 * line is printed.
 *
 * Entries in buffers have the number of their type, and remain in the buffer when the type is
 * unregistered. If another type got the same number, its printers would print these entries. So
 * numbers are used in turn: a number is used again only after all other numbers.
 */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/rwsem.h>
#include <linux/xarray.h>
#include <asm/barrier.h>

#include "../core/entries.h"
#include "internal.h"

static DECLARE_RWSEM(trace_event_sem);

/* Printers by number: fixed numbers, which most entries have, and all others. */
static struct trace_event *printers_fixed[TRACE_FIRST_EVENT_TYPE];
static DEFINE_XARRAY_ALLOC(printers);

/* The next number to be given, or one past the last number. Under trace_event_sem. */
static u32 printers_next;

/**
 * trace_event_read_lock - keep printers from being unregistered while lines are printed
 *
 * Context: may sleep.
 */
void trace_event_read_lock(void)
{
	down_read(&trace_event_sem);
}

/**
 * trace_event_read_unlock - let printers be unregistered again
 *
 * Context: as trace_event_read_lock().
 */
void trace_event_read_unlock(void)
{
	up_read(&trace_event_sem);
}

/**
 * trace_entry_event - find the printers of a type of entries
 * @type: its number
 *
 * Context: any, between trace_event_read_lock() and trace_event_read_unlock(), or in an RCU read
 * section. The printers must not be used after its end.
 * Return: the printers, or NULL if there are none for this type.
 */
struct trace_event *trace_entry_event(unsigned int type)
{
	if (likely(type < ARRAY_SIZE(printers_fixed)))
		return READ_ONCE(printers_fixed[type]);
	return xa_load(&printers, type);
}

static enum print_line_t printers_type_only(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	trace_seq_printf(&iter->seq, "type: %d\n", iter->ent->type);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t printers_unknown_fields(struct trace_iterator *iter, int flags,
						 struct trace_event *event)
{
	trace_seq_printf(&iter->seq, "UNKNOWN TYPE %d\n", iter->ent->type);
	return trace_handle_return(&iter->seq);
}

static void printers_complete(struct trace_event_functions *funcs)
{
	funcs->trace = funcs->trace ?: printers_type_only;
	funcs->raw = funcs->raw ?: printers_type_only;
	funcs->hex = funcs->hex ?: printers_type_only;
	funcs->binary = funcs->binary ?: printers_type_only;
	funcs->fields = funcs->fields ?: printers_unknown_fields;
}

static int printers_add_next(struct trace_event *event)
{
	struct xa_limit limit = XA_LIMIT(TRACE_FIRST_EVENT_TYPE, U16_MAX);
	u32 number;
	int err;

	err = xa_alloc_cyclic(&printers, &number, event, limit, &printers_next, GFP_KERNEL);
	if (err < 0)
		return err;
	event->type = number;
	return 0;
}

static int printers_add(struct trace_event *event)
{
	if (event->type < 0 || event->type > U16_MAX)
		return -EINVAL;
	if (!event->type)
		return printers_add_next(event);
	if (event->type >= TRACE_FIRST_EVENT_TYPE)
		return xa_insert(&printers, event->type, event, GFP_KERNEL);
	if (printers_fixed[event->type])
		return -EBUSY;
	/* A dump looks up the printers without a lock. */
	smp_store_release(&printers_fixed[event->type], event);
	return 0;
}

/**
 * register_trace_event - register the printers of a type of entries
 * @event: the type: with @event->funcs, whose empty forms are filled in, and with the number
 *	@event->type, or 0 to be given one
 *
 * Readers may call the printers from now on, in any context: see trace_print_func.
 *
 * Context: may sleep. Not to be called by a printer.
 * Return: the number of the type, which is in @event->type, too; 0 if another type has it, if
 * no number is left, or if memory allocation fails.
 */
int register_trace_event(struct trace_event *event)
{
	if (WARN_ON(!event->funcs))
		return 0;
	printers_complete(event->funcs);

	guard(rwsem_write)(&trace_event_sem);
	return printers_add(event) ? 0 : event->type;
}
EXPORT_SYMBOL_GPL(register_trace_event);

/**
 * unregister_trace_event - forget the printers of a type of entries
 * @event: the type, as it was registered
 *
 * When this returns, no reader calls the printers any more. Entries of the type that are still in
 * buffers are shown as of an unknown type. A dump in an oops may still call the printers, so their
 * memory must be freed only after an RCU grace period, as the memory of a module is.
 *
 * Context: may sleep; waits for readers to finish printing. Not to be called by a printer.
 * Return: 0.
 */
int unregister_trace_event(struct trace_event *event)
{
	guard(rwsem_write)(&trace_event_sem);
	if (trace_entry_event(event->type) != event)
		return 0;
	if (event->type < TRACE_FIRST_EVENT_TYPE)
		WRITE_ONCE(printers_fixed[event->type], NULL);
	else
		xa_erase(&printers, event->type);
	return 0;
}
EXPORT_SYMBOL_GPL(unregister_trace_event);
