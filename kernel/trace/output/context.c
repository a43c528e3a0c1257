// SPDX-License-Identifier: GPL-2.0
/*
 * The columns before an entry's text: the task, the CPU, the state of the CPU, and the time, in
 * each of the formats that the options choose.
 *
 * Most of a line consists of these columns, so text.h writes those of the usual formats: it is
 * faster than printf().
 */
#include <linux/trace_events.h>

#include "../core/saved_cmdlines.h"
#include "../core/entries.h"
#include "internal.h"
#include "text.h"

/* Size of the columns that are written with text.h: they have 90 characters at most. */
#define CONTEXT_MAX	96

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

/* The name of the entry's task. */
static const char *iter_comm(struct trace_iterator *iter)
{
	struct trace_merge *merge = iter->merge;

	if (merge->comm_pid != iter->ent->pid) {
		trace_find_comm(iter->ent->pid, merge->comm);
		merge->comm_pid = iter->ent->pid;
	}
	return merge->comm;
}

/* The name of the entry's task, cut to @width and right-aligned. */
static char *text_comm(char *p, struct trace_iterator *iter, int width)
{
	const char *comm = iter_comm(iter);
	int len = strnlen(comm, min(width, TRACE_COMM_LEN));

	return text_bytes(text_fill(p, ' ', width - len), comm, len);
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
	return text_bytes(p, ") ", 2);
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
	p = text_bytes(p, "] ", 2);
	if (FLAG(flags, IRQ_INFO))
		p = text_state(p, entry);
	*p++ = ' ';
	p = text_timestamp(p, iter, iter->ts);
	text_finish(s, text_bytes(p, ": ", 2));
}

/* "    bash-1234      1d..1. 1234us+: ": time since the begin; mark of the time to the next */
static void print_short(struct trace_iterator *iter, u64 since, u64 until)
{
	struct trace_entry *entry = iter->ent;
	char *p = text_start(&iter->seq, CONTEXT_MAX);

	if (!p)
		return;
	p = text_comm(p, iter, 8);
	*p++ = '-';
	p = text_pid(p, entry->pid, 7);
	*p++ = ' ';
	p = text_decimal(p, iter->cpu, 3, ' ');
	p = text_state(p, entry);
	*p++ = ' ';
	if (iter->iter_flags & TRACE_FILE_TIME_IN_NS) {
		p = text_decimal(p, ns_to_us(since), 4, ' ');
		p = text_bytes(p, "us", 2);
		*p++ = trace_delay_mark(until);
	} else {
		p = text_decimal(p, since, 4, ' ');
	}
	text_finish(&iter->seq, text_bytes(p, ": ", 2));
}

/* "            bash    1234   1 1 00000001 0000002a [0003e8fa] 1.234ms (+0.001ms): " */
static void print_verbose(struct trace_iterator *iter, u64 since, u64 until)
{
	const struct trace_entry *entry = iter->ent;

	trace_seq_printf(&iter->seq, "%16s %7d %3d %d %08x %08lx ", iter_comm(iter), entry->pid,
			 iter->cpu, entry->flags, entry->preempt_count, iter->idx);
	if (iter->iter_flags & TRACE_FILE_TIME_IN_NS) {
		since = ns_to_us(since);
		until = ns_to_us(until);
		trace_seq_printf(&iter->seq, "[%08llx] %llu.%03llums (+%llu.%03llums): ",
				 ns_to_us(iter->ts), since / 1000, since % 1000, until / 1000,
				 until % 1000);
	} else {
		trace_seq_printf(&iter->seq, "[%016llx] %llu (+%llu): ", iter->ts, since, until);
	}
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

	if (FLAG(flags, VERBOSE))
		print_verbose(iter, since, until);
	else
		print_short(iter, since, until);
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
	trace_seq_printf(&iter->seq, "%d %d %llu ", iter->ent->pid, iter->cpu, iter->ts);
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
	trace_seq_printf(&iter->seq, "%08x %08x %016llx ", iter->ent->pid, iter->cpu, iter->ts);
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
