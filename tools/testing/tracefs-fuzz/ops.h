/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations that the files of operations share. */
#ifndef TRACEFS_FUZZ_OPS_H
#define TRACEFS_FUZZ_OPS_H

#include "fuzz.h"
#include "../../../include/uapi/linux/trace_mmap.h"

/* ops.c */
void limit_wait(bool on);

/**
 * struct place - where a file stays open for later operations
 * @fd: the open file; negative: none
 * @span: of which operations it is, see random.c
 * @path: which file
 * @flags: for open()
 */
struct place {
	int		fd;
	unsigned long	span;
	char		path[PATH];
	int		flags;
};

int place_fd(struct place *place);
void close_place(struct place *place);
void say_use(const char *what, const struct place *place);

/* maps.c */
void begin_maps(void);
void close_maps(void);
void do_map(void);

/* modules.c */
void do_module(void);

/* perf.c */
void begin_perfs(void);
void do_perf(void);

/* perf_attr.c */
long open_perf_event(const struct event *event);

/* tracefs-fuzz.c: is that among the files that -f names? */
bool wanted(const char *path);

#endif /* TRACEFS_FUZZ_OPS_H */
