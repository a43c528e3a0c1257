/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What cases.c gives to the functions of shim.c.
 */
#ifndef _EVENT_FILTER_CASES_H
#define _EVENT_FILTER_CASES_H

/* Two pages of the process that cannot be accessed, and the bytes that are in the first */
extern char *user_memory;
extern char user_bytes[];

/* From the command line */
extern unsigned long random_seed;

#endif /* _EVENT_FILTER_CASES_H */
