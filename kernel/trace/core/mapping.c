// SPDX-License-Identifier: GPL-2.0
/*
 * A buffer is mapped, or its storage may be exchanged, never both: see mapping.h.
 */
#include <linux/bug.h>
#include <linux/spinlock.h>

#include "mapping.h"

/**
 * trace_mapping_init - initialize: no mappings and no exchangers
 * @mapping: the mapping of a new instance
 *
 * Context: any.
 */
void trace_mapping_init(struct trace_mapping *mapping)
{
	spin_lock_init(&mapping->lock);
	mapping->maps = 0;
	mapping->exchangers = 0;
}

/* Return: true if counted; false if @others is not 0, and then nothing has changed. */
static bool mapping_begin(struct trace_mapping *mapping, unsigned int *mine,
			  const unsigned int *others)
{
	bool allowed;

	spin_lock(&mapping->lock);
	allowed = !*others;
	if (allowed)
		WRITE_ONCE(*mine, *mine + 1);
	spin_unlock(&mapping->lock);
	return allowed;
}

static void mapping_end(struct trace_mapping *mapping, unsigned int *mine)
{
	spin_lock(&mapping->lock);
	if (!WARN_ON_ONCE(!*mine))
		WRITE_ONCE(*mine, *mine - 1);
	spin_unlock(&mapping->lock);
}

/**
 * trace_mapping_begin - user space is going to map the buffer
 * @mapping: the buffer's mapping
 *
 * If it succeeds, the caller sees what exchangers have written before.
 *
 * Context: process context; the mmap lock may be held.
 * Return: true, and the storage is not exchanged before trace_mapping_end(); false while there are
 * exchangers.
 */
bool trace_mapping_begin(struct trace_mapping *mapping)
{
	return mapping_begin(mapping, &mapping->maps, &mapping->exchangers);
}

/**
 * trace_mapping_end - undo trace_mapping_begin()
 * @mapping: the buffer's mapping
 *
 * Context: process context; the mmap lock may be held.
 */
void trace_mapping_end(struct trace_mapping *mapping)
{
	mapping_end(mapping, &mapping->maps);
}

/**
 * trace_exchange_begin - become a user that may exchange the storage, or change its size
 * @mapping: the buffer's mapping
 *
 * Context: process context.
 * Return: true, and the buffer cannot be mapped until trace_exchange_end(); false while it is.
 */
bool trace_exchange_begin(struct trace_mapping *mapping)
{
	return mapping_begin(mapping, &mapping->exchangers, &mapping->maps);
}

/**
 * trace_exchange_end - undo trace_exchange_begin()
 * @mapping: the buffer's mapping
 *
 * Context: process context.
 */
void trace_exchange_end(struct trace_mapping *mapping)
{
	mapping_end(mapping, &mapping->exchangers);
}
