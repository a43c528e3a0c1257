// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of trace_bench that call trace events which are on or off.
 */
#include "trace_bench.h"

#define CREATE_TRACE_POINTS
#include "trace_bench_events.h"

static void integers(void)
{
	trace_bench_integers(1, 2);
}

static void string(void)
{
	trace_bench_string("8 bytes", 1);
}

static unsigned long cost_of_integers(void)
{
	return trace_bench_cost(integers);
}

static unsigned long cost_of_string(void)
{
	return trace_bench_cost(string);
}

const struct trace_bench_work trace_bench_event_works[] = {
	{ "integers", cost_of_integers },
	{ "string", cost_of_string },
	{ }
};
