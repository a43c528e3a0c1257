/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The test of a tracer after boot: CONFIG_FTRACE_STARTUP_TEST
 */
#ifndef _TRACE_TRACERS_STARTUP_H
#define _TRACE_TRACERS_STARTUP_H

#include <linux/bits.h>
#include <linux/init.h>
#include <linux/types.h>

/* Expectations of a test: kinds of entries, and the right section as the longest one. */
enum {
	SAW_CALL	= BIT(0),
	SAW_ENTRY	= BIT(1),
	SAW_RETURN	= BIT(2),
	SAW_WAKEUP	= BIT(3),
	SAW_SWITCH	= BIT(4),
	SAW_SECTION	= BIT(5),
	SAW_HWLAT	= BIT(6),
};

/**
 * struct startup_test - the test of a tracer
 * @act: runs code that the tracer has to record
 * @saw: BIT() of the kinds of entries that have to be found afterwards
 * @section: function in which the longest section has to begin and end; NULL for tracers that
 *	measure no sections
 * @latency: the entries to look at are those that are kept with the longest section
 */
struct startup_test {
	void		(*act)(void);
	unsigned int	saw;
	void		(*section)(void);
	bool		latency;
};

/* Define the test of a tracer, for its row in table.c. It is in the tracer's own file. */
#define STARTUP_TEST(name)	const struct startup_test name##_startup_test __initconst

void startup_test_call(void);
void startup_test_spin(void);

extern STARTUP_TEST(function);
extern STARTUP_TEST(graph);
extern STARTUP_TEST(hwlat);
extern STARTUP_TEST(irqsoff);
extern STARTUP_TEST(preemptoff);
extern STARTUP_TEST(preemptirqsoff);
extern STARTUP_TEST(wakeup);
extern STARTUP_TEST(wakeup_rt);
extern STARTUP_TEST(wakeup_dl);

/* table.c */
const struct startup_test *tracer_startup_test(const char *tracer);

#endif /* _TRACE_TRACERS_STARTUP_H */
