// SPDX-License-Identifier: GPL-2.0
/*
 * The torture of the ring buffer.
 *
 * Some CPUs have writers, which are interrupted by writers of their own, up to four deep, one of
 * them an NMI. Meanwhile each of these CPUs has a reader that consumes, in all ways in turn, and
 * one that iterates. One more thread changes the size and asks for absolute time stamps. With -s
 * it exchanges the storage with that of another buffer instead; with -x ("chaos") it also resets
 * the buffer and changes the size of sub-buffers.
 *
 * Interrupts come in two ways. Some are calls, made at random at accesses to shared memory, which
 * nest to any depth. Others are signals, which come at any instruction: those of devices interrupt
 * a task or each other; one kind is an NMI, which interrupts all of these, also where interrupts
 * are off.
 *
 * Each event carries the place where it was written, its storage, its number among the events of
 * the same depth there, and the time that its writer was told. Readers check that each event is
 * whole, that its time is right, that times do not decrease, that numbers only grow, and that no
 * event is missing unless it was reported lost. At the end, the events written to a storage have
 * to be the events read from it plus the events reported lost.
 */
#include <getopt.h>
#include <pthread.h>
#include <unistd.h>

#include "torture.h"

struct options options = {
	.events = 1000000, .cpus = 2, .overwrite = true, .resize = true, .consume = true,
	.rate = 256,
};
struct trace_buffer *buffer, *other;
struct rb_cpu *others_first[NR_CPUS];
struct writer writers[NR_CPUS];
bool writers_done;
unsigned long absolute;

/* After this many events, a CPU has had interrupts of all kinds. */
#define LONG_ENOUGH	500000

static unsigned long resizes, swaps, orders, absolutes;

/* Change the number of requests for absolute time stamps by one, between none and two. */
static void change_time_stamps(u64 random)
{
	static unsigned int deep;

	if (deep < random % 3) {
		ring_buffer_set_time_stamp_abs(buffer, true);
		if (!deep++)
			__atomic_store_n(&absolute, ++absolutes, __ATOMIC_SEQ_CST);
	} else if (deep > random % 3) {
		if (!--deep)
			__atomic_store_n(&absolute, 0, __ATOMIC_SEQ_CST);
		ring_buffer_set_time_stamp_abs(buffer, false);
	}
}

static void *resize_thread(void *arg)
{
	u64 seed = 77;
	int ret, cpu;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		cpu = rnd(&seed) % (options.cpus + 1);
		ret = ring_buffer_resize(buffer, rnd(&seed) % 40 * 4080,
					 cpu == options.cpus ? RING_BUFFER_ALL_CPUS : cpu);
		CHECK(!ret || ret == -EBUSY, "%d", ret);
		resizes += !ret;
		change_time_stamps(rnd(&seed));
		usleep(300);
	}
	return NULL;
}

/* Exchange a CPU's storage, from the CPU itself, or from elsewhere with the hotplug lock. */
bool exchange_storage(int cpu)
{
	int ret = ring_buffer_swap_cpu(buffer, other, cpu);

	CHECK(!ret || ret == -EBUSY || (options.chaos && ret == -EINVAL), "%d", ret);
	return !ret;
}

static void exchange_locked(int cpu)
{
	shim_cpus_lock();
	swaps += exchange_storage(cpu);
	shim_cpus_unlock();
}

static void *swap_thread(void *arg)
{
	u64 seed = 33;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		exchange_locked(rnd(&seed) % options.cpus);
		change_time_stamps(rnd(&seed));
		usleep(rnd(&seed) % 300);
	}
	return NULL;
}

/* Change the order of one buffer, or of both, so that they can be exchanged again. */
static void change_order(int order)
{
	int ret;

	ret = ring_buffer_subbuf_order_set(buffer, order);
	CHECK(!ret || ret == -EBUSY, "%d", ret);
	orders += !ret;
	ret = ring_buffer_subbuf_order_set(other, ring_buffer_subbuf_order_get(buffer));
	CHECK(!ret || ret == -EBUSY, "%d", ret);
}

