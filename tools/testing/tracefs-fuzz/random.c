// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers. Each operation has a stream of its own, made of the seed, the number
 * of the process and that of the operation: so it is the same one whether those before
 * it were carried out, left out (-o, -b), or ended otherwise.
 *
 * Some use what others have opened. That can be neither what happens to be open nor new each
 * time, so it is opened at a place, of which there are a few; and which file that is follows
 * from the number as well: the same for all operations of a span, with a stream that is made
 * of the place and the span. The first of them that finds it closed opens it.
 */
#include "fuzz.h"

#define SPAN	256	/* operations, of which some thirty use what is open */

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
 * Until end_span(), numbers are those of the operation's span. Not all places change at
 * once. Returns which span it is.
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

/* Below @below, which is not 0. */
uint32_t rnd(uint32_t below)
{
	state += 0x9e3779b97f4a7c15;
	return (mix(state) >> 32) % below;
}

bool chance(unsigned int one_in)
{
	return !rnd(one_in);
}
