// SPDX-License-Identifier: GPL-2.0
/*
 * Printers of the entries that tracing itself records, in the forms that core/entry_list.h has
 * for each type.
 */
#include <linux/init.h>
#include <linux/sched.h>

#include "../core/saved_cmdlines.h"
#include "../core/entries.h"
#include "internal.h"
#include "symbols.h"
#include "text.h"

/* Writers of a stack put this after the last caller if they found too few to fill the entry. */
#define STACK_END	ULONG_MAX

/**
 * trace_print_ip - print a code address as the options choose
 * @iter: the iterator; prints to its seq
 * @ip: the address
 * @flags: options of the instance: symbol with offset, and the address beside it
 *
 * Context: any, one user of @iter at a time.
 */
void trace_print_ip(struct trace_iterator *iter, unsigned long ip, int flags)
{
	struct trace_seq *s = &iter->seq;

	if (!ip) {
		trace_seq_putc(s, '0');
		return;
	}

	print_symbol(trace_iter_symbols(iter), s, ip,
		     FLAG(flags, SYM_OFFSET) ? SYMBOL_OFFSET : SYMBOL_NAME);
	if (FLAG(flags, SYM_ADDR))
		trace_seq_printf(s, " <%0*lx>", (int)(2 * sizeof(ip)), ip);
}

static __always_inline void print_call(struct trace_iterator *iter, int flags,
				       unsigned long ip, unsigned long parent_ip)
{
	trace_print_ip(iter, ip, flags);
	if (FLAG(flags, PRINT_PARENT) && parent_ip) {
		text_put(&iter->seq, " <-", 3);
		trace_print_ip(iter, parent_ip, flags);
	}
}

/* "do_it <-caller" */
static enum print_line_t function_text(struct trace_iterator *iter, int flags,
				       struct trace_event *event)
{
	struct function_entry *entry = (void *)iter->ent;

	print_call(iter, flags, entry->ip, entry->parent_ip);
	text_put(&iter->seq, "\n", 1);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t function_raw(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct function_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "%lx %lx\n", entry->ip, entry->parent_ip);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t function_hex(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct function_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "%0*lx %0*lx ", (int)(2 * sizeof(long)), entry->ip,
			 (int)(2 * sizeof(long)), entry->parent_ip);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t function_bin(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct function_entry *entry = (void *)iter->ent;

	trace_seq_putmem(&iter->seq, &entry->ip, sizeof(entry->ip));
	trace_seq_putmem(&iter->seq, &entry->parent_ip, sizeof(entry->parent_ip));
	return trace_handle_return(&iter->seq);
}

/*
 * Tasks: "   1234:120:R   + [003]      17: 94:R migration/3"
 */

static enum print_line_t sched_text(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	struct sched_entry *entry = (void *)iter->ent;
	char comm[TRACE_COMM_LEN];

	trace_find_comm(entry->next_pid, comm);
	trace_seq_printf(&iter->seq, " %7d:%3d:%c %s [%03d] %7d:%3d:%c %s\n",
			 entry->prev_pid, entry->prev_prio,
			 task_index_to_char(entry->prev_state),
			 entry->ent.type == TRACE_WAKE ? "  +" : "==>", entry->next_cpu,
			 entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state), comm);
	return trace_handle_return(&iter->seq);
}

/* A task that wakes another has the state '+'. */
static char sched_state(const struct sched_entry *entry)
{
	return entry->ent.type == TRACE_WAKE ? '+' : task_index_to_char(entry->prev_state);
}

static enum print_line_t sched_raw(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	struct sched_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "%d %d %c %d %d %d %c\n", entry->prev_pid,
			 entry->prev_prio, sched_state(entry), entry->next_cpu,
			 entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state));
	return trace_handle_return(&iter->seq);
}

static enum print_line_t sched_hex(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	struct sched_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "%08x %02x %02x %08x %08x %02x %08x ", entry->prev_pid,
			 entry->prev_prio, sched_state(entry), entry->next_cpu,
			 entry->next_pid, entry->next_prio,
			 task_index_to_char(entry->next_state));
	return trace_handle_return(&iter->seq);
}

static enum print_line_t sched_bin(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	struct sched_entry *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;

	trace_seq_putmem(s, &entry->prev_pid, sizeof(entry->prev_pid));
	trace_seq_putmem(s, &entry->prev_prio, sizeof(entry->prev_prio));
	trace_seq_putmem(s, &entry->prev_state, sizeof(entry->prev_state));
	trace_seq_putmem(s, &entry->next_cpu, sizeof(entry->next_cpu));
	trace_seq_putmem(s, &entry->next_pid, sizeof(entry->next_pid));
	trace_seq_putmem(s, &entry->next_prio, sizeof(entry->next_prio));
	trace_seq_putmem(s, &entry->next_state, sizeof(entry->next_state));
	return trace_handle_return(s);
}

static u64 repeats_since(const struct func_repeats_entry *entry)
{
	return (u64)entry->top_delta_ts << 32 | entry->bottom_delta_ts;
}

/* "do_it <-caller (repeats: 3, last_ts:     1.234567)" */
static enum print_line_t repeats_text(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct func_repeats_entry *entry = (void *)iter->ent;

	print_call(iter, flags, entry->ip, entry->parent_ip);
	trace_seq_printf(&iter->seq, " (repeats: %u, last_ts: ", entry->count);
	trace_print_time(&iter->seq, iter, iter->ts - repeats_since(entry));
	text_put(&iter->seq, ")\n", 2);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t repeats_raw(struct trace_iterator *iter, int flags,
				     struct trace_event *event)
{
	struct func_repeats_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "%lu %lu %u %llu\n", entry->ip, entry->parent_ip,
			 entry->count, repeats_since(entry));
	return trace_handle_return(&iter->seq);
}

