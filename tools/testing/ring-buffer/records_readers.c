// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of the test of recording. Each record that it reads has to be whole; to be the only
 * one of its event in that instance; and to come after those that have occurred before it, at the
 * same depth of events in progress on the CPU. At the end, CPUs know what they have published.
 */
#include <unistd.h>

#include "records.h"

struct reading reading[INSTANCES];

/* By CPU and number of the event: mask of the instances from which it was read. */
static u8 was_read[TEST_CPUS][PHASE_EVENTS], was_again[TEST_CPUS][PHASE_EVENTS];

static void check_record(unsigned int i, struct ring_buffer_event *event, unsigned int cpu)
{
	const struct sample *sample = ring_buffer_event_data(event);
	unsigned int length = ring_buffer_event_length(event);
	unsigned int size = plan_of(cpu, sample->number).size;
	u32 at = sample->number - phase_begin, *next;

	CHECK(length >= size && length < size + 8, "%u for %u bytes", length, size);
	check_content(sample, cpu);
	CHECK(at < PHASE_EVENTS, "%u, the phase began at %u", sample->number, phase_begin);
	was_again[cpu][at] |= was_read[cpu][at] & BIT(i);
	was_read[cpu][at] |= BIT(i);
	CHECK(sample->depth < FRAMES, "%u", sample->depth);
	next = &reading[i].next[cpu][sample->depth];
	CHECK(sample->number + 1 >= *next, "%u, after %u", sample->number, *next - 1);
	*next = sample->number + 1;
	reading[i].read[cpu]++;
}

/* Read what is there from one CPU of an instance. Return false if there is nothing. */
static bool read_cpu(unsigned int i, unsigned int cpu)
{
	struct trace_buffer *buffer = instances[i].tr->array_buffer.buffer;
	struct ring_buffer_event *event;
	bool any = false;
	u64 ts;

	while ((event = ring_buffer_consume(buffer, cpu, &ts, NULL))) {
		check_record(i, event, cpu);
		any = true;
	}
	return any;
}

/* Read while CPUs record, from the instances of which that is wanted in this phase. */
void *reader_thread(void *arg)
{
	unsigned int i, cpu;
	bool any;

	while (!__atomic_load_n(&cpus_done, __ATOMIC_ACQUIRE)) {
		any = false;
		for (i = 0; i < INSTANCES; i++) {
			for (cpu = 0; cpu < options.cpus && instances[i].consumed; cpu++)
				any |= read_cpu(i, cpu);
		}
		if (!any)
			usleep(50);
	}
	return NULL;
}

static void check_published(unsigned int cpu, unsigned int at)
{
	CHECK(!(was_read[cpu][at] & ~cpus[cpu].published_by[at]), "%x of %x", was_read[cpu][at],
	      cpus[cpu].published_by[at]);
	CHECK(!(was_again[cpu][at] & ~cpus[cpu].again_by[at]), "%u twice", phase_begin + at);
}

/* Read the rest, when CPUs have stopped; only what they have published may be there. */
void read_rest(void)
{
	unsigned int i, cpu, at;

	for (i = 0; i < INSTANCES; i++) {
		for (cpu = 0; cpu < options.cpus; cpu++)
			read_cpu(i, cpu);
	}
	for (cpu = 0; cpu < options.cpus; cpu++) {
		for (at = 0; at < PHASE_EVENTS; at++)
			check_published(cpu, at);
	}
}

void forget_reading(void)
{
	memset(reading, 0, sizeof(reading));
	memset(was_read, 0, sizeof(was_read));
	memset(was_again, 0, sizeof(was_again));
}
