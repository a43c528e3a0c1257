// SPDX-License-Identifier: GPL-2.0
/*
 * The columns before an entry's text: the task, the CPU, the state of the CPU, and the time, in
 * each of the formats that the options choose.
 *
 * Most of a line consists of these columns, so text.h writes them: it is faster than printf().
 */
#include <linux/trace_events.h>

#include "../core/saved_cmdlines.h"
#include "../core/entries.h"
#include "internal.h"
#include "text.h"

/* Size of the columns in any format; the longest is verbose, with 130 characters at most. */
#define CONTEXT_MAX	192

struct delay_mark {
	u64	ns;
	char	mark;
};

static const struct delay_mark delay_marks[] = {
	{ NSEC_PER_SEC,		'$' },
	{ 100 * NSEC_PER_MSEC,	'@' },
	{ 10 * NSEC_PER_MSEC,	'*' },
	{ NSEC_PER_MSEC,	'#' },
	{ 100 * NSEC_PER_USEC,	'!' },
	{ 10 * NSEC_PER_USEC,	'+' },
};

/**
 * trace_delay_mark - get the character that marks a long duration
 * @ns: the duration, in ns
 *
 * Context: any.
 * Return: the character; a blank if the duration is short.
 */
char trace_delay_mark(u64 ns)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(delay_marks); i++) {
		if (ns > delay_marks[i].ns)
			return delay_marks[i].mark;
	}
	return ' ';
}

/* Choose from four characters: neither flag is set, @first, @second, both. */
static char text_either(unsigned int flags, unsigned int first, unsigned int second,
			const char *chars)
{
	return chars[(flags & first ? 1 : 0) + (flags & second ? 2 : 0)];
}

/**
 * text_state - write the five characters of the state column, which the header explains
 * @p: where to write, with space for five characters
 * @entry: the entry, which holds the state
 *
 * Context: any.
 * Return: the end of the text.
 */
char *text_state(char *p, const struct trace_entry *entry)
{
	unsigned int flags = entry->flags;
	unsigned int depth = entry->preempt_count & 0xf;
	unsigned int migrate = entry->preempt_count >> 4;

	*p++ = text_either(flags, TRACE_FLAG_IRQS_OFF, TRACE_FLAG_BH_OFF, ".dbD");
	*p++ = text_either(flags, TRACE_FLAG_NEED_RESCHED, TRACE_FLAG_PREEMPT_RESCHED, ".npN");
	if (flags & TRACE_FLAG_NMI)
		*p++ = flags & TRACE_FLAG_HARDIRQ ? 'Z' : 'z';
	else
		*p++ = text_either(flags, TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ, ".hsH");
	*p++ = depth ? hex_asc[depth] : '.';
	*p++ = migrate ? hex_asc[migrate] : '.';
	return p;
}

/* The name of the entry's task, cut to @width and right-aligned. */
static char *text_comm(char *p, struct trace_iterator *iter, int width)
{
	struct trace_merge *merge = iter->merge;
	int i, len;

	if (merge->comm_pid != iter->ent->pid) {
		trace_find_comm(iter->ent->pid, merge->comm);
		merge->comm_pid = iter->ent->pid;
	}
	len = strnlen(merge->comm, min(width, TRACE_COMM_LEN));
	p = text_fill(p, ' ', width - len);
	for (i = 0; i < len; i++)
		*p++ = merge->comm[i];
	return p;
}

static char *text_pid(char *p, int pid, int width)
{
	if (pid >= 0)
		return text_decimal_left(p, pid, width);
	*p++ = '-';
	return text_decimal_left(p, -(s64)pid, width - 1);
}

/* A time in the unit of the clock: us with six decimals for ns clocks. At most 27 characters. */
static char *text_timestamp(char *p, struct trace_iterator *iter, u64 ts)
{
	u64 us;

	if (!(iter->iter_flags & TRACE_FILE_TIME_IN_NS))
		return text_decimal(p, ts, 12, ' ');

	us = ns_to_us(ts);
	p = text_decimal(p, us / USEC_PER_SEC, 5, ' ');
	*p++ = '.';
	return text_decimal(p, us % USEC_PER_SEC, 6, '0');
}

/**
 * trace_print_time - print a time in the format of the time column
 * @s: output
 * @iter: the iterator, which knows the unit of its clock
 * @ts: the time
 *
 * Context: any, one user of @s at a time.
 */
void trace_print_time(struct trace_seq *s, struct trace_iterator *iter, u64 ts)
{
	char *p = text_start(s, CONTEXT_MAX);

	if (p)
		text_finish(s, text_timestamp(p, iter, ts));
}

static char *text_tgid(char *p, int pid)
{
	int tgid = trace_find_tgid(pid);

	*p++ = '(';
	if (tgid)
		p = text_decimal(p, tgid, 7, ' ');
	else
		p = text_fill(p, '-', 7);
	*p++ = ')';
	*p++ = ' ';
	return p;
}

/**
 * print_context - print the columns before an entry's text
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: options of the instance: BIT() of enum trace_option_number
 *
 * "            bash-1234    [001] d..1.   123.456789: "
 *
 * Context: any, one user of @iter at a time.
 */
void print_context(struct trace_iterator *iter, int flags)
{
	struct trace_entry *entry = iter->ent;
	struct trace_seq *s = &iter->seq;
	char *p = text_start(s, CONTEXT_MAX);

	if (!p)
		return;
	p = text_comm(p, iter, 16);
	*p++ = '-';
	p = text_pid(p, entry->pid, 7);
	*p++ = ' ';
	if (FLAG(flags, RECORD_TGID))
		p = text_tgid(p, entry->pid);
	*p++ = '[';
	p = text_decimal(p, iter->cpu, 3, '0');
	*p++ = ']';
	*p++ = ' ';
	if (FLAG(flags, IRQ_INFO))
		p = text_state(p, entry);
	*p++ = ' ';
	p = text_timestamp(p, iter, iter->ts);
	*p++ = ':';
	*p++ = ' ';
	text_finish(s, p);
}

