/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common code of the KUnit tests of filters: an event, and a record of it.
 */
#ifndef _TRACE_EVENTS_FILTER_TEST_H
#define _TRACE_EVENTS_FILTER_TEST_H

#include <linux/bitops.h>
#include <linux/preempt.h>
#include <linux/threads.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "filter.h"

/* A record with a field of each kind. */
struct filter_record {
	struct trace_entry	entry;
	s8			byte;
	u8			ubyte;
	u16			half;
	s32			word;
	u64			large;
	s64			slarge;
	u32			uword;
	s16			shalf;
	u8			zero;
	u8			odd[3];
	unsigned long		where;
	char			name[8];
	char			mark[4];
	u32			text_loc;
	u32			rel_loc;
	u32			cpus_loc;
	const char		*address;
	char			text[8];
	char			rel[8];
	unsigned long		cpus[BITS_TO_LONGS(NR_CPUS)];
};

/**
 * struct filter_address - what filters read at an address
 * @address: the address
 * @kernel: the string of the kernel there; NULL: none can be read
 * @user: the string of the process there; NULL: none can be read
 * @drawn: FILTER_DRAWN bytes, which random tests fill with the string; NULL: it is always the same
 */
struct filter_address {
	const char	*address;
	const char	*kernel;
	const char	*user;
	char		*drawn;
};

#define FILTER_DRAWN	320

/*
 * Number of random filters. User-Mode Linux runs as fast as the host. tools/testing/event-filter
 * has its own number. It also gives the cases addresses of a process, as struct kunit.priv: a list
 * that a NULL address ends. In the kernel, the cases run in a thread without such addresses.
 */
#ifndef FILTER_TREES
#define FILTER_TREES	(IS_ENABLED(CONFIG_UML) ? 100000 : 3000)
#endif

extern const struct trace_event_call filter_test_call;

void filter_record_init(struct filter_record *record);

static inline bool filter_test_allows(const struct event_filter *filter,
			       const struct filter_record *record)
{
	guard(preempt)();
	return trace_filter_allows(filter, record);
}

static inline bool filter_test_may_allow(const struct event_filter *filter)
{
	guard(preempt)();
	return trace_filter_may_allow(filter);
}

#endif /* _TRACE_EVENTS_FILTER_TEST_H */
