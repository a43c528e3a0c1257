// SPDX-License-Identifier: GPL-2.0
/*
 * Writers on some CPUs, each interrupted by writers of its own, up to four deep
 * and one of them an NMI; and meanwhile, for each CPU, a reader that consumes in
 * all ways by turns and one that iterates, and one thread that changes the size
 * (or, in chaos, exchanges the storage with that of another buffer, resets it, and
 * changes the size of sub-buffers) and asks for absolute time stamps by turns.
 * Interrupts come from within, at every access to what is shared, now and then, and
 * as signals.
 *
 * Each event carries where it was written, its number among the events of the
 * same depth, and the time that the writer was told. Readers check each: that it
 * is whole, that its time is right, that times do not decrease, that numbers only
 * grow, and that none is missing where none was reported lost. In the end what was
 * written has to be what was read and what was reported lost.
 */
#include <getopt.h>
#include <pthread.h>
#include <unistd.h>

#include "torture.h"

struct options options = { 1000000, 2, true, true, true, false, 256 };
struct trace_buffer *buffer;
struct writer writers[NR_CPUS];
bool writers_done;
unsigned long absolute;
pthread_rwlock_t memory_lock = PTHREAD_RWLOCK_INITIALIZER;

static struct trace_buffer *other;	/* to exchange storages with */
static unsigned long resizes, swaps, orders, absolutes;

/* One step towards no, one or two who want absolute time stamps. */
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

static void exchange_storage(int cpu)
{
	int ret;

	shim_cpus_lock();
	ret = ring_buffer_swap_cpu(buffer, other, cpu);
	shim_cpus_unlock();
	CHECK(!ret || ret == -EBUSY || ret == -EINVAL, "%d", ret);
	swaps += !ret;
}

/* Of one buffer, or of both, so that they can be exchanged again. */
static void change_order(int order)
{
	int ret;

	pthread_rwlock_wrlock(&memory_lock);
	ret = ring_buffer_subbuf_order_set(buffer, order);
	CHECK(!ret || ret == -EBUSY, "%d", ret);
	orders += !ret;
	ret = ring_buffer_subbuf_order_set(other, ring_buffer_subbuf_order_get(buffer));
	pthread_rwlock_unlock(&memory_lock);
	CHECK(!ret || ret == -EBUSY, "%d", ret);
}

/* Storages come and go, and are emptied. Only what is in an event can be checked. */
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
			exchange_storage(cpu);
		}
		change_time_stamps(rnd(&seed));
		usleep(100);
	}
	return NULL;
}

static u64 written_by(const struct writer *writer)
{
	u64 sum = 0;
	int d;

	for (d = 0; d < MAX_DEPTH; d++)
		sum += writer->written[d];
	return sum;
}

static void account(const struct writer *writer, const struct reader *consumer,
		    const struct reader *iterator)
{
	unsigned long overrun = ring_buffer_overrun_cpu(buffer, writer->cpu);
	unsigned long refused = ring_buffer_dropped_events_cpu(buffer, writer->cpu) +
				ring_buffer_commit_overrun_cpu(buffer, writer->cpu);
	const struct checker *checker = &consumer->checker;
	u64 written = written_by(writer);

	printf("# cpu %d: written %lu (interrupts %lu), refused %lu, discarded %lu\n",
	       writer->cpu, written, writer->interrupts, writer->refused, writer->discarded);
	printf("# cpu %d: read %lu, lost %lu, iterated %lu in %lu\n", writer->cpu,
	       checker->seen, checker->lost, iterator->checker.seen, iterator->passes);
	printf("# cpu %d: consumed %lu, copied %lu, exchanged %lu, mapped %lu\n", writer->cpu,
	       consumer->seen[CONSUME], consumer->seen[COPY], consumer->seen[EXCHANGE],
	       consumer->seen[MAP]);
	if (options.chaos)
		return;
	CHECK(written == checker->seen + overrun,
	      "%lu, %lu + %lu", written, checker->seen, overrun);
	CHECK(writer->refused == refused, "%lu, %lu", writer->refused, refused);
	CHECK(ring_buffer_read_events_cpu(buffer, writer->cpu) == checker->seen);
	CHECK(ring_buffer_entries_cpu(buffer, writer->cpu) == 0);
	CHECK(ring_buffer_bytes_cpu(buffer, writer->cpu) == 0);
	/* What was lost after the last event that was read has not been reported. */
	CHECK(checker->lost <= overrun, "%lu, %lu", checker->lost, overrun);
	if (checker->number[0] == writer->written[0] && !consumer->untold)
		CHECK(checker->lost == overrun, "%lu, %lu", checker->lost, overrun);
}

static void torture(void)
{
	static struct reader consumers[NR_CPUS], iterators[NR_CPUS];
	pthread_t resizer, signaller;
	unsigned int cpu;

	handle_devices();
	buffer = ring_buffer_alloc(16 * 4080, options.overwrite ? RB_FL_OVERWRITE : 0);
	other = ring_buffer_alloc(16 * 4080, options.overwrite ? RB_FL_OVERWRITE : 0);
	CHECK(buffer && other);
	for (cpu = 0; cpu < options.cpus; cpu++) {
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
	if (options.chaos)
		pthread_create(&resizer, NULL, chaos_thread, NULL);
	else if (options.resize)
		pthread_create(&resizer, NULL, resize_thread, NULL);
	for (cpu = 0; cpu < options.cpus; cpu++)
		pthread_join(writers[cpu].thread, NULL);
	__atomic_store_n(&writers_done, true, __ATOMIC_RELEASE);
	if (options.chaos || options.resize)
		pthread_join(resizer, NULL);
	pthread_join(signaller, NULL);
	for (cpu = 0; cpu < options.cpus; cpu++) {
		pthread_join(consumers[cpu].thread, NULL);
		pthread_join(iterators[cpu].thread, NULL);
		account(&writers[cpu], &consumers[cpu], &iterators[cpu]);
	}
	/* A short run may be over before they come to it. */
	if (options.events >= 10000000)
		CHECK(options.chaos ? swaps && orders : !options.resize || resizes);
	printf("ok torture: %lu resizes, %lu swaps, %lu orders, %lu times absolute\n",
	       resizes, swaps, orders, absolutes);
	ring_buffer_free(buffer);
	ring_buffer_free(other);
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "e:c:r:dinx")) != -1) {
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
		case 'x':
			options.chaos = true;
			break;
		case 'n':
			options.resize = false;
			break;
		default:
			fprintf(stderr,
				"usage: %s [-e events] [-c cpus] [-r rate] [-d] [-i] [-n] [-x]\n"
				"  -d  refuse events when full  -i  only iterate until the end  -n  do not resize\n"
				"  -x  instead, exchange storages with another buffer, reset, and change sub-buffers\n",
				argv[0]);
			return 2;
		}
	}
	torture();
	return 0;
}
