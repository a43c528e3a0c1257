/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pages of a buffer are mapped into user space, or its storage may be exchanged for another:
 * never both, as mapped pages have to stay where they are.
 *
 * Mappings and exchangers are counted. A mapping is refused while there are exchangers, and an
 * exchanger is refused while there are mappings. The mapping task holds the mmap lock. Some code
 * waits for the mmap lock with the lock of CPU hotplug held, and tracing waits for that one with
 * trace_array::lock held. So trace_array::lock cannot protect the counts. Their own lock can: no
 * other lock is taken inside of it.
 */
#ifndef _TRACE_CORE_MAPPING_H
#define _TRACE_CORE_MAPPING_H

#include <linux/compiler.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>

/**
 * struct trace_mapping - users of a buffer's storage
 * @lock: protects both counts
 * @maps: number of mappings of the buffer into user space
 * @exchangers: number of users that may exchange the storage at any time
 */
struct trace_mapping {
	spinlock_t	lock;	/* inside of the mmap lock */
	unsigned int	maps;
	unsigned int	exchangers;
};

void trace_mapping_init(struct trace_mapping *mapping);
bool trace_mapping_begin(struct trace_mapping *mapping);
void trace_mapping_end(struct trace_mapping *mapping);
bool trace_exchange_begin(struct trace_mapping *mapping);
void trace_exchange_end(struct trace_mapping *mapping);

/* Is the buffer mapped at this moment? Any context; an exchanger finds that it is not. */
static inline bool trace_is_mapped(const struct trace_mapping *mapping)
{
	return READ_ONCE(mapping->maps);
}

#endif /* _TRACE_CORE_MAPPING_H */
