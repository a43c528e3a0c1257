// SPDX-License-Identifier: GPL-2.0
/*
 * The CPUs of the test of recording: events, events inside of them, and interrupts.
 *
 * A CPU reads its clock, and words that others may change, through the shim, which calls
 * interrupt_here(). There it is interrupted at random by a softirq, an interrupt or an NMI, as far
 * as these may interrupt it. The first event of some of them occurs before preempt_count() has
 * changed.
 */
#include "records.h"

static __thread struct cpu *this_cpu;

u64 clock_step(void)
{
	u64 random;

	if (!this_cpu)
		return 1;
	random = rnd(&this_cpu->seed);
	return random % 1024 ? random >> 60 : 1ULL << random / 1024 % 34;
}

struct frame *current_frame(void)
{
	CHECK(this_cpu && this_cpu->depth);
	return &this_cpu->frame[this_cpu->depth - 1];
}

/* Most records are small. Some do not fit into a piece of scratch, a page, or 16 bits. */
static unsigned int plan_size(u64 random)
{
	unsigned int limit;

	switch (random % 32) {
	case 0 ... 25:
		return SAMPLE_HEAD + random / 32 % 100;
	case 26 ... 28:
		return TRACE_SCRATCH_SIZE - 8 + random / 32 % 16;
	case 29 ... 30:
		return SAMPLE_HEAD + random / 32 % 2000;
	default:
		limit = random / 32 % 32 ? 9000 : MAX_SAMPLE - SAMPLE_HEAD;
		return SAMPLE_HEAD + random / 1024 % limit;
	}
}

struct plan plan_of(unsigned int cpu, u32 number)
{
	u64 seed = (number * 8ULL + cpu + 1) * 0x9e3779b97f4a7c15;
	struct plan plan;

	rnd(&seed);
	plan.event = rnd(&seed) % EVENTS;
	plan.size = plan_size(rnd(&seed) >> 8);
	plan.other_pid = FIRST_PID + (rnd(&seed) >> 8) % (2 * TEST_CPUS);
	plan.later = rnd(&seed) >> 8 & 1;
	if (plan.event == TWO_TASKS_EVENT)
		plan.size = max(plan.size, (unsigned int)sizeof(struct sample));
	return plan;
}

/* Random bytes. The record of each event has some of these, from another place on. */
#define PATTERN_PLACES	65536

static u8 patterns[PATTERN_PLACES + MAX_SAMPLE];

void make_patterns(void)
{
	u64 seed = 1;
	unsigned int i;

	for (i = 0; i < sizeof(patterns); i++)
		patterns[i] = rnd(&seed);
}

static const u8 *pattern(const struct sample *sample)
{
	return patterns + (sample->number * TEST_CPUS + sample->cpu) % PATTERN_PLACES;
}

static void fill(struct sample *sample, unsigned int from, unsigned int to)
{
	memcpy((u8 *)sample + from, pattern(sample) + from, to - from);
}

/* Check all but the flags of a record whose CPU is known. */
static void check_body(const struct sample *sample, unsigned int cpu)
{
	const u8 *bytes = (const u8 *)sample;
	struct plan plan = plan_of(cpu, sample->number);
	unsigned int at = SAMPLE_HEAD;

	CHECK(sample->cpu == cpu, "%u on %u", sample->cpu, cpu);
	CHECK(sample->ent.type == TRACE_FIRST_EVENT_TYPE + plan.event, "%u", sample->ent.type);
	CHECK(sample->ent.pid == FIRST_PID + (int)cpu, "%d", sample->ent.pid);
	if (plan.event == TWO_TASKS_EVENT) {
		CHECK(sample->other_pid == plan.other_pid, "%d", sample->other_pid);
		at = sizeof(*sample);
	}
	CHECK(!memcmp(bytes + at, pattern(sample) + at, plan.size - at), "%u bytes", plan.size);
}

static void check_flags(const struct sample *sample)
{
	CHECK(sample->ent.flags == sample->flags, "%x, %x", sample->ent.flags, sample->flags);
	CHECK(sample->ent.preempt_count == sample->preempt_count, "%x, %x",
	      sample->ent.preempt_count, sample->preempt_count);
}

/* Check a record whose CPU is known. */
void check_content(const struct sample *sample, unsigned int cpu)
{
	check_body(sample, cpu);
	check_flags(sample);
}

