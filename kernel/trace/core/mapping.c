// SPDX-License-Identifier: GPL-2.0
/*
 * Either a buffer is mapped, or its storage may be exchanged: see mapping.h.
 */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/spinlock.h>

#include "mapping.h"

/**
 * trace_mapping_init - the buffer is not mapped, and nobody may exchange its storage
 * @mapping: of a new instance
 *
 * Context: any.
 */
void trace_mapping_init(struct trace_mapping *mapping)
{
	spin_lock_init(&mapping->lock);
	mapping->maps = 0;
	mapping->exchangers = 0;
}

/* Return false if @others is not 0, and nothing has changed. */
static bool mapping_begin(struct trace_mapping *mapping, unsigned int *mine,
			  const unsigned int *others)
{
	guard(spinlock)(&mapping->lock);
	if (*others)
		return false;
	WRITE_ONCE(*mine, *mine + 1);
	return true;
}

static void mapping_end(struct trace_mapping *mapping, unsigned int *mine)
{
	guard(spinlock)(&mapping->lock);
	if (!WARN_ON_ONCE(!*mine))
		WRITE_ONCE(*mine, *mine - 1);
}

/**
 * trace_mapping_begin - user space is going to map the buffer
 * @mapping: the buffer's
 *
 * What exchangers have done before is seen afterwards.
 *
 * Context: process context; the mmap lock may be held.
 * Return: true, and the storage stays until trace_mapping_end(); false while it may be exchanged.
 */
bool trace_mapping_begin(struct trace_mapping *mapping)
{
	return mapping_begin(mapping, &mapping->maps, &mapping->exchangers);
}

/**
 * trace_mapping_end - undo trace_mapping_begin()
 * @mapping: the buffer's
 *
 * Context: process context; the mmap lock may be held.
 */
void trace_mapping_end(struct trace_mapping *mapping)
{
	mapping_end(mapping, &mapping->maps);
}

/**
 * trace_exchange_begin - be about to exchange the storage of the buffer, or to change its size
 * @mapping: the buffer's
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
 * @mapping: the buffer's
 *
 * Context: process context.
 */
void trace_exchange_end(struct trace_mapping *mapping)
{
	mapping_end(mapping, &mapping->exchangers);
}
