/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hash table of functions by address. Each has a slot of its own as long as the table exists.
 *
 * The table is allocated before the first function is added. Functions are looked up and added in
 * any context, without a lock:
 *
 *	a look-up of f				another one, which may interrupt it
 *
 *	a. finds f in a slot			finds f in the same slot: a slot that
 *						was taken keeps its function
 *	b. finds a free slot first: takes it	took it for f: the slot is f's
 *	   by an exchange, which fails if	took it for g: the look-up goes on
 *	   it is not free any more		after it
 *
 * A function is counted before it takes a slot. At most @max functions take slots, which is less
 * than the number of slots. So there is always a free slot at which a look-up ends.
 */
#ifndef _TRACE_PROFILE_TABLE_H
#define _TRACE_PROFILE_TABLE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/types.h>

/**
 * struct profile_table - a hash table of functions
 * @ip: 1 << @bits slots: the address of a function, or 0
 * @bits: binary logarithm of the number of slots
 * @max: largest number of functions
 * @nr: number of functions, including attempts to add one
 */
struct profile_table {
	unsigned long	*ip;
	unsigned int	bits;
	unsigned int	max;
	atomic_t	nr;
};

#define PROFILE_NO_SLOT	UINT_MAX

/* Try to take a free slot. Another look-up may take it first. Return false if @max is reached. */
static inline bool profile_table_take(struct profile_table *table, unsigned int slot,
				      unsigned long ip)
{
	bool room = atomic_inc_return(&table->nr) <= table->max;

	if (!room || cmpxchg(&table->ip[slot], 0, ip))
		atomic_dec(&table->nr);
	return room;
}

/**
 * profile_table_slot - look up a function, and add it if it is new
 * @table: the table
 * @ip: address of the function, not 0
 *
 * Context: any.
 * Return: number of the slot; PROFILE_NO_SLOT for a new function if the table is full.
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
