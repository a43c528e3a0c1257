// SPDX-License-Identifier: GPL-2.0
/*
 * trace_printk() and its relatives, with which the kernel writes into the trace.
 *
 * <linux/kernel.h> chooses for each call: a constant string is recorded as its address, a constant
 * format as its address and the arguments in binary; everything else is formatted here. All of this
 * works in any context.
 *
 * All records begin with the caller's address. The payload that follows is text, an address, or an
 * address and words; the type of the record says which.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "../ring_buffer/reserve.h"
#include "instance.h"
#include "internal.h"
#include "record.h"
#include "tracer.h"

#define PAYLOAD		offsetof(struct print_entry, buf)

static_assert(PAYLOAD == offsetof(struct bprint_entry, fmt));
static_assert(PAYLOAD == offsetof(struct bputs_entry, str));
static_assert(sizeof(struct bprint_entry) == offsetof(struct bprint_entry, buf));

/*
 * The instance that trace_printk() records in, set by the option trace_printk_dest; NULL: the top
 * instance. printk_dest.c changes it, and then waits until no caller records in the old one any
 * more.
 */
struct trace_array *trace_printk_dest;

static bool printk_wanted(const struct trace_array *tr)
{
	return tr && trace_option(tr, TRACE_OPT_PRINTK);
}

/*
 * The functions below are inlined into each public function. So a stack always begins with exactly
 * one function of this file, which the option "stacktrace" leaves out. The caller has preemption
 * off, so that the instance is not freed. @context is from before that.
 */

/* Begin a record with @size bytes of payload. Return where the payload goes, or NULL. */
static __always_inline void *
printk_reserve(struct trace_array *tr, unsigned short type, unsigned long ip, size_t size,
	       unsigned int context)
{
	struct print_entry *entry = trace_reserve(tr, type, PAYLOAD + size, context);

	if (!entry)
		return NULL;
	entry->ip = ip;
	return entry->buf;
}

static __always_inline void printk_commit(struct trace_array *tr, unsigned int context)
{
	trace_commit(tr);
	trace_record_stack_option(tr, context);
}

/*
 * Format into @payload, of TRACE_SCRATCH_SIZE bytes. Return the size of the payload, and set @ret
 * to the caller's return value. Return 0 if the arguments do not fit.
 */
static __always_inline __printf(3, 0) size_t
printk_format(unsigned short type, void *payload, const char *fmt, va_list args, int *ret)
{
	const int max = (TRACE_SCRATCH_SIZE - sizeof(fmt)) / sizeof(u32);

	if (type == TRACE_PRINT) {
		*ret = vscnprintf(payload, TRACE_SCRATCH_SIZE, fmt, args);
		return *ret + 1;
	}
	*(const char **)payload = fmt;
	*ret = vbin_printf(payload + sizeof(fmt), max, fmt, args);
	return *ret >= 0 && *ret <= max ? sizeof(fmt) + *ret * sizeof(u32) : 0;
}

static __always_inline __printf(4, 0) int
printk_vrecord(struct trace_array *tr, unsigned short type, unsigned long ip, const char *fmt,
	       va_list args, unsigned int context)
{
	void *scratch, *payload = NULL;
	size_t size;
	int ret;

	scratch = trace_scratch_get();
	if (!scratch)
		return 0;
	size = printk_format(type, scratch, fmt, args, &ret);
	if (size)
		payload = printk_reserve(tr, type, ip, size, context);
	if (payload)
		memcpy(payload, scratch, size);
	/* Free the scratch memory before a stack is recorded, which needs a piece of it, too. */
	trace_scratch_put();
	if (!payload)
		return 0;
	printk_commit(tr, context);
	return ret;
}

static __always_inline __printf(3, 0) int
printk_vdest(unsigned short type, unsigned long ip, const char *fmt, va_list args)
{
	unsigned int context = trace_context(preempt_count());
	struct trace_array *tr;

	guard(preempt_notrace)();
	tr = trace_printk_dest_array();
	if (!printk_wanted(tr) || !fmt)
		return 0;
	return printk_vrecord(tr, type, ip, fmt, args, context);
}

/**
 * __ftrace_vprintk - record formatted text
 * @ip: address of the caller
 * @fmt: the format
 * @args: its arguments
 *
 * Context: any.
 * Return: length of the text; 0 if it was not recorded.
 */
int __ftrace_vprintk(unsigned long ip, const char *fmt, va_list args)
{
	return printk_vdest(TRACE_PRINT, ip, fmt, args);
}
EXPORT_SYMBOL_GPL(__ftrace_vprintk);

/**
 * __trace_printk - record formatted text
 * @ip: address of the caller
 * @fmt: the format, followed by its arguments
 *
 * Context: any.
 * Return: length of the text; 0 if it was not recorded.
 */
int __trace_printk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_vdest(TRACE_PRINT, ip, fmt, args);
	va_end(args);
	return ret;
}
EXPORT_SYMBOL_GPL(__trace_printk);

/**
 * __ftrace_vbprintk - record arguments, which the reader will format
 * @ip: address of the caller
 * @fmt: the format; must never be freed, see formats.c
 * @args: its arguments
 *
 * Context: any.
 * Return: size of the arguments in words; 0 if they were not recorded.
 */
