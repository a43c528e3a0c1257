// SPDX-License-Identifier: GPL-2.0
/*
 * The writers of the torture, and their interrupts.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "torture.h"

#include "reserve.h"

static __thread int depth = -1;

u64 clock_step(void)
{
	u64 random;

	if (shim_this_cpu < 0)
		return 1;
	random = rnd(&writers[shim_this_cpu].seed);
	if (!(random & 0xffff))
		return 1ULL << (random >> 16) % 40;
	if (!(random & 0x3ff))
		return 1ULL << 28;
	return random >> 60;
}

/* Atomically, since signal handlers count, too. */
static void count(u64 *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void fill(struct payload *payload)
{
	u32 i;

	for (i = 0; i < payload->length; i++)
		payload->fill[i] = payload->number * 31 + payload->cpu + i;
}

static unsigned long absolute_now(void)
{
	return __atomic_load_n(&absolute, __ATOMIC_SEQ_CST);
}

/*
 * Check the stamp of an event that was begun when absolute was @since. The first event of a
 * sub-buffer has none if it would not fit with one.
 */
static void check_absolute(const struct ring_buffer_event *event, unsigned long since)
{
	const struct ring_buffer_event *stamp = (void *)event - RB_STAMP_WORDS * sizeof(u32);

	if (since && since == absolute_now() &&
	    (unsigned long)event % PAGE_SIZE != offsetof(struct rb_page, data))
		CHECK(stamp->type_len == RINGBUF_TYPE_TIME_STAMP, "%u", stamp->type_len);
}

/* Fill in the event that was begun at @payload, or prepare it for being taken back. */
static bool fill_event(struct writer *writer, struct payload *payload, u32 length, u64 ts,
		       bool discard)
{
	payload->cpu = writer->cpu;
	payload->depth = depth;
	payload->storage = storage_of(buffer, writer->cpu);
	payload->length = length;
	payload->ts = ts;
	interrupt_here();
	/* The storage is not exchanged before the event is done. */
	CHECK(payload->storage == storage_of(buffer, writer->cpu));
	if (discard) {
		count(&writer->discarded);
		return false;
	}
	payload->number = writer->written[payload->storage][depth]++;
	fill(payload);
	return true;
}

static void write_event(struct writer *writer)
{
	u64 random = rnd(&writer->seed);
	u32 length = random % 8 ? random / 8 % 6 : random / 8 % MAX_FILL;
	unsigned long since = absolute_now();
	struct ring_buffer_event *event;
	struct payload *payload;
	u64 ts;

	event = ring_buffer_lock_reserve(buffer, sizeof(*payload) + length * sizeof(u32));
	if (!event) {
		count(&writer->refused);
		return;
	}
	check_absolute(event, since);
	payload = ring_buffer_event_data(event);
	ts = ring_buffer_event_time_stamp(buffer, event);
	if (fill_event(writer, payload, length, ts, !(random >> 58)))
		ring_buffer_unlock_commit(buffer);
	else
		ring_buffer_discard_commit(buffer, event);
}

/*
 * Write through reserve.h. Function tracing does so with a size that the compiler knows. Latency
 * tracers also pass a time (@at) that they have read before; others may have written since.
 */
static void write_fast(struct writer *writer, bool at)
{
	const u32 length = 2;
	const bool long_head = rb_data_words(sizeof(struct payload) + 8) > RB_SMALL_WORDS;
	unsigned long since = absolute_now();
	struct ring_buffer_claim claim;
	struct payload *payload;
	u64 ts;

	if (at) {
		ts = ring_buffer_fast_time_stamp(buffer);
		interrupt_here();
		payload = ring_buffer_fast_reserve_at(buffer, sizeof(*payload) +
						      length * sizeof(u32), ts, &claim);
	} else {
		payload = ring_buffer_fast_reserve(buffer, sizeof(*payload) +
						   length * sizeof(u32), &claim);
	}
	if (!payload) {
		count(&writer->refused);
		return;
	}
	check_absolute((void *)payload - (long_head ? 8 : 4), since);
	ts = ring_buffer_event_time_stamp(buffer, NULL);
	fill_event(writer, payload, length, ts, false);
	ring_buffer_fast_commit(&claim);
}

static void write_any(struct writer *writer)
{
	u64 way = rnd(&writer->seed) % 4;

	if (way < 2)
		write_event(writer);
	else
		write_fast(writer, way == 3);
}

/* Be an interrupt of any kind: write a few events at the next depth. */
static void interrupt(struct writer *writer)
{
	u64 events = rnd(&writer->seed);

	/* One interrupt in 512 writes very many. */
	events = events % 512 ? events / 512 % 3 : events / 512 % 2000;
	depth++;
	count(&writer->interrupts);
	/* Exchange the storage, as a latency tracer does after a new maximum. */
	if (options.swap && depth < MAX_DEPTH - 1 && !interrupts_off && events == 2)
		writer->swaps += exchange_storage(writer->cpu);
	while (events--)
		write_any(writer);
	depth--;
}

void interrupt_here(void)
{
	struct writer *writer;

	if (depth < 0 || depth >= MAX_DEPTH - 1)
		return;
	/* While interrupts are off, only an NMI can come. */
	if (interrupts_off && depth < MAX_DEPTH - 2) {
		int saved = depth;

		depth = MAX_DEPTH - 2;
		interrupt_here();
		depth = saved;
		return;
	}
	writer = &writers[shim_this_cpu];
	if (rnd(&writer->seed) % options.rate == 0)
		interrupt(writer);
}

/* A device's signal interrupts anything but an NMI, including another device's signal. */
static void device_signal(int sig)
{
	if (depth < 0 || depth >= MAX_DEPTH - 2 || interrupts_off)
		return;
	count(&writers[shim_this_cpu].signals[depth]);
	interrupt(&writers[shim_this_cpu]);
}

/* An NMI interrupts anything but another NMI. */
static void nmi_signal(int sig)
{
	int saved = depth;

	if (depth < 0 || depth == MAX_DEPTH - 1)
		return;
	depth = MAX_DEPTH - 2;
	count(&writers[shim_this_cpu].nmis);
	interrupt(&writers[shim_this_cpu]);
	depth = saved;
}

/* Pin a CPU of the test to a CPU of the machine, as far as there are as many. */
static void pin(int cpu)
{
	cpu_set_t may, one;
	int skip, at;

	CHECK(!sched_getaffinity(0, sizeof(may), &may));
	skip = cpu % CPU_COUNT(&may);
	for (at = 0; !CPU_ISSET(at, &may) || skip--; at++)
		;
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	CHECK(!sched_setaffinity(0, sizeof(one), &one));
}

void begin_writing(struct writer *writer)
{
	pin(writer->cpu);
	cpu_start(writer->cpu);
	cpu_clock = 1000;
}

void end_writing(struct writer *writer)
{
	__atomic_store_n(&writer->done, true, __ATOMIC_RELEASE);
	cpu_stop();
}

/* Write at least once. No interrupt comes while @enough is asked. */
void write_until(struct writer *writer, bool (*enough)(int cpu))
{
	do {
		depth = 0;
		write_any(writer);
		depth = -1;
	} while (!enough(writer->cpu));
}

static bool target_reached(int cpu)
{
	const struct writer *writer = &writers[cpu];

	return writer->written[0][0] + writer->written[1][0] >= writer->target;
}

void *write_thread(void *arg)
{
	struct writer *writer = arg;

	begin_writing(writer);
	write_until(writer, target_reached);
	end_writing(writer);
	return NULL;
}

void *signal_thread(void *arg)
{
	struct writer *writer;
	u64 seed = 99, burst;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		writer = &writers[rnd(&seed) % options.cpus];
		/* Send several at once, so that one interrupts another. */
		for (burst = rnd(&seed) % 4; burst; burst--) {
			if (!__atomic_load_n(&writer->done, __ATOMIC_ACQUIRE))
				pthread_kill(writer->thread, rnd(&seed) % 4 ? SIGUSR2 : SIGURG);
		}
		usleep(rnd(&seed) % 100);
	}
	return NULL;
}

/* Handle signals of devices, and those that are NMIs, from now on. */
void handle_devices(void)
{
	struct sigaction device = { .sa_handler = device_signal, .sa_flags = SA_NODEFER };
	struct sigaction nmi = { .sa_handler = nmi_signal };

	sigaction(SIGUSR2, &device, NULL);
	sigaction(SIGURG, &nmi, NULL);
}
