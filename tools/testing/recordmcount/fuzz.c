// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz - spoiled objects for recordmcount
 *
 * usage: fuzz OBJECT RUNS
 *
 * Overwrites a few fields of the object, others each time, and runs recordmcount, which is built
 * into this program, on the result, fuzz.o. It has to end soon and to touch no memory but its own
 * (build this with sanitizers). An object that is refused must be unchanged; one that was accepted
 * must be left alone the next time. Each run of this program overwrites the same fields, so a
 * failure can be repeated; fuzz-input.o is the object that failed.
 */
#define _GNU_SOURCE
#include <err.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf refused;
static char message[1000];

/* Messages are formatted, since they print names from the object, but not shown. */
#define errx(status, ...) (snprintf(message, sizeof(message), __VA_ARGS__), longjmp(refused, 1))
#define warnx(...) snprintf(message, sizeof(message), __VA_ARGS__)
#define main recordmcount
#include "../../../scripts/recordmcount.c"
#undef main

#define NAME	"fuzz.o"
#define INPUT	"fuzz-input.o"
#define SECONDS	60

struct bytes {
	char *data;
	size_t size;
};

static uint64_t random_state = 4;

static uint64_t random_below(uint64_t bound)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return bound ? (random_state >> 33 ^ random_state << 31) % bound : 0;
}

static struct bytes load(const char *path)
{
	struct object obj = { .path = path };

	read_file(&obj);
	return (struct bytes){ obj.file, obj.size };
}

static void store(const char *path, struct bytes bytes)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size || fclose(file)) {
		perror(path);
		exit(2);
	}
}

static uint64_t random_value(size_t size)
{
	static const uint64_t values[] = {
		0, 1, 2, 4, 7, 8, 0xff, 0xfeff, 0xff00, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
		1ULL << 40, 1ULL << 63, -1ULL, -8ULL, -64ULL,
	};

	switch (random_below(4)) {
	case 0:
		return random_below(32);
	case 1:
		return size - random_below(128);
	case 2:
		return random_below(-1ULL);
	default:
		return values[random_below(sizeof(values) / sizeof(values[0]))];
	}
}

/* Overwrite a field of the ELF header, of a section header, or of the content of a section. */
static void spoil(struct bytes bytes, const Elf64_Ehdr *ehdr, const Elf64_Shdr *shdr)
{
	size_t start = 0, length = sizeof(*ehdr), width = 1UL << random_below(4);
	uint64_t value = random_value(bytes.size);
	unsigned int section = random_below(ehdr->e_shnum);

	switch (random_below(8)) {
	case 0:
		break;
	case 1:
	case 2:
	case 3:
		start = ehdr->e_shoff;
		length = ehdr->e_shnum * sizeof(*shdr);
		break;
	default:
		if (shdr[section].sh_type == SHT_NOBITS || shdr[section].sh_size < width)
			return;
		start = shdr[section].sh_offset;
		length = shdr[section].sh_size;
	}
	memcpy(bytes.data + start + random_below(length / width) * width, &value, width);
}

static bool is_refused(void)
{
	if (setjmp(refused))
		return true;
	alarm(SECONDS);
	record(NAME);
	return false;
}

static bool is_same(struct bytes a, struct bytes b)
{
	return a.size == b.size && !memcmp(a.data, b.data, a.size);
}

/* One run. Returns 'r': the object was refused; 'u': it was not touched; 'l': calls were listed. */
static char try(struct bytes bytes)
{
	struct bytes after, again;
	bool fails;
	char result;

	store(INPUT, bytes);
	store(NAME, bytes);
	fails = is_refused();
	after = load(NAME);
	result = fails ? 'r' : is_same(bytes, after) ? 'u' : 'l';
	if (fails && !is_same(bytes, after)) {
		fprintf(stderr, "refused (%s), and yet changed\n", message);
		exit(1);
	}
	if (result == 'l') {
		if (is_refused() || !is_same(after, again = load(NAME))) {
			fprintf(stderr, "not left alone when recorded again\n");
			exit(1);
		}
		free(again.data);
	}
	free(after.data);
	return result;
}

int main(int argc, char **argv)
{
	unsigned int count[128] = { 0 }, runs, i, n;
	struct bytes good, bytes;
	const Elf64_Ehdr *ehdr;

	if (argc != 3) {
		fprintf(stderr, "usage: fuzz OBJECT RUNS\n");
		return 2;
	}
	good = load(argv[1]);
	ehdr = (void *)good.data;
	runs = atoi(argv[2]);
	warn_dropped = true;
	for (i = 0; i < runs; i++) {
		bytes.data = memcpy(malloc(good.size), good.data, good.size);
		bytes.size = good.size;
		for (n = 1 + random_below(3); n; n--)
			spoil(bytes, ehdr, (void *)(good.data + ehdr->e_shoff));
		if (!random_below(20))
			bytes.size = random_below(bytes.size);
		count[(unsigned char)try(bytes)]++;
		free(bytes.data);
	}
	printf("%u objects: %u refused, %u not touched, calls listed in %u\n", runs, count['r'],
	       count['u'], count['l']);
	return count['r'] < runs / 10 || count['l'] < runs / 10;	/* tests too little */
}
