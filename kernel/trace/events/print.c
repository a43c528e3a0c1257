// SPDX-License-Identifier: GPL-2.0
/*
 * For the printers that definitions of events generate: the beginning of a line, and its text.
 *
 * A definition may print a string, or other data ("%pI4"), by their address. The line is printed
 * long after the event, and the data may have been freed by then: they may have belonged to a task,
 * or to a module. So an address is dereferenced only if its memory cannot have been freed;
 * otherwise the line names the field that is wrong. Data of a record must end with the record.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched/task_stack.h>
#include <linux/sizes.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/uuid.h>

#include <asm/sections.h>

#include "../core/tracer.h"
#include "../output/output.h"
#include "conversion.h"
#include "events.h"
#include "fields.h"

/**
 * trace_raw_output_prep - begin the line of an event
 * @iter: the iterator, at the record; prints to its seq
 * @event: the event
 * @size: size of the record's struct
 *
 * Context: any.
 * Return: true: print the text; false: the record is shorter than its struct, and was printed by
 * its fields.
 */
bool trace_raw_output_prep(struct trace_iterator *iter, struct trace_event *event,
			   unsigned int size)
{
	const struct trace_event_call *call = container_of(event, struct trace_event_call, event);

	trace_seq_init(&iter->tmp_seq);
	if (unlikely(iter->ent_size < size)) {
		trace_event_print_fields(iter, 0, event);
		return false;
	}
	trace_seq_puts(&iter->seq, trace_event_name(call));
	trace_seq_puts(&iter->seq, ": ");
	return true;
}
EXPORT_SYMBOL(trace_raw_output_prep);

/* Flags, width and precision of a conversion: characters below 64 */
#define CONVERSION_FLAGS	(BIT_ULL('-') | BIT_ULL('+') | BIT_ULL(' ') | BIT_ULL('#') |	\
				 BIT_ULL('.') | BIT_ULL('*') | GENMASK_ULL('9', '0'))
/* Sizes of a number: letters, from 64 on */
#define CONVERSION_SIZES	(BIT_ULL('h' - 64) | BIT_ULL('l' - 64) | BIT_ULL('L' - 64) |	\
				 BIT_ULL('q' - 64) | BIT_ULL('j' - 64) | BIT_ULL('z' - 64) |	\
				 BIT_ULL('t' - 64))

/* More than any data of a record have */
#define CONVERSION_WIDTH_MAX	SZ_16M

static bool conversion_is_flag(unsigned char c)
{
	return c < 64 && CONVERSION_FLAGS & BIT_ULL(c);
}

static bool conversion_is_size(unsigned char c)
{
	return c >= 64 && c < 128 && CONVERSION_SIZES & BIT_ULL(c - 64);
}

/* Read flags, width and precision. Return what is behind them. */
static const char *conversion_read_width(struct trace_conversion *conv, const char *fmt)
{
	bool precision = false;

	conv->width = -1;
	for (; conversion_is_flag(*fmt); fmt++) {
		precision |= *fmt == '.';
		conv->stars += *fmt == '*';
		if (precision)
			continue;
		conv->takes_width |= *fmt == '*';
		/* A 0 in front is a flag. */
		if (isdigit(*fmt) && (*fmt != '0' || conv->width > 0))
			conv->width = min(10 * max(conv->width, 0) + *fmt - '0',
					  CONVERSION_WIDTH_MAX);
	}
	return fmt;
}

/**
 * trace_conversion_next - find the next conversion that takes an argument
 * @fmt: the format, or the rest of it after another conversion
 *
 * Context: any.
 * Return: the conversion; its type is 0 if there is none.
 */
struct trace_conversion trace_conversion_next(const char *fmt)
{
	struct trace_conversion conv = {};

	while ((fmt = strchr(fmt, '%'))) {
		fmt = conversion_read_width(&conv, fmt + 1);
		for (; conversion_is_size(*fmt); fmt++)
			conv.longs += *fmt == 'l' || *fmt == 'z' || *fmt == 't' ? 1 :
				      *fmt == 'h' ? 0 : 2;
		if (*fmt == '%') {
			fmt++;
			continue;
		}
		conv.type = *fmt;
		conv.end = *fmt ? fmt + 1 : fmt;
		return conv;
	}
	return conv;
}

/* Defined by the linker script: addresses that tracepoint_string() has registered. */
extern const char *__start___tracepoint_str[];
extern const char *__stop___tracepoint_str[];

static bool event_is_tracepoint_string(const char *text)
{
	const char **string;

	for (string = __start___tracepoint_str; string < __stop___tracepoint_str; string++) {
		if (*string == text)
			return true;
	}
	return false;
}

