// SPDX-License-Identifier: GPL-2.0
/*
 * struct trace_seq on top of struct seq_buf.
 *
 * A trace_seq holds each piece either as a whole or not at all: add_piece() has seq_buf add the
 * piece, and removes it if it ran over the end. In this case seq_buf has set a length greater than
 * its size.
 */
#include <linux/export.h>
#include <linux/seq_file.h>
#include <linux/trace_seq.h>

/* Return the length to go back to; -1 if the string is full. */
static int piece_begin(struct trace_seq *s)
{
	if (unlikely(!s->seq.size))
		trace_seq_init(s);
	return s->full ? -1 : s->seq.len;
}

static bool piece_end(struct trace_seq *s, int len)
{
	if (likely(!seq_buf_has_overflowed(&s->seq)))
		return true;
	s->seq.len = len;
	s->full = 1;
	return false;
}

/* Add the piece that @print adds to the seq_buf. The value is true if it is there as a whole. */
#define add_piece(s, print) ({					\
	struct trace_seq *piece_of = (s);			\
	int len_before = piece_begin(piece_of);			\
								\
	if (len_before >= 0)					\
		(print);					\
	len_before >= 0 && piece_end(piece_of, len_before);	\
})

/**
 * trace_seq_vprintf - add formatted text
 * @s: the string
 * @fmt: the format
 * @args: its arguments
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_vprintf(struct trace_seq *s, const char *fmt, va_list args)
{
	add_piece(s, seq_buf_vprintf(&s->seq, fmt, args));
}
EXPORT_SYMBOL_GPL(trace_seq_vprintf);

/**
 * trace_seq_printf - add formatted text
 * @s: the string
 * @fmt: the format, with its arguments
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_seq_vprintf(s, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(trace_seq_printf);

/**
 * trace_seq_bprintf - add text whose arguments were stored in binary
 * @s: the string
 * @fmt: the format
 * @binary: its arguments, as vbin_printf() stored them
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary)
{
	add_piece(s, seq_buf_bprintf(&s->seq, fmt, binary));
}
EXPORT_SYMBOL_GPL(trace_seq_bprintf);

/**
 * trace_seq_putc - add one character
 * @s: the string
 * @c: the character
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_putc(struct trace_seq *s, unsigned char c)
{
	add_piece(s, seq_buf_putc(&s->seq, c));
}
EXPORT_SYMBOL_GPL(trace_seq_putc);

/**
 * trace_seq_putmem - add bytes as they are
 * @s: the string
 * @mem: the bytes
 * @size: number of bytes
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int size)
{
	add_piece(s, seq_buf_putmem(&s->seq, mem, size));
}
EXPORT_SYMBOL_GPL(trace_seq_putmem);

/**
 * trace_seq_puts - add text
 * @s: the string
 * @str: the text
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_puts(struct trace_seq *s, const char *str)
{
	trace_seq_putmem(s, str, strlen(str));
}
EXPORT_SYMBOL_GPL(trace_seq_puts);

/**
 * trace_seq_putmem_hex - add bytes as hexadecimal numbers
 * @s: the string
 * @mem: the bytes
 * @size: number of bytes; each eight make one number, the most significant byte first
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_putmem_hex(struct trace_seq *s, const void *mem, unsigned int size)
{
	add_piece(s, seq_buf_putmem_hex(&s->seq, mem, size));
}
EXPORT_SYMBOL_GPL(trace_seq_putmem_hex);

/**
 * trace_seq_bitmask - add a bitmap in hexadecimal
 * @s: the string
 * @maskp: the bitmap
 * @nmaskbits: number of bits in it
 *
 * Context: any, one user of @s at a time.
 */
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits)
{
	trace_seq_printf(s, "%*pb", nmaskbits, maskp);
}
EXPORT_SYMBOL_GPL(trace_seq_bitmask);

/**
 * trace_seq_path - add the path of a file
 * @s: the string
 * @path: path of the file; a new line in it is escaped
 *
 * Context: process context, one user of @s at a time.
 * Return: 1, or 0 if it did not fit.
 */
int trace_seq_path(struct trace_seq *s, const struct path *path)
{
	return add_piece(s, seq_buf_path(&s->seq, path, "\n"));
}
EXPORT_SYMBOL_GPL(trace_seq_path);

/**
 * trace_seq_hex_dump - add a dump of bytes, formatted as by print_hex_dump()
 * @s: the string
 * @prefix_str: text that each line begins with
 * @prefix_type: kind of number after that text; a DUMP_PREFIX_ constant of <linux/printk.h>
 * @rowsize: bytes in a line: 16 or 32
 * @groupsize: bytes in a group
 * @buf: the bytes
 * @size: number of bytes
 * @ascii: true: also add them as characters
 *
 * Context: any, one user of @s at a time.
 * Return: 1, or 0 if it did not fit as a whole.
 */
int trace_seq_hex_dump(struct trace_seq *s, const char *prefix_str, int prefix_type,
		       int rowsize, int groupsize, const void *buf, size_t size,
		       bool ascii)
{
	return add_piece(s, seq_buf_hex_dump(&s->seq, prefix_str, prefix_type, rowsize, groupsize,
					     buf, size, ascii));
}
EXPORT_SYMBOL_GPL(trace_seq_hex_dump);

/**
 * trace_seq_acquire - add bytes that the caller will fill in
 * @s: the string
 * @size: number of bytes
 *
 * Context: any, one user of @s at a time.
 * Return: the first of the bytes; NULL if they did not fit.
 */
void *trace_seq_acquire(struct trace_seq *s, unsigned int size)
{
	char *piece;

	if (piece_begin(s) < 0)
		return NULL;
	if (size > seq_buf_buffer_left(&s->seq)) {
		s->full = 1;
		return NULL;
	}
	piece = s->seq.buffer + s->seq.len;
	seq_buf_commit(&s->seq, size);
	return piece;
}
EXPORT_SYMBOL_GPL(trace_seq_acquire);

/**
 * trace_seq_to_user - copy the part of the string that was not delivered yet
 * @s: the string
 * @ubuf: the user's buffer
 * @cnt: its size in bytes
 *
 * Context: may sleep.
 * Return: number of characters copied; -EBUSY if all had been delivered; -EFAULT if none could be
 * copied.
 */
int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt)
{
	int copied;

	if (unlikely(!s->seq.size))
		trace_seq_init(s);
	copied = seq_buf_to_user(&s->seq, ubuf, s->readpos, cnt);
	if (copied > 0)
		s->readpos += copied;
	return copied;
}
EXPORT_SYMBOL_GPL(trace_seq_to_user);

/**
 * trace_print_seq - move the string to a seq_file
 * @m: the seq_file
 * @s: the string; empty after this, or unchanged on error
 *
 * Context: any, one user of @m and of @s at a time.
 * Return: 0; or an error of seq_write() if the string does not fit into @m. The seq_file code
 * then calls its show() again with a larger buffer.
 */
int trace_print_seq(struct seq_file *m, struct trace_seq *s)
{
	int err = seq_buf_print_seq(m, &s->seq);

	if (!err)
		trace_seq_init(s);
	return err;
}
