// SPDX-License-Identifier: GPL-2.0
/*
 * Making the program of a filter from its text:
 *
 *	filter	:= or
 *	or	:= and { "||" and }
 *	and	:= not { "&&" not }
 *	not	:= { "!" } ( "(" or ")" | FIELD OPERATOR VALUE )
 *
 * The text may have thousands of parentheses: there is a level in memory for each, no recursion.
 *
 * The target of a jump is often known only later. So jumps to the same target are kept in lists.
 * The text that was parsed so far has two lists: jumps to take if it is true, and jumps to take if
 * it is false. "!" exchanges the lists. After "&&", the jumps of the first list lead to the next
 * operand; after "||", those of the second.
 *
 * The early program answers whether the filter could allow a record of which only the task and the
 * CPU are known. It has only the steps that test these. In place of any other step, it goes on as
 * if the result were in favour of the record.
 */
#include <linux/align.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "draft.h"
#include "filter.h"

/**
 * struct filter_jumps - jumps that lead to the same place: a list through filter_draft_step::next
 * @first: the first jump: twice the number of its step, plus the result, plus 1; 0: no jumps
 * @last: the last jump, in the same form
 */
struct filter_jumps {
	u32	first;
	u32	last;
};

/**
 * struct filter_level - a parenthesis, or the whole text
 * @accept: jumps if an operand of "||" so far was true
 * @reject: jumps if an operand of "&&" after the last "||" was false
 * @inverted: an odd number of "!" precedes the parenthesis
 * @sum: an odd number of "!" precedes this parenthesis and those around it, in total
 */
struct filter_level {
	struct filter_jumps	accept;
	struct filter_jumps	reject;
	bool			inverted;
	bool			sum;
};

/**
 * struct filter_operand - the operand that was parsed last: a comparison or a parenthesis
 * @accept: jumps if it is true
 * @reject: jumps if it is false
 */
struct filter_operand {
	struct filter_jumps	accept;
	struct filter_jumps	reject;
};

/**
 * struct filter_counts - upper limits of the contents of a text
 * @steps: number of comparisons
 * @levels: number of parentheses, plus 1
 * @data: bytes of patterns and masks
 */
struct filter_counts {
	unsigned int	steps;
	unsigned int	levels;
	size_t		data;
};

/*
 * Jumps
 */

static u32 *filter_jump(struct filter_draft *draft, u32 number)
{
	return &draft->steps[(number - 1) / 2].next[(number - 1) % 2];
}

static struct filter_jumps filter_join(struct filter_draft *draft, struct filter_jumps a,
				       struct filter_jumps b)
{
	if (!a.first)
		return b;
	if (!b.first)
		return a;
	*filter_jump(draft, a.last) = b.first;
	return (struct filter_jumps){ a.first, b.last };
}

/* Let jumps lead to a step. */
static void filter_lead(struct filter_draft *draft, struct filter_jumps jumps, u32 step)
{
	u32 *jump;

	while (jumps.first) {
		jump = filter_jump(draft, jumps.first);
		jumps.first = *jump;
		*jump = step;
	}
}

static void filter_exchange(struct filter_operand *operand)
{
	swap(operand->accept, operand->reject);
}

/* The operand is the last one of its level. Make the whole level the operand. */
static void filter_close(struct filter_draft *draft, const struct filter_level *level,
			 struct filter_operand *operand)
{
	operand->accept = filter_join(draft, level->accept, operand->accept);
	operand->reject = filter_join(draft, level->reject, operand->reject);
	if (level->inverted)
		filter_exchange(operand);
}

static void filter_and(struct filter_draft *draft, struct filter_level *level,
		       const struct filter_operand *operand)
{
	filter_lead(draft, operand->accept, draft->nr);
	level->reject = filter_join(draft, level->reject, operand->reject);
}

static void filter_or(struct filter_draft *draft, struct filter_level *level,
		      const struct filter_operand *operand)
{
	filter_lead(draft, filter_join(draft, level->reject, operand->reject), draft->nr);
	level->reject = (struct filter_jumps){};
	level->accept = filter_join(draft, level->accept, operand->accept);
}

/*
 * Parsing
 */

/* Skip a string in quotes. Return its last character; NULL if there is no second quote. */
static const char *filter_skip_quoted(const char *c)
{
	return *c == '"' || *c == '\'' ? strchr(c + 1, *c) : c;
}

