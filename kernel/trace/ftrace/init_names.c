// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of modules' init text that has been freed.
 *
 * A trace that was recorded while a module's init function ran has addresses of text that is freed
 * before the trace is read. Without a copy, these addresses would have no names. So if any ops is
 * registered, the loader's symbols of that text are copied before it is freed; the copies are kept
 * until the module is unloaded. kallsyms looks here last: an address that is in use again is not
 * given an old name.
 *
 * Look-ups may come from any context, also an NMI or an oops. They take RCU and no lock.
 * The symbols that a look-up finds, and the module, are freed a grace period after they have left
 * the list.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "names.h"
#include "state.h"

/**
 * struct init_symbol - a symbol of init text that was freed
 * @offset: offset from the start of that text, in bytes
 * @name: offset of its name in init_names::text; names are in the module's order
 */
struct init_symbol {
	u32 offset;
	u32 name;
};

/**
 * struct init_names - the symbols of one module's init text
 * @list: in all_names, the latest first
 * @rcu: frees it after a grace period
 * @mod: the module
 * @start: the text's first address
 * @end: one past its last address
 * @text: the names, each with its NUL, after the symbols
 * @used: bytes used of @text
 * @nr: number of symbols
 * @symbol: the symbols, ascending by offset
 */
struct init_names {
	struct list_head list;
	struct rcu_head rcu;
	struct module *mod;
	unsigned long start;
	unsigned long end;
	char *text;
	u32 used;
	u32 nr;
	struct init_symbol symbol[];
};

/* Changed under ftrace_lock. */
static LIST_HEAD(all_names);

static bool is_init_symbol(const struct init_names *names, const char *name, unsigned long addr)
{
	return addr >= names->start && addr < names->end && *name && !is_mapping_symbol(name);
}

static int count_symbol(void *data, const char *name, unsigned long addr)
{
	struct init_names *names = data;

	if (is_init_symbol(names, name, addr)) {
		names->nr++;
		names->used += strlen(name) + 1;
	}
	return 0;
}

static int copy_symbol(void *data, const char *name, unsigned long addr)
{
	struct init_names *names = data;

	if (is_init_symbol(names, name, addr)) {
		names->symbol[names->nr++] = (struct init_symbol) {
			.offset = addr - names->start, .name = names->used,
		};
		names->used += strlen(strcpy(names->text + names->used, name)) + 1;
	}
	return 0;
}

/* Sort by offset. At one address, the module's first symbol is first: its name is the usual one. */
static int compare_symbols(const void *a, const void *b)
{
	const struct init_symbol *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->name < y->name ? -1 : 1;
}

/**
 * ftrace_keep_init_names - copy the symbols of a module's init text, which is about to be freed
 * @mod: the module
 * @start: the text's first address
 * @end: one past its last address
 *
 * Keeps nothing if no ops is registered, or if memory is short.
 *
 * Context: process context, ftrace_lock held.
 */
void ftrace_keep_init_names(struct module *mod, unsigned long start, unsigned long end)
{
	struct init_names count = { .mod = mod, .start = start, .end = end }, *names;

	if (list_empty(&ftrace_ops_list))
		return;
	module_kallsyms_on_each_symbol(mod->name, count_symbol, &count);
	if (!count.nr)
		return;
	names = kvmalloc(struct_size(names, symbol, count.nr) + count.used, GFP_KERNEL);
	if (!names)
		return;
	*names = (struct init_names) { .mod = mod, .start = start, .end = end };
	names->text = (char *)(names->symbol + count.nr);
	module_kallsyms_on_each_symbol(mod->name, copy_symbol, names);
	sort(names->symbol, names->nr, sizeof(*names->symbol), compare_symbols, NULL);
	list_add_rcu(&names->list, &all_names);
}

/**
 * ftrace_forget_init_names - forget the symbols of a module that is about to be freed
 * @mod: the module
 *
 * Frees them after a grace period.
 *
 * Context: process context, ftrace_lock held.
 */
void ftrace_forget_init_names(const struct module *mod)
{
	struct init_names *names, *next;

	list_for_each_entry_safe(names, next, &all_names, list) {
		if (names->mod != mod)
			continue;
		list_del_rcu(&names->list);
		kvfree_rcu(names, rcu);
	}
}

/* Find the symbol that @offset belongs to. Set @end to the offset where it ends. */
static const struct init_symbol *find_symbol(const struct init_names *names, u32 offset, u32 *end)
{
	const struct init_symbol *found = NULL;
	u32 i;

	*end = names->end - names->start;
	for (i = 0; i < names->nr; i++) {
		if (names->symbol[i].offset > offset) {
			*end = names->symbol[i].offset;
			break;
		}
		if (!found || found->offset != names->symbol[i].offset)
			found = names->symbol + i;
	}
	return found;
}

/**
 * ftrace_mod_address_lookup - name an address of init text that has been freed
 * @addr: the address, which is in no other text
 * @size: set to the size of the symbol, unless NULL
 * @off: set to the offset of the address in the symbol, unless NULL
 * @modname: set to the module's name, unless NULL; valid until the next quiescent state
 * @modbuildid: set to the module's build id, unless NULL; valid as long as @modname
 * @sym: set to the name: KSYM_NAME_LEN bytes
 *
 * Context: any.
 * Return: length of the name that was stored; 0 if there is none.
 */
int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size, unsigned long *off,
			      char **modname, const unsigned char **modbuildid, char *sym)
{
	const struct init_symbol *symbol;
	const struct init_names *names;
	u32 end;

	guard(rcu)();
	list_for_each_entry_rcu(names, &all_names, list) {
		if (addr < names->start || addr >= names->end)
			continue;
		symbol = find_symbol(names, addr - names->start, &end);
		if (!symbol)
			return 0;
		if (size)
			*size = end - symbol->offset;
		if (off)
			*off = addr - names->start - symbol->offset;
		if (modname)
			*modname = names->mod->name;
		if (modbuildid)
			*modbuildid = module_buildid(names->mod);
		strscpy(sym, names->text + symbol->name, KSYM_NAME_LEN);
		return strlen(sym);
	}
	return 0;
}

/**
 * ftrace_mod_get_kallsym - list the symbols of init text that has been freed
 * @symnum: number of the symbol
 * @value: set to its address
 * @type: set to its type, as in /proc/kallsyms
 * @name: set to its name: KSYM_NAME_LEN bytes
 * @module_name: set to the name of its module: MODULE_NAME_LEN bytes
 * @exported: set to whether modules can use it
 *
 * Context: any.
 * Return: 0; -ERANGE if there are no more.
 */
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value, char *type, char *name,
			   char *module_name, int *exported)
{
	const struct init_names *names;

	guard(rcu)();
	list_for_each_entry_rcu(names, &all_names, list) {
		if (symnum >= names->nr) {
			symnum -= names->nr;
			continue;
		}
		*value = names->start + names->symbol[symnum].offset;
		*type = 't';
		strscpy(name, names->text + names->symbol[symnum].name, KSYM_NAME_LEN);
		strscpy(module_name, names->mod->name, MODULE_NAME_LEN);
		*exported = 0;
		return 0;
	}
	return -ERANGE;
}
