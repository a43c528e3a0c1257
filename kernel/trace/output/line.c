// SPDX-License-Identifier: GPL-2.0
/*
 * One line of a trace: a note about lost entries, the columns, and the text of the entry, in the
 * format that the options choose.
 */
#include "../core/instance.h"
#include "internal.h"

static void print_lost(struct trace_iterator *iter)
{
	if (iter->lost_events == LOST_UNKNOWN)
		trace_seq_printf(&iter->seq, "CPU:%d [LOST EVENTS]\n", iter->cpu);
	else
		trace_seq_printf(&iter->seq, "CPU:%d [LOST %lu EVENTS]\n",
				 iter->cpu, iter->lost_events);
}

/*
 * If entries were overwritten, the entries of each CPU begin at another time. Print a note at the
 * first entry of each CPU, except the CPU whose entries begin first.
 */
static void print_cpu_begins(struct trace_iterator *iter, int flags)
{
	if (!FLAG(flags, ANNOTATE) || !(iter->iter_flags & TRACE_FILE_ANNOTATE))
		return;
	if (cpumask_test_cpu(iter->cpu, iter->merge->started))
		return;
	cpumask_set_cpu(iter->cpu, iter->merge->started);
	if (iter->idx)
		trace_seq_printf(&iter->seq, "##### CPU %u buffer started ####\n", iter->cpu);
}

static enum print_line_t print_line_text(struct trace_iterator *iter, int flags)
{
	struct trace_event *event = trace_entry_event(iter->ent->type);

	print_cpu_begins(iter, flags);
	if (FLAG(flags, CONTEXT_INFO)) {
		if (iter->iter_flags & TRACE_FILE_LAT_FMT)
			print_context_latency(iter, flags);
		else
			print_context(iter, flags);
	}

	if (event)
		return FLAG(flags, FIELDS) ? event->funcs->fields(iter, flags, event) :
					     event->funcs->trace(iter, flags, event);
	trace_seq_printf(&iter->seq, "Unknown type %d\n", iter->ent->type);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t print_line_raw(struct trace_iterator *iter, int flags)
{
	struct trace_event *event = trace_entry_event(iter->ent->type);

	if (FLAG(flags, CONTEXT_INFO))
		print_context_raw(iter, flags);
	if (event)
		return event->funcs->raw(iter, flags, event);
	trace_seq_printf(&iter->seq, "%d ?\n", iter->ent->type);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t print_hex(struct trace_iterator *iter, int flags)
{
	struct trace_event *event = trace_entry_event(iter->ent->type);

	if (FLAG(flags, CONTEXT_INFO))
		print_context_hex(iter, flags);
	if (event)
		event->funcs->hex(iter, flags, event);
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static enum print_line_t print_bin(struct trace_iterator *iter, int flags)
{
	struct trace_event *event = trace_entry_event(iter->ent->type);

	if (FLAG(flags, CONTEXT_INFO))
		print_context_bin(iter, flags);
	if (event)
		event->funcs->binary(iter, flags, event);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t print_formatted(struct trace_iterator *iter, int flags)
{
	if (FLAG(flags, MSG_ONLY) && FLAG(flags, PRINTK) && trace_print_message(iter))
		return trace_handle_return(&iter->seq);
	if (unlikely(FLAG(flags, BIN)))
		return print_bin(iter, flags);
	if (unlikely(FLAG(flags, HEX)))
		return print_hex(iter, flags);
	if (unlikely(FLAG(flags, RAW)))
		return print_line_raw(iter, flags);
	return print_line_text(iter, flags);
}

/**
 * trace_print_line - print the loaded entry of an iterator
 * @iter: the iterator; the text is added to its seq
 *
 * Context: between trace_event_read_lock() and trace_event_read_unlock(), may sleep; or, if @iter
 * is that of a dump, in an RCU read section. One user of @iter at a time.
 * Return: as a printer. If the line did not fit, the caller cuts seq back to its old length; if
 * that was 0, by trace_cut_line().
 */
enum print_line_t trace_print_line(struct trace_iterator *iter)
{
	int flags = READ_ONCE(iter->tr->options);
	enum print_line_t ret = TRACE_TYPE_UNHANDLED;

	if (unlikely(iter->lost_events))
		print_lost(iter);
	if (iter->trace && iter->trace->print_line)
		ret = iter->trace->print_line(iter);
	return ret == TRACE_TYPE_UNHANDLED ? print_formatted(iter, flags) : ret;
}

/**
 * trace_cut_line - mark the end of a line that does not fit even into an empty sequence
 * @s: the sequence, with as much of the line as fits
 *
 * Context: any, one user of @s at a time.
 */
void trace_cut_line(struct trace_seq *s)
{
	static const char mark[] = "[LINE TOO BIG]\n";

	s->full = 0;
	s->seq.len = min(s->seq.len, s->seq.size - sizeof(mark));
	trace_seq_puts(s, mark);
}
