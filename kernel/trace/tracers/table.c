// SPDX-License-Identifier: GPL-2.0
/*
 * The table of tracers, and early_trace_init(), which registers them.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../core/readme.h"
#include "../core/tracer.h"
#include "startup.h"
#include "tracers.h"

/**
 * struct tracer_row - a tracer of the table
 * @tracer: the tracer; NULL: this kernel is built without it
 * @test: its test after boot; NULL: this kernel is built without tests
 * @early: it can trace before initcalls run
 * @setup: called before the tracer is registered; NULL: not needed. Returns 0, or -errno, and then
 *	the tracer is not registered
 */
struct tracer_row {
	struct tracer			*tracer;
	const struct startup_test	*test;
	bool				early;
	int				(*setup)(void);
};

#define EARLY	true
#define LATER	false

#define TRACER_ROW(built, name, early, setup) {						\
	PTR_IF(built, &name##_tracer),							\
	PTR_IF((built) && IS_ENABLED(CONFIG_FTRACE_STARTUP_TEST), &name##_startup_test), \
	early, PTR_IF(built, setup)							\
}

#define FUNCTION	IS_ENABLED(CONFIG_FUNCTION_TRACER)
#define GRAPH		IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER)
#define IRQS		IS_ENABLED(CONFIG_IRQSOFF_TRACER)
#define PREEMPT		IS_ENABLED(CONFIG_PREEMPT_TRACER)
#define SCHED		IS_ENABLED(CONFIG_SCHED_TRACER)
#define HWLAT		IS_ENABLED(CONFIG_HWLAT_TRACER)

/* The rows are in the order of available_tracers; nop, which is in core/, comes last. */
static const struct tracer_row tracer_rows[] __initconst = {
	TRACER_ROW(HWLAT,		hwlat,		LATER, hwlat_tracer_setup),
	TRACER_ROW(SCHED,		wakeup_dl,	LATER, NULL),
	TRACER_ROW(SCHED,		wakeup_rt,	LATER, NULL),
	TRACER_ROW(SCHED,		wakeup,		LATER, NULL),
	TRACER_ROW(IRQS && PREEMPT,	preemptirqsoff,	LATER, section_tracers_setup),
	TRACER_ROW(PREEMPT,		preemptoff,	LATER, section_tracers_setup),
	TRACER_ROW(IRQS,		irqsoff,	LATER, section_tracers_setup),
	TRACER_ROW(GRAPH,		graph,		EARLY, graph_tracer_setup),
	TRACER_ROW(FUNCTION,		function,	EARLY, NULL),
};

/* Backwards: available_tracers begins with the tracer that was registered last. */
static void __init tracers_register(bool early)
{
	const struct tracer_row *row;
	int err;

	for (row = tracer_rows + ARRAY_SIZE(tracer_rows) - 1; row >= tracer_rows; row--) {
		if (!row->tracer || row->early != early)
			continue;
		err = row->setup ? row->setup() : 0;
		if (err)
			pr_err("tracing: tracer %s: error %d\n", row->tracer->name, err);
		else
			register_tracer(row->tracer);
	}
}

/**
 * tracer_startup_test - find the startup test of a tracer
 * @tracer: the tracer's name
 *
 * Context: boot.
 * Return: the test, or NULL if the tracer is not in the table.
 */
const struct startup_test *__init tracer_startup_test(const char *tracer)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tracer_rows); i++) {
		if (tracer_rows[i].tracer && !strcmp(tracer_rows[i].tracer->name, tracer))
			return tracer_rows[i].test;
	}
	return NULL;
}

/**
 * early_trace_init - set up tracing, and register the early tracers
 *
 * Context: early boot, interrupts off. There are memory, static keys and call sites, but no
 * scheduler yet.
 */
void __init early_trace_init(void)
{
	if (trace_boot_begin())
		return;
	tracers_register(true);
	trace_boot_finish();
}

static int __init tracers_init(void)
{
	tracers_register(false);
	return 0;
}
core_initcall(tracers_init);

TRACE_README(tracers_readme, 200,
	"Start, look, stop:\n"
	"\n"
	"	echo function > current_tracer\n"
	"	head -50 trace\n"
	"	echo nop > current_tracer\n"
	"\n");
