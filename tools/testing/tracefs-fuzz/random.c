// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers. Each operation has a stream of its own, made of the seed, the number
 * of the process and that of the operation: so it is the same one whether those before
 * it were carried out, left out (-o), or ended otherwise.
 */
#include "fuzz.h"

static uint64_t state;

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

void seed_stream(uint64_t seed, unsigned int process, unsigned long operation)
{
	state = mix(mix(mix(seed) + process) + operation);
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
