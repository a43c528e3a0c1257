// SPDX-License-Identifier: GPL-2.0
/*
 * The test of recording trace events: kernel/trace/events/record.c and users.c, unmodified, on the
 * ring buffer of this program.
 *
 * Some CPUs record events, into some instances. Each instance has a ring buffer of its own. While a
 * CPU records, it is interrupted at random accesses by events of softirqs, interrupts and NMIs, and
 * events occur inside of others. A phase ends when each CPU has had PHASE_EVENTS events. For each
 * phase, the settings are chosen anew: which instances take which event, whether they are off or
 * soft-disabled, filters, tasks, triggers, perf, and buffers, of which some are tiny.
 *
 * The test knows from the settings who has to get each event: records_judge.c. It checks, for each
 * event, that these have published it or have lost it, and that nobody else was given it: triggers
 * and perf exactly once, exports once for each instance, the console once if any instance has it.
 * It predicts which events TRACE_RECURSION_EVENT refuses, and the header of each record.
 *
 * A reader checks that each record is whole and in order, and comes once. At the end of a phase, in
 * each instance and CPU, the records that were published have to be those that were read plus those
 * that were overwritten; and the ring buffer has to have counted the lost ones, each of them once.
 *
 * With -x, the settings also change while CPUs record: users come and go, their filters change, and
 * their memory is freed when no probe can use it any more. Then the answers for an event are those
 * of before if no setting of the instance has changed meanwhile; otherwise they are not checked.
 */
#include <getopt.h>
#include <unistd.h>

#include "records.h"

struct options options = { .events = 1000000, .cpus = 2, .rate = 128, .seed = 1 };
struct cpu cpus[TEST_CPUS];
pthread_barrier_t begin;
u32 phase_begin;
bool cpus_done;

/* After this many events, all kinds have to have been seen. */
#define LONG_ENOUGH	200000

static const char *const seen_names[SEEN_KINDS] = {
	[SEEN_EARLY]		= "took the fifth bit",
	[SEEN_REFUSED]		= "refused by recursion",
	[SEEN_NESTED]		= "inside of four others",
	[SEEN_NMI]		= "in an NMI",
	[SEEN_ONE]		= "for one instance",
	[SEEN_ASIDE]		= "in memory for triggers",
	[SEEN_FIRST]		= "in the first instance",
	[SEEN_SKIPPED]		= "lost before another took it",
	[SEEN_COPIED]		= "in several instances",
	[SEEN_LOST]		= "lost by an instance",
	[SEEN_UNWANTED]		= "known to be unwanted",
	[SEEN_FILTERED]		= "in memory for a filter",
	[SEEN_DISCARDED]	= "taken back",
	[SEEN_PERF_ONLY]	= "for perf only",
	[SEEN_PERF_COPY]	= "copied to perf",
	[SEEN_BEFORE]		= "with triggers before",
	[SEEN_RECORDED]		= "with triggers of the record",
	[SEEN_AFTER]		= "with triggers after",
	[SEEN_LARGE]		= "larger than the scratch",
	[SEEN_UNSTABLE]		= "while settings changed",
};

static u64 changes, records_read, records_overwritten;

static void *churn_thread(void *arg)
{
	u64 *seed = arg;

	while (!__atomic_load_n(&cpus_done, __ATOMIC_ACQUIRE)) {
		settings_change(seed);
		changes++;
		usleep(rnd(seed) % 50);
	}
	return NULL;
}

