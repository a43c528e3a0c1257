/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_OUTPUT_SYMBOLS_H
#define _TRACE_OUTPUT_SYMBOLS_H

#include <linux/types.h>

struct symbol_cache;
struct trace_seq;

struct symbol_cache *symbol_cache_alloc(void);
void symbol_cache_free(struct symbol_cache *cache);
void print_symbol(struct symbol_cache *cache, struct trace_seq *s,
		  unsigned long addr, bool offset);

#endif /* _TRACE_OUTPUT_SYMBOLS_H */
