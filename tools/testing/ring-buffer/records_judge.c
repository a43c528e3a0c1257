// SPDX-License-Identifier: GPL-2.0
/*
 * Who has to get an event: the test's own answer, which is compared with what record.c has done.
 *
 * This asks the settings, which the CPU has copied when the event occurred. If the version of an
 * instance has changed since then, or is odd, any answer is right for that instance.
 */
#include "records.h"

/* Read a version before the settings. */
u64 setting_version(u64 *version)
{
	return __atomic_load_n(version, __ATOMIC_ACQUIRE);
}

/* Were the settings of @version those of all the time since they were copied? */
static bool is_stable(u64 *version, u64 copied)
{
	smp_rmb();
	return !(copied % 2) && __atomic_load_n(version, __ATOMIC_RELAXED) == copied;
}

/* Does the instance take events before it sees the record? */
static bool takes_now(const struct cpu *cpu, const struct setting *set)
{
	if (!set->attached || !set->on || set->flags & BIT(TRACE_EVENT_FILE_SOFT_DISABLED))
		return false;
	if (set->flags & BIT(TRACE_EVENT_FILE_PID_FILTER) &&
	    !pid_in(set->pids, FIRST_PID + cpu->cpu))
		return false;
	return !(set->flags & BIT(TRACE_EVENT_FILE_EARLY_FILTER)) ||
	       set->filter.cpus >> cpu->cpu & 1;
}

static bool wants_tasks(const struct cpu *cpu, const struct frame *frame,
			const struct setting *set)
{
	return !(set->flags & BIT(TRACE_EVENT_FILE_TWO_PIDS)) ||
	       pid_in(set->pids, FIRST_PID + cpu->cpu) || pid_in(set->pids, frame->plan.other_pid);
}

static bool takes_record(const struct cpu *cpu, const struct frame *frame,
			 const struct setting *set)
{
	if (!takes_now(cpu, set) || !wants_tasks(cpu, frame, set))
		return false;
	return !(set->flags & BIT(TRACE_EVENT_FILE_FILTER)) ||
	       (set->filter.cpus >> cpu->cpu & 1 &&
		frame->number % set->filter.mod == set->filter.rest);
}

/* Was the record made in the buffer of an instance, or for perf, after @instance was asked? */
static bool was_skipped(const struct frame *frame, unsigned int instance)
{
	const struct trace_event_buffer *record = &frame->record;
	unsigned int slot;

	if (!record->users || record->taker > record->users->nr)
		return false;
	for (slot = 0; slot < record->taker; slot++) {
		const struct trace_event_file *file =
			__atomic_load_n(&record->users->file[slot], __ATOMIC_CONSUME);

		if (file && instance_of(file->tr) == instance)
			return true;
	}
	return false;
}

/*
 * An instance has to publish what it takes, or to count it as lost. A record may also be lost that
 * would not be taken: that is known only when it is complete, and the space is asked for before,
 * unless the record is made in other memory.
 */
static void judge_record(struct cpu *cpu, const struct frame *frame, unsigned int i)
{
	const struct setting *set = &frame->setting[i];
	bool takes = takes_record(cpu, frame, set) && set->cpus >> cpu->cpu & 1;
	bool published = frame->published & BIT(i);

	CHECK(!((frame->published_again | frame->again) & BIT(i)), "instance %u twice", i);
	CHECK(!published || takes, "instance %u, flags %lx, number %u", i, set->flags,
	      frame->number);
	if (published || !takes_now(cpu, set) || !(set->cpus >> cpu->cpu & 1))
		return;
	if (takes || !frame->made || was_skipped(frame, i)) {
		cpu->lost[i]++;
		cpu->seen[SEEN_LOST]++;
		cpu->seen[SEEN_SKIPPED] += frame->made && was_skipped(frame, i);
	}
}

static void judge_triggers(struct cpu *cpu, const struct frame *frame, unsigned int i)
{
	const struct setting *set = &frame->setting[i];
	bool has = set->attached && set->flags & BIT(TRACE_EVENT_FILE_TRIGGERS);
	bool with_record = set->flags & BIT(TRACE_EVENT_FILE_RECORD_TRIGGERS);
	bool task = !(set->flags & BIT(TRACE_EVENT_FILE_PID_FILTER)) ||
		    pid_in(set->pids, FIRST_PID + cpu->cpu);
	bool recorded = has && with_record && task && frame->made && wants_tasks(cpu, frame, set);

	CHECK(!(frame->before & BIT(i)) == !(has && !with_record), "instance %u", i);
	CHECK(!(frame->recorded & BIT(i)) == !recorded, "instance %u", i);
	CHECK(!(frame->after & BIT(i)) == !(recorded && frame->plan.later), "instance %u", i);
	CHECK(!(frame->late & BIT(i)), "instance %u published it after its triggers", i);
	/* The record is made for them, whoever else takes it. */
	CHECK(frame->made || !has || !with_record || !task ||
	      frame->plan.size > TRACE_SCRATCH_SIZE, "instance %u", i);
}