/* Check a record of the event in progress. Its flags may not be set yet. */
void check_unflagged(const struct frame *frame, const struct sample *sample)
{
	CHECK(sample->number == frame->number, "%u, %u", sample->number, frame->number);
	CHECK(sample->depth == frame->depth && sample->flags == frame->flags);
	check_body(sample, shim_this_cpu);
}

/* Check a record of the event in progress. */
void check_frame(const struct frame *frame, const struct sample *sample)
{
	check_unflagged(frame, sample);
	check_flags(sample);
}

static void occur(struct cpu *cpu);

/* Make a record in two halves. Other events may occur in between. */
static void fill_in(struct cpu *cpu, struct frame *frame, struct sample *sample)
{
	unsigned int size = frame->plan.size, half = SAMPLE_HEAD + (size - SAMPLE_HEAD) / 2;

	sample->number = frame->number;
	sample->cpu = cpu->cpu;
	sample->depth = frame->depth;
	sample->flags = frame->flags;
	sample->preempt_count = frame->preempt_count;
	fill(sample, SAMPLE_HEAD, half);
	interrupt_here();
	if (rnd(&cpu->seed) % 8 == 0)
		occur(cpu);
	fill(sample, half, size);
	if (frame->plan.event == TWO_TASKS_EVENT)
		sample->other_pid = frame->plan.other_pid;
	interrupt_here();
}

/* The probe of all events */
void records_probe(void *data)
{
	struct cpu *cpu = this_cpu;
	struct frame *frame = current_frame();
	struct trace_event_buffer *record = &frame->record;
	void *entry;

	if (rnd(&cpu->seed) % 4 == 0) {
		frame->asked = true;
		frame->wanted = trace_event_buffer_wanted(data);
		if (!frame->wanted)
			return;
	}
	/* reserve() may rely on the first members only. */
	memset(record, 0x5a, sizeof(*record));
	record->call = data;
	entry = trace_event_buffer_reserve(record, frame->plan.size);
	if (!entry)
		return;
	CHECK(entry == record->entry);
	frame->made = true;
	frame->held = true;
	fill_in(cpu, frame, entry);
	frame->held = false;
	trace_event_buffer_commit(record);
}

static unsigned int held_bits(void)
{
	return current->trace_recursion >> TRACE_RECURSION_EVENT & (BIT(TRACE_RECURSION_BITS) - 1);
}

/*
 * Which bit of TRACE_RECURSION_EVENT will the event take? The bits that are held when it occurs
 * have to be those of events in progress, and all of those that are known to hold theirs.
 */
static void predict_bit(struct cpu *cpu, struct frame *frame, unsigned int level)
{
	unsigned int may = 0, must = 0, i;

	for (i = 0; i < frame->depth; i++) {
		if (cpu->frame[i].bit < 0)
			continue;
		may |= BIT(cpu->frame[i].bit);
		if (cpu->frame[i].held)
			must |= BIT(cpu->frame[i].bit);
	}
	frame->bits = held_bits();
	CHECK(!(frame->bits & ~may), "held %x, in progress %x", frame->bits, may);
	CHECK(!(must & ~frame->bits), "held %x, at least %x", frame->bits, must);
	frame->bit = level;
	if (frame->bits & BIT(frame->bit))
		frame->bit = TRACE_RECURSION_EARLY;
	if (frame->bits & BIT(frame->bit))
		frame->bit = -1;
	cpu->seen[SEEN_EARLY] += frame->bit == TRACE_RECURSION_EARLY;
}

/* What the header of a record has to have, from preempt_count() outside of the probe. */
static void predict_context(struct frame *frame, unsigned int count)
{
	frame->flags = (count & (HARDIRQ_MASK | NMI_MASK) ? TRACE_FLAG_IRQS_OFF : 0) |
		       (count & NMI_MASK ? TRACE_FLAG_NMI : 0) |
		       (count & HARDIRQ_MASK ? TRACE_FLAG_HARDIRQ : 0) |
		       (count & SOFTIRQ_OFFSET ? TRACE_FLAG_SOFTIRQ : 0) |
		       (count & SOFTIRQ_DISABLE_OFFSET ? TRACE_FLAG_BH_OFF : 0) |
		       (current->need_resched ? TRACE_FLAG_NEED_RESCHED : 0) |
		       (current->preempt_resched ? TRACE_FLAG_PREEMPT_RESCHED : 0);
	frame->preempt_count = (count & PREEMPT_MASK) | current->migration_disabled << 4;
}

