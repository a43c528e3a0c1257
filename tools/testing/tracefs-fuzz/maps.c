// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings of per-CPU trace_pipe_raw: they stay while the buffer is resized, swapped or removed,
 * the file is closed, or a child inherits them.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops.h"

#define MAX_MAPPED	(8 << 20)

struct map {
	struct place	place;
	char		*at;	/* NULL: not mapped */
	size_t		size;
};

static struct map maps[MAPS];
static sigjmp_buf faulted;

static void on_fault(int signal)
{
	siglongjmp(faulted, signal);
}

void begin_maps(void)
{
	for (unsigned int i = 0; i < MAPS; i++)
		maps[i].place.fd = -1;
}

static long sum_bytes(const char *at, size_t size, size_t step)
{
	long sum = 0;

	for (size_t i = 0; i < size; i += step)
		sum += (unsigned char)at[i];
	return sum;
}

/* Read each page; return -1 if a page cannot be read. */
static long touch(const char *at, size_t size, size_t step)
{
	long result = -1;

	signal(SIGBUS, on_fault);
	signal(SIGSEGV, on_fault);
	if (!sigsetjmp(faulted, 1))
		result = sum_bytes(at, size, step);
	signal(SIGBUS, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	return result;
}

static void unmap(struct map *map)
{
	if (map->at)
		munmap(map->at, map->size);
	map->at = NULL;
}

void close_maps(void)
{
	for (unsigned int i = 0; i < MAPS; i++) {
		unmap(&maps[i]);
		close_place(&maps[i].place);
	}
}

/* The file that the operation's span has at this place: see turn_to() of ops.c. */
static struct map *turn_to(unsigned int number)
{
	unsigned long span = begin_span(SLOTS + number);
	struct map *map = &maps[number];
	char where[64] = "";

	if (chance(2))
		snprintf(where, sizeof(where), "instances/fuzz%u/", rnd(INSTANCES));
	snprintf(map->place.path, PATH, TRACEFS "%sper_cpu/cpu%u/trace_pipe_raw", where, rnd(cpus));
	if (chance(10))
		choose_control(false, map->place.path);
	map->place.flags = O_RDONLY | (chance(2) ? O_NONBLOCK : 0);
	end_span();
	if (map->place.span != span) {
		unmap(map);
		close_place(&map->place);
	}
	map->place.span = span;
	return map;
}

/* The first page has the size of the mapping. 0: the file cannot be mapped. */
static size_t whole_size(struct map *map)
{
	size_t page = sysconf(_SC_PAGESIZE), size = 0;
	struct trace_buffer_meta *meta;

	meta = mmap(NULL, page, PROT_READ, MAP_SHARED, place_fd(&map->place), 0);
	if (meta == MAP_FAILED)
		return 0;
	if (touch((char *)meta, page, page) >= 0)
		size = meta->meta_page_size + (size_t)meta->subbuf_size * meta->nr_subbufs;
	munmap(meta, page);
	return size < MAX_MAPPED ? size : MAX_MAPPED;
}

static long set_map(struct map *map, void *at, size_t size)
{
	if (at == MAP_FAILED)
		return -1;
	map->at = at;
	map->size = size;
	return 0;
}

static bool is_mapped(struct map *map)
{
	size_t size;
	void *at;

	if (map->at)
		return true;
	size = whole_size(map);
	if (!size)
		return false;
	at = mmap(NULL, size, PROT_READ, MAP_SHARED, map->place.fd, 0);
	return !set_map(map, at, size);
}

static long map_oddly(struct map *map)
{
	static const int prots[] = { PROT_READ, PROT_READ, PROT_READ | PROT_WRITE, PROT_NONE,
				     PROT_READ | PROT_EXEC };
	size_t page = sysconf(_SC_PAGESIZE), size = page * (1 + rnd(chance(8) ? 1000 : 20));
	off_t offset = page * rnd(chance(8) ? 1000000 : 20);
	int prot = prots[rnd(ARRAY_SIZE(prots))], flags = chance(4) ? MAP_PRIVATE : MAP_SHARED;
	void *at = mmap(NULL, size, prot, flags, place_fd(&map->place), offset);

	if (at == MAP_FAILED)
		return -1;
	touch(at, size, page);
	return munmap(at, size);
}

/* Unmap or move a part, or change its protection, also to one that is refused. */
static long change_map(struct map *map)
{
	size_t page = sysconf(_SC_PAGESIZE), part = map->size / page * rnd(256) / 256 * page;
	char *old = map->at;
	long result;
	void *at;

	switch (rnd(5)) {
	case 0:
		if (!part)
			return 0;
		result = munmap(old + part, map->size - part);
		if (!result)
			map->size = part;
		return result;
	case 1:
		at = mremap(old, map->size, map->size + page, MREMAP_MAYMOVE);
		return set_map(map, at, map->size + page);
	case 2:
		result = mprotect(old, map->size, PROT_READ | PROT_WRITE);
		mprotect(old, map->size, PROT_READ);
		return result;
	case 3:
		return madvise(old, map->size, MADV_DONTNEED);
	default:
		at = mremap(old, map->size, map->size, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
		result = set_map(map, at, map->size);
		if (!result)
			munmap(old, map->size);
		return result;
	}
}

static long get_reader(struct map *map)
{
	return ioctl(place_fd(&map->place), TRACE_MMAP_IOCTL_GET_READER);
}

static long share_map(struct map *map)
{
	pid_t child;

	limit_wait(false);
	child = fork();
	if (!child) {
		limit_wait(true);
		touch(map->at, map->size, 4096);
		get_reader(map);
		_exit(0);
	}
	if (chance(2))
		unmap(map);
	if (child > 0)
		waitpid(child, NULL, 0);
	return child;
}

static long touch_map(struct map *map)
{
	return touch(map->at, map->size, chance(2) ? 64 : 4096);
}

static long end_map(struct map *map)
{
	unmap(map);
	return 0;
}

/* The mapping stays. */
static long end_file(struct map *map)
{
	close_place(&map->place);
	return 0;
}

static const struct use {
	const char	*name;
	bool		mapped;	/* map it first, unless it is mapped */
	long		(*run)(struct map *map);
} uses[] = {
	{ "touch", true, touch_map },
	{ "touch", true, touch_map },
	{ "get-reader", true, get_reader },
	{ "get-reader", true, get_reader },
	{ "get-reader", false, get_reader },
	{ "change-map", true, change_map },
	{ "fork-map", true, share_map },
	{ "map-odd", false, map_oddly },
	{ "unmap", true, end_map },
	{ "close-map", true, end_file },
};

void do_map(void)
{
	struct map *map = turn_to(rnd(MAPS));
	const struct use *use = &uses[rnd(ARRAY_SIZE(uses))];

	if (!wanted(map->place.path))
		return;
	say_use(use->name, &map->place);
	limit_wait(true);
	answer(MAP, use->mapped && !is_mapped(map) ? -1 : use->run(map));
	limit_wait(false);
}