static void judge_perf(const struct frame *frame)
{
	CHECK(frame->perfs == (frame->perf && frame->made), "%u times", frame->perfs);
	CHECK(!frame->perf || frame->made || frame->plan.size > PERF_MAX_TRACE_SIZE);
}

/* Is the answer of trace_event_buffer_wanted() right? */
static void judge_wanted(const struct cpu *cpu, const struct frame *frame)
{
	bool wanted = frame->perf;
	unsigned int i;

	for (i = 0; i < INSTANCES; i++)
		wanted |= takes_now(cpu, &frame->setting[i]) ||
			  (frame->setting[i].attached &&
			   frame->setting[i].flags & BIT(TRACE_EVENT_FILE_TRIGGERS));
	CHECK(frame->wanted == wanted, "%d", wanted);
}

static void count_ways(struct cpu *cpu, const struct frame *frame)
{
	const struct trace_event_buffer *record = &frame->record;
	const struct trace_event_users *users;
	u64 *seen = cpu->seen;

	seen[SEEN_REFUSED] += frame->bit < 0;
	seen[SEEN_UNWANTED] += frame->asked && !frame->wanted;
	seen[SEEN_NESTED] += frame->depth > 3;
	seen[SEEN_BEFORE] += !!frame->before;
	seen[SEEN_RECORDED] += !!frame->recorded;
	seen[SEEN_AFTER] += !!frame->after;
	if (!frame->made)
		return;
	users = record->users;
	seen[SEEN_NMI] += !!(frame->flags & TRACE_FLAG_NMI);
	seen[SEEN_LARGE] += frame->plan.size > TRACE_SCRATCH_SIZE;
	seen[SEEN_COPIED] += __builtin_popcount(frame->published) > 1;
	if (!users) {
		seen[SEEN_ONE]++;
		return;
	}
	seen[SEEN_FILTERED] += record->taker > users->nr && record->file;
	seen[SEEN_ASIDE] += record->taker > users->nr && !record->file;
	seen[SEEN_FIRST] += record->taker < users->nr;
	seen[SEEN_PERF_ONLY] += record->taker == users->nr;
	seen[SEEN_PERF_COPY] += frame->perfs && record->taker < users->nr;
	seen[SEEN_DISCARDED] += record->taker < users->nr &&
				!(frame->published & BIT(instance_of(record->file->tr)));
}

/* Nobody may get an event that recursion refuses, or whose record is too long. */
static void judge_refused(const struct frame *frame)
{
	CHECK(!frame->made && !frame->before, "number %u, bit %d, size %u", frame->number,
	      frame->bit, frame->plan.size);
}

/* Judge what was done about an event, in the read section of its probe. */
void judge(struct cpu *cpu, struct frame *frame)
{
	struct event *event = &events[frame->plan.event];
	bool refused = frame->bit < 0 || frame->plan.size > U16_MAX;
	bool all_stable = true, stable;
	unsigned int i;

	if (frame->made)
		CHECK(frame->record.recursion == TRACE_RECURSION_EVENT + frame->bit);
	else
		CHECK(!frame->published && !frame->recorded && !frame->perfs);
	CHECK(frame->exports == __builtin_popcount(frame->published) +
				__builtin_popcount(frame->published_again), "%u", frame->exports);
	CHECK(frame->prints == !!frame->published, "%u", frame->prints);
	CHECK(!frame->published || current->trace_recursion & TRACE_TASK_RECORDED);
	CHECK(frame->perfs <= 1, "%u", frame->perfs);
	for (i = 0; i < INSTANCES; i++) {
		cpu->published[i] += (frame->published >> i & 1) +
				     (frame->published_again >> i & 1);
		stable = is_stable(&instances[i].common.version, frame->setting[i].version);
		all_stable &= stable;
		if (!stable) {
			cpu->unsure[i]++;
			cpu->seen[SEEN_UNSTABLE]++;
		} else if (!refused) {
			judge_record(cpu, frame, i);
			judge_triggers(cpu, frame, i);
		}
	}
	if (refused)
		judge_refused(frame);
	stable = is_stable(&event->perf_version, frame->perf_version);
	if (stable && !refused)
		judge_perf(frame);
	if (stable && all_stable && frame->asked)
		judge_wanted(cpu, frame);
	cpu->published_by[frame->number - phase_begin] = frame->published;
	cpu->again_by[frame->number - phase_begin] = frame->published_again;
	count_ways(cpu, frame);
}
