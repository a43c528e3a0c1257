/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * A per-CPU trace_pipe_raw, mapped into user space: the page of the structure
 * below, then all sub-buffers by their id.
 */
#ifndef _TRACE_MMAP_H_
#define _TRACE_MMAP_H_

#include <linux/types.h>

/**
 * struct trace_buffer_meta - first page of a mapped trace_pipe_raw
 * @meta_page_size:	Bytes before the first sub-buffer.
 * @meta_struct_len:	Bytes of this structure.
 * @subbuf_size:	Bytes of a sub-buffer, its header included.
 * @nr_subbufs:		Number of sub-buffers, the reader's included.
 * @reader:		About the sub-buffer that is read.
 * @reader.lost_events:	Events lost before those of the reader's sub-buffer.
 * @reader.id:		Id of the reader's sub-buffer, from 0 to @nr_subbufs - 1.
 * @reader.read:	Bytes of it that were read.
 * @flags:		Zero.
 * @entries:		Events in the ring.
 * @overrun:		Events lost as newer ones took their place.
 * @read:		Events read.
 * @Reserved1:		Zero.
 * @Reserved2:		Zero.
 *
 * Its content is that of the last TRACE_MMAP_IOCTL_GET_READER, or of mmap().
 */
struct trace_buffer_meta {
	__u32		meta_page_size;
	__u32		meta_struct_len;

	__u32		subbuf_size;
	__u32		nr_subbufs;

	struct {
		__u64	lost_events;
		__u32	id;
		__u32	read;
	} reader;

	__u64	flags;

	__u64	entries;
	__u64	overrun;
	__u64	read;

	__u64	Reserved1;
	__u64	Reserved2;
};

/* Go on to the next sub-buffer that has unread events, and update the page. */
#define TRACE_MMAP_IOCTL_GET_READER		_IO('R', 0x20)

#endif /* _TRACE_MMAP_H_ */