/* "    bash-1234      1d..1. 1234us+: ": time since the begin; mark of the time to the next */
static char *text_latency(char *p, struct trace_iterator *iter, u64 since, u64 until)
{
	struct trace_entry *entry = iter->ent;

	p = text_comm(p, iter, 8);
	*p++ = '-';
	p = text_pid(p, entry->pid, 7);
	*p++ = ' ';
	p = text_decimal(p, iter->cpu, 3, ' ');
	p = text_state(p, entry);
	*p++ = ' ';
	if (!(iter->iter_flags & TRACE_FILE_TIME_IN_NS))
		return text_decimal(p, since, 4, ' ');
	p = text_decimal(p, ns_to_us(since), 4, ' ');
	*p++ = 'u';
	*p++ = 's';
	*p++ = trace_delay_mark(until);
	return p;
}

/* "12.345ms" */
static char *text_milliseconds(char *p, u64 ns)
{
	u64 us = ns_to_us(ns);

	p = text_decimal(p, us / 1000, 0, ' ');
	*p++ = '.';
	p = text_decimal(p, us % 1000, 3, '0');
	*p++ = 'm';
	*p++ = 's';
	return p;
}

static char *text_verbose_time(char *p, struct trace_iterator *iter, u64 since, u64 until)
{
	bool in_ns = iter->iter_flags & TRACE_FILE_TIME_IN_NS;

	*p++ = '[';
	p = in_ns ? text_hex(p, ns_to_us(iter->ts), 8) : text_hex(p, iter->ts, 16);
	*p++ = ']';
	*p++ = ' ';
	p = in_ns ? text_milliseconds(p, since) : text_decimal(p, since, 0, ' ');
	*p++ = ' ';
	*p++ = '(';
	*p++ = '+';
	p = in_ns ? text_milliseconds(p, until) : text_decimal(p, until, 0, ' ');
	*p++ = ')';
	return p;
}

/* "            bash    1234   1 1 00000001 0000002a [0003e8fa] 1.234ms (+0.001ms): " */
static char *text_verbose(char *p, struct trace_iterator *iter, u64 since, u64 until)
{
	struct trace_entry *entry = iter->ent;

	p = text_comm(p, iter, 16);
	*p++ = ' ';
	p = text_decimal(p, entry->pid, 7, ' ');
	*p++ = ' ';
	p = text_decimal(p, iter->cpu, 3, ' ');
	*p++ = ' ';
	p = text_decimal(p, entry->flags, 0, ' ');
	*p++ = ' ';
	p = text_hex(p, entry->preempt_count, 8);
	*p++ = ' ';
	p = text_hex(p, iter->idx, 8);
	*p++ = ' ';
	return text_verbose_time(p, iter, since, until);
}

/**
 * print_context_latency - print the columns of latency format
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: options, as for print_context()
 *
 * This looks at the next entry, and may replace iter->ent by a copy of the entry.
 *
 * Context: any, one user of @iter at a time.
 */
void print_context_latency(struct trace_iterator *iter, int flags)
{
	/* First, as this may replace iter->ent by a copy. */
	u64 next = trace_iter_next_ts(iter);
	u64 since = iter->ts - trace_iter_start(iter);
	u64 until = next - iter->ts;
	char *p = text_start(&iter->seq, CONTEXT_MAX);

	if (!p)
		return;
	if (FLAG(flags, VERBOSE))
		p = text_verbose(p, iter, since, until);
	else
		p = text_latency(p, iter, since, until);
	*p++ = ':';
	*p++ = ' ';
	text_finish(&iter->seq, p);
}

/**
 * print_context_raw - print pid, CPU and time as decimal numbers
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: unused
 *
 * "1234 1 123456789 "
 *
 * Context: any, one user of @iter at a time.
 */
void print_context_raw(struct trace_iterator *iter, int flags)
{
	char *p = text_start(&iter->seq, CONTEXT_MAX);

	if (!p)
		return;
	p = text_pid(p, iter->ent->pid, 0);
	*p++ = ' ';
	p = text_decimal(p, iter->cpu, 0, ' ');
	*p++ = ' ';
	p = text_decimal(p, iter->ts, 0, ' ');
	*p++ = ' ';
	text_finish(&iter->seq, p);
}

/**
 * print_context_hex - print pid, CPU and time as hexadecimal numbers
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: unused
 *
 * Context: any, one user of @iter at a time.
 */
void print_context_hex(struct trace_iterator *iter, int flags)
{
	char *p = text_start(&iter->seq, CONTEXT_MAX);

	if (!p)
		return;
	p = text_hex(p, (u32)iter->ent->pid, 8);
	*p++ = ' ';
	p = text_hex(p, iter->cpu, 8);
	*p++ = ' ';
	p = text_hex(p, iter->ts, 16);
	*p++ = ' ';
	text_finish(&iter->seq, p);
}

/**
 * print_context_bin - copy pid, CPU and time in binary
 * @iter: the iterator, with an entry loaded; prints to its seq
 * @flags: unused
 *
 * Context: any, one user of @iter at a time.
 */
void print_context_bin(struct trace_iterator *iter, int flags)
{
	trace_seq_putmem(&iter->seq, &iter->ent->pid, sizeof(iter->ent->pid));
	trace_seq_putmem(&iter->seq, &iter->cpu, sizeof(iter->cpu));
	trace_seq_putmem(&iter->seq, &iter->ts, sizeof(iter->ts));
}
