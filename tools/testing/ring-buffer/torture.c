// SPDX-License-Identifier: GPL-2.0
/*
 * Writers on some CPUs, each interrupted by writers of its own, up to four deep
 * and one of them an NMI; and meanwhile, for each CPU, a consumer and an
 * iterator, and one thread that changes the size (or, in chaos, exchanges the
 * storage with that of another buffer and resets it). Interrupts come from within,
 * at every access to what is shared, now and then, and as signals.
 *
 * Each event carries where it was written, its number among the events of the
 * same depth, and the time that the writer was told. Readers check each: that it
 * is whole, that its time is right, that times do not decrease, that numbers only
 * grow, and that none is missing where none was reported lost. In the end what was
 * written has to be what was read and what was reported lost.
 */
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

#include "internal.h"

#define MAX_DEPTH	4	/* task, softirq, interrupt, NMI */
#define MAX_FILL	96

struct payload {
	u32	cpu;
	u32	depth;
	u64	number;
	u64	ts;
	u32	length;
	u32	fill[];
};

/* What the writers of a CPU count. Only the CPU's thread writes it. */
struct writer {
	pthread_t	thread;
	int		cpu;
	u64		target;
	u64		written[MAX_DEPTH];
	u64		refused;
	u64		discarded;
	u64		interrupts;
	u64		seed;
	bool		done;
} __aligned(64);

/* What a reader knows of the events it has seen. */
struct checker {
	u64	ts;
	u64	number[MAX_DEPTH];
	bool	may_miss[MAX_DEPTH];
	u64	seen;
	u64	lost;
};

struct reader {
	pthread_t	thread;
	int		cpu;
	struct checker	checker;
	u64		passes;
	u64		pages;
	bool		untold;	/* a page had no room for how many were lost */
};

static struct trace_buffer *buffer;
static struct writer writers[NR_CPUS];
static bool writers_done;
static unsigned long resizes, swaps;
static struct trace_buffer *other;	/* to exchange storages with */

static struct {
	u64		events;
	unsigned int	cpus;
	bool		overwrite;
	bool		resize;
	bool		consume;
	bool		chaos;
	unsigned int	rate;	/* one interrupt in so many accesses */
} options = { 1000000, 2, true, true, true, false, 256 };

static __thread int depth = -1;

