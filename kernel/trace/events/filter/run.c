// SPDX-License-Identifier: GPL-2.0
/*
 * Running the program of a filter: program.h.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/glob.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "filter.h"
#include "program.h"

/* The part of a string at an address that is compared. It is copied to the stack. */
#define FILTER_STRING_MAX	1024

/* Is the pattern a part of the string? strnstr() would stop at a NUL, too; there is none. */
static bool filter_part_matches(const struct trace_filter_step *step, const char *text, size_t len)
{
	for (; len >= step->len; text++, len--) {
		if (!memcmp(text, step->data, step->len))
			return true;
	}
	return false;
}

/* @len: number of characters that may be read; the string ends at a NUL before. */
static bool filter_string_matches(const struct trace_filter_step *step, const char *text,
				  size_t len)
{
	bool matches = false;

	/* A pattern has no NUL, except after its end. */
	switch (step->match) {
	case FILTER_MATCH_ALL:
		matches = len >= step->len &&
			  !memcmp(text, step->data, min_t(size_t, len, step->len + 1));
		break;
	case FILTER_MATCH_BEGIN:
		matches = len >= step->len && !memcmp(text, step->data, step->len);
		break;
	case FILTER_MATCH_END:
		len = strnlen(text, len);
		matches = len >= step->len &&
			  !memcmp(text + len - step->len, step->data, step->len);
		break;
	case FILTER_MATCH_PART:
		matches = filter_part_matches(step, text, strnlen(text, len));
		break;
	case FILTER_MATCH_GLOB:
		matches = glob_match_len(step->data, text, len);
		break;
	}
	return matches != step->differs;
}

/* The string at the address that a field has. */
static noinline bool filter_address_matches(const struct trace_filter_step *step,
					    const void *field)
{
	unsigned long address = *(const unsigned long *)field;
	char text[FILTER_STRING_MAX];
	long len;

	if (step->test == FILTER_TEST_STRING_KERNEL)
		len = strncpy_from_kernel_nofault(text, (const void *)address, sizeof(text));
	else if (current->mm)
		len = strncpy_from_user_nofault(text, (const void __user *)address, sizeof(text));
	else
		len = -EFAULT;
	return len >= 0 && filter_string_matches(step, text, len);
}

/* The data that a __data_loc or __rel_loc refers to; these are offsets from @base. */
static const void *filter_data(const void *base, const void *field, size_t *len)
{
	u32 loc = *(const u32 *)field;

	*len = loc >> 16;
	return base + (loc & 0xffff);
}

static bool filter_mask_matches(const struct trace_filter_step *step, const void *record,
				const void *field)
{
	size_t size;
	const void *mask = filter_data(record, field, &size);

	/* The field has as many words as this kernel's masks. */
	if (size < BITS_TO_LONGS(nr_cpumask_bits) * sizeof(long))
		return false;
	switch (step->test) {
	case FILTER_TEST_CPUS_EQUAL:
		return cpumask_equal(mask, step->data);
	case FILTER_TEST_CPUS_DIFFER:
		return !cpumask_equal(mask, step->data);
	default:
		return cpumask_intersects(mask, step->data);
	}
}

static u64 filter_number(const struct trace_filter_step *step, const void *field)
{
	switch (step->size) {
	case 1:
		return *(const u8 *)field;
	case 2:
		return *(const u16 *)field;
	case 4:
		return *(const u32 *)field;
	default:
		return *(const u64 *)field;
	}
}

static bool filter_cpu_matches(const struct trace_filter_step *step, u64 cpu)
{
	return cpu < nr_cpu_ids && cpumask_test_cpu(cpu, step->data);
}

