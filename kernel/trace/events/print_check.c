// SPDX-License-Identifier: GPL-2.0
/*
 * The check of an event's print format when the event is registered.
 *
 * A line is printed when it is read. Memory that an address in the record points to may be freed by
 * then. So a conversion that dereferences an address, such as "%pI4", needs the address of a part
 * of the record. The text of its argument must show that: it has to name an array of the record or
 * data in its variable part, or to take an address.
 *
 * "%s" may also have a string of the kernel: a call or an element of a table returns one. This
 * only warns: addresses are checked when the line is printed, see print.c.
 */
#include <linux/ctype.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "conversion.h"
#include "events.h"
#include "fields.h"

/* The character after the string or character literal at @text; NULL if the literal does not end */
static const char *argument_literal_end(const char *text)
{
	char quote = *text++;

	for (; *text; text++) {
		if (*text == quote)
			return text + 1;
		if (text[0] == '\\' && text[1])
			text++;
	}
	return NULL;
}

/*
 * The comma after an argument, or the end of the text; NULL if a literal or a parenthesis does not
 * end
 */
static const char *argument_end(const char *text)
{
	int depth = 0;

	while (text && *text && (depth || *text != ',')) {
		if (*text == '"' || *text == '\'') {
			text = argument_literal_end(text);
			continue;
		}
		depth += strchr("([{", *text) ? 1 : strchr(")]}", *text) ? -1 : 0;
		text++;
	}
	return depth ? NULL : text;
}

/* Number of arguments; -1 if the text is malformed */
static int arguments_count(const char *text)
{
	int nr = 0;

	while (*text) {
		text = argument_end(text);
		if (!text)
			return -1;
		nr++;
		if (*text)
			text++;
	}
	return nr;
}

/* Number of arguments that the conversions between @fmt and @end take */
static int conversions_count(const char *fmt, const char *end)
{
	struct trace_conversion conv;
	int nr = 0;

	for (conv = trace_conversion_next(fmt); conv.type && conv.end <= end;
	     conv = trace_conversion_next(conv.end))
		nr += conv.stars + 1;
	return nr;
}

/*
 * The quote at the end of the format; NULL if it is not found. Quotes in the format are not
 * escaped, so the number of arguments tells which one it is.
 */
static const char *format_end(const char *fmt)
{
	const char *end;

	for (end = strstr(fmt, "\", "); end; end = strstr(end + 1, "\", ")) {
		if (conversions_count(fmt, end) == arguments_count(end + strlen("\", ")))
			return end;
	}
	return NULL;
}

/* Does the argument take the address of a field? */
static bool argument_takes_address(const char *text, size_t len)
{
	const char *end = text + len;

	for (; (text = strnchr(text, end - text, '&')); text++) {
		if (strstarts(text + 1 + strspn(text + 1, "("), "REC->"))
			return true;
	}
	return false;
}

/* Does the argument name a field that is an array or a structure? */
static bool argument_names_array(const struct trace_event_call *call, const char *text,
				 size_t len)
{
	const char *end = text + len;
	struct trace_event_field field;
	struct trace_span name;

	while ((text = strnstr(text, "REC->", end - text))) {
		text += strlen("REC->");
		name = (struct trace_span){ .text = text };
		while (isalnum(text[name.len]) || text[name.len] == '_')
			name.len++;
		if (!trace_event_find_field(call, name, &field))
			continue;
		/* Arrays and larger fields hold no address. */
		if (field.count || strchr(field.type, '[') || field.size > sizeof(u64))
			return true;
	}
	return false;
}

static bool argument_has_call(const char *text, size_t len)
{
	size_t i;

	for (i = 1; i < len; i++) {
		if (text[i] == '(' && (isalnum(text[i - 1]) || text[i - 1] == '_'))
			return true;
	}
	return false;
}

/* Is it a field and nothing else, maybe with a cast: "(const char *)REC->name"? */
static bool argument_is_field(const char *text, size_t len)
{
	const char *end = text + len, *field = strnstr(text, "REC->", len);

	if (!field || (field > text && field[-1] == '*'))
		return false;
	for (field += strlen("REC->"); field < end; field++) {
		if (!isalnum(*field) && !strchr("_ )", *field))
			return false;
	}
	return true;
}

static bool argument_address_is_safe(const struct trace_event_call *call, const char *text,
				     size_t len)
{
	return argument_takes_address(text, len) || strnstr(text, "__get_dynamic_array", len) ||
	       strnstr(text, "__get_rel_dynamic_array", len) ||
	       strnstr(text, "__get_sockaddr", len) ||
	       strnstr(text, "__get_rel_sockaddr", len) ||
	       argument_names_array(call, text, len);
}

static bool argument_string_is_safe(const struct trace_event_call *call, const char *text,
				    size_t len)
{
	return argument_has_call(text, len) || strnchr(text, len, '"') ||
	       strnstr(text, "[REC->", len) || argument_is_field(text, len) ||
	       argument_address_is_safe(call, text, len);
}

static bool argument_is_safe(const struct trace_event_call *call,
			     const struct trace_conversion *conv, const char *text)
{
	size_t len = argument_end(text) - text;

	if (conv->type == 's')
		return argument_string_is_safe(call, text, len);
	return !trace_conversion_follows(conv) || argument_address_is_safe(call, text, len);
}

/**
 * trace_event_unsafe_argument - find an argument that is dereferenced outside of the record
 * @call: the event
 * @text: its print format
 *
 * Context: any.
 * Return: number of the first such argument, from 1 on; 0 if there is none, or if the text is not a
 * format with its arguments.
 */
unsigned int trace_event_unsafe_argument(const struct trace_event_call *call, const char *text)
{
	const char *end = *text == '"' ? format_end(text + 1) : NULL, *argument;
	struct trace_conversion conv;
	unsigned int nr = 0, stars;

	if (!end)
		return 0;
	argument = end + strlen("\", ");
	for (conv = trace_conversion_next(text); conv.type && conv.end <= end;
	     conv = trace_conversion_next(conv.end)) {
		for (stars = conv.stars; stars; stars--)
			argument = argument_end(argument) + 1;
		nr += conv.stars + 1;
		argument = skip_spaces(argument);
		if (!argument_is_safe(call, &conv, argument))
			return nr;
		argument = argument_end(argument) + 1;
	}
	return 0;
}

/**
 * trace_event_check_print - warn if an event's print format dereferences memory outside of a record
 * @call: the event
 *
 * No WARN(): the event may be harmless, and a kernel with panic_on_warn must be able to load it.
 *
 * Context: may sleep.
 */
void trace_event_check_print(const struct trace_event_call *call)
{
	unsigned int nr = call->print_fmt ? trace_event_unsafe_argument(call, call->print_fmt) : 0;

	if (!nr)
		return;
	pr_warn("event %s has unsafe dereference of argument %u\n", trace_event_name(call), nr);
	pr_warn("print_fmt: %s\n", call->print_fmt);
}