/* The last open parenthesis of a text that ends with @depth open ones. */
static const char *filter_open_parenthesis(const char *text, unsigned int depth)
{
	const char *c, *open = text;
	unsigned int now = 0;

	for (c = text; *c; c = filter_skip_quoted(c) + 1) {
		if (*c == '(' && ++now == depth)
			open = c;
		now -= *c == ')';
	}
	return open;
}

/*
 * Compute upper limits. Quotes are ignored, so the limits hold however the text is parsed: each
 * further comparison or parenthesis has an operator or a "(" before it, a mask begins with a C, and
 * a pattern takes no more characters than its text, apart from alignment.
 */
static void filter_count(const char *text, struct filter_counts *counts)
{
	*counts = (struct filter_counts){ .steps = 1, .levels = 1 };
	for (; *text; text++) {
		counts->steps += *text == '&' || *text == '|';
		counts->levels += *text == '(';
		counts->data += 1;
		if (*text == 'C')
			counts->data += ALIGN(cpumask_size(), FILTER_UNIT);
		if (*text == '"' || *text == '\'')
			counts->data += FILTER_UNIT;
	}
}

/* Find parentheses and quotes that do not match. */
static int filter_check(struct trace_line *line)
{
	const char *c, *end;
	unsigned int depth = 0;

	for (c = line->text; *c; c = end + 1) {
		end = filter_skip_quoted(c);
		if (!end)
			return trace_line_fail(line, -ESRCH, "Missing matching quote", c);
		if (*c == ')' && !depth--)
			return trace_line_fail(line, -EPERM, "Too few '('", c);
		depth += *c == '(';
	}
	if (depth)
		return trace_line_fail(line, -ENOENT, "Too many '('",
				       filter_open_parenthesis(line->text, depth));
	return 0;
}

/* Take "!"s. Return true if their number is odd. */
static bool filter_take_nots(struct trace_line *line)
{
	bool odd = false;

	while (trace_line_take(line, "!"))
		odd = !odd;
	return odd;
}

/* A comparison, which begins with the next character. */
static int filter_add_step(struct filter_draft *draft, bool inverted,
			   const struct filter_level *level, struct filter_operand *operand)
{
	struct filter_draft_step *step = &draft->steps[draft->nr];
	u32 jump = 2 * draft->nr + 1;
	bool was = inverted != level->sum;
	int err;

	if (WARN_ON_ONCE(draft->nr == draft->max))
		return -EINVAL;
	step->inverted = was;
	err = filter_predicate(draft, step);
	if (err)
		return err;
	operand->reject = (struct filter_jumps){ jump, jump };
	operand->accept = (struct filter_jumps){ jump + 1, jump + 1 };
	/* The step may test the inverse of the comparison. */
	if (step->inverted != was)
		inverted = !inverted;
	if (inverted)
		filter_exchange(operand);
	draft->nr++;
	return 0;
}

/* The text ends where an operand should be. */
static int filter_incomplete(struct filter_draft *draft, bool nots)
{
	struct trace_line *line = &draft->line;

	if (draft->nr)
		return trace_line_fail(line, -EINVAL, "Meaningless filter expression",
				       line->rest);
	return nots ? trace_line_fail(line, -EINVAL, "No filter found", line->rest) : -EINVAL;
}

/* Parse "!"s and opening parentheses, and the comparison that follows them. */
static int filter_operand(struct filter_draft *draft, struct filter_level **level,
			  struct filter_operand *operand)
{
	struct trace_line *line = &draft->line;
	bool inverted;

	for (;;) {
		const char *from = line->rest;

		inverted = filter_take_nots(line);
		if (trace_line_ends(line))
			return filter_incomplete(draft, line->rest != from);
		if (!trace_line_take(line, "("))
			break;
		(*level)[1] = (struct filter_level){ .inverted = inverted,
						     .sum = inverted != (*level)->sum };
		++*level;
	}
	return filter_add_step(draft, inverted, *level, operand);
}

