// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer that records nothing: what an instance runs when it runs no other.
 *
 * Its two options do nothing but to accept and to refuse to be changed, so that
 * tests can see what becomes of that.
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
