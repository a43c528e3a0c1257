/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing text directly into a trace_seq.
 *
 * Most columns of a trace are short and of fixed width. vsnprintf() takes several hundred
 * instructions for each column, these helpers take about ten for a digit. text_start() checks the
 * space once, each helper advances a char pointer, and text_finish() stores the length:
 *
 *	p = text_start(s, ENOUGH_FOR_THE_COLUMNS);
 *	if (!p)
 *		return;
 *	p = text_decimal(p, cpu, 3, '0');
 *	*p++ = ' ';
 *	text_finish(s, p);
 */
#ifndef _TRACE_OUTPUT_TEXT_H
#define _TRACE_OUTPUT_TEXT_H

#include <linux/hex.h>
#include <linux/math.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#define TEXT_DECIMAL_MAX	20	/* digits of U64_MAX */

/**
 * text_start - begin to write into a sequence
 * @s: the sequence
 * @room: number of bytes that the caller may write
 *
 * Context: any, one user of @s at a time.
 * Return: where to write; NULL if less than @room bytes are left, and then @s is marked full.
 */
static inline char *text_start(struct trace_seq *s, size_t room)
{
	if (s->full || seq_buf_buffer_left(&s->seq) < room) {
		s->full = 1;
		return NULL;
	}
	return s->seq.buffer + s->seq.len;
}

/**
 * text_finish - make the text that was written since text_start() part of the sequence
 * @s: the sequence
 * @end: end of the text, after its last byte
 *
 * Context: any, one user of @s at a time.
 */
static inline void text_finish(struct trace_seq *s, char *end)
{
	s->seq.len = end - s->seq.buffer;
}

/* Convert to microseconds, rounded to the nearest. */
static inline u64 ns_to_us(u64 ns)
{
	return (ns + 500) / 1000;
}

/*
 * Copy a short string of known length. The text may begin at any address. On CPUs that need
 * aligned accesses, memcpy() would copy it byte by byte, too, and take twice as long.
 */
static inline char *text_bytes(char *p, const char *text, size_t len)
{
	if (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS)) {
		memcpy(p, text, len);
		return p + len;
	}
	for (; len >= 4; len -= 4, p += 4, text += 4) {
		p[0] = text[0];
		p[1] = text[1];
		p[2] = text[2];
		p[3] = text[3];
	}
	while (len--)
		*p++ = *text++;
	return p;
}

/* Print bytes to @s, if there is room for all of them. */
static __always_inline void text_put(struct trace_seq *s, const char *text, size_t len)
{
	char *p = text_start(s, len);

	if (p)
		text_finish(s, text_bytes(p, text, len));
}

/* Write the character @c @n times. */
static inline char *text_fill(char *p, char c, int n)
{
	while (n-- > 0)
		*p++ = c;
	return p;
}

/* Number of decimal digits of @num. */
static inline unsigned int text_digits(u64 num)
{
	u64 bound = 10;
	unsigned int len = 1;

	while (num >= bound && len < TEXT_DECIMAL_MAX) {
		len++;
		/* @bound overflows after the last digit; the loop ends then. */
		bound *= 10;
	}
	return len;
}

/* Write @num right-aligned in at least @width columns, filled up with @pad. */
static inline char *text_decimal(char *p, u64 num, unsigned int width, char pad)
{
	unsigned int len = text_digits(num);
	char *end;

	p = text_fill(p, pad, (int)width - (int)len);
	end = p + len;
	for (p = end; len; len--) {
		*--p = '0' + num % 10;
		num /= 10;
	}
	return end;
}

/* Write @num left-aligned in at least @width columns. */
static inline char *text_decimal_left(char *p, u64 num, unsigned int width)
{
	char *end = text_decimal(p, num, 0, ' ');

	return text_fill(end, ' ', (int)width - (int)(end - p));
}

/* Write @num in lower-case hexadecimal, with at least @width digits. */
static inline char *text_hex(char *p, u64 num, unsigned int width)
{
	unsigned int len = num ? DIV_ROUND_UP(fls64(num), 4) : 1;

	p = text_fill(p, '0', (int)width - (int)len);
	for (; len; len--)
		*p++ = hex_asc[(num >> (4 * (len - 1))) & 0xf];
	return p;
}

#endif /* _TRACE_OUTPUT_TEXT_H */
