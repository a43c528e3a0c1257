/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of this directory share
 */
#ifndef _TRACE_EVENTS_INTERNAL_H
#define _TRACE_EVENTS_INTERNAL_H

struct eventfs_inode;

/* formats.c */
int trace_entry_formats_create(struct eventfs_inode *events);

#endif /* _TRACE_EVENTS_INTERNAL_H */