static void copy_settings(struct frame *frame)
{
	struct event *event = &events[frame->plan.event];
	unsigned int i, word;
	u64 *from, *to;

	frame->perf_version = setting_version(&event->perf_version);
	frame->perf = __atomic_load_n(&event->perf, __ATOMIC_RELAXED);
	for (i = 0; i < INSTANCES; i++) {
		u64 version = setting_version(&instances[i].common.version);

		from = (u64 *)&instances[i].setting[frame->plan.event];
		to = (u64 *)&frame->setting[i];
		for (word = 0; word < sizeof(struct setting) / sizeof(u64); word++)
			to[word] = __atomic_load_n(&from[word], __ATOMIC_RELAXED);
		frame->setting[i].version = version;
	}
}

/* The tracepoint of an event is reached. */
static void occur(struct cpu *cpu)
{
	unsigned int count = shim_preempt_count;
	unsigned int level = count & NMI_MASK ? 3 : count & HARDIRQ_MASK ? 2 :
			     !!(count & SOFTIRQ_OFFSET);
	enum shim_rcu kind = cpu->idle && !cpu->level ? SHIM_SRCU : SHIM_RCU;
	struct tracepoint *tp;
	struct frame *frame;
	void (*probe)(void *data);

	if (cpu->depth == FRAMES || cpu->number - phase_begin == PHASE_EVENTS)
		return;
	frame = &cpu->frame[cpu->depth];
	memset(frame, 0, sizeof(*frame));
	frame->number = cpu->number++;
	frame->plan = plan_of(cpu->cpu, frame->number);
	frame->depth = cpu->depth;
	predict_bit(cpu, frame, level);
	predict_context(frame, count);
	cpu->depth++;
	shim_preempt_count++;
	shim_read_lock(kind);
	copy_settings(frame);
	tp = &events[frame->plan.event].tp;
	probe = __atomic_load_n(&tp->probe, __ATOMIC_ACQUIRE);
	if (probe)
		probe(__atomic_load_n(&tp->data, __ATOMIC_RELAXED));
	CHECK(held_bits() == frame->bits, "held %x, before %x", held_bits(), frame->bits);
	judge(cpu, frame);
	shim_read_unlock(kind);
	shim_preempt_count--;
	cpu->depth--;
}

static void interrupt(struct cpu *cpu)
{
	static const unsigned int offset[] = { 0, SOFTIRQ_OFFSET, HARDIRQ_OFFSET, NMI_OFFSET };
	unsigned int saved = cpu->level;
	u64 random = rnd(&cpu->seed);
	unsigned int nr;

	cpu->level += 1 + random % (3 - cpu->level);
	if (!(random >> 8 & 3))
		occur(cpu);
	shim_preempt_count += offset[cpu->level];
	for (nr = (random >> 10) % 3; nr; nr--)
		occur(cpu);
	shim_preempt_count -= offset[cpu->level];
	if (!(random >> 16 & 7))
		occur(cpu);
	cpu->level = saved;
}

void interrupt_here(void)
{
	struct cpu *cpu = this_cpu;

	if (cpu && cpu->open && cpu->level < 3 && rnd(&cpu->seed) % options.rate == 0)
		interrupt(cpu);
}

/* An event of the task, in a context that tasks can be in. */
static void task_event(struct cpu *cpu)
{
	u64 random = rnd(&cpu->seed);

	cpu->idle = random % 4 == 0;
	current->need_resched = random >> 8 & 1;
	current->preempt_resched = random >> 9 & 1;
	current->migration_disabled = random >> 10 & 3;
	current->trace_recursion &= ~TRACE_TASK_RECORDED;
	shim_preempt_count = (random >> 12 & 3) + (random >> 14 & 7 ? 0 : SOFTIRQ_DISABLE_OFFSET);
	cpu->open = true;
	occur(cpu);
	cpu->open = false;
	CHECK(!held_bits(), "held %x", held_bits());
}

void *cpu_thread(void *arg)
{
	struct cpu *cpu = arg;
	unsigned int i;

	cpu_start(cpu->cpu);
	cpu_clock = 1000;
	current->pid = FIRST_PID + cpu->cpu;
	cpu->task = current;
	for (i = 0; i < INSTANCES; i++)
		store_wanted(&instances[i], cpu);
	this_cpu = cpu;
	pthread_barrier_wait(&begin);
	while (cpu->number - phase_begin < PHASE_EVENTS)
		task_event(cpu);
	this_cpu = NULL;
	cpu_stop();
	return NULL;
}
