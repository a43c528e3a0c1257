// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses as symbols, remembered.
 *
 * A line of the function tracer names two addresses, and most lines name
 * addresses that the lines before have named. Working a name out of the
 * compressed symbol table takes some thousand instructions, finding it here
 * about twenty. Each open file has a cache of its own, so that nothing is
 * shared between readers and no lock is needed: the file's own lock serializes
 * its use.
 *
 * Symbols go away with modules. The number of module loads and unloads so far
 * is the generation; a cache of an older generation is emptied when next used.
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

/* One cache line: longer names are looked up each time, there are few. */
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
 * symbols_generation - may addresses belong to other symbols than before?
 *
 * Context: any.
 * Return: another number, if modules have come or gone since.
 */
unsigned int symbols_generation(void)
{
	return READ_ONCE(symbol_generation);
}

/**
 * symbol_cache_alloc - make an empty cache of symbols
 *
 * Return: the cache, or NULL; print_symbol() is happy with either. The caller
 * frees it with symbol_cache_free(). May sleep.
 */
struct symbol_cache *symbol_cache_alloc(void)
{
	struct symbol_cache *cache = kvzalloc(sizeof(*cache), GFP_KERNEL);

	if (cache)
		cache->generation = symbols_generation();
	return cache;
}

/**
 * symbol_cache_free - free a cache of symbols
 * @cache: from symbol_cache_alloc(), or NULL
 *
 * Context: may sleep.
 */
void symbol_cache_free(struct symbol_cache *cache)
{
	kvfree(cache);
}

/*
 * Work out the text of an address; return its length. The name alone says nothing
 * of a module, so that columns stay short and filters can be made of them.
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

/* The newest goes first, the others move down and the oldest falls out. */
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

static void print_text(struct trace_seq *s, const char *text, int len)
{
	char *p = text_start(s, len);

	if (p)
		text_finish(s, text_bytes(p, text, len));
}

/* Apart, for what it needs of the stack is cleared each time. */
static noinline void print_new_symbol(struct cached_symbol *set, struct trace_seq *s,
				      unsigned long addr, enum symbol_form form)
{
	char text[KSYM_SYMBOL_LEN];
	int len = symbol_text(text, addr, form);

	print_text(s, text, len);
	if (set)
		cache_insert(set, addr, form, text, len);
}

/**
 * print_symbol - print an address as a symbol
 * @cache: the reader's cache, or NULL to do without
 * @s: where to print
 * @addr: the address
 * @form: what of it
 *
 * An address without a symbol is printed as a number. Any context; but the
 * caller excludes other users of @cache.
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
		print_text(s, hit->text, hit->len);
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
