/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A string of fixed size, to which the printers of trace entries add piece by piece.
 *
 * If a piece does not fit, nothing of it is added, full is set, and no later piece is added. So a
 * printer need not check each result: a caller that wants the whole line asks
 * trace_seq_has_overflowed() at its end, and starts again with an empty string. A string that is
 * all zero is empty, too. seq_buf_str(&s->seq) is the string with a NUL at its end.
 *
 * There is no lock; the owner of the string excludes other users. Only trace_seq_to_user() and
 * trace_print_seq() may sleep.
 */
#ifndef _LINUX_TRACE_SEQ_H
#define _LINUX_TRACE_SEQ_H

#include <linux/seq_buf.h>
#include <linux/stdarg.h>

#include <asm/page.h>

struct path;

/* A struct trace_seq takes two pages of 4 KB. */
#define TRACE_SEQ_SIZE		8192
#define TRACE_SEQ_BUFFER_SIZE \
	(TRACE_SEQ_SIZE - sizeof(struct seq_buf) - 2 * sizeof(size_t))

/**
 * struct trace_seq - a string of fixed size
 * @buffer: the characters, not terminated
 * @seq: the seq_buf of @buffer, which counts the characters
 * @readpos: number of characters that trace_seq_to_user() has delivered
 * @full: a piece did not fit
 */
struct trace_seq {
	char		buffer[TRACE_SEQ_BUFFER_SIZE];
	struct seq_buf	seq;
	size_t		readpos;
	int		full;
};

/**
 * trace_seq_init - make a string empty, also before its first use
 * @s: the string
 *
 * Context: any, one user of @s at a time.
 */
static inline void trace_seq_init(struct trace_seq *s)
{
	seq_buf_init(&s->seq, s->buffer, TRACE_SEQ_BUFFER_SIZE);
	s->readpos = 0;
	s->full = 0;
}

/**
 * trace_seq_used - the length of a string
 * @s: the string
 *
 * Context: any, one user of @s at a time.
 * Return: number of characters.
 */
static inline int trace_seq_used(struct trace_seq *s)
{
	return seq_buf_used(&s->seq);
}

/**
 * trace_seq_buffer_ptr - the place of the next piece
 * @s: the string
 *
 * A helper that TP_printk() calls gets this pointer before it adds its piece and a '\0', and
 * returns it for a "%s".
 *
 * Context: any, one user of @s at a time.
 * Return: where the next piece will begin.
 */
static inline char *trace_seq_buffer_ptr(struct trace_seq *s)
{
	return s->buffer + trace_seq_used(s);
}

/**
 * trace_seq_has_overflowed - was a piece left out?
 * @s: the string
 *
 * Context: any, one user of @s at a time.
 * Return: true if a piece did not fit.
 */
static inline bool trace_seq_has_overflowed(struct trace_seq *s)
{
	return s->full || seq_buf_has_overflowed(&s->seq);
}

#ifdef CONFIG_TRACING

__printf(2, 3) void trace_seq_printf(struct trace_seq *s, const char *fmt, ...);
__printf(2, 0) void trace_seq_vprintf(struct trace_seq *s, const char *fmt, va_list args);
__printf(2, 0) void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary);
void trace_seq_putc(struct trace_seq *s, unsigned char c);
void trace_seq_puts(struct trace_seq *s, const char *str);
void trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int len);
void trace_seq_putmem_hex(struct trace_seq *s, const void *mem, unsigned int len);
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits);
int trace_seq_path(struct trace_seq *s, const struct path *path);
int trace_seq_hex_dump(struct trace_seq *s, const char *prefix_str, int prefix_type,
		       int rowsize, int groupsize, const void *buf, size_t len, bool ascii);
void *trace_seq_acquire(struct trace_seq *s, unsigned int len);
int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt);
int trace_print_seq(struct seq_file *m, struct trace_seq *s);

#else /* !CONFIG_TRACING: nobody prints entries, helpers of their printers compile */

static inline __printf(2, 3)
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...) { }

static inline __printf(2, 0)
void trace_seq_vprintf(struct trace_seq *s, const char *fmt, va_list args) { }

static inline __printf(2, 0)
void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary) { }

static inline void trace_seq_putc(struct trace_seq *s, unsigned char c) { }
static inline void trace_seq_puts(struct trace_seq *s, const char *str) { }

static inline void
trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int len) { }

static inline void
trace_seq_putmem_hex(struct trace_seq *s, const void *mem, unsigned int len) { }

static inline void
trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp, int nmaskbits) { }

static inline int trace_seq_path(struct trace_seq *s, const struct path *path)
{
	return 0;
}

static inline int
trace_seq_hex_dump(struct trace_seq *s, const char *prefix_str, int prefix_type,
		   int rowsize, int groupsize, const void *buf, size_t len, bool ascii)
{
	return 0;
}

static inline void *trace_seq_acquire(struct trace_seq *s, unsigned int len)
{
	return NULL;
}

static inline int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt)
{
	return 0;
}

static inline int trace_print_seq(struct seq_file *m, struct trace_seq *s)
{
	return 0;
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_SEQ_H */
