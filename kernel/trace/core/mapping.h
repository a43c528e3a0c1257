/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pages of a buffer are mapped into user space, or its storage may be exchanged for
 * another: never both, as what is mapped has to stay where it is.
 *
 * Each side counts itself in and is refused while there is anybody of the other side. Somebody
 * who maps holds the mmap lock. With trace_array::lock held the lock of CPU hotplug is waited
 * for, and with that held some wait for the mmap lock. So this cannot be under trace_array::lock,
 * and has a lock of its own, with no other inside.
 */
#ifndef _TRACE_CORE_MAPPING_H
#define _TRACE_CORE_MAPPING_H

#include <linux/compiler.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>

/**
 * struct trace_mapping - who needs the storage of a buffer where it is, or may exchange it
 * @lock: of both numbers
 * @maps: mappings of the buffer into user space
 * @exchangers: users that may exchange its storage, at any time until they are done
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