/* Exchange and empty storages, and change their order. Readers then check only single events. */
static void *chaos_thread(void *arg)
{
	u64 seed = 55;
	int cpu;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		cpu = rnd(&seed) % options.cpus;
		switch (rnd(&seed) % 16) {
		case 0:
			change_order(rnd(&seed) % 3);
			break;
		case 1 ... 4:
			ring_buffer_reset_cpu(rnd(&seed) % 2 ? buffer : other, cpu);
			break;
		default:
			exchange_locked(cpu);
		}
		change_time_stamps(rnd(&seed));
		usleep(100);
	}
	return NULL;
}

static u64 sum(const u64 *counters, int n)
{
	u64 sum = 0;

	while (n--)
		sum += counters[n];
	return sum;
}

static void account_storage(const struct writer *writer, const struct reader *consumer,
			    struct trace_buffer *of)
{
	unsigned int storage = storage_of(of, writer->cpu);
	unsigned long overrun = ring_buffer_overrun_cpu(of, writer->cpu);
	const struct checker *checker = &consumer->checker[storage];
	u64 written = sum(writer->written[storage], MAX_DEPTH);

	printf("# cpu %d: of %lu, read %lu, lost %lu\n", writer->cpu, written, checker->seen,
	       checker->lost);
	if (options.chaos)
		return;
	CHECK(written == checker->seen + overrun,
	      "%lu, %lu + %lu", written, checker->seen, overrun);
	CHECK(ring_buffer_read_events_cpu(of, writer->cpu) == checker->seen);
	CHECK(ring_buffer_entries_cpu(of, writer->cpu) == 0);
	CHECK(ring_buffer_bytes_cpu(of, writer->cpu) == 0);
	/* Events that were lost after the last one read have not been reported. */
	CHECK(checker->lost <= overrun, "%lu, %lu", checker->lost, overrun);
	if (checker->number[0] == writer->written[storage][0] && !consumer->untold)
		CHECK(checker->lost == overrun, "%lu, %lu", checker->lost, overrun);
}

static unsigned long refused_by(struct trace_buffer *of, int cpu)
{
	return ring_buffer_dropped_events_cpu(of, cpu) +
	       ring_buffer_commit_overrun_cpu(of, cpu);
}

/* If the run was long enough, interrupts of all kinds have to have written. */
static void account_interrupts(const struct writer *writer)
{
	u64 at_depth;
	int d;

	printf("# cpu %d: written at depths", writer->cpu);
	for (d = 0; d < MAX_DEPTH; d++) {
		at_depth = writer->written[0][d] + writer->written[1][d];
		printf(" %lu", at_depth);
		CHECK(at_depth || writer->target < LONG_ENOUGH, "depth %d", d);
	}
	printf("; signals at depths %lu %lu, as NMIs %lu\n", writer->signals[0],
	       writer->signals[1], writer->nmis);
	CHECK((writer->signals[0] && writer->signals[1] && writer->nmis) ||
	      writer->target < LONG_ENOUGH);
}

static void account(const struct writer *writer, const struct reader *consumer,
		    const struct reader *iterator)
{
	unsigned long refused = refused_by(buffer, writer->cpu) + refused_by(other, writer->cpu);

	printf("# cpu %d: interrupts %lu, refused %lu, discarded %lu, iterated %lu in %lu\n",
	       writer->cpu, writer->interrupts, writer->refused, writer->discarded,
	       iterator->checker[0].seen, iterator->passes);
	printf("# cpu %d: consumed %lu, copied %lu, exchanged %lu, mapped %lu\n", writer->cpu,
	       consumer->seen[CONSUME], consumer->seen[COPY], consumer->seen[EXCHANGE],
	       consumer->seen[MAP]);
	account_storage(writer, consumer, buffer);
	account_storage(writer, consumer, other);
	account_interrupts(writer);
	CHECK(options.chaos || writer->refused == refused, "%lu, %lu", writer->refused, refused);
	swaps += writer->swaps;
}

