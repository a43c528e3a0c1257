/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of a trace: their header, and how they are printed.
 */
#ifndef _LINUX_TRACE_ENTRY_H
#define _LINUX_TRACE_ENTRY_H

#include <linux/bits.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

struct array_buffer;
struct trace_array;
struct trace_event;
struct trace_merge;
struct trace_print_flags;
struct trace_print_flags_u64;
struct tracer;

/**
 * struct trace_entry - the beginning of each entry; user space reads it, too
 * @type: number of the struct trace_event
 * @flags: state of interrupts and scheduling
 * @preempt_count: depth of preempt_disable(), and above it of migrate_disable()
 * @pid: of the task
 */
struct trace_entry {
	unsigned short	type;
	unsigned char	flags;
	unsigned char	preempt_count;
	int		pid;
};

/**
 * enum print_line_t - result of printing a line
 * @TRACE_TYPE_PARTIAL_LINE: it did not fit: print it again into an empty string
 * @TRACE_TYPE_HANDLED: it was printed
 * @TRACE_TYPE_UNHANDLED: another printer has to print it
 * @TRACE_TYPE_NO_CONSUME: it was printed, but its entry must stay in the buffer
 */
enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE	= 0,
	TRACE_TYPE_HANDLED	= 1,
	TRACE_TYPE_UNHANDLED	= 2,
	TRACE_TYPE_NO_CONSUME	= 3,
};

/* Bits of struct trace_iterator.iter_flags */
enum trace_file_flags {
	TRACE_FILE_LAT_FMT	= BIT(0),	/* latency format */
	TRACE_FILE_ANNOTATE	= BIT(1),	/* say where a CPU's entries begin */
	TRACE_FILE_TIME_IN_NS	= BIT(2),	/* the clock counts nanoseconds */
};

/**
 * struct trace_iterator - a reader of a trace, at one entry
 * @tr: the instance
 * @trace: its tracer when the reader began
 * @private: data of the tracer
 * @array_buffer: the buffer of the instance that is read: its own, or the snapshot
 * @cpu_file: the one CPU that is read, or RING_BUFFER_ALL_CPUS
 * @iter_flags: enum trace_file_flags
 * @merge: for kernel/trace/output/ only; NULL if there is only this entry
 * @ent: the entry
 * @lost_events: number of entries lost right before it
 * @ent_size: size of the entry in bytes: printers read no further
 * @cpu: CPU that recorded it
 * @ts: time of the entry
 * @idx: number of entries before it
 * @seq: the text that the printers make
 * @tmp_seq: pieces of the line, for printers of trace events
 *
 * To print an entry, an iterator is enough that is all zero except for @ent.
 */
struct trace_iterator {
	struct trace_array	*tr;
	struct tracer		*trace;
	void			*private;
	struct array_buffer	*array_buffer;
	int			cpu_file;
	unsigned long		iter_flags;
	struct trace_merge	*merge;

	struct trace_entry	*ent;
	unsigned long		lost_events;
	int			ent_size;
	int			cpu;
	u64			ts;
	long			idx;

	struct trace_seq	seq;
	struct trace_seq	tmp_seq;
};

/**
 * typedef trace_print_func - print an entry
 * @iter: has the entry, @iter->ent, and gets the text
 * @flags: options of the instance
 * @event: type of the entry
 *
 * It must not register or unregister printers.
 *
 * Context: any: ftrace_dump() prints from an oops.
 * Return: TRACE_TYPE_HANDLED, or another value of enum print_line_t.
 */
typedef enum print_line_t (*trace_print_func)(struct trace_iterator *iter, int flags,
					      struct trace_event *event);

/**
 * struct trace_event_functions - functions that print an entry in different forms
 * @trace: text
 * @raw: numbers
 * @hex: bytes in hexadecimal
 * @binary: bytes
 * @fields: each field with its name, for the option "fields"
 *
 * register_trace_event() replaces NULL by a function that prints entries of any type.
 */
struct trace_event_functions {
	trace_print_func	trace;
	trace_print_func	raw;
	trace_print_func	hex;
	trace_print_func	binary;
	trace_print_func	fields;
};

/**
 * struct trace_event - a type of entries
 * @type: the number that entries carry, up to 65535; 0: register_trace_event() gives it one
 * @funcs: how to print them
 */
struct trace_event {
	int				type;
	struct trace_event_functions	*funcs;
};

int register_trace_event(struct trace_event *event);
int unregister_trace_event(struct trace_event *event);

/**
 * trace_handle_return - get the return value of a printer
 * @s: the string that it printed to
 *
 * Context: any.
 * Return: TRACE_TYPE_PARTIAL_LINE if @s has overflowed; otherwise TRACE_TYPE_HANDLED.
 */
static inline enum print_line_t trace_handle_return(struct trace_seq *s)
{
	return trace_seq_has_overflowed(s) ? TRACE_TYPE_PARTIAL_LINE : TRACE_TYPE_HANDLED;
}

/* Printers write the beginning of a line, and its text, by these. */
bool trace_raw_output_prep(struct trace_iterator *iter, struct trace_event *event,
			   unsigned int size);
__printf(2, 3) void trace_event_printf(struct trace_iterator *iter, const char *fmt, ...);
__printf(3, 4) enum print_line_t trace_output_call(struct trace_iterator *iter, const char *name,
						   const char *fmt, ...);

/* Printers make pieces of a line by these: they append to @p, and return the piece's address. */
const char *trace_print_flags_seq(struct trace_seq *p, const char *delim, unsigned long flags,
				  const struct trace_print_flags *rows);
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long value,
				    const struct trace_print_flags *rows);
#if BITS_PER_LONG == 32
const char *trace_print_flags_seq_u64(struct trace_seq *p, const char *delim,
				      unsigned long long flags,
				      const struct trace_print_flags_u64 *rows);
const char *trace_print_symbols_seq_u64(struct trace_seq *p, unsigned long long value,
					const struct trace_print_flags_u64 *rows);
#endif
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool together);
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count, size_t size);
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix, int prefix_type,
				     int rowsize, int groupsize, const void *buf, size_t len,
				     bool ascii);

/* The same, for pieces of @iter's line, with the options of its instance. */
const char *trace_print_bitmask_seq(struct trace_iterator *iter, void *bitmask,
				    unsigned int size);

/* Return how many of @size bytes of data a printer may print. */
size_t trace_entry_part(const struct trace_iterator *iter, const void *data, size_t size);

#endif /* _LINUX_TRACE_ENTRY_H */