static void account_cpu(unsigned int i, const struct cpu *cpu)
{
	struct trace_buffer *buffer = instances[i].tr->array_buffer.buffer;
	u64 overrun = ring_buffer_overrun_cpu(buffer, cpu->cpu);
	u64 refused = ring_buffer_dropped_events_cpu(buffer, cpu->cpu) +
		      ring_buffer_commit_overrun_cpu(buffer, cpu->cpu);
	u64 read = reading[i].read[cpu->cpu];

	CHECK(cpu->published[i] == read + overrun,
	      "instance %u, CPU %d: published %lu, read %lu, overwritten %lu", i, cpu->cpu,
	      cpu->published[i], read, overrun);
	CHECK(ring_buffer_entries_cpu(buffer, cpu->cpu) == 0);
	CHECK(refused >= cpu->lost[i] && refused <= cpu->lost[i] + cpu->unsure[i],
	      "instance %u, CPU %d: lost %lu, perhaps %lu more, counted %lu", i, cpu->cpu,
	      cpu->lost[i], cpu->unsure[i], refused);
	CHECK(options.churn || !cpu->unsure[i], "nothing has changed");
	records_read += read;
	records_overwritten += overrun;
}

static void account(struct cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < INSTANCES; i++)
		account_cpu(i, cpu);
	memset(cpu->published, 0, sizeof(cpu->published));
	memset(cpu->lost, 0, sizeof(cpu->lost));
	memset(cpu->unsure, 0, sizeof(cpu->unsure));
}

static void start(pthread_t *thread, void *(*fn)(void *arg), void *arg)
{
	CHECK(!pthread_create(thread, NULL, fn, arg));
}

static void phase(u64 *seed)
{
	pthread_t reader, churn;
	unsigned int i;

	settings_begin_phase(seed);
	forget_reading();
	cpus_done = false;
	pthread_barrier_init(&begin, NULL, options.cpus + 1);
	for (i = 0; i < options.cpus; i++)
		start(&cpus[i].thread, cpu_thread, &cpus[i]);
	pthread_barrier_wait(&begin);
	start(&reader, reader_thread, NULL);
	if (options.churn)
		start(&churn, churn_thread, seed);
	for (i = 0; i < options.cpus; i++)
		pthread_join(cpus[i].thread, NULL);
	__atomic_store_n(&cpus_done, true, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	if (options.churn)
		pthread_join(churn, NULL);
	read_rest();
	for (i = 0; i < options.cpus; i++)
		account(&cpus[i]);
	phase_begin += PHASE_EVENTS;
}

static void report(void)
{
	unsigned int kind, i;
	u64 sum;

	printf("# read %lu, overwritten %lu, %lu changes\n", records_read, records_overwritten,
	       changes);
	for (kind = 0; kind < SEEN_KINDS; kind++) {
		for (sum = 0, i = 0; i < options.cpus; i++)
			sum += cpus[i].seen[kind];
		printf("# %lu %s\n", sum, seen_names[kind]);
		CHECK(sum || options.events < LONG_ENOUGH ||
		      (kind == SEEN_UNSTABLE && !options.churn), "none %s", seen_names[kind]);
	}
	CHECK((records_read && records_overwritten) || options.events < LONG_ENOUGH);
}

static void test(void)
{
	u64 seed = options.seed * 0x9e3779b97f4a7c15;
	unsigned int i;

	shim_cpus = options.cpus;
	make_patterns();
	settings_init();
	for (i = 0; i < options.cpus; i++) {
		cpus[i].cpu = i;
		cpus[i].seed = rnd(&seed);
	}
	while ((u64)phase_begin * options.cpus < options.events)
		phase(&seed);
	settings_end();
	report();
	printf("ok records\n");
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "e:c:r:s:x")) != -1) {
		switch (opt) {
		case 'e':
			options.events = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			options.cpus = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			options.rate = strtoul(optarg, NULL, 0);
			break;
		case 's':
			options.seed = strtoull(optarg, NULL, 0);
			break;
		case 'x':
			options.churn = true;
			break;
		default:
			fprintf(stderr,
				"usage: %s [-e events] [-c cpus] [-r rate] [-s seed] [-x]\n"
				"  -r  one access in so many is interrupted  -s  other settings\n"
				"  -x  change settings while CPUs record\n", argv[0]);
			return 2;
		}
	}
	if (!options.cpus || options.cpus > TEST_CPUS || !options.rate || !options.seed)
		return 2;
	test();
	return 0;
}
