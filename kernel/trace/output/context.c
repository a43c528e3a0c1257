// SPDX-License-Identifier: GPL-2.0
/*
 * The columns before an entry's text: which task, where, in what state of the
 * machine, and when; in each of the forms that the options choose.
 *
 * This is the greater part of most lines, so it is written with text.h.
 */
#include <linux/trace_events.h>

#include "../core/saved_cmdlines.h"
#include "../core/entries.h"
#include "internal.h"
#include "text.h"

/* Room for any of the forms; the longest is verbose, with 130 at most. */
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
 * trace_delay_mark - the character that makes long durations stand out
 * @ns: the duration
 *
 * Context: any.
 * Return: that, or a blank if the duration is short.
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

/* One of four characters: for none, for @first, for @second, for both of them. */
static char text_either(unsigned int flags, unsigned int first, unsigned int second,
			const char *chars)
{
	return chars[(flags & first ? 1 : 0) + (flags & second ? 2 : 0)];
}

/**
 * text_state - write the state of the machine as the header's picture explains it
 * @p: where to
 * @entry: what was recorded in that state
 *
 * Context: any. There is room for the five characters.
 * Return: behind the five characters.
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

/* A time as the clock's unit suggests, in 27 characters at most. */
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
 * trace_print_time - print a time as it stands at the beginning of lines
 * @s: where to
 * @iter: tells the unit of its clock
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
 * @iter: where to, with an entry loaded
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

/* "    bash-1234      1d..1. 1234us+: ": since the buffer began, and until the next */
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
 * @iter: where to, with an entry loaded
 * @flags: as for print_context()
 *
 * Looks ahead, so that iter->ent may be another copy of the entry afterwards.
 *
 * Context: any, one user of @iter at a time.
 */
void print_context_latency(struct trace_iterator *iter, int flags)
{
	/* May replace iter->ent by a copy: ask first. */
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
 * @iter: where to, with an entry loaded
 * @flags: not looked at
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
 * @iter: where to, with an entry loaded
 * @flags: not looked at
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
 * print_context_bin - put pid, CPU and time as they are in memory
 * @iter: where to, with an entry loaded
 * @flags: not looked at
 *
 * Context: any, one user of @iter at a time.
 */
void print_context_bin(struct trace_iterator *iter, int flags)
{
	trace_seq_putmem(&iter->seq, &iter->ent->pid, sizeof(iter->ent->pid));
	trace_seq_putmem(&iter->seq, &iter->cpu, sizeof(iter->cpu));
	trace_seq_putmem(&iter->seq, &iter->ts, sizeof(iter->ts));
}
