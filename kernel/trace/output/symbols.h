/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_OUTPUT_SYMBOLS_H
#define _TRACE_OUTPUT_SYMBOLS_H

/**
 * enum symbol_form - the parts of a symbol to print
 * @SYMBOL_NAME: its name
 * @SYMBOL_OFFSET: name+offset/size, and its module in brackets
 * @SYMBOL_MODULE: its name, and its module in brackets
 */
enum symbol_form {
	SYMBOL_NAME,
	SYMBOL_OFFSET,
	SYMBOL_MODULE,
};

struct symbol_cache;
struct trace_seq;

struct symbol_cache *symbol_cache_alloc(void);
unsigned int symbols_generation(void);
void print_symbol(struct symbol_cache *cache, struct trace_seq *s,
		  unsigned long addr, enum symbol_form form);

#endif /* _TRACE_OUTPUT_SYMBOLS_H */
