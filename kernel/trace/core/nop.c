// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer that records nothing: an instance runs it when it runs no other.
 *
 * It has two options for tests: one accepts each change and does nothing else, the other refuses
 * each change.
 */
#include "instance.h"
#include "internal.h"
#include "tracer.h"

static int nop_refuse(struct trace_array *tr, bool on)
{
	return -EINVAL;
}

static const struct trace_option nop_options[] = {
	{ .name = "test_nop_accept" },
	{ .name = "test_nop_refuse", .change = nop_refuse },
};

struct tracer nop_tracer = {
	.name		= "nop",
	.options	= nop_options,
	.nr_options	= ARRAY_SIZE(nop_options),
};
