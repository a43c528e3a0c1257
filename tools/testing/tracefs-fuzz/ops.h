/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of operations share. */
#ifndef TRACEFS_FUZZ_OPS_H
#define TRACEFS_FUZZ_OPS_H

#include "fuzz.h"
#include "../../../include/uapi/linux/trace_mmap.h"

/* ops.c */
void limit_wait(bool on);

/* maps.c */
void begin_maps(void);
void close_maps(void);
void do_map(void);

/* tracefs-fuzz.c: is that among the files that -f names? */
bool wanted(const char *path);

#endif /* TRACEFS_FUZZ_OPS_H */