/* If the run was long enough, all kinds of changes have to have been made. */
static void account_changes(void)
{
	printf("# %lu resizes, %lu swaps, %lu orders, %lu times absolute\n",
	       resizes, swaps, orders, absolutes);
	if (options.events < 20 * LONG_ENOUGH)
		return;
	if (options.chaos)
		CHECK(swaps && orders);
	else if (options.swap)
		CHECK(swaps);
	else if (options.resize)
		CHECK(resizes);
}

static void *(*changer(void))(void *)
{
	if (options.chaos)
		return chaos_thread;
	if (options.swap)
		return swap_thread;
	return options.resize ? resize_thread : NULL;
}

static void torture(void)
{
	static struct reader consumers[NR_CPUS], iterators[NR_CPUS];
	pthread_t changes, signaller;
	unsigned int cpu;

	handle_devices();
	buffer = ring_buffer_alloc(16 * 4080, options.overwrite ? RB_FL_OVERWRITE : 0);
	other = ring_buffer_alloc(16 * 4080, options.overwrite ? RB_FL_OVERWRITE : 0);
	CHECK(buffer && other);
	for (cpu = 0; cpu < options.cpus; cpu++) {
		others_first[cpu] = rb_cpu(other, cpu);
		writers[cpu].cpu = cpu;
		writers[cpu].seed = 0x9e3779b97f4a7c15 * (cpu + 1);
		writers[cpu].target = options.events / options.cpus;
		consumers[cpu].cpu = cpu;
		iterators[cpu].cpu = cpu;
		pthread_create(&writers[cpu].thread, NULL, write_thread, &writers[cpu]);
		pthread_create(&consumers[cpu].thread, NULL, consume_thread, &consumers[cpu]);
		pthread_create(&iterators[cpu].thread, NULL, iterate_thread, &iterators[cpu]);
	}
	pthread_create(&signaller, NULL, signal_thread, NULL);
	if (changer())
		pthread_create(&changes, NULL, changer(), NULL);
	for (cpu = 0; cpu < options.cpus; cpu++)
		pthread_join(writers[cpu].thread, NULL);
	__atomic_store_n(&writers_done, true, __ATOMIC_RELEASE);
	if (changer())
		pthread_join(changes, NULL);
	pthread_join(signaller, NULL);
	for (cpu = 0; cpu < options.cpus; cpu++) {
		pthread_join(consumers[cpu].thread, NULL);
		pthread_join(iterators[cpu].thread, NULL);
		account(&writers[cpu], &consumers[cpu], &iterators[cpu]);
	}
	account_changes();
	printf("ok torture\n");
	ring_buffer_free(buffer);
	ring_buffer_free(other);
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "e:c:r:dinswx")) != -1) {
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
		case 'd':
			options.overwrite = false;
			break;
		case 'i':
			options.consume = false;
			break;
		case 's':
			options.swap = true;
			break;
		case 'w':
			options.wait = true;
			break;
		case 'x':
			options.chaos = true;
			break;
		case 'n':
			options.resize = false;
			break;
		default:
			fprintf(stderr,
				"usage: %s [-e events] [-c cpus] [-r rate] [-d] [-i] [-n | -s | -w | -x]\n"
				"  -d  refuse events when full  -i  only iterate until the end  -n  do not resize\n"
				"  -s  instead, exchange storages with another buffer\n"
				"  -w  instead of all that, so many rounds of waiting for an event, or for some\n"
				"  -x  that of -s, and reset, and change sub-buffers; only events are checked then\n",
				argv[0]);
			return 2;
		}
	}
	if (options.wait)
		torture_waiters();
	else
		torture();
	return 0;
}