int __ftrace_vbprintk(unsigned long ip, const char *fmt, va_list args)
{
	return printk_vdest(TRACE_BPRINT, ip, fmt, args);
}
EXPORT_SYMBOL_GPL(__ftrace_vbprintk);

/**
 * __trace_bprintk - record arguments, which the reader will format
 * @ip: address of the caller
 * @fmt: the format, which must never be freed, see formats.c; followed by its arguments
 *
 * Context: any.
 * Return: size of the arguments in words; 0 if they were not recorded.
 */
int __trace_bprintk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_vdest(TRACE_BPRINT, ip, fmt, args);
	va_end(args);
	return ret;
}
EXPORT_SYMBOL_GPL(__trace_bprintk);

static __always_inline int printk_string(struct trace_array *tr, unsigned long ip,
					 const char *str, int size, unsigned int context)
{
	char *text;

	if (!printk_wanted(tr))
		return 0;
	/* Two bytes more, for a NUL and for a newline if the string does not end with one. */
	text = printk_reserve(tr, TRACE_PRINT, ip, size + 2, context);
	if (!text)
		return 0;
	memcpy(text, str, size);
	strscpy(text + size, size && str[size - 1] == '\n' ? "" : "\n", 2);
	printk_commit(tr, context);
	return size;
}

/**
 * trace_array_say - record a message about an instance in that instance
 * @tr: the instance, which may be the top one
 * @ip: address of the caller
 * @text: a line of text
 *
 * Context: any.
 */
void trace_array_say(struct trace_array *tr, unsigned long ip, const char *text)
{
	unsigned int context = trace_context(preempt_count());

	guard(preempt_notrace)();
	printk_string(tr, ip, text, strlen(text), context);
}

/**
 * __trace_puts - record a string
 * @ip: address of the caller
 * @str: the string
 * @size: its length in bytes
 *
 * Context: any.
 * Return: @size; 0 if it was not recorded.
 */
int __trace_puts(unsigned long ip, const char *str, int size)
{
	unsigned int context = trace_context(preempt_count());

	guard(preempt_notrace)();
	return printk_string(trace_printk_dest_array(), ip, str, size, context);
}
EXPORT_SYMBOL_GPL(__trace_puts);

/**
 * __trace_bputs - record the address of a string
 * @ip: address of the caller
 * @str: the string; must never be freed, see formats.c
 *
 * Context: any.
 * Return: 1; 0 if it was not recorded.
 */
int __trace_bputs(unsigned long ip, const char *str)
{
	unsigned int context = trace_context(preempt_count());
	struct ring_buffer_claim claim;
	struct bputs_entry *entry;
	struct trace_array *tr;

	guard(preempt_notrace)();
	tr = trace_printk_dest_array();
	if (!printk_wanted(tr) || !str)
		return 0;
	entry = ring_buffer_fast_reserve(tr->array_buffer.buffer, sizeof(*entry), &claim);
	if (!entry)
		return 0;
	trace_entry_init(&entry->ent, TRACE_BPUTS, context);
	entry->ip = ip;
	entry->str = str;
	current->trace_recursion |= TRACE_TASK_RECORDED;
	ring_buffer_fast_commit(&claim);
	trace_record_stack_option(tr, context);
	return 1;
}
EXPORT_SYMBOL_GPL(__trace_bputs);

/*
 * Only for an instance that the caller has made. In the top instance, calls that were left in the
 * code would disturb all users of the trace.
 */
static __always_inline __printf(3, 0) int
printk_varray(struct trace_array *tr, unsigned long ip, const char *fmt, va_list args)
{
	unsigned int context = trace_context(preempt_count());

	if (!tr)
		return -ENOENT;
	if (tr == trace_top || !printk_wanted(tr))
		return 0;
	guard(preempt_notrace)();
	return printk_vrecord(tr, TRACE_PRINT, ip, fmt, args, context);
}

/**
 * trace_array_vprintk - record formatted text in an instance
 * @tr: the instance, which the caller keeps from going away
 * @ip: address of the caller, _THIS_IP_
 * @fmt: the format
 * @args: its arguments
 *
 * Context: any.
 * Return: length of the text; 0 if it was not recorded, or if @tr is the top instance, in which
 * this records nothing; -ENOENT if @tr is NULL.
 */
int trace_array_vprintk(struct trace_array *tr, unsigned long ip, const char *fmt,
			va_list args)
{
	return printk_varray(tr, ip, fmt, args);
}

/**
 * trace_array_printk - record formatted text in an instance
 * @tr: the instance, which the caller keeps from going away
 * @ip: address of the caller, _THIS_IP_
 * @fmt: the format, followed by its arguments
 *
 * The buffer is small before trace_array_init_printk().
 *
 * Context: any.
 * Return: length of the text; 0 if it was not recorded, or if @tr is the top instance, in which
 * this records nothing; -ENOENT if @tr is NULL.
 */
int trace_array_printk(struct trace_array *tr, unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_varray(tr, ip, fmt, args);
	va_end(args);
	return ret;
}
EXPORT_SYMBOL_GPL(trace_array_printk);