/* Parse the whole text. @level: the outermost level; the memory after it is for the others. */
static int filter_parse(struct filter_draft *draft, struct filter_level *level)
{
	struct trace_line *line = &draft->line;
	struct filter_level *outer = level;
	struct filter_operand operand;
	int err;

	for (;;) {
		err = filter_operand(draft, &level, &operand);
		if (err)
			return err;
		while (level > outer && trace_line_take(line, ")"))
			filter_close(draft, level--, &operand);
		if (trace_line_take(line, "&&"))
			filter_and(draft, level, &operand);
		else if (trace_line_take(line, "||"))
			filter_or(draft, level, &operand);
		else
			break;
	}
	if (!trace_line_ends(line))
		return trace_line_fail(line, -EPERM, "Too many terms in predicate expression",
				       line->rest);
	filter_close(draft, level, &operand);
	filter_lead(draft, operand.accept, draft->nr);
	filter_lead(draft, operand.reject, draft->nr + 1);
	return 0;
}

/*
 * The program
 */

/* The first step that the early program runs when it is led to @step. */
static u32 filter_early(const struct filter_draft *draft, u32 step)
{
	return step < draft->nr ? draft->steps[step].early : step;
}

/* Find the early program. Return the number of its steps. */
static unsigned int filter_find_early(struct filter_draft *draft)
{
	struct filter_draft_step *step;
	unsigned int nr = 0, i;
	u32 next[2];

	for (i = draft->nr; i--; ) {
		step = &draft->steps[i];
		next[0] = filter_early(draft, step->next[0]);
		next[1] = filter_early(draft, step->next[1]);
		step->early = next[!step->inverted];
		if (!trace_filter_test_is_early(step->step.test) || next[0] == next[1])
			continue;
		step->early = i;
		nr++;
	}
	return filter_early(draft, 0) == draft->nr ? 0 : nr;
}

/* Bytes of a program with @nr steps. */
static size_t filter_program_size(unsigned int nr)
{
	return nr * sizeof(struct trace_filter_step) + 2 * FILTER_STEP_HEAD;
}

/* The place of a step in a program of @nr steps, in units of FILTER_UNIT bytes */
static u32 filter_place(const struct filter_draft *draft, u32 step, unsigned int nr, bool early)
{
	if (step >= draft->nr)
		return (nr * sizeof(struct trace_filter_step) +
			(step - draft->nr) * FILTER_STEP_HEAD) / FILTER_UNIT;
	if (early)
		return draft->steps[step].early_at;
	return step * sizeof(struct trace_filter_step) / FILTER_UNIT;
}

/* A text is shorter than a page, and a comparison has at least five characters: "a<1||". */
static_assert(PAGE_SIZE / 5 * (sizeof(struct trace_filter_step) / FILTER_UNIT) < U16_MAX,
	      "trace_filter_step::next has 16 bits");

static void filter_write_step(const struct filter_draft *draft, u64 *program, u32 number,
			      unsigned int nr, bool early, const char *data)
{
	const struct filter_draft_step *from = &draft->steps[number];
	u32 at = filter_place(draft, number, nr, early), next;
	struct trace_filter_step *to = (struct trace_filter_step *)(program + at);
	int result;

	*to = from->step;
	if (from->has_data)
		to->data = data + (from->step.data - (const void *)draft->data);
	for (result = 0; result < 2; result++) {
		next = from->next[result];
		to->next[result] = filter_place(draft, early ? filter_early(draft, next) : next,
						nr, early) - at;
	}
}

static void filter_write_ends(u64 *program, unsigned int nr)
{
	struct trace_filter_step *accept = (void *)program + filter_program_size(nr) -
					   2 * FILTER_STEP_HEAD;
	struct trace_filter_step *reject = (void *)accept + FILTER_STEP_HEAD;

	accept->test = FILTER_TEST_ACCEPT;
	reject->test = FILTER_TEST_REJECT;
}

static void filter_write(const struct filter_draft *draft, u64 *program, unsigned int nr,
			 bool early, const char *data)
{
	u32 number;

	for (number = 0; number < draft->nr; number++) {
		if (!early || draft->steps[number].early == number)
			filter_write_step(draft, program, number, nr, early, data);
	}
	filter_write_ends(program, nr);
}

/* Compute the places of the steps in the early program. */
static void filter_place_early(struct filter_draft *draft)
{
	u32 at = 0, number;

	for (number = 0; number < draft->nr; number++) {
		draft->steps[number].early_at = at;
		if (draft->steps[number].early == number)
			at += sizeof(struct trace_filter_step) / FILTER_UNIT;
	}
}

