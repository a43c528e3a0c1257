// SPDX-License-Identifier: GPL-2.0
/*
 * Printing addresses as symbols, with a cache.
 *
 * A line of the function tracer has two addresses, and earlier lines have named most of them.
 * Looking up a name in the compressed symbol table takes some thousand instructions, finding it in
 * the cache about twenty. Each open file has its own cache: readers share no data, and need no
 * lock, as the file's lock serializes its use.
 *
 * Unloading a module removes symbols. The generation is the number of loads and unloads of modules
 * so far; a cache of an older generation is emptied at its next use.
 */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>

#include "symbols.h"
#include "text.h"

#define CACHE_BITS	8
#define CACHE_WAYS	2
#define CACHED_TEXT	54

/* An entry is one cache line. Longer texts are looked up each time: there are few of them. */
struct cached_symbol {
	unsigned long	addr;
	u8		len;
	u8		form;
	char		text[CACHED_TEXT];
};

struct symbol_cache {
	unsigned int		generation;
	struct cached_symbol	set[1 << CACHE_BITS][CACHE_WAYS];
};

static unsigned int symbol_generation;

/**
 * symbols_generation - get the generation of the kernel's symbols
 *
 * Context: any.
 * Return: a number that changes when a module is loaded or unloaded.
 */
unsigned int symbols_generation(void)
{
	return READ_ONCE(symbol_generation);
}

/**
 * symbol_cache_alloc - allocate an empty cache of symbols
 *
 * Context: may sleep.
 * Return: the cache, to be freed with kvfree(); NULL if memory is short, which
 * print_symbol() accepts, too.
 */
struct symbol_cache *symbol_cache_alloc(void)
{
	struct symbol_cache *cache = kvzalloc(sizeof(*cache), GFP_KERNEL);

	if (cache)
		cache->generation = symbols_generation();
	return cache;
}

/*
 * Write the text of an address. SYMBOL_NAME leaves out the module, so that columns are short and
 * the name can be written to filter files. Return: length of the text.
 */
static int symbol_text(char *text, unsigned long addr, enum symbol_form form)
{
	const char *name;
	char *module;

	if (is_kretprobe_trampoline(addr))
		return sprintf(text, "[unknown/kretprobe'd]");
	if (form == SYMBOL_OFFSET)
		return sprint_symbol(text, addr);
	if (form == SYMBOL_MODULE)
		return sprint_symbol_no_offset(text, addr);
	name = kallsyms_lookup(addr, NULL, NULL, &module, text);
	if (!name)
		return sprintf(text, "0x%lx", addr);
	if (name != text)
		strscpy(text, name, KSYM_NAME_LEN);
	return strlen(text);
}

static void symbol_cache_refresh(struct symbol_cache *cache)
{
	unsigned int now = symbols_generation();

	if (likely(cache->generation == now))
		return;
	memset(cache->set, 0, sizeof(cache->set));
	cache->generation = now;
}

static struct cached_symbol *cache_find(struct cached_symbol *set,
					unsigned long addr, enum symbol_form form)
{
	int way;

	for (way = 0; way < CACHE_WAYS; way++) {
		if (set[way].addr == addr && set[way].form == form)
			return &set[way];
	}
	return NULL;
}

/* Insert an entry at the front of its set; the oldest one is dropped. */
static void cache_insert(struct cached_symbol *set, unsigned long addr,
			 enum symbol_form form, const char *text, int len)
{
	if (len > CACHED_TEXT || !addr)
		return;
	memmove(set + 1, set, (CACHE_WAYS - 1) * sizeof(*set));
	set->addr = addr;
	set->form = form;
	set->len = len;
	memcpy(set->text, text, len);
}

static noinline void print_new_symbol(struct cached_symbol *set, struct trace_seq *s,
				      unsigned long addr, enum symbol_form form)
{
	char text[KSYM_SYMBOL_LEN];
	int len = symbol_text(text, addr, form);

	text_put(s, text, len);
	if (set)
		cache_insert(set, addr, form, text, len);
}

/**
 * print_symbol - print an address as a symbol
 * @cache: the reader's cache, or NULL
 * @s: output
 * @addr: the address
 * @form: the parts to print
 *
 * An address without a symbol is printed as a number.
 *
 * Context: any; the caller excludes other users of @cache.
 */
void print_symbol(struct symbol_cache *cache, struct trace_seq *s,
		  unsigned long addr, enum symbol_form form)
{
	struct cached_symbol *set, *hit;

	if (unlikely(!cache)) {
		print_new_symbol(NULL, s, addr, form);
		return;
	}
	symbol_cache_refresh(cache);
	set = cache->set[hash_long(addr, CACHE_BITS)];
	hit = cache_find(set, addr, form);
	if (likely(hit))
		text_put(s, hit->text, hit->len);
	else
		print_new_symbol(set, s, addr, form);
}

#ifdef CONFIG_MODULES
static int symbols_changed(struct notifier_block *nb, unsigned long event, void *module)
{
	if (event != MODULE_STATE_LIVE)
		WRITE_ONCE(symbol_generation, symbol_generation + 1);
	return NOTIFY_DONE;
}

static struct notifier_block symbols_notifier = {
	.notifier_call = symbols_changed,
};

static int __init symbols_init(void)
{
	return register_module_notifier(&symbols_notifier);
}
core_initcall(symbols_init);
#endif