static u64 rnd(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

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

static void fill(struct payload *payload)
{
	u32 i;

	for (i = 0; i < payload->length; i++)
		payload->fill[i] = payload->number * 31 + payload->cpu + i;
}

static void write_event(struct writer *writer)
{
	u64 random = rnd(&writer->seed);
	u32 length = random % 8 ? random / 8 % 6 : random / 8 % MAX_FILL;
	struct ring_buffer_event *event;
	struct payload *payload;

	event = ring_buffer_lock_reserve(buffer, sizeof(*payload) + length * sizeof(u32));
	if (!event) {
		writer->refused++;
		return;
	}
	payload = ring_buffer_event_data(event);
	payload->cpu = writer->cpu;
	payload->depth = depth;
	payload->length = length;
	payload->ts = ring_buffer_event_time_stamp(buffer, event);
	interrupt_here();
	if (!(random >> 58)) {
		writer->discarded++;
		ring_buffer_discard_commit(buffer, event);
		return;
	}
	payload->number = writer->written[depth]++;
	fill(payload);
	ring_buffer_unlock_commit(buffer);
}

/* An interrupt of any kind: a few events, at the next depth. */
static void interrupt(struct writer *writer)
{
	u64 count = rnd(&writer->seed);

	/* Now and then a storm. */
	count = count % 512 ? count / 512 % 3 : count / 512 % 2000;
	depth++;
	writer->interrupts++;
	while (count--)
		write_event(writer);
	depth--;
}

void interrupt_here(void)
{
	struct writer *writer;

	if (depth < 0 || depth >= MAX_DEPTH - 1)
		return;
	/* Only an NMI gets through. */
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

static void device_signal(int sig)
{
	/* Not while an NMI is at work: signals are interrupts. */
	if (depth >= 0 && depth < MAX_DEPTH - 2 && !interrupts_off)
		interrupt(&writers[shim_this_cpu]);
}

static void *write_thread(void *arg)
{
	struct writer *writer = arg;
	u64 i;

	cpu_start(writer->cpu);
	cpu_clock = 1000;
	depth = 0;
	for (i = 0; __atomic_load_n(&writer->written[0], __ATOMIC_RELAXED) < writer->target; i++)
		write_event(writer);
	depth = -1;
	__atomic_store_n(&writer->done, true, __ATOMIC_RELEASE);
	cpu_stop();
	return NULL;
}

static void check_event(struct checker *checker, struct ring_buffer_event *event, int cpu,
			u64 ts, unsigned long lost)
{
	struct payload *payload = ring_buffer_event_data(event);
	unsigned int d, length = ring_buffer_event_length(event);
	u32 i;

	CHECK(payload->cpu == cpu, "%u on %d", payload->cpu, cpu);
	CHECK(payload->depth < MAX_DEPTH, "%u", payload->depth);
	CHECK(length >= sizeof(*payload) + payload->length * sizeof(u32) &&
	      length < sizeof(*payload) + payload->length * sizeof(u32) + 8,
	      "%u for %u words", length, payload->length);
	CHECK(payload->ts == ts, "%lu, written %lu, depth %u", ts, payload->ts, payload->depth);
	for (i = 0; i < payload->length; i++)
		CHECK(payload->fill[i] == (u32)(payload->number * 31 + cpu + i));
	checker->seen++;
	if (options.chaos)
		return;
	CHECK(ts >= checker->ts, "%lu after %lu", ts, checker->ts);
	if (lost) {
		for (d = 0; d < MAX_DEPTH; d++)
			checker->may_miss[d] = true;
	}
	d = payload->depth;
	CHECK(checker->may_miss[d] ? payload->number >= checker->number[d] :
				     payload->number == checker->number[d],
	      "number %lu at depth %u, expected %lu", payload->number, d, checker->number[d]);
	checker->may_miss[d] = false;
	checker->number[d] = payload->number + 1;
	checker->ts = ts;
	checker->lost += lost;
}

/* The events of a sub-buffer that was read raw, as tools would find them. */
static void check_page(struct reader *reader, struct rb_page *page)
{
	unsigned long commit = local_read(&page->commit), lost = 0;
	struct rb_cursor cursor = { .page = page, .ts = page->time_stamp };
	struct ring_buffer_event *event;
	u64 ts;

	cursor.end = commit & ~(RB_PAGE_MISSED_EVENTS | RB_PAGE_MISSED_STORED);
	CHECK(cursor.end <= PAGE_SIZE - offsetof(struct rb_page, data), "%u", cursor.end);
	if (commit & RB_PAGE_MISSED_STORED)
		memcpy(&lost, page->data + cursor.end, sizeof(lost));
	else if (commit & RB_PAGE_MISSED_EVENTS)
		reader->untold = true;
	while ((event = rb_cursor_event(&cursor, &ts))) {
		if (reader->untold)
			memset(reader->checker.may_miss, true, sizeof(reader->checker.may_miss));
		check_event(&reader->checker, event, reader->cpu, ts, lost);
		rb_cursor_advance(&cursor);
		lost = 0;
	}
}

static void read_pages(struct reader *reader)
{
	struct buffer_data_read_page *read;

	read = ring_buffer_alloc_read_page(buffer, reader->cpu);
	CHECK(!IS_ERR(read));
	while (!ring_buffer_read_page(buffer, read, 256 + reader->passes % 4096, reader->cpu,
				      reader->passes & 1)) {
		check_page(reader, ring_buffer_read_page_data(read));
		reader->pages++;
	}
	ring_buffer_free_read_page(buffer, reader->cpu, read);
}

static void *consume_thread(void *arg)
{
	struct reader *reader = arg;
	struct ring_buffer_event *event;
	unsigned long lost;
	bool last;
	u64 ts;

	do {
		if (options.consume && reader->passes % 3)
			read_pages(reader);
		last = __atomic_load_n(&writers_done, __ATOMIC_ACQUIRE);
		if (!last && !options.consume) {
			usleep(1000);
			continue;
		}
		while ((event = ring_buffer_consume(buffer, reader->cpu, &ts, &lost)))
			check_event(&reader->checker, event, reader->cpu, ts, lost);
		sched_yield();
		if (++reader->passes % 64 == 0)
			usleep(2000);
	} while (!last);
	CHECK(ring_buffer_empty_cpu(buffer, reader->cpu));
	return NULL;
}

static void iterate_once(struct reader *reader)
{
	struct checker checker = { .may_miss = { true, true, true, true } };
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	unsigned long lost;
	u64 ts;

	iter = ring_buffer_read_start(buffer, reader->cpu, GFP_KERNEL);
	CHECK(iter);
	while ((event = ring_buffer_iter_peek(iter, &ts))) {
		lost = ring_buffer_iter_dropped(iter);
		/* It does not see what was consumed; that is not lost. */
		check_event(&checker, event, reader->cpu, ts, lost + options.consume);
		ring_buffer_iter_advance(iter);
	}
	ring_buffer_read_finish(iter);
	reader->checker.seen += checker.seen;
}

static void *iterate_thread(void *arg)
{
	struct reader *reader = arg;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		iterate_once(reader);
		reader->passes++;
		usleep(500);
	}
	return NULL;
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
		usleep(300);
	}
	return NULL;
}

/* Storages come and go, and are emptied. Only what is in an event can be checked. */
static void *chaos_thread(void *arg)
{
	u64 seed = 55;
	int ret, cpu;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		cpu = rnd(&seed) % options.cpus;
		if (rnd(&seed) % 4) {
			shim_cpus_lock();
			ret = ring_buffer_swap_cpu(buffer, other, cpu);
			shim_cpus_unlock();
			CHECK(!ret || ret == -EBUSY || ret == -EINVAL, "%d", ret);
			swaps += !ret;
		} else {
			ring_buffer_reset_cpu(rnd(&seed) % 2 ? buffer : other, cpu);
		}
		usleep(100);
	}
	return NULL;
}

static void *signal_thread(void *arg)
{
	struct writer *writer;
	u64 seed = 99;

	while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
		writer = &writers[rnd(&seed) % options.cpus];
		if (!__atomic_load_n(&writer->done, __ATOMIC_ACQUIRE))
			pthread_kill(writer->thread, SIGUSR2);
		usleep(rnd(&seed) % 100);
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
	printf("# cpu %d: read %lu (pages %lu), lost %lu, iterated %lu in %lu\n", writer->cpu,
	       checker->seen, consumer->pages, checker->lost, iterator->checker.seen,
	       iterator->passes);
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
	struct sigaction action = { .sa_handler = device_signal };
	pthread_t resizer, signaller;
	unsigned int cpu;

	sigaction(SIGUSR2, &action, NULL);
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
	printf("ok torture: %lu resizes, %lu swaps\n", resizes, swaps);
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
				"  -x  instead, exchange storages with another buffer, and reset\n",
				argv[0]);
			return 2;
		}
	}
	torture();
	return 0;
}