/* Is it in the module of the event? */
static bool event_address_is_of_module(const struct trace_iterator *iter, unsigned long address)
{
#ifdef CONFIG_MODULES
	const struct trace_event *event = trace_entry_event(iter->ent->type);
	struct module *mod = event ? container_of(event, struct trace_event_call, event)->module :
				     NULL;

	return mod && within_module_core(address, mod);
#else
	return false;
#endif
}

/*
 * How many bytes at an address does a conversion read at least? Texts and structs end where their
 * contents say. @width: -1 is none.
 */
static size_t conversion_reads(const struct trace_conversion *conv, long width)
{
	if (conv->type != 'p')
		return 1;
	switch (*conv->end) {
	case 'h':
		return width < 0 ? 1 : min(width, 64L);
	case 'E':
		return width < 0 ? 1 : width;
	case 'b':
		return BITS_TO_LONGS(max(width, 0L)) * sizeof(long);
	case 'I':
	case 'i':
		return conv->end[1] == '4' ? sizeof(struct in_addr) :
		       conv->end[1] == '6' ? sizeof(struct in6_addr) : sizeof(sa_family_t);
	case 'M':
	case 'm':
		return ETH_ALEN;
	case 'U':
		return UUID_SIZE;
	}
	return 1;
}

static bool conversion_is_socket_address(const struct trace_conversion *conv)
{
	return conv->type == 'p' && (*conv->end == 'I' || *conv->end == 'i') &&
	       conv->end[1] == 'S';
}

/* How many bytes of a socket address are read? Its family says that. */
static size_t socket_address_reads(const char *address)
{
	switch (get_unaligned((const sa_family_t *)address)) {
	case AF_INET:
		return offsetofend(struct sockaddr_in, sin_addr);
	case AF_INET6:
		return sizeof(struct sockaddr_in6);
	default:
		return sizeof(sa_family_t);
	}
}

/* The end of the record counts: data of no bytes may be there. */
static bool event_address_is_in_record(const struct trace_iterator *iter, const char *address)
{
	const char *entry = (const char *)iter->ent;

	return address >= entry && address <= entry + iter->ent_size;
}

/*
 * May the data at @text be read, if they are @size bytes of a record? Other data must be in memory
 * that is not freed. An address on the stack is the address of a variable of a caller, or at least
 * of memory.
 */
static bool event_address_is_safe(const struct trace_iterator *iter, const char *text, size_t size)
{
	const char *end = (const char *)iter->ent + iter->ent_size;
	unsigned long address = (unsigned long)text;

	if (event_address_is_in_record(iter, text))
		return size <= end - text;
	if (text >= iter->tmp_seq.buffer && text < iter->tmp_seq.buffer + TRACE_SEQ_BUFFER_SIZE)
		return true;
	if (is_kernel_rodata(address) || object_is_on_stack(text) ||
	    event_is_tracepoint_string(text))
		return true;
	return event_address_is_of_module(iter, address);
}

/* May a conversion read what it reads at an address? */
static bool event_conversion_is_safe(const struct trace_iterator *iter,
				     const struct trace_conversion *conv, long width,
				     const char *address)
{
	return event_address_is_safe(iter, address, conversion_reads(conv, width)) &&
	       (!conversion_is_socket_address(conv) ||
		event_address_is_safe(iter, address, socket_address_reads(address)));
}

/*
 * May the format dereference an argument? This is quick: most formats without "%s" have no address
 * at all, and event_find_unsafe() need not look at them.
 */
static bool event_format_follows(const char *fmt)
{
	const char *p;

	if (strchr(fmt, 's'))
		return true;
	for (p = strchr(fmt, 'p'); p; p = strchr(p + 1, 'p')) {
		if (p > fmt && (p[-1] == '%' || p[-1] == '*' || isdigit(p[-1])) && isalnum(p[1]))
			return true;
	}
	return false;
}

/*
 * Find an address that would be dereferenced, but whose data may be freed, or do not end with the
 * record; NULL: there is none.
 */
static const char *event_find_unsafe(const struct trace_iterator *iter, const char *fmt,
				     va_list args)
{
	struct trace_conversion conv;
	const char *address;
	unsigned int star;
	long width, value;

	for (conv = trace_conversion_next(fmt); conv.type;
	     conv = trace_conversion_next(conv.end)) {
		width = conv.width;
		for (star = 0; star < conv.stars; star++) {
			value = va_arg(args, int);
			/* A negative one aligns to the left. */
			if (!star && conv.takes_width)
				width = abs(value);
		}
		if (conv.type == 's' || conv.type == 'p') {
			address = va_arg(args, const char *);
			if (address && trace_conversion_follows(&conv) &&
			    !event_conversion_is_safe(iter, &conv, width, address))
				return address;
		} else if (!conv.longs) {
			va_arg(args, int);
		} else if (conv.longs == 1) {
			va_arg(args, long);
		} else {
			va_arg(args, long long);
		}
	}
	return NULL;
}

