// SPDX-License-Identifier: GPL-2.0
/*
 * The waiters of the torture: tasks that wait for events have to be woken.
 *
 * In each round all of them begin to wait, each in its own way, while a CPU writes one event, or as
 * many as a mark takes; interrupts add theirs. Then the CPU writes no more until each waiter has
 * found its events. So no later event makes up for a wake-up that was lost: the round would not end
 * then.
 */
#include <sched.h>
#include <unistd.h>

#include "torture.h"

/* In one round of this many, the tasks wait for a mark: 8 of 16 sub-buffers. */
#define MARK_ROUNDS	4
#define MARK		50

#define PATIENCE	60	/* seconds */

struct waiter {
	pthread_t	thread;
	int		cpu;
	bool		polls;
	u64		seed;
};

static struct waiter waiters[] = {
	{ .cpu = 0 },
	{ .cpu = RING_BUFFER_ALL_CPUS },
	{ .cpu = 0, .polls = true },
	{ .cpu = RING_BUFFER_ALL_CPUS, .polls = true },
};

static u64 this_round;
static unsigned int found;	/* number of waiters that are done in this round */

static int round_mark(u64 round)
{
	return round % MARK_ROUNDS ? 0 : MARK;
}

static void spin(u64 times)
{
	while (times--)
		__asm__ __volatile__("");
}

static void wait_in_poll(int cpu, int full)
{
	poll_table table = { };

	while (!ring_buffer_poll_wait(buffer, cpu, NULL, &table, full))
		schedule();
}

static void *waiter_thread(void *arg)
{
	struct waiter *waiter = arg;
	u64 round;

	for (round = 1; round <= options.events; round++) {
		while (__atomic_load_n(&this_round, __ATOMIC_ACQUIRE) != round)
			sched_yield();
		spin(rnd(&waiter->seed) % 2048);
		if (waiter->polls)
			wait_in_poll(waiter->cpu, round_mark(round));
		else
			CHECK(!ring_buffer_wait(buffer, waiter->cpu, round_mark(round),
						NULL, NULL));
		__atomic_add_fetch(&found, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static bool has_event(int cpu)
{
	return !ring_buffer_empty_cpu(buffer, cpu);
}

static bool has_reached_mark(int cpu)
{
	struct rb_cpu *rb = rb_cpu(buffer, cpu);
	u32 subbufs;

	CHECK(rb);
	subbufs = rb_pos_index(rb_commit_position(rb)) - rb->read_index + 1;
	return subbufs * 100 >= MARK * rb->nr;
}

static void expect_all_found(u64 round)
{
	unsigned int tries = 0, nr;

	while ((nr = __atomic_load_n(&found, __ATOMIC_ACQUIRE)) != ARRAY_SIZE(waiters)) {
		CHECK(tries < PATIENCE * 1000, "round %lu: %u are awake", round, nr);
		if (tries++ < 100)
			sched_yield();
		else
			usleep(1000);
	}
}

static void run_round(struct writer *writer, u64 round)
{
	found = 0;
	__atomic_store_n(&this_round, round, __ATOMIC_RELEASE);
	spin(rnd(&writer->seed) % 4096);
	write_until(writer, round_mark(round) ? has_reached_mark : has_event);
	expect_all_found(round);
	while (ring_buffer_consume(buffer, writer->cpu, NULL, NULL))
		;
}

static void *round_thread(void *arg)
{
	struct writer *writer = arg;
	u64 round;

	begin_writing(writer);
	for (round = 1; round <= options.events; round++)
		run_round(writer, round);
	end_writing(writer);
	return NULL;
}

void torture_waiters(void)
{
	struct writer *writer = &writers[0];
	unsigned int i;

	buffer = ring_buffer_alloc(16 * 4080, RB_FL_OVERWRITE);
	CHECK(buffer);
	writer->seed = 0x9e3779b97f4a7c15;
	for (i = 0; i < ARRAY_SIZE(waiters); i++) {
		waiters[i].seed = writer->seed * (i + 2);
		pthread_create(&waiters[i].thread, NULL, waiter_thread, &waiters[i]);
	}
	pthread_create(&writer->thread, NULL, round_thread, writer);
	pthread_join(writer->thread, NULL);
	for (i = 0; i < ARRAY_SIZE(waiters); i++)
		pthread_join(waiters[i].thread, NULL);
	/* After this no delayed work changes the counters while they are printed. */
	ring_buffer_free(buffer);
	printf("# %lu rounds, writers woke %u times, ticks %u\n", options.events, wakes,
	       second_looks);
	printf("ok waiters\n");
}
