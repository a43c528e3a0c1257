// SPDX-License-Identifier: GPL-2.0
/*
 * Pieces of text for TP_printk(): __print_flags(), __print_symbolic(), __get_bitmask() and so on.
 * All pieces of a line are in one trace_seq, each with a NUL after it. A piece for which there is
 * no space left is empty.
 */
#include <linux/export.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/tracepoint-defs.h>
#include <linux/trace_seq.h>

#include "../core/tracer.h"
#include "events.h"

/* End the piece that began at @begin. */
static const char *print_piece_end(struct trace_seq *p, const char *begin)
{
	trace_seq_putc(p, '\0');
	return trace_seq_has_overflowed(p) ? "[LINE TOO BIG]" : begin;
}

/* Names of the bits in @flags, in the order of @rows, and a number for the other bits. */
#define PRINT_FLAGS(p, delim, flags, rows)					\
	({									\
		const char *__begin = trace_seq_buffer_ptr(p);			\
		bool __first = true;						\
										\
		for (; (flags) && (rows)->name; (rows)++) {			\
			if (((flags) & (rows)->mask) != (rows)->mask)		\
				continue;					\
			(flags) &= ~(rows)->mask;				\
			if (!__first && (delim))				\
				trace_seq_puts(p, delim);			\
			trace_seq_puts(p, (rows)->name);			\
			__first = false;					\
		}								\
		if (flags) {							\
			if (!__first && (delim))				\
				trace_seq_puts(p, delim);			\
			trace_seq_printf(p, "0x%llx", (u64)(flags));		\
		}								\
		print_piece_end(p, __begin);						\
	})

/* The name of the first row with @value, or a number. */
#define PRINT_SYMBOL(p, value, rows)						\
	({									\
		const char *__begin = trace_seq_buffer_ptr(p);			\
										\
		while ((rows)->name && (rows)->mask != (value))			\
			(rows)++;						\
		if ((rows)->name && *(rows)->name)				\
			trace_seq_puts(p, (rows)->name);			\
		else								\
			trace_seq_printf(p, "0x%llx", (u64)(value));		\
		print_piece_end(p, __begin);						\
	})

/**
 * trace_print_flags_seq - print the names of bits
 * @p: the text is added here
 * @delim: text between two names; may be NULL
 * @flags: the bits
 * @rows: masks and their names; the last has no name
 *
 * Context: any, one user of @p at a time; as all functions of this file.
 * Return: the text, in @p.
 */
const char *trace_print_flags_seq(struct trace_seq *p, const char *delim, unsigned long flags,
				  const struct trace_print_flags *rows)
{
	return PRINT_FLAGS(p, delim, flags, rows);
}
EXPORT_SYMBOL(trace_print_flags_seq);

/**
 * trace_print_symbols_seq - print the name of a value
 * @p: the text is added here
 * @value: the value
 * @rows: values and their names; the last has no name
 *
 * Context: any, one user of @p at a time.
 * Return: the text, in @p.
 */
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long value,
				    const struct trace_print_flags *rows)
{
	return PRINT_SYMBOL(p, value, rows);
}
EXPORT_SYMBOL(trace_print_symbols_seq);

#if BITS_PER_LONG == 32
/**
 * trace_print_flags_seq_u64 - print the names of bits of a long long
 * @p: the text is added here
 * @delim: text between two names; may be NULL
 * @flags: the bits
 * @rows: masks and their names; the last has no name
 *
 * Context: any, one user of @p at a time.
 * Return: the text, in @p.
 */
const char *trace_print_flags_seq_u64(struct trace_seq *p, const char *delim,
				      unsigned long long flags,
				      const struct trace_print_flags_u64 *rows)
{
	return PRINT_FLAGS(p, delim, flags, rows);
}
EXPORT_SYMBOL(trace_print_flags_seq_u64);

/**
 * trace_print_symbols_seq_u64 - print the name of a value of a long long
 * @p: the text is added here
 * @value: the value
 * @rows: values and their names; the last has no name
 *
 * Context: any, one user of @p at a time.
 * Return: the text, in @p.
 */
const char *trace_print_symbols_seq_u64(struct trace_seq *p, unsigned long long value,
					const struct trace_print_flags_u64 *rows)
{
	return PRINT_SYMBOL(p, value, rows);
}
EXPORT_SYMBOL(trace_print_symbols_seq_u64);
#endif

/**
 * trace_event_print_mask - print a bitmask: in hexadecimal, or with option bitmask-list as a list
 * @iter: the iterator; its instance has the options
 * @s: output
 * @mask: the bits
 * @size: bytes of the bitmask
 *
 * Context: any, one user of @s at a time.
 */