/* The name of the field that holds this address. */
static const char *event_field_at(const struct trace_event_call *call,
				  const struct trace_entry *ent, const char *address)
{
	static const char unknown[] = "?";
	struct trace_event_field field;
	unsigned int nr;

	for (nr = 0; trace_event_get_field(call, nr, &field); nr++) {
		if (field.size == sizeof(address) && strchr(field.type, '*') &&
		    !memcmp((void *)ent + field.offset, &address, sizeof(address)))
			return field.name;
	}
	return unknown;
}

static void event_print_unsafe(struct trace_iterator *iter, const char *address)
{
	struct trace_event *event = trace_entry_event(iter->ent->type);
	const struct trace_event_call *call;
	const char *name, *field;

	/* A dump does not keep the event. */
	if (!event)
		return;
	call = container_of(event, struct trace_event_call, event);
	name = trace_event_name(call);
	if (event_address_is_in_record(iter, address)) {
		trace_seq_printf(&iter->seq, "EVENT %s: HAS DATA BEYOND ITS RECORD\n", name);
		return;
	}
	field = event_field_at(call, iter->ent, address);
	trace_seq_printf(&iter->seq, "EVENT %s: HAS UNSAFE POINTER FIELD '%s'\n", name, field);
	/*
	 * With tp_printk, the event may have occurred while a lock was held that waking a reader of
	 * the console takes.
	 */
	printk_deferred_once(KERN_WARNING
			     "event %s: field %s is the address of data that may be gone\n",
			     name, field);
}

/*
 * Copy a format, with "%px" for each "%p" that is followed by neither a letter nor a digit.
 * Return false if it does not fit.
 */
static bool event_format_unhash(char *to, size_t size, const char *fmt)
{
	char *end = to + size - 1;

	while (*fmt) {
		if (end - to < 3)
			return false;
		if (fmt[0] == '%' && fmt[1] == '%') {
			*to++ = *fmt++;
		} else if (fmt[0] == '%' && fmt[1] == 'p' && !isalnum(fmt[2])) {
			*to++ = *fmt++;
			*to++ = *fmt++;
			*to++ = 'x';
			continue;
		}
		*to++ = *fmt++;
	}
	*to = '\0';
	return true;
}

/*
 * The format to use: if option hash-ptr is off, a copy that prints addresses unchanged. The copy is
 * in the memory after the pieces of the line, to which no piece is added any more.
 */
static const char *event_format(struct trace_iterator *iter, const char *fmt)
{
	unsigned int used = trace_seq_used(&iter->tmp_seq);
	char *copy = iter->tmp_seq.buffer + used;

	if (likely(!iter->tr || trace_option(iter->tr, TRACE_OPT_HASH_PTR)) || !strstr(fmt, "%p"))
		return fmt;
	return event_format_unhash(copy, TRACE_SEQ_BUFFER_SIZE - used, fmt) ? copy : fmt;
}

static __printf(2, 0) void event_vprintf(struct trace_iterator *iter, const char *fmt,
					 va_list args)
{
	trace_seq_vprintf(&iter->seq, event_format(iter, fmt), args);
}

/**
 * trace_event_printf - print the text of an event
 * @iter: the iterator, at the record; prints to its seq
 * @fmt: the format
 *
 * Context: any.
 */
void trace_event_printf(struct trace_iterator *iter, const char *fmt, ...)
{
	const char *gone = NULL;
	va_list args;

	if (event_format_follows(fmt)) {
		va_start(args, fmt);
		gone = event_find_unsafe(iter, fmt, args);
		va_end(args);
	}
	if (unlikely(gone)) {
		event_print_unsafe(iter, gone);
		return;
	}
	va_start(args, fmt);
	event_vprintf(iter, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL(trace_event_printf);

/**
 * trace_output_call - print a whole line of an event
 * @iter: the iterator; prints to its seq
 * @name: name of the event
 * @fmt: the format of the text
 *
 * Context: any.
 * Return: as trace_handle_return().
 */
enum print_line_t trace_output_call(struct trace_iterator *iter, const char *name,
				    const char *fmt, ...)
{
	va_list args;

	trace_seq_printf(&iter->seq, "%s: ", name);
	va_start(args, fmt);
	event_vprintf(iter, fmt, args);
	va_end(args);
	return trace_handle_return(&iter->seq);
}
EXPORT_SYMBOL_GPL(trace_output_call);
