// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers that are mapped: a per-CPU trace_pipe_raw is, and stays so while the buffer is
 * resized, swapped or removed, the file is closed, or a child has it, too.
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

#define MAPS		2
#define MAX_MAPPED	(8 << 20)

/* Of <linux/trace_mmap.h>, which the compiler of guest programs may not have. */
#define GET_READER	_IO('R', 0x20)

struct meta {
	uint32_t	page_size, struct_len, subbuf_size, subbufs;
};

struct map {
	int	fd;
	char	*at;	/* NULL: not mapped */
	size_t	size;
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
		maps[i].fd = -1;
}

static long sum_bytes(const char *at, size_t size, size_t step)
{
	long sum = 0;

	for (size_t i = 0; i < size; i += step)
		sum += (unsigned char)at[i];
	return sum;
}

/* Reads each page; -1 if there is one that cannot be read. */
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

static void set_map(struct map *map, void *at, size_t size)
{
	if (at == MAP_FAILED) {
		answer(MAP, -1);
		return;
	}
	map->at = at;
	map->size = size;
	answer(MAP, 0);
}

static void unmap(struct map *map)
{
	if (map->at)
		munmap(map->at, map->size);
	map->at = NULL;
}

static void close_map(struct map *map)
{
	if (map->fd >= 0)
		close(map->fd);
	map->fd = -1;
}

void close_maps(void)
{
	for (unsigned int i = 0; i < MAPS; i++) {
		unmap(&maps[i]);
		close_map(&maps[i]);
	}
}

static void open_map(struct map *map, unsigned int number)
{
	char path[PATH], where[64] = "";

	if (chance(2))
		snprintf(where, sizeof(where), "instances/fuzz%u/", rnd(INSTANCES));
	snprintf(path, sizeof(path), TRACEFS "%sper_cpu/cpu%u/trace_pipe_raw", where, rnd(cpus));
	if (chance(10))
		choose_control(false, path);
	if (!wanted(path))
		return;
	say("open-map %u %s", number, path);
	map->fd = open(path, O_RDONLY | (chance(2) ? O_NONBLOCK : 0));
	answer(MAP, map->fd);
}

/* The first page says how much there is. */
static void map_whole(struct map *map, unsigned int number)
{
	long page = sysconf(_SC_PAGESIZE);
	struct meta meta;
	size_t size;
	void *at;

	say("map %u", number);
	at = mmap(NULL, page, PROT_READ, MAP_SHARED, map->fd, 0);
	if (at == MAP_FAILED || touch(at, page, page) < 0) {
		answer(MAP, -1);
		if (at != MAP_FAILED)
			munmap(at, page);
		return;
	}
	memcpy(&meta, at, sizeof(meta));
	munmap(at, page);
	size = meta.page_size + (size_t)meta.subbuf_size * meta.subbufs;
	at = mmap(NULL, size < MAX_MAPPED ? size : MAX_MAPPED, PROT_READ, MAP_SHARED, map->fd, 0);
	set_map(map, at, size < MAX_MAPPED ? size : MAX_MAPPED);
}

static void map_oddly(struct map *map, unsigned int number)
{
	static const int prots[] = { PROT_READ, PROT_READ, PROT_READ | PROT_WRITE, PROT_NONE,
				     PROT_READ | PROT_EXEC };
	size_t page = sysconf(_SC_PAGESIZE), size = page * (1 + rnd(chance(8) ? 1000 : 20));
	off_t offset = page * rnd(chance(8) ? 1000000 : 20);
	int prot = prots[rnd(ARRAY_SIZE(prots))], flags = chance(4) ? MAP_PRIVATE : MAP_SHARED;

	say("map-odd %u %zu %ld %d %d", number, size, (long)offset, prot, flags);
	set_map(map, mmap(NULL, size, prot, flags, map->fd, offset), size);
}

/* Part of it goes, or moves, or is to become what it may not be. */
static void change_map(struct map *map, unsigned int number)
{
	size_t page = sysconf(_SC_PAGESIZE), part = page * rnd(map->size / page);
	unsigned int how = rnd(5);
	char *old = map->at;
	void *at;

	say("change-map %u %u %zu", number, how, part);
	switch (how) {
	case 0:
		if (!part)
			break;
		answer(MAP, munmap(map->at + part, map->size - part));
		map->size = part;
		break;
	case 1:
		at = mremap(map->at, map->size, map->size + page, MREMAP_MAYMOVE);
		set_map(map, at, map->size + page);
		break;
	case 2:
		answer(MAP, mprotect(map->at, map->size, PROT_READ | PROT_WRITE));
		mprotect(map->at, map->size, PROT_READ);
		break;
	case 3:
		answer(MAP, madvise(map->at, map->size, MADV_DONTNEED));
		break;
	default:
		at = mremap(map->at, map->size, map->size, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
		set_map(map, at, map->size);
		if (at != MAP_FAILED)
			munmap(old, map->size);
	}
}

static void share_map(struct map *map, unsigned int number)
{
	pid_t child;

	say("fork-map %u", number);
	limit_wait(false);
	child = fork();
	if (!child) {
		limit_wait(true);
		touch(map->at, map->size, 4096);
		ioctl(map->fd, GET_READER);
		_exit(0);
	}
	if (chance(2))
		unmap(map);
	if (child > 0)
		waitpid(child, NULL, 0);
	answer(MAP, child);
}

static void use_map(struct map *map, unsigned int number)
{
	switch (rnd(8)) {
	case 0:
		say("unmap %u", number);
		unmap(map);
		answer(MAP, 0);
		break;
	case 1:
		change_map(map, number);
		break;
	case 2:
		share_map(map, number);
		break;
	case 3:
		say("close-map %u", number);
		close_map(map);
		answer(MAP, 0);
		break;
	case 4: case 5:
		say("get-reader %u", number);
		answer(MAP, ioctl(map->fd, GET_READER));
		break;
	default:
		say("touch %u", number);
		answer(MAP, touch(map->at, map->size, chance(2) ? 64 : 4096));
	}
}

void do_map(void)
{
	unsigned int number = rnd(MAPS);
	struct map *map = &maps[number];

	limit_wait(true);
	if (map->at) {
		use_map(map, number);
	} else if (map->fd < 0) {
		open_map(map, number);
	} else if (chance(4)) {
		say("close-map %u", number);
		close_map(map);
		answer(MAP, 0);
	} else if (chance(2)) {
		map_whole(map, number);
	} else {
		map_oddly(map, number);
	}
	limit_wait(false);
}
