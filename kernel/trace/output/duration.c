// SPDX-License-Identifier: GPL-2.0
/*
 * Durations in a column of fixed width.
 */
#include <linux/math64.h>

#include "output.h"
#include "text.h"

/* Width of the digits and the point of a duration, if they fit. */
#define NUMBER_WIDTH	8
#define FRACTION_MAX	3

/* Write the point and the first @digits decimals of @ns. */
static char *text_fraction(char *p, unsigned int ns, unsigned int digits)
{
	char all[FRACTION_MAX];

	text_decimal(all, ns, FRACTION_MAX, '0');
	*p++ = '.';
	return text_bytes(p, all, digits);
}

/**
 * text_duration - write a duration, as "12.345 us   "
 * @p: where to write, with space for TEXT_DURATION_MAX characters
 * @ns: the duration, in ns
 *
 * A longer duration gets fewer decimals, so that the column keeps its width up to 99999999 us.
 * Other decimals are cut, not rounded.
 *
 * Context: any.
 * Return: the end of the text.
 */
char *text_duration(char *p, u64 ns)
{
	char *number = p;
	u32 rest;
	u64 us = div_u64_rem(ns, 1000, &rest);
	int room = NUMBER_WIDTH - 1 - (int)text_digits(us);
	int width;

	p = text_decimal(p, us, 0, ' ');
	if (room > 0)
		p = text_fraction(p, rest, min(room, FRACTION_MAX));
	width = p - number;
	p = text_bytes(p, " us ", 4);
	return text_fill(p, ' ', NUMBER_WIDTH - width);
}