static enum print_line_t stack_text(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	struct stack_entry *entry = (void *)iter->ent;
	int room = (iter->ent_size - (int)sizeof(*entry)) / (int)sizeof(entry->caller[0]);
	int nr = min(entry->size, room);
	int i;

	trace_seq_puts(&iter->seq, "<stack trace>\n");
	for (i = 0; i < nr && entry->caller[i] != STACK_END; i++) {
		if (trace_seq_has_overflowed(&iter->seq))
			break;
		text_put(&iter->seq, " => ", 4);
		trace_print_ip(iter, entry->caller[i], flags);
		text_put(&iter->seq, "\n", 1);
	}
	return trace_handle_return(&iter->seq);
}

/* The string ends the entry, with or without a terminating 0. */
static void print_message(struct trace_iterator *iter)
{
	struct print_entry *entry = (void *)iter->ent;
	int room = iter->ent_size - (int)offsetof(struct print_entry, buf);

	if (room > 0)
		text_put(&iter->seq, entry->buf, strnlen(entry->buf, room));
}

static void bprint_message(struct trace_iterator *iter)
{
	struct bprint_entry *entry = (void *)iter->ent;

	trace_seq_bprintf(&iter->seq, entry->fmt, entry->buf);
}

static void bputs_message(struct trace_iterator *iter)
{
	struct bputs_entry *entry = (void *)iter->ent;

	trace_seq_puts(&iter->seq, entry->str);
}

/* All entries with a message begin with the caller's address. */
static_assert(offsetof(struct print_entry, ip) == offsetof(struct bprint_entry, ip));
static_assert(offsetof(struct print_entry, ip) == offsetof(struct bputs_entry, ip));

static enum print_line_t message_text(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct print_entry *entry = (void *)iter->ent;

	trace_print_ip(iter, entry->ip, flags);
	text_put(&iter->seq, ": ", 2);
	trace_print_message(iter);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t print_raw(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	struct print_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "# %lx ", entry->ip);
	print_message(iter);
	return trace_handle_return(&iter->seq);
}

static enum print_line_t message_raw(struct trace_iterator *iter, int flags,
				     struct trace_event *event)
{
	struct print_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, ": %lx : ", entry->ip);
	trace_print_message(iter);
	return trace_handle_return(&iter->seq);
}

/* "# 1 buf: 61 62 63": bytes that user space wrote to trace_marker_raw */
static enum print_line_t raw_data_text(struct trace_iterator *iter, int flags,
				       struct trace_event *event)
{
	struct raw_data_entry *entry = (void *)iter->ent;
	int i, len = iter->ent_size - (int)offsetof(struct raw_data_entry, buf);

	trace_seq_printf(&iter->seq, "# %x buf:", entry->id);
	for (i = 0; i < len; i++)
		trace_seq_printf(&iter->seq, " %02x", (unsigned char)entry->buf[i]);
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static enum print_line_t hwlat_text(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	struct hwlat_entry *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, "#%-5u inner/outer(us): %4llu/%-5llu ts:%lld.%09ld count:%d",
			 entry->seqnum, entry->duration, entry->outer_duration, entry->tv_sec,
			 entry->tv_nsec, entry->count);
	if (entry->nmi_count && entry->nmi_total_ts)
		trace_seq_printf(s, " nmi-total:%llu", entry->nmi_total_ts);
	if (entry->nmi_count)
		trace_seq_printf(s, " nmi-count:%u", entry->nmi_count);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

static enum print_line_t hwlat_raw(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	struct hwlat_entry *entry = (void *)iter->ent;

	trace_seq_printf(&iter->seq, "%llu %lld %lld %09ld %u\n", entry->duration,
			 entry->outer_duration, entry->tv_sec, entry->tv_nsec, entry->seqnum);
	return trace_handle_return(&iter->seq);
}

/**
 * struct entry_type - a row of core/entry_list.h
 * @event: its number, and the list entry of its printers
 * @funcs: the printers; all NULL if nothing in this kernel records the type
 * @message: prints only the message; NULL if the type has none
 */
struct entry_type {
	struct trace_event		event;
	struct trace_event_functions	funcs;
	void				(*message)(struct trace_iterator *iter);
};

#define PRINTERS(...)							\
	.funcs = { __VA_ARGS__ }
#define MESSAGE_PRINTERS(message_fn, ...)				\
	.message = message_fn, PRINTERS(__VA_ARGS__)
#define NO_PRINTERS							\
	.funcs = {}
#define ENTRY_TYPE(symbol, number, name, files, entry, print, ...)	\
	[number] = {							\
		.event = { .type = number, .funcs = &entry_types[number].funcs },	\
		__VA_ARGS__						\
	},

static struct entry_type entry_types[TRACE_FIRST_EVENT_TYPE] = {
#include "../core/entry_list.h"
};

static int __init entries_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entry_types); i++)
		if (entry_types[i].funcs.trace)
			register_trace_event(&entry_types[i].event);
	return 0;
}
early_initcall(entries_init);

/**
 * trace_print_message - print only the message of an entry, as of trace_printk()
 * @iter: the iterator, with an entry loaded; prints to its seq
 *
 * Context: any, one user of @iter at a time.
 * Return: true; false if the entry's type has no message, and then nothing was printed.
 */
bool trace_print_message(struct trace_iterator *iter)
{
	unsigned int type = iter->ent->type;

	if (type >= ARRAY_SIZE(entry_types) || !entry_types[type].message)
		return false;
	entry_types[type].message(iter);
	return true;
}