static bool filter_step_other(const struct trace_filter_step *step, const void *record)
{
	const void *field = record + step->offset, *data;
	size_t len;

	switch (step->test) {
	case FILTER_TEST_THIS_CPU_BITS:
		return smp_processor_id() & step->bits;
	case FILTER_TEST_THIS_CPU_IN:
		return cpumask_test_cpu(smp_processor_id(), step->data);
	case FILTER_TEST_THIS_COMM:
		return filter_string_matches(step, current->comm, TASK_COMM_LEN);
	case FILTER_TEST_NUMBER_1:
		return (u8)(*(const u8 *)field - step->from) <= step->span;
	case FILTER_TEST_NUMBER_2:
		return (u16)(*(const u16 *)field - step->from) <= step->span;
	case FILTER_TEST_BITS:
		return filter_number(step, field) & step->bits;
	case FILTER_TEST_CPU_IN:
		return filter_cpu_matches(step, filter_number(step, field));
	case FILTER_TEST_CPUS_EQUAL:
	case FILTER_TEST_CPUS_DIFFER:
	case FILTER_TEST_CPUS_MEET:
		return filter_mask_matches(step, record, field);
	case FILTER_TEST_STRING:
		return filter_string_matches(step, field, step->room);
	case FILTER_TEST_STRING_DATA:
		data = filter_data(record, field, &len);
		return filter_string_matches(step, data, len);
	case FILTER_TEST_STRING_REL:
		data = filter_data(field + sizeof(u32), field, &len);
		return filter_string_matches(step, data, len);
	case FILTER_TEST_STRING_KERNEL:
	case FILTER_TEST_STRING_USER:
		return filter_address_matches(step, field);
	default:
		return false;
	}
}

static __always_inline const struct trace_filter_step *
filter_next(const struct trace_filter_step *step, bool result)
{
	return (const void *)step + step->next[result] * FILTER_UNIT;
}

/*
 * Run the program up to its end, or to a test that is not made here: those of numbers of 4 and 8
 * bytes, the pid and the CPU are. Return that step.
 */
static __always_inline const struct trace_filter_step *
filter_run_numbers(const struct trace_filter_step *step, const void *record)
{
	/*
	 * Most comparisons are false. If the result were a variable, the compiler would compute it
	 * and then branch: 17 instructions for a comparison on riscv instead of 12.
	 */
	for (;;) {
		if (likely(step->test == FILTER_TEST_NUMBER_4)) {
			if (unlikely(*(const u32 *)(record + step->offset) - (u32)step->from <=
				     (u32)step->span))
				goto matches;
		} else if (step->test <= FILTER_TEST_REJECT) {
			return step;
		} else if (step->test == FILTER_TEST_NUMBER_8) {
			if (*(const u64 *)(record + step->offset) - step->from <= step->span)
				goto matches;
		} else if (step->test == FILTER_TEST_PID) {
			if ((u32)current->pid - (u32)step->from <= (u32)step->span)
				goto matches;
		} else if (step->test == FILTER_TEST_THIS_CPU) {
			if (smp_processor_id() - (u32)step->from <= (u32)step->span)
				goto matches;
		} else {
			return step;
		}
		step = filter_next(step, false);
		continue;
matches:
		step = filter_next(step, true);
	}
}

/* Run the program from a comparison on that filter_run_numbers() does not know. */
static noinline bool filter_run_other(const struct trace_filter_step *step, const void *record)
{
	do {
		step = filter_next(step, filter_step_other(step, record));
		step = filter_run_numbers(step, record);
	} while (step->test > FILTER_TEST_REJECT);
	return step->test == FILTER_TEST_ACCEPT;
}

/**
 * trace_filter_run - run the program of a filter
 * @step: its first step
 * @record: a complete record of its event; may be NULL if the program does without
 *
 * Most programs only compare numbers of 4 or 8 bytes: they are run without a stack frame.
 *
 * Context: any, with preemption off, on the CPU and in the task that made the record.
 * Return: true if the record is wanted.
 */
bool trace_filter_run(const struct trace_filter_step *step, const void *record)
{
	step = filter_run_numbers(step, record);
	if (step->test <= FILTER_TEST_REJECT)
		return step->test == FILTER_TEST_ACCEPT;
	return filter_run_other(step, record);
}

#ifdef CONFIG_PERF_EVENTS
/**
 * filter_match_preds - does a filter allow a record?
 * @filter: the filter; NULL allows all records
 * @record: a complete record of its event
 *
 * Context: as trace_filter_allows().
 * Return: 1 if it does, 0 if not.
 */
int filter_match_preds(struct event_filter *filter, void *record)
{
	return !filter || trace_filter_allows(filter, record);
}
EXPORT_SYMBOL_GPL(filter_match_preds);
#endif
