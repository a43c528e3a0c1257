// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers. Each operation has a stream of its own, made of the seed, the number of the
 * process and the number of the operation. So it stays the same whether the operations before it
 * were carried out, left out (-o, -b), or ended otherwise.
 *
 * Some operations use files that earlier ones have opened. They must not use whatever happens to be
 * open, as that depends on other operations. So files are opened at places, of which there are a
 * few. All operations of a span (256 successive operations) have the same file at a place: it is
 * chosen by a stream made of the place and the span. The first operation that finds it closed opens
 * it.
 */
#include "fuzz.h"

#define SPAN	256	/* operations, of which some thirty use open files */

static uint64_t seed, state, own_state;
static unsigned int process;
static unsigned long operation;

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

void begin_stream(uint64_t its_seed, unsigned int its_process, unsigned long its_number)
{
	seed = its_seed;
	process = its_process;
	operation = its_number;
	state = mix(mix(mix(seed) + process) + operation);
}

/*
 * Until end_span(), numbers are those of the operation's span. Spans of different places begin at
 * different operations. Returns the number of the span.
 */
unsigned long begin_span(unsigned int place)
{
	unsigned long span = (operation + place * SPAN / PLACES) / SPAN;

	own_state = state;
	state = mix(mix(mix(mix(seed) + process) + ~(uint64_t)place) + span);
	return span;
}

void end_span(void)
{
	state = own_state;
}

/* Return a number below @below, which is not 0. */
uint32_t rnd(uint32_t below)
{
	state += 0x9e3779b97f4a7c15;
	return (mix(state) >> 32) % below;
}

bool chance(unsigned int one_in)
{
	return !rnd(one_in);
}
