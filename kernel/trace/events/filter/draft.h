/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that is being made: compile.c makes the jumps, predicate.c the comparisons.
 */
#ifndef _TRACE_EVENTS_FILTER_DRAFT_H
#define _TRACE_EVENTS_FILTER_DRAFT_H

#include <linux/types.h>

#include "../../lib/line.h"
#include "program.h"

struct trace_event_call;

/**
 * struct filter_draft_step - a step
 * @step: the step, without its jumps; @step.data is in filter_draft::data
 * @next: for each result: number of the next step. Until that is known: the next jump of a list,
 *	see struct filter_jumps
 * @inverted: the record is wanted if the result is false
 * @has_data: @step.data is set
 * @early: the first step that the early program runs here: this one or a later one
 * @early_at: its place in the early program, in units of FILTER_UNIT bytes
 */
struct filter_draft_step {
	struct trace_filter_step	step;
	u32				next[2];
	bool				inverted;
	bool				has_data;
	u32				early;
	u32				early_at;
};

/**
 * struct filter_draft - a program that is being made
 * @call: the event
 * @hides_functions: the user must not learn where functions are
 * @line: text of the filter
 * @steps: the steps; after the last, numbers @nr and @nr + 1 stand for FILTER_TEST_ACCEPT and
 *	FILTER_TEST_REJECT
 * @nr: number of steps
 * @max: number of steps that there is memory for
 * @data: patterns and masks
 * @data_size: bytes of @data that are used; a multiple of FILTER_UNIT
 * @data_max: bytes of @data
 */
struct filter_draft {
	const struct trace_event_call	*call;
	bool				hides_functions;
	struct trace_line		line;
	struct filter_draft_step	*steps;
	unsigned int			nr;
	unsigned int			max;
	char				*data;
	size_t				data_size;
	size_t				data_max;
};

int filter_predicate(struct filter_draft *draft, struct filter_draft_step *to);

#endif /* _TRACE_EVENTS_FILTER_DRAFT_H */