/* Tests of the task and the CPU have the offset 0, or that of common_pid. */
static bool filter_reads_context(const struct filter_draft *draft)
{
	unsigned int number, offset;

	for (number = 0; number < draft->nr; number++) {
		offset = draft->steps[number].step.offset;
		if (offset == offsetof(struct trace_entry, flags) ||
		    offset == offsetof(struct trace_entry, preempt_count))
			return true;
	}
	return false;
}

/* Both programs, the data and the text in one piece of memory. */
static struct event_filter *filter_finish(struct filter_draft *draft)
{
	unsigned int nr_early = filter_find_early(draft);
	size_t whole = filter_program_size(draft->nr);
	size_t early = nr_early ? filter_program_size(nr_early) : 0;
	size_t text = strlen(draft->line.text) + 1;
	struct event_filter *filter;
	char *data;

	filter = kzalloc(sizeof(*filter) + whole + early + draft->data_size + text, GFP_KERNEL);
	if (!filter)
		return ERR_PTR(-ENOMEM);
	data = (char *)filter->program + whole + early;
	memcpy(data, draft->data, draft->data_size);
	filter->text = memcpy(data + draft->data_size, draft->line.text, text);
	filter->reads_context = filter_reads_context(draft);
	filter_write(draft, filter->program, draft->nr, false, data);
	if (nr_early) {
		filter_place_early(draft);
		filter->early = (void *)filter->program + whole +
				filter_place(draft, filter_early(draft, 0), nr_early, true) *
				FILTER_UNIT;
		filter_write(draft, (void *)filter->program + whole, nr_early, true, data);
	}
	return filter;
}

static struct event_filter *filter_make(struct filter_draft *draft,
					const struct filter_counts *counts)
{
	struct filter_level *levels = kvcalloc(counts->levels, sizeof(*levels), GFP_KERNEL);
	struct event_filter *filter = ERR_PTR(-ENOMEM);
	int err;

	draft->steps = kvcalloc(counts->steps, sizeof(*draft->steps), GFP_KERNEL);
	draft->max = counts->steps;
	draft->data = kvzalloc(counts->data ?: 1, GFP_KERNEL);
	draft->data_max = counts->data;
	if (levels && draft->steps && draft->data) {
		err = filter_parse(draft, levels);
		filter = err ? ERR_PTR(err) : filter_finish(draft);
	}
	kvfree(draft->data);
	kvfree(draft->steps);
	kvfree(levels);
	return filter;
}

static struct event_filter *filter_compile(struct filter_draft *draft, const char *text,
					   struct trace_filter_error *error)
{
	struct event_filter *filter;
	struct filter_counts counts;
	int err;

	trace_line_init(&draft->line, text);
	filter_count(text, &counts);
	err = filter_check(&draft->line);
	filter = err ? ERR_PTR(err) : filter_make(draft, &counts);
	*error = (struct trace_filter_error){ draft->line.error, draft->line.error_at };
	return filter;
}

/**
 * trace_filter_compile - make a filter from its text
 * @call: the event
 * @text: the text; the filter has a copy
 * @error: always set; @error->text is NULL if there is no text of an error
 *
 * Context: may sleep.
 * Return: the filter, which the caller frees with kfree() or trace_event_free(); -ENOMEM; the errno
 * of an error in the text: -EINVAL, -EPERM, -ENOENT, -ESRCH.
 */
struct event_filter *trace_filter_compile(const struct trace_event_call *call, const char *text,
					  struct trace_filter_error *error)
{
	struct filter_draft draft = { .call = call };

	return filter_compile(&draft, text, error);
}

/**
 * trace_filter_compile_unprivileged - make a filter for a user who must not learn addresses
 * @call: the event
 * @text: the text; the filter has a copy
 * @error: as for trace_filter_compile()
 *
 * Context: may sleep.
 * Return: as trace_filter_compile(); also -EPERM if the text names functions.
 */
struct event_filter *trace_filter_compile_unprivileged(const struct trace_event_call *call,
						       const char *text,
						       struct trace_filter_error *error)
{
	struct filter_draft draft = { .call = call, .hides_functions = true };

	return filter_compile(&draft, text, error);
}
