// SPDX-License-Identifier: GPL-2.0
/*
 * trace_printk() and its relatives: what the kernel writes into the trace.
 *
 * <linux/kernel.h> chooses for each call: a constant string is recorded as its
 * address, a constant format as its address and the arguments in binary; the rest is
 * formatted here. All work in any context.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "record.h"

/* Where trace_printk() records, NULL if nowhere. */
static struct trace_array *printk_array(void)
{
	struct trace_array *tr = READ_ONCE(trace_top);

	return tr && trace_option(tr, TRACE_OPT_PRINTK) ? tr : NULL;
}

/*
 * These are parts of each of the functions below, so that it is always just one
 * function that a stack begins with, and that option stacktrace leaves out.
 */
static __always_inline int
printk_record_text(struct trace_array *tr, unsigned int context, unsigned long ip,
		   const char *text, unsigned int len)
{
	struct ring_buffer_event *event;
	struct print_entry *entry;

	event = trace_reserve(tr, TRACE_PRINT, struct_size(entry, buf, len + 1), context);
	if (!event)
		return 0;
	entry = ring_buffer_event_data(event);
	entry->ip = ip;
	memcpy(entry->buf, text, len);
	entry->buf[len] = '\0';
	trace_commit(tr);
	trace_record_stack_option(tr, context);
	return len;
}

static __always_inline __printf(2, 0) int
printk_text(unsigned long ip, const char *fmt, va_list args)
{
	struct trace_array *tr = printk_array();
	unsigned int context = trace_context(preempt_count());
	char *text;
	int len;

	if (!tr)
		return 0;
	guard(preempt_notrace)();
	text = trace_scratch_get();
	if (!text)
		return 0;
	len = vscnprintf(text, TRACE_SCRATCH_SIZE, fmt, args);
	len = printk_record_text(tr, context, ip, text, len);
	trace_scratch_put();
	return len;
}

static __always_inline int
printk_record_binary(struct trace_array *tr, unsigned int context, unsigned long ip,
		     const char *fmt, const u32 *args, unsigned int words)
{
	struct ring_buffer_event *event;
	struct bprint_entry *entry;

	event = trace_reserve(tr, TRACE_BPRINT, struct_size(entry, buf, words), context);
	if (!event)
		return 0;
	entry = ring_buffer_event_data(event);
	entry->ip = ip;
	entry->fmt = fmt;
	memcpy(entry->buf, args, words * sizeof(*args));
	trace_commit(tr);
	trace_record_stack_option(tr, context);
	return words;
}

static __always_inline int
printk_binary(unsigned long ip, const char *fmt, va_list args)
{
	struct trace_array *tr = printk_array();
	unsigned int context = trace_context(preempt_count());
	const int max = TRACE_SCRATCH_SIZE / sizeof(u32);
	u32 *binary;
	int words;

	if (!tr || !fmt)
		return 0;
	guard(preempt_notrace)();
	binary = trace_scratch_get();
	if (!binary)
		return 0;
	words = vbin_printf(binary, max, fmt, args);
	/* More than there is room for: the arguments are not complete. */
	if (words >= 0 && words <= max)
		words = printk_record_binary(tr, context, ip, fmt, binary, words);
	else
		words = 0;
	trace_scratch_put();
	return words;
}

/**
 * __ftrace_vprintk - record formatted text
 * @ip: the caller
 * @fmt: the format
 * @args: its arguments
 *
 * Any context.
 *
 * Return: length of the text, 0 if it was not recorded.
 */
int __ftrace_vprintk(unsigned long ip, const char *fmt, va_list args)
{
	return printk_text(ip, fmt, args);
}
EXPORT_SYMBOL_GPL(__ftrace_vprintk);

/**
 * __trace_printk - record formatted text
 * @ip: the caller
 * @fmt: the format, and arguments
 *
 * Any context.
 *
 * Return: length of the text, 0 if it was not recorded.
 */
int __trace_printk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_text(ip, fmt, args);
	va_end(args);
	return ret;
}
EXPORT_SYMBOL_GPL(__trace_printk);

/**
 * __ftrace_vbprintk - record arguments, to be formatted by the reader
 * @ip: the caller
 * @fmt: the format: stays for good, see formats.c
 * @args: its arguments
 *
 * Any context.
 *
 * Return: size of the arguments in words, 0 if they were not recorded.
 */
int __ftrace_vbprintk(unsigned long ip, const char *fmt, va_list args)
{
	return printk_binary(ip, fmt, args);
}
EXPORT_SYMBOL_GPL(__ftrace_vbprintk);

/**
 * __trace_bprintk - record arguments, to be formatted by the reader
 * @ip: the caller
 * @fmt: the format, which stays for good, and arguments
 *
 * Any context.
 *
 * Return: size of the arguments in words, 0 if they were not recorded.
 */
int __trace_bprintk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_binary(ip, fmt, args);
	va_end(args);
	return ret;
}
EXPORT_SYMBOL_GPL(__trace_bprintk);

/**
 * __trace_puts - record a string
 * @ip: the caller
 * @str: the string
 * @size: its length
 *
 * Any context.
 *
 * Return: @size, 0 if it was not recorded.
 */
int __trace_puts(unsigned long ip, const char *str, int size)
{
	struct trace_array *tr = printk_array();
	unsigned int context = trace_context(preempt_count());
	struct ring_buffer_event *event;
	struct print_entry *entry;

	if (!tr)
		return 0;
	/* Room for a newline, where the string has none at its end. */
	event = trace_reserve(tr, TRACE_PRINT, struct_size(entry, buf, size + 2), context);
	if (!event)
		return 0;
	entry = ring_buffer_event_data(event);
	entry->ip = ip;
	memcpy(entry->buf, str, size);
	strscpy(entry->buf + size, size && str[size - 1] == '\n' ? "" : "\n", 2);
	trace_commit(tr);
	trace_record_stack_option(tr, context);
	return size;
}
EXPORT_SYMBOL_GPL(__trace_puts);

/**
 * __trace_bputs - record the address of a string
 * @ip: the caller
 * @str: the string: stays for good, see formats.c
 *
 * Any context.
 *
 * Return: 1, 0 if it was not recorded.
 */
int __trace_bputs(unsigned long ip, const char *str)
{
	struct trace_array *tr = printk_array();
	unsigned int context = trace_context(preempt_count());
	struct ring_buffer_event *event;
	struct bputs_entry *entry;

	if (!tr || !str)
		return 0;
	event = trace_reserve(tr, TRACE_BPUTS, sizeof(*entry), context);
	if (!event)
		return 0;
	entry = ring_buffer_event_data(event);
	entry->ip = ip;
	entry->str = str;
	trace_commit(tr);
	trace_record_stack_option(tr, context);
	return 1;
}
EXPORT_SYMBOL_GPL(__trace_bputs);
