/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The conversions of printf() formats.
 */
#ifndef _TRACE_EVENTS_CONVERSION_H
#define _TRACE_EVENTS_CONVERSION_H

#include <linux/string.h>
#include <linux/types.h>

/**
 * struct trace_conversion - a conversion of a format, such as "%-5lu"
 * @end: the character after it
 * @stars: number of ints that it takes first, for width and precision
 * @width: its width; -1: none, or the first of @stars
 * @takes_width: the first of @stars is its width
 * @longs: size of a number: 0 int, 1 long, 2 long long
 * @type: its letter; 0 at the end of the format
 */
struct trace_conversion {
	const char	*end;
	unsigned int	stars;
	int		width;
	bool		takes_width;
	unsigned int	longs;
	char		type;
};

/**
 * trace_conversion_follows - does a conversion dereference its argument?
 * @conv: the conversion
 *
 * Some letters after "%p" make it do so, such as the I of "%pI4".
 *
 * Context: any.
 * Return: true if it does.
 */
static inline bool trace_conversion_follows(const struct trace_conversion *conv)
{
	return conv->type == 's' ||
	       (conv->type == 'p' && *conv->end && strchr("RrbhMmIiEUVNadDgGtCOf4uk", *conv->end));
}

/* print.c */
struct trace_conversion trace_conversion_next(const char *fmt);

#endif /* _TRACE_EVENTS_CONVERSION_H */
