/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions by address, each in a slot of its own for as long as the table is there.
 *
 * The table has its size before the first function comes. Everybody finds and adds, in
 * any context and without a lock:
 *
 *	one who looks for f			another, or who interrupts it
 *
 *	a. finds f in a slot			finds f in the same slot: a slot
 *						once taken keeps its function
 *	b. finds a free slot first: takes it	took it for f: the slot is f's
 *	   by an exchange, which fails if	took it for g: the search goes on
 *	   it is not free any more		behind it
 *
 * Who takes a slot has been counted before, and no more are let in than @max, which is
 * less than there are slots. So there is a free slot for every search to end at.
 */
#ifndef _TRACE_PROFILE_TABLE_H
#define _TRACE_PROFILE_TABLE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/types.h>

/**
 * struct profile_table - functions
 * @ip: 1 << @bits slots: an address, or 0
 * @bits: see there
 * @max: how many functions there may be
 * @nr: how many there are, and perhaps some who just try
 */
struct profile_table {
	unsigned long	*ip;
	unsigned int	bits;
	unsigned int	max;
	atomic_t	nr;
};

#define PROFILE_NO_SLOT	UINT_MAX

/* Take a free slot, unless there are enough functions. Somebody else may take it first. */
static inline bool profile_table_take(struct profile_table *table, unsigned int slot,
				      unsigned long ip)
{
	bool room = atomic_inc_return(&table->nr) <= table->max;

	if (!room || cmpxchg(&table->ip[slot], 0, ip))
		atomic_dec(&table->nr);
	return room;
}

/**
 * profile_table_slot - find a function, or add it
 * @table: where
 * @ip: the function, not 0
 *
 * Any context.
 *
 * Return: its slot, or PROFILE_NO_SLOT if it is a new one and there are enough.
 */
static __always_inline unsigned int profile_table_slot(struct profile_table *table,
						       unsigned long ip)
{
	const unsigned int mask = BIT(table->bits) - 1;
	unsigned int slot = hash_long(ip, table->bits);
	unsigned long found;

	while ((found = READ_ONCE(table->ip[slot])) != ip) {
		if (found)
			slot = (slot + 1) & mask;
		else if (!profile_table_take(table, slot, ip))
			return PROFILE_NO_SLOT;
	}
	return slot;
}

#endif /* _TRACE_PROFILE_TABLE_H */
