// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's functions for shim.h. Those on masks look at one bit after the other.
 */
#include "shim.h"
#include "cases.h"

unsigned int nr_cpu_ids = 70;
unsigned int shim_cpu;
struct task_struct shim_task = { .pid = 1234 };

void shim_fail(const char *file, int line, const char *what, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s:%d: %s: ", file, line, what);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

char *skip_spaces(const char *text)
{
	while (isspace(*text))
		text++;
	return (char *)text;
}

int vscnprintf(char *buffer, size_t size, const char *fmt, va_list args)
{
	int len = vsnprintf(buffer, size, fmt, args);

	return len < size ? len : size - 1;
}

int kstrtoul(const char *text, unsigned int base, unsigned long *value)
{
	return kstrtoull(text, base, (unsigned long long *)value);
}

/*
 * Memory. Addresses of the process cannot be accessed: only strncpy_from_user_nofault() knows the
 * bytes that are there.
 */

static bool is_user(const char *address)
{
	return address >= user_memory && address < user_memory + 2 * PAGE_SIZE;
}

long strncpy_from_kernel_nofault(char *to, const void *from, long count)
{
	long len;

	if ((unsigned long)from < PAGE_SIZE || is_user(from))
		return -ERANGE;
	for (len = 0; len < count; len++) {
		to[len] = ((const char *)from)[len];
		if (!to[len])
			return len + 1;
	}
	to[count - 1] = '\0';
	return count;
}

long strncpy_from_user_nofault(char *to, const void *from, long count)
{
	const char *address = from;
	long len;

	for (len = 0; len < count; len++) {
		/* Nothing is mapped to the second page. */
		if (!is_user(address + len) || address + len >= user_memory + PAGE_SIZE)
			return -EFAULT;
		to[len] = user_bytes[address + len - user_memory];
		if (!to[len])
			return len + 1;
	}
	to[count - 1] = '\0';
	return count;
}

void *shim_test_memory(size_t size)
{
	static void *memory[8];
	static unsigned int used;
	void **p = &memory[used++ % ARRAY_SIZE(memory)];

	free(*p);
	*p = calloc(1, size);
	return *p;
}

/*
 * CPUs
 */

bool test_bit(unsigned int bit, const unsigned long *bits)
{
	return bits[bit / BITS_PER_LONG] >> bit % BITS_PER_LONG & 1;
}

void __change_bit(unsigned int bit, unsigned long *bits)
{
	bits[bit / BITS_PER_LONG] ^= 1UL << bit % BITS_PER_LONG;
}

void __assign_bit(unsigned int bit, unsigned long *bits, bool set)
{
	if (test_bit(bit, bits) != set)
		__change_bit(bit, bits);
}

void bitmap_zero(unsigned long *bits, unsigned int nr)
{
	memset(bits, 0, BITS_TO_LONGS(nr) * sizeof(long));
}

void bitmap_set(unsigned long *bits, unsigned int from, unsigned int nr)
{
	while (nr--)
		__assign_bit(from++, bits, true);
}

size_t cpumask_size(void)
{
	return BITS_TO_LONGS(nr_cpu_ids) * sizeof(long);
}

bool cpumask_test_cpu(unsigned int cpu, const struct cpumask *mask)
{
	if (cpu >= nr_cpu_ids)
		shim_fail(__FILE__, __LINE__, "a CPU that cannot be", "%u", cpu);
	return test_bit(cpu, mask->bits);
}

void cpumask_set_cpu(unsigned int cpu, struct cpumask *mask)
{
	__assign_bit(cpu, mask->bits, true);
}

bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (test_bit(cpu, a->bits) != test_bit(cpu, b->bits))
			return false;
	}
	return true;
}

bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (test_bit(cpu, a->bits) && test_bit(cpu, b->bits))
			return true;
	}
	return false;
}

unsigned int cpumask_weight(const struct cpumask *mask)
{
	unsigned int cpu, weight = 0;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		weight += test_bit(cpu, mask->bits);
	return weight;
}

unsigned int cpumask_first(const struct cpumask *mask)
{
	unsigned int cpu = 0;

	while (cpu < nr_cpu_ids && !test_bit(cpu, mask->bits))
		cpu++;
	return cpu;
}

int cpulist_parse(const char *text, struct cpumask *mask)
{
	return bitmap_parselist(text, mask->bits, nr_cpu_ids);
}

void set_task_comm(struct task_struct *task, const char *name)
{
	memset(task->comm, 0, sizeof(task->comm));
	memcpy(task->comm, name, strnlen(name, sizeof(task->comm) - 1));
}

struct shim_guard shim_preempt_guard(void)
{
	return (struct shim_guard){};
}

struct shim_guard shim_migrate_guard(void)
{
	shim_cpu = rand() % nr_cpu_ids;
	return (struct shim_guard){};
}

/*
 * Random numbers: splitmix64
 */

void prandom_seed_state(struct rnd_state *state, u64 seed)
{
	state->state = seed + random_seed;
}

u32 prandom_u32_state(struct rnd_state *state)
{
	u64 z = state->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z >> 32;
}