void trace_event_print_mask(const struct trace_iterator *iter, struct trace_seq *s,
			    const void *mask, unsigned int size)
{
	bool list = iter->tr && trace_option(iter->tr, TRACE_OPT_BITMASK_LIST);

	trace_seq_printf(s, list ? "%*pbl" : "%*pb", size * BITS_PER_BYTE, mask);
}

/**
 * trace_print_bitmask_seq - print a bitmask
 * @iter: gets the text as a piece of its line
 * @bitmask: the bits
 * @size: bytes of the bitmask
 *
 * Context: any, one user of @iter at a time.
 * Return: the text.
 */
const char *trace_print_bitmask_seq(struct trace_iterator *iter, void *bitmask, unsigned int size)
{
	struct trace_seq *p = &iter->tmp_seq;
	size_t part = trace_entry_part(iter, bitmask, size);
	const char *begin = trace_seq_buffer_ptr(p);

	/* Whole words are read. */
	if (part < size)
		size = round_down(part, sizeof(long));
	trace_event_print_mask(iter, p, bitmask, size);
	return print_piece_end(p, begin);
}
EXPORT_SYMBOL_GPL(trace_print_bitmask_seq);

/*
 * Data of a record begin before this offset: their own offset has 16 bits, and may count from a
 * field that is within 64 KB, too. No other array that a format prints is so close behind.
 */
#define RECORD_REACH	(2 * SZ_64K)

/**
 * trace_entry_part - how much of some data may be printed?
 * @iter: the iterator, at a record
 * @data: the data
 * @size: bytes that a print format asks for; a field of the record may have said how many
 *
 * Context: any.
 * Return: @size, or less if the record ends before; @size if the data are not in the record. A
 * record may have been cut, so what is a little behind its end counts as part of it.
 */
size_t trace_entry_part(const struct trace_iterator *iter, const void *data, size_t size)
{
	const void *ent = iter->ent, *end = ent + iter->ent_size;

	if (data < ent || data >= ent + RECORD_REACH)
		return size;
	return data < end ? min_t(size_t, size, end - data) : 0;
}
EXPORT_SYMBOL_GPL(trace_entry_part);

/**
 * trace_print_hex_seq - print bytes in hexadecimal
 * @p: the text is added here
 * @buf: the bytes
 * @len: number of bytes
 * @together: print no blanks between them
 *
 * Context: any, one user of @p at a time.
 * Return: the text, in @p.
 */
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool together)
{
	const char *begin = trace_seq_buffer_ptr(p);
	int i;

	for (i = 0; i < len && !trace_seq_has_overflowed(p); i++)
		trace_seq_printf(p, "%s%02x", i && !together ? " " : "", buf[i]);
	return print_piece_end(p, begin);
}
EXPORT_SYMBOL(trace_print_hex_seq);

static u64 array_element(const void *element, size_t size)
{
	switch (size) {
	case 1:
		return *(const u8 *)element;
	case 2:
		return *(const u16 *)element;
	case 4:
		return *(const u32 *)element;
	default:
		return *(const u64 *)element;
	}
}

/**
 * trace_print_array_seq - print an array of numbers
 * @p: the text is added here
 * @buf: the array
 * @count: number of elements
 * @size: bytes of an element: 1, 2, 4 or 8
 *
 * Context: any, one user of @p at a time.
 * Return: the text, in @p.
 */
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count, size_t size)
{
	const char *begin = trace_seq_buffer_ptr(p);
	int i;

	trace_seq_putc(p, '{');
	for (i = 0; i < count && !trace_seq_has_overflowed(p); i++)
		trace_seq_printf(p, "%s0x%llx", i ? "," : "",
				 array_element(buf + i * size, size));
	trace_seq_putc(p, '}');
	return print_piece_end(p, begin);
}
EXPORT_SYMBOL(trace_print_array_seq);

/**
 * trace_print_hex_dump_seq - print bytes in lines, as print_hex_dump() does
 * @p: the text is added here
 * @prefix: beginning of each line
 * @prefix_type: enum of <linux/printk.h>
 * @rowsize: bytes in a line
 * @groupsize: bytes in a group
 * @buf: the bytes
 * @len: number of bytes
 * @ascii: print the characters, too, at the end of a line
 *
 * Context: any, one user of @p at a time.
 * Return: the text, in @p.
 */
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix, int prefix_type,
				     int rowsize, int groupsize, const void *buf, size_t len,
				     bool ascii)
{
	const char *begin = trace_seq_buffer_ptr(p);

	trace_seq_putc(p, '\n');
	trace_seq_hex_dump(p, prefix, prefix_type, rowsize, groupsize, buf, len, ascii);
	return print_piece_end(p, begin);
}
EXPORT_SYMBOL(trace_print_hex_dump_seq);
