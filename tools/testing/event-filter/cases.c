// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the KUnit cases of filters:
 *
 *	filters-VARIANT [-n FILTERS] [-s SEED] [-c CPUS] [-k]
 *
 * -k: as a kernel thread, which has no memory of a process.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "shim.h"
#include "cases.h"
#include "filter/filter_test.h"

extern const struct kunit_suite *const __start_shim_suites[], *const __stop_shim_suites[];

char *user_memory;
char user_bytes[PAGE_SIZE];
unsigned long random_seed;
unsigned int shim_trees = 100000;

/*
 * Functions: one behind the other, from trace_filter_run() on, with sizes that are not those of the
 * functions. Nothing calls them by these addresses.
 */
static const struct {
	const char	*name;
	unsigned int	size;
} functions[] = {
	{ "trace_filter_run", 60 }, { "trace_line_name", 1 }, { "between", 3 },
	{ "trace_filter_compile", 17 },
};

/* Find the function that an address is in; or NULL. @offset: set to the bytes before it in that */
static const char *function_at(unsigned long address, unsigned long *size, unsigned long *offset)
{
	unsigned long begin = (unsigned long)trace_filter_run;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (address >= begin && address < begin + functions[i].size) {
			*size = functions[i].size;
			*offset = address - begin;
			return functions[i].name;
		}
		begin += functions[i].size;
	}
	return NULL;
}

int kallsyms_lookup_size_offset(unsigned long address, unsigned long *size, unsigned long *offset)
{
	return !!function_at(address, size, offset);
}

int lookup_symbol_name(unsigned long address, char *name)
{
	unsigned long size, offset;
	const char *function = function_at(address, &size, &offset);

	if (!function)
		return -ERANGE;
	strscpy(name, function, KSYM_NAME_LEN);
	return 0;
}

unsigned long kallsyms_lookup_name(const char *name)
{
	unsigned long address = (unsigned long)trace_filter_run;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (!strcmp(functions[i].name, name))
			return address;
		address += functions[i].size;
	}
	return 0;
}

/* Make the memory of the process, and a list of addresses in it for the cases. */
static const struct filter_address *user_addresses(void)
{
	static char part[1024];
	static struct filter_address list[8];
	struct filter_address *to = list;

	user_memory = mmap(NULL, 2 * PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (user_memory == MAP_FAILED)
		shim_fail(__FILE__, __LINE__, "mmap", "%s", strerror(errno));

	strscpy(user_bytes, "text", PAGE_SIZE);
	*to++ = (struct filter_address){ user_memory, NULL, "text" };
	*to++ = (struct filter_address){ user_memory + 4, NULL, "" };

	/* A string of which 1023 characters are compared */
	memset(user_bytes + 8, 'b', 1100);
	user_bytes[8] = 'a';
	memcpy(part, user_bytes + 8, sizeof(part) - 1);
	*to++ = (struct filter_address){ user_memory + 8, NULL, part };
	/* One that ends with the first page, and one that would not */
	strscpy(user_bytes + PAGE_SIZE - 4, "abc", 4);
	*to++ = (struct filter_address){ user_memory + PAGE_SIZE - 4, NULL, "abc" };
	*to++ = (struct filter_address){ user_memory + PAGE_SIZE, NULL, NULL };
	*to++ = (struct filter_address){ user_memory + 2048, NULL, user_bytes + 2048,
					 user_bytes + 2048 };
	return list;
}

static unsigned long number(const char *text, unsigned long least, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 0);

	if (*end || value < least || value > most)
		shim_fail(__FILE__, __LINE__, text, "not from %lu to %lu", least, most);
	return value;
}

int main(int argc, char **argv)
{
	const struct kunit_suite *const *suite;
	struct kunit test = { .priv = (void *)user_addresses() };
	const struct kunit_case *c;
	int option;

	current->mm = user_bytes;
	while ((option = getopt(argc, argv, "n:s:c:k")) != -1) {
		switch (option) {
		case 'n':
			shim_trees = number(optarg, 1000, INT_MAX / 9);
			break;
		case 's':
			random_seed = number(optarg, 0, ULONG_MAX);
			break;
		case 'c':
			nr_cpu_ids = number(optarg, 1, NR_CPUS);
			break;
		case 'k':
			current->mm = NULL;
			break;
		default:
			return 1;
		}
	}
	srand(random_seed);
	for (suite = __start_shim_suites; suite < __stop_shim_suites; suite++) {
		for (c = (*suite)->test_cases; c->run; c++) {
			/* A case has a thread of its own; it may give it another name. */
			set_task_comm(current, "kunit_try_catch");
			c->run(&test);
			printf("ok %s.%s\n", (*suite)->name, c->name);
		}
	}
	return 0;
}
